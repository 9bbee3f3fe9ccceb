from __future__ import annotations

import base64
import io
import random
import re
import shlex
import struct

import pytest
from lxml.etree import fromstring
from PIL import Image

from phone.tests.simulated_phone.conftest import LocalPhone, Rig
from phone.tests.simulated_phone.random_use import node
from simulated_phone.adb.commands import COMMANDS
from simulated_phone.adb.commands.keys.keyboards import ADB_KEYBOARD
from simulated_phone.machine.state import ADB_IME
from simulated_phone.phone import Phone
from tests.examples import examples

CLOCK, HOME = "com.android.deskclock", "com.android.launcher3"


def centre(local: LocalPhone, label: str) -> str:
    x, y = local.do(lambda phone: node(phone, label).box.centre)
    return f"{x} {y}"


def foreground(local: LocalPhone) -> str:
    return local.do(lambda phone: phone.foreground[0])


def focus_a_text_field(local: LocalPhone) -> None:
    """Open the launcher's search and focus its text field."""
    local.output(f"input tap {centre(local, '搜索应用')}")
    x, y = local.do(lambda phone: next(n for n in phone.screen().nodes() if n.entry).box.centre)
    local.output(f"input tap {x} {y}")
    assert local.do(lambda phone: phone.shown().focus) is not None


def focused_text(local: LocalPhone) -> str:
    focus = local.do(lambda phone: phone.shown().focus)
    assert focus is not None
    return focus.text


# ---- the screen


def test_screencap_is_the_phones_screenshot(rig: Rig) -> None:
    png = rig.do(lambda phone: phone.screenshot_png())
    assert rig.run("exec-out", "screencap", "-p").stdout == png
    assert rig.run("shell", "screencap", "-p").stdout == png
    rig.output("screencap -p /sdcard/a.png && screencap /sdcard/b.png && screencap -d 0 -p > /sdcard/c.png")
    for name in "abc":
        assert rig.run("exec-out", "cat", f"/sdcard/{name}.png").stdout == png


def test_raw_screencap_has_a_header_and_rgba_pixels(rig: Rig) -> None:
    data = rig.run("exec-out", "screencap").stdout
    assert struct.unpack("<4I", data[:16]) == (540, 1200, 1, 1)
    picture = Image.frombytes("RGBA", (540, 1200), data[16:])
    assert picture.convert("RGB").tobytes() == rig.do(lambda phone: phone.screenshot().tobytes())
    assert picture.getpixel((0, 0))[3] == 255  # type: ignore[index]


def test_uiautomator_dump_writes_the_active_window(rig: Rig) -> None:
    tree = rig.do(lambda phone: phone.tree())
    assert rig.output("uiautomator dump") == "UI hierchary dumped to: /sdcard/window_dump.xml\n"
    assert rig.output("cat /sdcard/window_dump.xml") == tree
    assert len(fromstring(tree.encode())) == 1
    output = rig.run("exec-out", "uiautomator", "dump", "/dev/tty").stdout.decode()
    assert output == tree + "UI hierchary dumped to: /dev/tty\n"
    # as on a phone, which prints its help to stderr and ends well
    code, out, err = rig.shell("uiautomator")
    assert (code, out) == (0, "")
    assert err.startswith("Usage: uiautomator <subcommand> [options]\n")


# ---- input


def test_a_tap_opens_the_app_at_its_position(local: LocalPhone) -> None:
    local.output(f"input tap {centre(local, '时钟')}")
    assert foreground(local) == CLOCK
    local.output("input keyevent 4")
    assert foreground(local) == HOME
    local.output(f"input touchscreen -d 0 tap {centre(local, '时钟').replace(' ', '.4 ')}")
    assert foreground(local) == CLOCK


@pytest.mark.parametrize(
    "line", ["swipe {at} {at} 600", "draganddrop {at} {at} 1000", "touchscreen swipe {at} {at} 450"]
)
def test_a_long_swipe_without_movement_is_a_long_press(local: LocalPhone, line: str) -> None:
    at = centre(local, "时钟")
    before = local.do(lambda phone: phone.tree())
    local.output("input " + line.format(at=at))
    assert foreground(local) == HOME
    assert local.do(lambda phone: phone.tree()) != before


