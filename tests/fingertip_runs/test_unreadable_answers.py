"""Counts of answers that cannot be read, and the stop of a run whose first tasks gave nothing readable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import UnreadableAnswersError
from fingertip_models.chat.chat_answer import ALL_IN_REASONING, CALL_IN_XML
from fingertip_runs.unreadable_answers import (
    CUT_ADVICE,
    FIRST_TASKS,
    GENERAL_ADVICE,
    INTENT_ADVICE,
    AnswerCounter,
    advise,
)

PROBLEM = "expected an action, got 'I am'"


def answer(counter: AnswerCounter, *tasks: str, problem: str | None = PROBLEM) -> None:
    for task in tasks:
        counter.add(task, problem=problem)
        counter.end_task(task)
        counter.check_first()


def names(count: int) -> list[str]:
    return [f"1__{number}" for number in range(count)]


@given(st.lists(st.booleans(), max_size=15))
def test_a_call_stops_when_its_first_tasks_gave_nothing(read: list[bool]) -> None:
    counter = AnswerCounter()
    stopped = None
    for number, readable in enumerate(read):
        try:
            answer(counter, f"1__{number}", problem=None if readable else PROBLEM)
        except UnreadableAnswersError:
            stopped = number + 1
            break
    first = len(read) >= FIRST_TASKS and not any(read[:FIRST_TASKS])
    assert stopped == (FIRST_TASKS if first else None)
    if not first and read and not any(read):
        with pytest.raises(UnreadableAnswersError):
            counter.check_end()
    elif not first:
        counter.check_end()


def test_the_message_says_what_is_wrong_where_and_what_to_do() -> None:
    with pytest.raises(UnreadableAnswersError) as caught:
        answer(AnswerCounter(), *names(FIRST_TASKS))
    assert str(caught.value) == (
        f"no answer to the first 10 tasks could be read, and the run stops: {PROBLEM}; {GENERAL_ADVICE}; the "
        "same call asks these tasks again, and --keep-going (keep_going=True) goes on all the same "
        "(episode 1__0)"
    )


def test_only_a_call_that_asked_for_something_stops() -> None:
    done = AnswerCounter(unreadable_before=names(9))
    done.check_end()
    with pytest.raises(UnreadableAnswersError, match="the first 10 tasks"):
        answer(done, "2__a")
    # what an earlier call could read tells the agent from one that reads nothing
    later = AnswerCounter(readable_before=True, unreadable_before=names(9))
    answer(later, "2__a")
    later.check_end()
    assert later.unreadable_tasks == {"2__a"}


def test_a_run_goes_on_if_it_is_told_to() -> None:
    counter = AnswerCounter(keep_going=True)
    answer(counter, *names(20))
    counter.check_end()
    assert counter.counts.describe_unreadable().startswith(
        f"20 of 20 answers could not be read, first: {PROBLEM}"
    )


def test_a_task_without_an_answer_is_not_unreadable() -> None:
    counter = AnswerCounter()
    for task in names(20):
        counter.end_task(task)
        counter.check_first()
    counter.check_end()


def test_advice_follows_the_cause() -> None:
    assert advise("no text", [f"server: {ALL_IN_REASONING}", "left_out: x"]) == ALL_IN_REASONING
    assert advise("expected a call, got nothing", ["server: start it otherwise"]) == "start it otherwise"
    # the call was found, and is of another format: the server's option does not help
    noted = advise("expected do(...), got '<tool_call>'", ["server: start it otherwise"])
    assert noted == f"{GENERAL_ADVICE}; start it otherwise"
    assert advise("expected do(...), got '<tool_call>'", [f"server: {CALL_IN_XML}"]) == GENERAL_ADVICE
    assert advise("expected an intent, got 'no'", (), INTENT_ADVICE) == INTENT_ADVICE
    assert "--agent" not in INTENT_ADVICE
    assert advise("no call; the answer was cut at the limit of tokens", ()) == CUT_ADVICE
    assert advise("no call", ["completed: a quote"]) == GENERAL_ADVICE


def test_notes_are_counted_by_kind_on_answers_that_were_read() -> None:
    counter = AnswerCounter()
    counter.add("1__a", problem=None, notes=("left_out: x", "left_out: y", "completed: z"))
    counter.add("1__b", problem=None)
    counter.add("1__b", problem=PROBLEM, notes=("server: s",))
    assert counter.counts.describe_notes() == (
        "1 answer was read with notes (an answer can have several): 2 left_out, 1 completed"
    )
