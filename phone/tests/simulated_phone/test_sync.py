from __future__ import annotations

import random
import stat
import struct
import time
from pathlib import Path

import adbutils
import pytest

from phone.tests.simulated_phone.conftest import Rig
from phone.tests.simulated_phone.test_adb_endpoint import Host


@pytest.fixture
def device(rig: Rig) -> adbutils.AdbDevice:
    return adbutils.AdbClient(port=rig.adb.port).device(rig.serial)


def test_push_and_pull_keep_bytes_names_and_times(rig: Rig, tmp_path: Path) -> None:
    data = random.Random(1).randbytes(200_001)  # noqa: S311
    source, target = tmp_path / "图 片.bin", tmp_path / "back"
    source.write_bytes(data)
    assert rig.run("push", str(source), "/sdcard/Download").returncode == 0
    assert rig.output("ls /sdcard/Download") == "图 片.bin\n"
    assert rig.run("pull", "-a", "/sdcard/Download/图 片.bin", str(target)).returncode == 0
    assert target.read_bytes() == data
    assert int(target.stat().st_mtime) == int(source.stat().st_mtime)
    rig.output("rm '/sdcard/Download/图 片.bin'")


def test_adbutils_stats_lists_pushes_and_pulls(device: adbutils.AdbDevice, tmp_path: Path) -> None:
    assert device.sync.push(b"12345", "/data/local/tmp/x", mode=0o644, check=True) == 5
    status = device.sync.stat("/data/local/tmp/x")
    assert (stat.S_ISREG(status.mode), status.mode & 0o777, status.size) == (True, 0o644, 5)
    assert status.mtime is not None
    assert abs(status.mtime.timestamp() - time.time()) < 60
    assert device.sync.exists("/sdcard")
    assert not device.sync.exists("/sdcard/none")
    assert [entry.path for entry in device.sync.list("/data/local/tmp")] == ["x"]
    assert device.sync.read_text("/data/local/tmp/x") == "12345"
    with pytest.raises(adbutils.AdbError, match="No such file or directory"):
        device.sync.read_bytes("/sdcard/none")
    device.sync.pull("/data/local/tmp/x", tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == b"12345"
    device.remove("/data/local/tmp/x")


def test_links_are_pushed_as_links_and_replaced(rig: Rig, tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    (folder / "inner").mkdir(parents=True)
    (folder / "file").write_text("new", encoding="utf-8")
    (folder / "link").symlink_to("file")
    (folder / "inner" / "lost").symlink_to("nowhere")
    place = "/data/local/tmp"
    rig.output(f"cd {place}; echo kept > kept; mkdir tree; ln -s ../kept tree/link; ln -s ../kept tree/file")
    assert rig.run("push", f"{folder}/.", f"{place}/tree").returncode == 0
    listed = (
        f"cd {place}/tree; cat file ../kept; readlink link inner/lost; ls -l file | cut -c1; stat -c %a inner"
    )
    assert rig.output(listed) == "newkept\nfile\nnowhere\n-\n775\n"
    rig.output(f"cd {place}; chmod 444 tree/file")
    assert rig.run("push", str(folder / "inner" / ".." / "file"), f"{place}/tree/file").returncode == 0
    refused = rig.run("push", str(folder), "/sdcard/Download")
    assert refused.returncode == 1
    assert b"remote symlink failed: Function not implemented" in refused.stderr
    rig.output(f"rm -r {place}/tree {place}/kept /sdcard/Download/tree")


def test_refused_transfers_have_the_kernels_message(rig: Rig, tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(bytes(300_000))
    for target, message in (("/system/f", "Read-only file system"), ("/dev/f", "Permission denied")):
        result = rig.run("push", str(file), target)
        assert result.returncode == 1
        assert message in result.stderr.decode()
    result = rig.run("pull", "/sdcard/none", str(tmp_path / "g"))
    assert result.returncode == 1
    assert "No such file or directory" in result.stderr.decode()


def sync_stream(host: Host) -> int:
    host.connect()
    host.send(b"OPEN", 1, 0, b"sync:\0")
    return host.receive()[1]


def request(host: Host, stream_id: int, data: bytes) -> bytes:
    """The phone's next output after a request."""
    host.send(b"WRTE", 1, stream_id, data)
    while True:
        command, first, second, response = host.receive()
        if command == b"WRTE":
            host.send(b"OKAY", second, first)
            return response
        if command == b"CLSE":
            return b""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"LOOK" + struct.pack("<I", 1) + b"/", b"unknown command"),
        (b"STAT" + struct.pack("<I", 4096) + b"/", b"path too long"),
        (b"SEND" + struct.pack("<I", 9) + b"/sdcard/a" + b"DONE" + bytes(4), b"Invalid argument"),
        (b"SEND" + struct.pack("<I", 13) + b"/sdcard/a,0x7" + b"DONE" + bytes(4), b"Invalid argument"),
        (b"SEND" + struct.pack("<I", 13) + b"/sdcard/a,420" + b"DATA" + struct.pack("<I", 1 << 30), b""),
    ],
)
def test_invalid_requests_fail_or_end_the_stream(rig: Rig, data: bytes, message: bytes) -> None:
    host = Host(rig.server)
    response = request(host, sync_stream(host), data)
    assert message in response
    assert response.startswith(b"FAIL") == bool(message)
    host.socket.close()
    assert rig.output("echo alive") == "alive\n"


def test_version_1_stat_and_list(rig: Rig) -> None:
    host = Host(rig.server)
    stream_id = sync_stream(host)
    response = request(host, stream_id, b"STAT" + struct.pack("<I", 7) + b"/sdcard")
    mode, size, _ = struct.unpack("<III", response[4:])
    assert (stat.S_ISLNK(mode), size) == (True, len("/storage/self/primary"))
    response = request(host, stream_id, b"STAT" + struct.pack("<I", 8) + b"/sdcard/")
    mode, size, _ = struct.unpack("<III", response[4:])
    assert (stat.S_ISDIR(mode), stat.S_IMODE(mode)) == (True, 0o2770)
    assert request(host, stream_id, b"LIST" + struct.pack("<I", 5) + b"/none") == b"DONE" + bytes(16)
    assert request(host, stream_id, b"LIS2" + struct.pack("<I", 5) + b"/none") == b"DONE" + bytes(72)
    host.socket.close()