def test_taps_count_on_the_screen_alone_and_may_be_short_swipes(local: LocalPhone) -> None:
    before = local.do(lambda phone: phone.tree())
    local.output("input tap -5 9999 && input swipe 1e9 1e9 -1e9 0")
    assert local.do(lambda phone: phone.tree()) == before
    at = centre(local, "时钟")
    local.output(f"input swipe {at} {at} 50")
    assert foreground(local) == CLOCK


def test_input_text_accepts_ascii_only(local: LocalPhone) -> None:
    focus_a_text_field(local)
    local.output("input text " + shlex.quote('it\'s%s"5" $x; & `y`'))
    assert focused_text(local) == 'it\'s "5" $x; & `y`'
    code, out, err = local.shell("input text 你好")
    assert (code, out) == (255, "")
    assert "java.lang.NullPointerException: Attempt to get length of null array" in err
    assert focused_text(local) == 'it\'s "5" $x; & `y`'


def test_keyevent_takes_codes_and_names(local: LocalPhone) -> None:
    focus_a_text_field(local)
    local.output("input keyevent KEYCODE_A b 31 67 KEYCODE_SPACE 8 --doubletap")
    assert focused_text(local) == "aabb  11"
    local.output("input keyevent 9999 && input keyevent NONSENSE && input keyevent --longpress 67")
    assert focused_text(local) == "aabb  1"
    local.output("input keyevent HOME")
    assert local.do(lambda phone: phone.shown().focus) is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("input", "Usage: input"),
        ("input dance", "Unknown command: dance"),
        ("input tap 1", "Argument expected after"),
        ("input tap a 1", 'NumberFormatException: For input string: "a"'),
        ("input tap nan 1", 'NumberFormatException: For input string: "nan"'),
        ("input text", "Argument expected after"),
    ],
)
def test_invalid_input_arguments_are_refused(local: LocalPhone, line: str, message: str) -> None:
    code, out, err = local.shell(line)
    assert (code, out) == (255, "")
    assert message in err


# ---- text of any language


def test_the_adb_keyboard_types_text_of_any_language(local: LocalPhone) -> None:
    assert ADB_KEYBOARD == ADB_IME
    focus_a_text_field(local)
    local.output("am broadcast -a ADB_INPUT_TEXT --es msg 没有这个键盘")
    assert focused_text(local) == ""
    local.output(f"ime enable {ADB_KEYBOARD} && ime set {ADB_KEYBOARD}")
    output = local.output("am broadcast -a ADB_INPUT_TEXT --es msg " + shlex.quote('明天 8 点"开会"'))
    assert output.endswith("Broadcast completed: result=0\n")
    assert focused_text(local) == '明天 8 点"开会"'
    local.output("am broadcast -a ADB_CLEAR_TEXT")
    assert focused_text(local) == ""
    local.output(f"am broadcast -a ADB_INPUT_B64 --es msg {base64.b64encode('和朋友😀'.encode()).decode()}")
    assert focused_text(local) == "和朋友😀"
    local.output("am broadcast -a ADB_INPUT_B64 --es msg a && am broadcast -a android.intent.action.BOOT")
    assert focused_text(local) == "和朋友😀"


def test_a_text_whose_space_is_not_quoted_is_not_typed(local: LocalPhone) -> None:
    """As on a phone: the second word is taken for the package that the broadcast is for."""
    local.output("ime set com.android.adbkeyboard/.AdbIME")
    focus_a_text_field(local)
    local.output("am broadcast -a ADB_INPUT_TEXT --es msg a b")
    local.output("am broadcast -a ADB_INPUT_TEXT --es msg c -p com.android.adbkeyboard")
    local.output("am broadcast -a ADB_INPUT_TEXT --es msg 'd e'")
    assert focused_text(local) == "cd e"


