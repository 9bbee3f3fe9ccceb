"""References of other users under further definitions of the user types, found in a built dataset.

S_II compares an agent's actions with those of the most intent-similar episode of a user of another type
(paper, 4.4 and 5.1). The paper's types are age groups. Here the same search is done again with types by age,
by sex, by behaviour, or with every user as a type of their own, so that a reader sees how much Sim_2 rests
on the definition. Candidates, similarity, protocol and ties are those of the dataset's own references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from fingertip_dataset.actions import canonical
from fingertip_dataset.demographics import group_sex
from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import UnknownNameError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TRAIN
from fingertip_dataset.tasks.behaviour import (
    CLUSTERS,
    EpisodeActions,
    cluster_users,
    read_user_episodes,
)
from fingertip_dataset.tasks.references import Encode, Reference, find_other_type_references
from fingertip_dataset.tasks.task import DatasetRow, ReferenceSequence
from fingertip_dataset.tasks.user_types import AGE_BOUNDARY
from fingertip_metrics.aggregate import natural_order
from fingertip_runs.same_task import check_similarity, task_intent

TypeName = Literal["age", "sex", "behaviour", "any"]
"""Definition of the user types: age groups, sex, clusters of action statistics, or every user alone."""

TYPE_NAMES: tuple[TypeName, ...] = get_args(TypeName)

COLUMNS = ("episode_id", "user_id", "user_profile", "user_type", "time", "app", "intent", "actions")
"""Columns of the rows that types and references are found in."""

BY_AGE = "by age"
"""First words of a manifest's `user_types` if the dataset's own types are by age."""

WITHOUT: Mapping[TypeName, str] = {
    "age": "whose age is not known",
    "sex": "whose sex is not known",
    "behaviour": "without an episode in the training part",
    "any": "of no type",
}
"""Users without a type under each definition, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTyping:
    """The types of all users under one definition.

    Attributes:
        name: Name of the definition.
        method: The definition in words.
        types: user_id -> type; None for a user without one.
    """

    name: TypeName
    method: str
    types: Mapping[str, Hashable | None]

    @property
    def sizes(self) -> dict[str, int]:
        """Type -> number of its users, in natural order."""
        counted = Counter(str(kind) for kind in self.types.values() if kind is not None)
        return {kind: counted[kind] for kind in sorted(counted, key=natural_order)}

    @property
    def without(self) -> tuple[str, ...]:
        """Users without a type, in natural order."""
        return tuple(sorted((user for user, kind in self.types.items() if kind is None), key=natural_order))


