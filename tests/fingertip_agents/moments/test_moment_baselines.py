"""Baselines of when to speak, and the rule that the habits are weighed by."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.moments.moment_baselines import (
    AlwaysBaseline,
    HourBaseline,
    MomentHabit,
    NeverBaseline,
    fit_habit,
    is_rejected,
    measure_habit,
)
from fingertip_agents.moments.speaking_rule import NEVER, SpeakingRule, choose_threshold, fit_rule
from fingertip_agents.registry import get_agent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion.baselines import HabitBaseline
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.feedback import Feedback, PastOffer
from fingertip_dataset.tasks.task import SuggestionInput, SuggestionTask, TaskTarget
from fingertip_dataset.times import BEIJING

MUSIC = "Open Music, play the morning list"


def make_input(when: str, *earlier: str, place: str = "home") -> SuggestionInput:
    intents = tuple(
        Intent(user_id="1", time=time, scenario="home", app="music", text=MUSIC) for time in earlier
    )
    time = datetime.strptime(when, "%Y%m%d_%H%M%S").replace(tzinfo=BEIJING)
    return SuggestionInput(
        task_id=f"1__{when}", profile=UserProfile(), time=time, scenario=place, previous_intents=intents
    )


def make_month() -> list[SuggestionTask]:
    """Music at 8 at home every day; 20 o'clock is as often looked at, and nothing is wanted then."""
    tasks = []
    for day in range(3, 15):
        earlier = [f"202503{before:02}_080000" for before in range(3, day)]
        for hour, wanted in (("08", True), ("20", False)):
            task_input = make_input(f"202503{day:02}_{hour}0000", *earlier)
            target = TaskTarget(
                task_id=task_input.task_id,
                user_id="1",
                app="music" if wanted else "",
                intent=MUSIC if wanted else "",
                intent_category=None,
                kind="intent" if wanted else "glance",
            )
            tasks.append(SuggestionTask(input=task_input, target=target))
    return tasks


MORNING = make_input("20250320_080500", *(f"202503{day:02}_080000" for day in range(3, 20)))
EVENING = replace(MORNING, time=MORNING.time + timedelta(hours=12))


def test_always_speaks_and_never_does_not() -> None:
    assert AlwaysBaseline().suggest(EVENING).text == HabitBaseline().suggest(EVENING).text == MUSIC
    assert AlwaysBaseline().suggest(EVENING).confidence == 1
    assert AlwaysBaseline().suggest(make_input("20250320_080000")).outcome == "silent"
    silent = NeverBaseline().suggest(MORNING)
    assert (silent.text, silent.outcome, silent.confidence) == ("", "silent", 0)


def test_the_hour_decides_by_its_share_alone() -> None:
    agent = HourBaseline(tuple(0.7 if hour == 8 else 0.2 for hour in range(24)))
    for place in ("home", "office"):
        assert agent.suggest(replace(MORNING, scenario=place)).confidence == 0.7
        assert agent.suggest(replace(EVENING, scenario=place)).text == ""
    with pytest.raises(UsageError, match="a share for each of 24 hours, got 3"):
        HourBaseline((0.1, 0.2, 0.3))


def test_a_habit_is_offered_at_its_time_and_not_at_another() -> None:
    agent = MomentHabit(fit_habit(make_month()), fitted=24)
    morning, evening = agent.suggest(MORNING), agent.suggest(EVENING)
    assert (morning.text, evening.outcome) == (MUSIC, "silent")
    assert morning.confidence is not None
    assert evening.confidence is not None
    assert morning.confidence > agent.settings["threshold"] > evening.confidence  # type: ignore[operator]


def test_what_was_just_done_makes_silence_likelier() -> None:
    done = replace(MORNING, previous_intents=(*MORNING.previous_intents, replace(
        MORNING.previous_intents[-1], time="20250320_080000")))  # fmt: skip
    assert measure_habit(MORNING)[2] == 0
    assert measure_habit(done)[2] == 1
    assert measure_habit(done)[1] > measure_habit(MORNING)[1]
    assert measure_habit(done)[0] == measure_habit(MORNING)[0]


@pytest.mark.parametrize("hidden", ["time", "scenario"])
def test_hidden_parts_have_no_weight(hidden: str) -> None:
    intents = tuple(replace(intent, **{hidden: ""}) for intent in MORNING.previous_intents)
    change = {"time": None} if hidden == "time" else {"scenario": ""}
    features = measure_habit(replace(MORNING, previous_intents=intents, **change))
    assert all(isinstance(feature, float) for feature in features)


@pytest.mark.parametrize(
    ("feedback", "day", "is_offered"),
    [("never", "2025-03-10", False), ("not_now", "2025-03-20", False), ("not_now", "2025-03-19", True),
     ("ignored", "2025-03-20", True), ("accepted", "2025-03-20", True)],
)  # fmt: skip
def test_what_was_rejected_is_not_offered_again(feedback: Feedback, day: str, is_offered: bool) -> None:
    past = PastOffer(time=f"{day}T07:00:00+08:00", scenario="home", text=f"{MUSIC}.", feedback=feedback)
    task_input = replace(MORNING, feedback=(past,))
    assert is_rejected(MUSIC, task_input) != is_offered
    rule = SpeakingRule(weights=(0.0, 0.0, 0.0, 0.0), threshold=0.3)
    assert bool(MomentHabit(rule, fitted=1).suggest(task_input).text) == is_offered


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=12))
def test_no_other_threshold_is_better(moments: list[tuple[float, bool]]) -> None:
    def gain(threshold: float) -> int:
        return sum(1 if wanted else -1 for chance, wanted in moments if chance >= threshold)

    moments = [(round(chance, 4), wanted) for chance, wanted in moments]
    chosen = gain(choose_threshold(moments))
    assert chosen == max([0, *(gain(chance) for chance, _ in moments)])


@pytest.mark.parametrize("wanted", [True, False])
def test_a_rule_fits_moments_of_one_kind(wanted: bool) -> None:
    rule = fit_rule([((1.0, 2.0), wanted), ((1.5, 0.0), wanted)])
    assert (rule.estimate((1.0, 2.0)) > 0.9) == wanted
    assert (rule.threshold == NEVER) == (not wanted)


def test_agents_that_learn_need_the_dataset() -> None:
    for name in ("hour", "habit"):
        with pytest.raises(UsageError, match=f"the agent {name} learns from the dataset: give its setup"):
            get_agent(name, AgentSetup(moments=True))
    assert type(get_agent("habit")) is HabitBaseline
