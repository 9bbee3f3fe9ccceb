"""The storage of a device: its limits and its paths."""

from __future__ import annotations

import pytest

import android_shell.files as module
from android_shell.files import FileError, FileSystem


def test_storage_is_limited_in_bytes_and_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CAPACITY", 1000)
    monkeypatch.setattr(module, "MAX_FILES", 50)
    files = FileSystem()
    files.write("/sdcard/a", bytearray(990))
    with pytest.raises(FileError, match="No space left on device"):
        files.write("/sdcard/b", b"01234567890")
    files.write("/sdcard/a", b"small again")
    files.write("/sdcard/b", b"01234567890")
    files.remove("/sdcard/b")

    def fill() -> None:
        for number in range(50):
            files.write(f"/sdcard/{number}", b"")

    with pytest.raises(FileError, match="No space left on device"):
        fill()


def test_paths_are_normalized_as_on_android() -> None:
    files = FileSystem()
    files.write("/storage/emulated/0/Download/../y", b"1")
    assert files.read("/mnt/sdcard//y") == b"1"
    assert files.names("/") == [
        "bin",
        "data",
        "dev",
        "etc",
        "mnt",
        "proc",
        "sdcard",
        "storage",
        "system",
        "vendor",
    ]
    with pytest.raises(FileError, match="Not a directory"):
        files.write("/sdcard/y/z", b"")
    with pytest.raises(FileError, match="Not a directory"):
        files.names("/sdcard/y")
    with pytest.raises(FileError, match="Read-only"):
        files.write("/sdcard/../../../etc/passwd", b"")
