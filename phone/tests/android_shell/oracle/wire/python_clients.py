"""Calls the functions of Python clients with own values: `python python_clients.py CLIENT SERIAL PORT ADB`.

Runs in the venv of the clients, without this project. What a client answers does not matter here, and an
error of one call keeps none of the others from being made.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = "/data/local/tmp/w"
NAMES = (
    "a.txt",
    "nums.txt",
    "dir",
    "dir/sub",
    "new.txt",
    "none/below.txt",
    "sp ace.txt",
    "it's.txt",
    'say "hi".txt',
    "cost $5.txt",
    "a&b.txt",
    "a;b.txt",
    "[b].log",
    "q?.txt",
    "star*.txt",
    "back\\slash",
    "(1).txt",
    "#7.txt",
    "~tilde",
    "a=b.txt",
    "笔记 一.md",
    "été.txt",
    "😀.png",
    "-dash",
)
"""Names of files, of which some exist; the kinds are those that people and agents have."""
PATHS = tuple(f"{FOLDER}/{name}" for name in NAMES)
APP, OTHER = "com.android.deskclock", "com.example.none"
TIME = 1704450030
"""Time of files that are sent, in seconds since 1970; the same in each capture."""
TEXTS = ("hello", "two words", "it's 5 o'clock", 'say "hi"', "50% & more; $HOME", "晴天", "a\\b", "#tag (x)")


def attempt(call: Callable[..., object], *args: object, **kwargs: object) -> None:
    """Make a call, whatever comes of it."""
    try:
        found = call(*args, **kwargs)
        if asyncio.iscoroutine(found):
            asyncio.get_event_loop().run_until_complete(asyncio.wait_for(found, 20))
    except Exception as error:
        name = getattr(call, "__name__", call)
        sys.stderr.write(f"{name}: {type(error).__name__} {str(error)[:100]}\n")


def attempt_named(owner: object, name: str, *args: object, **kwargs: object) -> None:
    """Make the call of this name, or read the value of this name; versions differ in which they have."""

    def call() -> object:
        found = getattr(owner, name)
        return found(*args, **kwargs) if callable(found) else found

    call.__name__ = name
    attempt(call)


def words(path: str) -> list[list[str]]:
    """Commands about a file, as words that a client has to join."""
    return [["ls", "-l", path], ["cat", path], ["test", "-f", path], ["stat", "-c", "%s %Y", path]]


def adbutils(serial: str, port: int, _adb: str) -> None:
    from adbutils import AdbClient

    device = AdbClient(port=port).device(serial)
    for path in PATHS:
        for command in words(path):
            attempt(device.shell, command)
        attempt(device.shell2, ["ls", path])
        attempt(device.remove, path)
        attempt(device.rmtree, path)
    attempt(device.shell2, "ls -l /data/local/tmp/w; false", rstrip=True)
    attempt(device.shell, "ls /data/local/tmp/w | grep txt")
    for text in TEXTS:
        attempt(device.send_keys, text)
        attempt(device.shell, ["echo", text])
    with tempfile.NamedTemporaryFile(suffix=".apk") as file:
        attempt(device.install_remote, f"{FOLDER}/x.apk")
        attempt(device.install, file.name)
    for name in (
        *("app_current", "battery", "brightness_mode", "is_screen_on", "list_packages", "rotation"),
        *("screenshot", "volume_up", "volume_down", "volume_mute", "wlan_ip", "window_size", "get_serialno"),
    ):
        attempt_named(device, name)
    for package in (APP, OTHER):
        for call in (device.app_start, device.app_stop, device.app_clear, device.app_info, device.uninstall):
            attempt(call, package)
    attempt(device.open_browser, "https://example.org/a?b=c&d=e")
    attempt(device.dump_hierarchy)
    attempt(device.logcat, f"{tempfile.gettempdir()}/logcat.txt", clear=True)
    attempt(device.click, 100, 200)
    attempt(device.swipe, 100, 200, 100, 300, 0.2)
    attempt(device.drag, 100, 200, 100, 300, 0.2)
    attempt(device.keyevent, "HOME")
    attempt(device.switch_screen, True)
    attempt(device.switch_airplane, False)
    attempt(device.switch_wifi, True)


def uiautomator2(serial: str, port: int, _adb: str) -> None:
    import uiautomator2
    from adbutils import AdbClient

    device = uiautomator2.connect(AdbClient(port=port).device(serial))
    for path in PATHS:
        for command in words(path):
            attempt(device.shell, command)
        attempt(device.push, __file__, path)
        attempt(device.pull, path, f"{tempfile.gettempdir()}/pulled")
    for text in TEXTS:
        attempt(device.shell, ["echo", text])
        attempt(device.send_keys, text)
    for name in (
        "app_current",
        "app_list",
        "app_list_running",
        "dump_hierarchy",
        "screenshot",
        "window_size",
    ):
        attempt_named(device, name)
    for package in (APP, OTHER):
        for call in ("app_start", "app_info", "app_wait", "app_stop", "app_clear", "app_uninstall"):
            attempt_named(device, call, package)
        attempt(device.app_start, package, use_monkey=True)
        attempt(device.app_start, package, ".DeskClock", wait=True, stop=True)
        attempt(device.app_auto_grant_permissions, package)
    for call in ("screen_on", "screen_off", "unlock", "open_notification", "open_quick_settings"):
        attempt_named(device, call)
    attempt(device.app_stop_all)
    attempt(device.open_url, "https://example.org/a?b=c&d=e")
    for line in ("ls -la /data/local/tmp/w", "cat a.txt | wc -l", "cd /data/local/tmp/w && ls *.txt"):
        attempt(device.shell, line)


def pure_python_adb(serial: str, port: int, _adb: str) -> None:
    from ppadb.client import Client

    device = Client(port=port).device(serial)
    with tempfile.TemporaryDirectory() as folder:
        local = Path(folder) / "local"
        inner = local / "sub folder" / "deeper"
        inner.mkdir(parents=True)
        (inner / "f.txt").write_text("x", encoding="utf-8")
        for path in PATHS:
            attempt(device.push, str(local), path)
            attempt(device.push, str(inner / "f.txt"), path)
    for name in (
        *("cpu_times", "cpu_percent", "cpu_count", "get_battery_level", "get_serial_no", "get_properties"),
        *("get_top_activities", "get_top_activity", "list_features", "list_packages", "screencap", "wm_size"),
        *("wm_density", "get_batterystats"),
    ):
        attempt_named(device, name)
    for package in (APP, OTHER):
        for name in ("get_meminfo", "get_package_version_name", "get_pid", "is_installed", "clear"):
            attempt_named(device, name, package)
        attempt(device.uninstall, package)
    for text in TEXTS:
        attempt(device.input_text, text)
        attempt(device.shell, f'echo "{text}"')
    attempt(device.input_tap, 10, 20)
    attempt(device.input_swipe, 10, 20, 30, 40, 50)
    attempt(device.input_keyevent, "HOME")
    attempt(device.install, __file__)


def airtest(serial: str, port: int, adb: str) -> None:
    from airtest.core.android.adb import ADB

    device = ADB(serialno=serial, adb_path=adb, server_addr=["127.0.0.1", port])
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "inner").mkdir()
        (Path(folder) / "inner" / "f 1.txt").write_text("x", encoding="utf-8")
        for path in PATHS:
            attempt(device.exists_file, path)
            attempt(device.file_size, path)
            attempt(device.push, f"{folder}/inner/f 1.txt", path)
            attempt(device.push, f"{folder}/inner", path)
            attempt(device.pull, path, folder)
            for command in words(path):
                attempt(device.shell, command)
    attempt(device.pm_install, __file__)
    for name in (
        *(
            "get_display_info",
            "getMaxXY",
            "get_top_activity",
            "is_keyboard_shown",
            "is_screenon",
            "is_locked",
        ),
        *("unlock", "list_app", "get_ip_address", "get_gateway_address", "get_memory", "get_storage"),
        *("get_cpuinfo", "get_cpufreq", "get_cpuabi", "get_gpu", "get_model", "get_manufacturer", "snapshot"),
        *("getDisplayOrientation", "get_device_info", "sdk_version"),
    ):
        attempt_named(device, name)
    for package in (APP, OTHER):
        for name in ("get_package_version", "path_app", "check_app", "start_app", "stop_app", "clear_app"):
            attempt_named(device, name, package)
        attempt(device.start_app_timing, package, ".DeskClock")
    for text in TEXTS:
        attempt(device.text, text)
        attempt(device.shell, ["echo", text])
    attempt(device.touch, (10, 20))
    attempt(device.swipe, (10, 20), (30, 40), 300)
    attempt(device.keyevent, "home")


def androidviewclient(serial: str, port: int, _adb: str) -> None:
    from com.dtmilano.android.adb.adbclient import AdbClient

    class Fresh:
        """A connection for each call: none is left after one that failed."""

        def __getattr__(self, name: str) -> object:
            return getattr(AdbClient(serial, port=port, ignoreversioncheck=True), name)

    device = Fresh()
    for name in (
        *("getDisplayInfo", "getLogicalDisplayInfo", "getPhysicalDisplayInfo", "isLocked", "isScreenOn"),
        *("unlock", "wake", "isKeyboardShown", "getFocusedWindow", "getWindows", "getTopActivityName"),
        *("getRestrictedScreen", "takeSnapshot", "getOrientation", "getTopActivityNameAndPid"),
    ):
        attempt_named(device, name)
    for text in TEXTS:
        attempt_named(device, "type", text)
        attempt_named(device, "log", "tag", text)
    attempt_named(device, "touch", 10, 20)
    attempt_named(device, "longTouch", 10, 20)
    attempt_named(device, "drag", (10, 20), (30, 40), 300)
    attempt_named(device, "press", "KEYCODE_HOME")
    attempt_named(device, "startActivity", f"{APP}/.DeskClock")
    attempt_named(device, "startActivity", uri="https://example.org/a?b=c&d=e")
    attempt_named(device, "getProperty", "ro.product.model")
    attempt_named(device, "getSystemProperty", "ro.build.version.sdk")


def adb_pywrapper(serial: str, _port: int, _adb: str) -> None:
    from adb_pywrapper.adb_device import AdbDevice

    device = AdbDevice(serial, check_device_exists=False)
    for path in PATHS:
        attempt(device.ls, path)
        attempt(device.pull, path, tempfile.gettempdir())
    for package in (APP, OTHER):
        attempt(device.path_package, package)
        attempt(device.package_versions, package)
        attempt(device.open_intent, "https://example.org/a?b=c", package)
    attempt(device.installed_packages)
    attempt(device.get_prop, "ro.product.model")


def adb_enhanced(serial: str, _port: int, _adb: str) -> None:
    from adbe import adb_enhanced as calls
    from adbe import adb_helper

    for name in ("set_device_id", "set_adb_prefix"):
        attempt_named(adb_helper, name, f"-s {serial}" if name == "set_adb_prefix" else serial)
    for path in PATHS:
        for options in (
            {"long_format": False, "recursive": False, "include_hidden_files": False},
            {"long_format": True, "recursive": True, "include_hidden_files": True},
        ):
            attempt_named(_Exits(calls), "list_directory", path, **options)
        attempt_named(_Exits(calls), "cat_file", path)
        attempt_named(_Exits(calls), "move_file", path, f"{path}.moved", force=False)
        attempt_named(_Exits(calls), "move_file", path, f"{FOLDER}/moved one", force=True)
        attempt_named(_Exits(calls), "delete_file", path, force=False, recursive=False)
        attempt_named(_Exits(calls), "delete_file", path, force=True, recursive=True)
        attempt_named(_Exits(calls), "pull_file", path, f"{tempfile.gettempdir()}/pulled")
        attempt_named(_Exits(calls), "push_file", __file__, path)
    for name in (
        *("get_wifi_state", "get_mobile_data_state", "get_battery_saver_state", "print_top_activity"),
        *("get_show_taps_state", "get_dark_mode", "print_display_size", "print_notifications"),
        *("list_permission_groups", "print_list_all_apps", "list_system_apps", "clear_debug_app"),
    ):
        attempt_named(_Exits(calls), name)
    for name in ("handle_gfx", "handle_overdraw", "handle_rotate"):
        attempt_named(_Exits(calls), name, {"handle_rotate": "left"}.get(name, "on"))
    for package in (APP, OTHER):
        for name in ("print_app_info", "print_app_path", "force_stop", "launch_app", "handle_get_jank"):
            attempt_named(_Exits(calls), name, package)
    for text in TEXTS:
        attempt_named(_Exits(calls), "input_text", text)


class _Exits:
    """Functions of a program, which end the process where they fail."""

    def __init__(self, calls: object) -> None:
        self._calls = calls

    def __getattr__(self, name: str) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            try:
                return getattr(self._calls, name)(*args, **kwargs)
            except SystemExit as end:
                raise RuntimeError(f"exit {end.code}") from None

        return call


def mobly(serial: str, _port: int, _adb: str) -> None:
    from mobly.controllers.android_device_lib.adb import AdbProxy

    device = AdbProxy(serial)
    for path in PATHS:
        for command in words(path):
            attempt(device.shell, command)
    for text in TEXTS:
        attempt(device.shell, ["echo", text])
    attempt(device.has_shell_command, "logpersist.start")
    attempt(device.has_shell_command, "ls")
    attempt(device.getprops, ["ro.product.model", "ro.build.version.sdk"])
    attempt(device.getprop, "ro.product.model")
    for line in ("ls -l /data/local/tmp/w | wc -l", "[ -d /data/local/tmp/w ] && echo yes"):
        attempt(device.shell, line)


def better_adb_sync(serial: str, _port: int, adb: str) -> None:
    binary = Path(sys.executable).with_name("adbsync")
    with tempfile.TemporaryDirectory() as folder:
        local = Path(folder) / "local"
        (local / "inner one").mkdir(parents=True)
        for name in (name for name in NAMES if "/" not in name):
            (local / name).write_text(name, encoding="utf-8")
            (local / "inner one" / name).write_text(name, encoding="utf-8")
        for path in local.rglob("*"):
            # one time, which is in the lines
            os.utime(path, (TIME, TIME))
        for words_ in (
            ("push", str(local), f"{FOLDER}/sync"),
            ("push", f"{local}/", f"{FOLDER}/sync 2"),
            ("--dry-run", "--del", "push", f"{local}/", f"{FOLDER}/dir"),
            ("--del", "push", f"{local}/", f"{FOLDER}/dir"),
            ("pull", FOLDER, folder),
            ("pull", f"{FOLDER}/sync 2/", folder),
            ("--del", "pull", f"{FOLDER}/dir", folder),
        ):
            command = [str(binary), "--adb-bin", adb, "--adb-option", "s", serial, *words_]
            done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
            if done.returncode:
                sys.stderr.write(done.stderr[-300:])


def androidtv(serial: str, port: int, _adb: str) -> None:
    from androidtv.androidtv.androidtv_sync import AndroidTVSync
    from androidtv.firetv.firetv_sync import FireTVSync

    host, _, own = serial.partition(":")
    for kind in (AndroidTVSync, FireTVSync):
        device = kind(host, int(own), adb_server_ip="127.0.0.1", adb_server_port=port)
        attempt(device.adb_connect)
        for name in (
            *("update", "get_device_properties", "get_properties", "awake", "audio_output_device"),
            *(
                "audio_state",
                "current_app_media_session_state",
                "running_apps",
                "screen_on",
                "wake_lock_size",
            ),
            *(
                "screen_on_awake_wake_lock_size",
                "get_hdmi_input",
                "get_installed_apps",
                "turn_on",
                "turn_off",
            ),
            *("stream_music_properties", "media_play", "power"),
        ):
            attempt_named(device, name)
        for package in (APP, OTHER):
            attempt(device.launch_app, package)
            attempt(device.stop_app, package)
            attempt(device.start_intent, f"https://example.org/{package}")


CLIENTS: dict[str, tuple[str, Any]] = {
    "adbutils": ("adbutils", adbutils),
    "uiautomator2": ("uiautomator2", uiautomator2),
    "pure-python-adb": ("pure-python-adb", pure_python_adb),
    "airtest": ("airtest", airtest),
    "androidviewclient": ("androidviewclient", androidviewclient),
    "adb-pywrapper": ("adb-pywrapper", adb_pywrapper),
    "adb-enhanced": ("adb-enhanced", adb_enhanced),
    "mobly": ("mobly", mobly),
    "betteradbsync": ("betteradbsync", better_adb_sync),
    "androidtv": ("androidtv", androidtv),
}
"""Name -> its distribution and the function that drives it."""


def main() -> None:
    """Drive one client."""
    from importlib.metadata import version

    client, serial, port, adb = sys.argv[1:5]
    distribution, drive = CLIENTS[client]
    asyncio.set_event_loop(asyncio.new_event_loop())
    # clients that start threads of their own would keep this process
    sys.stdout.write(f"{version(distribution)}\n")
    sys.stdout.flush()
    drive(serial, int(port), adb)
    os._exit(0)


if __name__ == "__main__":
    main()
