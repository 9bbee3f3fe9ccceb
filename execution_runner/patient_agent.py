"""An agent whose query is repeated while the endpoint of its model is dead, and that then stops the run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from fingertip_agents.execution_agent import Decision, ExecutionAgent, PastStep, ScreenInput
from fingertip_dataset.errors import EndpointError, ModelError, PreflightError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.failure_streak import FailureStreak

DEAD_QUERIES = 3
"""Number of queries in a row, of all devices together, that a dead endpoint leaves without an answer before
the run stops."""


class PatientAgent:
    """An `ExecutionAgent` that queries another one, again while the endpoint of its model is dead.

    The attempt goes on where it was, so that an endpoint that comes back costs no attempt. The run stops,
    too, if the queries of `MOST_FAILED_IN_A_ROW` tasks in a row fail.

    Args:
        agent: The agent.
        advice: End of the message of a run that stops.
        on_decision: Called after each decision, before anything of it is logged; its errors stop the run.
    """

    def __init__(
        self, agent: ExecutionAgent, advice: str, on_decision: Callable[[], None] = lambda: None
    ) -> None:
        self._agent = agent
        self._on_decision = on_decision
        self._advice = advice
        self._lock = threading.Lock()
        self._dead = 0
        self._streak = FailureStreak()
        self.name = agent.name
        self.settings = agent.settings

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """The agent's decision.

        Raises:
            EndpointError: The endpoint is dead, or refuses all tasks: the run stops.
            ModelError: This query failed.
        """
        while True:
            try:
                decision = self._agent.act(task_input, screen, past)
            except EndpointError as error:
                # before any answer the same check would fail again
                if isinstance(error, PreflightError) and not self._streak.answered:
                    raise
                with self._lock:
                    self._dead += 1
                    if self._dead >= DEAD_QUERIES:
                        # not how many it was by now: other devices may still wait for an answer, and the
                        # message must not depend on which of their errors is shown
                        raise EndpointError(
                            f"{error.message}; so ended {DEAD_QUERIES} queries in a row, and the run stops: "
                            f"{self._advice}"
                        ) from error
            except ModelError as error:
                self._streak.add(task_input.task_id, error, advice=self._advice)
                raise
            else:
                with self._lock:
                    self._dead = 0
                self._streak.reset()
                self._on_decision()
                return decision
