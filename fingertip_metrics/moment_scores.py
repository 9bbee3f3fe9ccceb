"""Scores of when to speak: an offer or silence at moments at which something or nothing is wanted.

A text is an offer, "" is silence. An offer where nothing is wanted is a false trigger. Silence where
something is wanted is a miss. An offer of something else than what is wanted is neither a hit nor a false
trigger; it is counted apart. A score whose denominator is 0 is None with the reason in words, never 0.

| score | |
|---|---|
| false_trigger_rate | offers / moments without an intent, of the moments without an intent |
| missed_rate | silent / moments with an intent, of the moments with an intent |
| precision, recall | offers at moments with an intent / offers; / moments with an intent |
| sr1, sim1 | hits, and mean Sim_1, of the offers at moments with an intent |
| hit_rate | hits / moments with an intent |
| utility | (hits - penalty x false triggers) / moments; silence throughout has 0 |
| risk_area | area under the curve of risk and coverage, see `risk_coverage` |
| brier, calibration_error, auroc | the confidences against "something is wanted", see `confidence_scores` |

An answer without a confidence, among answers that have one, is taken at its word: 1 for an offer, 0 for
silence. So no moment drops out of a mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from statistics import fmean
from typing import Any, get_args

import numpy as np

from fingertip_dataset.errors import MetricInputError, ModelError, UsageError
from fingertip_dataset.tasks.moments import INTENT
from fingertip_metrics.aggregate import GroupMean, Interval, bootstrap_mean, by_group
from fingertip_metrics.check_arguments import check_booleans, check_intents, check_lengths, check_texts
from fingertip_metrics.confidence_scores import ReliabilityBin, make_reliability_bins
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.verdicts import Judge, Verdict
from fingertip_metrics.moment_columns import (
    MOMENT_SCORES,
    MomentColumns,
    MomentItem,
    MomentOutcome,
    compute_intervals,
    drop_nan,
    name_outcome,
)
from fingertip_metrics.plain_values import make_plain
from fingertip_metrics.risk_coverage import RiskPoint, trace_risk
from fingertip_metrics.sim1_score import Sim1, sim1

NOT_COMPARABLE = "the paper has no moments at which nothing is wanted"
"""Reason why none of these scores can be compared with the paper's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentScores:
    """Scores of answers to moments; see the module for their definitions.

    Attributes:
        n: Number of moments.
        with_intent: Number of moments at which something is wanted.
        without_intent: Number of moments at which nothing is wanted.
        spoken: Number of offers.
        hits: Number of offers of what was wanted; None if that is not known.
        other_offers: Number of offers where something else was wanted; None if that is not known.
        unscored: Number of offers without a verdict where something is wanted; they count as no hit.
        false_triggers: Number of offers where nothing is wanted.
        missed: Number of silent moments at which something is wanted.
        without_confidence: Number of answers without a confidence.
        scores: Name of `MOMENT_SCORES` -> value; None if undefined.
        why_undefined: Name of an undefined score -> reason in words.
        intervals: Name of a score -> value with its interval over people; empty if people are not given.
        penalty: Penalty of a false trigger in `scores["utility"]`, in hits.
        utility_curve: (penalty, utility) for the penalties of `PENALTIES`; empty if hits are not known.
        reliability: Bins of the confidences; empty without confidences.
        risk_curve: Points of the agent's own offers; empty without confidences, offers or hits.
        by_kind: Share of offers at the moments of each kind; empty if kinds are not given.
        judge: Name of the judge; None if hits were given or are not known.
        judge_settings: Settings that the judge's verdicts depend on.
        near: Sim_1 of the offers where something is wanted, with its parts; None if undefined.
        values: Name of a score that is a mean -> its value at each moment, None where it does
            not count.
        per_item: Results of the moments, in input order.
    """

    n: int
    with_intent: int
    without_intent: int
    spoken: int
    hits: int | None
    other_offers: int | None
    unscored: int
    false_triggers: int
    missed: int
    without_confidence: int
    scores: Mapping[str, float | None]
    why_undefined: Mapping[str, str]
    intervals: Mapping[str, Interval | None]
    penalty: float
    utility_curve: tuple[tuple[float, float], ...]
    reliability: tuple[ReliabilityBin, ...]
    risk_curve: tuple[RiskPoint, ...]
    by_kind: tuple[GroupMean, ...]
    judge: str | None
    judge_settings: Mapping[str, Any]
    near: Sim1 | None = field(repr=False)
    values: Mapping[str, tuple[float | None, ...]] = field(repr=False)
    per_item: tuple[MomentItem, ...] = field(repr=False)

    def to_dict(self, *, per_item: bool) -> dict[str, Any]:
        """The scores as the `evaluate` module returns them, undefined ones as None.

        Args:
            per_item: Whether to keep the result of each moment, a list of dicts.
        """
        counts = ("n", "with_intent", "without_intent", "spoken", "hits", "other_offers", "unscored")
        more = ("false_triggers", "missed", "without_confidence")
        row: dict[str, Any] = {
            **self.scores,
            "penalty": self.penalty,
            **{name: getattr(self, name) for name in (*counts, *more)},
            "why_undefined": dict(self.why_undefined),
            "utility_curve": [list(point) for point in self.utility_curve],
            "reliability": [asdict(one) for one in self.reliability],
            "risk_curve": [asdict(one) for one in self.risk_curve],
            "by_kind": [_drop_missing(asdict(group)) for group in self.by_kind],
            "judge": self.judge,
            "embedder": self.near.embedder if self.near else None,
            "comparable": False,
            "why_not_comparable": NOT_COMPARABLE,
        }
        if self.intervals:
            row["intervals"] = {name: asdict(one) if one else None for name, one in self.intervals.items()}
        if per_item:
            row["per_item"] = [asdict(item) for item in self.per_item]
        return row


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verdicts:
    """Whether offers are what was wanted.

    Attributes:
        known: Whether anything is known of it.
        states: True, False, or None without a verdict, one per moment.
        reasons: The judge's reason of each moment, "" without one.
    """

    known: bool
    states: Sequence[bool | None]
    reasons: Sequence[str]


