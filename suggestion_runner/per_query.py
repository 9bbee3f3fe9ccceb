"""Time and tokens per query, as in the paper's table 3, and a description of what they include."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from fingertip_runs.score_summary import total
from fingertip_runs.usage import Usage
from suggestion_runner.suggestion_records import Prediction, SuggestionRun


@dataclass(frozen=True, slots=True, kw_only=True)
class PerQuery:
    """Time and tokens per query of a run; a task of an agent without a model counts as one query.

    The time of a query is from the request to the last byte of the answer, in the successful attempt. It
    includes waiting in the server's own queue, but not failed attempts and client-side waits. A query that a
    cache answered counts with its original time. See `picking` for queries that select earlier intents.

    Attributes:
        queries: Total number of queries.
        seconds: Mean; None if no time was measured.
        median_seconds: Median over the tasks; None if no time was measured.
        tokens: Mean of prompt and completion tokens together; None if a task has no count.
        cached_tasks: Number of tasks answered by a cache.
        concurrency: Maximum number of concurrent queries; None if the run does not state it.
        model: Whether the agent queries a model.
        picking: Whether queries that select earlier intents (A.6.3) are counted: "included" if the agent's
            own model selects, "left out" if a history model does; None without a selection.
    """

    queries: int
    seconds: float | None
    median_seconds: float | None
    tokens: float | None
    cached_tasks: int
    concurrency: int | None
    model: bool
    picking: Literal["included", "left out"] | None = None

    def saying(self) -> str:
        """Description for a line under a table; "" without a model, or if nothing was measured."""
        if not self.model or self.seconds is None or self.median_seconds is None:
            return ""
        parts = [
            f"Seconds and tokens are means of {self.queries:,} queries. Seconds run from the request to "
            f"the last "
            "byte of the answer, with the wait in the server's queue; repeated requests are left out",
            f"median {self.median_seconds:.2g} s",
        ]
        if self.concurrency is None:
            parts.append("how many ran at once is not known")
        elif self.concurrency > 1:
            parts.append(
                f"measured with up to {self.concurrency} at once: --concurrency 1 in a new run measures "
                "without a queue"
            )
        else:
            parts.append("measured one at a time")
        if self.picking == "included":
            parts.append("the queries by which the model itself picks earlier intents are counted")
        elif self.picking == "left out":
            parts.append("the queries of the history model, which picks earlier intents, are left out")
        parts += (
            [f"{self.cached_tasks:,} tasks were answered from a cache, with its time"]
            if self.cached_tasks
            else []
        )
        return "; ".join(parts)


def usage_of(predictions: Sequence[Prediction]) -> Usage:
    """Usage of the agent's own model; a history model has its own, see `Prediction.history_usage`."""
    # baselines, and third-party agents that do not count their calls, have one answer per task
    queries = sum(line.calls for line in predictions) or len(predictions)
    return Usage(
        agent_s=sum(line.time_s for line in predictions),
        queries=queries,
        prompt_tokens=total(line.prompt_tokens for line in predictions),
        completion_tokens=total(line.completion_tokens for line in predictions),
    )


def per_query(record: SuggestionRun, predictions: Sequence[Prediction]) -> PerQuery:
    """Time and tokens per query of a run.

    Args:
        record: Record of the run.
        predictions: At least one prediction.
    """
    usage = usage_of(predictions)
    calls = sum(line.calls for line in predictions)
    answered = [line for line in predictions if not line.failed]
    timed = any(line.time_s for line in answered)
    known = [session.concurrency for session in record.sessions if session.concurrency is not None]
    return PerQuery(
        queries=usage.queries or 0,
        seconds=usage.seconds_per_query if timed else None,
        median_seconds=median(line.time_s / max(line.calls, 1) for line in answered) if timed else None,
        tokens=usage.tokens_per_query,
        cached_tasks=sum(line.cached for line in predictions),
        concurrency=max(known) if len(known) == len(record.sessions) else None,
        model=calls > 0,
        picking=_measure_picking(record) if calls else None,
    )


def _measure_picking(record: SuggestionRun) -> Literal["included", "left out"] | None:
    if record.history != "relevant":
        return None
    return "left out" if record.agent.settings.get("history_model") else "included"
