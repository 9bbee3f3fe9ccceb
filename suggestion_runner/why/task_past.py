"""The facts of a run's tasks that its dataset has: when and where, and what the person did before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.judges.read_back import WordedGoal
from suggestion_runner.suggestion_records import SuggestionRun
from suggestion_runner.suggestion_tasks import LIMITS, EarlierIntents
from suggestion_runner.why.person_habits import GoalKey, PastIntent, PersonBefore


class TaskPast:
    """The dataset of a run, as the reasons of its failures need it.

    Args:
        record: Record of the run.

    Raises:
        UsageError: The dataset is another one than that of the run.
        DatasetError: The dataset is gone, or a file of it is broken.
    """

    def __init__(self, record: SuggestionRun) -> None:
        self._record = record
        self._place = Path(record.dataset.path)
        built = _open_dataset(record)
        self._simulations = built.simulations()
        self._known = EarlierIntents(built, record.protocol)

    @property
    def is_simulated(self) -> bool:
        """Whether the people are simulated, so that the goal of every intent is known."""
        return bool(self._simulations)

    def intent(self, task_id: str) -> Intent:
        """The person's intent of a task, with its time and place."""
        return self._known.intent(task_id)

    def shown(self, task_id: str) -> tuple[Intent, ...]:
        """The earlier intents that a task shows, oldest first."""
        history = self._record.history
        return () if history == "none" else self._known.before(task_id, LIMITS[history])

    def phone(self, task_id: str) -> tuple[int, str]:
        """Seed and language of the person's simulated phone."""
        one = self._simulation(task_id)
        return int(one["seed"]), str(one.get("locale", "zh"))

    def goal(self, episode_id: str) -> WordedGoal:
        """The goal of an episode of a simulated person.

        Raises:
            DatasetError: The episode has no simulation, or a broken one.
        """
        one = self._simulation(episode_id)
        try:
            return WordedGoal.of(one["package"], one["goal"], one["arguments"])
        except (LookupError, TypeError, ValueError) as error:
            raise DatasetError(f"the simulation is broken: {error!r}", file=self._place) from None

    def person_before(self, task_id: str) -> PersonBefore:
        """The person's earlier intents before a task of a simulated person."""
        task = self.intent(task_id)
        return PersonBefore(
            past=tuple(map(self._past_intent, self._known.before(task_id, None))),
            shown=tuple(map(self._past_intent, self.shown(task_id))),
            moment=task.moment,
            place=task.scenario,
        )

    @cached_property
    def users_of_goals(self) -> Mapping[GoalKey, frozenset[str]]:
        """Each goal -> the users of the dataset who did it at any time."""
        found: dict[GoalKey, set[str]] = defaultdict(set)
        for episode_id in self._simulations:
            goal = self.goal(episode_id)
            found[goal.package, goal.goal].add(episode_id.rpartition("__")[0])
        return {key: frozenset(users) for key, users in found.items()}

    @cached_property
    def users(self) -> frozenset[str]:
        """Ids of all simulated users."""
        return frozenset(episode_id.rpartition("__")[0] for episode_id in self._simulations)

    def _past_intent(self, intent: Intent) -> PastIntent:
        return PastIntent(goal=self.goal(intent.episode_id), moment=intent.moment, place=intent.scenario)

    def _simulation(self, episode_id: str) -> Mapping[str, Any]:
        if episode_id not in self._simulations:
            raise DatasetError(
                "the episode has no simulation: its reasons by rule need one",
                file=self._place,
                episode_id=episode_id,
            )
        return self._simulations[episode_id]


def _open_dataset(record: SuggestionRun) -> BuiltDataset:
    if not record.dataset.path:
        raise UsageError("--why needs the run's dataset, and its record has no path of it")
    built = BuiltDataset.open(Path(record.dataset.path))
    if built.manifest.data_sha256 != record.dataset.data_sha256:
        raise UsageError(
            "this is another dataset than the run was made on, or it was built again since: bring "
            "that one back to this path",
            file=record.dataset.path,
        )
    return built
