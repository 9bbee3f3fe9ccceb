"""Chance and tricks beside the scores of runs: when they are computed, once for runs of the same tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from execution_runner.scoring.run_scores import ExecutionRunScores
    from fingertip_metrics.embedders import Embedder
    from fingertip_metrics.judges.verdicts import Judge
    from fingertip_runs.trick_scores import TrickScores
    from suggestion_runner import SuggestionRunScores

LEFT_OUT = (
    "Rows of chance and tricks are left out with this embedder, which would take longer: --tricks adds them"
)


class SuggestionTricks:
    """The scores of the tricks on the tasks of runs of track 1.

    Args:
        wanted: Whether to compute them; None only if that takes no model.
        embedder: The runs' embedder.
    """

    def __init__(self, wanted: bool | None, embedder: Embedder) -> None:
        self._wanted = wanted
        self._embedder = embedder
        self._known: dict[tuple[object, ...], TrickScores] = {}

    def score(self, run: SuggestionRunScores, judge: Judge | None) -> TrickScores:
        """Score the tricks on the tasks of a run.

        Raises:
            ModelError: The embedder failed.
        """
        from fingertip_metrics.embedders import LexicalEmbedder
        from fingertip_runs.trick_scores import NO_TRICKS, TrickScores
        from suggestion_runner.answer_tricks import score_answer_tricks

        if self._wanted is False:
            return NO_TRICKS
        if self._wanted is None and not isinstance(self._embedder, LexicalEmbedder):
            return TrickScores(remarks=(LEFT_OUT,))
        record = run.record
        shown = (record.history, record.protocol, record.history_source)
        key = (record.dataset.data_sha256, record.split, *shown, frozenset(run.task_ids))
        if key not in self._known:
            self._known[key] = score_answer_tricks(
                run, embedder=self._embedder, judge=judge, slow=bool(self._wanted)
            )
        return self._known[key]


def score_execution_tricks(scores: Sequence[ExecutionRunScores], wanted: bool | None) -> list[TrickScores]:
    """Score the tricks on the tasks of each run of track 2; empty if they are not wanted.

    Raises:
        RunError: A run's files are gone.
    """
    from fingertip_analysis.action_tricks import score_action_tricks

    if wanted is False:
        return []
    known: dict[tuple[object, ...], TrickScores] = {}
    found = []
    for run in scores:
        dataset = run.record.dataset
        tasks = tuple((task.task_id, task.gaps) for task in run.tasks)
        # the other person of a task depends on the run's choice of a reference
        settings = (run.record.reference, run.record.reference_method, run.protocol, run.spelling)
        key = (dataset.data_sha256, run.record.split, *settings, frozenset(tasks))
        if key not in known:
            known[key] = score_action_tricks(run)
        found.append(known[key])
    return found
