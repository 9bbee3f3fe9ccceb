"""The app in front by `dumpsys window`, in the forms of several versions of Android."""

from __future__ import annotations

import time

import pytest

from execution_runner.devices.window_state import is_asleep, read_window_state

TWO_DISPLAYS = """WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)
  Display: mDisplayId=0 (organized)
  mCurrentFocus=Window{1a2b u0 com.example.shop/com.example.shop.Main}
  mFocusedApp=ActivityRecord{77 u0 com.example.shop/.Main t12}
  Display: mDisplayId=14
  mCurrentFocus=Window{9c u0 com.example.car/.Cast}
"""
POPUP = """WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)
  Display: mDisplayId=0
  mCurrentFocus=Window{5d u0 PopupWindow:7f3a}
  mFocusedApp=ActivityRecord{77 u0 com.example.shop/.Main t12}
WINDOW MANAGER WINDOWS (dumpsys window windows)
  Window #0 Window{5c u0 com.example.shop/.Main}:
    mOwnerUid=10100 package=com.example.shop appop=NONE
  Window #1 Window{5d u0 PopupWindow:7f3a}:
    mDisplayId=0 rootTaskId=12
    mOwnerUid=10111 package=com.example.popup appop=NONE
"""

# Android 9: displays first, then the windows and one focus for all
ANDROID_9 = """WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)
  Display: mDisplayId=0
    init=1080x2160 480dpi cur=1080x2160 app=1080x2040
WINDOW MANAGER WINDOWS (dumpsys window windows)
  Window #6 Window{f1 u0 com.tencent.mm/com.tencent.mm.ui.LauncherUI}:
    mDisplayId=0 stackId=12 mSession=Session{9a 8123:u0a10131} mClient=android.os.BinderProxy@5
    mOwnerUid=10131 mShowToOwnerOnly=true package=com.tencent.mm appop=NONE
    mAttrs={(0,0)(fillxfill) sim={adjust=resize forwardNavigation} ty=BASE_APPLICATION wanim=0x1030461
      fl=LAYOUT_IN_SCREEN LAYOUT_INSET_DECOR SECURE HARDWARE_ACCELERATED DRAWS_SYSTEM_BAR_BACKGROUNDS
      pfl=FORCE_DRAW_STATUS_BAR_BACKGROUND}
    mHasSurface=true mShownPosition=[0,0] isReadyForDisplay()=true
  mCurrentFocus=Window{f1 u0 com.tencent.mm/com.tencent.mm.ui.LauncherUI}
  mFocusedApp=AppWindowToken{a1 token=Token{b2 ActivityRecord{c3 u0 com.tencent.mm/.ui.LauncherUI t88}}}
"""
OLD_RECORD = "mFocusedApp=AppWindowToken{a1 token=Token{b2 ActivityRecord{c3 u0 com.a/.B t8}}}"
RECORD = "mFocusedApp=ActivityRecord{77 u0 com.a/.B t12}"
FREEFORM = """WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)
  Display: mDisplayId=0 (organized)
    DefaultTaskDisplayArea
    mCurrentFocus=Window{5d u0 com.example.memo/com.example.memo.Main}
    mFocusedApp=ActivityRecord{77 u0 com.example.memo/.Main t31 d0}
WINDOW MANAGER WINDOWS (dumpsys window windows)
  Window #0 Window{5d u0 com.example.memo/com.example.memo.Main}:
    mDisplayId=0 rootTaskId=31 mSession=Session{1} mClient=android.os.BinderProxy@1
    mOwnerUid=10111 showForAllUsers=false package=com.example.memo appop=NONE
    mAttrs={(0,0)(fillxfill) sim={adjust=pan} ty=BASE_APPLICATION wanim=0x1030315
      fl=LAYOUT_IN_SCREEN SPLIT_TOUCH HARDWARE_ACCELERATED
      pfl=NO_MOVE_ANIMATION}
    mHasSurface=true isReadyForDisplay()=true mWindowRemovalAllowed=false
    mBounds=[120,300][900,1500] windowing-mode=freeform
  Window #1 Window{6e u0 com.example.bank/com.example.bank.Pay}:
    mDisplayId=0 rootTaskId=30 mSession=Session{2} mClient=android.os.BinderProxy@2
    mOwnerUid=10112 showForAllUsers=false package=com.example.bank appop=NONE
    mAttrs={(0,0)(fillxfill) ty=BASE_APPLICATION
      fl=LAYOUT_IN_SCREEN SECURE SPLIT_TOUCH}
    mHasSurface=true
"""


TITLES = (
    "Page 1/3",
    "v2.0",
    "订单/详情",
    "https://a.b/c.html",
    "a/b",
    "Version 2.0 beta",
    "com.b.c: 2/4",
    "选择.日期",
)


