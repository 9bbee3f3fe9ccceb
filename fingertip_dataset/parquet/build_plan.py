"""What a build is to make: every choice, every shard, and a fingerprint that tells two builds apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib.metadata import version

from fingertip_dataset.episodes import Episode
from fingertip_dataset.errors import ReleaseError, UsageError
from fingertip_dataset.parquet.dataset_rows import NO_REFERENCES, Row, text_row
from fingertip_dataset.parquet.features import SCHEMA_VERSION
from fingertip_dataset.parquet.shards import ShardJob
from fingertip_dataset.parquet.writer import PARQUET_VERSION
from fingertip_dataset.release.origins import UNKNOWN, Origins, read_licence, read_origin
from fingertip_dataset.release.read_release import Release
from fingertip_dataset.split_names import SPLITS, TEST_EXECUTION, TRAIN
from fingertip_dataset.tasks.history import History, HistoryProtocol
from fingertip_dataset.tasks.out_of_domain import HeldOutCounts, OutOfDomain, out_of_domain
from fingertip_dataset.tasks.references import Encode, References, find_references
from fingertip_dataset.tasks.splits import split_release
from fingertip_dataset.tasks.user_types import AGE_BOUNDARY, Method, find_user_types, profiles_of

STEPS_A_SHARD = 2000
"""About 310 MB of the public release: small enough to spread and to make again, large enough for the Hub."""

TEXT = "text"
"""The name of the text similarity among the ways to find references."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildConfig:
    """The choices of a build.

    Attributes:
        history: "online" or "strict": where previous intents and references come from.
        references: "text", or the name of the embedding model behind `encode`.
        encode: Sentence embeddings; None with "text".
        skip_same_task: Leaves references of the very same task out (A.6.7).
        user_types: "auto", "release" or "age".
        age_boundary: Years from which a user is type 2, by age.
        seed: Of the splits and the out-of-domain subsets.
        licence: Of the data, an SPDX id; None takes what the release says.
        origin: Where the data come from, in words; None takes what the release says.
        unseen: How many users, apps and intent categories are held out (A.6.1).

    Raises:
        UsageError: `references` and `encode` do not fit together, or the licence is no id.
    """

    history: HistoryProtocol = "online"
    references: str = TEXT
    encode: Encode | None = None
    skip_same_task: bool = False
    user_types: Method = "auto"
    age_boundary: int = AGE_BOUNDARY
    seed: int = 0
    licence: str | None = None
    origin: str | None = None
    unseen: HeldOutCounts = field(default_factory=HeldOutCounts)

    def __post_init__(self) -> None:
        if self.licence is not None and read_licence(self.licence) is None:
            raise UsageError(
                f"expected a licence by its SPDX id, such as cc-by-4.0 or unknown, got {self.licence!r}"
            )
        if self.origin is not None and not self.origin.strip():
            raise UsageError("expected an origin in words, got nothing")
        if (self.references == TEXT) != (self.encode is None):
            raise UsageError(
                f"expected references by {TEXT!r} alone or by a named model with its encode, "
                f"got {self.references!r} {'without' if self.encode is None else 'with'} encode"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardSpec:
    """A shard's place: which episodes of which split it holds.

    Attributes:
        name: Of the shard's files, without an ending.
        split: The part that it is of.
        episode_ids: In the order of their rows; none in the one shard of an empty split.
        steps: Of all of them.
    """

    name: str
    split: str
    episode_ids: tuple[str, ...]
    steps: int


class BuildPlan:
    """A release, split and arranged into shards; jobs are made one at a time, for rows take memory.

    Args:
        release: What was read.
        recipe: The choices.

    Raises:
        ReleaseError: No episode was kept.
        UsageError: A choice has no such name.
    """

    def __init__(self, release: Release, recipe: BuildConfig) -> None:
        if not release.episodes:
            raise ReleaseError(
                f"expected at least one episode, got none that can be used of {release.given}",
                file=release.root,
            )
        self.release = release
        self.recipe = recipe
        self.splits = split_release(release, seed=recipe.seed)
        self.types = find_user_types(
            profiles_of(release),
            release.provenance,
            method=recipe.user_types,
            age_boundary=recipe.age_boundary,
        )
        self.history = History(
            release.intents, protocol=recipe.history, train_ids=self.splits.episode_ids[TRAIN]
        )
        self.episodes = {episode.episode_id: episode for episode in release.episodes}
        self.slots = tuple(
            slot for split in SPLITS for slot in _slots(split, self.splits.episode_ids[split], self.episodes)
        )

    @cached_property
    def fingerprint(self) -> str:
        """Sha256 over all that decides the shards and subsets.json, but the screens themselves."""
        digest = hashlib.sha256()
        for part in self._decisive():
            digest.update(json.dumps(part).encode())
        return digest.hexdigest()

    @property
    def origins(self) -> Origins:
        """Where the data come from and under which licences: what was chosen, else what the release says."""
        found, recipe = self.release.origins, self.recipe
        if recipe.origin is not None:
            found = replace(found, origins=(read_origin({"origin": recipe.origin}).origin,))
        if recipe.licence is not None:
            found = replace(found, licences=(read_licence(recipe.licence) or UNKNOWN,))
        return found

    @cached_property
    def references(self) -> Mapping[str, References]:
        """Of the execution tasks; found when the first of them is written."""
        return find_references(
            [self.episodes[episode_id].intent for episode_id in self.splits.episode_ids[TEST_EXECUTION]],
            self.release.episodes,
            self.types.types,
            encode=self.recipe.encode,
            protocol=self.recipe.history,
            train_ids=self.splits.episode_ids[TRAIN],
            skip_same_task=self.recipe.skip_same_task,
        )

    def subsets(self) -> OutOfDomain:
        """The out-of-domain subsets of A.6.1, and the filtered training set."""
        intents = [episode.intent for episode in self.release.episodes]
        return out_of_domain(intents, self.splits, seed=self.recipe.seed, counts=self.recipe.unseen)

    def job(self, slot: ShardSpec) -> ShardJob:
        """All that is needed to make the shard of a slot."""
        episodes = tuple(self.episodes[episode_id] for episode_id in slot.episode_ids)
        return ShardJob(
            root=self.release.root,
            name=slot.name,
            split=slot.split,
            fingerprint=self.fingerprint,
            episodes=episodes,
            rows=tuple(self._row(slot.split, episode) for episode in episodes),
        )

    def _row(self, split: str, episode: Episode) -> Row:
        references = self.references[episode.episode_id] if split == TEST_EXECUTION else NO_REFERENCES
        return text_row(
            episode,
            user_type=self.types[episode.intent.user_id],
            previous=self.history.before(episode.intent),
            references=references,
            known=self.episodes.__getitem__,
        )

    def _decisive(self) -> Iterator[object]:
        recipe = self.recipe
        yield [SCHEMA_VERSION, PARQUET_VERSION, STEPS_A_SHARD, version("pyarrow")]
        yield [recipe.history, recipe.references, recipe.skip_same_task, recipe.seed]
        yield asdict(recipe.unseen)
        yield [self.release.provenance, self.splits.method, dict(self.types.types)]
        yield {split: list(ids) for split, ids in self.splits.episode_ids.items()}
        yield from (asdict(intent) for intent in self.release.intents)
        for episode in self.release.episodes:
            steps = [(step.raw, step.screenshot, step.tree) for step in episode.steps]
            yield [asdict(episode.profile), str(episode.folder), steps]


def _slots(split: str, ids: tuple[str, ...], episodes: Mapping[str, Episode]) -> list[ShardSpec]:
    """Shards of about equal steps; at least one, so that an empty split is there and loads."""
    total = sum(len(episodes[episode_id].steps) for episode_id in ids)
    shards = max(1, -(-total // STEPS_A_SHARD))
    chunks: list[list[str]] = [[]]
    steps = [0]
    for episode_id in ids:
        if chunks[-1] and len(chunks) < shards and sum(steps) * shards >= total * len(chunks):
            chunks.append([])
            steps.append(0)
        chunks[-1].append(episode_id)
        steps[-1] += len(episodes[episode_id].steps)
    return [
        ShardSpec(
            name=f"{split}-{number:05d}-of-{len(chunks):05d}",
            split=split,
            episode_ids=tuple(chunk),
            steps=count,
        )
        for number, (chunk, count) in enumerate(zip(chunks, steps, strict=True))
    ]
