"""The phone of a recording: by cable or on Wi-Fi, or a line that says how to connect it."""

from __future__ import annotations

import re
import socket

from execution_runner.devices.adb import AdbDevice
from execution_runner.devices.adb_client import RECONNECT_SECONDS, WIFI_RECONNECT_SECONDS, AdbClient
from fingertip_dataset.errors import (
    DeviceError,
    DeviceUnauthorizedError,
    SeveralDevicesError,
)

WIFI_OBSERVE_SECONDS = 10.0
"""Time limit of an observation on Wi-Fi: beyond it the phone counts as out of reach."""

_PROBE_SECONDS = 2.0
_BARE_ADDRESS = re.compile(r"\d{1,3}(\.\d{1,3}){3}")
_PAIR = "`adb pair HOST:PORT` with the port and code of 'Pair device with pairing code' there"
_WHERE = "Developer options > Wireless debugging on the phone"


def find_phone(serial: str | None) -> AdbDevice:
    """Find the phone of a recording.

    Args:
        serial: As `adb devices` lists it; a HOST:PORT is connected first. None for the only phone.

    Raises:
        DeviceError: It is absent, not ready, or not the only one; the message says what to do.
    """
    try:
        client = AdbClient.find(serial)
    except DeviceError as error:
        raise type(error)(f"{error.message}: {describe_mend(serial, error)}") from None
    if not client.wireless:
        return AdbDevice(client)
    patient = AdbClient(client.serial, reconnect_s=WIFI_RECONNECT_SECONDS)
    return AdbDevice(patient, observe_s=WIFI_OBSERVE_SECONDS)


def make_impatient(device: AdbDevice) -> AdbClient:
    """Client of the same phone that waits for it only shortly, for looks at it now and then."""
    client = device.client
    return AdbClient(client.serial, server_port=client.server_port, reconnect_s=RECONNECT_SECONDS)


def describe_mend(serial: str | None, error: DeviceError) -> str:
    """Say how a phone that was not found is connected, in one phrase.

    >>> describe_mend("10.0.0.7", DeviceError("")).partition(", as ")[0]
    'write its port, too, --device 10.0.0.7:PORT'
    """
    if isinstance(error, SeveralDevicesError):
        return "name one of them, --device SERIAL"
    if isinstance(error, DeviceUnauthorizedError):
        return "unlock the phone and accept 'Allow debugging?' there, or pair it again"
    if serial is not None and _BARE_ADDRESS.fullmatch(serial):
        return f"write its port, too, --device {serial}:PORT, as {_WHERE} shows it"
    if serial is None or ":" not in serial:
        return "`fingertip doctor` says how to connect a phone; on Wi-Fi give its address, --device HOST:PORT"
    return _describe_address(serial)


def _describe_address(serial: str) -> str:
    """Say what is wrong at an address: a wrong port, or a missing pairing where something answers."""
    host, _, port = serial.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_PROBE_SECONDS):
            pass
    except (OSError, ValueError, OverflowError):
        return (
            f"nothing answers there: {_WHERE} shows the address, whose port is another one after each start; "
            "phone and computer have to be in one network"
        )
    return (
        f"something answers there, so it may not be paired with this computer: {_PAIR} ({_WHERE}); "
        f"if it is, `adb disconnect {serial}` and try again"
    )