def test_an_answer_whose_space_is_not_quoted_is_not_taken(local: LocalPhone) -> None:
    say = "am broadcast -a com.fingertip.ANSWER --es text"
    assert local.output(f"{say} 10 Mar 2025").endswith("Broadcast completed: result=0\n")
    assert local.do(lambda phone: phone.answer) is None
    assert local.output(f"{say} '10 Mar 2025'").endswith('result=-1, data="success"\n')
    assert local.do(lambda phone: phone.answer) == "10 Mar 2025"


def test_a_question_gets_the_reply_of_the_person_if_somebody_answers(local: LocalPhone) -> None:
    ask = "am broadcast -a com.fingertip.ASK --es text"
    assert local.output(f"{ask} 'Which one?'").endswith(
        'result=0, data="nobody answers questions in this task"\n'
    )
    local.do(lambda phone: setattr(phone, "on_question", lambda text: f"not {text}"))
    assert local.output(f"{ask} 'Which one?'").endswith('result=-1, data="not Which one?"\n')
    # as of an answer, the second word is a package
    unquoted = local.output(f"{ask} Which one")
    assert unquoted.endswith('result=0, data="no question: give it as --es text, quoted"\n')
    local.do(lambda phone: setattr(phone, "on_question", None))


def test_ime_lists_and_selects_keyboards(local: LocalPhone) -> None:
    first = local.do(lambda phone: phone.imes[0])
    assert local.output("ime list -s").split() == list(local.do(lambda phone: phone.imes))
    assert f"mId={first} " in local.output("ime list -a")
    assert local.output(f"ime set {ADB_KEYBOARD}") == f"Input method {ADB_KEYBOARD} selected for user #0\n"
    assert local.output("settings get secure default_input_method") == f"{ADB_KEYBOARD}\n"
    assert f"mCurMethodId={ADB_KEYBOARD}\n" in local.output("dumpsys input_method")
    local.output(f"ime disable {ADB_KEYBOARD}")
    assert local.output("settings get secure default_input_method") == f"{first}\n"
    put = "settings put secure default_input_method"
    local.output(f"{put} {ADB_KEYBOARD}; {put} a/.b")
    assert local.output("settings get secure default_input_method") == f"{ADB_KEYBOARD}\n"
    assert f"Newly selected IME: {first}\n" in local.output("ime reset")
    assert local.shell("ime set a/.b")[0] == local.shell("ime sing")[0] == 255


# ---- apps


@pytest.mark.parametrize(
    "line",
    [
        f"am start -n {CLOCK}/.DeskClock",
        f"am start -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -p {CLOCK}",
        f"am start -W -S --user 0 -n {CLOCK}/.DeskClock",
        f"am start {CLOCK}",
        f"am start -f 0x10000000 --activity-clear-top --grant-read-uri-permission -n {CLOCK}/.DeskClock",
        f"cmd activity start-activity {CLOCK}/.DeskClock",
        f"monkey -p {CLOCK} -c android.intent.category.LAUNCHER 1",
        f"monkey -p {CLOCK} 1",
    ],
)
def test_an_app_is_started(local: LocalPhone, line: str) -> None:
    output = local.output(line)
    assert output.startswith(("Starting: Intent { ", "Events injected: 1\n"))
    assert foreground(local) == CLOCK
    assert ("Status: ok" in output) == (" -W " in line)


