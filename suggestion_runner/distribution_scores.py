"""Scores of answers that are distributions (the paper's A.6.5): top-3 SR_1, and Sim_1 to the person's own.

By A.6.5, with the conventions in `fingertip_metrics.intent_distribution`:

- SR_1 counts a task as the same if the judge takes one of the three likeliest intents for the person's.
- Sim_1 is the cosine of the embedding vectors of the answer and of the person's distribution, which is made
  of all their intents in the task's clock hour.

Our conventions where A.6.5 gives none:

- A person's distribution is a target, like their intent: all intents of that hour in the dataset, in every
  split, including the task's own and later ones. Agents never see it. Intents of the index tables without an
  episode are not included.
- An answer without alternatives is the distribution with its one intent at probability 1; an empty answer is
  scored like the empty text.

The transport variant of Sim_1 is ours: the greatest expected Sim_1 over all couplings of the answer with the
person's intents within half an hour of the task's time of day.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import DatasetError, ModelError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.intent_distribution import (
    IntentDistribution,
    cluster_intents,
    compute_distribution_cosine,
    select_around_hour,
    select_hour,
    sim1_between,
)
from fingertip_metrics.judges.verdicts import Judge, State, Verdict
from fingertip_metrics.sim1_score import sim1
from fingertip_metrics.sr1_score import EMPTY, Sr1, count_sr1
from fingertip_runs.score_summary import total, user_interval
from suggestion_runner.judged_run import sr1_interval
from suggestion_runner.suggestion_records import Prediction, SuggestionRun

TOP = 3
"""Number of likeliest intents that SR_1 considers (A.6.5)."""

NO_INTENTS = (
    "Sim_1 between distributions needs intents of the persons at the tasks' hours: the dataset has none"
)
"""Reason for a missing Sim_1 where no task has both a clock hour and half hours with intents."""

CONVENTIONS = {
    "sim1": "A.6.5: cosine of the probability-weighted sums of embeddings; the person's intents of the clock "
    "hour, clustered",
    "transport": "ours: greatest expected Sim_1 over all pairings; the person's intents of half an hour "
    "before and after, clustered",
    "top3_sr1": f"A.6.5: one of the {TOP} likeliest is the same intent",
}
"""Name of a score in scores.json -> its definition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonTexts:
    """Intents of a task's person at the task's time of day, on any day, in chronological order.

    Attributes:
        clock_hour: Intents of the task's clock hour, for A.6.5.
        around: Intents within half an hour before and after, for the transport variant.
    """

    clock_hour: tuple[str, ...] = ()
    around: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionItem:
    """Scores of one task.

    Attributes:
        task_id: The episode id.
        intents: Number of intents in the answer.
        sim1: Sim_1 of A.6.5 between the answer and the person's distribution; None if the latter is unknown.
        transport: Transport variant of Sim_1; None if the person's distribution is unknown.
        person_intents: Number of the person's intents in that clock hour; 0 if unknown.
        person_clusters: Number of clusters of these intents.
        top3: Verdict on the three likeliest intents together; None without a judge.
    """

    task_id: str
    intents: int
    sim1: float | None
    transport: float | None
    person_intents: int
    person_clusters: int
    top3: State | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionScores:
    """The scores of A.6.5 of a run.

    Attributes:
        n: Number of tasks.
        with_alternatives: Number of tasks whose answer has more than one intent.
        sim1: Mean Sim_1 of A.6.5 with its interval over users; None if the dataset is gone or has no intent
            at any task's hour.
        transport: Mean of the transport variant with its interval over users; None where `sim1` is.
        why_no_sim1: Reason in words why Sim_1 is missing; None if it is not.
        top3: SR_1 of the three likeliest intents; None without a judge.
        top3_interval: Its mean with the interval over users; None without a judge. A task without a verdict
            counts as not done.
        per_item: Scores per task, in the order of the predictions.
    """

    n: int
    with_alternatives: int
    sim1: Interval | None
    transport: Interval | None
    why_no_sim1: str | None
    top3: Sr1 | None
    top3_interval: Interval | None
    per_item: tuple[DistributionItem, ...]


