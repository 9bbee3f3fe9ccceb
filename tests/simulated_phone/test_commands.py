from __future__ import annotations

import base64
import io
import re
import shlex
import struct
from xml.etree import ElementTree

import pytest
from PIL import Image

from simulated_phone.adb.commands import COMMANDS
from simulated_phone.adb.commands.activities import ADB_KEYBOARD
from simulated_phone.phone import Phone
from simulated_phone.state import ADB_IME
from tests.simulated_phone.conftest import Rig

CLOCK, HOME = "com.android.deskclock", "com.android.launcher3"
BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")


def node(rig: Rig, **wanted: str) -> ElementTree.Element:
    """The first node with those attributes in a dump that came by adb."""
    rig.say("uiautomator dump /sdcard/now.xml")
    root = ElementTree.fromstring(rig.say("cat /sdcard/now.xml"))  # noqa: S314
    for found in root.iter("node"):
        if all(found.get(name.replace("_", "-")) == value for name, value in wanted.items()):
            return found
    raise AssertionError(f"expected a node with {wanted} on the screen, got none")


def centre(rig: Rig, **wanted: str) -> str:
    box = BOUNDS.fullmatch(node(rig, **wanted).get("bounds", ""))
    assert box
    left, top, right, bottom = map(int, box.groups())
    return f"{(left + right) // 2} {(top + bottom) // 2}"


def foreground(rig: Rig) -> str:
    return rig.server.do(lambda phone: phone.foreground[0])


def open_a_field(rig: Rig) -> None:
    """Brings up the launcher's search with its field in focus."""
    rig.say(f"input tap {centre(rig, text='搜索应用')}")
    if rig.server.do(lambda phone: phone.shown().focus) is None:
        rig.say("input tap " + centre(rig, **{"class": "android.widget.EditText"}))
    assert rig.server.do(lambda phone: phone.shown().focus) is not None


def typed(rig: Rig) -> str:
    focus = rig.server.do(lambda phone: phone.shown().focus)
    assert focus is not None
    return focus.text


# ---- the screen


def test_screencap_is_the_screen(rig: Rig) -> None:
    png = rig.server.do(lambda phone: phone.screenshot_png())
    assert rig.run("exec-out", "screencap", "-p").stdout == png
    assert rig.run("shell", "screencap", "-p").stdout == png
    rig.say("screencap -p /sdcard/a.png && screencap /sdcard/b.png && screencap -d 0 -p > /sdcard/c.png")
    for name in "abc":
        assert rig.run("exec-out", "cat", f"/sdcard/{name}.png").stdout == png


def test_raw_screencap_has_a_header_and_rgba(rig: Rig) -> None:
    data = rig.run("exec-out", "screencap").stdout
    assert struct.unpack("<4I", data[:16]) == (540, 1200, 1, 1)
    picture = Image.frombytes("RGBA", (540, 1200), data[16:])
    assert picture.convert("RGB").tobytes() == rig.server.do(lambda phone: phone.screenshot().tobytes())
    assert picture.getpixel((0, 0))[3] == 255  # type: ignore[index]


def test_uiautomator_dump(rig: Rig) -> None:
    tree = rig.server.do(lambda phone: phone.tree("uiautomator"))
    assert rig.say("uiautomator dump") == "UI hierchary dumped to: /sdcard/window_dump.xml\n"
    assert rig.say("cat /sdcard/window_dump.xml") == tree
    assert rig.say("uiautomator dump --compressed /data/local/tmp/a.xml") == (
        "UI hierchary dumped to: /data/local/tmp/a.xml\n"
    )
    assert rig.say("cat /data/local/tmp/a.xml") == tree
    reply = rig.run("exec-out", "uiautomator", "dump", "/dev/tty").stdout.decode()
    assert reply == tree + "UI hierchary dumped to: /dev/tty\n"
    assert rig.shell("uiautomator")[0] == 1


# ---- input


def test_a_tap_opens_what_is_there(rig: Rig) -> None:
    rig.say(f"input tap {centre(rig, text='时钟')}")
    assert foreground(rig) == CLOCK
    rig.say("input keyevent 4")
    assert foreground(rig) == HOME
    rig.say(f"input touchscreen -d 0 tap {centre(rig, text='时钟').replace(' ', '.4 ')}")
    assert foreground(rig) == CLOCK


