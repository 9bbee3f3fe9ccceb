"""The gate's decision on an action."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fingertip_runs.app_rules import Ruling

_STRICTNESS: tuple[Ruling, ...] = ("allow", "confirm", "deny")


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDecision:
    """The gate's decision on an action.

    Attributes:
        decision: From a `Gate`, "confirm" means that a person agreed, "deny" that it must not be performed.
        reason: The reason, one line without control characters.
    """

    decision: Ruling
    reason: str


ALLOWED = GateDecision(decision="allow", reason="no rule is against it")


def confirm(reason: str) -> GateDecision:
    """A decision that needs a person's consent."""
    return GateDecision(decision="confirm", reason=reason)


def deny(reason: str) -> GateDecision:
    """A decision against the action."""
    return GateDecision(decision="deny", reason=reason)


def strictest(decisions: Iterable[GateDecision]) -> GateDecision:
    """The first of the strictest decisions; allowed if there are none."""
    return max(decisions, key=lambda verdict: _STRICTNESS.index(verdict.decision), default=ALLOWED)
