"""Usage of an agent for the tasks of a run of either track: seconds, model queries, tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fingertip_models.prices import Prices
from fingertip_runs.score_summary import total, total_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Usage of one task, or of several together.

    Attributes:
        agent_s: Total seconds of the agent; None if nobody measured them.
        device_s: Total seconds of the phone; 0 on track 1, None if nobody measured them.
        queries: Number of model queries; None if nobody counted them.
        prompt_tokens: Total tokens read; None if a model does not report them.
        completion_tokens: Total tokens written; None if a model does not report them.
    """

    agent_s: float | None
    device_s: float | None = 0.0
    queries: int | None
    prompt_tokens: int | None
    completion_tokens: int | None

    @classmethod
    def total(cls, parts: Iterable[Usage]) -> Usage:
        """The sum over tasks."""
        parts = tuple(parts)
        return cls(
            agent_s=total_seconds(part.agent_s for part in parts),
            device_s=total_seconds(part.device_s for part in parts),
            queries=total(part.queries for part in parts),
            prompt_tokens=total(part.prompt_tokens for part in parts),
            completion_tokens=total(part.completion_tokens for part in parts),
        )

    @property
    def seconds_per_query(self) -> float | None:
        """Mean seconds of the agent per query; None without queries."""
        return None if self.agent_s is None or not self.queries else self.agent_s / self.queries

    @property
    def tokens_per_query(self) -> float | None:
        """Mean tokens, read and written, per query; None without queries or token counts."""
        return self.tokens_per(self.queries) if self.queries else None

    def tokens_per(self, count: int) -> float | None:
        """Mean tokens, read and written, over `count` tasks or queries; None without token counts."""
        if self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return (self.prompt_tokens + self.completion_tokens) / count

    def cost(self, prices: Prices | None) -> float | None:
        """Cost of the tokens; None without prices or token counts."""
        if prices is None or self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return prices.cost(self.prompt_tokens, self.completion_tokens)