def test_stopping_an_app_shows_the_launcher(local: LocalPhone) -> None:
    local.output(f"am start {CLOCK}")
    assert "brought to the front" in local.shell(f"am start {CLOCK}")[2]
    assert local.output(f"am force-stop {CLOCK}; am force-stop not.there") == ""
    assert foreground(local) == HOME
    local.output(f"am start {CLOCK}")
    local.output("am start -a android.intent.action.MAIN -c android.intent.category.HOME")
    assert foreground(local) == HOME


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("am start -n not.there/.Main", 1, "Error type 3\nError: Activity class {not.there/not.there.Main}"),
        (f"am start -n {CLOCK}/.Other", 1, "does not exist."),
        ("am start -a android.intent.action.VIEW -d https://example.org", 1, "unable to resolve Intent"),
        ("am start not.there", 1, "unable to resolve Intent"),
        ("am start -n nonsense", 255, "Bad component name: nonsense"),
        ("am start --frobnicate x", 255, "Unknown option: --frobnicate"),
        ("monkey -p not.there 1", 252, "No activities found to run, monkey aborted."),
        (f"monkey -p {CLOCK} 500", 1, "takes one event"),
        ("monkey 1", 251, "usage"),
        (f"pm uninstall {CLOCK}", 1, "Failure [DELETE_FAILED"),
        ("cmd frobnicate", 20, "Can't find service: frobnicate"),
        ("wm user-rotation lock 9", 255, "expected free"),
        ("settings get secure", 255, "Bad arguments"),
        ("settings get private x", 255, "Invalid namespace 'private'"),
        ("svc wifi break", 1, "usage"),
        ("getevent -c x", 1, "expected a count"),
        ("getevent /dev/input/event99", 1, "could not open /dev/input/event99"),
        ("date 01010000", 1, "cannot set date"),
        ("echo > /system/x", 1, "Read-only file system"),
    ],
)
def test_failing_commands_have_exit_code_and_message(
    local: LocalPhone, line: str, code: int, message: str
) -> None:
    exit_code, _, err = local.shell(line)
    assert exit_code == code
    assert message in err
    assert "Traceback" not in err


def test_pm_lists_packages_and_paths(local: LocalPhone) -> None:
    apps = local.do(lambda phone: phone.packages())
    packages = sorted([*apps, "com.android.adbkeyboard", "com.android.inputmethod.pinyin"])
    assert local.output("pm list packages") == "".join(f"package:{name}\n" for name in packages)
    assert local.output("cmd package list packages deskclock") == f"package:{CLOCK}\n"
    assert (
        local.output("pm list packages -f -s --user 0 deskclock")
        == f"package:/data/app/{CLOCK}/base.apk={CLOCK}\n"
    )
    assert local.output("pm list packages -3 deskclock") == ""
    assert local.output(f"pm path {CLOCK}") == f"package:/data/app/{CLOCK}/base.apk\n"
    assert local.shell("pm path not.there") == (1, "", "")


def test_resolve_activity_prints_the_component(local: LocalPhone) -> None:
    output = local.output(f"cmd package resolve-activity --brief {CLOCK}")
    assert output.splitlines()[-1] == f"{CLOCK}/.DeskClock"
    assert "match=0x" in output
    output = local.output(f"cmd package resolve-activity --brief -c android.intent.category.LAUNCHER {CLOCK}")
    assert output.splitlines()[-1] == f"{CLOCK}/.DeskClock"
    assert f"name={CLOCK}.DeskClock\n" in local.output(f"pm resolve-activity {CLOCK}")
    assert local.output("cmd package resolve-activity --brief not.there") == "No activity found\n"
    home = (
        "cmd package resolve-activity --brief -a android.intent.action.MAIN -c android.intent.category.HOME"
    )
    assert local.output(home).splitlines()[-1] == f"{HOME}/.Launcher"


# ---- what the phone says of itself


def test_dumpsys_has_the_lines_that_tools_parse(local: LocalPhone) -> None:
    local.output(f"am start {CLOCK}")
    focus = re.search(r"mCurrentFocus=Window\{\w+ u\d+ (\S+)/(\S+)\}", local.output("dumpsys window"))
    assert focus
    assert focus.groups() == (CLOCK, ".DeskClock")
    app = re.search(
        r"mFocusedApp=.*ActivityRecord\{\w+ \w+ (\S+)/(\S+) ", local.output("dumpsys window displays")
    )
    assert app
    assert app.groups() == (CLOCK, ".DeskClock")
    assert "mCurrentFocus" not in local.output("dumpsys window windows")
    activities = local.output("dumpsys activity activities")
    assert re.search(
        rf"mResumedActivity: ActivityRecord\{{5c0ffee u0 {CLOCK}/\.DeskClock t\d+\}}\n", activities
    )
    assert re.search(rf"ACTIVITY {CLOCK}/\.DeskClock \w+ pid=\d+\n", local.output("dumpsys activity top"))
    assert f"Package [{CLOCK}]" in local.output(f"dumpsys package {CLOCK}")
    assert "Unable to find package" in local.output("dumpsys package not.there")
    assert local.shell("dumpsys nonsense") == (0, "", "Can't find service: nonsense\n")


