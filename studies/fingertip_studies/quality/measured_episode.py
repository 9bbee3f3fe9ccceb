"""Episode measured by itself: its flaws, and what the comparison with other episodes needs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from fingertip_dataset.actions import Action, Finished, Wait, parse_action
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.features import Config
from fingertip_dataset.tasks.references import normalized_task
from fingertip_studies.quality.action_checks import action_flaws, way_out
from fingertip_studies.quality.episode_flaws import Flaw
from fingertip_studies.quality.screen_checks import screen_flaws
from fingertip_studies.quality.screen_state import ScreenState, picture_hash, read_screen

TEXT_COLUMNS = ("episode_id", "user_id", "time", "app", "intent", "actions")
SCREEN_COLUMNS = (*TEXT_COLUMNS, "screenshots", "accessibility_trees")
"""Columns that a measurement reads, without and with screens."""


class MeasuredEpisode(FrozenModel):
    """An episode after the checks that need no other episode.

    Attributes:
        episode_id: Id of the episode.
        user_id: Id of its user.
        app: App as in the dataset.
        intent: Normalized text of the intent.
        at: Its time, seconds since 1970.
        split: Split in which it was read.
        steps: Number of steps.
        actions: Number of actions without waits, `finished` and the keys with which the person leaves.
        kinds: Types of the actions, in order.
        actions_key: Hash of the action strings.
        screen_hashes: Perceptual hash of each screenshot; "" for a missing one.
        shortest: Number of actions of the shortest path to the goal; None if it is not known by simulation.
        flaws: Flaws so far.
    """

    episode_id: str
    user_id: str
    app: str
    intent: str
    at: float
    split: str
    steps: int
    actions: int
    kinds: tuple[str, ...]
    actions_key: str
    screen_hashes: tuple[str, ...]
    shortest: int | None
    flaws: tuple[Flaw, ...]


def measure_episode(
    row: Mapping[str, Any], *, split: str, config: Config, simulation: Mapping[str, Any] | None = None
) -> MeasuredEpisode:
    """Check one episode.

    Args:
        row: Row of the dataset with the columns of the config.
        split: Split of the row.
        config: "default" to check screens; "text" for actions only.
        simulation: Set-up of the episode's simulated phone; None for a recorded episode.
    """
    raws = [entry["raw"] or "" for entry in row["actions"]]
    actions = [_parse(raw) for raw in raws]
    states: Sequence[ScreenState] = ()
    flaws: list[Flaw] = []
    if config == "default":
        pictures = [picture["bytes"] if picture else None for picture in row["screenshots"]]
        states = [read_screen(*one) for one in zip(pictures, row["accessibility_trees"], strict=True)]
        flaws += screen_flaws(states, actions)
    flaws += action_flaws(states, actions)
    last = actions[-1:] if actions and not isinstance(actions[-1], Finished) else []
    way = [*actions[: max(way_out(actions), 0)], *last]
    return MeasuredEpisode(
        episode_id=row["episode_id"],
        user_id=row["user_id"],
        app=row["app"] or "",
        intent=normalized_task(row["intent"] or ""),
        at=row["time"].timestamp(),
        split=split,
        steps=len(actions),
        actions=sum(not isinstance(action, Wait | Finished) for action in way),
        kinds=tuple(entry["type"] or "" for entry in row["actions"]),
        actions_key=hashlib.sha1("\n".join(raws).encode(), usedforsecurity=False).hexdigest(),
        screen_hashes=tuple(map(picture_hash, states)),
        shortest=None if simulation is None else _find_shortest(simulation),
        flaws=tuple(flaws),
    )


def _parse(raw: str) -> Action | None:
    try:
        return parse_action(raw)
    except ActionSyntaxError:
        return None


def _find_shortest(simulation: Mapping[str, Any]) -> int | None:
    """Number of gestures of the shortest path on the simulated phone; None if this phone finds none."""
    from simulated_phone.people.shortest_path import find_shortest_path
    from simulated_phone.people.simulation import Simulation
    from simulated_phone.phone_errors import PhoneError

    try:
        found = find_shortest_path(Simulation.from_json(simulation))
    except (PhoneError, LookupError, TypeError, ValueError):
        # simulated by another version, with apps or goals that this one does not have
        return None
    return sum(gesture is not None for gesture in found.gestures)
