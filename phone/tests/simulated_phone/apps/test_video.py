"""The video app: its rules, and taps outside any strategy."""

from __future__ import annotations

from typing import Any

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import GoalInstance, Phone
from simulated_phone.apps.video.data import PACKAGE, VIDEOS, find_position
from simulated_phone.goals.steps import Open, Tap
from simulated_phone.people.gestures import GesturePlayer

spoken_steps = AppSteps(PACKAGE).spoken

DISH = "糖醋排骨不失败"


def state(phone: Phone) -> dict[str, Any]:
    return dict(phone.state[PACKAGE])


def test_a_paused_video_does_not_count_as_playing(phone: Phone) -> None:
    aim = GoalInstance(package=PACKAGE, goal="play_video", arguments={"title": DISH})
    GesturePlayer(phone).play(spoken_steps(f"播放{DISH}"))
    assert phone.achieved(aim)
    GesturePlayer(phone).play([Tap("暂停")])
    assert not phone.achieved(aim)
    GesturePlayer(phone).play([Tap("播放")])
    assert phone.achieved(aim)


def test_the_position_advances_only_while_playing(phone: Phone) -> None:
    GesturePlayer(phone).play(spoken_steps(f"播放{DISH}"))
    begun = find_position(state(phone)["playing"], phone.now)
    phone.wait(60)
    assert find_position(state(phone)["playing"], phone.now) == begun + 60
    GesturePlayer(phone).play([Tap("暂停")])
    paused = find_position(state(phone)["playing"], phone.now)
    phone.wait(60)
    assert find_position(state(phone)["playing"], phone.now) == paused
    GesturePlayer(phone).play([Tap("播放")])
    phone.wait(10_000)
    assert find_position(state(phone)["playing"], phone.now) == VIDEOS[DISH].length


def test_a_video_resumes_at_its_last_position(phone: Phone) -> None:
    GesturePlayer(phone).play(spoken_steps("播放左手怎么练"))
    phone.wait(100)
    GesturePlayer(phone).play(spoken_steps("播放识谱入门"))
    left = next(seen for seen in state(phone)["history"] if seen["title"] == "左手怎么练")["position"]
    assert left >= 100
    GesturePlayer(phone).play(spoken_steps("继续看左手怎么练"))
    assert state(phone)["playing"]["position"] == left
    assert [seen["title"] for seen in state(phone)["history"]][:2] == ["左手怎么练", "识谱入门"]


def test_unfollowing_needs_confirmation(phone: Phone) -> None:
    author = state(phone)["follows"][0]
    GesturePlayer(phone).play([Open(PACKAGE), Tap("关注"), Tap(author), Tap("已关注"), Tap("再想想")])
    assert author in state(phone)["follows"]
    GesturePlayer(phone).play([Tap("已关注"), Tap("取消关注"), Tap("关注")])
    assert author in state(phone)["follows"]
