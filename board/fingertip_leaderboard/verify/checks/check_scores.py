"""Recompute scores with the scorer of runs, in memory, and compare them with the claimed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from execution_runner.execution_records import STEPS, ExecutionRun
from execution_runner.scoring.run_scores import ExecutionRunScores as ExecutionScores
from execution_runner.scoring.run_scores import score_attempts
from execution_runner.scoring.success_labels import LABELS, counted_labels
from fingertip_dataset.errors import RunError
from fingertip_dataset.tasks.task import ExecutionTask, SuggestionTask
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.claims import (
    make_execution_claims,
    make_moment_claims,
    make_suggestion_claims,
)
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import (
    Claims,
    Embedding,
    ExecutionClaims,
    JudgeRecord,
    MomentClaims,
    SuggestionClaims,
    VerdictLine,
)
from fingertip_leaderboard.verify.kept_rules import KeptRules
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.verdicts import IntentPair, Verdict
from suggestion_runner.answer_text import DEFAULT, AnswerText, answer_text
from suggestion_runner.moments.moment_run_scores import MomentRunScores
from suggestion_runner.moments.moment_scoring import score_moment_predictions
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.scoring import SuggestionRunScores as SuggestionScores
from suggestion_runner.scoring import score_predictions
from suggestion_runner.suggestion_records import Prediction, SuggestionRun

TOLERANCE = 1e-9
"""Tolerance of a score; sums in another order differ by less."""

MODEL_TOLERANCE = 2e-3
"""Tolerance of Sim_1 and cosine with a model as embedder: other machines differ in the last digits, which can
change a value that is rounded to 0.01."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedJudge:
    """A `Judge` that returns recorded verdicts.

    Attributes:
        record: The judge that gave them.
        verdicts: Verdicts on the tasks with an answer, in the order of the tasks.
    """

    record: JudgeRecord
    verdicts: Sequence[VerdictLine]

    @property
    def name(self) -> str:
        """Name of the recorded judge."""
        return self.record.name

    @property
    def settings(self) -> Mapping[str, object]:
        """Settings of the recorded judge."""
        return self.record.settings

    @property
    def why_not_comparable(self) -> str | None:
        """Reason why its SR_1 cannot be compared with the paper's; None if it can."""
        return self.record.why_not_comparable

    @property
    def remark(self) -> str | None:
        """Further note on the recorded judge."""
        return self.record.remark

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        """The recorded verdicts; `pairs` is not used."""
        return tuple(
            Verdict(
                state=line.state,
                reason=line.reason,
                problem=line.problem,
                output=line.output,
                votes=line.votes,
            )
            for line in self.verdicts
        )


def score_suggestion_bundle(
    read: ReadBundle,
    run: SuggestionRun,
    targets: Mapping[str, SuggestionTask],
    embedder: Embedder,
    place: Path,
) -> SuggestionScores:
    """Recompute Sim_1 of a bundle, and SR_1 if it has verdicts.

    Args:
        read: A bundle with one line per task, and with a judge also one verdict per task.
        run: Its run.
        targets: Task id -> task of the dataset.
        embedder: The claimed embedder.
        place: Path of the bundle, for the record of the scores; it is not read.
    """
    return score_predictions(
        place,
        run,
        [one.record for one in read.suggestions],
        {task_id: one.target for task_id, one in targets.items()},
        embedder=embedder,
        protocol=read.bundle.scores.protocol,
        answers=find_answers_kind(read),
        judge=_make_recorded_judge(read),
        predictions_sha256=read.bundle.files[PREDICTIONS].sha256,
        people=False,
    )


def score_moment_bundle(
    read: ReadBundle,
    run: SuggestionRun,
    targets: Mapping[str, SuggestionTask],
    rules: KeptRules,
    embedder: Embedder,
    place: Path,
) -> MomentRunScores:
    """Recompute the scores of a bundle of moments, with hits by the rule of the verifier's own dataset.

    Args:
        read: A bundle with one line per moment.
        run: Its run.
        targets: Moment id -> moment of the dataset, whose kind and intent are taken.
        rules: Rules of the verifier's dataset.
        embedder: The claimed embedder.
        place: Path of the bundle, for the record of the scores; it is not read.

    Raises:
        UsageError: The dataset has no simulated people.
    """
    return score_moment_predictions(
        place,
        run,
        [one.record for one in read.suggestions],
        {task_id: one.target for task_id, one in targets.items()},
        known=rules.know_moments(run.split),
        embedder=embedder,
        protocol=read.bundle.scores.protocol,
        judge=rules.make_judge(),
        predictions_sha256=read.bundle.files[PREDICTIONS].sha256,
    )


