"""The nearest moments, against their formula written out another way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from fingertip_agents.suggestion.baselines import FrequentBaseline, HabitBaseline
from fingertip_agents.suggestion.nearest import Nearest, NearestSettings
from fingertip_agents.suggestion.suggestion_agent import MOST_INTENTS, SuggestionAgent
from fingertip_dataset.episodes import Intent
from tests.examples import examples
from tests.fingertip_agents.suggestion.earlier_intents import HISTORIES, at, earlier, task


def test_no_history_is_no_answer() -> None:
    answer = Nearest(distribution=True).suggest(task())
    assert (answer.text, answer.alternatives, answer.calls) == ("", (), 0)


def test_what_is_hidden_does_not_weigh() -> None:
    output = (earlier(at(4, 20), "b"), earlier(at(5, 8), "a", scenario="学校"), earlier(at(11, 20), "b"))
    assert Nearest().suggest(task(*output, scenario="学校")).text == "a"
    assert Nearest().suggest(task(*output, scenario="")).text == "a"
    assert Nearest().suggest(task(*output, scenario="", time=None)).text == "b"


def votes(history: list[Intent], moments: int) -> dict[int, float]:
    """The formula of the docstring, by another arithmetic."""
    weights = []
    for intent in history:
        moment = intent.moment
        turn = ((moment.hour - 8) * 60 + moment.minute) / (24 * 60) * 2 * math.pi
        distance = math.acos(max(-1, min(1, math.cos(turn)))) / (2 * math.pi) * 24
        day = 1 if moment.strftime("%a") == "Wed" else 0.4 if moment.strftime("%a") in ("Sat", "Sun") else 0.8
        age = (history[-1].moment - moment) / timedelta(days=1)
        place = 1 if intent.scenario == "住所" else 0.25
        weights.append(math.exp(-0.5 * (distance / 1.5) ** 2) * day * place * 0.5 ** (age / 30))
    order = sorted(range(len(history)), key=lambda number: (-weights[number], -number))[:moments]
    words = [intent.text.replace("。", "").replace(" ", "") for intent in history]
    return {
        one: sum(weights[other] * Indel.normalized_similarity(words[one], words[other]) for other in order)
        for one in order
    }


@given(HISTORIES, st.integers(1, 12))
@settings(deadline=None, max_examples=examples(60))
def test_it_agrees_with_its_formula_written_out(history: list[Intent], moments: int) -> None:
    found = votes(history, moments)
    answer = Nearest(NearestSettings(moments=moments), distribution=True).suggest(task(*history))
    best = max(found.values())
    near = [history[number].text for number, value in found.items() if value >= best * (1 - 1e-6)]
    assert answer.text in near
    shares = {text.replace("。", "").replace(" ", ""): share for text, share in answer.alternatives}
    wanted = {
        history[number].text.replace("。", "").replace(" ", ""): value for number, value in found.items()
    }
    total = sum(wanted.values())
    assert shares == pytest.approx({text: value / total for text, value in wanted.items()}, abs=1e-6)


@pytest.mark.parametrize("made", [HabitBaseline, FrequentBaseline, Nearest])
@given(history=HISTORIES)
@settings(deadline=None, max_examples=examples(30))
def test_alternatives_are_a_distribution_led_by_the_answer(
    made: Callable[..., SuggestionAgent], history: list[Intent]
) -> None:
    output = task(*history)
    answer = made(distribution=True).suggest(output)
    assert answer.alternatives[0][0] == answer.text
    assert math.fsum(share for _, share in answer.alternatives) == pytest.approx(1)
    shares = [share for _, share in answer.alternatives]
    assert shares == sorted(shares, reverse=True)
    assert len(shares) <= MOST_INTENTS
    assert {text for text, _ in answer.alternatives} <= {intent.text for intent in history}
    without = made().suggest(output)
    assert replace(without, seconds=0) == replace(answer, seconds=0, alternatives=())


def test_weights_that_vanish_leave_the_most_recent() -> None:
    output = task(earlier(at(10, 20), "a"), earlier(at(11, 20), "b"))
    answer = Nearest(NearestSettings(hours=0.01), distribution=True).suggest(output)
    assert (answer.text, answer.alternatives) == ("b", (("b", 0.5), ("a", 0.5)))


def test_settings_hold_the_weights_and_the_distribution_flag() -> None:
    assert Nearest(NearestSettings(hours=3)).settings["hours"] == 3
    assert "distribution" not in Nearest().settings
    assert {
        made(distribution=True).settings["distribution"]
        for made in (HabitBaseline, FrequentBaseline, Nearest)
    } == {True}
