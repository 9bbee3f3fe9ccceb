"""Users grouped by how they use their phones: clusters of action statistics, of the training part alone.

Ours: the paper's user types are age groups (4.4). Clusters of behaviour are another definition, by which
Sim_2 can be computed again to see whether it rests on the age groups. Each statistic is of a user's training
episodes, as these stand before any test. All are scaled to mean 0 and variance 1 over the users, weighted by
their reliability, and k-means with a fixed seed makes `CLUSTERS` groups of them.

The reliability of a statistic is the correlation, over users, of its values in every other episode and in the
rest, for the full length by Spearman and Brown. What differs from episode to episode more than from user to
user, such as the length of typed texts, says little of a user and would hide what does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan, nan
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import MissingExtraError, UsageError
from fingertip_dataset.tasks.task import DatasetRow

CLUSTERS = 2
"""Default number of clusters: as many as the paper has age groups."""

SEED, STARTS = 0, 10
"""Seed of k-means, and how often it starts anew; the best of these is taken."""

LEAST_USERS = 3
"""Users whose episodes have to tell how reliable a statistic is; with fewer it counts in full."""

MARKS = 3
"""Number of statistics by which clusters are described."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeActions:
    """The recorded actions of an episode.

    Attributes:
        app: App of the episode.
        kinds: Kind of action, as in the column `actions`, -> its number; without `finished` and unparsable
            lines, which say nothing of a user.
        typed: Number of typed characters.
    """

    app: str
    kinds: Mapping[str, int]
    typed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UserActions:
    """The recorded actions of one user in some episodes.

    Attributes:
        kinds: Kind of action -> its number.
        typed: Number of typed characters.
        apps: App -> number of episodes in it.
    """

    kinds: Mapping[str, int]
    typed: int
    apps: Mapping[str, int]

    @classmethod
    def of(cls, episodes: Iterable[EpisodeActions]) -> UserActions:
        """Add up the actions of episodes."""
        kinds: Counter[str] = Counter()
        apps: Counter[str] = Counter()
        typed = 0
        for episode in episodes:
            kinds.update(episode.kinds)
            apps[episode.app] += 1
            typed += episode.typed
        return cls(kinds=kinds, typed=typed, apps=apps)

    @property
    def actions(self) -> int:
        """Number of all actions."""
        return sum(self.kinds.values())

    @property
    def episodes(self) -> int:
        """Number of episodes."""
        return sum(self.apps.values())

    def compute_share(self, kind: str) -> float:
        """Return the share of a kind among all actions, 0-1; nan without an action."""
        return _divide(self.kinds.get(kind, 0), self.actions)

    @property
    def typing(self) -> float:
        """Share of typing among typing and tapping, 0-1; nan without either."""
        typing, tapping = self.kinds.get("type", 0), self.kinds.get("click", 0)
        return _divide(typing, typing + tapping + self.kinds.get("long_click", 0))

    @property
    def breadth(self) -> float:
        """Probability that two of the episodes are in different apps, 0-1; nan with fewer than two.

        Drawn without replacement, so that it does not grow with the number of episodes.
        """
        alike = sum(number * (number - 1) for number in self.apps.values())
        pairs = self.episodes * (self.episodes - 1)
        return _divide(pairs - alike, pairs)


def _divide(part: int, whole: int) -> float:
    return part / whole if whole else nan