def find_answers_kind(read: ReadBundle) -> AnswerText:
    """Kind of text of the answers that a bundle of track 1 is scored by."""
    claimed = read.bundle.scores
    return claimed.answers if isinstance(claimed, SuggestionClaims) else DEFAULT


def find_scored_text(read: ReadBundle, line: Prediction) -> str:
    """The text of a line that is scored and judged."""
    run = read.bundle.run
    several = isinstance(run, SuggestionRun) and run.distribution
    return answer_text(line, find_answers_kind(read), distribution=several)


def _make_recorded_judge(read: ReadBundle) -> RecordedJudge | None:
    if read.bundle.judge is None:
        return None
    by_task = {verdict.record.task_id: verdict.record for verdict in read.verdicts}
    answered = [line.record for line in read.suggestions if find_scored_text(read, line.record).strip()]
    return RecordedJudge(record=read.bundle.judge, verdicts=[by_task[line.task_id] for line in answered])


def score_execution_bundle(
    read: ReadBundle, run: ExecutionRun, targets: Mapping[str, ExecutionTask], place: Path
) -> ExecutionScores:
    """Recompute SR_2, Sim_2 and the step ratio of a bundle; see `score_suggestion_bundle`.

    Raises:
        RunError: The run names a task without a line.
    """
    labels = read.bundle.files.get(LABELS)
    attempts = {one.record.end.task_id: one.record for one in read.executions}
    missing = [task_id for task_id in run.task_ids if task_id not in attempts]
    if missing:
        raise RunError("there is no attempt at any task", episode_id=missing[0])
    return score_attempts(
        place,
        run,
        [attempts[task_id] for task_id in run.task_ids],
        {task_id: task.target for task_id, task in targets.items()},
        counted_labels(one.record for one in read.labels),
        protocol=read.bundle.scores.protocol,
        steps_sha256=read.bundle.files[STEPS].sha256,
        labels_sha256=labels.sha256 if labels else None,
        trees=False,
    )


def check_suggestion_scores(claimed: SuggestionClaims, scores: SuggestionScores, found: Refusals) -> None:
    """Refuse claims of track 1 that differ from the recomputed scores."""
    embedder: Embedding = claimed.embedder
    ours = make_suggestion_claims(scores.result, embedder, scores.sr1, scores.answers)
    loose = ("sim1", "cosine") if embedder != "lexical" else ()
    _compare(claimed, ours, loose, found)


def check_moment_scores(claimed: MomentClaims, scores: MomentRunScores, found: Refusals) -> None:
    """Refuse claims of moments that differ from the recomputed scores."""
    loose = ("offer_sim1",) if claimed.embedder != "lexical" else ()
    _compare(claimed, make_moment_claims(scores.result, claimed.embedder, claimed.protocol), loose, found)


def check_execution_scores(claimed: ExecutionClaims, scores: ExecutionScores, found: Refusals) -> None:
    """Refuse claims of track 2 that differ from the recomputed scores."""
    _compare(claimed, make_execution_claims(scores), (), found)


def _compare(
    claimed: Claims,
    ours: Claims,
    loose: Sequence[str],
    found: Refusals,
) -> None:
    for name, value in ours:
        if name not in claimed.model_fields_set:
            continue  # a bundle from before the score claims nothing of it
        claim = getattr(claimed, name)
        tolerance = MODEL_TOLERANCE if name in loose else TOLERANCE
        if not _is_same(value, claim, tolerance):
            found.refuse(
                RefusalKind.WRONG_SCORE, f"expected {name} {value}, as recomputed, got {claim}", BUNDLE
            )


def _is_same(ours: object, claim: object, tolerance: float) -> bool:
    if isinstance(ours, float) and isinstance(claim, float):
        return abs(ours - claim) <= tolerance
    return ours == claim
