"""Programs by name: the phone's commands, and files in the folders of PATH."""

from __future__ import annotations

from typing import TYPE_CHECKING

from android_shell.files import FileError

if TYPE_CHECKING:
    from android_shell.shell.variables import ShellVariables
    from android_shell.shell_device import ShellDevice

FOLDERS = ("/system/bin/", "/system/xbin/", "/vendor/bin/", "/product/bin/", "/bin/")
"""Folders in which the phone's commands are found; /bin is a link to /system/bin."""


def strip_folder(name: str) -> str:
    """The name of a command given with its folder; any other name as it is."""
    for folder in FOLDERS:
        if name.startswith(folder):
            return name.removeprefix(folder)
    return name


def find_program(device: ShellDevice, variables: ShellVariables, name: str) -> str | None:
    """The path of a program; None if there is none of this name."""
    if "/" in name:
        return name if strip_folder(name) in device.commands or is_executable(variables, name) else None
    for folder in variables.values.get("PATH", "").split(":"):
        path = f"{folder.rstrip('/')}/{name}" if folder else name
        if f"{folder.rstrip('/')}/" in FOLDERS:
            if folder.rstrip("/") in ("/system/bin", "/bin") and name in device.commands:
                return f"/system/bin/{name}"
        elif is_executable(variables, path):
            return path
    return None


def is_executable(variables: ShellVariables, path: str) -> bool:
    """Whether a file exists that may be run."""
    try:
        entry = variables.files.get(variables.path(path))
    except FileError:
        return False
    return entry is not None and not entry.is_folder and bool(entry.mode & 0o111)
