"""Users grouped by how they use their phones: clusters of action statistics, of the training part alone.

Ours: the paper's user types are age groups (4.4). Clusters of behaviour are another definition, by which
Sim_2 can be computed again to see whether it rests on the age groups. Each statistic is of a user's training
episodes, as these stand before any test; all are scaled to mean 0 and variance 1 over the users, and k-means
with a fixed seed makes `CLUSTERS` groups of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fingertip_dataset.errors import MissingExtraError, UsageError
from fingertip_dataset.tasks.task import DatasetRow

CLUSTERS = 2
"""Default number of clusters: as many as the paper has age groups."""

SEED, STARTS = 0, 10
"""Seed of k-means, and how often it starts anew; the best of these is taken."""

BEHAVIOUR_COLUMNS = ("user_id", "app", "actions")
"""Columns of the rows of which statistics are made."""

MARKS = 3
"""Number of statistics by which clusters are described."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserActions:
    """The recorded actions of one user.

    Attributes:
        kinds: Kind of action, as in the column `actions`, -> its number; without `finished` and unparsable
            lines, which say nothing of a user.
        typed: Number of typed characters.
        apps: App -> number of episodes in it.
    """

    kinds: Mapping[str, int]
    typed: int
    apps: Mapping[str, int]

    @property
    def actions(self) -> int:
        """Number of all actions."""
        return sum(self.kinds.values())

    @property
    def episodes(self) -> int:
        """Number of episodes."""
        return sum(self.apps.values())

    def compute_share(self, kind: str) -> float:
        """Share of a kind among all actions, 0-1; nan without an action."""
        return self.kinds.get(kind, 0) / self.actions if self.actions else nan

    @property
    def typing(self) -> float:
        """Share of typing among typing and tapping, 0-1; nan without either."""
        typing = self.kinds.get("type", 0)
        either = typing + self.kinds.get("click", 0) + self.kinds.get("long_click", 0)
        return typing / either if either else nan

    @property
    def breadth(self) -> float:
        """Probability that two of the episodes are in different apps, 0-1; nan with fewer than two.

        Drawn without replacement, so that it does not grow with the number of episodes.
        """
        pairs = self.episodes * (self.episodes - 1)
        return 1 - sum(n * (n - 1) for n in self.apps.values()) / pairs if pairs else nan


STATISTICS: Mapping[str, Callable[[UserActions], float]] = MappingProxyType(
    {
        "steps an episode": lambda user: user.actions / user.episodes,
        "taps": lambda user: user.compute_share("click"),
        "long taps": lambda user: user.compute_share("long_click"),
        "scrolls": lambda user: user.compute_share("scroll"),
        "back key": lambda user: user.compute_share("press_back"),
        "home key": lambda user: user.compute_share("press_home"),
        "recent apps": lambda user: user.compute_share("press_recent"),
        "waits": lambda user: user.compute_share("wait"),
        "typing against tapping": lambda user: user.typing,
        "characters an episode": lambda user: user.typed / user.episodes,
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


def count_user_actions(rows: Iterable[DatasetRow]) -> dict[str, UserActions]:
    """Count the actions of each user.

    Args:
        rows: Rows of the training part, with `BEHAVIOUR_COLUMNS`; those without an action are left out.

    Returns:
        user_id -> counts, of the users with a recorded action.
    """
    kinds: dict[str, Counter[str]] = {}
    apps: dict[str, Counter[str]] = {}
    typed: Counter[str] = Counter()
    for row in rows:
        recorded = [action for action in row["actions"] if action["raw"]]
        if not recorded:
            continue
        user = row["user_id"]
        told = [one for one in recorded if one["type"] not in ("finished", "unparsable")]
        kinds.setdefault(user, Counter()).update(one["type"] for one in told)
        apps.setdefault(user, Counter())[row["app"]] += 1
        typed[user] += sum(len(one["text"] or "") for one in told if one["type"] == "type")
    return {user: UserActions(kinds=kinds[user], typed=typed[user], apps=apps[user]) for user in kinds}


def cluster_users(users: Mapping[str, UserActions], *, clusters: int = CLUSTERS) -> BehaviourClusters:
    """Group users by their statistics; the result depends on no name and no order of the users.

    Args:
        users: user_id -> counts of the training part.
        clusters: Number of clusters. Users that cannot be told apart into so many stay in one.

    Raises:
        UsageError: There are fewer than two clusters.
        MissingExtraError: scikit-learn is not installed.
    """
    if clusters < 2:
        raise UsageError(f"expected two clusters of behaviour or more, got {clusters}")
    # in the order of the numbers: names and the order of users change neither sums nor starts
    by_numbers = sorted((_compute_statistics(actions), user) for user, actions in users.items())
    names = [user for _, user in by_numbers]
    points = _scale([numbers for numbers, _ in by_numbers])
    if len(np.unique(points, axis=0)) < clusters:
        return BehaviourClusters(types=dict.fromkeys(names, 1), silhouette=None, marks=())
    labels, silhouette = _cluster(points, clusters)
    return BehaviourClusters(
        types=dict(zip(names, labels.tolist(), strict=True)),
        silhouette=silhouette,
        marks=_find_marks(points, labels),
    )


def _compute_statistics(user: UserActions) -> tuple[float, ...]:
    numbers = (compute(user) for compute in STATISTICS.values())
    # nan has no order: infinity stands for it until the numbers are scaled
    return tuple(np.inf if np.isnan(number) else number for number in numbers)


def _scale(users: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Return (users, statistics) with mean 0 and variance 1; 0 for what is undefined or the same for all."""
    numbers = np.array(users, dtype=np.float64).reshape(len(users), len(STATISTICS))
    known = np.isfinite(numbers)
    count = np.maximum(known.sum(axis=0), 1)
    centred = np.where(known, numbers - np.where(known, numbers, 0).sum(axis=0) / count, 0)
    spread = np.sqrt((centred**2).sum(axis=0) / count)
    # rounding leaves a constant column a spread of about 1e-17
    scaled: NDArray[np.float64] = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 1e-9)
    return scaled


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
