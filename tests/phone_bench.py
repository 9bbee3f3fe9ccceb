"""Fixtures of the runner and the recorder: a simulated phone behind a real adb with a private server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from execution_runner.devices.adb import AdbDevice
from execution_runner.devices.adb_client import RECONNECT_SECONDS, AdbClient
from execution_runner.devices.adb_server import run_private_adb_server
from simulated_phone import Phone, SimulatedPhoneServer


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A simulated phone, its server, and the runner's device for it."""

    phone: Phone
    server: SimulatedPhoneServer
    device: AdbDevice


def small_phone(**changes: object) -> Phone:
    return Phone(size=(540, 1200), density=210, **changes)  # type: ignore[arg-type]


def drop_connections(server: SimulatedPhoneServer) -> None:
    """Closes every host connection, like a lost Wi-Fi; hosts may reconnect."""
    server.do(lambda phone: [connection.drop() for connection in tuple(server._connections)])


@pytest.fixture(scope="session")
def adb_port() -> Iterator[int]:
    """Port of a private adb server."""
    with run_private_adb_server() as port:
        yield port


@pytest.fixture
def bench(adb_port: int) -> Iterator[Callable[..., Bench]]:
    """Function that starts a phone and connects to it; takes the arguments of `Phone`."""
    servers: list[SimulatedPhoneServer] = []

    def start(*, reconnect_s: float = RECONNECT_SECONDS, **changes: object) -> Bench:
        phone = small_phone(**changes)
        server = SimulatedPhoneServer(phone)
        server.__enter__()
        servers.append(server)
        device = AdbDevice.find(server.serial, server_port=adb_port, reconnect_s=reconnect_s)
        return Bench(phone=phone, server=server, device=device)

    yield start
    for server in servers:
        AdbClient(server.serial, server_port=adb_port).disconnect()
        server.__exit__(None, None, None)
