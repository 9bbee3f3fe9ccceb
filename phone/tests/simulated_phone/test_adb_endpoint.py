from __future__ import annotations

import random
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import adbutils
import pytest

from phone.tests.simulated_phone.conftest import Rig
from simulated_phone.adb.endpoint import FEATURES, MAX_STREAMS
from simulated_phone.adb.phone_server import SimulatedPhoneServer
from simulated_phone.adb.wire import MAX_DATA, VERSION
from simulated_phone.phone import Phone

Message = tuple[bytes, int, int, bytes]


class Host:
    """The host's side of the wire, byte by byte."""

    def __init__(self, server: SimulatedPhoneServer) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=120)

    def send(self, command: bytes, first: int, second: int, data: bytes = b"") -> None:
        complement = int.from_bytes(command, "little") ^ 0xFFFFFFFF
        header = struct.pack("<4s5I", command, first, second, len(data), sum(data), complement)
        self.socket.sendall(header + data)

    def receive(self) -> Message:
        command, first, second, length, _, _ = struct.unpack("<4s5I", self._exactly(24))
        return command, first, second, self._exactly(length)

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def connect(self, *, version: int = VERSION, max_data: int = MAX_DATA) -> Message:
        self.send(b"CNXN", version, max_data, b"host::features=shell_v2\0")
        return self.receive()

    def is_disconnected(self) -> bool:
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True


@pytest.fixture
def host(rig: Rig) -> Iterator[Host]:
    host = Host(rig.server)
    yield host
    host.socket.close()


def test_the_banner_has_product_and_features(rig: Rig) -> None:
    listing = rig.adb.run("devices", "-l").stdout.decode()
    line = next(line for line in listing.splitlines() if line.startswith(rig.serial))
    assert " device product:phone model:Simulated_Phone device:phone " in line
    assert rig.run("features").stdout.decode().split() == list(FEATURES)
    assert rig.run("get-state").stdout == b"device\n"


def test_shell_v2_separates_exit_code_stdout_and_stderr(rig: Rig) -> None:
    assert rig.shell("true") == (0, "", "")
    assert rig.shell("false") == (1, "", "")
    assert rig.shell("exit 77") == (77, "", "")
    assert rig.shell("echo out; rm /nothing") == (1, "out\n", "rm: /nothing: No such file or directory\n")
    assert rig.shell("foo bar") == (127, "", "/system/bin/sh: foo: inaccessible or not found\n")


def test_shell_v1_mixes_stdout_and_stderr(rig: Rig) -> None:
    device = adbutils.AdbClient(port=rig.adb.port).device(rig.serial)
    assert device.shell("echo a; foo; echo b") == "a\n/system/bin/sh: foo: inaccessible or not found\nb"
    assert device.shell2("false").returncode == 1
    result = device.shell2("echo a; foo", v2=True)
    assert (result.returncode, result.stdout) == (127, "a\n")
    assert result.stderr == "/system/bin/sh: foo: inaccessible or not found\n"


def test_exec_out_leaves_bytes_unchanged(rig: Rig) -> None:
    data = bytes(range(256)) * 9
    device = adbutils.AdbClient(port=rig.adb.port).device(rig.serial)
    device.sync.push(data, "/sdcard/bytes")
    assert rig.run("exec-out", "cat", "/sdcard/bytes").stdout == data
    assert rig.run("exec-out", "foo").returncode == 0


def test_a_piped_shell_runs_its_lines(rig: Rig) -> None:
    result = rig.run("shell", data="echo 你好\nfoo\nexit 5\necho never\n".encode())
    assert (result.returncode, result.stdout.decode()) == (5, "你好\n")
    assert b"foo: inaccessible" in result.stderr
    assert rig.run("shell", data=b"echo no newline").stdout == b"no newline\n"


def test_a_terminal_shell_echoes_input(host: Host) -> None:
    host.connect()
    host.send(b"OPEN", 1, 0, b"shell,v2,TERM=dumb,pty:\0")
    stream_id = host.receive()[1]
    typed = "echo 时x\x7f间\rexit\r".encode()
    host.send(b"WRTE", 1, stream_id, struct.pack("<BI", 0, len(typed)) + typed)
    output = b""
    while True:
        command, first, second, data = host.receive()
        if command == b"CLSE":
            break
        if command == b"WRTE":
            output += data[5:] if data[0] == 1 else b""
            host.send(b"OKAY", second, first)
    assert b"\r\n\xe6\x97\xb6\xe9\x97\xb4\r\n" in output
    assert output.count(b"phone:/ $ ") == 2


