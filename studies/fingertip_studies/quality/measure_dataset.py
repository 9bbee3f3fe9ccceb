"""Measurement of a built dataset: each shard by itself, in any process, then all episodes compared.

A shard's result is one file of JSON lines, whose first line names what it was made from. The same call
again uses the files that are there, so a stopped measurement continues. Memory does not grow with the
screens: rows are read a few at a time, and of an episode only its line and what a comparison needs is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.features import Config
from fingertip_dataset.parquet.manifest import Shard
from fingertip_metrics.aggregate import natural_order
from fingertip_runs.line_log import validate_json
from fingertip_studies.quality.compared_episodes import EpisodeComparer
from fingertip_studies.quality.episode_flaws import Flaw, quality_score
from fingertip_studies.quality.flaw_kinds import KINDS, QUALITY_VERSION, FlawKind
from fingertip_studies.quality.measured_episode import (
    SCREEN_COLUMNS,
    TEXT_COLUMNS,
    MeasuredEpisode,
    measure_episode,
)


class EpisodeQuality(FrozenModel):
    """Quality of an episode.

    Attributes:
        episode_id: Id of the episode.
        user_id: Id of its user.
        app: App as in the dataset.
        split: A split that it is in; an episode of both tests is measured once.
        steps: Number of steps.
        actions: Number of actions without waits, `finished` and the keys with which the person leaves.
        shortest: Number of actions of the shortest known path; None if none is known.
        shortest_from: Source of that path; "" if none is known.
        score: See `quality_score`; None for an episode without steps.
        flaws: Its flaws, by step; those of the whole episode last.
    """

    episode_id: str
    user_id: str
    app: str
    split: str
    steps: int
    actions: int
    shortest: int | None
    shortest_from: str
    score: float | None
    flaws: tuple[Flaw, ...]

    @property
    def counts(self) -> Counter[FlawKind]:
        """Kind -> number of flaws of that kind."""
        return Counter(flaw.kind for flaw in self.flaws)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardMeasurement:
    """Order to measure one shard in any process.

    Attributes:
        dataset: Folder of the dataset.
        shard: The shard.
        out: File of the result.
    """

    dataset: Path
    shard: Shard
    out: Path


class PartHead(FrozenModel):
    """First line of a shard's result: what it was made from."""

    quality_version: int
    config: Config
    sha256: str
    simulations: str


OnProgress = Callable[[int, int], None]
"""Called with the number of shards measured and their total."""


def measure_dataset(
    dataset: Path,
    parts: Path,
    *,
    config: Config = "default",
    workers: int = 1,
    on_progress: OnProgress | None = None,
) -> QualityMeasurement:
    """Measure every episode of a dataset.

    Args:
        dataset: Folder that `fingertip build` wrote.
        parts: Folder of the shards' results, made if missing; results of the same data in it are used.
        config: "default", or "text" to read no screens: their checks are then not made.
        workers: Number of processes, one shard at a time each.
        on_progress: Called with the number of shards measured and their total.

    Raises:
        DatasetError: The dataset is missing or broken.
        UsageError: `parts` cannot be written.
        RunError: A worker was lost, or a result is broken.
    """
    built = BuiltDataset.open(dataset)
    try:
        parts.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the folder cannot be written: {error.strerror or error}", file=parts) from error
    orders = [
        ShardMeasurement(dataset=dataset, shard=shard, out=parts / f"{config}-{Path(shard.file).stem}.jsonl")
        for split in built.split_names
        for shard in built.shards(split, config)
        if shard.rows
    ]
    notify = on_progress or (lambda done, of: None)
    notify(0, len(orders))
    for done, _ in enumerate(_read_measured(orders, workers), 1):
        notify(done, len(orders))
    return QualityMeasurement(built=built, config=config, parts=tuple(order.out for order in orders))


def _read_measured(orders: Sequence[ShardMeasurement], workers: int) -> Iterator[None]:
    if min(workers, len(orders)) <= 1:
        yield from map(measure_shard, orders)
        return
    try:
        with ProcessPoolExecutor(min(workers, len(orders)), mp_context=get_context("spawn")) as pool:
            # the longest first, so that no worker is left alone with one at the end
            longest = sorted(orders, key=lambda order: -order.shard.bytes)
            for future in as_completed([pool.submit(measure_shard, order) for order in longest]):
                yield future.result()
    except BrokenProcessPool as error:
        raise RunError(
            "a worker process ended before its shard was measured (out of memory?): the same call goes on"
        ) from error