class TypeSearch:
    """A search for references of users of another type, in one dataset.

    The dataset is read once, and texts are encoded once a call of `find`.

    Args:
        built: The dataset.
        encode: The embedder by which the dataset found its references; None for text similarity.
        clusters: Number of clusters of behaviour.

    Raises:
        UsageError: The dataset's references were found by another similarity.
        DatasetError: The dataset has changed since it was built.
    """

    def __init__(
        self, built: BuiltDataset, *, encode: Encode | None = None, clusters: int = CLUSTERS
    ) -> None:
        check_similarity(built, encode)
        self._manifest = built.manifest
        self._encode = encode
        self._clusters = clusters
        self._intents: dict[str, Intent] = {}
        self._actions: dict[str, tuple[str, ...]] = {}
        self._latest: dict[str, DatasetRow] = {}
        self._train_ids: set[str] = set()
        self._trained: dict[str, list[EpisodeActions]] = {}
        for split in built.split_names:
            self._read(split, list(built.rows(split, columns=COLUMNS)))

    def assign_types(self, name: TypeName) -> UserTyping:
        """Return the types of all users under a definition.

        Raises:
            UnknownNameError: There is no such definition.
            UsageError: There are fewer than two clusters of behaviour.
            MissingExtraError: scikit-learn is not installed, which "behaviour" needs.
        """
        check_type_names([name])
        method, types = {
            "age": self._assign_ages,
            "sex": self._assign_sexes,
            "behaviour": self._assign_behaviour,
            "any": self._assign_users,
        }[name]()
        return UserTyping(name=name, method=method, types=types)

    def find(
        self, task_ids: Collection[str], typings: Sequence[UserTyping]
    ) -> dict[TypeName, dict[str, ReferenceSequence]]:
        """Return the reference of each task that has one, by name of the definition and episode id.

        Args:
            task_ids: Ids of episodes of the dataset; others have no reference.
            typings: Types of `assign_types`.

        Raises:
            ModelError: The embedder returns a wrong shape, or values that are not finite.
        """
        found = find_other_type_references(
            [self._intents[task_id] for task_id in task_ids if task_id in self._intents],
            [self._intents[episode_id] for episode_id in self._actions],
            {typing.name: typing.types for typing in typings},
            encode=self._encode,
            protocol=self._manifest.history,
            train_ids=self._train_ids,
            skip_same_task=self._manifest.references.skip_same_task,
        )
        return {
            typing.name: {
                task_id: self._make_sequence(reference) for task_id, reference in found[typing.name].items()
            }
            for typing in typings
        }

    def _read(self, split: str, rows: Sequence[DatasetRow]) -> None:
        """Keep of the rows what types and references need."""
        for row in rows:
            episode_id, user = row["episode_id"], row["user_id"]
            self._intents[episode_id] = task_intent(user, episode_id, row["intent"], row["time"])
            actions = tuple(step["raw"] for step in row["actions"] if step["raw"])
            # an episode without actions cannot be a reference
            if actions:
                self._actions[episode_id] = actions
            if user not in self._latest or row["time"] > self._latest[user]["time"]:
                self._latest[user] = {name: row[name] for name in ("user_profile", "user_type", "time")}
        if split == TRAIN:
            self._train_ids = {row["episode_id"] for row in rows}
            self._trained = read_user_episodes(rows)

    def _assign_ages(self) -> tuple[str, dict[str, Hashable | None]]:
        if self._manifest.user_types.startswith(BY_AGE):
            own = {user: row["user_type"] for user, row in self._latest.items()}
            # "by age: type 2 from 40 years; users of unknown age, without a type: 0"
            boundary = self._manifest.user_types.removeprefix(BY_AGE).lstrip(": ").partition(";")[0]
            return f"two age groups, the dataset's own, {boundary}", own
        ages = {user: self._find_in_profile(user, "age") for user in self._latest}
        types = {user: None if age is None else 1 + (age >= AGE_BOUNDARY) for user, age in ages.items()}
        return f"two age groups, the second from {AGE_BOUNDARY} years", types

    def _assign_sexes(self) -> tuple[str, dict[str, Hashable | None]]:
        return "as in the profile", {user: self._find_sex(user) for user in self._latest}

    def _find_sex(self, user: str) -> str | None:
        """Return a user's sex, the same in all languages; the word itself if nothing explains it."""
        word = (self._find_in_profile(user, "sex") or "").strip().lower()
        sex = group_sex(word, self._manifest.settings.sex_words)
        return {"unknown": None, "other": word}.get(sex, sex)

    def _assign_behaviour(self) -> tuple[str, dict[str, Hashable | None]]:
        found = cluster_users(self._trained, clusters=self._clusters)
        method = f"{self._clusters} clusters of users by k-means over action statistics of the training part"
        if found.silhouette is not None:
            method += f", silhouette {found.silhouette:.2f}, told apart most by {', '.join(found.marks)}"
        return method, {user: found.types.get(user) for user in self._latest}

    def _assign_users(self) -> tuple[str, dict[str, Hashable | None]]:
        return "any other user", {user: user for user in self._latest}

    def _find_in_profile(self, user: str, field: str) -> Any:  # noqa: ANN401 - a field of any type
        return (self._latest[user]["user_profile"] or {}).get(field)

    def _make_sequence(self, reference: Reference) -> ReferenceSequence:
        actions = self._actions[reference.episode_id]
        return ReferenceSequence(
            episode_id=reference.episode_id,
            intent=self._intents[reference.episode_id].text,
            similarity=reference.similarity,
            actions=tuple(map(canonical, actions)),
            written=actions,
        )


def check_type_names(names: Sequence[str]) -> tuple[TypeName, ...]:
    """Return the definitions by their names, each once.

    Raises:
        UnknownNameError: There is no such definition.
    """
    for name in names:
        if name not in TYPE_NAMES:
            raise UnknownNameError("a definition of the user types", name, TYPE_NAMES)
    return tuple(dict.fromkeys(names))  # type: ignore[arg-type]
