"""`svc` and parts of `cmd`: Wi-Fi, mobile data, Bluetooth, airplane mode, dark mode, the status bar."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.notifications import notification

_SWITCHES = {"wifi": "wifi_on", "data": "mobile_data", "bluetooth": "bluetooth_on", "nfc": "nfc_on"}
_STAY_ON = {"false": "0", "ac": "1", "usb": "2", "wireless": "4"}


def svc(call: DeviceCall) -> None:
    """`svc power stayon true|false|usb|ac|wireless`, `svc wifi|data|bluetooth|nfc enable|disable`."""
    values = call.phone.settings["global"]
    if call.args[:2] == ["power", "stayon"] and call.args[2:]:
        values["stay_on_while_plugged_in"] = _STAY_ON.get(call.args[2], "7")
    elif call.args[:1] and call.args[0] in _SWITCHES and call.args[1:] in (["enable"], ["disable"]):
        values[_SWITCHES[call.args[0]]] = "1" if call.args[1] == "enable" else "0"
    else:
        raise CommandError(
            "usage: svc power stayon true|false|usb|ac|wireless; svc wifi|data|bluetooth|nfc enable|disable"
        )


def statusbar(call: DeviceCall) -> None:
    """`cmd statusbar expand-notifications|expand-settings|collapse`: one panel stands for both."""
    if call.args in (["expand-notifications"], ["expand-settings"]):
        call.phone.open_panel()
    elif call.args == ["collapse"]:
        call.phone.close_panel()
    else:
        call.refuse_subcommand(("expand-notifications", "expand-settings", "collapse"))


def _switch(call: DeviceCall, namespace: str, key: str, values: Mapping[str, str]) -> None:
    word = call.args[-1] if call.args else ""
    if word not in values:
        raise CommandError(f"Unknown command: {' '.join(call.args)}", 255)
    call.phone.settings[namespace][key] = values[word]


def wifi(call: DeviceCall) -> None:
    """`cmd wifi set-wifi-enabled enabled|disabled`, `cmd wifi status`."""
    if call.args == ["status"]:
        on = call.phone.settings["global"]["wifi_on"] == "1"
        call.print(f"Wifi is {'enabled' if on else 'disabled'}\n")
    elif call.args[:1] == ["set-wifi-enabled"]:
        _switch(call, "global", "wifi_on", {"enabled": "1", "disabled": "0"})
    else:
        call.refuse_subcommand(("set-wifi-enabled", "status"))


def connectivity(call: DeviceCall) -> None:
    """`cmd connectivity airplane-mode [enable|disable]`."""
    if call.args == ["airplane-mode"]:
        on = call.phone.settings["global"]["airplane_mode_on"] == "1"
        call.print("enabled\n" if on else "disabled\n")
    elif call.args[:1] == ["airplane-mode"]:
        _switch(call, "global", "airplane_mode_on", {"enable": "1", "disable": "0"})
    else:
        call.refuse_subcommand(("airplane-mode",))


def bluetooth(call: DeviceCall) -> None:
    """`cmd bluetooth_manager enable|disable`."""
    _switch(call, "global", "bluetooth_on", {"enable": "1", "disable": "0"})


def uimode(call: DeviceCall) -> None:
    """`cmd uimode night [yes|no]`."""
    if call.args[:1] != ["night"]:
        call.refuse_subcommand(("night",))
        return
    if call.args[1:]:
        _switch(call, "secure", "ui_night_mode", {"yes": "2", "no": "1"})
    on = call.phone.settings["secure"]["ui_night_mode"] == "2"
    call.print(f"Night mode: {'yes' if on else 'no'}\n")


def screenrecord(_call: DeviceCall) -> None:
    """`screenrecord`: refused, a simulated phone records no video."""
    raise CommandError("screenrecord: the simulated phone records no video; take screenshots with screencap")


def appops(call: DeviceCall) -> None:
    """`appops set|get|reset PACKAGE [OPERATION [MODE]]`: every operation is allowed."""
    call.pop_option("--user")
    if call.args[:1] == ["get"] and len(call.args) > 1:
        call.print(f"{call.args[2]}: allow\n" if len(call.args) > 2 else "No operations.\n")
    elif call.args[:1] not in (["set"], ["get"], ["reset"]):
        raise CommandError("AppOps service (appops) commands:\n  set|get|reset", 255)


SWITCH_SERVICES = MappingProxyType(
    {
        "bluetooth_manager": bluetooth,
        "appops": appops,
        "connectivity": connectivity,
        "notification": notification,
        "statusbar": statusbar,
        "uimode": uimode,
        "wifi": wifi,
    }
)
"""Service of `cmd` -> implementation."""
