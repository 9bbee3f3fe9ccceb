"""Commands that tell of the phone itself: user, kernel, uptime, and commands that only root may use."""

from __future__ import annotations

from datetime import timedelta

from android_shell.command_call import CommandError
from android_shell.tools.tool_options import Options
from simulated_phone.adb.commands.device_call import DeviceCall

_GROUPS = {
    2000: "shell",
    1004: "input",
    1007: "log",
    1011: "adb",
    1015: "sdcard_rw",
    1028: "sdcard_r",
    3001: "net_bt_admin",
    3002: "net_bt",
    3003: "inet",
    3006: "net_bw_stats",
}

KERNEL = "5.10.149-android13-4"
"""Kernel version."""


def print_user(call: DeviceCall, options: Options, names: list[str]) -> None:
    """`id [-Ggnru] [-Z] [USER]`: print the shell user of an unrooted phone."""
    if names not in ([], ["shell"], ["2000"]):
        raise call.refuse_option(names[0])
    if "Z" in options:
        call.print("u:r:shell:s0\n")
        return
    if options.has("ugG"):
        # r: the real user is the same
        numbered = "n" not in options or ("r" in options and "n" not in options)
        found = _GROUPS if "G" in options else {2000: "shell"}
        call.print(" ".join(str(number) if numbered else name for number, name in found.items()) + "\n")
        return
    groups = ",".join(f"{number}({name})" for number, name in _GROUPS.items())
    call.print(f"uid=2000(shell) gid=2000(shell) groups={groups} context=u:r:shell:s0\n")


def whoami(call: DeviceCall, _options: Options, _words: list[str]) -> None:
    """`whoami`: print the name of the shell user."""
    call.print("shell\n")


def uname(call: DeviceCall, options: Options, _words: list[str]) -> None:
    """`uname [-amnorsv]`."""
    parts = {
        "s": "Linux",
        "n": "localhost",
        "r": KERNEL,
        "v": "#1 SMP PREEMPT Wed Jan 1 00:00:00 UTC 2025",
        "m": "aarch64",
        "o": "Toybox",
    }
    wanted = list(parts) if "a" in options else [letter for letter in parts if letter in options] or ["s"]
    call.print(" ".join(parts[letter] for letter in wanted) + "\n")


def uptime(call: DeviceCall, options: Options, _words: list[str]) -> None:
    """`uptime [-s]`."""
    if "s" in options:
        boot = call.phone.now - timedelta(seconds=call.phone.uptime)
        call.print(f"{boot:%Y-%m-%d %H:%M:%S}\n")
        return
    minutes = int(call.phone.uptime) // 60
    call.print(
        f" {call.phone.now:%H:%M:%S} up  {minutes // 60}:{minutes % 60:02},  0 users,"
        "  load average: 1.00, 1.00, 1.00\n"
    )


def hostname(call: DeviceCall, _options: Options, _words: list[str]) -> None:
    """`hostname`."""
    call.print("localhost\n")


def nproc(call: DeviceCall, _options: Options, _words: list[str]) -> None:
    """`nproc`."""
    call.print("8\n")


def setprop(call: DeviceCall) -> None:
    """`setprop NAME VALUE`: only names that begin with "debug." or "log." may be set; nothing reads them."""
    if len(call.args) != 2:
        raise CommandError('setprop: Need 2 arguments (see "setprop --help")')
    if not call.args[0].startswith(("debug.", "log.")):
        raise CommandError(f"setprop: failed to set property '{call.args[0]}' to '{call.args[1]}'")
    call.device.properties[call.args[0]] = call.args[1]


def getenforce(call: DeviceCall) -> None:
    """`getenforce`: SELinux is on, as on every phone."""
    call.print("Enforcing\n")


def run_as(call: DeviceCall) -> None:
    """`run-as PACKAGE COMMAND`: refused, since no app here can be debugged."""
    if not call.args:
        raise CommandError("run-as: usage: run-as <package-name> [--user <uid>] <command> [<args>]\n", 1)
    package = call.args[0]
    known = package in call.phone.apps or package in call.device.installed
    reason = f"package not debuggable: {package}" if known else f"unknown package: {package}"
    raise CommandError(f"run-as: {reason}", 1)


def refuse(call: DeviceCall) -> None:
    """`chown`, `dmesg`, `mount`, `setenforce`, `start`, `stop`: refused, as on an unrooted phone."""
    reasons = {
        "start": "must be root",
        "stop": "must be root",
        "dmesg": "dmesg: klogctl: Permission denied",
        "mount": "mount: Operation not permitted",
        "chown": "chown: Operation not permitted",
        "setenforce": "setenforce: Couldn't set enforcing status to '0': Permission denied",
    }
    raise CommandError(reasons[call.name])