STATISTICS: Mapping[str, Callable[[UserActions], float]] = MappingProxyType(
    {
        "steps an episode": lambda user: _divide(user.actions, user.episodes),
        "taps": lambda user: user.compute_share("click"),
        "long taps": lambda user: user.compute_share("long_click"),
        "scrolls": lambda user: user.compute_share("scroll"),
        "back key": lambda user: user.compute_share("press_back"),
        "home key": lambda user: user.compute_share("press_home"),
        "recent apps": lambda user: user.compute_share("press_recent"),
        "waits": lambda user: user.compute_share("wait"),
        "typing against tapping": lambda user: user.typing,
        "characters an episode": lambda user: _divide(user.typed, user.episodes),
        "breadth of apps": lambda user: user.breadth,
    }
)
"""Name -> statistic of a user; nan where it is undefined, which counts as the mean of all users."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BehaviourClusters:
    """Clusters of users.

    Attributes:
        types: user_id -> cluster, from 1; users without a training episode are not in it.
        silhouette: How well the clusters are apart: -1 to 1, about 0 for none; None if there is one.
        marks: The statistics that tell the clusters apart most, each with the cluster where it is highest.
    """

    types: Mapping[str, int]
    silhouette: float | None
    marks: tuple[str, ...]


def read_user_episodes(rows: Iterable[DatasetRow]) -> dict[str, list[EpisodeActions]]:
    """Read the actions of each user's episodes.

    Args:
        rows: Rows of the training part, each user's by time; those without an action are left out.

    Returns:
        user_id -> episodes, of the users with a recorded action.
    """
    found: dict[str, list[EpisodeActions]] = {}
    for row in rows:
        recorded = [action for action in row["actions"] if action["raw"]]
        if recorded:
            actions = [one for one in recorded if one["type"] not in ("finished", "unparsable")]
            episode = EpisodeActions(
                app=row["app"],
                kinds=Counter(one["type"] for one in actions),
                typed=sum(len(one["text"] or "") for one in actions if one["type"] == "type"),
            )
            found.setdefault(row["user_id"], []).append(episode)
    return found


def cluster_users(
    users: Mapping[str, Sequence[EpisodeActions]], *, clusters: int = CLUSTERS
) -> BehaviourClusters:
    """Group users by their statistics; the result depends on no name and no order of the users.

    Args:
        users: user_id -> episodes of the training part, by time.
        clusters: Number of clusters. Users that cannot be told apart into so many stay in one.

    Raises:
        UsageError: There are fewer than two clusters.
        MissingExtraError: scikit-learn is not installed.
    """
    if clusters < 2:
        raise UsageError(f"expected two clusters of behaviour or more, got {clusters}")
    # in the order of the numbers: names and the order of users change neither sums nor starts
    by_numbers = sorted((_compute_statistics(episodes), user) for user, episodes in users.items())
    names = [user for _, user in by_numbers]
    # users, (all episodes, every other one, the rest), statistics
    numbers = np.array([of_user for of_user, _ in by_numbers]).reshape(len(names), 3, len(STATISTICS))
    points = _scale(numbers[:, 0]) * _find_reliability(numbers[:, 1], numbers[:, 2])
    if len(np.unique(points, axis=0)) < clusters:
        return BehaviourClusters(types=dict.fromkeys(names, 1), silhouette=None, marks=())
    labels, silhouette = _cluster(points, clusters)
    return BehaviourClusters(
        types=dict(zip(names, labels.tolist(), strict=True)),
        silhouette=silhouette,
        marks=_find_marks(points, labels),
    )


def _compute_statistics(episodes: Sequence[EpisodeActions]) -> tuple[float, ...]:
    """Return the statistics of all episodes, of every other one, and of the rest, one after the other."""
    parts = [UserActions.of(part) for part in (episodes, episodes[::2], episodes[1::2])]
    numbers = [compute(part) for part in parts for compute in STATISTICS.values()]
    # nan has no order: infinity stands for it until the numbers are scaled
    return tuple(inf if isnan(number) else number for number in numbers)


def _scale(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (users, statistics) with mean 0 and variance 1; 0 for what is undefined or the same for all."""
    known = np.isfinite(numbers)
    count = np.maximum(known.sum(axis=0), 1)
    numbers = np.where(known, numbers, 0)
    centred = np.where(known, numbers - numbers.sum(axis=0) / count, 0)
    spread = np.sqrt((centred**2).sum(axis=0) / count)
    # rounding leaves a constant column a spread of about 1e-17
    scaled: NDArray[np.float64] = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 1e-9)
    return scaled


def _find_reliability(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the reliability of each statistic, 0-1; 1 where fewer than three users have both halves.

    Args:
        first: (users, statistics) of every other episode; infinite where undefined.
        second: The same of the other episodes.
    """
    both = np.isfinite(first) & np.isfinite(second)
    known = both.sum(axis=0)
    one, two = (_scale(np.where(both, half, inf)) for half in (first, second))
    correlation = (one * two).sum(axis=0) / np.maximum(known, 1)
    # a negative one means that there is nothing of the user in it
    correlation = np.clip(correlation, 0, 1)
    return np.where(known < LEAST_USERS, 1, 2 * correlation / (1 + correlation))


def _cluster(points: NDArray[np.float64], clusters: int) -> tuple[NDArray[np.intp], float | None]:
    """Return the cluster of each point, from 1 in the order of their first points, and the silhouette."""
    try:
        from sklearn.cluster import KMeans
        from sklearn.metrics import silhouette_score
    except ImportError:
        raise MissingExtraError("scikit-learn", "lexical") from None
    found = KMeans(n_clusters=clusters, n_init=STARTS, random_state=SEED).fit_predict(points)
    places = {label: place for place, label in enumerate(dict.fromkeys(found.tolist()), start=1)}
    labels = np.array([places[label] for label in found.tolist()], dtype=np.intp)
    # defined for fewer clusters than points
    known = len(places) < len(points)
    return labels, float(silhouette_score(points, labels)) if known else None


def _find_marks(points: NDArray[np.float64], labels: NDArray[np.intp]) -> tuple[str, ...]:
    """Return the statistics whose means differ most between the clusters, each with where it is highest."""
    centres = np.array([points[labels == label].mean(axis=0) for label in sorted(set(labels.tolist()))])
    apart, most = centres.max(axis=0) - centres.min(axis=0), centres.argmax(axis=0)
    names = list(STATISTICS)
    return tuple(
        f"{names[place]} (most: type {most[place] + 1})"
        for place in np.argsort(-apart, kind="stable")[:MARKS]
        if apart[place] > 0
    )
