"""The app in front by `dumpsys window`, in the forms of several versions of Android."""

from __future__ import annotations

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
        ("mCurrentFocus=null", ""),
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
