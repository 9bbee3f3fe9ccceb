"""Usage of a run: seconds, model queries, tokens, cost, and unparsable output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from execution_runner.scoring.task_scores import TaskScore
from fingertip_models.prices import Prices
from fingertip_runs.score_summary import total


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Usage of a run's final attempts, including those that ended in an error.

    Attributes:
        tasks: Number of tasks.
        steps: Number of steps.
        unparsable: Number of steps whose output could not be parsed; `wait()` was performed.
        agent_s: Total seconds of the agent.
        device_s: Total seconds of the phone.
        queries: Number of model queries.
        prompt_tokens: Total tokens read; None if a model does not report them.
        completion_tokens: Total tokens written; None if a model does not report them.
        cost: Total cost in `currency`; None without prices or token counts.
        currency: Currency of the prices; None without prices.
    """

    tasks: int
    steps: int
    unparsable: int
    agent_s: float
    device_s: float
    queries: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    currency: str | None

    @property
    def seconds_per_query(self) -> float | None:
        """Mean seconds of the agent per query; None without queries."""
        return self.agent_s / self.queries if self.queries else None

    @property
    def tokens_per_query(self) -> float | None:
        """Mean tokens, read and written, per query; None without queries or token counts."""
        if self.prompt_tokens is None or self.completion_tokens is None or not self.queries:
            return None
        return (self.prompt_tokens + self.completion_tokens) / self.queries

    @property
    def tokens_per_task(self) -> float | None:
        """Mean tokens, read and written, per task; None without token counts."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return (self.prompt_tokens + self.completion_tokens) / self.tasks


def usage_of(tasks: Sequence[TaskScore], prices: Prices | None) -> Usage:
    """Usage of tasks by their final attempts.

    Args:
        tasks: Scores of at least one task.
        prices: Prices of the model's tokens; None for no cost.
    """
    read = total(task.prompt_tokens for task in tasks)
    written = total(task.completion_tokens for task in tasks)
    cost = None
    if prices is not None and read is not None and written is not None:
        cost = prices.cost(read, written)
    return Usage(
        tasks=len(tasks),
        steps=sum(task.steps for task in tasks),
        unparsable=sum(task.unparsable for task in tasks),
        agent_s=sum(task.agent_s for task in tasks),
        device_s=sum(task.device_s for task in tasks),
        queries=sum(task.queries for task in tasks),
        prompt_tokens=read,
        completion_tokens=written,
        cost=cost,
        currency=prices.currency if prices else None,
    )