def moment_scores(
    predictions: Sequence[str],
    references: Sequence[str],
    confidences: Sequence[float | None] | None = None,
    *,
    hits: Sequence[bool | None] | None = None,
    judge: Judge | None = None,
    embedder: Embedder | None = None,
    protocol: str = "release",
    kinds: Sequence[str] | None = None,
    users: Sequence[str] | None = None,
    penalty: float = 1.0,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> MomentScores:
    """Compute the scores of offers and silence at moments.

    Args:
        predictions: The agent's offers; "" for silence.
        references: The people's intents; "" where nothing is wanted.
        confidences: The agent's probability that something is wanted, 0 to 1, for silence as well; None for
            an answer without one, or for all answers.
        hits: Whether each offer is what was wanted, in place of a judge; None without a verdict, and where
            there is no offer or nothing is wanted.
        judge: Judge, from `fingertip_metrics.judges`; it is asked about offers where something is wanted.
        embedder: Embedder of Sim_1, from `get_embedder`.
        protocol: Protocol of Sim_1.
        kinds: Kind of each moment, "intent" exactly where something is wanted.
        users: Person of each moment, for intervals over people.
        penalty: Penalty of a false trigger in `utility`, in hits, 0 or more.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Confidence level of the intervals, 0-1.

    Raises:
        MetricInputError: No moment, unequal lengths, or a row of another type or range.
        UsageError: Both hits and a judge, or an invalid setting.
        ModelError: The judge or the embedder failed.

    >>> texts = (["听歌", "打车", ""], ["听歌", "", ""])
    >>> scores = moment_scores(*texts, [0.9, 0.4, 0.1], hits=[True, None, None])
    >>> scores.scores["false_trigger_rate"], scores.scores["missed_rate"], scores.scores["precision"]
    (0.5, 0.0, 0.5)
    >>> scores.scores["utility"], round(scores.scores["brier"], 2), scores.why_undefined["sim1"]
    (0.0, 0.06, 'no embedder was named')
    """
    predictions = make_plain(predictions)
    references = ["" if text is None else text for text in make_plain(references)]
    check_intents(predictions, references)
    kinds, users = make_plain(kinds), make_plain(users)
    given = _check_confidences(make_plain(confidences), predictions)
    wanted = [bool(text.strip()) for text in references]
    _check_groups(wanted, kinds, users)
    both = [row for row, offer in enumerate(predictions) if offer.strip() and wanted[row]]
    offers, intents = [predictions[row] for row in both], [references[row] for row in both]
    # Sim_1 first: it refuses an unknown protocol before the judge is queried
    near = sim1(offers, intents, embedder=embedder, protocol=protocol) if embedder and both else None
    similar = dict(zip(both, near.per_item, strict=True)) if near else {}
    verdicts = _find_verdicts(predictions, references, both, make_plain(hits), judge)
    items = [
        MomentItem(
            outcome=name_outcome(
                spoken=bool(prediction.strip()), wanted=wanted[row], hit=verdicts.states[row]
            ),
            confidence=given[row] if given else None,
            sim1=similar[row].sim1 if row in similar else None,
            reason=verdicts.reasons[row],
        )
        for row, prediction in enumerate(predictions)
    ]
    return count_moments(
        items, hits_known=verdicts.known, near=near, judge=judge, kinds=kinds, users=users, penalty=penalty,
        seed=seed, resamples=resamples, confidence=confidence,
    )  # fmt: skip


def count_moments(
    items: Sequence[MomentItem],
    *,
    hits_known: bool,
    near: Sim1 | None = None,
    judge: Judge | None = None,
    kinds: Sequence[str] | None = None,
    users: Sequence[str] | None = None,
    penalty: float = 1.0,
    seed: int = 0,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> MomentScores:
    """Compute the scores from existing results of moments; arguments and errors as of `moment_scores`.

    Args:
        items: Results of the moments.
        hits_known: Whether their outcomes tell hits from other offers.
        near: Sim_1 of the offers where something is wanted; None if undefined.
        judge: Judge of the outcomes; it is not queried.
        kinds: Kind of each moment.
        users: Person of each moment.
        penalty: Penalty of a false trigger in `utility`, in hits.
        seed: Seed of the bootstrap.
        resamples: Number of resamples.
        confidence: Confidence level of the intervals, 0-1.
    """
    check_lengths(items=items)
    if not 0 <= penalty < math.inf:
        raise UsageError(f"expected a penalty of 0 or more, got {penalty}")
    columns = MomentColumns.of_items(items, hits_known=hits_known)
    values, statistics = columns.list_values(penalty), columns.list_statistics()
    ones = np.ones((1, len(items)))
    scores: dict[str, float | None] = {name: _mean(values.get(name, ())) for name in MOMENT_SCORES}
    scores |= {name: drop_nan(float(statistic(ones)[0])) for name, statistic in statistics.items()}
    settings: dict[str, Any] = {"seed": seed, "resamples": resamples, "confidence": confidence}
    share = partial(bootstrap_mean, share=True, **settings)
    counts = {outcome: sum(item.outcome == outcome for item in items) for outcome in get_args(MomentOutcome)}
    with_intent, spoken = int(columns.wanted.sum()), int(columns.spoken.sum())
    return MomentScores(
        n=len(items),
        with_intent=with_intent,
        without_intent=len(items) - with_intent,
        spoken=spoken,
        hits=counts["hit"] if hits_known else None,
        other_offers=counts["other_offer"] if hits_known else None,
        unscored=counts["unjudged_offer"] if hits_known else 0,
        false_triggers=counts["false_trigger"],
        missed=counts["missed"],
        without_confidence=sum(item.confidence is None for item in items),
        scores=scores,
        why_undefined={name: columns.explain(name) for name, value in scores.items() if value is None},
        intervals=compute_intervals(values, statistics, users, **settings) if users is not None else {},
        penalty=penalty,
        utility_curve=columns.list_utilities(),
        reliability=make_reliability_bins(columns.confidences, columns.wanted) if columns.confident else (),
        risk_curve=trace_risk(columns.confidences, columns.spoken > 0, columns.hits)
        if columns.confident and hits_known
        else (),
        by_kind=by_group(columns.spoken.tolist(), kinds, users=users, interval=share)
        if kinds is not None
        else (),
        judge=judge.name if judge else None,
        judge_settings=judge.settings if judge else {},
        near=near,
        values={name: tuple(column) for name, column in values.items()},
        per_item=tuple(items),
    )


def _find_verdicts(
    predictions: Sequence[str],
    references: Sequence[str],
    both: Sequence[int],
    hits: Sequence[bool | None] | None,
    judge: Judge | None,
) -> _Verdicts:
    """Find whether offers are hits, from the caller or from the judge, which is asked about `both` alone."""
    states: list[bool | None] = [None] * len(predictions)
    reasons = [""] * len(predictions)
    if hits is not None:
        if judge is not None:
            raise UsageError("expected hits or a judge, got both")
        _check_hits(hits, predictions, references)
        return _Verdicts(known=True, states=hits, reasons=reasons)
    if judge is None:
        return _Verdicts(known=False, states=states, reasons=reasons)
    pairs = [(predictions[row], references[row]) for row in both]
    verdicts: Sequence[Verdict] = judge.judge(pairs) if pairs else ()
    if len(verdicts) != len(pairs):
        raise ModelError(f"expected {len(pairs)} verdicts of judge {judge.name}, got {len(verdicts)}")
    for row, verdict in zip(both, verdicts, strict=True):
        states[row] = None if verdict.state == "unscored" else verdict.state == "same"
        reasons[row] = verdict.reason
    return _Verdicts(known=True, states=states, reasons=reasons)


def _check_confidences(
    confidences: Sequence[float | None] | None, predictions: Sequence[str]
) -> Sequence[float | None] | None:
    """Check that confidences are numbers from 0 to 1; None where no answer has one."""
    if confidences is None:
        return None
    if not isinstance(confidences, Sequence) or isinstance(confidences, str | bytes):
        kind = type(confidences).__name__
        raise MetricInputError(f"expected confidences to be a list of numbers, got {kind}")
    check_lengths(predictions=predictions, confidences=confidences)
    for row, value in enumerate(confidences):
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is not None and not (number and 0 <= value <= 1):
            raise MetricInputError(
                f"expected confidences[{row}] to be a number from 0 to 1, or None for an answer without one, "
                f"got {value!r:.60}"
            )
    return None if all(value is None for value in confidences) else confidences


def _check_hits(hits: Sequence[bool | None], predictions: Sequence[str], references: Sequence[str]) -> None:
    check_booleans("hits", hits, none=True)
    check_lengths(predictions=predictions, hits=hits)
    for row, hit in enumerate(hits):
        if hit and not (predictions[row].strip() and references[row].strip()):
            lacking = "no offer" if not predictions[row].strip() else "nothing wanted"
            raise MetricInputError(f"expected no hit in hits[{row}], where there is {lacking}, got True")


def _check_groups(wanted: Sequence[bool], kinds: Sequence[str] | None, users: Sequence[str] | None) -> None:
    for name, column in (("kinds", kinds), ("users", users)):
        if column is not None:
            check_texts(name, column)
            check_lengths(predictions=wanted, **{name: column})
    for row, kind in enumerate(kinds or ()):
        if (kind == INTENT) != wanted[row]:
            expected = f"{INTENT!r}" if wanted[row] else f"a kind other than {INTENT!r}"
            state = "something" if wanted[row] else "nothing"
            raise MetricInputError(
                f"expected kinds[{row}] to be {expected}, as {state} is wanted there, got {kind!r:.60}"
            )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _drop_missing(group: dict[str, Any]) -> dict[str, Any]:
    """A group without the interval that it lacks."""
    return {name: value for name, value in group.items() if name != "interval" or value is not None}