def score_distributions(
    record: SuggestionRun,
    predictions: Sequence[Prediction],
    targets: Mapping[str, TaskTarget],
    *,
    embedder: Embedder,
    protocol: str = "release",
    judge: Judge | None = None,
) -> DistributionScores:
    """The scores of A.6.5; an answer without alternatives has its one intent at probability 1.

    Args:
        record: Record of the run; without its dataset at the recorded path there is no Sim_1.
        predictions: Predictions of the run, at least one.
        targets: Task id -> its target.
        embedder: From `get_embedder`.
        protocol: Text similarity, "release" or "paper".
        judge: Judge of the top-3 SR_1; None to leave it out.

    Raises:
        MetricInputError: There is no prediction.
        MissingExtraError: scikit-learn is not installed.
        ModelError: The embedder or the judge failed.
    """
    users = [targets[prediction.task_id].user_id for prediction in predictions]
    top3 = top_sr1(predictions, targets, judge) if judge else None
    states = [item.state for item in top3.per_item] if top3 else [None] * len(predictions)
    try:
        persons = _read_persons_texts(record, [targets[line.task_id] for line in predictions])
        why = None
    except DatasetError as error:
        persons, why = {}, f"Sim_1 between distributions needs the run's dataset: {error}"
    items = _make_items(predictions, persons, states, embedder, protocol)
    # each mean needs one defined value
    if why is None and (
        all(item.sim1 is None for item in items) or all(item.transport is None for item in items)
    ):
        why = NO_INTENTS
    return DistributionScores(
        n=len(predictions),
        with_alternatives=sum(len(prediction.alternatives) > 1 for prediction in predictions),
        sim1=None if why else user_interval([item.sim1 for item in items], users),
        transport=None if why else user_interval([item.transport for item in items], users),
        why_no_sim1=why,
        top3=top3,
        top3_interval=sr1_interval([item.state for item in top3.per_item], users) if top3 else None,
        per_item=items,
    )


def top_sr1(
    predictions: Sequence[Prediction], targets: Mapping[str, TaskTarget], judge: Judge, *, top: int = TOP
) -> Sr1:
    """SR_1 of the likeliest intents of each task: "same" if one of them is the same.

    A task is unscored if none is the same and the judge has no verdict on one of them.

    Raises:
        MetricInputError: There is no prediction.
        ModelError: The judge failed, or returned a wrong number of verdicts.
    """
    likeliest = [_find_likeliest(prediction, top) for prediction in predictions]
    pairs = [
        (text, targets[prediction.task_id].intent)
        for texts, prediction in zip(likeliest, predictions, strict=True)
        for text in texts
    ]
    given = judge.judge(pairs) if pairs else ()
    if len(given) != len(pairs):
        raise ModelError(f"expected {len(pairs)} verdicts of judge {judge.name}, got {len(given)}")
    verdicts = iter(given)
    return count_sr1([_has_same([next(verdicts) for _ in texts]) for texts in likeliest], judge)


def distribution_dict(scores: DistributionScores) -> dict[str, Any]:
    """The scores in the form of scores.json."""
    top3 = scores.top3
    return {
        "n": scores.n,
        "with_alternatives": scores.with_alternatives,
        "conventions": CONVENTIONS,
        "sim1": asdict(scores.sim1) if scores.sim1 else None,
        "transport": asdict(scores.transport) if scores.transport else None,
        "why_no_sim1": scores.why_no_sim1,
        "top3_sr1": asdict(scores.top3_interval) if scores.top3_interval else None,
        "top3_best": top3.best if top3 else None,
        "top3_worst": top3.worst if top3 else None,
        "top3_unscored": top3.unscored if top3 else None,
        "judge": top3.judge if top3 else None,
        "per_item": [asdict(item) for item in scores.per_item],
    }


def _find_likeliest(prediction: Prediction, top: int) -> tuple[str, ...]:
    distribution = _make_predicted_distribution(prediction)
    return distribution.top(top) if distribution else ()


def _make_predicted_distribution(prediction: Prediction) -> IntentDistribution | None:
    """The answer as a distribution; None for an empty answer, or one cut at the output limit."""
    if prediction.cut:
        return None
    if prediction.alternatives:
        return IntentDistribution.of(prediction.alternatives)
    if prediction.predicted_intent.strip():
        return IntentDistribution.of([(prediction.predicted_intent, 1.0)])
    return None


