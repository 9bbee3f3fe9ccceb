"""Export of training samples: rows for a framework, pictures, and the record, in one folder."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from fingertip_agents.moments import moment_prompt
from fingertip_agents.suggestion import suggestion_prompt
from fingertip_agents.suggestion.model_suggester import describe_files
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.engines import open_worker_pool
from fingertip_dataset.parquet.manifest import MANIFEST
from fingertip_dataset.parquet.source import source
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.screen_decoder import describe_decoder
from fingertip_dataset.split_names import TRAIN, TRAIN_MOMENTS, VALI, VALI_MOMENTS
from fingertip_dataset.times import now_text
from fingertip_runs.run_record import AgentRecord, DatasetRecord
from fingertip_training.embedded_rows import embed_pictures
from fingertip_training.episode_choice import choose_training_episodes
from fingertip_training.export_card import EXPORT_CARD, render_export_card
from fingertip_training.export_check import check_export
from fingertip_training.export_chunks import (
    CHUNKS,
    EXPORT,
    Chunk,
    ChunkJob,
    count_kinds,
    describe_split,
    have_pictures,
    list_jobs,
    open_maker,
    open_pairs,
    place_pictures,
    write_chunk,
)
from fingertip_training.export_order import MODEL, ExportOrder
from fingertip_training.export_record import EXPORT_RECORD, ExportedSplit, ExportRecord
from fingertip_training.export_stage import ExportPlan, stage_export
from fingertip_training.framework_rows import DATASET_INFO, dataset_info
from fingertip_training.pair_samples import PairRuns
from fingertip_training.picture_folder import IMAGES
from fingertip_training.rows_file import RowsFile

Progress = Callable[[str, int, int], None]
"""Called with a stage, the episodes done and the episodes in all."""

LLAMA_FACTORY_NAMES = {TRAIN: "fingertip", VALI: "fingertip_vali"}
"""File -> name of its dataset in dataset_info.json."""


@accept_path_texts
def export_samples(
    dataset: Path, out: Path, order: ExportOrder, *, workers: int = 1, on_progress: Progress | None = None
) -> ExportRecord:
    """Write training samples into a folder and check them.

    The folder gets its name when it is complete. A call that is interrupted leaves `OUT.partial`, from whose
    finished chunks the same call goes on. Neither that nor the number of processes changes a byte of rows or
    pictures. Memory does not grow with the number of episodes, apart from their ids, the names of their
    pictures and 8 bytes a row.

    Args:
        dataset: A folder that `fingertip build` wrote.
        out: Folder of the export, which must not exist.
        order: What to export.
        workers: Number of processes.
        on_progress: Called after each chunk of episodes of each file.

    Raises:
        UsageError: The folder exists or cannot be written, or the order does not fit the dataset.
        RunError: `OUT.partial` is the unfinished export of another order, dataset, decoder or code.
        DatasetError: The dataset is missing or broken, or a worker was lost.
    """
    built = BuiltDataset.open(dataset)
    _check_dataset(built, order)
    plan = _make_plan(dataset, order, open_pairs(built, order))
    with stage_export(out, plan) as staging:
        # a run is paired once for the choice of moments and the chunks of this process
        runs = open_maker(dataset, order, plan.fingerprint).runs
        episodes = {split: _choose(built, order, split, runs) for split in _list_splits(order)}
        jobs = list(list_jobs(dataset, order, plan.fingerprint, episodes))
        chunks = _write_chunks(jobs, staging, workers, on_progress)
        export = _Export(built, order, staging / EXPORT, runs)
        splits = tuple(
            export.join(split, {job.name: chunks[job.name] for job in jobs if job.split == split})
            for split in episodes
        )
        record = export.describe(dataset, plan, splits, chunks.values())
        if order.embed:
            export.check(record)
            embedded = tuple(export.embed(split) for split in splits)
            shutil.rmtree(staging / EXPORT / IMAGES, ignore_errors=True)
            record = record.model_copy(update={"splits": embedded})
        export.finish(record)
    return record


def reuse_export(
    dataset: Path, out: Path, order: ExportOrder, *, workers: int = 1, on_progress: Progress | None = None
) -> ExportRecord:
    """Write training samples as `export_samples` does, unless an earlier call has written the same.

    Raises:
        RunError: The folder holds samples of another order or dataset, or of another text of a prompt file.
        UsageError: The folder cannot be written, or the order does not fit the dataset.
        DatasetError: The dataset or the earlier export is missing or broken.
    """
    if not out.exists():
        return export_samples(dataset, out, order, workers=workers, on_progress=on_progress)
    record = ExportRecord.read(out)
    for name, value in json.loads(json.dumps(asdict(order))).items():
        # an older export does not name what was off
        if (record.options.get(name) or None) != (value or None):
            raise RunError(
                f"the folder holds samples of another call: {name} is {record.options.get(name)!r} there, "
                f"{value!r} here; give another --out",
                file=out,
            )
    for track, agent in _describe_agents(order).items():
        there, here = (one.settings.get("prompt_text") for one in (record.agents[track], agent))
        if there != here:
            raise RunError(
                f"the folder holds samples of another prompt: it is {there} there, {here} here; give another "
                "--out, or the text as it was",
                file=out,
            )
    built = BuiltDataset.open(dataset)
    if record.dataset.data_sha256 != built.manifest.data_sha256:
        raise RunError("the folder holds samples of another dataset: give another --out", file=out)
    runs = open_pairs(built, order)
    if runs is not None and record.pairs is not None:
        now = runs.describe(record.pairs.kinds)
        if [run.predictions_sha256 for run in now.runs] != [
            run.predictions_sha256 for run in record.pairs.runs
        ]:
            raise RunError("a month run has other suggestions now: give another --out", file=out)
    return record


def _write_chunks(
    jobs: Sequence[ChunkJob], staging: Path, workers: int, on_progress: Progress | None
) -> dict[str, Chunk]:
    """Write the chunks that an earlier call has not finished; returns all, by name, in order."""
    report = on_progress or (lambda *_: None)
    stages = {job.name: f"{job.split} {job.track}" for job in jobs}
    sizes = {job.name: len(job.episodes) for job in jobs}
    totals: Counter[str] = Counter()
    for name, stage in stages.items():
        totals[stage] += sizes[name]
    done: Counter[str] = Counter()

    def count(name: str) -> None:
        done[stages[name]] += sizes[name]
        report(stages[name], done[stages[name]], totals[stages[name]])

    found = {job.name: chunk for job in jobs if (chunk := Chunk.read(staging, job.name)) is not None}
    for stage in totals:
        report(stage, 0, totals[stage])
    for name in found:
        count(name)
    open_jobs = [job for job in jobs if job.name not in found]
    with open_worker_pool(write_chunk, "local", min(workers, max(1, len(open_jobs)))) as write:
        for name, chunk in write(open_jobs, staging):
            found[name] = chunk
            count(name)
    return {job.name: found[job.name] for job in jobs}


def _choose(built: BuiltDataset, order: ExportOrder, split: str, runs: PairRuns | None) -> Mapping[str, str]:
    """The episodes of a split, id -> user."""
    return choose_training_episodes(
        built,
        split,
        number=order.episodes,
        seed=order.seed,
        exclude_unseen=order.exclude_unseen,
        users=order.users,
        only=None if runs is None else runs.list_moments(built, split),
    )


class _Export:
    """Makes the files of an export out of its chunks."""

    def __init__(self, built: BuiltDataset, order: ExportOrder, folder: Path, runs: PairRuns | None) -> None:
        self._built = built
        self._order = order
        self._folder = folder
        self._runs = runs
        self._with_pictures = have_pictures(order, runs)
        self._as_parts = place_pictures(order, with_pictures=self._with_pictures)

    def join(self, split: str, chunks: Mapping[str, Chunk]) -> ExportedSplit:
        """Join the rows of the chunks of a split."""
        described = describe_split(split, list(chunks.values()))
        if not described.samples:
            kinds = "; ".join(f"{kind.count} x {kind.kind}" for kind in described.dropped)
            raise UsageError(f"no sample is left of split {split}: {kinds}", file=self._built.path)
        file = self._folder / described.file
        file.unlink(missing_ok=True)
        with RowsFile(file) as rows:
            for name in chunks:
                rows.append_file(self._folder.parent / CHUNKS / f"{name}.jsonl")
            if self._order.track == "joint":
                rows.shuffle(self._order.seed)
        return described

    def describe(
        self, dataset: Path, plan: ExportPlan, splits: tuple[ExportedSplit, ...], chunks: Collection[Chunk]
    ) -> ExportRecord:
        """Describe the export."""
        pictures: dict[str, int] = {}
        for chunk in chunks:
            pictures |= chunk.files
        return ExportRecord(
            track=self._order.track,
            format=self._order.format,
            dataset=DatasetRecord.of(self._built, dataset),
            manifest_sha256=plan.manifest_sha256,
            agents=plan.agents,
            options=plan.options,
            seed=self._order.seed,
            with_pictures=self._with_pictures,
            picture_files=len(pictures),
            picture_bytes=sum(pictures.values()),
            decoder=plan.decoder if pictures else "",
            embedded=self._order.embed,
            splits=splits,
            pairs=None if self._runs is None else self._runs.describe(count_kinds(chunks)),
            created=now_text(),
            source=plan.source,
        )

    def embed(self, split: ExportedSplit) -> ExportedSplit:
        """Put the pictures of a written split into its file."""
        file = embed_pictures(
            self._folder / split.file,
            with_pictures=self._with_pictures,
            as_parts=self._as_parts,
            pairs=self._runs is not None,
        )
        return split.model_copy(update={"file": file.name})

    def check(self, record: ExportRecord) -> None:
        """Write the record, and check the folder by it."""
        text = record.model_dump_json(indent=2)
        (self._folder / EXPORT_RECORD).write_text(text + "\n", encoding="utf-8")
        check_export(self._folder)

    def finish(self, record: ExportRecord) -> None:
        """Write the files beside the rows, and check the folder."""
        if record.format == "llama-factory":
            files = {LLAMA_FACTORY_NAMES[Path(split.file).stem]: split.file for split in record.splits}
            info = dataset_info(files, with_pictures=record.with_pictures, pairs=record.pairs is not None)
            (self._folder / DATASET_INFO).write_text(json.dumps(info, indent=2) + "\n", encoding="utf-8")
        (self._folder / EXPORT_CARD).write_text(render_export_card(record.splits), encoding="utf-8")
        self.check(record)


def _list_splits(order: ExportOrder) -> tuple[str, ...]:
    """Splits of the samples, the training part first."""
    splits = (TRAIN_MOMENTS, VALI_MOMENTS) if order.of_moments else (TRAIN, VALI)
    return splits if order.validation else splits[:1]


def _check_dataset(built: BuiltDataset, order: ExportOrder) -> None:
    """Refuse an order that the dataset cannot fill."""
    if order.of_moments:
        built.require_moments()
        return
    for split in _list_splits(order):
        if not built.manifest.splits[split].episodes:
            raise UsageError(f"split {split} has no episodes", file=built.path)
    if order.with_pictures and not built.manifest.splits[TRAIN].screenshots:
        raise UsageError("the prompts need pictures, and the dataset has no screenshots", file=built.path)
    if "execution" in order.tracks and order.start is not None:
        built.require_start(order.start)
    if "execution" in order.tracks and order.reference != "none":
        built.require_references()


def _make_plan(dataset: Path, order: ExportOrder, runs: PairRuns | None) -> ExportPlan:
    return ExportPlan(
        options=json.loads(json.dumps(asdict(order))),
        manifest_sha256=hashlib.sha256((dataset / MANIFEST).read_bytes()).hexdigest(),
        agents=_describe_agents(order),
        runs=() if runs is None else runs.describe({}).runs,
        decoder=describe_decoder(),
        source=source(),
    )


def _describe_agents(order: ExportOrder) -> dict[str, AgentRecord]:
    """Describe the agent of each track of an order, with the label of a prompt file's text."""
    agents = {}
    if "suggestion" in order.tracks:
        prompt = moment_prompt.VERSION if order.of_moments else suggestion_prompt.VERSION
        settings = {"prompt": prompt, "language": order.language}
        files = {} if order.suggestion_files is None else describe_files(order.suggestion_files)
        agents["suggestion"] = AgentRecord.of(MODEL, {**settings, "max_pixels": order.max_pixels, **files})
    if (format := order.agent_format) is not None:
        settings = {"prompt": format.version, "language": order.language}
        agents["execution"] = AgentRecord.of(format.name, {**settings, **format.settings})
    return agents
