"""`settings`, `ime` and `svc`: system settings."""

from __future__ import annotations

from simulated_phone.adb.commands.command_call import CommandCall, CommandError

_NAMESPACES = ("system", "secure", "global")
_IME_KEY = ("secure", "default_input_method")


def settings(call: CommandCall) -> None:
    """`settings get|put|delete|list NAMESPACE [KEY [VALUE]]`."""
    call.pop_option("--user")
    minimum = {"get": 3, "put": 4, "delete": 3, "list": 2}
    if not call.args or len(call.args) < minimum.get(call.args[0], 99):
        raise CommandError(
            "Invalid command\nusage: settings get|put|delete|list NAMESPACE [KEY [VALUE]]", 255
        )
    action, namespace = call.args[:2]
    if namespace not in _NAMESPACES:
        raise CommandError(f"Invalid namespace '{namespace}'", 255)
    values = call.phone.settings[namespace]
    if action == "list":
        call.print("".join(f"{key}={value}\n" for key, value in sorted(values.items())))
    elif action == "get":
        call.print(values.get(call.args[2], "null") + "\n")
    elif action == "put":
        _put(call, namespace, call.args[2], call.args[3])
    else:
        call.print(f"Deleted {int(values.pop(call.args[2], None) is not None)} rows\n")


def _put(call: CommandCall, namespace: str, key: str, value: str) -> None:
    """Write a value; the default keyboard must be an installed one, as on Android."""
    if (namespace, key) != _IME_KEY or value in call.phone.imes:
        call.phone.settings[namespace][key] = value


def _set_ime(call: CommandCall, name: str) -> None:
    namespace, key = _IME_KEY
    call.phone.settings[namespace][key] = name


def ime(call: CommandCall) -> None:
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


def _list_imes(call: CommandCall) -> None:
    short = call.pop_flag("-s")
    for name in call.phone.imes:
        call.print(
            f"{name}\n" if short else f"{name}:\n  mId={name} mSettingsActivityName=null mIsVrOnly=false\n"
        )


def _change_ime(call: CommandCall, action: str, name: str) -> None:
    if name not in call.phone.imes:
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


def svc(call: CommandCall) -> None:
    """`svc power stayon true|false|usb|ac|wireless`, `svc wifi|data enable|disable`."""
    values = call.phone.settings["global"]
    if call.args[:2] == ["power", "stayon"] and call.args[2:]:
        kinds = {"false": "0", "ac": "1", "usb": "2", "wireless": "4"}
        values["stay_on_while_plugged_in"] = kinds.get(call.args[2], "7")
    elif call.args[:1] in (["wifi"], ["data"]) and call.args[1:] in (["enable"], ["disable"]):
        key = "wifi_on" if call.args[0] == "wifi" else "mobile_data"
        values[key] = "1" if call.args[1] == "enable" else "0"
    else:
        raise CommandError("usage: svc power stayon true|false|usb|ac|wireless; svc wifi|data enable|disable")
