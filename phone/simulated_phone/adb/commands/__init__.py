"""Shell commands of the phone, and the table of their names."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from types import MappingProxyType

from android_shell.command_call import CommandError
from android_shell.shell.sh_command import sh
from android_shell.shell_device import Run
from android_shell.tools import TOOLS
from android_shell.tools.tool_options import declare
from simulated_phone.adb.commands import (
    content,
    logs,
    network,
    processes,
    ps,
    screen,
    services,
    settings,
    switches,
    system,
    window,
)
from simulated_phone.adb.commands.activity import activities
from simulated_phone.adb.commands.app_process import app_process
from simulated_phone.adb.commands.cmd_services import MORE_SERVICES, media_session
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.dump import dumpsys
from simulated_phone.adb.commands.keys import getevent
from simulated_phone.adb.commands.keys.input import input_
from simulated_phone.adb.commands.package import packages
from simulated_phone.adb.commands.properties import getprop
from simulated_phone.adb.commands.ps_help import PS_HELP
from simulated_phone.adb.commands.uiautomator import uiautomator

CMD_SERVICES: Mapping[str, Run] = MappingProxyType(
    {
        **MORE_SERVICES,
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
    """`cmd -l | [-w] SERVICE ...`: call a system service that also has a command of its own."""
    if call.args == ["-l"]:
        call.print("Currently running services:\n" + "".join(f"  {name}\n" for name in services.SERVICES))
        return None
    if call.args[:1] == ["-w"]:
        # waits for the service to start: all run from the beginning
        del call.args[0]
    if not call.args:
        raise CommandError("cmd: No service specified; use -l to list all running services", 20)
    service = call.args.pop(0)
    if service not in CMD_SERVICES:
        raise CommandError(f"cmd: Can't find service: {service}", 20)
    call.name = service
    return CMD_SERVICES[service](call)


TOYBOX: Mapping[str, Run] = MappingProxyType(
    {
        **TOOLS,
        "chown": system.refuse,
        "dmesg": system.refuse,
        "getenforce": declare(system.getenforce),
        "free": declare(processes.free, "bgkm", refused="h", switches=("hgmkb",)),
        "hostname": declare(system.hostname, refused="F:bdfs", maximum=0),
        "id": declare(system.print_user, "GZgnru", maximum=1, conflicts=("ZGgu",)),
        "ifconfig": network.ifconfig,
        "kill": processes.kill,
        "netstat": declare(network.netstat, "alnt", refused="Weprruwx", switches=("al",)),
        "nproc": declare(system.nproc, refused="a", long={"all": "a"}),
        "pgrep": declare(processes.pgrep, "cd:flnovx", refused="G:L:P:U:g:s:t:u:", switches=("no",)),
        "pidof": declare(processes.pidof, "o:s", refused="x"),
        "ping": network.ping,
        "pkill": declare(
            processes.pkill, "fl:novx", refused="G:P:U:Vg:s:t:u:", switches=("no",), passes=True
        ),
        "ps": declare(
            ps.ps,
            "AP:U:efno:p:u:",
            refused="G:MO:TZadg:k:ls:t:w",
            long={"pid": "p", "ppid": "P", "sort": "k"},
            help=PS_HELP,
        ),
        "setenforce": system.refuse,
        "top": declare(processes.top, "bd:m:n:q", refused="HO:hk:o:p:s:u:", maximum=0),
        "uname": declare(system.uname, "amnorsv", refused="p"),
        "uptime": declare(system.uptime, "s", refused="p", maximum=0),
        "whoami": declare(system.whoami),
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
        "media": media_session,
        "logcat": logs.logcat,
        "monkey": activities.monkey,
        "pm": packages.pm,
        "run-as": system.run_as,
        "screencap": screen.screencap,
        "screenrecord": switches.screenrecord,
        "service": services.service,
        "setprop": system.setprop,
        "settings": settings.settings,
        "sh": sh,
        "start": system.refuse,
        "stop": system.refuse,
        "svc": switches.svc,
        "toybox": _toybox,
        "uiautomator": uiautomator,
        "wm": window.wm,
    }
)
"""Command name -> implementation; `exit` is implemented by the shell."""