def _has_same(verdicts: Sequence[Verdict]) -> Verdict:
    if not verdicts:
        return EMPTY
    found = next((verdict for verdict in verdicts if verdict.state == "same"), None)
    # a missing verdict could have been "same", so the whole answer is unscored
    found = found or next((verdict for verdict in verdicts if verdict.state == "unscored"), verdicts[0])
    return Verdict(
        state=found.state,
        reason=found.reason,
        problem=found.problem,
        output=found.output,
        votes=found.votes,
        prompt_tokens=total(verdict.prompt_tokens for verdict in verdicts),
        completion_tokens=total(verdict.completion_tokens for verdict in verdicts),
    )


def _read_persons_texts(record: SuggestionRun, targets: Sequence[TaskTarget]) -> dict[str, PersonTexts]:
    """Task id -> intents of its person at the task's time of day."""
    path = Path(record.dataset.path)
    built = BuiltDataset.open(path)
    if built.manifest.data_sha256 != record.dataset.data_sha256:
        raise DatasetError(
            "this is another dataset than the run was made on, or it was built again since: bring "
            "that one back to this path",
            file=path,
        )
    users = {target.user_id for target in targets}
    found: dict[str, dict[str, tuple[datetime, str]]] = defaultdict(dict)
    for split in built.split_names:
        for row in built.rows(split, columns=("episode_id", "user_id", "time", "intent")):
            if row["user_id"] in users:
                # the two tests share episodes, and each counts once
                found[row["user_id"]][row["episode_id"]] = (row["time"], row["intent"])
    intents = {user: sorted(of_user.values()) for user, of_user in found.items()}
    return {
        target.task_id: _list_texts_at(intents[target.user_id], datetime.fromisoformat(target.time))
        for target in targets
    }


def _list_texts_at(intents: Sequence[tuple[datetime, str]], moment: datetime) -> PersonTexts:
    hour = moment.hour + moment.minute / 60 + moment.second / 3600
    return PersonTexts(clock_hour=select_hour(intents, moment.hour), around=select_around_hour(intents, hour))


def _make_items(
    predictions: Sequence[Prediction],
    persons: Mapping[str, PersonTexts],
    states: Sequence[State | None],
    embedder: Embedder,
    protocol: str,
) -> tuple[DistributionItem, ...]:
    answers = [_make_predicted_distribution(prediction) for prediction in predictions]
    texts = [share.text for answer in answers if answer for share in answer.shares]
    texts += [text for person in persons.values() for text in (*person.clock_hour, *person.around)]
    known = _Encoded(embedder, ["", *texts, *(text.strip() for text in texts)])
    clustered: dict[tuple[str, ...], IntentDistribution] = {}

    def distribution(wanted: tuple[str, ...]) -> IntentDistribution | None:
        # tasks of one person and hour share their intents
        if wanted and wanted not in clustered:
            clustered[wanted] = cluster_intents(wanted, known)
        return clustered.get(wanted)

    items = []
    for prediction, answer, state in zip(predictions, answers, states, strict=True):
        person = persons.get(prediction.task_id, PersonTexts())
        actual, around = distribution(person.clock_hour), distribution(person.around)
        items.append(
            DistributionItem(
                task_id=prediction.task_id,
                intents=len(answer.shares) if answer else 0,
                sim1=compute_distribution_cosine(answer, actual, embedder=known) if actual else None,
                transport=_score_transport(answer, around, known, protocol) if around else None,
                person_intents=len(person.clock_hour),
                person_clusters=len(actual.shares) if actual else 0,
                top3=state,
            )
        )
    return tuple(items)


def _score_transport(
    answer: IntentDistribution | None, actual: IntentDistribution, embedder: Embedder, protocol: str
) -> float:
    if answer:
        return sim1_between(answer, actual, embedder=embedder, protocol=protocol)
    # a single text has only one coupling; its parts are not rounded, as in `sim1_between`
    texts = [share.text for share in actual.shares]
    parts = sim1([""] * len(texts), texts, embedder=embedder, protocol=protocol).per_item
    weighted = zip(actual.shares, parts, strict=True)
    return sum(share.probability * (part.levenshtein + part.cosine) / 2 for share, part in weighted)


class _Encoded:
    """Embedder that encodes all texts in one batch: one call per task would be slow."""

    def __init__(self, embedder: Embedder, texts: Sequence[str]) -> None:
        self.name, self.why_not_comparable = embedder.name, embedder.why_not_comparable
        self.comparable = embedder.comparable
        self._rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        self._vectors = embedder.encode(list(self._rows))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._vectors[[self._rows[text] for text in texts]]
