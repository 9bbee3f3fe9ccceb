"""Judge of suggestions in a month: the people themselves, by the rule with which they answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable
from fingertip_metrics.judges.verdicts import IntentPair, Verdict
from suggestion_runner.month.lived_month import MonthPeople
from suggestion_runner.month.offer_reading import OfferReading
from suggestion_runner.month.person_rule import PERSON_RULE


class PersonJudge:
    """Judge whether a suggestion states what a simulated person wants; deterministic.

    The rule is that of `OfferReading`, by which the person accepts a suggestion. It differs from the judge
    `simulated` in one thing: a quoted intent of the person always states what the person did then.

    Args:
        readings: Text of each intent -> how each person with this intent reads suggestions.
        data_sha256: The `data_sha256` of the dataset.
    """

    kind: ClassVar = "person"
    remark = None

    def __init__(self, readings: Mapping[str, Sequence[OfferReading]], *, data_sha256: str) -> None:
        self._readings = readings
        self._data_sha256 = data_sha256

    @classmethod
    def of_people(cls, people: MonthPeople, *, data_sha256: str) -> Self:
        """Make the judge of the people of a dataset.

        Args:
            people: Facts of the people.
            data_sha256: The `data_sha256` of the dataset.

        Raises:
            DatasetError: The dataset is broken.
        """
        readings: dict[str, list[OfferReading]] = defaultdict(list)
        for user_id in people.user_ids:
            reading = people.read_person(user_id).reading
            for text in reading.intents:
                readings[text].append(reading)
        return cls(readings, data_sha256=data_sha256)

    @property
    def name(self) -> str:
        """Name in results."""
        return "the people themselves (goal and case)"

    @property
    def settings(self) -> dict[str, object]:
        """The version of the rule, and the dataset by its hash."""
        return {"kind": self.kind, "version": PERSON_RULE, "data_sha256": self._data_sha256}

    @property
    def why_not_comparable(self) -> str:
        """Always a reason: the paper's judge is a model, and its data are people's."""
        return f"judge {self.name}: a rule for simulated data, the paper's judge is DeepSeek-V3"

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        """Return a verdict per pair, in order.

        Raises:
            UsageError: An intent is not of the dataset.
        """
        return tuple(self._judge(offer, intent) for offer, intent in pairs)

    def _judge(self, offer: str, intent: str) -> Verdict:
        if intent not in self._readings:
            raise UsageError(
                f"judge {self.kind} knows the intents of its dataset only, got another: "
                f"{printable(intent, 60)!r}"
            )
        readings = self._readings[intent]
        # people may word an intent alike; an offer of own words was made to the one who has them
        quoting = [reading for reading in readings if reading.quotes(offer)]
        states = any(reading.states(offer, intent) for reading in quoting or readings)
        return Verdict(state="same" if states else "different")
