"""`dumpsys`: the lines that tools parse, in the format of Android 13."""

from __future__ import annotations

from android_shell.command_call import CommandError, UnsupportedError
from simulated_phone.adb.commands.activity.shown_tasks import list_tasks
from simulated_phone.adb.commands.cmd_services import print_battery
from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.dump.dumpsys_activity import dump_activity
from simulated_phone.adb.commands.dump.dumpsys_services import DUMPED_SERVICES
from simulated_phone.adb.commands.package.package_details import list_packages, print_package
from simulated_phone.adb.commands.processes import pid_of, uid_of
from simulated_phone.adb.commands.screen import DISPLAY_ID, SECOND_DISPLAY_ID
from simulated_phone.machine.faults import POPUP_WINDOW, SECOND_DISPLAY

_USAGE = (
    "usage: dumpsys\n         To dump all services.\nor:\n       dumpsys [-t TIMEOUT] [-l | SERVICE [ARGS]]"
)


def dumpsys(call: DeviceCall) -> None:
    """`dumpsys [-l] [-t SECONDS] SERVICE [ARGUMENT ...]`, or `dumpsys` for all services."""
    call.pop_option("-t")
    if "--proto" in call.args:
        raise UnsupportedError("dumpsys: a simulated phone writes no protocol buffers")
    if call.args[:1] == ["-l"]:
        call.print(
            "Currently running services:\n" + "".join(f"  {name}\n" for name in sorted(DUMPSYS_SERVICES))
        )
        return
    service = call.argument(0)
    if service.startswith("-"):
        raise CommandError(f"dumpsys: unrecognized option: {service}\n{_USAGE}", 255)
    if not call.args:
        for name in sorted(DUMPSYS_SERVICES):
            call.print(f"{'-' * 79}\nDUMP OF SERVICE {name}:\n")
            call.args = [name]
            DUMPSYS_SERVICES[name](call)
        return
    run = DUMPSYS_SERVICES.get(service)
    if run is None:
        call.print_error(f"Can't find service: {service}\n")
        return
    run(call)


def _component(call: DeviceCall) -> str:
    return "/".join(call.phone.foreground)


def _record(call: DeviceCall) -> str:
    return list_tasks(call.phone)[0].record


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _has_text_focus(call: DeviceCall) -> bool:
    return call.phone.shown().focus is not None


def _window(call: DeviceCall) -> None:
    section = call.argument(1).removeprefix("-") or "a"
    if section not in _WINDOW_PARTS:
        call.print(f"Bad window command, or no windows match: {call.argument(1)}\nUse -h for help.\n")
        return
    for part in _WINDOW_PARTS[section]:
        part(call)


def _policy(call: DeviceCall) -> None:
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


def _sessions(call: DeviceCall) -> None:
    package = call.phone.foreground[0]
    call.print(
        "WINDOW MANAGER SESSIONS (dumpsys window sessions)\n"
        f"  Session Session{{2b5d3f {pid_of(package)}:{uid_of(package)}}}:\n"
        "    mNumWindow=1 mCanAddInternalSystemWindow=false\n"
    )


def _displays(call: DeviceCall) -> None:
    width, height = call.phone.size
    locked = call.phone.locked or not call.phone.screen_on
    popup = POPUP_WINDOW in call.phone.faults and call.phone.foreground[0] in call.phone.apps
    focus = "NotificationShade" if locked else "PopupWindow:5d2a1f" if popup else _component(call)
    if call.phone.tasks.splash_seconds and not locked:
        focus = f"Splash Screen {call.phone.foreground[0]}"
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
    if SECOND_DISPLAY in call.phone.faults:
        call.print(
            "  Display: mDisplayId=2\n"
            "    init=800x480 160dpi cur=800x480 app=800x480\n"
            "  mCurrentFocus=Window{7b1e0d u0 com.example.mirror/.MirrorActivity}\n"
            "  mFocusedApp=ActivityRecord{7b1e0c u0 com.example.mirror/.MirrorActivity t40}\n"
        )


