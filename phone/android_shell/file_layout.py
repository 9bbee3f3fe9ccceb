"""Folders, links and devices that a phone comes with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from android_shell.file_paths import SHARED

SCRATCH = "/data/local/tmp"
"""Folder that the shell owns."""

MEDIA = ("Android", "DCIM/Camera", "Documents", "Download", "Movies", "Music", "Pictures/Screenshots")
"""Folders of the shared storage."""

FOLDERS = (
    "/data/app",
    "/data/data",
    SCRATCH,
    "/dev/input",
    "/mnt",
    "/proc",
    "/storage/self",
    "/system/bin",
    "/system/etc",
    "/vendor/bin",
)
"""Other folders."""

LINKS: Mapping[str, str] = MappingProxyType(
    {
        "/bin": "/system/bin",
        "/etc": "/system/etc",
        "/proc/self": "4243",
        "/sdcard": "/storage/self/primary",
        "/storage/self/primary": SHARED,
        "/mnt/sdcard": "/sdcard",
    }
)
"""Path of a symbolic link -> where it points to; /proc/self is the program that looks there."""

CLOSED: Mapping[str, int] = MappingProxyType(
    {"/data": 0o771, "/data/app": 0o771, "/data/data": 0o771, "/data/local": 0o751}
)
"""Modes of folders that the shell may not list."""

DEVICES = ("/dev/null", "/dev/random", "/dev/urandom", "/dev/zero")
"""Devices among the files: what is written to one is lost; all but the first can be read without end."""

NUMBERS = ((1, 3), (1, 8), (1, 9), (1, 5))
"""Numbers of the driver and of the device, of each of them."""

INPUT_DEVICES, INPUT_GROUP = 3, 1004
"""Number of devices for input, and the group that may read them."""
