"""Concurrent queries: their number, their order, and failures."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suggestion_runner.bounded_gather import Question, gather_bounded


class SlowAnswers:
    """Queries that wait a number of event-loop iterations and count how many are running."""

    def __init__(self) -> None:
        self.now = self.most = self.begun = self.begun_at_failure = 0

    async def ask(self, number: int, turns: int, failure: Exception | None = None) -> int:
        self.begun += 1
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(turns):
            await asyncio.sleep(0)
        self.now -= 1
        if failure:
            self.begun_at_failure = self.begun
            raise failure
        return number


@given(st.lists(st.integers(1, 9), max_size=30), st.integers(1, 5))
def test_each_query_runs_once_within_the_concurrency_limit(turns: list[int], most: int) -> None:
    source, answers = SlowAnswers(), []
    questions = (source.ask(number, wait) for number, wait in enumerate(turns))
    gather_bounded(questions, answers.append, most=most)
    assert sorted(answers) == list(range(len(turns)))
    assert source.most == min(most, len(turns))


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30), st.integers(1, 5), st.data())
def test_after_a_failure_running_queries_finish_and_none_starts(
    turns: list[int], most: int, data: st.DataObject
) -> None:
    bad = data.draw(st.integers(0, len(turns) - 1))
    source, answers, left = SlowAnswers(), [], []
    questions = (
        source.ask(number, wait, ValueError(number) if number == bad else None)
        for number, wait in enumerate(turns)
    )
    with pytest.raises(ValueError, match=str(bad)):
        gather_bounded(questions, answers.append, most=most, on_stop=left.append)
    assert len(answers) == source.begun - 1
    assert sum(left) < most
    assert source.begun - source.begun_at_failure < most  # those whose place was theirs already


def test_a_failing_query_iterator_stops_the_run() -> None:
    source, answers = SlowAnswers(), []

    def questions() -> Iterator[Question[int]]:
        yield source.ask(0, 3)
        yield source.ask(1, 1)
        raise OSError("no such file")

    with pytest.raises(OSError, match="no such file"):
        gather_bounded(questions(), answers.append, most=5)
    assert sorted(answers) == [0, 1]


def test_a_failed_write_ends_the_run_at_once() -> None:
    source = SlowAnswers()

    def write(number: int) -> None:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        gather_bounded((source.ask(number, number * 50) for number in range(9)), write, most=3)
    assert source.begun == 3


def test_it_runs_inside_a_running_event_loop() -> None:
    async def cell() -> list[int]:
        answers: list[int] = []
        source = SlowAnswers()
        gather_bounded((source.ask(number, 1) for number in range(4)), answers.append, most=2)
        return answers

    assert sorted(asyncio.run(cell())) == [0, 1, 2, 3]