@pytest.mark.parametrize(
    "line", ["swipe {at} {at} 600", "draganddrop {at} {at} 1000", "touchscreen swipe {at} {at} 450"]
)
def test_a_swipe_that_stays_is_a_long_press(rig: Rig, line: str) -> None:
    at = centre(rig, text="时钟")
    before = rig.server.do(lambda phone: phone.tree())
    rig.say("input " + line.format(at=at))
    assert foreground(rig) == HOME
    assert rig.server.do(lambda phone: phone.tree()) != before


def test_a_short_swipe_that_stays_is_a_tap(rig: Rig) -> None:
    at = centre(rig, text="时钟")
    rig.say(f"input swipe {at} {at} 50")
    assert foreground(rig) == CLOCK


def test_a_swipe_unlocks(rig: Rig) -> None:
    rig.say("input keyevent POWER && input keyevent KEYCODE_WAKEUP")
    assert rig.server.do(lambda phone: (phone.screen_on, phone.locked)) == (True, True)
    rig.say("input swipe 270 1000 270 200 300")
    assert not rig.server.do(lambda phone: phone.locked)


def test_input_text_is_ascii(rig: Rig) -> None:
    open_a_field(rig)
    rig.say("input text " + shlex.quote('it\'s%s"5" $x; & `y`'))
    assert typed(rig) == 'it\'s "5" $x; & `y`'
    code, out, err = rig.shell("input text 你好")
    assert (code, out) == (255, "")
    assert "java.lang.NullPointerException: Attempt to get length of null array" in err
    assert typed(rig) == 'it\'s "5" $x; & `y`'


def test_keys_by_number_and_name(rig: Rig) -> None:
    open_a_field(rig)
    rig.say("input keyevent KEYCODE_A b 31 67 KEYCODE_SPACE 8 --doubletap")
    assert typed(rig) == "aabb  11"
    rig.say("input keyevent 9999 && input keyevent NONSENSE && input keyevent --longpress 67")
    assert typed(rig) == "aabb  1"
    rig.say("input keyevent HOME")
    assert rig.server.do(lambda phone: phone.shown().focus) is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("input", "Usage: input"),
        ("input dance", "Unknown command: dance"),
        ("input tap 1", "Argument expected after"),
        ("input tap a 1", 'NumberFormatException: For input string: "a"'),
        ("input tap nan 1", 'NumberFormatException: For input string: "nan"'),
        ("input swipe 1 2 3", "Argument expected after"),
        ("input text", "Argument expected after"),
        ("input keyevent", "Argument expected after"),
        ("input -d", "Argument expected after"),
    ],
)
def test_wrong_input_is_refused(rig: Rig, line: str, words: str) -> None:
    code, out, err = rig.shell(line)
    assert (code, out) == (255, "")
    assert words in err


def test_keys_work_after_settings_that_make_no_sense(rig: Rig) -> None:
    rig.say("settings put system volume_music loud && input keyevent VOLUME_UP")
    assert rig.say("settings get system volume_music") == "1\n"
    rig.say("settings delete system volume_music && input keyevent VOLUME_DOWN")


def test_taps_outside_the_screen_do_nothing(rig: Rig) -> None:
    before = rig.server.do(lambda phone: phone.tree())
    rig.say("input tap -5 9999 && input swipe 1e9 1e9 -1e9 0")
    assert rig.server.do(lambda phone: phone.tree()) == before


# ---- text of any language


def test_text_of_any_language_comes_by_the_adb_keyboard(rig: Rig) -> None:
    assert ADB_KEYBOARD == ADB_IME
    open_a_field(rig)
    rig.say("am broadcast -a ADB_INPUT_TEXT --es msg 没有这个键盘")
    assert typed(rig) == ""
    rig.say(f"ime enable {ADB_KEYBOARD} && ime set {ADB_KEYBOARD}")
    reply = rig.say("am broadcast -a ADB_INPUT_TEXT --es msg " + shlex.quote('明天 8 点"开会"'))
    assert reply.endswith("Broadcast completed: result=0\n")
    assert typed(rig) == '明天 8 点"开会"'
    rig.say("am broadcast -a ADB_CLEAR_TEXT")
    assert typed(rig) == ""
    rig.say(f"am broadcast -a ADB_INPUT_B64 --es msg {base64.b64encode('和朋友😀'.encode()).decode()}")
    assert typed(rig) == "和朋友😀"
    rig.say("am broadcast -a ADB_INPUT_B64 --es msg a && am broadcast -a android.intent.action.BOOT")
    assert typed(rig) == "和朋友😀"


