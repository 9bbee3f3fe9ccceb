"""Commands that tell of the phone itself: user, kernel, uptime, and commands that only root may use."""

from __future__ import annotations

from android_shell.command_call import CommandError
from android_shell.tools.tool_arguments import parse_options
from simulated_phone.adb.commands.device_call import DeviceCall

KERNEL = "5.10.149-android13-4"
"""Kernel version."""


def print_user(call: DeviceCall) -> None:
    """`id [-u] [-g] [-n]`: print the shell user of an unrooted phone."""
    flags, _ = parse_options(call, "ugnGrZ")
    if {"-u", "-g"} & set(flags):
        call.print("shell\n" if "-n" in flags else "2000\n")
        return
    call.print(
        "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),"
        "1028(sdcard_r),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats) context=u:r:shell:s0\n"
    )


def whoami(call: DeviceCall) -> None:
    """`whoami`: print the name of the shell user."""
    call.print("shell\n")


def uname(call: DeviceCall) -> None:
    """`uname [-a] [-s] [-n] [-r] [-v] [-m] [-o]`."""
    flags, _ = parse_options(call, "asnrvmo")
    parts = {
        "-s": "Linux",
        "-n": "localhost",
        "-r": KERNEL,
        "-v": "#1 SMP PREEMPT Wed Jan 1 00:00:00 UTC 2025",
        "-m": "aarch64",
        "-o": "Toybox",
    }
    wanted = list(parts) if "-a" in flags else [flag for flag in parts if flag in flags] or ["-s"]
    call.print(" ".join(parts[flag] for flag in wanted) + "\n")


def uptime(call: DeviceCall) -> None:
    """`uptime`."""
    minutes = int(call.phone.uptime) // 60
    call.print(
        f" {call.phone.now:%H:%M:%S} up  {minutes // 60}:{minutes % 60:02},  0 users,"
        "  load average: 1.00, 1.00, 1.00\n"
    )


def hostname(call: DeviceCall) -> None:
    """`hostname`."""
    call.print("localhost\n")


def nproc(call: DeviceCall) -> None:
    """`nproc`."""
    call.print("8\n")


def setprop(call: DeviceCall) -> None:
    """`setprop NAME VALUE`: only names that begin with "debug." or "log." may be set, to no effect."""
    if len(call.args) != 2:
        raise CommandError('setprop: Need 2 arguments (see "setprop --help")')
    if not call.args[0].startswith(("debug.", "log.")):
        raise CommandError(f"setprop: failed to set property '{call.args[0]}' to '{call.args[1]}'")


def refuse(call: DeviceCall) -> None:
    """`chown`, `dmesg`, `mount`, `setenforce`: refused, as on an unrooted phone."""
    reasons = {
        "dmesg": "dmesg: klogctl: Permission denied",
        "mount": "mount: Operation not permitted",
        "chown": "chown: Operation not permitted",
        "setenforce": "setenforce: Couldn't set enforcing status to '0': Permission denied",
    }
    raise CommandError(reasons[call.name])