def measure_shard(order: ShardMeasurement) -> None:
    """Measure the episodes of a shard and write their lines, unless the result is there.

    Raises:
        DatasetError: The shard cannot be read.
        UsageError: The result cannot be written.
    """
    built = BuiltDataset.open(order.dataset)
    head = _make_head(built, order.shard)
    if _read_first_line(order.out) == head.model_dump_json():
        return
    simulations, config = built.simulations(), order.shard.config
    columns = SCREEN_COLUMNS if config == "default" else TEXT_COLUMNS
    temporary = order.out.with_suffix(".tmp")
    try:
        with temporary.open("w", encoding="utf-8") as stream:
            stream.write(head.model_dump_json() + "\n")
            for row in built.shard_rows(order.shard, columns=columns):
                episode = measure_episode(
                    row,
                    split=order.shard.split,
                    config=config,
                    simulation=simulations.get(row["episode_id"]),
                )
                stream.write(episode.model_dump_json() + "\n")
        temporary.replace(order.out)
    except OSError as error:
        raise UsageError(f"the file cannot be written: {error.strerror or error}", file=order.out) from error


def _make_head(built: BuiltDataset, shard: Shard) -> PartHead:
    hashes = {entry.file: entry.sha256 for entry in built.manifest.files}
    return PartHead(
        quality_version=QUALITY_VERSION,
        config=shard.config,
        sha256=shard.sha256,
        simulations=hashes.get("simulations.jsonl", ""),
    )


def _read_first_line(file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as stream:
            return stream.readline().rstrip("\n")
    except (OSError, UnicodeDecodeError):
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityMeasurement:
    """A measured dataset; its episodes are read from the shards' results.

    Attributes:
        built: The dataset.
        config: Config that was read.
        parts: Result of each shard.
    """

    built: BuiltDataset
    config: Config
    parts: tuple[Path, ...]

    def measured(self) -> Iterator[MeasuredEpisode]:
        """Iterate over the episodes before their comparison, each once.

        Raises:
            RunError: A result is broken.
        """
        known: set[str] = set()
        for file in self.parts:
            with file.open("rb") as lines:
                next(lines, None)
                for number, line in enumerate(lines, 2):
                    episode = validate_json(MeasuredEpisode, line, file, number)
                    if episode.episode_id not in known:
                        known.add(episode.episode_id)
                        yield episode

    def episodes(self, judged: Mapping[str, Flaw] | None = None) -> Iterator[EpisodeQuality]:
        """Iterate over the episodes with all their flaws and their score.

        Args:
            judged: Episode id -> flaw that a judge found; see `intent_judge`.

        Raises:
            RunError: A result is broken.
        """
        comparer = EpisodeComparer(self.measured())
        for episode in self.measured():
            compared = comparer.compare(episode)
            own = sorted(episode.flaws, key=lambda flaw: (flaw.step or 0, flaw.kind))
            flaws = (*own, *compared.flaws)
            if judged and episode.episode_id in judged:
                flaws = (*flaws, judged[episode.episode_id])
            yield EpisodeQuality(
                episode_id=episode.episode_id,
                user_id=episode.user_id,
                app=episode.app,
                split=episode.split,
                steps=episode.steps,
                actions=episode.actions,
                shortest=compared.shortest,
                shortest_from=compared.shortest_from,
                score=quality_score(flaws, episode.steps),
                flaws=flaws,
            )

    def ordered(self, judged: Mapping[str, Flaw] | None = None) -> list[EpisodeQuality]:
        """All episodes, users by number, then by time; for datasets that fit into memory without screens."""
        return sorted(self.episodes(judged), key=lambda one: (natural_order(one.user_id), one.episode_id))

    def checks_left_out(self, *, judged: bool = False) -> tuple[FlawKind, ...]:
        """Kinds whose check could not be made."""
        return choose_left_out(self.config, judged=judged)


def choose_left_out(config: Config, *, judged: bool) -> tuple[FlawKind, ...]:
    """Kinds whose check is not made with a config, and with or without a judge."""
    needs = {"judge"} if not judged else set()
    needs |= {"screenshots", "trees", "screens"} if config == "text" else set()
    return tuple(kind for kind, traits in KINDS.items() if traits.needs in needs)