def test_keyboards(rig: Rig) -> None:
    first = rig.server.do(lambda phone: phone.imes[0])
    assert rig.say("ime list -s").split() == list(rig.server.do(lambda phone: phone.imes))
    assert f"mId={first} " in rig.say("ime list -a")
    assert rig.say(f"ime set {ADB_KEYBOARD}") == f"Input method {ADB_KEYBOARD} selected for user #0\n"
    assert rig.say("settings get secure default_input_method") == f"{ADB_KEYBOARD}\n"
    assert f"mCurMethodId={ADB_KEYBOARD}\n" in rig.say("dumpsys input_method")
    rig.say(f"ime disable {ADB_KEYBOARD}")
    assert rig.say("settings get secure default_input_method") == f"{first}\n"
    put = "settings put secure default_input_method"
    rig.say(f"{put} {ADB_KEYBOARD}; {put} a/.b")
    assert rig.say("settings get secure default_input_method") == f"{ADB_KEYBOARD}\n"
    assert f"Newly selected IME: {first}\n" in rig.say("ime reset")
    assert rig.shell("ime set a/.b")[0] == rig.shell("ime sing")[0] == 255


# ---- apps


@pytest.mark.parametrize(
    "line",
    [
        f"am start -n {CLOCK}/.DeskClock",
        f"am start -n {CLOCK}/{CLOCK}.DeskClock --es a b --ei n 3",
        f"am start -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -p {CLOCK}",
        f"am start -W -S --user 0 -n {CLOCK}/.DeskClock",
        f"am start {CLOCK}",
        f"am start -f 0x10000000 --activity-clear-top --grant-read-uri-permission -n {CLOCK}/.DeskClock",
        f"cmd activity start-activity {CLOCK}/.DeskClock",
        f"monkey -p {CLOCK} -c android.intent.category.LAUNCHER 1",
        f"monkey -p {CLOCK} 1",
    ],
)
def test_an_app_is_started(rig: Rig, line: str) -> None:
    reply = rig.say(line)
    assert reply.startswith(("Starting: Intent { ", "Events injected: 1\n"))
    assert foreground(rig) == CLOCK
    assert ("Status: ok" in reply) == (" -W " in line)


def test_an_app_is_stopped_and_home_comes(rig: Rig) -> None:
    rig.say(f"am start {CLOCK}")
    assert "brought to the front" in rig.shell(f"am start {CLOCK}")[2]
    assert rig.say(f"am force-stop {CLOCK}; am force-stop not.there") == ""
    assert foreground(rig) == HOME
    rig.say(f"am start {CLOCK}")
    rig.say("am start -a android.intent.action.MAIN -c android.intent.category.HOME")
    assert foreground(rig) == HOME


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("am start -n not.there/.Main", 1, "Error type 3\nError: Activity class {not.there/not.there.Main}"),
        (f"am start -n {CLOCK}/.Other", 1, "does not exist."),
        ("am start -a android.intent.action.VIEW -d https://example.org", 1, "unable to resolve Intent"),
        ("am start not.there", 1, "unable to resolve Intent"),
        ("am start -n nonsense", 255, "Bad component name: nonsense"),
        ("am start --frobnicate x", 255, "Unknown option: --frobnicate"),
        ("am start -n", 255, "Argument expected after"),
        ("am force-stop", 255, "Argument expected after"),
        ("am", 255, "Unknown command"),
        ("am kill-all", 255, "Unknown command: kill-all"),
        ("monkey -p not.there 1", 252, "No activities found to run, monkey aborted."),
        (f"monkey -p {CLOCK} 500", 1, "takes one event"),
        ("monkey 1", 251, "usage"),
        ("pm", 255, "Unknown command"),
        ("pm list secrets", 255, "unknown list type 'secrets'"),
        (f"pm uninstall {CLOCK}", 1, "Failure [UNINSTALL_FAILED"),
        ("cmd frobnicate", 20, "Can't find service: frobnicate"),
        ("wm size 100x100", 1, "keeps its size"),
        ("wm paint", 255, "Unknown command: paint"),
        ("wm user-rotation lock 9", 255, "expected free"),
        ("settings get secure", 255, "Invalid command"),
        ("settings get private x", 255, "Invalid namespace 'private'"),
        ("svc wifi break", 1, "usage"),
        ("getevent -c x", 1, "expected a count"),
        ("getevent /dev/input/event99", 1, "could not open /dev/input/event99"),
        ("toybox frobnicate", 127, "Unknown command frobnicate"),
        ("date 0101", 1, "cannot set date"),
        ("sleep", 1, "Needs 1 argument"),
        ("sleep long", 1, "bad number 'long'"),
        ("app_process / a.b.Main", 1, "could not find or load"),
        ("echo $HOME", 1, "unexpected '$' at 5"),
        ("echo a | cat", 1, "unexpected '|' at 7"),
        ("echo > /system/x", 1, "Read-only file system"),
    ],
)
def test_what_cannot_be_done_is_said(rig: Rig, line: str, code: int, words: str) -> None:
    got, _, err = rig.shell(line)
    assert got == code
    assert words in err
    assert "Traceback" not in err


