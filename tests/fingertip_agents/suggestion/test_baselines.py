"""The baselines: what they answer, against votes counted another way."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_agents import FrequentBaseline, HabitBaseline, HabitSettings, RecentBaseline, SuggestionAgent
from fingertip_agents.suggestion.baselines import measure_hours, normalize_text
from fingertip_dataset.episodes import Intent
from tests.examples import examples
from tests.fingertip_agents.suggestion.earlier_intents import HISTORIES, at, earlier, task

AGENTS: list[Callable[[], SuggestionAgent]] = [HabitBaseline, RecentBaseline, FrequentBaseline]


@pytest.mark.parametrize("agent", AGENTS)
def test_without_history_the_answer_is_empty(agent: Callable[[], SuggestionAgent]) -> None:
    answer = agent().suggest(task())
    assert answer.text == ""
    assert answer.seconds >= 0
    assert (answer.prompt_tokens, answer.completion_tokens, answer.calls) == (0, 0, 0)


def test_recent_and_frequent() -> None:
    output = task(earlier(at(1, 8), "听歌"), earlier(at(2, 8), "导航。"), earlier(at(3, 8), "听歌"))
    assert RecentBaseline().suggest(output).text == "听歌"
    assert FrequentBaseline().suggest(output).text == "听歌"
    tie = task(earlier(at(1, 8), "ＡＢ 歌。"), earlier(at(2, 8), "导航"), earlier(at(3, 8), "ab歌"))
    assert FrequentBaseline().suggest(tie).text == "ab歌"
    even = task(earlier(at(1, 8), "听歌"), earlier(at(2, 8), "导航"))
    assert FrequentBaseline().suggest(even).text == "导航"


def test_frequent_sees_what_is_worded_anew_each_time() -> None:
    output = task(
        earlier(at(1, 8), "打开音乐听晴天"),
        earlier(at(2, 8), "打开音乐，听稻香"),
        earlier(at(3, 8), "用音乐听晴天这首歌"),
        earlier(at(4, 8), "设一个明早七点的闹钟"),
    )
    assert "听" in FrequentBaseline().suggest(output).text


@pytest.mark.parametrize("offset", [8, -5])
def test_habit_reads_the_clock_around_midnight_and_of_the_place(offset: int) -> None:
    late = task(
        earlier(at(10, 23.75), "a"),
        earlier(at(11, 2.5), "b"),
        time=datetime(2025, 3, 12, 0, 15, tzinfo=timezone(timedelta(hours=offset))),
    )
    assert HabitBaseline().suggest(late).text == "a"


def test_habit_ignores_a_hidden_time_or_place() -> None:
    output = (earlier(at(9, 20), "b"), earlier(at(10, 8), "a", scenario="学校"), earlier(at(11, 20), "b"))
    assert (
        HabitBaseline().suggest(task(*output, scenario="学校", time=None)).text == "a"
    )  # 1 against 2 x 0.25
    assert HabitBaseline().suggest(task(*output, scenario="")).text == "a"
    assert HabitBaseline().suggest(task(*output, scenario="", time=None)).text == "b"


@given(HISTORIES)
@settings(deadline=None, max_examples=examples(60))
def test_habit_agrees_with_its_formula_written_out(history: list[Intent]) -> None:
    sums: dict[str, float] = {}
    last: dict[str, int] = {}
    for number, intent in enumerate(history):
        moment = intent.moment
        turn = (moment.hour * 60 + moment.minute - 8 * 60) / (24 * 60) * 2 * math.pi
        distance = math.acos(max(-1, min(1, math.cos(turn)))) / (2 * math.pi) * 24
        weight = math.exp(-0.5 * (distance / 2) ** 2)
        weight *= 1 if intent.scenario == "住所" else 0.25
        weight *= 0.5 if moment.strftime("%a") in ("Sat", "Sun") else 1
        key = intent.text.replace("。", "").replace(" ", "")
        sums[key] = sums.get(key, 0) + weight
        last[key] = number
    answer = HabitBaseline().suggest(task(*history)).text
    best = max(sums.values())
    assert sums[answer.replace("。", "").replace(" ", "")] == pytest.approx(best, rel=1e-6)
    assert answer == history[last[answer.replace("。", "").replace(" ", "")]].text


@given(st.just([]) | HISTORIES, st.sampled_from(AGENTS))
@settings(deadline=None, max_examples=examples(40))
def test_answers_come_from_the_history_and_repeat(
    history: list[Intent], agent: Callable[[], SuggestionAgent]
) -> None:
    output = task(*history)
    answer = agent().suggest(output).text
    assert answer in {intent.text for intent in history} | {""}
    assert bool(answer) is bool(history)
    assert agent().suggest(output).text == answer


@given(st.text("打开QQ音乐ａ。.!？"), st.text("打开QQ音乐ａ。.!？"))
@settings(deadline=None)
def test_blanks_and_the_last_stop_do_not_matter(a: str, b: str) -> None:
    assert normalize_text(f" {a}  {b}。") == normalize_text(f"{a}{b}")


@given(st.text())
@settings(deadline=None)
def test_any_text_is_normalized_once(text: str) -> None:
    assert normalize_text(text).casefold() == normalize_text(text)


@given(st.datetimes(), st.datetimes())
@settings(deadline=None)
def test_hours_apart_is_a_distance_on_the_clock(a: datetime, b: datetime) -> None:
    assert measure_hours(a, b) == measure_hours(b, a)
    assert 0 <= measure_hours(a, b) <= 12
    assert measure_hours(a, a) == 0


def test_settings_say_what_the_votes_depend_on() -> None:
    assert HabitBaseline(HabitSettings(hours=1)).settings == {
        "hours": 1,
        "other_scenario": 0.25,
        "other_days": 0.5,
    }
    assert dict(RecentBaseline().settings) == {}
    assert dict(FrequentBaseline().settings) == {"likeness": "rapidfuzz.fuzz.ratio"}
