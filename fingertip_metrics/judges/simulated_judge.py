"""Judge for simulated data: reads a predicted goal back by the wordings of the person's own phone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.problems import printable
from fingertip_metrics.judges.read_back import THRESHOLD, ReadBack, WordedGoal, phone_wordings
from fingertip_metrics.judges.verdicts import IntentPair, JudgeInputs, RecordedVerdict, Verdict, VerdictCheck

Criterion = Literal["goal and case", "goal"]
"""What two intents need in common: the goal with the arguments that the prediction words, or the goal."""

READ_BACK_VERSION = 2
"""Increment it when the reading, the wordings or the threshold change."""

SAME = "same goal and case"
OTHER_CASE = "same goal, another case"
OTHER_GOAL = "another goal"
SEVERAL = "several goals"
NO_GOAL = "no goal of the person's phone"
REASONS = (SAME, OTHER_CASE, OTHER_GOAL, SEVERAL, NO_GOAL)
"""Reasons of verdicts, the best first. They tell nothing of the person's intent beyond the verdict."""


class SimulatedJudge:
    """Judge predictions about simulated people; deterministic, and no pair is unscored.

    A prediction is read as the goals of the person's phone whose wordings it fits best (`PhoneWordings`).
    It is "same" if the person's goal is among them and, by the criterion "goal and case", all arguments that
    this wording mentions stand in the prediction. An argument that it leaves open makes no difference.

    Args:
        people: Intent text -> (seed of the phone, its language, goal) of each simulated episode with this
            intent. Different people may word an intent alike; "same" for one of them is "same".
        data_sha256: The `data_sha256` of the dataset.
        criterion: What counts as the same.
    """

    kind: ClassVar = "simulated"
    remark = None

    def __init__(
        self,
        people: Mapping[str, Sequence[tuple[int, str, WordedGoal]]],
        *,
        data_sha256: str,
        criterion: Criterion = "goal and case",
    ) -> None:
        self._people = people
        self._data_sha256 = data_sha256
        self._criterion: Criterion = criterion
        # the wordings of a phone take long to make, and runs of the same tasks repeat many pairs
        self._known: dict[IntentPair, Verdict] = {}

    @classmethod
    def of_dataset(cls, built: BuiltDataset, *, criterion: Criterion = "goal and case") -> Self:
        """Make the judge of a built dataset.

        Raises:
            UsageError: The dataset is recorded by people.
            DatasetError: An episode has no simulation, or the dataset has changed since the build.
        """
        simulations = built.simulations()
        if not simulations:
            raise UsageError(
                f"judge {cls.kind} is for simulated data; {built.path} is {_find_origin(built)}: "
                "take --judge lexical, human or a model"
            )
        people: dict[str, list[tuple[int, str, WordedGoal]]] = defaultdict(list)
        for split in built.split_names:
            for row in built.rows(split, columns=("episode_id", "intent")):
                simulation = simulations.get(row["episode_id"])
                if simulation is None:
                    reason = (
                        f"judge {cls.kind} needs every episode's simulation; {row['episode_id']} has none"
                    )
                    raise DatasetError(reason, file=built.path)
                person = _read_seed_and_goal(simulation, row["episode_id"], built.path)
                if person not in people[row["intent"]]:
                    people[row["intent"]].append(person)
        return cls(people, data_sha256=built.manifest.data_sha256, criterion=criterion)

    def renew(self) -> Self:
        """Return a judge by the same rule that has judged nothing."""
        return type(self)(self._people, data_sha256=self._data_sha256, criterion=self._criterion)

    @classmethod
    def open(cls, inputs: JudgeInputs) -> Self:
        """Make the judge of goal and case of a dataset by its path; raises the errors of `of_dataset`.

        Raises:
            UsageError: No dataset is given.
        """
        return cls.of_dataset(_open_dataset(inputs))

    @classmethod
    def open_by_goal(cls, inputs: JudgeInputs) -> Self:
        """Make the judge of the goal alone; otherwise as `open`."""
        return cls.of_dataset(_open_dataset(inputs), criterion="goal")

    @classmethod
    def verdict_check(cls, settings: Mapping[str, object]) -> VerdictCheck | None:
        """No check from settings alone: `check` needs the dataset."""
        return None

    def check(self, pairs: Sequence[IntentPair]) -> VerdictCheck:
        """Repeat the rule on pairs of this judge's dataset; returns a check of recorded verdicts on them."""
        states = {pair: verdict.state for pair, verdict in zip(pairs, self.judge(pairs), strict=True)}

        def check(pair: IntentPair, recorded: RecordedVerdict) -> str:
            if states[pair] == recorded.state:
                return ""
            return f"expected {states[pair]} by the judge's rule, got {recorded.state}"

        return check

    @property
    def name(self) -> str:
        """Name with the criterion."""
        return f"simulated ({self._criterion} on the person's own simulated phone)"

    @property
    def settings(self) -> dict[str, object]:
        """The criterion, the threshold, the version of the reading, and the dataset by its hash."""
        return {
            "kind": self.kind,
            "criterion": self._criterion,
            "threshold": THRESHOLD,
            "version": READ_BACK_VERSION,
            "data_sha256": self._data_sha256,
        }

    @property
    def why_not_comparable(self) -> str:
        """Always a reason: the paper's judge is a model, and its data are people's."""
        return f"judge {self.name}: a rule for simulated data, the paper's judge is DeepSeek-V3"

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        """Return a verdict per pair, in order; the reason tells whether at least the goal is the same.

        Raises:
            UsageError: An intent is not of the dataset.
        """
        for _, intended in pairs:
            if not self._people.get(intended):
                raise UsageError(
                    f"judge {self.kind} knows the intents of its dataset only, got another: "
                    f"{printable(intended, 60)!r}"
                )
        unique_pairs = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        # one phone after the other: the wordings of all people would fill the memory
        unique_pairs.sort(key=lambda pair: self._people[pair[1]][0][0])
        self._known |= {pair: self._judge(*pair) for pair in unique_pairs}
        return tuple(self._known[pair] for pair in pairs)

    def _judge(self, predicted: str, intended: str) -> Verdict:
        people = self._people[intended]
        reasons = {
            _explain(phone_wordings(seed, locale).read(predicted), goal) for seed, locale, goal in people
        }
        reason = next(reason for reason in REASONS if reason in reasons)
        same = reason == SAME or (reason == OTHER_CASE and self._criterion == "goal")
        return Verdict(state="same" if same else "different", reason=reason)


