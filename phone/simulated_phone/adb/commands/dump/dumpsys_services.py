"""Services of `dumpsys` that are about neither windows nor activities."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from android_shell.command_call import UnsupportedError
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.notifications import format_records
from simulated_phone.adb.commands.package.package_details import list_packages
from simulated_phone.adb.commands.processes import FREE_KB, MEMORY_KB, pid_of, processes


def _input(call: DeviceCall) -> None:
    width, height = call.phone.size
    turns = call.phone.rotation
    call.print(
        "INPUT MANAGER (dumpsys input)\n\nInput Reader State (Nums of device: 1):\n"
        f"  Device 2: {call.phone.finger.stream.name}\n    Sources: 0x00001002\n    HasMic: false\n"
        "    Touch Input Mapper (mode - DIRECT):\n"
        f"      Viewport INTERNAL: displayId=0, orientation={turns}, "
        f"logicalFrame=[0, 0, {width}, {height}], physicalFrame=[0, 0, {width}, {height}], "
        f"deviceSize=[{width}, {height}]\n"
        f"      SurfaceWidth: {width}px\n      SurfaceHeight: {height}px\n"
        f"      SurfaceOrientation: {turns}\n      InputDeviceOrientation: {turns}\n"
    )


def _telephony(call: DeviceCall) -> None:
    online = call.phone.settings["global"]["airplane_mode_on"] == "0"
    call.print(
        "last known state:\n  Phone Id=0\n    mCallState=0\n    mRingingCallState=0\n"
        f"    mServiceState={{mVoiceRegState={'0(IN_SERVICE)' if online else '3(POWER_OFF)'}}}\n"
        "    mCallIncomingNumber=\n    mDataConnectionState=0\n"
    )


def _memory(call: DeviceCall) -> None:
    names = call.operands
    if names:
        one = next((one for one in processes(call) if names[0] in (one.name, str(one.pid))), None)
        if one is None:
            call.print(f"No process found for: {names[0]}\n")
            return
        call.print(
            f"Applications Memory Usage (in Kilobytes):\nUptime: {int(call.phone.uptime * 1000)}\n\n"
            f"** MEMINFO in pid {one.pid} [{one.name}] **\n"
            "                   Pss  Private  Private  SwapPss      Rss     Heap     Heap     Heap\n"
            "                 Total    Dirty    Clean    Dirty    Total     Size    Alloc     Free\n"
            "  Native Heap    20000    19000        0        0    21000    30000    24000     6000\n"
            "        TOTAL    90000    60000    10000        0   140000    30000    24000     6000\n"
        )
        return
    call.print("Total PSS by process:\n")
    for one in processes(call):
        call.print(f"     90,000K: {one.name} (pid {one.pid})\n")
    call.print(f"\nTotal RAM: {MEMORY_KB:,}K (status normal)\n Free RAM: {FREE_KB:,}K\n")


def _cpu(call: DeviceCall) -> None:
    call.print("Load: 1.0 / 1.0 / 1.0\nCPU usage from 10000ms to 0ms ago:\n")
    for one in processes(call):
        call.print(f"  0.1% {one.pid}/{one.name}: 0.1% user + 0% kernel\n")
    call.print("2.5% TOTAL: 1.5% user + 1% kernel\n")


def _wifi(call: DeviceCall) -> None:
    on = call.phone.settings["global"]["wifi_on"] == "1"
    call.print(f"Wi-Fi is {'enabled' if on else 'disabled'}\n")


def _connectivity(call: DeviceCall) -> None:
    values = call.phone.settings["global"]
    on = values["wifi_on"] == "1" and values["airplane_mode_on"] == "0"
    call.print(f"Active default network: {100 if on else 'none'}\n")


def _audio(call: DeviceCall) -> None:
    values = call.phone.settings["system"]
    call.print("Stream volumes (device: index)\n")
    for name, key in (("STREAM_MUSIC", "music"), ("STREAM_RING", "ring"), ("STREAM_ALARM", "alarm")):
        level = values.get(f"volume_{key}", "0")
        call.print(f"- {name}:\n   Muted: false\n   Min: 0\n   Max: 15\n   streamVolume:{level}\n")


def _notification(call: DeviceCall) -> None:
    zen = call.phone.settings["global"]["zen_mode"]
    posted = format_records(call.phone.tasks.posted, redact="--noredact" not in call.args)
    call.print(f"Current Notification Manager state:\n  Notification List:\n{posted}  mZenMode={zen}\n")


def _alarm(call: DeviceCall) -> None:
    call.print(f"Current Alarm Manager state:\n  nowRTC={int(call.phone.now.timestamp() * 1000)}\n")


def _device_idle(call: DeviceCall) -> None:
    """`dumpsys deviceidle [whitelist [+PACKAGE]]`: the phone never sleeps deeply."""
    words = call.args[1:]
    unknown = [word for word in words[1:] if not word.startswith("+")]
    if words[:1] not in ([], ["whitelist"]) or unknown:
        raise UnsupportedError(f"dumpsys: no {' '.join(words)} of a simulated deviceidle")
    for name in words[1:]:
        call.print(f"Added: {name[1:]}\n")


def _disk(call: DeviceCall) -> None:
    unused = 250_000 - call.device.files.size // 1024
    call.print(f"Latency: 1ms [512B Data Write]\nData-Free: {unused}K / 21000000K total = 1% free\n")


def _users(call: DeviceCall) -> None:
    call.print("Users:\n  UserInfo{0:Owner:c13} serialNo=0 isPrimary=true\n    State: RUNNING_UNLOCKED\n")


def _accessibility(call: DeviceCall) -> None:
    values = call.phone.settings["secure"]
    services = values.get("enabled_accessibility_services", "")
    call.print(
        f"ACCESSIBILITY MANAGER (dumpsys accessibility)\nUser state[\n     Enabled services:{{{services}}}]\n"
    )


def _usage(call: DeviceCall) -> None:
    call.print("user=0\n")
    for package in list_packages(call):
        call.print(f"  package={package} pid={pid_of(package)}\n")


DUMPED_SERVICES: Mapping[str, Callable[[DeviceCall], None]] = MappingProxyType(
    {
        "accessibility": _accessibility,
        "alarm": _alarm,
        "audio": _audio,
        "connectivity": _connectivity,
        "cpuinfo": _cpu,
        "deviceidle": _device_idle,
        "diskstats": _disk,
        "input": _input,
        "meminfo": _memory,
        "notification": _notification,
        "telephony.registry": _telephony,
        "usagestats": _usage,
        "user": _users,
        "wifi": _wifi,
    }
)
"""Service -> what it prints."""
