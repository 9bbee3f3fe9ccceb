"""Plan of a build: its settings, its shards, and a fingerprint that identifies it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib.metadata import version

from fingertip_dataset.episodes import Episode, Intent, UserProfile
from fingertip_dataset.errors import ReleaseError, UsageError
from fingertip_dataset.parquet.dataset_rows import Row, make_text_row
from fingertip_dataset.parquet.features import EXTRA_VERSION, MOMENTS, choose_schema_version
from fingertip_dataset.parquet.moment_plan import MOMENTS_A_SHARD, make_row, split_moments
from fingertip_dataset.parquet.quality_filter import QualityFilter
from fingertip_dataset.parquet.shards import ShardJob
from fingertip_dataset.parquet.writer import PARQUET_VERSION
from fingertip_dataset.release.moment_files import Moment, wrap_moment
from fingertip_dataset.release.origins import UNKNOWN, Origins, read_licence, read_origin
from fingertip_dataset.release.read_release import Release
from fingertip_dataset.shell_line import write_call
from fingertip_dataset.split_names import TRAIN, is_moments
from fingertip_dataset.tasks.history import History, HistoryProtocol
from fingertip_dataset.tasks.moments import MOMENTS_VERSION, NO_MOMENTS
from fingertip_dataset.tasks.out_of_domain import HeldOutCounts, OutOfDomain, out_of_domain
from fingertip_dataset.tasks.references import Encode, References, find_references
from fingertip_dataset.tasks.splits import split_release
from fingertip_dataset.tasks.user_types import AGE_BOUNDARY, Method, find_profiles, find_user_types

STEPS_A_SHARD = 2000
"""Steps per shard, about 310 MB of the public release: easy to parallelize and redo, and fit for the Hub."""

TEXT = "text"
"""Name of the text similarity as a method of finding references."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildConfig:
    """Settings of a build.

    Attributes:
        history: "online" or "strict": the protocol of previous intents and references.
        references: "text", or the name of the embedding model of `encode`.
        encode: Function that embeds sentences; None with "text".
        skip_same_task: Whether references of the same task are left out (A.6.7).
        user_types: "auto", "release" or "age".
        age_boundary: Age in years from which a user is of type 2, with types by age.
        seed: Seed of the splits and the out-of-domain subsets.
        licence: SPDX id of the data's licence; None takes the release's.
        origin: Origin of the data, in words; None takes the release's.
        unseen: Numbers of users, apps and intent categories to hold out (A.6.1).
        quality: Scores of episodes with their minimum; None keeps every episode.
        english_names: Whether rows have further columns of English names.
        keep_metadata: Whether screenshots keep what stands next to their pixels: EXIF data, previews, texts.

    Raises:
        UsageError: `references` and `encode` contradict each other, or the licence is no SPDX id.
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
    quality: QualityFilter | None = None
    english_names: bool = False
    keep_metadata: bool = False

    def __post_init__(self) -> None:
        if self.licence is not None and read_licence(self.licence) is None:
            raise UsageError(
                f"expected a licence by its SPDX id, such as cc-by-4.0 or unknown, got {self.licence!r}"
            )
        if self.origin is not None and not self.origin.strip():
            raise UsageError("the origin is empty")
        if (self.references == TEXT) != (self.encode is None):
            raise UsageError(
                f"expected references by {TEXT!r} alone or by a named model with its encode, "
                f"got {self.references!r} {'without' if self.encode is None else 'with'} encode"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardSpec:
    """Content of a shard: episodes of one split.

    Attributes:
        name: Name of the shard's files, without an ending.
        split: Split of the episodes.
        episode_ids: Ids of the episodes in the order of their rows; empty in the one shard of an empty split.
        steps: Number of steps of all these episodes.
    """

    name: str
    split: str
    episode_ids: tuple[str, ...]
    steps: int


class BuildPlan:
    """A release, split and divided into shards; jobs are made one at a time because rows take memory.

    Args:
        release: The release.
        config: Settings of the build.

    Attributes:
        left_out: Ids of episodes below the minimum quality. Splits and user types are those of the whole
            release, and earlier intents name these episodes, too; they are no references.
        left_out_of: Split -> number of them in it.
        given_ids: Ids of all usable episodes, also of those.
        schema_version: Version of the columns.
        moments: Split of moments -> its moments; empty without any.

    Raises:
        ReleaseError: The release has no usable episode, or none of the minimum quality.
        UsageError: A setting has an unknown value.
    """

    def __init__(self, release: Release, config: BuildConfig) -> None:
        if not release.episodes:
            why = write_call("check", release.root)
            words = f"none of the {release.given} episodes can be used: `{why}` lists their problems"
            raise ReleaseError(words, file=release.root)
        self.config = config
        self.splits = split_release(release, seed=config.seed)
        self.types = find_user_types(
            find_profiles(release),
            release.provenance,
            published=release.settings.is_published,
            method=config.user_types,
            age_boundary=config.age_boundary,
        )
        self.schema_version = choose_schema_version(
            english=config.english_names, extra=any(episode.extra for episode in release.episodes)
        )
        full = self.splits.episode_ids
        given = [episode.intent for episode in release.episodes]
        self.given_ids = tuple(intent.episode_id for intent in given)
        quality = config.quality
        if quality is not None and self.given_ids:
            quality.check_known(self.given_ids)
        self.left_out = quality.find_low(self.given_ids) if quality is not None else frozenset()
        self.left_out_of = {split: len(self.left_out.intersection(full[split])) for split in full}
        if self.left_out:
            release = self._leave_out(release)
        self.release = release
        self.history = History(
            release.intents, protocol=config.history, train_ids=self.splits.episode_ids[TRAIN]
        )
        self.episodes = {episode.episode_id: episode for episode in release.episodes}
        self.moments = {} if not release.moments else split_moments(release.moments, given)
        self.shard_specs = (
            *(
                spec
                for split in self.splits.names
                for spec in _divide_split(split, self.splits.episode_ids[split], self.episodes)
            ),
            *(spec for split, part in self.moments.items() for spec in _divide_moments(split, part)),
        )

    def _leave_out(self, release: Release) -> Release:
        """The release without the episodes that are left out; they leave the splits, too."""
        episodes = tuple(one for one in release.episodes if one.episode_id not in self.left_out)
        if not episodes:
            least = self.config.quality.minimum if self.config.quality is not None else 0
            raise ReleaseError(
                f"none of the {len(release.episodes)} usable episodes has a quality of {least:g} or more: "
                "lower --min-quality",
                file=release.root,
            )
        self.splits = replace(
            self.splits,
            episode_ids={
                split: tuple(name for name in names if name not in self.left_out)
                for split, names in self.splits.episode_ids.items()
            },
        )
        return replace(release, episodes=episodes)

    @cached_property
    def fingerprint(self) -> str:
        """Sha256 over everything that determines the shards and subsets.json, except the screens."""
        digest = hashlib.sha256()
        for part in self._list_fingerprint_parts():
            digest.update(json.dumps(part).encode())
        return digest.hexdigest()

    @property
    def origins(self) -> Origins:
        """Origins and licences of the data: those of the settings, otherwise those of the release."""
        origins, config = self.release.origins, self.config
        if config.origin is not None:
            origins = replace(origins, origins=(read_origin({"origin": config.origin}).origin,))
        if config.licence is not None:
            origins = replace(origins, licences=(read_licence(config.licence) or UNKNOWN,))
        return origins

    @cached_property
    def references(self) -> Mapping[str, References]:
        """References of every episode, computed on first use."""
        return find_references(
            [episode.intent for episode in self.release.episodes],
            self.release.episodes,
            self.types.types,
            encode=self.config.encode,
            protocol=self.config.history,
            train_ids=self.splits.episode_ids[TRAIN],
            skip_same_task=self.config.skip_same_task,
        )

    def subsets(self) -> OutOfDomain:
        """Return the out-of-domain subsets of A.6.1 and the filtered training set."""
        intents = [episode.intent for episode in self.release.episodes]
        return out_of_domain(intents, self.splits, seed=self.config.seed, counts=self.config.unseen)

    def require_moments(self) -> Mapping[str, Sequence[Moment]]:
        """Return the moments of each split.

        Raises:
            UsageError: The release has none.
        """
        if not self.moments:
            raise UsageError(f"the release {NO_MOMENTS}", file=self.release.root)
        return self.moments

    def job(self, spec: ShardSpec) -> ShardJob:
        """Return the job that makes a shard, with the rows of its episodes."""
        if is_moments(spec.split):
            return self._make_moment_job(spec)
        episodes = tuple(self.episodes[episode_id] for episode_id in spec.episode_ids)
        return ShardJob(
            root=self.release.root,
            name=spec.name,
            split=spec.split,
            fingerprint=self.fingerprint,
            episodes=episodes,
            rows=tuple(map(self._row, episodes)),
            version=self.schema_version,
            keep_metadata=self.config.keep_metadata,
        )

    def _make_moment_job(self, spec: ShardSpec) -> ShardJob:
        wanted = frozenset(spec.episode_ids)
        moments = [moment for moment in self.moments[spec.split] if moment.moment_id in wanted]
        profiles = {one.intent.user_id: one.profile for one in self.release.episodes}
        of_user = {user: profiles.get(user, UserProfile()) for user in self.release.patience}
        return ShardJob(
            root=self.release.root,
            name=spec.name,
            split=spec.split,
            fingerprint=self.fingerprint,
            episodes=tuple(wrap_moment(moment, of_user[moment.at.user_id]) for moment in moments),
            rows=tuple(
                make_row(
                    moment,
                    profile=of_user[moment.at.user_id],
                    user_type=self.types.types.get(moment.at.user_id),
                    history=self.history,
                    settings=self.release.settings,
                )
                for moment in moments
            ),
            version=self.schema_version,
            keep_metadata=self.config.keep_metadata,
            configs=(MOMENTS,),
        )

    def _row(self, episode: Episode) -> Row:
        return make_text_row(
            episode,
            user_type=self.types[episode.intent.user_id],
            previous=self.history.before(episode.intent),
            references=self.references[episode.episode_id],
            known=self.episodes.__getitem__,
            settings=self.release.settings,
            version=self.schema_version,
        )

    def _list_fingerprint_parts(self) -> Iterator[object]:
        config = self.config
        yield [self.schema_version, PARQUET_VERSION, STEPS_A_SHARD, version("pyarrow")]
        yield [config.history, config.references, config.skip_same_task, config.seed]
        yield asdict(config.unseen)
        yield [self.release.provenance, self.splits.method, dict(self.types.types)]
        yield {split: list(ids) for split, ids in self.splits.episode_ids.items()}
        yield from map(_list_fields, self.release.intents)
        if not self.release.settings.is_published:
            yield self.release.settings.model_dump(mode="json")
            yield [intent.moment.isoformat() for intent in self.release.intents]
        if self.release.redaction is not None:
            yield self.release.redaction.model_dump()
        if config.quality is not None:
            yield [config.quality.sha256, config.quality.minimum]
        if config.keep_metadata:
            yield "with metadata of pictures"
        if self.schema_version >= EXTRA_VERSION:
            yield [[asdict(value) for value in episode.extra] for episode in self.release.episodes]
        if self.moments:
            yield [MOMENTS_VERSION, MOMENTS_A_SHARD, dict(self.release.patience)]
            yield [dict(self.release.drifts)]
            yield [[str(moment) for moment in part] for part in self.moments.values()]
        for episode in self.release.episodes:
            steps = [(step.raw, step.screenshot, step.tree) for step in episode.steps]
            yield [asdict(episode.profile), str(episode.folder), steps]


def _list_fields(intent: Intent) -> dict[str, object]:
    """The intent without its offset, which is Beijing's in the published release."""
    fields = asdict(intent)
    del fields["offset"]
    return fields


def _divide_moments(split: str, moments: Sequence[Moment]) -> list[ShardSpec]:
    """Divide a split of moments into shards; at least one, as `_divide_split` does."""
    parts = [moments[at : at + MOMENTS_A_SHARD] for at in range(0, len(moments), MOMENTS_A_SHARD)] or [()]
    return [
        ShardSpec(
            name=f"{split}-{number:05d}-of-{len(parts):05d}",
            split=split,
            episode_ids=tuple(moment.moment_id for moment in part),
            steps=len(part),
        )
        for number, part in enumerate(parts)
    ]


def _divide_split(split: str, ids: tuple[str, ...], episodes: Mapping[str, Episode]) -> list[ShardSpec]:
    """Divide a split into shards of about equal steps; at least one, so that an empty split has its file."""
    total = sum(len(episodes[episode_id].steps) for episode_id in ids)
    # rounded up
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
