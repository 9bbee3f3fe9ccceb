"""Facts of the phone that Appium's server tells: device, display, windows, battery, apps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulated_phone.adb.commands.properties import SDK, list_properties

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

_CHARGING = 2  # BatteryManager.BATTERY_STATUS_CHARGING
_APPLICATION = 1  # AccessibilityWindowInfo.TYPE_APPLICATION


def device_info(phone: Phone) -> dict[str, Any]:
    """Answer of `device/info`."""
    props = list_properties(phone)
    width, height = phone.natural_size
    return {
        "androidId": phone.settings["secure"].get("android_id", phone.serial.lower()),
        "apiVersion": str(SDK),
        "bluetooth": {"state": "ON" if phone.settings["global"].get("bluetooth_on") == "1" else "OFF"},
        "brand": props["ro.product.brand"],
        "carrierName": "",
        "displayDensity": phone.density,
        "locale": props["persist.sys.locale"].replace("-", "_"),
        "manufacturer": props["ro.product.manufacturer"],
        "model": props["ro.product.model"],
        "networks": [],
        "platformVersion": props["ro.build.version.release"],
        "realDisplaySize": f"{width}x{height}",
        "timeZone": props["persist.sys.timezone"],
    }


def battery_info(phone: Phone) -> dict[str, Any]:
    """Answer of `device/battery_info`."""
    return {"level": phone.signals.battery / 100, "status": _CHARGING}


def status_bar_height(phone: Phone) -> int:
    """Height of the status bar, px."""
    return round(phone.skin.status * phone.density / 160)


def apps(phone: Phone) -> list[dict[str, str]]:
    """Answer of `device/apps`."""
    return [
        {"appName": app.label, "packageActivity": app.activity, "packageName": app.package}
        for app in phone.apps.values()
    ]


def displays(phone: Phone) -> list[dict[str, Any]]:
    """Answer of `list_displays`."""
    width, height = phone.size
    scale = phone.density / 160
    metrics = {
        "density": scale,
        "densityDpi": phone.density,
        "heightPixels": height,
        "scaledDensity": scale,
        "widthPixels": width,
        "xdpi": float(phone.density),
        "ydpi": float(phone.density),
    }
    return [{"id": 0, "isDefault": True, "metrics": metrics, "name": "Built-in Screen", "physicalId": "0"}]


def windows(phone: Phone) -> list[dict[str, Any]]:
    """Answer of `list_windows`: the window that has the focus."""
    width, height = phone.size
    return [
        {
            "displayId": 0,
            "isAccessibilityFocused": False,
            "isActive": True,
            "isFocused": True,
            "isInPictureInPictureMode": False,
            "layer": 0,
            "packageName": phone.foreground[0],
            "physicalDisplayId": "0",
            "rect": {"x": 0, "y": 0, "width": width, "height": height},
            "type": _APPLICATION,
            "windowId": 1,
        }
    ]
