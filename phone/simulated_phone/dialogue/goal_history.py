"""Goals that each person of a simulated dataset had before: those of strictly earlier episodes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from simulated_phone.goals.app_definition import GoalInstance


class GoalHistory:
    """Goals of each person's episodes, in the order of time.

    Args:
        simulations: Episode id -> setup of its phone, as `Simulation.to_json` writes it. The id begins with
            the person's, as in the release.
    """

    def __init__(self, simulations: Mapping[str, Mapping[str, Any]]) -> None:
        self._simulations = simulations
        self._people: dict[str, list[str]] = {}
        for episode_id in simulations:
            self._people.setdefault(find_person(episode_id), []).append(episode_id)
        self._timelines: dict[str, Sequence[tuple[datetime, str]]] = {}

    def list_before(self, episode_id: str) -> tuple[GoalInstance, ...]:
        """Goals of the same person's strictly earlier episodes, the earliest first.

        Args:
            episode_id: An episode of the dataset.

        Raises:
            LookupError: The dataset has no such episode, or a setup lacks a field.
            TypeError, ValueError: A field has the wrong type or form.
        """
        now = _read_moment(self._simulations[episode_id])
        timeline = self._read_timeline(find_person(episode_id))
        earlier = timeline[: bisect_left(timeline, now, key=lambda pair: pair[0])]
        return tuple(_read_goal(self._simulations[other]) for _, other in earlier)

    def _read_timeline(self, person: str) -> Sequence[tuple[datetime, str]]:
        """Moment and id of each of a person's episodes, in the order of time; read once a person."""
        if person not in self._timelines:
            moments = [(_read_moment(self._simulations[other]), other) for other in self._people[person]]
            self._timelines[person] = sorted(moments, key=lambda pair: pair[0])
        return self._timelines[person]


def find_person(episode_id: str) -> str:
    """Id of the person of an episode: what stands before its time.

    >>> find_person("1001__20250329_200016")
    '1001'
    """
    return episode_id.rpartition("__")[0]


def _read_moment(record: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(record["moment"])


def _read_goal(record: Mapping[str, Any]) -> GoalInstance:
    return GoalInstance(package=record["package"], goal=record["goal"], arguments=dict(record["arguments"]))
