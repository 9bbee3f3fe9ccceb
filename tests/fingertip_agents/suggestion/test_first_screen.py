"""The first-screen baseline: which app it recognizes, which intent it answers, what it must not see."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from fingertip_agents.registry import get_agent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion.baselines import HabitBaseline
from fingertip_agents.suggestion.first_screen import (
    FirstScreenBaseline,
    KnownScreens,
    compare_screens,
    read_first_screens,
    shrink_screen,
)
from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TEST_SUGGESTION, TRAIN
from fingertip_dataset.tasks.task import SuggestionInput
from tests.fingertip_agents.suggestion.earlier_intents import at, earlier, task

COLORS = {"com.clock": (20, 20, 60), "com.music": (200, 30, 90), "com.map": (90, 200, 90)}


def draw(app: str, *, shade: int = 0, kind: str = "PNG", size: tuple[int, int] = (90, 200)) -> bytes:
    """A screen of an app: its colour, a little lighter, with a title and the app's own picture below."""
    picture = Image.new("RGB", size, tuple(part + shade for part in COLORS[app]))
    place = 1 + [*COLORS].index(app)
    picture.paste((255, 255, 255), (0, size[1] // 8, size[0] // 2, size[1] // 6))
    picture.paste((255, 255, 255), (size[0] // 4, place * size[1] // 5, size[0], (place + 1) * size[1] // 5))
    written = BytesIO()
    picture.save(written, kind)
    return written.getvalue()


def known(name: str, app: str, intent: str, *, shade: int = 0) -> KnownScreens:
    screens = (shrink_screen(draw(app, shade=shade)),)
    return KnownScreens(episode_id=name, app=app, intent=intent, screens=screens)


def in_app(intent: Intent, app: str) -> Intent:
    return replace(intent, app=f"{app}/.Main")


def agent(*training: KnownScreens) -> FirstScreenBaseline:
    return FirstScreenBaseline(lambda: training)


def show(view: SuggestionInput, *screens: bytes) -> SuggestionInput:
    return replace(view, screenshots=screens)


TRAINING = (
    known("2__20250301_080000", "com.clock", "设闹钟"),
    known("2__20250302_080000", "com.music", "听稻香"),
    known("3__20250302_080000", "com.map", "去机场"),
)
OWN = (
    in_app(earlier(at(10, 20), "听晴天"), "com.music"),
    in_app(earlier(at(11, 8), "设七点的闹钟"), "com.clock"),
    in_app(earlier(at(11, 22), "听夜曲"), "com.music"),
)


@pytest.mark.parametrize(("app", "answer"), [("com.clock", "设七点的闹钟"), ("com.music", "听夜曲")])
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_answers_what_the_person_did_in_the_shown_app(app: str, answer: str, kind: str) -> None:
    shown = show(task(*OWN), draw(app, shade=4, kind=kind, size=(180, 400)))
    one = agent(*TRAINING)
    assert one.recognize_app(shown) == app
    assert one.suggest(shown).text == answer


def test_without_an_earlier_intent_in_the_app_it_takes_the_most_similar_episodes() -> None:
    assert agent(*TRAINING).suggest(show(task(*OWN), draw("com.map"))).text == "去机场"
    assert agent(*TRAINING).suggest(show(task(), draw("com.clock"))).text == "设闹钟"


@given(st.sampled_from([(), (b"no picture",)]))
def test_without_a_readable_screen_it_answers_as_the_habit(screens: Sequence[bytes]) -> None:
    view = show(task(*OWN), *screens)
    assert FirstScreenBaseline().suggest(view).text == HabitBaseline().suggest(view).text
    assert FirstScreenBaseline().recognize_app(view) is None


def test_neither_the_task_itself_nor_later_episodes_of_the_person_are_seen() -> None:
    """The most similar screens are the person's own of this moment and later: they would tell the answer."""
    own = [known(f"1__2025031{day}_080000", "com.map", "去火星") for day in (2, 3)]
    assert agent(*TRAINING, *own).suggest(show(task(), draw("com.map"))).text == "去机场"
    before = known("1__20250311_080000", "com.map", "去公园")
    assert agent(*TRAINING, *own, before).suggest(show(task(), draw("com.map"))).text == "去公园"


def test_a_screen_that_many_apps_share_leaves_the_decision_to_the_habit() -> None:
    """An advertisement looks the same in both apps: at this hour the person sets alarms."""
    ad = shrink_screen(draw("com.map"))
    training = [replace(one, screens=(ad,)) for one in TRAINING[:2]]
    view = task(*OWN)
    answer = agent(*training).suggest(show(view, draw("com.map")))
    assert answer.text == HabitBaseline().suggest(view).text == "设七点的闹钟"
    # the second screen tells
    second = [replace(one, screens=(ad, shrink_screen(draw(one.app)))) for one in TRAINING[:2]]
    assert agent(*second).suggest(show(view, draw("com.map"), draw("com.music"))).text == "听夜曲"


def slow_likeness(shown: list[list[float]], known: dict[str, list[list[float]]], scale: float) -> list[float]:
    """exp(-d / scale) of each; d: mean over the shown screens of the least difference, in plain Python."""
    found = []
    for screens in known.values():
        least = [
            min(sum(map(abs, map(float.__sub__, one, other))) / len(one) for other in screens)
            for one in shown
        ]
        found.append(math.exp(-sum(least) / len(least) / scale))
    return found


PICTURE = st.lists(st.floats(-1, 1, width=32), min_size=6, max_size=6)


@given(
    st.lists(PICTURE, min_size=1, max_size=3),
    st.lists(st.lists(PICTURE, min_size=1, max_size=3), min_size=1, max_size=4),
)
def test_likeness_equals_a_slow_oracle(shown: list[list[float]], known: list[list[list[float]]]) -> None:
    def picture(values: list[float]) -> NDArray[np.float32]:
        return np.array(values, np.float32).reshape(2, 1, 3)

    episodes = [
        KnownScreens(
            episode_id=str(number), app=str(number % 2), intent="", screens=(None, *map(picture, screens))
        )
        for number, screens in enumerate(known)
    ]
    seen = compare_screens([*map(picture, shown)], episodes, scale=0.3)
    of_episodes = slow_likeness(shown, {str(number): screens for number, screens in enumerate(known)}, 0.3)
    assert list(seen.episodes.values()) == pytest.approx(of_episodes, abs=1e-5)
    assert of_episodes[int(seen.nearest.episode_id)] == pytest.approx(max(of_episodes), abs=1e-5)
    by_app = {
        app: [one for number, screens in enumerate(known) for one in screens if str(number % 2) == app]
        for app in seen.apps
    }
    assert list(seen.apps.values()) == pytest.approx(slow_likeness(shown, by_app, 0.3), abs=1e-5)


def test_a_distribution_and_settings_are_those_of_the_setup() -> None:
    several = FirstScreenBaseline(lambda: TRAINING, distribution=True)
    answer = several.suggest(show(task(*OWN), draw("com.music")))
    assert [text for text, _ in answer.alternatives] == ["听夜曲", "听晴天", "设七点的闹钟"]
    assert sum(share for _, share in answer.alternatives) == pytest.approx(1)
    assert several.settings["distribution"] is True
    assert several.settings["episodes"] == 4000
    made = get_agent("first-screen", AgentSetup())
    with pytest.raises(
        UsageError, match="the agent first-screen compares with screens of a dataset: give one"
    ):
        made.suggest(show(task(*OWN), draw("com.music")))


def test_the_training_part_of_simulated_people_tells_the_apps(people: Path) -> None:
    """Apps of the test's first screens, recognized from the pictures alone."""
    training = read_first_screens(people, most=1000)
    built = BuiltDataset.open(people)
    ids = {row["episode_id"] for row in built.rows(TRAIN, columns=("episode_id",))}
    assert {one.episode_id for one in training} <= ids
    assert len(read_first_screens(people, most=3)) == min(3, len(training))
    apps = {one.app for one in training}
    one, right, n = agent(*training), 0, 0
    for row in built.rows(TEST_SUGGESTION, columns=("episode_id", "app", "screenshots"), config="default"):
        if row["app"].partition("/")[0] in apps and row["screenshots"][0]:
            view = replace(task(), task_id=row["episode_id"], screenshots=(row["screenshots"][0]["bytes"],))
            right += one.recognize_app(view) == row["app"].partition("/")[0]
            n += 1
    assert n > 0
    assert right == n
