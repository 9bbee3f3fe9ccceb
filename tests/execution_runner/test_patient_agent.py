"""The agent that waits for a dead endpoint: devices that share it stop with one message."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, get_ident
from types import MappingProxyType

import pytest

from execution_runner.patient_agent import DEAD_QUERIES, PatientAgent
from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_dataset.actions import Wait
from fingertip_dataset.errors import EndpointError, RunError
from fingertip_dataset.tasks.task import ExecutionInput

PHONES = DEAD_QUERIES + 2


class DeadEndpoint:
    """An agent whose endpoint leaves the first query of all phones without an answer at the same time."""

    name = "dead"
    settings = MappingProxyType({})

    def __init__(self) -> None:
        self._together = Barrier(PHONES, timeout=10)
        self._phones: set[int] = set()

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        if get_ident() not in self._phones:
            self._phones.add(get_ident())
            self._together.wait()
        raise EndpointError("expected a server")


def test_phones_that_wait_together_stop_with_the_same_message() -> None:
    dead = DeadEndpoint()
    agent = PatientAgent(dead, "call again")

    def query(_phone: int) -> str:
        try:
            agent.act(None, None, ())  # type: ignore[arg-type] - the agent reads neither
        except EndpointError as error:
            return error.message
        return ""

    with ThreadPoolExecutor(PHONES) as phones:
        messages = set(phones.map(query, range(PHONES)))
    assert messages == {"expected a server; so ended 3 queries in a row, and the run stops: call again"}


class Waiting(DeadEndpoint):
    """An agent that waits."""

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        return Decision(output="wait()", actions=(Wait(),))


def test_what_is_called_after_a_decision_can_stop_the_run() -> None:
    def refuse() -> None:
        raise RunError("another server")

    agent = PatientAgent(Waiting(), "call again", on_decision=refuse)
    with pytest.raises(RunError, match="another server"):
        agent.act(None, None, ())  # type: ignore[arg-type] - the agent reads neither
