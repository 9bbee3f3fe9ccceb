"""`settings`, `ime` and `svc`: system settings."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.keys.keyboards import list_keyboards

_NAMESPACES = ("system", "secure", "global")
_VOLUME, _SPEAKER = "volume_", "_speaker"
_UNCHANGED: Mapping[str, dict[str, str]] = MappingProxyType(
    {"system": {}, "secure": {"accessibility_enabled": "0", "zen_duration": "0"}, "global": {}}
)
"""Settings that phones have from the start and that nothing on this phone reads."""

_IME_KEY = ("secure", "default_input_method")


def settings(call: DeviceCall) -> None:
    """`settings get|put|delete|reset|list NAMESPACE [KEY [VALUE]]`."""
    call.pop_option("--user")
    minimum = {"get": 3, "put": 4, "delete": 3, "reset": 3, "list": 2}
    if not call.args or len(call.args) < minimum.get(call.args[0], 99):
        raise CommandError(
            "Invalid command\nusage: settings get|put|delete|reset|list NAMESPACE [KEY [VALUE]]", 255
        )
    action, namespace = call.args[:2]
    if namespace not in _NAMESPACES:
        raise CommandError(f"Invalid namespace '{namespace}'", 255)
    values = call.phone.setting_rows[namespace]
    if action == "list":
        # Android also keeps the volume of each output, and the phone has one
        speaker = {f"{key}{_SPEAKER}": value for key, value in values.items() if key.startswith(_VOLUME)}
        shown = _UNCHANGED[namespace] | values | speaker
        call.print("".join(f"{key}={value}\n" for key, value in sorted(shown.items())))
        return
    if action == "reset":
        # of values that apps have put, and the phone's apps put none
        return
    key = call.args[2].removesuffix(_SPEAKER) if call.args[2].startswith(_VOLUME) else call.args[2]
    if action == "get":
        call.print(values.get(key, _UNCHANGED[namespace].get(key, "null")) + "\n")
    elif action == "put":
        _put(call, namespace, key, call.args[3])
    else:
        call.print(f"Deleted {int(values.pop(key, None) is not None)} rows\n")


def _put(call: DeviceCall, namespace: str, key: str, value: str) -> None:
    """Write a value; the default keyboard must be an installed one, as on Android."""
    if (namespace, key) != _IME_KEY or value in list_keyboards(call):
        call.phone.settings[namespace][key] = value


def _set_ime(call: DeviceCall, name: str) -> None:
    namespace, key = _IME_KEY
    call.phone.settings[namespace][key] = name


def ime(call: DeviceCall) -> None:
    """`ime list [-a] [-s] | set ID | enable ID | disable ID | reset`."""
    call.pop_option("--user")
    if call.args[:1] == ["list"]:
        _list_imes(call)
    elif call.args == ["reset"]:
        _set_ime(call, call.phone.imes[0])
        call.print(
            f"Reset current and enabled IMEs for user #0\n  Newly selected IME: {call.phone.imes[0]}\n"
        )
    elif len(call.args) == 2 and call.args[0] in ("set", "enable", "disable"):
        _change_ime(call, *call.args)
    else:
        raise CommandError("usage: ime list [-a] [-s] | set ID | enable ID | disable ID | reset", 255)


def _list_imes(call: DeviceCall) -> None:
    short = call.pop_flag("-s")
    for name in list_keyboards(call):
        call.print(
            f"{name}\n" if short else f"{name}:\n  mId={name} mSettingsActivityName=null mIsVrOnly=false\n"
        )


def _change_ime(call: DeviceCall, action: str, name: str) -> None:
    if name not in list_keyboards(call):
        participle = {"set": "selected", "enable": "enabled", "disable": "disabled"}[action]
        raise CommandError(f"Unknown input method {name} cannot be {participle} for user #0", 255)
    if action == "set":
        _set_ime(call, name)
        call.print(f"Input method {name} selected for user #0\n")
    elif action == "disable":
        if call.phone.current_ime == name:
            _set_ime(call, call.phone.imes[0])
        call.print(f"Input method {name}: now disabled for user #0\n")
    else:
        call.print(f"Input method {name}: already enabled for user #0\n")
