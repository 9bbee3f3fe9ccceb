"""`settings`, `ime` and `svc`: system settings."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.keys.keyboards import list_keyboards

_NAMESPACES = ("system", "secure", "global")
_VOLUME, _SPEAKER = "volume_", "_speaker"
_UNCHANGED: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "system": {
            "date_format": "",
            "dtmf_tone": "1",
            "haptic_feedback_enabled": "1",
            "lockscreen_sounds_enabled": "1",
            "next_alarm_formatted": "",
            "notification_light_pulse": "1",
            "pointer_location": "0",
            "pointer_speed": "0",
            "screen_brightness_mode": "0",
            "show_touches": "0",
            "sound_effects_enabled": "1",
            "time_12_24": "24",
            "vibrate_when_ringing": "0",
        },
        "secure": {
            "accessibility_enabled": "0",
            "install_non_market_apps": "1",
            "lock_screen_show_notifications": "1",
            "long_press_timeout": "400",
            "mock_location": "0",
            "screensaver_enabled": "1",
            "selected_input_method_subtype": "-1",
            "show_ime_with_hard_keyboard": "0",
            "sleep_timeout": "-1",
            "touch_exploration_enabled": "0",
            "user_setup_complete": "1",
            "wake_gesture_enabled": "1",
            "zen_duration": "0",
        },
        "global": {
            "adb_enabled": "1",
            "animator_duration_scale": "1.0",
            "auto_time_zone": "1",
            "boot_count": "1",
            "data_roaming": "0",
            "development_settings_enabled": "1",
            "device_provisioned": "1",
            "heads_up_notifications_enabled": "1",
            "mode_ringer": "2",
            "package_verifier_user_consent": "-1",
            "transition_animation_scale": "1.0",
            "wifi_sleep_policy": "2",
            "window_animation_scale": "1.0",
        },
    }
)
"""Settings that no phone lacks and that nothing on this phone reads."""

_IME_KEY = ("secure", "default_input_method")


_HELP = """Settings provider (settings) commands:
  help
      Print this help text.
  get [--user <USER_ID> | current] NAMESPACE KEY
      Retrieve the current value of KEY.
  put [--user <USER_ID> | current] NAMESPACE KEY VALUE
      Change the contents of KEY to VALUE.
  delete [--user <USER_ID> | current] NAMESPACE KEY
      Delete the entry for KEY.
  list [--user <USER_ID> | current] NAMESPACE
      Print all defined keys.
  NAMESPACE is one of {system, secure, global}, case-insensitive
"""


def settings(call: DeviceCall) -> None:
    """`settings [--user ID] get|put|delete|list|reset NAMESPACE [KEY [VALUE]]`."""
    call.pop_option("--user")
    words = [word.lower() if place < 2 else word for place, word in enumerate(call.args)]
    if not words or words[0] in ("help", "-h"):
        call.print(_HELP)
        call.code = 255
        return
    if words[0] not in _WORDS:
        raise CommandError(f"Invalid command: {call.args[0]}", 255)
    if words[1:] and words[1] not in _NAMESPACES:
        raise CommandError(f"Invalid namespace '{call.args[1]}'", 255)
    least, most = _WORDS[words[0]]
    if len(words) > most and words[0] in ("get", "delete"):
        raise CommandError("Too many arguments", 255)
    if not least <= len(words) <= most:
        raise CommandError("Bad arguments", 255)
    action, namespace = words[:2]
    if action == "list":
        _list(call, namespace)
    elif action == "get":
        call.print(_read_all(call, namespace).get(_strip_output(words[2]), "null") + "\n")
    elif action == "put":
        _put(call, namespace, _strip_output(words[2]), words[3])
    elif action == "delete":
        _delete(call, namespace, _strip_output(words[2]))
    # reset is of values that apps have put, and the phone's apps put none


_WORDS = {"get": (3, 3), "put": (4, 7), "delete": (3, 3), "reset": (3, 3), "list": (2, 2)}
"""Action -> least and largest number of words; `put` may end with a tag and "default"."""


def _strip_output(key: str) -> str:
    """The key of a volume: Android also keeps that of each output, and the phone has one."""
    return key.removesuffix(_SPEAKER) if key.startswith(_VOLUME) else key


def read_unchanged(call: DeviceCall, namespace: str) -> dict[str, str]:
    """The settings of a namespace that nothing on this phone reads, unless they were deleted."""
    phone = call.phone
    found = dict(_UNCHANGED[namespace])
    if namespace == "secure":
        # of Android's form: 64 bits in hexadecimal
        found["android_id"] = sha256(phone.serial.encode()).hexdigest()[:16]
        found["bluetooth_name"] = phone.settings["global"].get("device_name", "")
        found["navigation_mode"] = "0" if phone.skin.keys else "2"
        on = phone.settings["secure"].get("location_mode") != "0"
        found["location_providers_allowed"] = "gps,network" if on else ""
    return {
        key: value for key, value in found.items() if (namespace, key) not in call.device.deleted_settings
    }


def _read_all(call: DeviceCall, namespace: str) -> dict[str, str]:
    return read_unchanged(call, namespace) | call.phone.setting_rows[namespace]


def _list(call: DeviceCall, namespace: str) -> None:
    shown = _read_all(call, namespace)
    shown |= {f"{key}{_SPEAKER}": value for key, value in shown.items() if key.startswith(_VOLUME)}
    call.print("".join(f"{key}={value}\n" for key, value in sorted(shown.items())))


def _delete(call: DeviceCall, namespace: str, key: str) -> None:
    known = key in _read_all(call, namespace)
    call.phone.setting_rows[namespace].pop(key, None)
    call.device.deleted_settings.add((namespace, key))
    call.print(f"Deleted {int(known)} rows\n")


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
    known = ("-a", "-s") if call.args[:1] == ["list"] else ()
    unknown = next((arg for arg in call.args[1:] if arg.startswith("-") and arg not in known), None)
    if unknown is not None:
        raise CommandError(f"Unknown option: {unknown}", 255)
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
        call.refuse_subcommand(("list", "set", "enable", "disable", "reset"))


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
