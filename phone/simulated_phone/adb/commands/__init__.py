"""Shell commands of the phone, and the table of their names."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from types import MappingProxyType

from android_shell.command_call import CommandError
from android_shell.shell_device import Run
from android_shell.tools import TOOLS
from android_shell.shell.sh_command import sh
from simulated_phone.adb.commands import (
    content,
    logs,
    network,
    processes,
    screen,
    settings,
    switches,
    system,
    window,
)
from simulated_phone.adb.commands.activity import activities
from simulated_phone.adb.commands.app_process import app_process
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.dump import dumpsys
from simulated_phone.adb.commands.keys import getevent
from simulated_phone.adb.commands.keys.input import input_
from simulated_phone.adb.commands.package import packages
from simulated_phone.adb.commands.properties import getprop
from simulated_phone.adb.commands.uiautomator import uiautomator

CMD_SERVICES: Mapping[str, Run] = MappingProxyType(
    {
        **switches.SWITCH_SERVICES,
        "activity": activities.am,
        "input": input_,
        "input_method": settings.ime,
        "package": packages.pm,
        "settings": settings.settings,
        "window": window.wm,
    }
)
"""Service of `cmd` -> implementation."""


def _cmd(call: DeviceCall) -> Awaitable[None] | None:
    """`cmd SERVICE ...`: call a system service that also has a command of its own."""
    service = call.args.pop(0) if call.args else ""
    if service not in CMD_SERVICES:
        raise CommandError(f"cmd: Can't find service: {service}", 20)
    return CMD_SERVICES[service](call)


TOYBOX: Mapping[str, Run] = MappingProxyType(
    {
        **TOOLS,
        "chown": system.refuse,
        "dmesg": system.refuse,
        "free": processes.free,
        "hostname": system.hostname,
        "id": system.print_user,
        "ifconfig": network.ifconfig,
        "kill": processes.kill,
        "mount": system.refuse,
        "netstat": network.netstat,
        "nproc": system.nproc,
        "pgrep": processes.pgrep,
        "pidof": processes.pidof,
        "ping": network.ping,
        "pkill": processes.pgrep,
        "ps": processes.ps,
        "setenforce": system.refuse,
        "top": processes.top,
        "uname": system.uname,
        "uptime": system.uptime,
        "whoami": system.whoami,
    }
)
"""Basic commands, all in one program on a phone: they change nothing but files."""


def _toybox(call: DeviceCall) -> Awaitable[None] | None:
    """`toybox COMMAND ...`: call a basic command through its multi-call program."""
    name = call.args.pop(0) if call.args else ""
    if name not in TOYBOX:
        raise CommandError(f"toybox: Unknown command {name}", 127)
    call.name = name
    return TOYBOX[name](call)


COMMANDS: Mapping[str, Run] = MappingProxyType(
    {
        **TOYBOX,
        "am": activities.am,
        "app_process": app_process,
        "appops": switches.appops,
        "cmd": _cmd,
        "content": content.content,
        "dumpsys": dumpsys.dumpsys,
        "getevent": getevent.getevent,
        "getprop": getprop,
        "ime": settings.ime,
        "input": input_,
        "ip": network.ip,
        "log": logs.log,
        "logcat": logs.logcat,
        "monkey": activities.monkey,
        "pm": packages.pm,
        "screencap": screen.screencap,
        "screenrecord": switches.screenrecord,
        "service": switches.service,
        "setprop": system.setprop,
        "settings": settings.settings,
        "sh": sh,
        "svc": switches.svc,
        "toybox": _toybox,
        "uiautomator": uiautomator,
        "wm": window.wm,
    }
)
"""Command name -> implementation; `exit` is implemented by the shell."""
