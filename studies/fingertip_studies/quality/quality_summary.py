"""Summary of a measured dataset: score, kinds of flaws and detours with intervals, and rows per user."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from fingertip_metrics.aggregate import Interval, bootstrap_mean, natural_order
from fingertip_studies.quality.compared_episodes import BY_SIMULATION
from fingertip_studies.quality.flaw_kinds import KINDS, FlawKind
from fingertip_studies.quality.measure_dataset import EpisodeQuality


@dataclass(frozen=True, slots=True, kw_only=True)
class KindSummary:
    """How often a kind of flaw occurs.

    Attributes:
        kind: The kind.
        flaws: Number of flaws.
        episodes: Number of episodes with at least one.
        share: Share of episodes with at least one, with its interval over users.
    """

    kind: FlawKind
    flaws: int
    episodes: int
    share: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class UserQuality:
    """Quality of a user's episodes.

    Attributes:
        user_id: Id of the user.
        episodes: Number of episodes.
        score: Mean score; None if no episode has one.
        worst: Lowest score; None if no episode has one.
        flawed: Number of episodes with a flaw that costs score.
        kinds: Kind -> number of episodes with it.
    """

    user_id: str
    episodes: int
    score: float | None
    worst: float | None
    flawed: int
    kinds: Mapping[FlawKind, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class QualitySummary:
    """Summary of all episodes.

    Attributes:
        episodes: Number of episodes.
        steps: Number of steps.
        score: Mean score with its interval over users; None if no episode has one.
        scores: The score of each episode that has one.
        kinds: A row for each kind whose check was made, in the order of `FlawKind`.
        ratio: Actions divided by those of the shortest known path, with its interval; None if none is known.
        shortest_by: Source of the shortest path ("simulation", "recording", "none") -> number of episodes.
        users: A row for each user, by number.
    """

    episodes: int
    steps: int
    score: Interval | None
    scores: tuple[float, ...]
    kinds: tuple[KindSummary, ...]
    ratio: Interval | None
    shortest_by: Mapping[str, int]
    users: tuple[UserQuality, ...]


def summarize(episodes: Sequence[EpisodeQuality], left_out: Iterable[FlawKind] = ()) -> QualitySummary:
    """Summarize measured episodes.

    Args:
        episodes: All episodes; at least one.
        left_out: Kinds whose check could not be made.
    """
    users = [episode.user_id for episode in episodes]
    scored = [(episode.score, episode.user_id) for episode in episodes if episode.score is not None]
    ratios = [
        (episode.actions / episode.shortest, episode.user_id) for episode in episodes if episode.shortest
    ]
    skipped = set(left_out)
    return QualitySummary(
        episodes=len(episodes),
        steps=sum(episode.steps for episode in episodes),
        score=bootstrap_mean(*zip(*scored, strict=True)) if scored else None,
        scores=tuple(score for score, _ in scored),
        kinds=tuple(_summarize_kind(kind, episodes, users) for kind in KINDS if kind not in skipped),
        ratio=bootstrap_mean(*zip(*ratios, strict=True)) if ratios else None,
        shortest_by=Counter(map(_name_source, episodes)),
        users=tuple(_summarize_users(episodes)),
    )


def _summarize_kind(kind: FlawKind, episodes: Sequence[EpisodeQuality], users: Sequence[str]) -> KindSummary:
    counts = [sum(flaw.kind is kind for flaw in episode.flaws) for episode in episodes]
    having = [float(count > 0) for count in counts]
    return KindSummary(
        kind=kind,
        flaws=sum(counts),
        episodes=sum(count > 0 for count in counts),
        share=bootstrap_mean(having, users, share=True),
    )


def _name_source(episode: EpisodeQuality) -> str:
    if not episode.shortest_from:
        return "none"
    return BY_SIMULATION if episode.shortest_from == BY_SIMULATION else "recording"


def _summarize_users(episodes: Sequence[EpisodeQuality]) -> Iterable[UserQuality]:
    members: dict[str, list[EpisodeQuality]] = defaultdict(list)
    for episode in episodes:
        members[episode.user_id].append(episode)
    for user in sorted(members, key=natural_order):
        own = members[user]
        scores = [episode.score for episode in own if episode.score is not None]
        yield UserQuality(
            user_id=user,
            episodes=len(own),
            score=fmean(scores) if scores else None,
            worst=min(scores, default=None),
            flawed=sum(any(KINDS[flaw.kind].loss for flaw in episode.flaws) for episode in own),
            kinds=Counter(kind for episode in own for kind in episode.counts),
        )
