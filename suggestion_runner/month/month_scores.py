"""Scores of a run through people's months: curves over the month, the people's answers, repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any, get_args

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.feedback import REJECTIONS, Feedback
from fingertip_dataset.tasks.moments import read_drifts
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.moment_columns import name_outcome
from suggestion_runner.month.lived_month import MonthPeople, MonthPerson, read_moment_splits
from suggestion_runner.month.month_curves import (
    CurvePoint,
    Grouping,
    ScoredMoment,
    measure_drift_days,
    trace_curves,
)
from suggestion_runner.suggestion_records import Prediction, SuggestionRun


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthScores:
    """Scores of a run through people's months.

    Attributes:
        feedback: Whether the agent and its memory got the people's answers.
        memory: Name of the memory.
        curves: Grouping -> its groups, in order.
        answers: Answer of a person -> number of suggestions answered so.
        repeats: Answer by which a suggestion was rejected before -> number of suggestions that repeat it
            without being wanted.
    """

    feedback: bool
    memory: str
    curves: Mapping[Grouping, tuple[CurvePoint, ...]]
    answers: Mapping[Feedback, int]
    repeats: Mapping[Feedback, int]

    @property
    def whole(self) -> CurvePoint:
        """Scores of all moments of the run."""
        return self.curves["all"][0]


def score_month(
    built: BuiltDataset,
    people: MonthPeople,
    record: SuggestionRun,
    predictions: Sequence[Prediction],
    targets: Mapping[str, TaskTarget],
    *,
    penalty: float = 1.0,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> MonthScores:
    """Compute the scores of a month.

    Args:
        built: Dataset of the run.
        people: Facts of its people, by the protocol of the run.
        record: The run.
        predictions: Its answers.
        targets: Target of each moment, by id.
        penalty: Penalty of a false trigger in "utility", in hits.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Confidence level of the intervals, 0-1.

    Raises:
        UsageError: The run is no month, or the dataset has no moments.
        DatasetError: The dataset is broken.
        MetricInputError: The run has no answer.
    """
    moments = list(list_scored_moments(built, people, record, predictions, targets))
    curves = trace_curves(moments, penalty=penalty, seed=seed, resamples=resamples, confidence=confidence)
    answers = Counter[str](moment.feedback for moment in moments if moment.feedback)
    repeats = Counter[str](moment.repeats for moment in moments if moment.repeats and moment.outcome != "hit")
    return MonthScores(
        feedback=record.month is not None and record.month.feedback,
        memory=record.memory.name if record.memory else "none",
        curves=curves,
        answers={answer: answers[answer] for answer in get_args(Feedback)},
        repeats={answer: repeats[answer] for answer in REJECTIONS},
    )


def list_scored_moments(
    built: BuiltDataset,
    people: MonthPeople,
    record: SuggestionRun,
    predictions: Sequence[Prediction],
    targets: Mapping[str, TaskTarget],
) -> Iterator[ScoredMoment]:
    """Iterate over the answers of a month with all that the curves need; arguments as of `score_month`."""
    splits, drifts = read_moment_splits(built), read_drifts(built)
    persons: dict[str, tuple[MonthPerson, date]] = {}
    for line in predictions:
        target = targets[line.task_id]
        moment, user = datetime.fromisoformat(target.time), target.user_id
        if user not in persons:
            person = people.read_person(user)
            persons[user] = (person, _find_first_day(person, moment))
        person, first = persons[user]
        wanted = bool(target.intent)
        day = (moment.date() - first).days + 1
        changes = [(date.fromisoformat(change) - first).days + 1 for change in drifts.get(user, ())]
        yield ScoredMoment(
            user_id=user,
            split=splits[line.task_id],
            day=day,
            history=person.count_earlier(moment),
            from_drift=measure_drift_days(day, changes),
            outcome=name_outcome(
                spoken=bool(line.offer),
                wanted=wanted,
                # a hit is what the person reads as what they want
                hit=person.reading.states(line.offer, target.intent) if line.offer and wanted else None,
            ),
            confidence=line.confidence,
            feedback=line.feedback,
            repeats=line.repeats,
        )


def month_dict(scores: MonthScores) -> dict[str, Any]:
    """The scores in JSON types, for scores.json."""
    return {
        "feedback": scores.feedback,
        "memory": scores.memory,
        "answers": dict(scores.answers),
        "repeats": dict(scores.repeats),
        "curves": {
            grouping: [asdict(point) for point in points] for grouping, points in scores.curves.items()
        },
    }


def _find_first_day(person: MonthPerson, moment: datetime) -> date:
    """First day of a person's month: of the first episode, or of the first moment if that is earlier."""
    first = person.episodes[0].time.astimezone(moment.tzinfo).date() if person.episodes else moment.date()
    return min(first, moment.date())
