"""Errors of an agent's own code, and the line that they name."""

from __future__ import annotations

import errno
import json
from types import SimpleNamespace

import pytest

from fingertip_agents.agent_crash import describe_crash
from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.query_agent import query_agent
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import ModelError, UsageError
from fingertip_dataset.tasks.task import ExecutionInput

TASK = ExecutionInput(
    task_id="1__20250327_095737",
    profile=UserProfile(),
    intent="Pair Speaker",
    app="",
    time=None,
    scenario="",
    reference=None,
)
SCREEN = ScreenInput(screenshot=b"", tree=None, size=(360, 800), package="")


class Broken:
    name = "broken"
    settings = SimpleNamespace()

    def act(self, task_input: object, screen: object, past: tuple[object, ...]) -> object:
        return past.nothing  # type: ignore[attr-defined]


class Reader(Broken):
    def act(self, task_input: object, screen: object, past: tuple[object, ...]) -> object:
        return json.loads("{")


@pytest.mark.parametrize("agent", [Broken(), Reader()])
def test_it_names_the_agents_own_line_even_below_a_library(agent: Broken) -> None:
    with pytest.raises(ModelError) as caught:
        query_agent(agent, TASK, SCREEN, ())  # type: ignore[arg-type]
    line = type(agent).act.__code__.co_firstlineno + 1
    assert f" (test_agent_crash.py, line {line}) (episode 1__" in str(caught.value)


def test_a_wrong_call_has_no_line_of_the_agent() -> None:
    assert describe_crash(TypeError("act() takes 1 argument")) == "TypeError: act() takes 1 argument"


def test_messages_of_many_lines_become_one() -> None:
    assert describe_crash(ValueError("a\n  b\x1b")) == "ValueError: a b\\x1b"


@pytest.mark.parametrize("message", ["", " "])
def test_an_error_without_words_has_its_kind(message: str) -> None:
    assert describe_crash(ValueError(message)) == "ValueError"


SHORTAGES = [
    MemoryError(),
    OSError(errno.ENOMEM, "Cannot allocate memory"),
    RuntimeError("can't start new thread"),
]


@pytest.mark.parametrize("error", SHORTAGES)
@pytest.mark.parametrize("wrapped", [False, True])
def test_memory_that_runs_out_ends_the_run_and_is_not_the_agents(error: Exception, wrapped: bool) -> None:
    class Large(Broken):
        def act(self, task_input: object, screen: object, past: tuple[object, ...]) -> object:
            if wrapped:
                raise ValueError("the picture cannot be read") from error
            raise error

    with pytest.raises(UsageError, match=r"memory ran out, .* --resume"):
        query_agent(Large(), TASK, SCREEN, ())  # type: ignore[arg-type]