@pytest.mark.parametrize(
    ("service", "message"), [("reboot", b"does not reboot"), ("root", b"cannot run as root")]
)
def test_reboot_and_root_are_refused(rig: Rig, host: Host, service: str, message: bytes) -> None:
    host.connect()
    host.send(b"OPEN", 1, 0, f"{service}:\0".encode())
    assert host.receive()[0] == b"OKAY"
    assert message in host.receive()[3]
    rig.run(service)
    assert rig.output("echo still here") == "still here\n"


def test_installing_an_app_is_refused(rig: Rig, tmp_path: Path) -> None:
    (tmp_path / "a.apk").write_bytes(bytes(3_000_000))
    result = rig.run("install", str(tmp_path / "a.apk"))
    assert result.returncode == 1
    assert b"INSTALL_PARSE_FAILED_NOT_APK" in result.stdout + result.stderr
    assert rig.output("echo still here") == "still here\n"


def test_unknown_services_are_closed(rig: Rig, host: Host) -> None:
    host.connect()
    for name in (b"jdwp:1", b"tcp:1", b"tcp:x", b"localabstract:a", b"", b"\xff\xfe", b"track-app"):
        host.send(b"OPEN", 9, 0, name + b"\0")
        assert host.receive()[:3] == (b"CLSE", 0, 9)
    assert rig.run("forward", "tcp:0", "tcp:4000").returncode == 0


def test_streams_run_concurrently(host: Host) -> None:
    host.connect()
    # each stream waits for the next one: one after the other they would never end
    for number, wanted in ((1, 2), (2, 3), (3, 3)):
        wait = f"while [ ! -e /sdcard/{wanted} ]; do sleep 0.02; done; " if wanted != number else ""
        line = f"exec:{wait}touch /sdcard/{number}; echo {number}\0"
        host.send(b"OPEN", number, 0, line.encode())
    output: dict[int, bytes] = {}
    closed: list[int] = []
    while len(closed) < 3:
        command, first, second, data = host.receive()
        if command == b"WRTE":
            output[second] = data
            host.send(b"OKAY", second, first)
        elif command == b"CLSE":
            closed.append(second)
    assert output == {1: b"1\n", 2: b"2\n", 3: b"3\n"}
    assert sorted(closed) == [1, 2, 3]


def test_the_phone_waits_for_okay_after_each_write(rig: Rig, host: Host) -> None:
    adbutils.AdbClient(port=rig.adb.port).device(rig.serial).sync.push(bytes(3000), "/sdcard/zeros")
    assert host.connect(max_data=1024)[2] == MAX_DATA
    host.send(b"OPEN", 1, 0, b"exec:cat /sdcard/zeros\0")
    stream_id, sizes = host.receive()[1], []
    host.socket.settimeout(0.3)
    while True:
        message = host.receive()
        if message[0] == b"CLSE":
            break
        sizes.append(len(message[3]))
        with pytest.raises(TimeoutError):
            host.receive()
        host.send(b"OKAY", 1, stream_id)
    assert sizes == [1024, 1024, 952]


def test_a_host_that_does_not_wait_for_okay_is_disconnected(rig: Rig, host: Host) -> None:
    host.connect()
    host.send(b"OPEN", 1, 0, b"exec:sleep 5\0")
    stream_id = host.receive()[1]
    for _ in range(3):
        host.send(b"WRTE", 1, stream_id, bytes(1000))
    assert host.is_disconnected()
    assert rig.output("echo alive") == "alive\n"


def test_hosts_of_old_protocol_versions_get_checksums(host: Host) -> None:
    assert host.connect(version=0x01000000)[0] == b"CNXN"
    host.send(b"OPEN", 1, 0, b"exec:echo ab\0")
    host.receive()
    header = host._exactly(24)
    command, _, _, length, total, _ = struct.unpack("<4s5I", header)
    assert (command, host._exactly(length), total) == (b"WRTE", b"ab\n", sum(b"ab\n"))


