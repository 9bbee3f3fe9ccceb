"""`dumpsys`: the lines that tools parse, in the format of Android 13."""

from __future__ import annotations

from simulated_phone.adb.commands.command_call import CommandCall
from simulated_phone.adb.commands.processes import pid_of
from simulated_phone.adb.commands.properties import SDK


def dumpsys(call: CommandCall) -> None:
    """`dumpsys window|activity|input_method|power|display|battery|package|SurfaceFlinger ...`."""
    service = call.args[0] if call.args else ""
    run = _SERVICES.get(service)
    if run is None:
        call.print_error(f"Can't find service: {service}\n")
        return
    run(call)


def _component(call: CommandCall) -> str:
    return "/".join(call.phone.foreground)


def _record(call: CommandCall) -> str:
    return f"ActivityRecord{{5c0ffee u0 {_component(call)} t12}}"


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _has_text_focus(call: CommandCall) -> bool:
    return call.phone.shown().focus is not None


def _window(call: CommandCall) -> None:
    section = call.args[1] if len(call.args) > 1 else ""
    parts = {"policy": (_policy,), "windows": (_windows,), "displays": (_displays,)}
    for part in parts.get(section, (_policy, _displays, _windows)):
        part(call)


def _policy(call: CommandCall) -> None:
    on, locked = call.phone.screen_on, call.phone.locked
    call.print(
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n"
        f"    mSystemReady=true mSystemBooted=true\n"
        f"    mAwake={_boolean(on)} mScreenOnEarly={_boolean(on)} mScreenOnFully={_boolean(on)}\n"
        f"    screenState=SCREEN_STATE_{'ON' if on else 'OFF'} interactiveState=INTERACTIVE_STATE_AWAKE\n"
        f"    mShowingLockscreen={_boolean(locked)} mDreamingLockscreen={_boolean(locked)}"
        f" isStatusBarKeyguard={_boolean(locked)}\n"
        f"    KeyguardServiceDelegate\n      showing={_boolean(locked)}\n"
    )


def _displays(call: CommandCall) -> None:
    width, height = call.phone.size
    locked = call.phone.locked or not call.phone.screen_on
    focus = "NotificationShade" if locked else _component(call)
    upright, size = "x".join(map(str, call.phone.natural_size)), f"{width}x{height}"
    call.print(
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
        "  Display: mDisplayId=0\n"
        f"    init={upright} {call.phone.density}dpi cur={size} app={size}\n"
        f"    mCurrentRotation=ROTATION_{90 * call.phone.rotation} rotation={call.phone.rotation}\n"
        f"  mCurrentFocus=Window{{3f5d1c u0 {focus}}}\n"
        f"  mFocusedApp={_record(call)}\n"
        f"  mInputMethodTarget={'null' if not _has_text_focus(call) else f'Window{{3f5d1c u0 {focus}}}'}\n"
    )


def _windows(call: CommandCall) -> None:
    width, height = call.phone.size
    call.print(
        "WINDOW MANAGER WINDOWS (dumpsys window windows)\n"
        f"  Window #0 Window{{3f5d1c u0 {_component(call)}}}:\n"
        f"    mOwnerUid=10100 package={call.phone.foreground[0]} appop=NONE\n"
        f"    Frames: parent=[0,0][{width},{height}] display=[0,0][{width},{height}]\n"
    )


def _activity(call: CommandCall) -> None:
    section = call.args[1] if len(call.args) > 1 else ""
    package = call.phone.foreground[0]
    if section in ("", "activities", "a", "recents"):
        call.print(
            "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"
            "Display #0 (activities from top to bottom):\n"
            f"  mResumedActivity: {_record(call)}\n"
            f"  topResumedActivity={_record(call)}\n"
            f"  ResumedActivity: {_record(call)}\n"
            f"  mFocusedApp={_record(call)}\n"
        )
    if section in ("", "top"):
        call.print(
            f"TASK 10100:{package} id=12 userId=0\n"
            f"  ACTIVITY {_component(call)} 5c0ffee pid={pid_of(package)}\n"
        )


def _input_method(call: CommandCall) -> None:
    keyboard_shown = _boolean(_has_text_focus(call))
    call.print(
        "Current Input Method Manager state:\n"
        f"  mCurMethodId={call.phone.current_ime}\n"
        f"  mShowRequested={keyboard_shown} mShowExplicitlyRequested=false mShowForced=false"
        f" mInputShown={keyboard_shown}\n"
        f"  mInteractive={_boolean(call.phone.screen_on)}\n"
        f"  mIsInputViewShown={keyboard_shown}\n"
    )


def _power(call: CommandCall) -> None:
    on = call.phone.screen_on
    call.print(
        "POWER MANAGER (dumpsys power)\n"
        f"  mWakefulness={'Awake' if on else 'Asleep'}\n"
        f"  mHoldingDisplaySuspendBlocker={_boolean(on)}\n"
        f"  mScreenOn={_boolean(on)}\n"
        f"Display Power: state={'ON' if on else 'OFF'}\n"
    )


def _display(call: CommandCall) -> None:
    width, height = call.phone.size
    call.print(
        "DISPLAY MANAGER (dumpsys display)\n"
        "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        f"uniqueId='local:0', physicalPort=0, orientation={call.phone.rotation}, "
        f"logicalFrame=Rect(0, 0 - {width}, {height}), physicalFrame=Rect(0, 0 - {width}, {height}), "
        f"deviceWidth={width}, deviceHeight={height}}}]\n"
        f"  mScreenState={'ON' if call.phone.screen_on else 'OFF'}\n"
    )


def _battery(call: CommandCall) -> None:
    call.print(
        "Current Battery Service state:\n  AC powered: false\n  USB powered: true\n"
        "  Wireless powered: false\n"
        "  Max charging current: 500000\n  Max charging voltage: 5000000\n  Charge counter: 3200000\n"
        "  status: 2\n  health: 2\n  present: true\n  level: 80\n  scale: 100\n  voltage: 4100\n"
        "  temperature: 280\n  technology: Li-ion\n"
    )


def _package(call: CommandCall) -> None:
    package = call.args[1] if len(call.args) > 1 else ""
    if package not in call.phone.packages():
        call.print(f"Unable to find package: {package}\n")
        return
    call.print(
        f"Packages:\n  Package [{package}] (5c0ffee):\n    versionCode=1 minSdk=21 targetSdk={SDK}\n"
        "    versionName=1.0.0\n    pkgFlags=[ HAS_CODE ]\n"
        f"    {package}/{call.phone.activity_of(package)}\n"
    )


def _surface_flinger(call: CommandCall) -> None:
    call.print('Display 4619827259835644672 (HWC display 0): port=0 pnpId=SIM displayName="simulated"\n')


_SERVICES = {
    "window": _window,
    "activity": _activity,
    "input_method": _input_method,
    "power": _power,
    "display": _display,
    "battery": _battery,
    "package": _package,
    "SurfaceFlinger": _surface_flinger,
}
