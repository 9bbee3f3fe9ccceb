"""Effects of each fault on the phone."""

from __future__ import annotations

import pytest

from phone.tests.simulated_phone.random_use import node, small, touch, visible_texts
from simulated_phone import Phone
from simulated_phone.machine.faults import FAULTS

MUSIC = "com.netease.cloudmusic"
BLACK = ((0, 0), (0, 0), (0, 0))


def phone_with(*faults: str) -> Phone:
    return Phone(seed=1, size=(540, 1200), density=210, faults=faults)


def test_an_advertisement_can_be_skipped_or_opened() -> None:
    phone = phone_with("advertisement")
    phone.start(MUSIC)
    assert "广告" in visible_texts(phone)
    touch(phone, "跳过 5")
    assert "推荐歌单" in visible_texts(phone)
    phone.press_key("KEYCODE_HOME")
    phone.start(MUSIC)
    touch(phone, "立即查看")
    assert "活动详情" in visible_texts(phone)
    phone.press_key("KEYCODE_BACK")
    assert "推荐歌单" in visible_texts(phone)


def test_a_permission_dialog_is_shown_once_by_another_package() -> None:
    phone = phone_with("permission_dialog")
    phone.start(MUSIC)
    assert phone.foreground[0] == "com.android.permissioncontroller"
    touch(phone, "不允许")
    assert phone.foreground[0] == MUSIC
    phone.press_key("KEYCODE_HOME")
    phone.start(MUSIC)
    assert phone.foreground[0] == MUSIC


def test_an_update_can_be_postponed_or_run_in_the_background() -> None:
    phone = phone_with("update_dialog")
    for label in ("以后再说", "立即更新"):
        phone.start(MUSIC)
        assert "发现新版本" in visible_texts(phone)
        touch(phone, label)
        assert "推荐歌单" in visible_texts(phone)
    assert "正在后台下载更新" in visible_texts(phone)


def test_pages_load_for_three_seconds() -> None:
    phone = phone_with("slow_loading")
    phone.start(MUSIC)
    assert "加载中…" in visible_texts(phone)
    phone.wait(3.1)
    assert "推荐歌单" in visible_texts(phone)
    touch(phone, "歌手")
    assert "加载中…" in visible_texts(phone)
    phone.press_key("KEYCODE_BACK")
    assert "推荐歌单" in visible_texts(phone)


def test_dialogs_of_several_faults_are_shown_in_sequence() -> None:
    phone = phone_with("advertisement", "permission_dialog", "update_dialog")
    phone.start(MUSIC)
    for label in ("跳过 5", "仅限这一次", "以后再说"):
        touch(phone, label)
    assert "推荐歌单" in visible_texts(phone)


def test_the_screen_is_off_until_woken_and_locked_until_swiped() -> None:
    phone = phone_with("screen_off")
    assert not visible_texts(phone)
    assert phone.screenshot().getextrema() == BLACK
    phone.tap(270, 600)
    phone.press_key("KEYCODE_HOME")
    assert not visible_texts(phone)
    phone.press_key("KEYCODE_WAKEUP")
    assert phone.locked
    assert "向上滑动解锁" in visible_texts(phone)
    phone.swipe(270, 1000, 270, 300)
    assert "搜索应用" in visible_texts(phone)


def test_rotation_swaps_width_and_height_while_it_is_on() -> None:
    phone = phone_with("rotation")
    assert phone.size == (1200, 540)
    phone.reset()
    assert phone.size == (1200, 540)
    phone.set_fault("rotation", False)
    assert phone.size == (540, 1200)


@pytest.mark.parametrize("name", FAULTS)
def test_faults_survive_reset_and_are_restored_from_snapshots(name: str) -> None:
    phone = small()
    fresh = phone.snapshot()
    phone.set_fault(name, True)
    assert phone.faults == {name}
    phone.start(MUSIC)
    phone.screenshot()
    phone.reset()
    assert phone.faults == {name}
    assert phone.snapshot() == phone_with(name).snapshot()
    phone.restore(fresh)
    assert phone.snapshot() == fresh
    assert node(phone, "搜索应用").clickable