def test_packages(rig: Rig) -> None:
    apps = rig.server.do(lambda phone: phone.packages())
    packages = sorted([*apps, "com.android.adbkeyboard", "com.android.inputmethod.pinyin"])
    assert rig.say("pm list packages") == "".join(f"package:{name}\n" for name in packages)
    assert rig.say("cmd package list packages deskclock") == f"package:{CLOCK}\n"
    assert (
        rig.say("pm list packages -f -s --user 0 deskclock")
        == f"package:/data/app/{CLOCK}/base.apk={CLOCK}\n"
    )
    assert rig.say("pm list packages -3 deskclock") == ""
    assert rig.say(f"pm path {CLOCK}") == f"package:/data/app/{CLOCK}/base.apk\n"
    assert rig.shell("pm path not.there") == (1, "", "")


def test_resolve_activity(rig: Rig) -> None:
    reply = rig.say(f"cmd package resolve-activity --brief {CLOCK}")
    assert reply.splitlines()[-1] == f"{CLOCK}/.DeskClock"
    assert "match=0x" in reply
    reply = rig.say(f"cmd package resolve-activity --brief -c android.intent.category.LAUNCHER {CLOCK}")
    assert reply.splitlines()[-1] == f"{CLOCK}/.DeskClock"
    assert f"name={CLOCK}.DeskClock\n" in rig.say(f"pm resolve-activity {CLOCK}")
    assert rig.say("cmd package resolve-activity --brief not.there") == "No activity found\n"
    home = (
        "cmd package resolve-activity --brief -a android.intent.action.MAIN -c android.intent.category.HOME"
    )
    assert rig.say(home).splitlines()[-1] == f"{HOME}/.Launcher"


# ---- what the phone says of itself


def test_dumpsys_has_the_lines_that_tools_look_for(rig: Rig) -> None:
    rig.say(f"am start {CLOCK}")
    focus = re.search(r"mCurrentFocus=Window\{\w+ u\d+ (\S+)/(\S+)\}", rig.say("dumpsys window"))
    assert focus
    assert focus.groups() == (CLOCK, ".DeskClock")
    app = re.search(r"mFocusedApp=.*ActivityRecord\{\w+ \w+ (\S+)/(\S+) ", rig.say("dumpsys window displays"))
    assert app
    assert app.groups() == (CLOCK, ".DeskClock")
    assert "mCurrentFocus" not in rig.say("dumpsys window windows")
    activities = rig.say("dumpsys activity activities")
    assert f"mResumedActivity: ActivityRecord{{5c0ffee u0 {CLOCK}/.DeskClock t12}}\n" in activities
    assert re.search(rf"ACTIVITY {CLOCK}/\.DeskClock \w+ pid=\d+\n", rig.say("dumpsys activity top"))
    assert f"Package [{CLOCK}]" in rig.say(f"dumpsys package {CLOCK}")
    assert "Unable to find package" in rig.say("dumpsys package not.there")
    assert rig.shell("dumpsys nonsense") == (0, "", "Can't find service: nonsense\n")


def test_processes(rig: Rig) -> None:
    assert rig.shell(f"pidof {CLOCK}") == (1, "", "")
    rig.say(f"am start {CLOCK} && input keyevent HOME")
    pid = rig.say(f"pidof {CLOCK}").strip()
    assert re.search(rf"u0_a100 +{pid} .* S {CLOCK}\n", rig.say("ps -A"))
    rig.say(f"am force-stop {CLOCK}")
    assert CLOCK not in rig.say("ps")