def _windows(call: DeviceCall) -> None:
    width, height = call.phone.size
    secure = "SECURE " if any(window.protected for window in call.phone.screen().windows) else ""
    call.print(
        "WINDOW MANAGER WINDOWS (dumpsys window windows)\n"
        f"  Window #0 Window{{3f5d1c u0 {_component(call)}}}:\n"
        f"    mOwnerUid=10100 package={call.phone.foreground[0]} appop=NONE\n"
        "    mAttrs={(0,0)(fillxfill) sim={adjust=pan} ty=BASE_APPLICATION\n"
        f"      fl=LAYOUT_IN_SCREEN {secure}SPLIT_TOUCH HARDWARE_ACCELERATED}}\n    mHasSurface=true\n"
        f"    Frames: parent=[0,0][{width},{height}] display=[0,0][{width},{height}]"
        f" frame=[0,0][{width},{height}]\n    mViewVisibility=0x0\n\n"
    )
    skin = call.phone.skin
    top, bottom = (round(side * call.phone.density / 160) for side in (skin.status, skin.navigation))
    bars = {"StatusBar": (0, top), "NavigationBar0": (height - bottom, height)}
    for number, (name, (start, end)) in enumerate(bars.items(), 1):
        call.print(
            f"  Window #{number} Window{{3f5d1d u0 {name}}}:\n"
            f"    Frames: parent=[0,0][{width},{height}] frame=[0,{start}][{width},{end}]\n"
            "    mViewVisibility=0x0\n\n"
        )
    keyboard = call.phone.current_ime.partition("/")[0]
    for box in [window.root.box for window in call.phone.screen().windows if window.package == keyboard]:
        call.print(
            "  Window #3 Window{3f5d1e u0 InputMethod}:\n"
            f"    mOwnerUid=10100 package={keyboard} appop=NONE\n    mHasSurface=true\n"
            f"    Frames: parent=[0,0][{width},{height}]"
            f" frame=[{box.left},{box.top}][{box.right},{box.bottom}]\n    mViewVisibility=0x0\n\n"
        )


def _input_method(call: DeviceCall) -> None:
    keyboard_shown = _boolean(_has_text_focus(call))
    call.print(
        "Current Input Method Manager state:\n"
        f"  mCurMethodId={call.phone.current_ime}\n"
        f"  mShowRequested={keyboard_shown} mShowExplicitlyRequested=false mShowForced=false"
        f" mInputShown={keyboard_shown}\n"
        f"  mInteractive={_boolean(call.phone.screen_on)}\n"
        f"  mIsInputViewShown={keyboard_shown}\n"
    )


def _power(call: DeviceCall) -> None:
    on = call.phone.screen_on
    call.print(
        "POWER MANAGER (dumpsys power)\n"
        f"  mWakefulness={'Awake' if on else 'Asleep'}\n"
        f"  mHoldingDisplaySuspendBlocker={_boolean(on)}\n"
        f"  mScreenOn={_boolean(on)}\n"
        f"Display Power: state={'ON' if on else 'OFF'}\n"
    )


def _display(call: DeviceCall) -> None:
    width, height = call.phone.size
    call.print(
        "DISPLAY MANAGER (dumpsys display)\n"
        "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        f"uniqueId='local:{DISPLAY_ID}', physicalPort=0, orientation={call.phone.rotation}, "
        f"logicalFrame=Rect(0, 0 - {width}, {height}), physicalFrame=Rect(0, 0 - {width}, {height}), "
        f"deviceWidth={width}, deviceHeight={height}}}]\n"
        f'  mBaseDisplayInfo=DisplayInfo{{"Built-in Screen", displayId 0, real {width} x {height}, '
        f"rotation {call.phone.rotation}, density {call.phone.density}}}\n"
        f"  mScreenState={'ON' if call.phone.screen_on else 'OFF'}\n"
    )


def _package(call: DeviceCall) -> None:
    names = call.operands
    if names and names[0] not in ("p", "packages"):
        print_package(call, names[0])
        return
    for package in list_packages(call):
        print_package(call, package)


def _surface_flinger(call: DeviceCall) -> None:
    """`dumpsys SurfaceFlinger --display-id | --list`; it counts no frames."""
    if call.args[1:] == ["--list"]:
        call.print(f"StatusBar#0\nNavigationBar0#0\n{_component(call)}#0\n")
        return
    if call.args[1:] not in ([], ["--display-id"]):
        raise UnsupportedError(f"dumpsys: no {' '.join(call.args[1:])} of a simulated SurfaceFlinger")
    call.print(f'Display {DISPLAY_ID} (HWC display 0): port=0 pnpId=SIM displayName="simulated"\n')
    if SECOND_DISPLAY in call.phone.faults:
        call.print(f'Display {SECOND_DISPLAY_ID} (HWC display 1): port=1 pnpId=SIM displayName="second"\n')


_WINDOW_PARTS = {
    "a": (_policy, _sessions, _displays, _windows),
    "all": (_policy, _sessions, _displays, _windows),
    "d": (_displays,),
    "displays": (_displays,),
    "p": (_policy,),
    "policy": (_policy,),
    "s": (_sessions,),
    "sessions": (_sessions,),
    "visible": (_windows,),
    "w": (_windows,),
    "windows": (_windows,),
}
DUMPSYS_SERVICES = {
    **DUMPED_SERVICES,
    "window": _window,
    "activity": dump_activity,
    "input_method": _input_method,
    "power": _power,
    "display": _display,
    "battery": print_battery,
    "package": _package,
    "SurfaceFlinger": _surface_flinger,
}
"""Service -> what it prints."""
