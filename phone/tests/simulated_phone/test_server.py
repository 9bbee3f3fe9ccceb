from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress

import pytest

from phone.tests.simulated_phone.conftest import Adb
from simulated_phone.adb import phone_server
from simulated_phone.adb.phone_server import EMULATOR_PORTS, MAX_CONNECTIONS, SimulatedPhoneServer
from simulated_phone.phone import Phone
from simulated_phone.phone_errors import PhoneHungError, PhoneSetupError


@pytest.fixture(scope="module")
def phone() -> Phone:
    return Phone(size=(540, 1200), density=210)


def test_the_thread_ends_with_the_context(phone: Phone) -> None:
    before = threading.active_count()
    with SimulatedPhoneServer(phone) as server:
        assert server.port not in EMULATOR_PORTS
        assert threading.active_count() == before + 1
        with socket.create_connection(("127.0.0.1", server.port), timeout=120):
            pass
    assert threading.active_count() == before
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=5)


def test_a_port_can_be_reused_immediately(phone: Phone) -> None:
    with SimulatedPhoneServer(phone) as first:
        port = first.port
    with SimulatedPhoneServer(phone, port=port) as second:
        assert second.serial == f"127.0.0.1:{port}"
        with (
            pytest.raises(PhoneSetupError, match="is in use"),
            SimulatedPhoneServer(phone, port=port),
        ):
            pass


@pytest.mark.parametrize("port", [5554, 5555, 5585])
def test_emulator_ports_are_refused(phone: Phone, port: int) -> None:
    with pytest.raises(PhoneSetupError, match="adb looks for emulators there"):
        SimulatedPhoneServer(phone, port=port)


def test_do_runs_in_the_phones_thread_and_returns_the_result(phone: Phone) -> None:
    with SimulatedPhoneServer(phone) as server:
        assert server.do(lambda _: threading.current_thread().name) == "phone-0"
        assert server.do(lambda phone: phone.size) == (540, 1200)
        with pytest.raises(ZeroDivisionError):
            server.do(lambda _: 1 // 0)
    with pytest.raises(PhoneSetupError, match="the phone's server is not started"):
        server.do(lambda _: None)


def test_a_phone_that_hangs_is_an_error_and_can_be_left(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    with SimulatedPhoneServer(phone) as server:
        thread = server._thread
        with monkeypatch.context() as limits:
            limits.setattr(phone_server, "ANSWER_SECONDS", 0.1)
            with pytest.raises(PhoneHungError, match=r"has not answered for 0\.1 s: a command or a page"):
                server.do(lambda _: released.wait())
        with pytest.raises(PhoneHungError):
            server.do(lambda _: None)
    # its thread ends once it goes on
    assert thread is not None
    assert thread.is_alive()
    released.set()
    thread.join(120)
    assert not thread.is_alive()


def test_a_time_limit_of_the_function_itself_is_not_the_phones(phone: Phone) -> None:
    def work(_: Phone) -> None:
        raise TimeoutError("of its own")

    with SimulatedPhoneServer(phone) as server:
        with pytest.raises(TimeoutError, match="of its own"):
            server.do(work)
        assert server.do(lambda _: 1) == 1


def test_the_server_runs_in_the_callers_loop(phone: Phone, adb: Adb) -> None:
    async def visit() -> bytes:
        server = SimulatedPhoneServer(phone)
        await server.start()
        await asyncio.to_thread(adb.run, "connect", server.serial)
        result = await asyncio.to_thread(adb.run, "-s", server.serial, "shell", "echo", "hello")
        await server.stop()
        await asyncio.to_thread(adb.run, "disconnect", server.serial)
        return result.stdout

    assert asyncio.run(visit()) == b"hello\n"


def test_the_number_of_connections_is_limited(phone: Phone) -> None:
    with SimulatedPhoneServer(phone) as server:
        peers = [
            socket.create_connection(("127.0.0.1", server.port), timeout=120) for _ in range(MAX_CONNECTIONS)
        ]
        with (
            socket.create_connection(("127.0.0.1", server.port), timeout=120) as last,
            suppress(ConnectionResetError),
        ):
            assert last.recv(1) == b""
        for peer in peers:
            peer.close()