def test_dumpsys_knows_the_keyboard(rig: Rig) -> None:
    assert "mInputShown=false" in rig.say("dumpsys input_method")
    open_a_field(rig)
    assert "mInputShown=true" in rig.say("dumpsys input_method")
    rig.say("input keyevent BACK")
    assert "mInputShown=false" in rig.say("dumpsys input_method")


def test_dumpsys_knows_the_screen_and_the_lock(rig: Rig) -> None:
    assert "mWakefulness=Awake" in rig.say("dumpsys power")
    assert "mScreenOnEarly=true" in rig.say("dumpsys window policy")
    rig.say("input keyevent SLEEP")
    power, window = rig.say("dumpsys power"), rig.say("dumpsys window")
    assert "mWakefulness=Asleep" in power
    assert "mScreenOn=false" in power
    assert "mDreamingLockscreen=true" in window
    assert "mCurrentFocus=Window{3f5d1c u0 NotificationShade}" in window
    rig.say("input keyevent WAKEUP && wm dismiss-keyguard")
    assert "showing=false" in rig.say("dumpsys window policy")
    assert "mHoldingDisplaySuspendBlocker=true" in rig.say("dumpsys power")


def test_size_density_and_rotation(rig: Rig) -> None:
    assert rig.say("wm size") == rig.say("cmd window size") == "Physical size: 540x1200\n"
    assert rig.say("wm density") == "Physical density: 210\n"
    assert rig.say("wm user-rotation") == "lock 0\n"
    rig.say("settings put system user_rotation 1")
    assert rig.say("wm user-rotation") == "lock 1\n"
    assert rig.say("wm size") == "Physical size: 540x1200\n"
    png = rig.run("exec-out", "screencap", "-p").stdout
    assert Image.open(io.BytesIO(png)).size == (1200, 540)
    display = rig.say("dumpsys display")
    assert "orientation=1, " in display
    assert "deviceWidth=1200, deviceHeight=540" in display
    assert "init=540x1200 210dpi cur=1200x540" in rig.say("dumpsys window displays")
    rig.say("wm user-rotation lock 0")
    assert "orientation=0, " in rig.say("dumpsys display")


def test_properties(rig: Rig) -> None:
    assert rig.say("getprop ro.build.version.sdk") == "33\n"
    assert rig.say("getprop sys.boot_completed") == "1\n"
    assert rig.say("getprop no.such") == "\n"
    assert rig.say("getprop no.such other") == "other\n"
    assert "[ro.product.model]: [Simulated Phone]\n" in rig.say("getprop")
    assert rig.say("getprop ro.serialno").strip() == rig.server.do(lambda phone: phone.serial)


def test_settings(rig: Rig) -> None:
    assert rig.say("settings get system no_such") == "null\n"
    rig.say("settings put global my_key 'a b'")
    assert rig.say("settings get --user 0 global my_key") == "a b\n"
    assert "my_key=a b\n" in rig.say("settings list global")
    assert rig.say("settings delete global my_key") == "Deleted 1 rows\n"
    assert rig.say("settings delete global my_key") == "Deleted 0 rows\n"
    rig.say("svc power stayon true && svc wifi disable && svc data disable")
    values = rig.server.do(lambda phone: dict(phone.settings["global"]))
    assert (values["stay_on_while_plugged_in"], values["wifi_on"], values["mobile_data"]) == ("7", "0", "0")
    rig.say("svc power stayon false && svc wifi enable")
    assert rig.say("settings get global stay_on_while_plugged_in; settings get global wifi_on") == "0\n1\n"


# ---- fingers


def test_getevent_tells_a_persons_fingers_and_not_adbs(rig: Rig) -> None:
    following = rig.adb.open("-s", rig.serial, "shell", "getevent", "-lt", "-c", "10")
    assert following.stdout
    assert following.stdout.readline() == b"add device 1: /dev/input/event2\n"
    assert b"simulated_touchscreen" in following.stdout.readline()
    rig.say("input tap 11 22")
    rig.server.do(lambda phone: phone.finger.tap(300, 700))
    rig.server.do(lambda phone: phone.finger.tap(301, 701))
    lines = following.stdout.read().decode().splitlines()
    following.wait(timeout=120)
    following.stdout.close()
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


