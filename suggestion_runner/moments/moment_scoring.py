"""Scores of a run of moments: when to speak, what was offered, and the ceiling by the generator's odds."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import DatasetError, RunError, UsageError
from fingertip_dataset.kept_files import read_file
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.split_names import TEST_MOMENTS
from fingertip_dataset.tasks.moments import MOMENT_KINDS, MomentOdds, read_moment_odds
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.conventions import get_protocol
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.pair_labels import LABELS
from fingertip_metrics.judges.simulated_judge import SimulatedJudge
from fingertip_metrics.judges.verdicts import Judge
from fingertip_metrics.moment_ceiling import MomentCeiling, moment_ceiling
from fingertip_metrics.moment_scores import NOT_COMPARABLE, moment_scores
from fingertip_runs.score_summary import (
    BOOTSTRAP_SEED,
    CONFIDENCE,
    RESAMPLES,
)
from fingertip_runs.targets import TARGETS, read_targets
from fingertip_runs.task_facts import TaskFacts
from fingertip_runs.trick_scores import warn_of_same
from suggestion_runner.judged_run import JudgeChecking, JudgedRun, check_judges_data, judge_run
from suggestion_runner.moments.moment_facts import (
    MOMENT_FACTS,
    group_moments,
    open_moments,
    read_moment_facts,
)
from suggestion_runner.moments.moment_run_scores import MomentRunScores, break_down
from suggestion_runner.month.lived_month import MonthPeople
from suggestion_runner.month.month_scores import score_month
from suggestion_runner.month.person_judge import PersonJudge
from suggestion_runner.outputs import outputs_of
from suggestion_runner.per_query import per_query, usage_of
from suggestion_runner.prediction_log import PREDICTIONS, check_finished, read_predictions, read_run
from suggestion_runner.suggestion_records import Prediction, SuggestionRun

_BOOTSTRAP: Mapping[str, Any] = {"seed": BOOTSTRAP_SEED, "resamples": RESAMPLES, "confidence": CONFIDENCE}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMoments:
    """Facts that a dataset has of moments beyond their targets.

    Attributes:
        facts: Facts to group scores by.
        odds: Moment id -> the generator's odds; empty if they are not known.
        why_no_odds: Why they are not known, in words; else None.
    """

    facts: TaskFacts
    odds: Mapping[str, MomentOdds]
    why_no_odds: str | None = None

    @classmethod
    def of_built(cls, built: BuiltDataset, split: str) -> KnownMoments:
        """Read the facts and odds of a split's moments.

        Raises:
            DatasetError: The dataset has changed since it was built.
        """
        return cls(facts=read_moment_facts(built, split), odds=read_moment_odds(built))

    @classmethod
    def none(cls, reason: str) -> KnownMoments:
        """Make the knowledge of a dataset that cannot be read.

        Args:
            reason: Why it cannot be read, in words.
        """
        why_none = f"scores by {', '.join(MOMENT_FACTS)} need the run's dataset: {reason}"
        return cls(facts=TaskFacts(of_task={}, why_none=why_none), odds={}, why_no_odds=reason)


@accept_path_texts
def score_moment_run(
    run: Path,
    *,
    embedder: Embedder | None = None,
    protocol: str = "release",
    partial: bool = False,
    judge: Judge | None = None,
    checking: JudgeChecking | None = None,
    penalty: float = 1.0,
) -> MomentRunScores:
    """Score a run of moments and write nothing; see `write_moment_scores`.

    Args:
        run: The run's folder.
        embedder: Embedder of Sim_1; None for no Sim_1.
        protocol: Protocol of Sim_1, "release" or "paper".
        partial: Whether to score the predictions of an unfinished run.
        judge: Judge of what was offered; None for the rule that knows what the simulated people want.
        checking: How a judge that is a model is checked; None for no check.
        penalty: Penalty of a false trigger in the utility, in hits.

    Raises:
        RunError: The run is missing, broken, not of moments, or not finished.
        UsageError: Unknown protocol, or a judge of another dataset.
        ModelError: The embedder or the judge failed.
    """
    get_protocol(protocol)
    record, predictions = read_run(run), read_predictions(run)
    if not record.of_moments:
        raise RunError(f"the run is on split {record.split}, which has no moments", file=run)
    check_finished(run, record, predictions, partial=partial, unit="moments")
    known, built = _read_known(record)
    people = None if built is None or record.month is None else MonthPeople(built, record.protocol)
    judge = judge or _make_rule(built, people)
    check_judges_data(judge, record.dataset)
    targets = read_moment_targets(run, predictions)
    scores = score_moment_predictions(
        run,
        record,
        predictions,
        targets,
        known=known,
        embedder=embedder,
        protocol=protocol,
        judge=judge,
        checking=checking,
        labels=run / LABELS,
        penalty=penalty,
        predictions_sha256=hashlib.sha256(read_file(run / PREDICTIONS)).hexdigest(),
    )
    if built is None or people is None:
        return scores
    month = score_month(built, people, record, predictions, targets, penalty=penalty, **_BOOTSTRAP)
    return replace(scores, month=month)


def open_shared_rule(runs: Sequence[Path]) -> Judge | None:
    """Open the rule for hits of several runs of one dataset, with the verdicts on the offers of all of them.

    The wordings of each person's phone are made once, not once for each run.

    Args:
        runs: Folders of the runs.

    Returns:
        The judge; None for one run, for months, and for runs of several datasets or one that is gone.

    Raises:
        RunError: A run is broken.
    """
    records = [read_run(run) for run in runs]
    if len({record.dataset for record in records}) > 1 or len(runs) < 2 or any(one.month for one in records):
        return None
    try:
        judge = SimulatedJudge.of_dataset(open_moments(records[0].dataset))
    except (DatasetError, UsageError):
        return None
    pairs = []
    for run in runs:
        lines = read_predictions(run)
        targets = read_moment_targets(run, lines)
        pairs += [(line.offer, targets[line.task_id].intent) for line in lines]
    judge.judge([pair for pair in pairs if all(text.strip() for text in pair)])
    return judge


def score_moment_predictions(
    folder: Path,
    record: SuggestionRun,
    predictions: Sequence[Prediction],
    targets: Mapping[str, TaskTarget],
    *,
    known: KnownMoments,
    embedder: Embedder | None,
    protocol: str,
    judge: Judge | None,
    predictions_sha256: str,
    checking: JudgeChecking | None = None,
    labels: Path | None = None,
    penalty: float = 1.0,
) -> MomentRunScores:
    """Score the predictions of a run of moments or of a submission; raises the errors of `score_moment_run`.

    Args:
        folder: The run's folder or bundle.
        record: Its run.json.
        predictions: Its predictions, at least one.
        targets: Moment id -> its target.
        known: What the dataset knows of the moments.
        embedder: Embedder of Sim_1; None for no Sim_1.
        protocol: Protocol of Sim_1.
        judge: Judge of what was offered; None for no judge.
        predictions_sha256: SHA-256 of the file of the predictions.
        checking: How a judge that is a model is checked.
        labels: File of people's labels of pairs of intents; None for none.
        penalty: Penalty of a false trigger in the utility, in hits.
    """
    given = [targets[line.task_id] for line in predictions]
    users = [target.user_id for target in given]
    offers = [line.offer for line in predictions]
    judged, hits = _judge_offers(given, offers, judge, checking, labels)
    result = moment_scores(
        offers,
        [target.intent for target in given],
        [line.confidence for line in predictions],
        hits=hits,
        embedder=embedder,
        protocol=protocol,
        kinds=[target.kind for target in given],
        users=users,
        penalty=penalty,
        **_BOOTSTRAP,
    )
    groups = group_moments(given, known.facts)
    return MomentRunScores(
        folder=folder,
        record=record,
        predictions_sha256=predictions_sha256,
        result=result,
        judged=judged,
        judge=judge.name if judge else None,
        embedder=embedder.name if embedder else None,
        ceiling=_find_ceiling(given, known.odds, penalty),
        why_no_ceiling=known.why_no_odds,
        breakdowns={name: break_down(result, of_moments, users) for name, of_moments in groups.items()},
        why_no_facts=known.facts.why_none,
        usage=usage_of(predictions),
        per_query=per_query(record, predictions),
        caveats=tuple(_list_caveats(record, len(predictions))),
        task_ids=tuple(line.task_id for line in predictions),
        targets=tuple(given),
        outputs=outputs_of(predictions, record.prices, record.history_prices),
        unread=sum(line.is_answer and line.problem is not None for line in predictions),
        without_history=0
        if record.history == "none"
        else sum(not line.shown_intents for line in predictions),
        same_answers=warn_of_same([offer for offer in offers if offer], "offers"),
    )


def read_moment_targets(run: Path, predictions: Sequence[Prediction]) -> dict[str, TaskTarget]:
    """Read the targets of a run of moments.

    Raises:
        RunError: A line is broken, a moment has no target, or a target has no kind or one that does not fit.
    """
    found = read_targets(run, [line.task_id for line in predictions])
    for target in found.values():
        if target.kind not in MOMENT_KINDS or (target.kind == MOMENT_KINDS[0]) != bool(target.intent):
            raise RunError(
                f"expected a kind of {', '.join(MOMENT_KINDS)}, {MOMENT_KINDS[0]} exactly where there is an "
                f"intent, got {target.kind!r:.60}",
                file=run / TARGETS,
                episode_id=target.task_id,
            )
    return found


def _judge_offers(
    targets: Sequence[TaskTarget],
    offers: Sequence[str],
    judge: Judge | None,
    checking: JudgeChecking | None,
    labels: Path | None,
) -> tuple[JudgedRun | None, list[bool | None] | None]:
    """Judge the offers where something is wanted; returns None for hits without a judge."""
    if judge is None:
        return None, None
    hits: list[bool | None] = [None] * len(targets)
    both = [row for row, target in enumerate(targets) if target.intent and offers[row].strip()]
    if not both:
        return None, hits
    judged = judge_run(
        [targets[row] for row in both],
        [offers[row] for row in both],
        judge,
        {},
        labels=labels,
        checking=checking,
    )
    for row, item in zip(both, judged.result.per_item, strict=True):
        hits[row] = None if item.state == "unscored" else item.state == "same"
    return judged, hits


def _find_ceiling(
    targets: Sequence[TaskTarget], odds: Mapping[str, MomentOdds], penalty: float
) -> MomentCeiling | None:
    """Compute the ceiling on the same moments; None if the odds of any are not known."""
    if any(target.task_id not in odds for target in targets):
        return None
    found = [odds[target.task_id] for target in targets]
    return moment_ceiling(
        [one.wanted for one in found],
        [one.right for one in found],
        users=[target.user_id for target in targets],
        penalty=penalty,
        **_BOOTSTRAP,
    )


def _read_known(record: SuggestionRun) -> tuple[KnownMoments, BuiltDataset | None]:
    """Read what the run's dataset knows; with None for the dataset if it is gone."""
    try:
        built = open_moments(record.dataset)
        return KnownMoments.of_built(built, record.split), built
    except (DatasetError, UsageError) as error:
        return KnownMoments.none(str(error)), None


def _make_rule(built: BuiltDataset | None, people: MonthPeople | None) -> Judge | None:
    """Make the rule for hits; in a month an offer is one exactly if a patient person accepts it."""
    if built is None:
        return None
    if people is None:
        return SimulatedJudge.of_dataset(built)
    return PersonJudge.of_people(people, data_sha256=built.manifest.data_sha256)


def _list_caveats(record: SuggestionRun, scored: int) -> list[str]:
    """Why no score is comparable with the paper's, and which moments are scored."""
    caveats = [NOT_COMPARABLE]
    if record.split != TEST_MOMENTS:
        whole = f"a month in order has the moments of all splits: the test is {TEST_MOMENTS} alone"
        caveats.append(f"split {record.split}: the test is {TEST_MOMENTS}" if record.month is None else whole)
    if record.selection is not None:
        caveats.append(record.selection.describe(record.tasks))
    if scored < record.tasks:
        caveats.append(f"{scored} of the run's {record.tasks} moments")
    return caveats
