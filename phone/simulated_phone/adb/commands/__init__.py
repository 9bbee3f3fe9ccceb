"""Shell commands of the phone, and the table of their names."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from types import MappingProxyType

from simulated_phone.adb.commands import (
    activities,
    basics,
    conditions,
    content,
    dumpsys,
    files,
    getevent,
    logs,
    network,
    packages,
    processes,
    screen,
    settings,
    switches,
    window,
)
from simulated_phone.adb.commands.app_process import app_process
from simulated_phone.adb.commands.command_call import CommandCall, CommandError, Run
from simulated_phone.adb.commands.input import input_
from simulated_phone.adb.commands.properties import getprop
from simulated_phone.adb.commands.text_tools import TEXT_TOOLS

__all__ = ["CMD_SERVICES", "COMMANDS", "CommandCall", "CommandError", "Run", "may_change_phone"]

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


def _cmd(call: CommandCall) -> Awaitable[None] | None:
    """`cmd SERVICE ...`: call a system service that also has a command of its own."""
    service = call.args.pop(0) if call.args else ""
    if service not in CMD_SERVICES:
        raise CommandError(f"cmd: Can't find service: {service}", 20)
    return CMD_SERVICES[service](call)


_TOYBOX: Mapping[str, Run] = MappingProxyType(
    {
        **TEXT_TOOLS,
        "[": conditions.test,
        "basename": files.basename,
        "cat": files.cat,
        "chmod": files.chmod,
        "chown": basics.refused,
        "cp": files.copy,
        "date": basics.date,
        "df": files.df,
        "dirname": files.dirname,
        "dmesg": basics.refused,
        "du": files.du,
        "env": basics.env,
        "false": basics.false,
        "find": files.find,
        "free": processes.free,
        "hostname": basics.hostname,
        "id": basics.identity,
        "ifconfig": network.ifconfig,
        "kill": processes.kill,
        "ls": files.ls,
        "md5sum": files.sums,
        "mkdir": files.mkdir,
        "mktemp": files.mktemp,
        "mount": basics.refused,
        "mv": files.copy,
        "netstat": network.netstat,
        "nice": basics.wrapped,
        "nohup": basics.wrapped,
        "nproc": basics.nproc,
        "pgrep": processes.pgrep,
        "pidof": processes.pidof,
        "ping": network.ping,
        "pkill": processes.pgrep,
        "printenv": basics.env,
        "ps": processes.ps,
        "readlink": files.realpath,
        "realpath": files.realpath,
        "rm": files.rm,
        "rmdir": files.rmdir,
        "setenforce": basics.refused,
        "setsid": basics.wrapped,
        "sha1sum": files.sums,
        "sha256sum": files.sums,
        "sleep": basics.sleep,
        "stat": files.stat_,
        "test": conditions.test,
        "time": basics.wrapped,
        "timeout": basics.timeout,
        "top": processes.top,
        "touch": files.touch,
        "true": basics.true,
        "uname": basics.uname,
        "uptime": basics.uptime,
        "which": basics.which,
        "whoami": basics.whoami,
    }
)


def may_change_phone(name: str) -> bool:
    """Whether a command can change the phone; basic commands change only files."""
    return name not in _TOYBOX


def _toybox(call: CommandCall) -> Awaitable[None] | None:
    """`toybox COMMAND ...`: call a basic command through its multi-call program."""
    name = call.args.pop(0) if call.args else ""
    if name not in _TOYBOX:
        raise CommandError(f"toybox: Unknown command {name}", 127)
    call.name = name
    return _TOYBOX[name](call)


COMMANDS: Mapping[str, Run] = MappingProxyType(
    {
        **_TOYBOX,
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
        "setprop": basics.setprop,
        "settings": settings.settings,
        "sh": basics.sh,
        "svc": switches.svc,
        "toybox": _toybox,
        "uiautomator": screen.uiautomator,
        "wm": window.wm,
    }
)
"""Command name -> implementation; `exit` is implemented by the shell."""