def test_ps_and_pidof_list_running_apps(local: LocalPhone) -> None:
    assert local.shell(f"pidof {CLOCK}") == (1, "", "")
    local.output(f"am start {CLOCK} && input keyevent HOME")
    pid = local.output(f"pidof {CLOCK}").strip()
    assert re.search(rf"u0_a\d+ +{pid} .* S {CLOCK}\n", local.output("ps -A"))
    local.output(f"am force-stop {CLOCK}")
    assert CLOCK not in local.output("ps")


def test_dumpsys_shows_the_state_of_the_keyboard(local: LocalPhone) -> None:
    assert "mInputShown=false" in local.output("dumpsys input_method")
    focus_a_text_field(local)
    assert "mInputShown=true" in local.output("dumpsys input_method")
    local.output("input keyevent BACK")
    assert "mInputShown=false" in local.output("dumpsys input_method")


def test_dumpsys_shows_the_state_of_screen_and_lock(local: LocalPhone) -> None:
    assert "mWakefulness=Awake" in local.output("dumpsys power")
    assert "mScreenOnEarly=true" in local.output("dumpsys window policy")
    local.output("input keyevent SLEEP")
    power, window = local.output("dumpsys power"), local.output("dumpsys window")
    assert "mWakefulness=Asleep" in power
    assert "mScreenOn=false" in power
    assert "mDreamingLockscreen=true" in window
    assert "mCurrentFocus=Window{3f5d1c u0 NotificationShade}" in window
    local.output("input keyevent WAKEUP && wm dismiss-keyguard")
    assert "showing=false" in local.output("dumpsys window policy")
    assert "mHoldingDisplaySuspendBlocker=true" in local.output("dumpsys power")


def test_size_density_and_rotation(rig: Rig) -> None:
    assert rig.output("wm size") == rig.output("cmd window size") == "Physical size: 540x1200\n"
    assert rig.output("wm density") == "Physical density: 210\n"
    assert rig.output("wm user-rotation") == "lock 0\n"
    rig.output("settings put system user_rotation 1")
    assert rig.output("wm user-rotation") == "lock 1\n"
    assert rig.output("wm size") == "Physical size: 540x1200\n"
    png = rig.run("exec-out", "screencap", "-p").stdout
    assert Image.open(io.BytesIO(png)).size == (1200, 540)
    display = rig.output("dumpsys display")
    assert "orientation=1, " in display
    assert "deviceWidth=1200, deviceHeight=540" in display
    assert "init=540x1200 210dpi cur=1200x540" in rig.output("dumpsys window displays")
    rig.output("wm user-rotation lock 0")
    assert "orientation=0, " in rig.output("dumpsys display")


# ---- fingers


def test_getevent_prints_touches_of_the_finger_but_not_of_adb(rig: Rig) -> None:
    process = rig.adb.open("-s", rig.serial, "shell", "getevent", "-lt", "-c", "10")
    assert process.stdout
    assert process.stdout.readline() == b"add device 1: /dev/input/event2\n"
    assert b"simulated_touchscreen" in process.stdout.readline()
    rig.output("input tap 11 22")
    rig.do(lambda phone: phone.finger.tap(300, 700))
    rig.do(lambda phone: phone.finger.tap(301, 701))
    lines = process.stdout.read().decode().splitlines()
    process.wait(timeout=120)
    process.stdout.close()
    form = re.compile(r"\[ *\d+\.\d{6}\] /dev/input/event2: (EV_\w+) +(\w+) +(\w+) *")
    events = [form.fullmatch(line) for line in lines]
    assert all(events), lines
    assert len(events) == 10
    output = [event.groups() for event in events if event]
    assert ("EV_ABS", "ABS_MT_POSITION_X", f"{300:08x}") in output
    assert ("EV_ABS", "ABS_MT_POSITION_Y", f"{700:08x}") in output
    assert ("EV_KEY", "BTN_TOUCH", "DOWN") in output
    assert ("EV_KEY", "BTN_TOUCH", "UP") in output
    assert ("EV_ABS", "ABS_MT_TRACKING_ID", "ffffffff") in output
    assert "0000000b" not in {value for _, _, value in output}


