"""Functions of the launcher, the clock, music and settings that no strategy uses."""

from __future__ import annotations

import pytest

from phone.tests.simulated_phone.random_use import node, small, touch, visible_texts
from simulated_phone import Phone
from simulated_phone.apps import LAUNCHER
from simulated_phone.apps.clock import CLOCK
from simulated_phone.goals.app_definition import choose
from simulated_phone.goals.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.people.gestures import GestureHabits, GesturePlayer
from simulated_phone.voice import LISTENS, write_digits

DESKCLOCK, MUSIC, SETTINGS = "com.android.deskclock", "com.netease.cloudmusic", "com.android.settings"


@pytest.mark.parametrize(
    ("phrase", "digits"),
    [
        ("七点半", "7点半"),
        ("二十五分钟", "25分钟"),
        ("十点十五", "10点15"),
        ("一百二十", "120"),
        ("两点零五分", "2点5分"),
        ("7:05", "7:05"),
        ("没有数", "没有数"),
    ],
)
def test_chinese_numerals_become_digits(phrase: str, digits: str) -> None:
    assert write_digits(phrase) == digits


def test_choose_prefers_the_longest_named_option() -> None:
    assert choose("我要听今天", ["天", "今天"]) == "今天"
    assert choose("周", ["周杰伦"]) == "周杰伦"
    assert choose("", ["周杰伦"]) is None
    assert choose("火箭", ["周杰伦"]) is None


def test_an_invalid_typed_time_is_refused() -> None:
    phone = small()
    count = len(phone.state[DESKCLOCK]["alarms"])
    GesturePlayer(phone).play([Open(DESKCLOCK), Tap("添加闹钟"), Tap("输入时间")])
    GesturePlayer(phone).play([TypeText("25", into="小时"), Press("back"), Tap("保存")])
    assert "请输入正确的时间" in visible_texts(phone)
    assert len(phone.state[DESKCLOCK]["alarms"]) == count


def test_an_alarms_days_and_name_are_changed() -> None:
    phone = small()
    phone.start(DESKCLOCK)
    time = next(found.text for found in phone.screen().nodes() if found.view_id == "title")
    steps: list[Step] = [
        Tap(time),
        Tap("每天"),
        Tap("周日"),
        TypeText("量血压", into="闹钟名称", clear=True),
        Press("back"),
    ]
    GesturePlayer(phone).play([*steps, Tap("保存")])
    alarm = next(alarm for alarm in phone.state[DESKCLOCK]["alarms"] if alarm["label"] == "量血压")
    assert alarm["days"] == "012345"
    assert "量血压 · 每周一、二、三、四、五、六" in visible_texts(phone)


def test_the_player_skips_goes_back_and_pauses() -> None:
    phone = small()
    GesturePlayer(phone).play([Open(MUSIC), Tap("歌手"), Tap("周杰伦"), Tap("稻香"), Tap("下一首")])
    assert phone.state[MUSIC]["song"] == "七里香"
    GesturePlayer(phone).play([Tap("上一首"), Tap("上一首"), Tap("暂停"), Tap("顺序播放")])
    assert (phone.state[MUSIC]["song"], phone.state[MUSIC]["on"]) == ("晴天", False)
    assert phone.state[MUSIC]["mode"] == "随机播放"
    assert [fact.name for fact in phone.facts if fact.app == MUSIC] == ["playing"] * 4 + ["paused"]


def test_playlist_names_are_unique() -> None:
    phone = small()
    name = next(iter(phone.state[MUSIC]["lists"]))
    GesturePlayer(phone).play(
        [Open(MUSIC), Tap("我的"), Tap("新建歌单"), TypeText(name, into="歌单名称"), Tap("创建")]
    )
    assert "请换一个歌单名称" in visible_texts(phone)


def test_the_launcher_finds_apps_by_partial_english_name_and_by_voice() -> None:
    phone = small()
    GesturePlayer(phone).play([Tap("搜索应用"), TypeText("cloc", into="搜索应用")])
    assert "时钟" in visible_texts(phone)
    assert "音乐" not in visible_texts(phone)
    phone.press_key("KEYCODE_ENTER")
    assert phone.foreground[0] == DESKCLOCK
    GesturePlayer(phone).play(
        [Press("home"), Tap("语音助手"), TypeText("打开音乐", into=LISTENS), Tap("完成")]
    )
    assert phone.foreground[0] == MUSIC
    GesturePlayer(phone).play([Press("home"), Tap("搜索应用"), TypeText("火箭", into="搜索应用")])
    assert "没有找到应用" in visible_texts(phone)


def test_a_phone_with_few_apps_works() -> None:
    phone = Phone(apps=[CLOCK], size=(540, 1200), density=210)
    assert phone.packages() == (DESKCLOCK, LAUNCHER.package)
    GesturePlayer(phone, GestureHabits(opening="search")).play([Open(DESKCLOCK), Press("home"), Hold("时钟")])
    assert "应用信息" not in visible_texts(phone)
    phone.press_key("KEYCODE_HOME")
    phone.swipe(270, 5, 270, 600)
    assert "已开启" in visible_texts(phone)


def test_recent_apps_are_closed_singly_and_all_together() -> None:
    phone = small()
    for package in (DESKCLOCK, MUSIC, SETTINGS):
        phone.start(package)
    phone.press_key("KEYCODE_APP_SWITCH")
    touch(phone, "移除音乐")
    assert "音乐" not in visible_texts(phone)
    touch(phone, "全部清除")
    assert phone.foreground[0] == LAUNCHER.package
    phone.press_key("KEYCODE_APP_SWITCH")
    assert "没有最近打开的应用" in visible_texts(phone)
    phone.press_key("KEYCODE_APP_SWITCH")
    assert node(phone, "搜索应用").clickable
