"""Results of moments as arrays: the value of each score at each moment, and scores that are no means."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from fingertip_metrics.aggregate import Interval, bootstrap_mean, bootstrap_statistic
from fingertip_metrics.confidence_scores import Floats, weigh_calibration_error, weigh_roc_area
from fingertip_metrics.risk_coverage import weigh_risk_area

MomentOutcome = Literal["hit", "other_offer", "unjudged_offer", "false_trigger", "missed", "silent"]
"""Outcome of a moment. "other_offer": something else was wanted; "unjudged_offer": no verdict, which counts
as no hit; "missed": silence where something was wanted; "silent": silence where nothing was."""

PENALTIES = tuple(step / 4 for step in range(17))
"""Penalties of a false trigger, in hits, of the utility curve: 0 to 4."""

SHARES = ("false_trigger_rate", "missed_rate", "precision", "recall", "sr1", "hit_rate")
"""Scores that are shares of moments."""

MOMENT_SCORES = (*SHARES, "sim1", "utility", "brier", "calibration_error", "auroc", "risk_area")
"""Names of all scores."""

BIASED_IN_RESAMPLES = ("calibration_error",)
"""Scores of which a bootstrap gives no interval: bins of resamples are smaller, and their gaps larger."""

WHY_BIASED = "resamples have a larger calibration error than the moments themselves"

NOTHING_WANTED = "nothing is wanted at any of the moments"
ALWAYS_WANTED = "something is wanted at each of the moments"
NEVER_SPOKE = "there is no offer"
NO_OFFER_WANTED = "there is no offer where something is wanted"
NO_CONFIDENCE = "the answers have no confidence"
NO_HITS = "whether an offer is what was wanted is not known: no judge was named"
NO_EMBEDDER = "no embedder was named"
"""Reasons why a score is undefined."""


def name_outcome(*, spoken: bool, wanted: bool, hit: bool | None) -> MomentOutcome:
    """Return the outcome of a moment.

    Args:
        spoken: Whether there is an offer.
        wanted: Whether something is wanted.
        hit: Whether an offer is what was wanted, where both are; None without a verdict.

    >>> name_outcome(spoken=True, wanted=True, hit=False), name_outcome(spoken=False, wanted=True, hit=None)
    ('other_offer', 'missed')
    """
    if not spoken:
        return "missed" if wanted else "silent"
    if not wanted:
        return "false_trigger"
    return "unjudged_offer" if hit is None else "hit" if hit else "other_offer"


def drop_nan(value: float) -> float | None:
    """Return a score, or None for one without a denominator, which is nan."""
    return None if math.isnan(value) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentItem:
    """Result of one moment.

    Attributes:
        outcome: Outcome of the moment.
        confidence: Confidence that something is wanted, as given; None if not given.
        sim1: Sim_1 of an offer where something is wanted; None elsewhere, and without an embedder.
        reason: The judge's reason for its verdict; "" without one.
    """

    outcome: MomentOutcome
    confidence: float | None
    sim1: float | None
    reason: str


Statistic = Callable[[Floats], Floats]
"""Function of weights, of shape (draws, n), that returns a score for each draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentColumns:
    """Results of moments as arrays, from which every score is computed; each has the shape (n,).

    Attributes:
        spoken: 1 for an offer.
        wanted: 1 where something is wanted.
        hits: 1 for a hit.
        confidences: Confidence, of an answer without one its decision: 1 for an offer, 0 for silence.
        sim1: Sim_1 of offers where something is wanted; nan elsewhere.
        hits_known: Whether hits are known.
        confident: Whether any answer has a confidence.
    """

    spoken: Floats
    wanted: Floats
    hits: Floats
    confidences: Floats
    sim1: Floats
    hits_known: bool
    confident: bool

    @classmethod
    def of_items(cls, items: Sequence[MomentItem], *, hits_known: bool) -> MomentColumns:
        """Make the columns of results of moments.

        Args:
            items: Results of the moments.
            hits_known: Whether their outcomes tell hits from other offers.
        """
        spoken = [item.outcome not in ("missed", "silent") for item in items]
        return cls(
            spoken=np.array(spoken, dtype=np.float64),
            wanted=np.array([item.outcome not in ("false_trigger", "silent") for item in items], dtype=float),
            hits=np.array([item.outcome == "hit" for item in items], dtype=np.float64),
            confidences=np.array(
                [
                    float(offer) if item.confidence is None else item.confidence
                    for item, offer in zip(items, spoken, strict=True)
                ],
                dtype=np.float64,
            ),
            sim1=np.array([np.nan if item.sim1 is None else item.sim1 for item in items], dtype=float),
            hits_known=hits_known,
            confident=any(item.confidence is not None for item in items),
        )

    def list_values(self, penalty: float) -> dict[str, list[float | None]]:
        """Values per moment of the scores that are means; None where a moment does not count.

        Args:
            penalty: Penalty of a false trigger in `utility`, in hits.
        """
        spoken, wanted = self.spoken > 0, self.wanted > 0
        every = np.ones_like(wanted)
        found = {
            "false_trigger_rate": _select(self.spoken, ~wanted),
            "missed_rate": _select(1 - self.spoken, wanted),
            "precision": _select(self.wanted, spoken),
            "recall": _select(self.spoken, wanted),
            "sim1": _select(self.sim1, ~np.isnan(self.sim1)),
        }
        if self.hits_known:
            found["sr1"] = _select(self.hits, spoken & wanted)
            found["hit_rate"] = _select(self.hits, wanted)
            found["utility"] = _select(self.hits - penalty * self.spoken * (1 - self.wanted), every)
        if self.confident:
            found["brier"] = _select((self.confidences - self.wanted) ** 2, every)
        return found

    def list_statistics(self) -> dict[str, Statistic]:
        """Functions of weights for the scores that are no means."""
        found: dict[str, Statistic] = {}
        if self.confident:
            found["calibration_error"] = partial(weigh_calibration_error, self.confidences, self.wanted)
            found["auroc"] = partial(weigh_roc_area, self.confidences, self.wanted)
        if self.confident and self.hits_known:
            # silent moments come after all offers, whatever their confidence
            order_by = np.where(self.spoken > 0, self.confidences, -1.0)
            found["risk_area"] = partial(weigh_risk_area, order_by, self.hits)
        return found

    def list_utilities(self) -> tuple[tuple[float, float], ...]:
        """(penalty, utility) for the penalties of `PENALTIES`; none if hits are not known."""
        if not self.hits_known:
            return ()
        hits, false = self.hits.mean(), (self.spoken * (1 - self.wanted)).mean()
        return tuple((penalty, float(hits - penalty * false)) for penalty in PENALTIES)

    def explain(self, name: str) -> str:
        """Say why a score is undefined: the first reason that applies.

        Args:
            name: Name of `MOMENT_SCORES`.
        """
        spoken, wanted = self.spoken > 0, self.wanted > 0
        reasons = {
            NO_HITS: not self.hits_known and name in ("sr1", "hit_rate", "utility", "risk_area"),
            NO_CONFIDENCE: not self.confident and name in _OF_CONFIDENCES,
            NOTHING_WANTED: not wanted.any() and name in ("missed_rate", "recall", "hit_rate", "auroc"),
            ALWAYS_WANTED: wanted.all() and name in ("false_trigger_rate", "auroc"),
            NEVER_SPOKE: not spoken.any() and name in ("precision", "sr1", "sim1"),
            NO_OFFER_WANTED: not (spoken & wanted).any() and name in ("sr1", "sim1"),
            NO_EMBEDDER: name == "sim1",
        }
        return next(reason for reason, applies in reasons.items() if applies)