def test_the_number_of_streams_is_limited(host: Host) -> None:
    host.connect()
    commands = []
    for number in range(1, MAX_STREAMS + 3):
        host.send(b"OPEN", number, 0, b"exec:sleep 30\0")
        commands.append(host.receive()[0])
    assert commands == [b"OKAY"] * MAX_STREAMS + [b"CLSE"] * 2


def test_a_second_cnxn_ends_the_streams(host: Host) -> None:
    host.connect()
    host.send(b"OPEN", 1, 0, b"exec:sleep 30\0")
    host.receive()
    assert host.connect()[0] == b"CNXN"
    host.send(b"OPEN", 1, 0, b"exec:echo again\0")
    assert host.receive()[0] == b"OKAY"
    assert host.receive()[3] == b"again\n"


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        struct.pack("<4s5I", b"OPEN", 1, 0, 0, 0, int.from_bytes(b"OPEN", "little") ^ 0xFFFFFFFF),
        struct.pack("<4s5I", b"CNXN", 1, 0, MAX_DATA + 1, 0, int.from_bytes(b"CNXN", "little") ^ 0xFFFFFFFF),
        struct.pack("<4s5I", b"AUTH", 9, 0, 0, 0, int.from_bytes(b"AUTH", "little") ^ 0xFFFFFFFF),
        bytes(24),
    ],
    ids=["http", "too early", "too large", "no such key", "zeros"],
)
def test_invalid_messages_end_the_connection(host: Host, data: bytes) -> None:
    host.socket.sendall(data)
    assert host.is_disconnected()


def test_connections_with_random_bytes_do_no_harm(rig: Rig) -> None:
    rng = random.Random(3)  # noqa: S311
    for number in range(60):
        with socket.create_connection(("127.0.0.1", rig.server.port), timeout=120) as peer:
            start = b"" if number % 3 else struct.pack("<4s5I", b"CNXN", VERSION, MAX_DATA, 0, 0, 0xB1A7B1BC)
            peer.sendall(start + rng.randbytes(rng.randint(1, 5000)))
    assert rig.output("echo alive") == "alive\n"


def test_valid_messages_in_random_order_do_no_harm(rig: Rig) -> None:
    rng = random.Random(4)  # noqa: S311
    services = [
        b"shell:",
        b"shell,v2,raw:echo a",
        b"exec:screencap -p",
        b"sync:",
        b"tcp:9",
        b"",
        b"\xff:\xfe",
    ]
    for _ in range(20):
        host = Host(rig.server)
        host.connect(
            version=rng.choice([0, VERSION, 2**32 - 1]), max_data=rng.choice([0, 1, 4096, 2**32 - 1])
        )
        with suppress(ConnectionError):
            for number in range(20):
                command = rng.choice(
                    [b"OPEN", b"OKAY", b"WRTE", b"CLSE", b"AUTH", b"SYNC"][: rng.randint(1, 6)]
                )
                data = rng.choice([*services, rng.randbytes(rng.randint(0, 300))])
                host.send(command, rng.randint(0, 5), rng.randint(0, number), data)
        host.socket.close()
    assert rig.output("echo alive") == "alive\n"


def test_disconnecting_ends_the_hosts_services(rig: Rig) -> None:
    for _ in range(2):
        following = rig.adb.open("-s", rig.serial, "shell", "getevent")
        assert following.stdout
        assert following.stdout.readline().startswith(b"add device")
        following.kill()
        following.wait()
        following.stdout.close()

    def listeners(phone: Phone) -> int:
        return len(phone.finger.stream._listeners)

    deadline = time.monotonic() + 120
    while rig.server.do(listeners) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert rig.server.do(listeners) == 0


def test_a_phone_without_memory_drops_the_host_and_answers_nothing(rig: Rig) -> None:
    """An exit code would count as what the command did, and so as the agent's."""

    def take_memory(call: object) -> None:
        raise MemoryError

    device = rig.server._device
    device.commands = {**device.commands, "greedy": take_memory}
    done = rig.run("shell", "greedy; echo survived")
    assert done.returncode != 0
    assert b"survived" not in done.stdout
    rig.adb.run("disconnect", rig.serial)
    rig.adb.run("connect", rig.serial)
    rig.adb.run("-s", rig.serial, "wait-for-device")
    assert rig.output("echo alive") == "alive\n"
