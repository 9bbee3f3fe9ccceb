"""What each switch does to the phone itself."""

from __future__ import annotations

import pytest

from simulated_phone import App, Phone
from simulated_phone.faults import FAULTS
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.widgets import Button
from tests.simulated_phone.walks import node, small, touch

MUSIC = "com.netease.cloudmusic"
BLACK = ((0, 0), (0, 0), (0, 0))


def phone_with(*faults: str) -> Phone:
    return Phone(seed=1, size=(540, 1200), density=210, faults=faults)


def reply(phone: Phone) -> set[str]:
    return {found.text for found in phone.screen().nodes()} - {""}


def test_an_advertisement_is_skipped_or_leads_astray() -> None:
    phone = phone_with("advertisement")
    phone.start(MUSIC)
    assert "广告" in reply(phone)
    touch(phone, "跳过 5")
    assert "推荐歌单" in reply(phone)
    phone.press_key("KEYCODE_HOME")
    phone.start(MUSIC)
    touch(phone, "立即查看")
    assert "活动详情" in reply(phone)
    phone.press_key("KEYCODE_BACK")
    assert "推荐歌单" in reply(phone)


def test_a_permission_is_asked_once_by_another_package() -> None:
    phone = phone_with("permission_dialog")
    phone.start(MUSIC)
    assert phone.foreground[0] == "com.android.permissioncontroller"
    touch(phone, "不允许")
    assert phone.foreground[0] == MUSIC
    phone.press_key("KEYCODE_HOME")
    phone.start(MUSIC)
    assert phone.foreground[0] == MUSIC


def test_an_update_can_wait_or_go_on_behind() -> None:
    phone = phone_with("update_dialog")
    for label in ("以后再说", "立即更新"):
        phone.start(MUSIC)
        assert "发现新版本" in reply(phone)
        touch(phone, label)
        assert "推荐歌单" in reply(phone)
    assert "正在后台下载更新" in reply(phone)


def test_pages_load_for_three_seconds() -> None:
    phone = phone_with("slow_loading")
    phone.start(MUSIC)
    assert "加载中…" in reply(phone)
    phone.wait(3.1)
    assert "推荐歌单" in reply(phone)
    touch(phone, "歌手")
    assert "加载中…" in reply(phone)
    phone.press_key("KEYCODE_BACK")
    assert "推荐歌单" in reply(phone)


def test_all_interruptions_come_one_after_another() -> None:
    phone = phone_with("advertisement", "permission_dialog", "update_dialog")
    phone.start(MUSIC)
    for label in ("跳过 5", "仅限这一次", "以后再说"):
        touch(phone, label)
    assert "推荐歌单" in reply(phone)


def test_the_screen_is_off_until_woken_and_swiped() -> None:
    phone = phone_with("screen_off")
    assert not reply(phone)
    assert phone.screenshot().getextrema() == BLACK
    phone.tap(270, 600)
    phone.press_key("KEYCODE_HOME")
    assert not reply(phone)
    phone.press_key("KEYCODE_WAKEUP")
    assert phone.locked
    assert "向上滑动解锁" in reply(phone)
    phone.swipe(270, 1000, 270, 300)
    assert "搜索应用" in reply(phone)


def test_power_turns_the_screen_off_and_on() -> None:
    phone = small()
    phone.press_key("KEYCODE_POWER")
    assert not phone.screen_on
    phone.press_key("KEYCODE_POWER")
    assert "向上滑动解锁" in reply(phone)
    phone.unlock()
    assert "搜索应用" in reply(phone)


def test_rotation_lays_the_phone_on_its_side_until_it_is_turned_back() -> None:
    phone = phone_with("rotation")
    assert phone.size == (1200, 540)
    phone.reset()
    assert phone.size == (1200, 540)
    phone.set_fault("rotation", False)
    assert phone.size == (540, 1200)


def test_paying_is_black_in_the_picture_only() -> None:
    app = App(
        package="com.example.till",
        activity=".Till",
        label="收银",
        english="Till",
        glyph="wallet",
        color="#123456",
        initial=lambda rng: {},
        pages={
            "pay": lambda view: AppPage(
                title="付款", body=[Button("确认付款", action_ref("back"))], secure=True
            )
        },
        home="pay",
    )
    phone = Phone(apps=[app], size=(540, 1200), density=210)
    phone.start(app.package)
    assert phone.screenshot().getextrema() != BLACK
    phone.set_fault("black_payment_screen", True)
    assert phone.screenshot().getextrema() == BLACK
    assert "确认付款" in phone.tree()
    phone.press_key("KEYCODE_HOME")
    assert phone.screenshot().getextrema() != BLACK


@pytest.mark.parametrize("name", FAULTS)
def test_every_switch_goes_on_and_off_and_survives_reset_and_restore(name: str) -> None:
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
