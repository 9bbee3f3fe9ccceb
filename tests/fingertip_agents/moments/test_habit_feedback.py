"""What the habit does with a person's answers to earlier suggestions."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from fingertip_agents.moments.moment_baselines import MomentHabit, is_rejected, measure_feedback
from fingertip_agents.moments.speaking_rule import SpeakingRule
from fingertip_agents.suggestion.suggestion_agent import SILENT
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.feedback import Feedback, PastOffer
from fingertip_dataset.tasks.task import SuggestionInput

NOW = datetime.fromisoformat("2025-03-12T08:00:00+08:00")
TEA = "order a jasmine tea"


RULE = SpeakingRule(weights=(3.0, 1.0, 0.0, 0.0), threshold=0.9)
"""Speaks where habits of earlier days are strong."""


def make_task(*feedback: PastOffer) -> SuggestionInput:
    days = [NOW - timedelta(days=day) for day in (6, 5, 2, 1)]
    intents = [
        Intent(user_id="1", time=day.strftime("%Y%m%d_%H%M%S"), scenario="home", app="tea", text=TEA)
        for day in days
    ]
    return SuggestionInput(
        task_id="1__20250312_080000", profile=UserProfile(), time=NOW, scenario="home",
        previous_intents=tuple(intents), feedback=feedback,
    )  # fmt: skip


def answered(feedback: Feedback, *, days: int = 1, hours: float = 0, text: str = TEA) -> PastOffer:
    time = NOW - timedelta(days=days, hours=hours)
    return PastOffer(time=time.isoformat(), scenario="home", text=text, feedback=feedback)


def test_answers_of_this_hour_and_place_shift_the_measure() -> None:
    assert measure_feedback(make_task()) == 0
    near, far = answered("not_now"), answered("not_now", hours=6)
    elsewhere = replace(near, scenario="office")
    at_near, at_far, at_other = (measure_feedback(make_task(one)) for one in (near, far, elsewhere))
    assert at_near < at_other < at_far <= 0
    assert measure_feedback(make_task(answered("accepted"))) == pytest.approx(-at_near)
    assert measure_feedback(make_task(answered("ignored"))) == 0
    assert measure_feedback(make_task(answered("never"))) == at_near


def test_hidden_times_leave_the_place() -> None:
    hidden = replace(answered("not_now", hours=6), time="")
    assert measure_feedback(make_task(hidden)) == measure_feedback(make_task(answered("not_now")))


def test_what_was_rejected_is_not_offered_again_the_same_day() -> None:
    today, before = answered("not_now", days=0, hours=1), answered("not_now")
    assert is_rejected(f"{TEA}!", make_task(today))
    assert not is_rejected(TEA, make_task(before))
    assert is_rejected(TEA, make_task(answered("never", days=5)))
    assert not is_rejected("call mum", make_task(today))
    assert not is_rejected(TEA, make_task(replace(today, feedback="ignored")))


def test_the_habit_is_silent_after_enough_rejections_and_says_so_by_its_confidence() -> None:
    habit = MomentHabit(RULE, fitted=2)
    free = habit.suggest(make_task())
    assert (free.text, free.outcome) == (TEA, "answered")
    less = habit.suggest(make_task(answered("not_now")))
    more = habit.suggest(make_task(answered("accepted")))
    assert more.confidence > free.confidence > less.confidence > 0
    often = habit.suggest(make_task(*(answered("not_now", days=7 * week + 1) for week in range(9))))
    assert (often.text, often.outcome) == ("", SILENT)
    today = habit.suggest(make_task(answered("not_now", days=0, hours=7)))
    assert (today.text, today.outcome) == ("", SILENT)
    assert habit.settings["feedback_weight"] == 0.5
