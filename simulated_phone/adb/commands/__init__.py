"""Shell commands of the phone, and the table of their names."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from types import MappingProxyType

from simulated_phone.adb.commands import (
    activities,
    basics,
    dumpsys,
    getevent,
    packages,
    processes,
    screen,
    settings,
    window,
)
from simulated_phone.adb.commands.command_call import CommandCall, CommandError, Run
from simulated_phone.adb.commands.input import input_
from simulated_phone.adb.commands.properties import getprop
from simulated_phone.adb.commands.uiautomator2 import app_process

__all__ = ["COMMANDS", "CommandCall", "CommandError", "Run"]

_SERVICES: Mapping[str, Run] = MappingProxyType(
    {
        "activity": activities.am,
        "input": input_,
        "input_method": settings.ime,
        "package": packages.pm,
        "settings": settings.settings,
        "window": window.wm,
    }
)


def _cmd(call: CommandCall) -> Awaitable[None] | None:
    """`cmd SERVICE ...`: call a system service that also has a command of its own."""
    service = call.args.pop(0) if call.args else ""
    if service not in _SERVICES:
        raise CommandError(f"cmd: Can't find service: {service}", 20)
    return _SERVICES[service](call)


_BASICS: Mapping[str, Run] = MappingProxyType(
    {
        "cat": basics.cat,
        "date": basics.date,
        "echo": basics.echo,
        "false": basics.false,
        "id": basics.identity,
        "ls": basics.ls,
        "md5sum": basics.md5sum,
        "mkdir": basics.mkdir,
        "rm": basics.rm,
        "sleep": basics.sleep,
        "true": basics.true,
        "whoami": basics.whoami,
    }
)


def _toybox(call: CommandCall) -> Awaitable[None] | None:
    """`toybox COMMAND ...`: call a basic command through its multi-call program."""
    name = call.args.pop(0) if call.args else ""
    if name not in _BASICS:
        raise CommandError(f"toybox: Unknown command {name}", 127)
    call.name = name
    return _BASICS[name](call)


COMMANDS: Mapping[str, Run] = MappingProxyType(
    {
        **_BASICS,
        "am": activities.am,
        "app_process": app_process,
        "cmd": _cmd,
        "dumpsys": dumpsys.dumpsys,
        "getevent": getevent.getevent,
        "getprop": getprop,
        "ime": settings.ime,
        "input": input_,
        "monkey": activities.monkey,
        "pidof": processes.pidof,
        "pm": packages.pm,
        "ps": processes.ps,
        "screencap": screen.screencap,
        "settings": settings.settings,
        "svc": settings.svc,
        "toybox": _toybox,
        "uiautomator": screen.uiautomator,
        "wm": window.wm,
    }
)
"""Command name -> implementation; `exit` is implemented by the shell."""