def same_goal(reason: str) -> bool:
    """Whether the goal is the same, by the reason of a verdict of this judge."""
    return reason in (SAME, OTHER_CASE)


def _explain(reading: ReadBack, goal: WordedGoal) -> str:
    if goal in reading.exact:
        return SAME
    if any(goal.same_goal(read) for read in reading.goals):
        return OTHER_CASE
    if reading.goals:
        return OTHER_GOAL
    return SEVERAL if reading.several else NO_GOAL


def _read_seed_and_goal(
    simulation: Mapping[str, Any], episode_id: str, place: Path
) -> tuple[int, str, WordedGoal]:
    try:
        goal = WordedGoal.of(simulation["package"], simulation["goal"], simulation["arguments"])
        return int(simulation["seed"]), str(simulation.get("locale", "zh")), goal
    except (LookupError, TypeError, ValueError) as error:
        raise DatasetError(f"the simulation of {episode_id} is broken: {error!r}", file=place) from None


def _open_dataset(inputs: JudgeInputs) -> BuiltDataset:
    if inputs.dataset is None:
        raise UsageError(
            f"judge {SimulatedJudge.kind} needs the built dataset of the intents, for their people: "
            "give it as `--judge-dataset`, in Python as `dataset`"
        )
    return BuiltDataset.open(inputs.dataset)


def _find_origin(built: BuiltDataset) -> str:
    origin = built.manifest.provenance
    return "recorded by people" if origin == "recorded" else f"not simulated, but {origin}"
