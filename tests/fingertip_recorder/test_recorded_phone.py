"""The phone of a recording: each way in which it cannot be found has a line of its own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from execution_runner.devices.adb_client import WIFI_RECONNECT_SECONDS, AdbClient
from fingertip_dataset.errors import DeviceError
from fingertip_recorder.recorded_phone import WIFI_OBSERVE_SECONDS, describe_mend, find_phone, make_impatient
from simulated_phone import SimulatedPhoneServer
from tests.phone_bench import small_phone


@pytest.fixture
def own_adb(adb_port: int, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb_port))
    return adb_port


@pytest.fixture
def closing_port() -> Iterator[int]:
    """Port at which something listens that ends each connection, as a phone does that is not paired."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def close_all() -> None:
            while True:
                try:
                    listener.accept()[0].close()
                except OSError:
                    return

        threading.Thread(target=close_all, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def find_line(serial: str | None) -> str:
    with pytest.raises(DeviceError) as caught:
        find_phone(serial)
    assert "\n" not in caught.value.message
    return caught.value.message


def test_a_phone_on_wifi_is_waited_for_longer(own_adb: int) -> None:
    with SimulatedPhoneServer(small_phone()) as server:
        device = find_phone(server.serial)
        assert device.client.wireless
        assert device.client._reconnect_s == WIFI_RECONNECT_SECONDS
        assert device._observe_s == WIFI_OBSERVE_SECONDS
        assert make_impatient(device)._reconnect_s < WIFI_RECONNECT_SECONDS
        assert find_phone(None).client.serial == server.serial
        with SimulatedPhoneServer(small_phone()) as other:
            AdbClient.find(other.serial, server_port=own_adb)
            line = find_line(None)
            assert "expected the serial of one phone, got " in line
            assert line.endswith(": name one of them, --device SERIAL")
            AdbClient(other.serial, server_port=own_adb).disconnect()
        AdbClient(server.serial, server_port=own_adb).disconnect()


def test_no_phone_is_told_with_a_way_to_connect_one(own_adb: int) -> None:
    line = find_line(None)
    assert line.startswith("expected a connected phone, got none: ")
    assert "`fingertip doctor`" in line
    assert "write its port, too, --device 127.0.0.9:PORT" in find_line("127.0.0.9")


def test_an_address_at_which_nothing_answers_is_told_from_a_phone_that_is_not_paired(
    own_adb: int, closing_port: int
) -> None:
    assert "nothing answers there: Developer options > Wireless debugging" in find_line("127.0.0.1:9")
    line = describe_mend(f"127.0.0.1:{closing_port}", DeviceError("expected a phone"))
    assert "something answers there, so it may not be paired" in line
    assert "`adb pair HOST:PORT`" in line


def test_a_phone_that_refuses_the_key_is_told(own_adb: int) -> None:
    with SimulatedPhoneServer(small_phone(faults=["unauthorized"])) as server:
        assert "accept 'Allow debugging?'" in find_line(server.serial)
        AdbClient(server.serial, server_port=own_adb).disconnect()


def test_a_port_that_is_no_number_is_an_address_without_a_phone() -> None:
    assert describe_mend("host:port", DeviceError("")).startswith("nothing answers there")