def test_getevent_of_one_device_in_numbers(rig: Rig) -> None:
    following = rig.adb.open("-s", rig.serial, "shell", "getevent", "-c", "2", "/dev/input/event2")
    assert following.stdout

    def touched(phone: Phone) -> bool:
        phone.finger.tap(1, 2)
        return len(phone.finger.stream._listeners) > 0

    while not rig.server.do(touched):
        pass
    lines = following.stdout.read().decode().splitlines()
    following.wait(timeout=120)
    following.stdout.close()
    assert all(re.fullmatch(r"[0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{8}", line) for line in lines)
    assert len(lines) == 2


def test_getevent_tells_what_the_panel_can_do(rig: Rig) -> None:
    reply = rig.say("getevent -lp")
    most = dict(re.findall(r"(ABS_MT_POSITION_[XY]) +: value 0, min 0, max (\d+),", reply))
    assert most == {"ABS_MT_POSITION_X": "539", "ABS_MT_POSITION_Y": "1199"}
    assert "INPUT_PROP_DIRECT" in reply
    assert "0035  : value 0, min 0, max 539," in rig.say("getevent -p /dev/input/event2")


# ---- the small ones


def test_small_commands(rig: Rig) -> None:
    assert rig.say("echo a  b && echo -n c") == "a b\nc"
    assert rig.say("id").startswith("uid=2000(shell)")
    assert rig.say("whoami") == "shell\n"
    assert rig.say("date +%Y-%m-%d") == rig.server.do(lambda phone: f"{phone.now:%Y-%m-%d}\n")
    assert rig.say("date +%s") == rig.server.do(lambda phone: f"{int(phone.now.timestamp())}\n")
    assert re.fullmatch(r"\w{3} \w{3} .* CST \d{4}\n", rig.say("date"))
    assert rig.say("/system/bin/echo full path") == "full path\n"
    assert rig.say("") == ""


def test_files(rig: Rig) -> None:
    rig.say("mkdir -p /sdcard/my/dir; echo 时间 > /sdcard/my/a; echo b >> /sdcard/my/a")
    assert rig.say("cat /storage/emulated/0/my/a") == "时间\nb\n"
    assert rig.say("ls /sdcard/my") == "a\ndir\n"
    assert re.search(r"-rw-rw---- .* 9 .* a\n", rig.say("ls -l /sdcard/my"))
    assert rig.say("ls -d /sdcard/my /sdcard/my/a") == "/sdcard/my\n/sdcard/my/a\n"
    assert rig.say("toybox md5sum /sdcard/my/a").endswith("  /sdcard/my/a\n")
    assert rig.shell("rm /sdcard/my")[2] == "rm: /sdcard/my: Is a directory\n"
    assert rig.shell("mkdir /sdcard/my")[2] == "mkdir: /sdcard/my: File exists\n"
    assert rig.shell("cat /sdcard/my/b /sdcard/my")[2].count("cat: ") == 2
    rig.say("rm -rf /sdcard/my /sdcard/none")
    assert rig.shell("ls /sdcard/my")[2] == "ls: /sdcard/my: No such file or directory\n"
    assert rig.shell("rm -r /sdcard")[2] == "rm: /sdcard: Permission denied\n"


def test_redirections_and_joints(rig: Rig) -> None:
    assert rig.shell("foo 2>/dev/null; echo $?") == (0, "127\n", "")
    assert rig.shell("foo 2>&1 || echo else") == (
        0,
        "/system/bin/sh: foo: inaccessible or not found\nelse\n",
        "",
    )
    assert rig.shell("echo complaint >&2") == (0, "", "complaint\n")
    assert rig.shell("false && echo no; true || echo no") == (0, "", "")
    assert rig.say("foo >/sdcard/both 2>&1; cat /sdcard/both; rm /sdcard/both").startswith(
        "/system/bin/sh: foo"
    )


def test_sleep_lets_the_simulated_time_pass(rig: Rig) -> None:
    before = rig.server.do(lambda phone: phone.now)
    rig.say("sleep 0.2")
    assert (rig.server.do(lambda phone: phone.now) - before).total_seconds() == pytest.approx(0.2)


def test_every_command_survives_any_arguments(rig: Rig) -> None:
    odd = [
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
        shlex.join([name, *odd[start : start + count]])
        for name in COMMANDS
        if name not in ("sleep", "getevent")
        for count in range(4)
        for start in range(0, len(odd), 3)
    ]
    for start in range(0, len(lines), 40):
        rig.say("true; " + " >/dev/null 2>&1; ".join(lines[start : start + 40]) + " >/dev/null 2>&1; true")