_OF_CONFIDENCES = ("brier", "calibration_error", "auroc", "risk_area")
"""Scores that need confidences."""


def compute_intervals(
    values: Mapping[str, Sequence[float | None]],
    statistics: Mapping[str, Statistic],
    users: Sequence[str],
    **settings: Any,  # noqa: ANN401 - those of the bootstrap
) -> dict[str, Interval | None]:
    """Compute the interval over people of each score, in the order of `MOMENT_SCORES`; None if undefined.

    Args:
        values: Name of a score that is a mean -> its values per moment.
        statistics: Name of another score -> its function of weights.
        users: Person of each moment.
        settings: `seed`, `resamples` and `confidence` of the bootstrap.
    """
    found: dict[str, Interval | None] = {}
    for name in MOMENT_SCORES:
        if name in statistics:
            interval = bootstrap_statistic(statistics[name], users, **settings)
            found[name] = _drop_ends(interval) if interval and name in BIASED_IN_RESAMPLES else interval
        else:
            column = values.get(name, ())
            defined = any(value is not None for value in column)
            share = name in SHARES
            found[name] = bootstrap_mean(column, users, share=share, **settings) if defined else None
    return found


def _drop_ends(interval: Interval) -> Interval:
    return replace(interval, low=None, high=None, why_no_interval=WHY_BIASED, method=None)


def _select(values: Floats, rows: np.ndarray[Any, Any]) -> list[float | None]:
    """Values of the rows that count, None of the others."""
    return [float(value) if row else None for value, row in zip(values, rows, strict=True)]