def test_getevent_of_one_device_prints_numbers(rig: Rig) -> None:
    process = rig.adb.open("-s", rig.serial, "shell", "getevent", "-c", "2", "/dev/input/event2")
    assert process.stdout

    def touched(phone: Phone) -> bool:
        phone.finger.tap(1, 2)
        return len(phone.finger.stream._listeners) > 0

    while not rig.do(touched):
        pass
    lines = process.stdout.read().decode().splitlines()
    process.wait(timeout=120)
    process.stdout.close()
    assert all(re.fullmatch(r"[0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{8}", line) for line in lines)
    assert len(lines) == 2


def test_getevent_prints_the_panels_axes(local: LocalPhone) -> None:
    output = local.output("getevent -lp")
    maxima = dict(re.findall(r"(ABS_MT_POSITION_[XY]) +: value 0, min 0, max (\d+),", output))
    assert maxima == {"ABS_MT_POSITION_X": "539", "ABS_MT_POSITION_Y": "1199"}
    assert "INPUT_PROP_DIRECT" in output
    assert "0035  : value 0, min 0, max 539," in local.output("getevent -p /dev/input/event2")


# ---- the small ones

SWITCHES = "for s in stay_on_while_plugged_in wifi_on mobile_data; do settings get global $s; done"
TOLD = {
    # properties and settings
    "getprop ro.build.version.sdk; getprop sys.boot_completed; getprop no.such; getprop no.such other": (
        "33\n1\n\nother\n"
    ),
    "getprop | grep -c 'ro.product.model.: .Simulated Phone.'": "1\n",
    "settings get system no_such; settings put global k 'a b'; settings get --user 0 global k": "null\na b\n",
    "settings put global k a; settings delete global k; settings delete global k": (
        "Deleted 1 rows\nDeleted 0 rows\n"
    ),
    "settings get secure zen_duration; settings put secure zen_duration 60; "
    "settings list secure | grep zen_duration; settings reset secure untrusted_defaults": (
        "0\nzen_duration=60\n"
    ),
    "settings put system volume_ring_speaker 9; settings list system | grep volume_ring; "
    "settings get system volume_ring; settings get system volume_ring_speaker": (
        "volume_ring=9\nvolume_ring_speaker=9\n9\n9\n"
    ),
    "settings put system volume_music loud; input keyevent VOLUME_UP; settings get system volume_music; "
    "settings delete system volume_music; input keyevent VOLUME_DOWN": "1\nDeleted 1 rows\n",
    f"svc power stayon true; svc wifi disable; svc data disable; {SWITCHES}": "7\n0\n0\n",
    f"svc power stayon false; svc wifi enable; svc data enable; {SWITCHES}": "0\n1\n1\n",
    # tools and redirections
    "echo a  b && echo -n c; whoami; id -un": "a b\ncshell\nshell\n",
    "echo x > /sdcard/a; mv /sdcard/a /sdcard; mv /sdcard/a /storage/emulated/0/a; cat /sdcard/a": "x\n",
    "foo 2>/dev/null; echo $?": "127\n",
    "foo 2>&1 || echo else": "/system/bin/sh: foo: inaccessible or not found\nelse\n",
    "foo >/sdcard/both 2>&1; cat /sdcard/both": "/system/bin/sh: foo: inaccessible or not found\n",
    "date +%Y-%m-%d | tr 0-9 n": "nnnn-nn-nn\n",
    "am get-config | cut -d- -f1-3": "config: zh-rCN-ldltr\nabi: arm64-v8a\n",
}


@pytest.mark.parametrize("line", TOLD)
def test_a_line_prints_what_a_phone_prints(local: LocalPhone, line: str) -> None:
    assert local.shell(line) == (0, TOLD[line], "")