def titled(title: str, *, owner: str = "", focused: str = RECORD) -> str:
    """A focused window of this title, and the app that owns it, where the phone lists windows."""
    listed = (
        f"  Window #3 Window{{1 u0 {title}}}:\n    mDisplayId=0 stackId=1\n    package={owner} appop=NONE\n"
    )
    focus = f"  Display: mDisplayId=0\n  mCurrentFocus=Window{{1 u0 {title}}}\n  {focused}\n"
    return focus + (f"WINDOW MANAGER WINDOWS (dumpsys window windows)\n{listed}" if owner else "")


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("mCurrentFocus=null\n  mCurrentFocus=Window{1 u0 com.a/.B}", "com.a"),
        ("mCurrentFocus=Window{1 u10 com.a/com.a.B}", "com.a"),
        ("mCurrentFocus=Window{1 u0 NotificationShade}", "com.android.systemui"),
        (
            "mCurrentFocus=Window{1 u0 com.android.systemui.ImageWallpaper}",
            "com.android.systemui.ImageWallpaper",
        ),
        ("mCurrentFocus=Window{1 u0 AtchDlg:com.a/com.a.B}", "com.a"),
        (TWO_DISPLAYS, "com.example.shop"),
        (POPUP, "com.example.popup"),
        (POPUP.partition("WINDOW MANAGER WINDOWS")[0], "com.example.shop"),
        ("mCurrentFocus=Window{1 u0 PopupWindow:7f3a}", "com.android.systemui"),
        (ANDROID_9, "com.tencent.mm"),
        (FREEFORM, "com.example.memo"),
        (titled("Splash Screen com.b.c"), "com.b.c"),
        (titled("Splash Screen com.b.c", owner="com.b.c"), "com.b.c"),
        (titled("Starting com.b.c", focused=OLD_RECORD), "com.b.c"),
        (titled("SnapshotStartingWindow for taskId=12", focused=OLD_RECORD), "com.a"),
        (titled("PopupWindow:7f3a", focused=OLD_RECORD), "com.a"),
        (titled("com.b.c/com.b.c.Main EXITING"), "com.b.c"),
        *((titled(title), "com.a") for title in TITLES),
        *((titled(title, owner="com.b.c"), "com.b.c") for title in (*TITLES, "com.evil/.Main", "Panel")),
        (titled("NotificationShade"), "com.android.systemui"),
        (titled("Application Not Responding: com.b.c", owner="android"), "android"),
        ("mCurrentFocus=null", ""),
        (TWO_DISPLAYS.replace("Window{1a2b u0 com.example.shop/com.example.shop.Main}", "null"), ""),
        ("", ""),
    ],
)
def test_the_package_is_that_of_the_focused_window(text: str, package: str) -> None:
    assert read_window_state(text).package == package


def test_another_display_can_be_asked_for() -> None:
    assert read_window_state(TWO_DISPLAYS, display=14).package == "com.example.car"


def test_the_display_is_on_off_or_not_reported() -> None:
    assert (
        read_window_state("mAwake=false mScreenOnFully=false\n Display: mDisplayId=2 mAwake=true").awake
        is False
    )
    assert read_window_state("mAwake=true").awake is True
    assert read_window_state("").awake is None
    assert is_asleep("  mWakefulness=Asleep")
    assert is_asleep("  mWakefulness=Dozing")
    assert not is_asleep("  mWakefulness=Awake")
    assert not is_asleep("")


@pytest.mark.parametrize(
    ("text", "secure"),
    [
        (ANDROID_9, True),
        (FREEFORM, True),
        (FREEFORM.replace(" SECURE", ""), False),
        (FREEFORM.replace("mHasSurface=true\n", "mHasSurface=false\n"), False),
        (FREEFORM.replace("mDisplayId=0 rootTaskId=30", "mDisplayId=2 rootTaskId=30"), False),
        (FREEFORM.replace("fl=LAYOUT_IN_SCREEN SECURE SPLIT_TOUCH", "fl=#81812100"), True),
        (FREEFORM.replace("fl=LAYOUT_IN_SCREEN SECURE SPLIT_TOUCH", "fl=#81810100"), False),
        (FREEFORM.replace("SECURE SPLIT_TOUCH", "SECURE_LOOKS"), False),
        (POPUP, None),
        ("", None),
    ],
)
def test_a_window_that_forbids_screenshots_is_found(text: str, secure: bool | None) -> None:
    assert read_window_state(text).secure is secure


@pytest.mark.parametrize(
    ("text", "locked"),
    [
        ("  mShowingLockscreen=true mShowingDream=false", True),
        ("    KeyguardServiceDelegate\n      showing=true\n      inputRestricted=true\n", True),
        ("    KeyguardServiceDelegate\r\n      showing=false\r\n", False),
        ("  showing=true", False),
        ("KeyguardController:\n  KeyguardShowing=true AodShowing=false", True),
        ("KeyguardStateMonitor\n  mIsShowing=false", False),
    ],
)
def test_a_lock_screen_that_is_shown_is_found(text: str, locked: bool) -> None:
    assert read_window_state(text).locked is locked


def test_megabytes_of_garbage_take_little_time() -> None:
    for unit in (
        "Window #1 Window{a u0 b\n",
        "mAttrs={ fl=",
        "  Window #1 Window{a x\n",
        "mFocusedApp=",
        "\n  ",
    ):
        begin = time.monotonic()
        read_window_state(unit * (2**20 // len(unit)))
        assert time.monotonic() - begin < 4
