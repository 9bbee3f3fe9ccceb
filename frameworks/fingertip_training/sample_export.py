"""Export of training samples: rows for a framework, pictures, and the record, in one folder."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from uuid import uuid4

from fingertip_agents.moments import moment_prompt
from fingertip_agents.suggestion import suggestion_prompt
from fingertip_agents.suggestion.model_suggester import describe_files
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.manifest import MANIFEST
from fingertip_dataset.parquet.source import source
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.split_names import TRAIN, TRAIN_MOMENTS, VALI, VALI_MOMENTS
from fingertip_dataset.times import now_text
from fingertip_runs.run_record import AgentRecord, DatasetRecord
from fingertip_training.dropped_steps import DroppedSteps
from fingertip_training.embedded_rows import embed_pictures
from fingertip_training.episode_choice import choose_training_episodes, find_hidden_episodes
from fingertip_training.execution_samples import execution_samples
from fingertip_training.export_card import EXPORT_CARD, render_export_card
from fingertip_training.export_check import check_export
from fingertip_training.export_order import MODEL, ExportOrder
from fingertip_training.export_record import EXPORT_RECORD, ExportedSplit, ExportRecord
from fingertip_training.framework_rows import DATASET_INFO, dataset_info, has_reserved_text, row_maker
from fingertip_training.moment_samples import moment_samples
from fingertip_training.pair_samples import PairRuns, pair_samples
from fingertip_training.picture_folder import IMAGES, PictureFolder
from fingertip_training.rows_file import RowsFile
from fingertip_training.suggestion_samples import suggestion_samples
from fingertip_training.training_sample import TrainingSample
from suggestion_runner.suggestion_tasks import ShownParts

Progress = Callable[[str, int, int], None]
"""Called with a stage, the episodes done and the episodes in all."""

_RANDOM = re.compile("[0-9a-f]{8}")
"""Random part of the name of an unfinished export."""

_FILES = {TRAIN_MOMENTS: TRAIN, VALI_MOMENTS: VALI}
"""Split of moments -> name of its file, by which frameworks tell the parts."""

LLAMA_FACTORY_NAMES = {TRAIN: "fingertip", VALI: "fingertip_vali"}
"""File -> name of its dataset in dataset_info.json."""


@accept_path_texts
def export_samples(
    dataset: Path, out: Path, order: ExportOrder, *, on_progress: Progress | None = None
) -> ExportRecord:
    """Write training samples into a folder and check them.

    The folder gets its name when it is complete. Memory does not grow with the number of episodes, apart from
    their ids and 40 bytes a row.

    Args:
        dataset: A folder that `fingertip build` wrote.
        out: Folder of the export, which must not exist.
        order: What to export.
        on_progress: Called after each episode of each file.

    Raises:
        UsageError: The folder exists or cannot be written, or the order does not fit the dataset.
        DatasetError: The dataset is missing or broken.
    """
    built = BuiltDataset.open(dataset)
    _check_dataset(built, order)
    with _stage_folder(out) as folder:
        export = _Export(built, order, folder, on_progress or (lambda *_: None))
        splits = tuple(export.write(split) for split in _list_splits(order))
        record = _make_record(built, dataset, order, splits, export)
        if order.embed:
            export.check(record)
            embedded = tuple(export.embed(split) for split in splits)
            shutil.rmtree(folder / IMAGES, ignore_errors=True)
            record = record.model_copy(update={"splits": embedded})
        if order.format == "llama-factory":
            files = {LLAMA_FACTORY_NAMES[Path(split.file).stem]: split.file for split in splits}
            info = dataset_info(files, with_pictures=record.with_pictures, pairs=order.pairs is not None)
            (folder / DATASET_INFO).write_text(json.dumps(info, indent=2) + "\n", encoding="utf-8")
        (folder / EXPORT_CARD).write_text(render_export_card(record.splits), encoding="utf-8")
        export.check(record)
    return record


def reuse_export(
    dataset: Path, out: Path, order: ExportOrder, *, on_progress: Progress | None = None
) -> ExportRecord:
    """Write training samples as `export_samples` does, unless an earlier call has written the same.

    Raises:
        RunError: The folder holds samples of another order or dataset, or of another text of a prompt file.
        UsageError: The folder cannot be written, or the order does not fit the dataset.
        DatasetError: The dataset or the earlier export is missing or broken.
    """
    if not out.exists():
        return export_samples(dataset, out, order, on_progress=on_progress)
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
    if order.pairs is not None and record.pairs is not None:
        now = PairRuns.open(order.pairs, built, order.language, missed=order.missed).describe(
            record.pairs.kinds
        )
        if [run.predictions_sha256 for run in now.runs] != [
            run.predictions_sha256 for run in record.pairs.runs
        ]:
            raise RunError("a month run has other suggestions now: give another --out", file=out)
    return record


class _Export:
    """State of an export."""

    def __init__(self, built: BuiltDataset, order: ExportOrder, folder: Path, report: Progress) -> None:
        self._built = built
        self._order = order
        self._folder = folder
        self._report = report
        self.pictures = PictureFolder(folder)
        self.runs = (
            None
            if order.pairs is None
            else PairRuns.open(order.pairs, built, order.language, missed=order.missed)
        )
        self.kinds: Counter[str] = Counter()
        self.with_pictures = order.with_pictures if self.runs is None else self.runs.with_pictures
        # TRL puts pictures without a place before the first text of the user
        placed = ("conversation", "pictures_last")
        self._as_parts = self.with_pictures and any(
            getattr(order.agent_format, name, False) for name in placed
        )
        self._row = row_maker(order.format, with_pictures=self.with_pictures, as_parts=self._as_parts)

    def write(self, split: str) -> ExportedSplit:
        """Write the rows of a split."""
        order = self._order
        episodes = self._episodes(split)
        excluded = find_hidden_episodes(self._built, split, exclude_unseen=order.exclude_unseen)
        counts, dropped, name = _Counts(), DroppedSteps(), f"{_FILES.get(split, split)}.jsonl"
        with RowsFile(self._folder / name) as rows:
            for sample in self._make_samples(split, episodes, excluded, dropped):
                if has_reserved_text(sample, order.format):
                    what = f"text that {order.format} takes for a picture"
                    dropped.add(what, sample.episode_id, step=sample.step)
                    continue
                rows.append(self._row(sample, [self.pictures.add(picture) for picture in sample.pictures]))
                counts.add(sample, "moments" if order.of_moments else sample.track)
                self.kinds.update([sample.kind] if sample.kind else [])
            if order.track == "joint":
                rows.shuffle(order.seed)
        if not counts.samples:
            kinds = "; ".join(f"{kind.count} x {kind.kind}" for kind in dropped.kinds())
            raise UsageError(f"no sample is left of split {split}: {kinds}", file=self._built.path)
        return counts.split(name, split, dropped)

    def embed(self, split: ExportedSplit) -> ExportedSplit:
        """Put the pictures of a written split into its file."""
        file = embed_pictures(
            self._folder / split.file,
            with_pictures=self.with_pictures,
            as_parts=self._as_parts,
            pairs=self.runs is not None,
        )
        return split.model_copy(update={"file": file.name})

    def check(self, record: ExportRecord) -> None:
        """Write the record, and check the folder by it."""
        text = record.model_dump_json(indent=2)
        (self._folder / EXPORT_RECORD).write_text(text + "\n", encoding="utf-8")
        check_export(self._folder)

    def _episodes(self, split: str) -> Mapping[str, str]:
        order = self._order
        paired = None if self.runs is None else self.runs.list_moments(self._built, split)
        return choose_training_episodes(
            self._built,
            split,
            number=order.episodes,
            seed=order.seed,
            exclude_unseen=order.exclude_unseen,
            users=order.users,
            only=paired,
        )

    def _make_samples(
        self, split: str, episodes: Mapping[str, str], excluded: frozenset[str], dropped: DroppedSteps
    ) -> Iterator[TrainingSample]:
        order = self._order
        for track in order.tracks:
            if self.runs is not None:
                samples = pair_samples(
                    self.runs.list_pairs(self._built, episodes),
                    language=order.language,
                    max_pixels=order.max_pixels,
                )
            elif track == "suggestion":
                make = moment_samples if order.of_moments else suggestion_samples
                samples = make(
                    self._built,
                    _parts(self._built, order, split),
                    episodes,
                    dropped,
                    language=order.language,
                    max_pixels=order.max_pixels,
                    files=order.suggestion_files,
                    excluded=excluded,
                )
            elif order.agent_format is not None:
                samples = execution_samples(
                    self._built,
                    split,
                    episodes,
                    dropped,
                    format=order.agent_format,
                    language=order.language,
                    reference=order.reference,
                    view=order.view,
                    excluded=excluded,
                )
            yield from self._report_progress(samples, f"{split} {track}", episodes)

    def _report_progress(
        self, samples: Iterator[TrainingSample], stage: str, episodes: Mapping[str, str]
    ) -> Iterator[TrainingSample]:
        done, last = 0, ""
        self._report(stage, done, len(episodes))
        for sample in samples:
            if sample.episode_id != last:
                last, done = sample.episode_id, done + 1
                self._report(stage, done, len(episodes))
            yield sample


class _Counts:
    """Counts of the rows of a file."""

    def __init__(self) -> None:
        self.samples: dict[str, int] = {}
        self._episodes: set[str] = set()
        self._users: set[str] = set()
        self._pictures = self._longest_text = self._longest_answer = 0

    def add(self, sample: TrainingSample, track: str) -> None:
        self.samples[track] = self.samples.get(track, 0) + 1
        self._episodes.add(sample.episode_id)
        self._users.add(sample.user_id)
        self._pictures += len(sample.pictures)
        self._longest_text = max(self._longest_text, sample.characters)
        self._longest_answer = max(self._longest_answer, *map(len, sample.answers))

    def split(self, file: str, split: str, dropped: DroppedSteps) -> ExportedSplit:
        return ExportedSplit(
            file=file,
            split=split,
            episodes=len(self._episodes),
            samples=self.samples,
            users=len(self._users),
            pictures=self._pictures,
            longest_text=self._longest_text,
            longest_answer=self._longest_answer,
            dropped=dropped.kinds(),
        )


def _parts(built: BuiltDataset, order: ExportOrder, split: str) -> ShownParts:
    protocol = order.protocol or built.manifest.history
    own = order.history == "20" and protocol == built.manifest.history
    return ShownParts(
        split=split,
        screenshots=order.screenshots,
        history=order.history,
        protocol=protocol,
        history_source="previous_intents" if own else "dataset rows",
        without=order.suggestion_without,
    )


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


def _make_record(
    built: BuiltDataset,
    dataset: Path,
    order: ExportOrder,
    splits: tuple[ExportedSplit, ...],
    export: _Export,
) -> ExportRecord:
    return ExportRecord(
        track=order.track,
        format=order.format,
        dataset=DatasetRecord.of(built, dataset),
        manifest_sha256=hashlib.sha256((dataset / MANIFEST).read_bytes()).hexdigest(),
        agents=_describe_agents(order),
        options=json.loads(json.dumps(asdict(order))),
        seed=order.seed,
        with_pictures=export.with_pictures,
        picture_files=len(export.pictures),
        picture_bytes=export.pictures.bytes,
        embedded=order.embed,
        splits=splits,
        pairs=None if export.runs is None else export.runs.describe(export.kinds),
        created=now_text(),
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


@contextmanager
def _stage_folder(out: Path) -> Iterator[Path]:
    """Make a folder next to `out` that gets its name when the block ends, and is removed if it fails.

    A call that is killed cannot remove its folder: the next one for the same `out` does.
    """
    if out.exists() or out.is_symlink():
        raise UsageError("the folder exists: give another --out, or remove it", file=out)
    folder = out.with_name(f".{out.name}.{uuid4().hex[:8]}.partial")
    lock = None
    try:
        _remove_leftovers(out)
        folder.mkdir(parents=True)
        lock = _lock_folder(folder)
        yield folder
        # refuses a folder that appeared meanwhile, unless it is empty
        folder.rename(out)
    except OSError as error:
        raise UsageError(f"the folder cannot be written: {error.strerror or error}", file=out) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _remove_leftovers(out: Path) -> None:
    """Remove the folders of killed exports to `out`; one that is being written is locked, and stays."""
    for folder in out.parent.iterdir() if out.parent.is_dir() else ():
        name = folder.name.removeprefix(f".{out.name}.").removesuffix(".partial")
        if folder.name != f".{out.name}.{name}.partial" or not _RANDOM.fullmatch(name) or folder.is_symlink():
            continue
        try:
            lock = _lock_folder(folder)
        except OSError:  # another export writes it, or it is not ours
            continue
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _lock_folder(folder: Path) -> int:
    """Lock a folder until the descriptor is closed; the system does it for a killed process.

    Raises:
        OSError: Another process has locked it, or it cannot be opened.
    """
    import fcntl

    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise
    return lock