def test_the_clock_is_simulated_and_advances_with_sleep(local: LocalPhone) -> None:
    before = local.do(lambda phone: phone.now)
    assert local.output("date +%s; sleep 0.2") == f"{int(before.timestamp())}\n"
    assert (local.do(lambda phone: phone.now) - before).total_seconds() == pytest.approx(0.2)
    assert re.fullmatch(r"\w{3} \w{3} .* CST \d{4}\n", local.output("date"))


def test_file_commands(local: LocalPhone) -> None:
    local.output("mkdir -p /sdcard/my/dir; echo 时间 > /sdcard/my/a; echo b >> /sdcard/my/a")
    assert local.output("cat /storage/emulated/0/my/a") == "时间\nb\n"
    assert local.output("ls /sdcard/my") == "a\ndir\n"
    assert re.search(r"-rw-rw---- .* 9 .* a\n", local.output("ls -l /sdcard/my"))
    assert local.output("ls -d /sdcard/my /sdcard/my/a") == "/sdcard/my\n/sdcard/my/a\n"
    assert local.output("toybox md5sum /sdcard/my/a").endswith("  /sdcard/my/a\n")
    assert local.shell("rm /sdcard/my")[2] == "rm: /sdcard/my: Is a directory\n"
    assert local.shell("mkdir /sdcard/my")[2] == "mkdir: '/sdcard/my': File exists\n"
    assert local.shell("cat /sdcard/my/b /sdcard/my")[2].count("cat: ") == 2
    local.output("rm -rf /sdcard/my /sdcard/none")
    assert local.shell("ls /sdcard/my")[2] == "ls: /sdcard/my: No such file or directory\n"
    assert local.shell("rm -r /sdcard")[2] == "rm: /sdcard: Read-only file system\n"
    assert local.shell("rm -r /storage/emulated/0")[0] == 1


def test_recent_tasks_keep_their_ids_and_are_removed_by_them(local: LocalPhone) -> None:
    local.output(f"am start {CLOCK}")
    (clock,) = re.findall(rf"taskId=(\d+): {CLOCK}/", local.output("am stack list"))
    local.output("input keyevent HOME")
    assert f"Hist #0: ActivityRecord{{5c0ffee u0 {CLOCK}/.DeskClock t{clock}}}" in local.output(
        "dumpsys activity a"
    )
    recents = local.output("dumpsys activity recents")
    assert clock in re.findall(r" id=(\d+)", recents)
    assert f"#{clock} type=standard" in recents
    local.output(f"am stack remove {clock}; am stack remove 99999")
    assert local.do(lambda phone: phone.data["tasks"]) == []
    assert CLOCK not in local.output("am stack list")


def test_a_task_is_locked_to_the_screen(local: LocalPhone) -> None:
    local.output(f"am start {CLOCK}")
    (clock,) = re.findall(rf"taskId=(\d+): {CLOCK}/", local.output("am stack list"))
    local.output("input keyevent HOME")
    assert local.output(f"am task lock {clock}") == "Activity manager is in lockTaskMode\n"
    assert local.do(lambda phone: phone.foreground[0]) == CLOCK
    assert local.output("am task lock stop") == "Activity manager is not in lockTaskMode\n"
    code, _, err = local.shell("am task lock 99999")
    assert (code, "No task for ID 99999" in err) == (255, True)
    assert local.shell("am task fly")[0] == 255


def test_every_command_survives_any_arguments(local: LocalPhone) -> None:
    odd_arguments = [
        "",
        "-p",
        "-c",
        "-1",
        "list",
        "get",
        "start",
        "-n",
        "/",
        "中文",
        "a b",
        "dump",
        "-d",
        "9" * 30,
        "put",
    ]
    lines = [
        shlex.join([name, *odd_arguments[start : start + count]])
        for name in COMMANDS
        if name not in ("sleep", "getevent", "logcat", "top", "yes")
        for count in range(4)
        for start in range(0, len(odd_arguments), 3)
    ]
    lines = random.Random(0).sample(lines, examples(len(lines)))  # noqa: S311 - a choice, not a secret
    for line in lines:
        # an option that this phone lacks ends the line
        local.shell(f"{line} > /dev/null 2>&1")
