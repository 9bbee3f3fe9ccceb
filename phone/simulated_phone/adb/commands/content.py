"""`content`: rows of content providers: the system's settings, and the portal of DroidRun."""

from __future__ import annotations

from urllib.parse import urlsplit

from android_shell.command_call import CommandError
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.settings import read_unchanged
from simulated_phone.device_servers.portal import portal
from simulated_phone.device_servers.portal.portal_actions import act
from simulated_phone.device_servers.portal.portal_http import switch_server

_NAMESPACES = ("system", "secure", "global")
EMPTY_PROVIDERS = frozenset(
    {"sms", "mms", "mms-sms", "call_log", "com.android.contacts", "contacts", "media", "downloads"}
)
"""Providers of apps that the phone does not have; they have no rows."""

_OPTIONS = ("--projection", "--where", "--sort", "--user", "--extra", "--method", "--arg")


def content(call: DeviceCall) -> None:
    """`content query|insert|update|delete --uri URI [--bind NAME:TYPE:VALUE] [--where CONDITION]`."""
    action = call.argument(0)
    if action not in ("query", "insert", "update", "delete", "read", "gettype", "call"):
        _refuse(call, f"Unsupported operation: {action or 'null'}")
        return
    uri = call.pop_option("--uri") or ""
    where = call.pop_option("--where") or ""
    bound = _bound(call)
    for option in _OPTIONS:
        call.pop_option(option)
    unknown = next((arg for arg in call.args[1:] if arg.startswith("-")), None)
    if unknown is not None:
        _refuse(call, f"Unsupported argument: {unknown}")
        return
    parts = urlsplit(uri)
    if parts.scheme != "content":
        _refuse(call, f"Unsupported argument: {uri}" if uri else "Content provider URI not specified.")
        return
    path = parts.path.strip("/")
    if parts.netloc == "settings":
        _answer_settings(call, action, path, bound, where)
    elif parts.netloc in portal.AUTHORITIES and parts.netloc in call.device.installed:
        _answer_portal(call, parts.netloc, action, path, bound)
    elif parts.netloc in EMPTY_PROVIDERS or parts.netloc.startswith("com.android."):
        if action == "query":
            call.print("No result found.\n")
    else:
        raise CommandError(
            f"Error while accessing provider:{parts.netloc}\n"
            f"java.lang.IllegalStateException: Could not find provider: {parts.netloc}",
            0,
        )


def _refuse(call: DeviceCall, problem: str) -> None:
    """Say what is wrong as Android does: on stdout, with exit code 0."""
    call.print(f"usage: adb shell content [subcommand] [options]\n[ERROR] {problem}\n")


def _bound(call: DeviceCall) -> dict[str, str]:
    """Values of the options `--bind NAME:TYPE:VALUE`."""
    values: dict[str, str] = {}
    while (text := call.pop_option("--bind")) is not None:
        name, _, typed = text.partition(":")
        _, colon, value = typed.partition(":")
        if not colon:
            raise CommandError(f"[ERROR] Binding not well formed: {text}")
        values[name] = value
    return values


def _answer_settings(call: DeviceCall, action: str, path: str, bound: dict[str, str], where: str) -> None:
    namespace, _, name = path.partition("/")
    if namespace not in _NAMESPACES:
        raise CommandError(f"[ERROR] Invalid URI: content://settings/{path}")
    # --where "name='key'" selects a row, as the path does
    key = name or (where.partition("=")[2].strip(" '\"") if where.strip().startswith("name") else "")
    values = call.phone.setting_rows[namespace]
    if action == "query":
        shown = read_unchanged(call, namespace) | values
        rows = [(one, value) for one, value in sorted(shown.items()) if not key or one == key]
        for number, (one, value) in enumerate(rows):
            call.print(f"Row: {number} _id={number}, name={one}, value={value}\n")
        if not rows:
            call.print("No result found.\n")
    elif action in ("insert", "update") and "value" in bound and bound.get("name", key):
        values[bound.get("name", key)] = bound["value"]
    elif action == "delete":
        values.pop(key, None)
    else:
        raise CommandError("[ERROR] expected --bind name:s:NAME --bind value:s:VALUE")


def _answer_portal(call: DeviceCall, package: str, action: str, path: str, bound: dict[str, str]) -> None:
    if action == "query":
        call.print(f"Row: 0 result={portal.json_text(portal.query(call.device, path))}\n")
    elif action in ("insert", "update") and path in ("toggle_socket_server", "socket_port"):
        switch_server(call.device, package, bound)
    elif action in ("insert", "update"):
        act(call.device, path, bound)
    else:
        raise CommandError(f"[ERROR] Unsupported by the provider: {action}")
