"""Parts of the test that the board accepts: the people of one language, and people's answers to a sample."""

from __future__ import annotations

from fingertip_dataset.parquet.built import BuiltDataset
from suggestion_runner.suggestion_records import HUMAN, SuggestionRun

SAMPLE_SEED = 0
"""Seed of the only accepted sample, so that nobody can submit the best of several samples. Our choice."""

LEAST_SHARE = 0.4
"""Smallest accepted share of the test in a human sample: 400 of 1,000 episodes in the paper (5.2)."""


def sample_problem(run: SuggestionRun, built: BuiltDataset) -> str | None:
    """Reason to refuse a run of a part of the test; None if it is accepted, or is a run of the whole test."""
    selection = run.selection
    if selection is None or find_language(run, built) is not None:
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
        "expected all tasks of the test, all those of the people who write one language, or people's answers "
        f"(--agent {HUMAN}) to {LEAST_SHARE:.0%} of it or more, drawn with --seed {SAMPLE_SEED}, got "
        f"{selection.describe(run.tasks)} by {run.agent.name}"
    )


def find_language(run: SuggestionRun, built: BuiltDataset) -> str | None:
    """Language of a run of all tasks of all people of a dataset who write it; None for any other part.

    A model that knows one language is ranked among its people. They are given by the dataset, so that nobody
    can choose those on whom an agent does well.
    """
    selection = run.selection
    if selection is None or selection.kind != "first" or not selection.users:
        return None
    split = run.split
    if split not in built.manifest.splits:
        return None
    users = [row["user_id"] for row in built.rows(split, columns=("user_id",))]
    # without regions: people who write en and en-GB can be answered by the same models
    written = {user: built.manifest.settings.language_of(user).partition("-")[0] for user in users}
    spoken = {written.get(user) for user in selection.users}
    theirs = [user for user in users if written[user] in spoken]
    whole = len(spoken) == 1 and set(theirs) == set(selection.users) and run.tasks == len(theirs) < len(users)
    return spoken.pop() if whole else None
