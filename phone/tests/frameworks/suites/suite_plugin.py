"""Plugin of pytest for suites of clients: they reach the phone alone, whatever addresses they name."""

import os
import socket

import pytest

USUAL_PORT = 5037
_connect = socket.socket.connect


def _connect_to_own(self: socket.socket, address: object) -> None:
    # the usual adb server of this computer may have a person's own phones
    if isinstance(address, tuple) and address[1:2] == (USUAL_PORT,):
        address = ("127.0.0.1", int(os.environ["ANDROID_ADB_SERVER_PORT"]), *address[2:])
    _connect(self, address)


def pytest_configure() -> None:
    """Lead connections to the usual adb server to the suite's own."""
    socket.socket.connect = _connect_to_own  # type: ignore[method-assign]


def pytest_sessionstart() -> None:
    """Connect Airtest to the phone, as its own runner does: its tests expect a device."""
    if "SUITE_CONNECT" in os.environ:
        from airtest.core.api import connect_device

        connect_device("Android:///")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Put the addresses of the emulator's stand-in into a conftest that names an emulator's."""
    for plugin in session.config.pluginmanager.get_plugins():
        if getattr(plugin, "adb_host", None) and getattr(plugin, "emulator_port", None):
            plugin.adb_host = "127.0.0.1"
            plugin.adb_port = int(os.environ["SUITE_SERVER_PORT"])
            plugin.emulator_port = int(os.environ["SUITE_CONSOLE_PORT"])
