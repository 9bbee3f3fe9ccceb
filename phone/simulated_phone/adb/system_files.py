"""Read-only files of the system: /proc, /system/build.prop, and a name in /system/bin for each command."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from simulated_phone.adb.commands import COMMANDS
from simulated_phone.adb.commands.processes import FREE_KB, MEMORY_KB
from simulated_phone.adb.commands.properties import list_properties
from simulated_phone.adb.commands.system import KERNEL
from simulated_phone.phone import Phone


def _describe_cores(_phone: Phone) -> str:
    core = (
        "processor\t: {}\nBogoMIPS\t: 38.40\nFeatures\t: fp asimd evtstrm aes pmull sha1 sha2 crc32\n"
        "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x1\nCPU part\t: 0xd05\n"
        "CPU revision\t: 0\n\n"
    )
    return "".join(core.format(number) for number in range(8)) + "Hardware\t: simulated\n"


def _describe_memory(_phone: Phone) -> str:
    values = {
        "MemTotal": MEMORY_KB,
        "MemFree": 300_000,
        "MemAvailable": FREE_KB,
        "Buffers": 12_000,
        "Cached": 1_500_000,
        "SwapCached": 10_000,
        "Active": 1_200_000,
        "Inactive": 1_100_000,
        "SwapTotal": 2_000_000,
        "SwapFree": 1_900_000,
    }
    return "".join(f"{name + ':':<15} {value:>8} kB\n" for name, value in values.items())


def _describe_load(phone: Phone) -> str:
    # of this machine's clock: tools divide by the difference of two readings
    ticks = int(time.monotonic() * 100)
    busy = f"{ticks // 20} 0 {ticks // 30} {ticks} 0 0 0 0 0 0"
    cores = "".join(f"cpu{number} {busy}\n" for number in range(8))
    boot = int(phone.now.timestamp() - phone.uptime)
    return f"cpu  {busy}\n{cores}intr 0\nctxt {ticks}\nbtime {boot}\nprocesses 4243\n"


def _build_properties(phone: Phone) -> str:
    return "".join(
        f"{name}={value}\n" for name, value in list_properties(phone).items() if name.startswith("ro.")
    )


_FILES: Mapping[str, Callable[[Phone], str]] = MappingProxyType(
    {
        "/proc/cpuinfo": _describe_cores,
        "/proc/loadavg": lambda _phone: "1.00 1.00 1.00 1/900 4243\n",
        "/proc/meminfo": _describe_memory,
        "/proc/mounts": lambda _phone: (
            "/dev/block/dm-0 / ext4 ro,seclabel,relatime 0 0\n"
            "/dev/block/dm-5 /data f2fs rw,seclabel,nosuid,nodev,noatime 0 0\n"
            "/dev/fuse /storage/emulated fuse rw,nosuid,nodev,noexec,noatime 0 0\n"
        ),
        "/proc/net/dev": lambda _phone: (
            "Inter-|   Receive                            |  Transmit\n"
            " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop\n"
            "    lo:       0       0    0    0    0     0          0         0        0       0    0    0\n"
            " wlan0: 1000000    2000    0    0    0     0          0         0   500000    1500    0    0\n"
        ),
        # adbd waits for hosts
        "/proc/net/tcp": lambda _phone: (
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
            "inode\n   0: 00000000:15B3 00000000:0000 0A 00000000:00000000 00:00000000 00000000  2000"
            "        0 20001 1\n"
        ),
        "/proc/net/tcp6": lambda _phone: (
            "  sl  local_address                         remote_address                        st tx_queue "
            "rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
        ),
        "/proc/net/unix": lambda _phone: "Num       RefCount Protocol Flags    Type St Inode Path\n",
        **{f"/sys/devices/system/cpu/cpu{core}/online": lambda _phone: "1\n" for core in range(8)},
        "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": lambda _phone: "2000000\n",
        "/proc/stat": _describe_load,
        "/proc/uptime": lambda phone: f"{phone.uptime:.2f} {phone.uptime * 7:.2f}\n",
        "/proc/version": lambda _phone: f"Linux version {KERNEL} (build@simulated) #1 SMP PREEMPT\n",
        "/sys/class/net/wlan0/address": lambda _phone: "02:00:00:5a:00:17\n",
        "/sys/class/thermal/thermal_zone0/temp": lambda _phone: "28000\n",
        "/system/build.prop": _build_properties,
        **{f"/system/bin/{name}": lambda _phone: "" for name in COMMANDS if name != "["},
    }
)


def system_files(phone: Phone) -> dict[str, Callable[[], str]]:
    """The system's files of a phone: path -> content."""
    return {path: partial(content, phone) for path, content in _FILES.items()}
