"""Runs of a part of the test that the board accepts: human answers to one fixed sample (table 3)."""

from __future__ import annotations

from suggestion_runner.suggestion_records import HUMAN, SuggestionRun

SAMPLE_SEED = 0
"""Seed of the only accepted sample, so that nobody can submit the best of several samples. Our choice."""

LEAST_SHARE = 0.4
"""Smallest accepted share of the test in a human sample: 400 of 1,000 episodes in the paper (5.2)."""


def sample_problem(run: SuggestionRun) -> str | None:
    """Reason to refuse a run of a part of the test; None if it is accepted, or is a run of the whole test."""
    selection = run.selection
    if selection is None:
        return None
    least = LEAST_SHARE * selection.of
    if (
        run.agent.name == HUMAN
        and selection.kind == "sample"
        and selection.seed == SAMPLE_SEED
        and not selection.users
        and least <= run.tasks < selection.of
    ):
        return None
    return (
        f"expected all tasks of the test, or people's answers (--agent {HUMAN}) to {LEAST_SHARE:.0%} of it "
        f"or more, drawn with --seed {SAMPLE_SEED}, got {selection.describe(run.tasks)} by {run.agent.name}"
    )
