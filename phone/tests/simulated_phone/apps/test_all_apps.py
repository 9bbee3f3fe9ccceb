"""Properties of every app: worlds that follow from the seed, names, voice input, and the way out."""

from __future__ import annotations

from itertools import permutations

import pytest

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import App, Phone
from simulated_phone.apps import APPS
from simulated_phone.apps.browser.data import WEB
from simulated_phone.apps.reader.data import BOOKS
from simulated_phone.apps.store.data import CATALOGUE, KINDS
from simulated_phone.apps.video.data import AUTHORS, VIDEOS
from simulated_phone.goals.app_definition import generator
from simulated_phone.goals.steps import Tap

WITH_GOALS = [app for app in APPS if app.goals]
HALF_SAID = {
    "Reader": ["字体", "背景换成紫色", "放入书架", "大"],
    "Video": ["关注", "收藏"],
    "Weather": ["打开火星的下雨提醒", "添加"],
}
"""English name -> phrases that name a command of the app without what it needs."""
PHRASES = [
    (app, spoken) for app in WITH_GOALS for spoken in ("给我讲个笑话", *HALF_SAID.get(app.english, ()))
]


@pytest.mark.parametrize("app", WITH_GOALS, ids=lambda app: app.english)
def test_a_world_follows_from_its_seed_alone(app: App) -> None:
    first, again, other = (app.initial(generator(app.package, seed)) for seed in (1, 1, 2))
    assert first == again
    # the camera and the settings are the same on every phone
    assert first != other or app.english in ("Camera", "Settings")


@pytest.mark.parametrize("app", WITH_GOALS, ids=lambda app: app.english)
def test_back_leaves_an_app_from_its_first_page(phone: Phone, app: App) -> None:
    phone.start(app.package)
    assert phone.foreground[0] == app.package
    phone.press_key("KEYCODE_BACK")
    assert phone.foreground[0] == phone.launcher.package


@pytest.mark.parametrize("names", [WEB, BOOKS, [*CATALOGUE, *KINDS], [*VIDEOS, *AUTHORS]])
def test_no_name_contains_another(names: list[str]) -> None:
    """A label identifies one element."""
    assert [(one, other) for one, other in permutations(names, 2) if one in other] == []


@pytest.mark.parametrize(("app", "phrase"), PHRASES, ids=lambda value: getattr(value, "english", value))
def test_a_phrase_that_is_not_understood_changes_nothing(phone: Phone, app: App, phrase: str) -> None:
    before = phone.snapshot().data["apps"]
    AppSteps(app.package).speak(phone, phrase)
    # others search for what they do not know
    assert phone.toast == ("" if app.english in ("Food", "Shopping", "Maps") else "没有听懂，请再说一遍")
    assert phone.snapshot().data["apps"] == before


@pytest.mark.parametrize("app", WITH_GOALS, ids=lambda app: app.english)
def test_voice_input_asks_for_a_phrase(phone: Phone, app: App) -> None:
    AppSteps(app.package).play(phone, Tap("语音"), Tap("完成"))
    assert phone.toast == "请先说出指令"
