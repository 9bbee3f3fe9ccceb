"""`service`: which services run, and calls of the few whose numbers tools send."""

from __future__ import annotations

from android_shell.command_call import CommandError, UnsupportedError
from simulated_phone.adb.commands.device_call import DeviceCall

_INTERFACES = {
    "SurfaceFlinger": "android.ui.ISurfaceComposer",
    "accessibility": "android.view.accessibility.IAccessibilityManager",
    "activity": "android.app.IActivityManager",
    "activity_task": "android.app.IActivityTaskManager",
    "alarm": "android.app.IAlarmManager",
    "appops": "com.android.internal.app.IAppOpsService",
    "audio": "android.media.IAudioService",
    "battery": "",
    "bluetooth_manager": "android.bluetooth.IBluetoothManager",
    "connectivity": "android.net.IConnectivityManager",
    "content": "android.content.IContentService",
    "cpuinfo": "",
    "deviceidle": "android.os.IDeviceIdleController",
    "diskstats": "",
    "display": "android.hardware.display.IDisplayManager",
    "input": "android.hardware.input.IInputManager",
    "input_method": "com.android.internal.view.IInputMethodManager",
    "location": "android.location.ILocationManager",
    "media_session": "android.media.session.ISessionManager",
    "meminfo": "",
    "notification": "android.app.INotificationManager",
    "package": "android.content.pm.IPackageManager",
    "phone": "com.android.internal.telephony.ITelephony",
    "power": "android.os.IPowerManager",
    "settings": "",
    "statusbar": "com.android.internal.statusbar.IStatusBarService",
    "telephony.registry": "com.android.internal.telephony.ITelephonyRegistry",
    "uimode": "android.app.IUiModeManager",
    "usagestats": "android.app.usage.IUsageStatsManager",
    "user": "android.os.IUserManager",
    "wifi": "android.net.wifi.IWifiManager",
    "window": "android.view.IWindowManager",
}
SERVICES = tuple(sorted(_INTERFACES))
"""Names of the services that run."""
_STATUS_BAR = "statusbar"


def service(call: DeviceCall) -> None:
    """`service list|check NAME|call statusbar 1|2`."""
    if call.args == ["list"]:
        call.print(f"Found {len(SERVICES)} services:\n")
        for number, name in enumerate(SERVICES):
            call.print(f"{number}\t{name}: [{_INTERFACES[name]}]\n")
    elif call.args[:1] == ["check"] and call.args[1:]:
        known = call.args[1] in SERVICES
        call.print(f"Service {call.args[1]}: {'found' if known else 'not found'}\n")
    elif call.args[:1] == ["call"] and len(call.args) > 2:
        _call(call, *call.args[1:3])
    else:
        raise CommandError(
            "Usage: service [-h|-?]\n       service list\n       service check SERVICE\n"
            "       service call SERVICE CODE [i32 N | i64 N | f N | d N | s16 STR | null] ...",
            10,
        )


def _call(call: DeviceCall, name: str, code: str) -> None:
    if name not in SERVICES:
        raise CommandError(f"service: Service {name} does not exist", 10)
    if (name, code) == (_STATUS_BAR, "1"):
        call.phone.open_panel()
    elif (name, code) == (_STATUS_BAR, "2"):
        call.phone.close_panel()
    else:
        # numbers of calls differ from version to version, and their parcels are for programs
        raise UnsupportedError(f"service: the simulated phone does not answer call {code} of {name}")
    call.print("Result: Parcel(00000000    '....')\n")
