"""Comparison of measured episodes: duplicates, and detours against the shortest known path."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from fingertip_studies.quality.episode_flaws import Flaw
from fingertip_studies.quality.flaw_kinds import FlawKind
from fingertip_studies.quality.measured_episode import MeasuredEpisode
from fingertip_studies.quality.screen_state import hash_distance

WINDOW = 600.0
"""Seconds within which an episode of the same user and intent may be a duplicate."""

NEAR_BITS = 8
"""Bits (of 64) in which the perceptual hashes of two screenshots of the same screen may differ."""

ALIKE = 0.9
"""Share of screenshots that must be alike in a perceptual duplicate."""

DETOUR_RATIO, DETOUR_STEPS = 1.5, 2
"""A detour has at least this many times the actions of the shortest path, and this many more."""

BY_SIMULATION = "simulation"
"""Source of a shortest path found on the simulated phone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeComparison:
    """The comparison of an episode with the others.

    Attributes:
        shortest: Number of actions of the shortest known path; None if none is known.
        shortest_from: `BY_SIMULATION`, or the id of the recorded episode; "" if none is known.
        flaws: Flaws of the whole episode.
    """

    shortest: int | None
    shortest_from: str
    flaws: tuple[Flaw, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    """The parts of an episode that are kept until all are read."""

    episode_id: str
    at: float
    kinds: tuple[str, ...]
    actions_key: str
    hashes: tuple[str, ...]


class EpisodeComparer:
    """Compares all episodes of a dataset; a few hundred bytes of each are kept.

    Args:
        episodes: Every measured episode, each once, in any order.
    """

    def __init__(self, episodes: Iterable[MeasuredEpisode]) -> None:
        self._near: dict[tuple[str, str, str], list[_Key]] = defaultdict(list)
        self._shortest: dict[tuple[str, str], list[tuple[int, str]]] = {}
        for episode in episodes:
            self._near[_owner(episode)].append(
                _Key(
                    episode_id=episode.episode_id,
                    at=episode.at,
                    kinds=episode.kinds,
                    actions_key=episode.actions_key,
                    hashes=episode.screen_hashes,
                )
            )
            if episode.actions:
                best = self._shortest.setdefault(_goal(episode), [])
                best.append((episode.actions, episode.episode_id))
                best.sort()
                # two, so that the shortest other one is known for the shortest, too
                del best[2:]

    def compare(self, episode: MeasuredEpisode) -> EpisodeComparison:
        """Compare one of the episodes with all others."""
        shortest, source = self._find_shortest(episode)
        flaws = []
        if shortest is not None and _is_detour(episode.actions, shortest):
            detail = f"{episode.actions} actions, the shortest known path has {shortest}"
            flaws.append(Flaw(kind=FlawKind.DETOUR, step=None, detail=detail))
        if (repeated := self._duplicate(episode)) is not None:
            flaws.append(Flaw(kind=FlawKind.DUPLICATE, step=None, detail=repeated))
        return EpisodeComparison(shortest=shortest, shortest_from=source, flaws=tuple(flaws))

    def _find_shortest(self, episode: MeasuredEpisode) -> tuple[int | None, str]:
        if episode.shortest is not None:
            return episode.shortest, BY_SIMULATION
        for actions, name in self._shortest.get(_goal(episode), ()):
            if name != episode.episode_id:
                return actions, name
        return None, ""

    def _duplicate(self, episode: MeasuredEpisode) -> str | None:
        """Which earlier episode this one repeats; None if none."""
        if not episode.actions:
            return None
        for other in sorted(self._near[_owner(episode)], key=lambda key: (key.at, key.episode_id)):
            if (other.at, other.episode_id) >= (episode.at, episode.episode_id):
                return None
            if episode.at - other.at > WINDOW:
                continue
            if other.actions_key == episode.actions_key:
                return f"the actions of {other.episode_id}, {episode.at - other.at:.0f} s later"
            if other.kinds == episode.kinds and _are_alike(other.hashes, episode.screen_hashes):
                return f"the screens of {other.episode_id}, {episode.at - other.at:.0f} s later"
        return None


def _owner(episode: MeasuredEpisode) -> tuple[str, str, str]:
    return episode.user_id, episode.app, episode.intent


def _goal(episode: MeasuredEpisode) -> tuple[str, str]:
    return episode.app.partition("/")[0], episode.intent


def _is_detour(actions: int, shortest: int) -> bool:
    return actions >= shortest + DETOUR_STEPS and actions >= DETOUR_RATIO * shortest


def _are_alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    pairs = [(a, b) for a, b in zip(one, other, strict=False) if a and b]
    if len(pairs) < max(1, len(one) // 2):
        return False
    return sum(hash_distance(a, b) <= NEAR_BITS for a, b in pairs) >= ALIKE * len(pairs)
