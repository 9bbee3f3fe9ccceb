"""Services of `cmd` that tools ask for: location, telephony, volumes and the battery."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.machine.faults import SCREEN_TIMEOUT
from simulated_phone.machine.state import switch_value

_STREAMS: Mapping[int, tuple[str, str]] = MappingProxyType(
    {
        2: ("STREAM_RING", "volume_ring"),
        3: ("STREAM_MUSIC", "volume_music"),
        4: ("STREAM_ALARM", "volume_alarm"),
    }
)
MOST_VOLUME = 15
"""Largest volume of a stream."""

BATTERY: Mapping[str, str] = MappingProxyType(
    {
        "ac": "0",
        "usb": "1",
        "wireless": "0",
        "dock": "0",
        "status": "2",
        "health": "2",
        "present": "1",
        "level": "80",
        "temp": "280",
        "counter": "3200000",
    }
)
"""Values of the battery that a host may set -> what they are otherwise."""
_POWERED = ("ac", "usb", "wireless", "dock")


def location(call: DeviceCall) -> None:
    """`cmd location is-location-enabled|set-location-enabled true|false [--user ID]`."""
    call.pop_option("--user")
    values = call.phone.settings["secure"]
    if call.args == ["is-location-enabled"]:
        call.print("true\n" if values["location_mode"] != "0" else "false\n")
    elif len(call.args) == 2 and call.args[0] == "set-location-enabled":
        values["location_mode"] = switch_value("location_mode", call.args[1].lower() == "true")
    else:
        call.refuse_subcommand(("is-location-enabled", "set-location-enabled"))


def telephony(call: DeviceCall) -> None:
    """`cmd phone data enable|disable`."""
    if call.args[:1] == ["data"] and call.args[1:] in (["enable"], ["disable"]):
        call.phone.settings["global"]["mobile_data"] = "1" if call.args[1] == "enable" else "0"
    else:
        call.refuse_subcommand(("data",))


def media_session(call: DeviceCall) -> None:
    """`cmd media_session volume [--stream 2|3|4] [--get] [--set LEVEL]`, also as `media volume`."""
    if call.argument(0) != "volume":
        call.refuse_subcommand(("volume",))
        return
    shown, level, stream = call.pop_flag("--get"), call.pop_option("--set"), call.pop_option("--stream")
    number = int(stream) if stream is not None and stream.isdecimal() else 3
    if len(call.args) > 1 or number not in _STREAMS or (level is not None and not level.isdecimal()):
        raise CommandError(f"Error: Unknown option: {' '.join(call.args[1:]) or stream or level}", 255)
    name, key = _STREAMS[number]
    values = call.phone.settings["system"]
    call.print(f"[V] will control stream={number} ({name})\n")
    if level is not None:
        call.print(f"[V] will set volume to index={level}\n")
    if shown:
        call.print("[V] will get volume\n")
    call.print("[V] Connecting to AudioService\n")
    if level is not None:
        values[key] = str(min(int(level), MOST_VOLUME))
    if shown:
        call.print(f"[V] volume is {values[key]} in range [0..{MOST_VOLUME}]\n")


def battery(call: DeviceCall) -> None:
    """`cmd battery unplug|reset|set NAME VALUE|get NAME`, also as `dumpsys battery ...`."""
    call.pop_flag("-f")
    words, changed = call.args, call.device.battery
    if words == ["unplug"]:
        changed |= dict.fromkeys(_POWERED, "0")
    elif words == ["reset"]:
        changed.clear()
    elif len(words) == 3 and words[0] == "set":
        if words[1] not in BATTERY:
            raise CommandError(f"Unknown set option: {words[1]}", 255)
        if not re.fullmatch(r"-?\d{1,9}", words[2]):
            raise CommandError(f"Bad value: {words[2]}", 255)
        changed[words[1]] = words[2]
    elif len(words) == 2 and words[0] == "get" and words[1] in BATTERY:
        call.print(f"{read_battery(call)[words[1]]}\n")
    else:
        call.refuse_subcommand(("get", "reset", "set", "unplug"))


def read_battery(call: DeviceCall) -> dict[str, str]:
    """Return the battery's values, those that a host has set among them."""
    plugged = "0" if SCREEN_TIMEOUT in call.phone.faults else "1"
    return {**BATTERY, "usb": plugged, **call.device.battery}


def print_battery(call: DeviceCall) -> None:
    """`dumpsys battery`, and its subcommands."""
    if call.args[1:]:
        del call.args[0]
        battery(call)
        return
    values = read_battery(call)
    on = {name: "false" if values[name] == "0" else "true" for name in (*_POWERED, "present")}
    stopped = "  (UPDATES STOPPED -- use 'reset' to restart)\n" if call.device.battery else ""
    call.print(
        f"Current Battery Service state:\n{stopped}  AC powered: {on['ac']}\n  USB powered: {on['usb']}\n"
        f"  Wireless powered: {on['wireless']}\n  Dock powered: {on['dock']}\n"
        "  Max charging current: 500000\n  Max charging voltage: 5000000\n"
        f"  Charge counter: {values['counter']}\n  status: {values['status']}\n  health: {values['health']}\n"
        f"  present: {on['present']}\n  level: {values['level']}\n  scale: 100\n  voltage: 4100\n"
        f"  temperature: {values['temp']}\n  technology: Li-ion\n"
    )


MORE_SERVICES: Mapping[str, Callable[[DeviceCall], None]] = MappingProxyType(
    {"battery": battery, "location": location, "media_session": media_session, "phone": telephony}
)
"""Service of `cmd` -> implementation."""
