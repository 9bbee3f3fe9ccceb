"""Reasons of failed suggestions for the commands that print or show them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingertip_cli.options.scoring_options import JudgeOptions
    from suggestion_runner import SuggestionRun, SuggestionRunScores
    from suggestion_runner.why.why_suggestions import WhySuggestions


def check_why(records: Sequence[SuggestionRun], judging: JudgeOptions) -> None:
    """Refuse --why for recorded people without a judge, before anything is scored.

    Raises:
        UsageError: A run is about recorded people, and no judge is named.
    """
    from fingertip_dataset.errors import UsageError
    from suggestion_runner.why.why_suggestions import NEEDS_JUDGE, SIMULATED

    if judging.judge is None and any(record.dataset.provenance != SIMULATED for record in records):
        raise UsageError(NEEDS_JUDGE)


def explain_suggestions(
    scores: Sequence[SuggestionRunScores],
    judging: JudgeOptions,
    *,
    on_progress: Callable[[str, int, int], None],
) -> list[WhySuggestions]:
    """The reasons of each run's failed answers; a model judge is asked about recorded people.

    Args:
        scores: Scores of runs.
        judging: Options of the judge.
        on_progress: Called with what is counted, the number done and in total.
    """
    from suggestion_runner.why.why_suggestions import explain_answers

    found = []
    for run in scores:
        on_asked = functools.partial(on_progress, f"{run.folder.name}: reasons")
        with judging.open_reasons(run.folder, on_progress=on_asked) as judge:
            found.append(explain_answers(run, judge=judge))
    return found
