"""Which runs of a part of the test a board accepts: people's answers to one fixed sample (table 3)."""

from __future__ import annotations

from suggestion_runner.suggestion_records import HUMAN, SuggestionRun

SAMPLE_SEED = 0
"""Seed of the only sample that is accepted, so that nobody submits the sample that came out best. Ours."""

LEAST_SHARE = 0.4
"""Smallest part of the test that people answer: 400 of 1,000 episodes in the paper (5.2)."""


def sample_problem(run: SuggestionRun) -> str | None:
    """Why a run that asked a part of the test is refused; None where it is accepted, or asked all of it."""
    selection = run.selection
    if selection is None:
        return None
    least = LEAST_SHARE * selection.of
    if (
        run.agent.name == HUMAN
        and selection.kind == "sample"
        and selection.seed == SAMPLE_SEED
        and least <= run.tasks < selection.of
    ):
        return None
    return (
        f"expected all tasks of the test, or people's answers (--agent {HUMAN}) to {LEAST_SHARE:.0%} of it "
        f"or more, drawn with --seed {SAMPLE_SEED}, got {selection.describe(run.tasks)} by {run.agent.name}"
    )
