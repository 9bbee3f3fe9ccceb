"""Network interfaces: ip, ifconfig, netstat, ping."""

from __future__ import annotations

from android_shell.command_call import CommandError
from android_shell.tools.tool_options import Options
from simulated_phone.adb.commands.device_call import DeviceCall

ADDRESS = "192.168.1.23"
"""Address of wlan0; nothing listens there, a simulated phone is reached on the host's loopback."""

_MAC = "02:00:00:5a:00:17"


def _is_online(call: DeviceCall) -> bool:
    values = call.phone.settings["global"]
    return values["wifi_on"] == "1" and values["airplane_mode_on"] == "0"


def ip(call: DeviceCall) -> None:
    """`ip [-f inet] addr|address|a [show [DEV]]`, `ip route|r`, `ip link`, `ip neigh`."""
    args = [
        arg
        for arg in call.args
        if not arg.startswith("-") and arg not in ("inet", "show", "dev", "list", "ls")
    ]
    what, device = (args[0] if args else ""), (args[1] if len(args) > 1 else "")
    if what and "address".startswith(what):
        _print_addresses(call, device)
    elif what and "route".startswith(what):
        if _is_online(call):
            call.print(f"192.168.1.0/24 dev wlan0 proto kernel scope link src {ADDRESS} \n")
    elif what and "link".startswith(what):
        _print_addresses(call, device, addresses=False)
    elif not (what and "neighbour".startswith(what)):
        raise CommandError(f'Object "{what}" is unknown, try "ip help".', 1)


def _print_addresses(call: DeviceCall, device: str, *, addresses: bool = True) -> None:
    if device not in ("", "lo", "wlan0"):
        raise CommandError(f'Device "{device}" does not exist.', 1)
    if device in ("", "lo"):
        call.print(
            "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000\n"
        )
        call.print("    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n")
        if addresses:
            call.print("    inet 127.0.0.1/8 scope host lo\n       valid_lft forever preferred_lft forever\n")
    if device in ("", "wlan0"):
        online = _is_online(call)
        flags, state = (
            ("BROADCAST,MULTICAST,UP,LOWER_UP", "UP") if online else ("BROADCAST,MULTICAST", "DOWN")
        )
        call.print(f"20: wlan0: <{flags}> mtu 1500 qdisc mq state {state} group default qlen 3000\n")
        call.print(f"    link/ether {_MAC} brd ff:ff:ff:ff:ff:ff\n")
        if addresses and online:
            call.print(
                f"    inet {ADDRESS}/24 brd 192.168.1.255 scope global wlan0\n"
                "       valid_lft forever preferred_lft forever\n"
            )


def ifconfig(call: DeviceCall) -> None:
    """`ifconfig [INTERFACE]`."""
    device = call.argument(0)
    if device not in ("", "lo", "wlan0"):
        raise CommandError(f"ifconfig: ioctl 8913: No such device: {device}")
    if device in ("", "lo"):
        call.print(
            "lo        Link encap:Local Loopback  \n          inet addr:127.0.0.1  Mask:255.0.0.0 \n"
            "          UP LOOPBACK RUNNING  MTU:65536  Metric:1\n\n"
        )
    if device == "wlan0" or (not device and _is_online(call)):
        call.print(f"wlan0     Link encap:Ethernet  HWaddr {_MAC}\n")
        if _is_online(call):
            call.print(f"          inet addr:{ADDRESS}  Bcast:192.168.1.255  Mask:255.255.255.0 \n")
        call.print("          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1\n\n")


def netstat(call: DeviceCall, options: Options, _words: list[str]) -> None:
    """`netstat [-alnt]`: with -l or -a the ports that helpers listen on."""
    kind = (
        "established and servers" if "a" in options else "only servers" if "l" in options else "w/o servers"
    )
    # t and n: there are no sockets but those of TCP, and no names
    options.has("tn")
    call.print(f"Active Internet connections ({kind})\n")
    call.print("Proto Recv-Q Send-Q Local Address          Foreign Address        State\n")
    for port in sorted(call.device.listeners) if kind != "w/o servers" else ():
        call.print(f"tcp        0      0 {f'127.0.0.1:{port}':<22} {'0.0.0.0:*':<22} LISTEN\n")


def ping(call: DeviceCall) -> None:
    """`ping HOST`: a simulated phone has no network."""
    hosts = [arg for arg in call.args if not arg.startswith("-") and not arg.isdecimal()]
    if not hosts:
        raise CommandError("ping: usage error: Destination address required", 2)
    raise CommandError(f"ping: unknown host {hosts[-1]}", 2)
