"""Programs by name: the phone's commands, and files in the folders of PATH."""

from __future__ import annotations

from typing import TYPE_CHECKING

from android_shell.files import FileError
from android_shell.shell.variables import PATH

if TYPE_CHECKING:
    from android_shell.shell.variables import ShellVariables
    from android_shell.shell_device import ShellDevice

FOLDERS = ("/system/bin/", "/system/xbin/", "/vendor/bin/", "/product/bin/", "/bin/")
"""Folders in which the phone's commands are found; /bin is a link to /system/bin."""

_NAMES = """
acpi awk base64 basename bc blkid blockdev bunzip2 bzcat bzip2 cal cat chattr chcon chgrp chmod chown chroot
chrt cksum clear cmp comm cp cpio cut date dd devmem df diff dirname dmesg dos2unix du echo egrep env expand
expr fallocate false fgrep file find flock fmt fold free freeramdisk fsfreeze fsync getconf getenforce
getfattr getopt grep groups gunzip gzip head hostname hwclock i2cdetect i2cdump i2cget i2cset iconv id
ifconfig inotifyd insmod install ionice iorenice iotop kill killall ln load_policy log logname losetup ls
lsattr lsmod lsof lspci lsusb makedevs md5sum microcom mkdir mkfifo mknod mkswap mktemp modinfo modprobe
more mount mountpoint mv nbd-client nc netcat netstat nice nl nohup nproc nsenter od partprobe paste patch
pgrep pidof ping ping6 pivot_root pkill pmap printenv printf prlimit ps pwd pwdx readelf readlink realpath
renice restorecon rev rfkill rm rmdir rmmod rtcwake runcon sed sendevent seq setenforce setfattr setsid
sha1sum sha224sum sha256sum sha384sum sha512sum sleep sort split stat strings stty swapoff swapon sync
sysctl tac tail tar taskset tee test time timeout top touch tr traceroute traceroute6 true truncate tty
tunctl uclampset umount uname uniq unix2dos unlink unshare uptime usleep uudecode uuencode uuidgen vconfig
vi vmstat watch wc which whoami xargs xxd yes zcat
"""
TOOLS_OF_PHONES = frozenset(_NAMES.split())
"""Tools of phones: toybox's, awk and bc; one that the device lacks ends the line as if it were unknown."""


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
    folders = variables.values.get("PATH", "")
    if folders == PATH and name in device.commands:
        return f"/system/bin/{name}"
    for folder in folders.split(":"):
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
