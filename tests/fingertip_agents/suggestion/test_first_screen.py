"""The first-screen baseline: which app it recognizes, which intent it answers, what it must not see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fingertip_agents.registry import get_agent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion.baselines import HabitBaseline
from fingertip_agents.suggestion.first_screen import (
    FirstScreenBaseline,
    KnownScreens,
    measure_difference,
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
    """A screen of an app: its colour, a little lighter, with a bar and a title."""
    picture = Image.new("RGB", size, tuple(part + shade for part in COLORS[app]))
    picture.paste((255, 255, 255), (0, size[1] // 8, size[0] // 2, size[1] // 6))
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


def test_several_neighbours_vote() -> None:
    lone = known("4__20250301_080000", "com.map", "x", shade=9)
    lone = replace(lone, screens=(shrink_screen(draw("com.clock")),))
    crowd = [known(f"{user}__20250301_080000", "com.clock", "设闹钟", shade=1) for user in range(5, 9)]
    assert agent(lone, *crowd).recognize_app(show(task(), draw("com.clock"))) == "com.clock"


def test_a_distribution_and_settings_are_those_of_the_setup() -> None:
    several = FirstScreenBaseline(lambda: TRAINING, distribution=True)
    answer = several.suggest(show(task(*OWN), draw("com.music")))
    assert [text for text, _ in answer.alternatives] == ["听夜曲", "听晴天"]
    assert sum(share for _, share in answer.alternatives) == pytest.approx(1)
    assert several.settings["distribution"] is True
    assert several.settings["neighbours"] == 5
    made = get_agent("first-screen", AgentSetup())
    with pytest.raises(
        UsageError, match="the agent first-screen compares with screens of a dataset: give one"
    ):
        made.suggest(show(task(*OWN), draw("com.music")))


@given(st.integers(0, 255), st.integers(0, 255), st.booleans())
def test_differences_are_symmetric_and_ignore_missing_screens(one: int, other: int, gap: bool) -> None:
    first, second = (np.full((24, 12, 3), value / 255, np.float32) for value in (one, other))
    more = [None, first] if gap else [first]
    expected = abs(one - other) / 255
    padded = [second, second] if gap else [second]
    assert measure_difference(more, padded) == pytest.approx(expected, abs=1e-6)
    assert measure_difference(padded, more) == pytest.approx(expected, abs=1e-6)


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
