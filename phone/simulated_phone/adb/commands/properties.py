"""`getprop`: system properties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.language.language import tag

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

SDK = 33
"""API level of the imitated Android version, 13."""


def list_properties(phone: Phone) -> dict[str, str]:
    """All system properties, sorted by name; manufacturer, brand and model name the phone as simulated."""
    props = {
        "dev.bootcomplete": "1",
        "init.svc.adbd": "running",
        "init.svc.bootanim": "stopped",
        "persist.sys.locale": tag(phone.locale),
        "persist.sys.timezone": phone.zone,
        "dalvik.vm.heapsize": "512m",
        "gsm.sim.state": "LOADED",
        "ro.adb.secure": "1",
        "ro.board.platform": "simulated",
        "ro.boot.serialno": phone.serial,
        "ro.crypto.state": "encrypted",
        "ro.opengles.version": "196610",
        "ro.build.characteristics": "default",
        "ro.build.date.utc": "1735689600",
        "ro.build.display.id": "simulated-1",
        "ro.build.fingerprint": "simulated/phone/phone:13/SIMULATED/1:user/release-keys",
        "ro.build.id": "SIMULATED",
        "ro.build.tags": "release-keys",
        "ro.build.type": "user",
        "ro.build.version.codename": "REL",
        "ro.build.version.incremental": "1",
        "ro.build.version.release": "13",
        "ro.build.version.sdk": str(SDK),
        "ro.build.version.security_patch": "2025-01-01",
        "ro.debuggable": "0",
        "ro.hardware": "simulated",
        "ro.product.board": "simulated",
        "ro.product.brand": "simulated",
        "ro.product.cpu.abi": "arm64-v8a",
        "ro.product.cpu.abilist": "arm64-v8a",
        "ro.product.cpu.abilist64": "arm64-v8a",
        "ro.product.device": "phone",
        "ro.product.locale": tag(phone.locale),
        "ro.product.manufacturer": "simulated",
        "ro.product.model": "Simulated Phone",
        "ro.product.name": "phone",
        "ro.secure": "1",
        "ro.serialno": phone.serial,
        "ro.sf.lcd_density": str(phone.density),
        "sys.boot_completed": "1",
        "sys.usb.config": "adb",
    }
    return dict(sorted(props.items()))


def getprop(call: DeviceCall) -> None:
    """`getprop [NAME [DEFAULT]]`."""
    option = next((arg for arg in call.args if arg.startswith("-")), "")
    if option in ("-T", "-Z"):
        raise call.refuse_option(option[1:])
    if option:
        raise call.usage_error(f"Unknown option '{option.lstrip('-')}'")
    props = dict(sorted({**list_properties(call.phone), **call.device.properties}.items()))
    if not call.args:
        call.print("".join(f"[{name}]: [{value}]\n" for name, value in props.items()))
        return
    default = call.argument(1)
    call.print(props.get(call.args[0], default) + "\n")
