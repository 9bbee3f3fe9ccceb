"""Plan of an experiment that trains models: its trainings, its runs, and which of them are finished.

Folders are named by what they hold and a digest of it, in `OUT/adapters` and `OUT/adapter-runs`. So tables 5,
8 and 9 share equal trainings and runs, and other settings get other folders.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from execution_runner.execution_log import read_attempts
from execution_runner.execution_log import read_run as read_execution_run
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.settings import Start
from fingertip_dataset.split_names import TEST_EXECUTION, TEST_SUGGESTION, TRAIN
from fingertip_dataset.track import Track
from fingertip_models.checkpoint import TRAINING, UNKNOWN, hash_folder, read_training
from fingertip_models.options import ModelOptions
from fingertip_runs.device_kinds import DeviceKindName
from fingertip_runs.run_folder import RUN
from fingertip_studies.experiments.catalogue import Experiment, TrainedCell
from fingertip_studies.experiments.folder_names import slug
from fingertip_training.export_order import DEFAULT_AGENT, ExportOrder
from fingertip_training.finetune.finetune_settings import ChosenSettings
from suggestion_runner.prediction_log import read_predictions, read_run

ADAPTERS, RUNS = "adapters", "adapter-runs"
"""Folders of trainings and of runs, within that of all experiments."""

PAPER_EPISODES = 16_000
"""Training episodes of the paper."""

COMPLETE = 0.9
"""Minimum share of `PAPER_EPISODES` for a dataset of the paper's size: some episodes are incomplete."""

TESTS: Mapping[Track, str] = MappingProxyType({"suggestion": TEST_SUGGESTION, "execution": TEST_EXECUTION})
"""Track -> split on which its models are tested."""

State = Literal["finished", "started", "to do"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingChoice:
    """Choices of a user for an experiment that trains models.

    Attributes:
        base: Folder of the base model, or its name on the Hub.
        base_identity: Its `identify_checkpoint`.
        settings: Settings of training; the rank is the cell's.
        episodes: Number of training episodes of the cells that train on a part; None for 1,000, or the same
            share of a smaller dataset.
        agent: Agent of track 2; its prompts are learned and tested.
        device: Kind of the devices of track 2.
        options: Options of the tested model, without the limit of pictures.
        max_pixels: Maximum pixels of a picture of track 2.
        limit: Number of first tasks of each track; None for all.
        sample: Number of tasks of track 1 that are drawn; None for all.
        seed: Seed of every draw.
    """

    base: str
    base_identity: str
    settings: ChosenSettings
    episodes: int | None
    agent: str
    device: DeviceKindName
    options: ModelOptions
    max_pixels: int | None = None
    limit: int | None = None
    sample: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTraining:
    """A training: what is trained, and where.

    Attributes:
        name: Name of its folder.
        folder: Folder of the adapter.
        order: Its samples.
        settings: Its settings.
        record: What training.json of the folder must state.
    """

    name: str
    folder: Path
    order: ExportOrder
    settings: ChosenSettings
    record: Mapping[str, Any]

    def state(self) -> State:
        """Whether the training is finished, by its record.

        Raises:
            RunError: The folder holds a training of other data or settings.
        """
        if not (self.folder / TRAINING).is_file():
            return "started" if self.folder.exists() else "to do"
        found = _read_record(read_training(self.folder))
        for name, value in self.record.items():
            if found.get(name) != value:
                raise RunError(
                    f"the folder holds a training of another {name}: remove it, or give another --out",
                    file=self.folder / TRAINING,
                )
        return "finished"

    def adapter_identity(self) -> str | None:
        """The `hash_folder` of the adapter; None if it is not finished."""
        return hash_folder(self.folder) if self.state() == "finished" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """A run of a model on a test.

    Attributes:
        name: Name of its folder.
        folder: Folder of the run.
        track: Track of the test.
        training: Training of the tested adapter; None for the base alone.
        choice: The user's choice.
        data_sha256: Sha256 of the dataset.
    """

    name: str
    folder: Path
    track: Track
    training: PlannedTraining | None
    choice: TrainingChoice
    data_sha256: str

    def state(self) -> State:
        """Whether the run is finished, by its record; one of other settings counts as not finished.

        Raises:
            RunError: The run is broken, or the training of its adapter is of other settings.
        """
        if not (self.folder / RUN).is_file():
            return "to do"
        if self.track == "suggestion":
            record = read_run(self.folder)
            tasks, done = record.tasks, sum(not task.failed for task in read_predictions(self.folder))
            ours = self._is_ours(record.agent.settings, record.dataset.data_sha256, record.split)
        else:
            run = read_execution_run(self.folder)
            tasks, done = run.tasks, len(read_attempts(self.folder))
            ours = self._is_ours(run.agent.settings, run.dataset.data_sha256, run.split)
            ours = ours and run.device == self.choice.device
        return "finished" if ours and done >= tasks else "started"

    def _is_ours(self, settings: Mapping[str, Any], data_sha256: str, split: str) -> bool:
        options = self.choice.options
        wanted: dict[str, object] = {
            "language": options.language,
            "temperature": options.temperature,
            "max_tokens": options.max_tokens,
            "checkpoint": self.choice.base_identity,
            "adapter_identity": self.training.adapter_identity() if self.training else None,
        }
        if self.choice.base_identity == UNKNOWN:
            wanted["model"] = options.model
        same = all(settings.get(name) == value for name, value in wanted.items())
        return same and (data_sha256, split) == (self.data_sha256, TESTS[self.track])


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCell:
    """A row of the table.

    Attributes:
        cell: The cell.
        label: Its name, with the number of episodes where that is not the paper's.
        episodes: Number of training episodes; None for all.
        runs: Track -> its run.
    """

    cell: TrainedCell
    label: str
    episodes: int | None
    runs: Mapping[Track, PlannedRun]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """Plan of an experiment.

    Attributes:
        experiment: The experiment.
        choice: The user's choice.
        train_episodes: Number of training episodes of the dataset.
        cells: Rows of the table.
    """

    experiment: Experiment
    choice: TrainingChoice
    train_episodes: int
    cells: tuple[PlannedCell, ...]

    @property
    def runs(self) -> tuple[PlannedRun, ...]:
        """Distinct runs; those of one model follow each other."""
        found = {run.folder: run for cell in self.cells for run in cell.runs.values()}
        models = list(dict.fromkeys(map(_model, found.values())))
        return tuple(sorted(found.values(), key=lambda run: models.index(_model(run))))

    @property
    def trainings(self) -> tuple[PlannedTraining, ...]:
        """Distinct trainings."""
        found = {run.training.folder: run.training for run in self.runs if run.training}
        return tuple(found.values())


def check_dataset(experiment: Experiment, built: BuiltDataset) -> None:
    """Check that models can be trained and tested on a dataset.

    Raises:
        DatasetError: It is from before every split had references.
        UsageError: A split has no episodes.
    """
    for split in (TRAIN, *TESTS.values()):
        if not built.manifest.splits[split].episodes:
            raise UsageError(f"split {split} has no episodes for {experiment.name}", file=built.path)
    built.require_references()


def plan_training(experiment: Experiment, dataset: Path, choice: TrainingChoice, out: Path) -> TrainingPlan:
    """Plan the trainings and runs of an experiment on a dataset that `check_dataset` accepts.

    Nothing is written.

    Args:
        experiment: An experiment with `trained` cells.
        dataset: The built dataset.
        choice: The user's choice.
        out: Folder of all experiments.

    Raises:
        DatasetError: The dataset is missing.
        UsageError: The dataset has too few episodes, or an option does not fit.
    """
    built = BuiltDataset.open(dataset)
    splits = built.manifest.splits
    total = splits[TRAIN].episodes
    _check_episodes(experiment, choice.episodes, total)
    planner = _Planner(built.manifest.data_sha256, choice, out)
    cells = []
    for cell in experiment.trained:
        episodes = _count_episodes(cell, choice.episodes, total)
        label = cell.name if episodes == cell.episodes else f"{cell.name} ({episodes:,} episodes)"
        runs = {track: planner.run(cell, track, episodes) for track in TESTS}
        cells.append(PlannedCell(cell=cell, label=label, episodes=episodes, runs=runs))
    plan = TrainingPlan(experiment=experiment, choice=choice, train_episodes=total, cells=tuple(cells))
    with_pictures = any(training.order.with_pictures for training in plan.trainings)
    if with_pictures and not splits[TRAIN].screenshots:
        raise UsageError(
            f"the agent {choice.agent} needs pictures, and the dataset has no screenshots", file=dataset
        )
    return plan


class _Planner:
    """Makes the trainings and runs of cells."""

    def __init__(self, data_sha256: str, choice: TrainingChoice, out: Path) -> None:
        self._data_sha256 = data_sha256
        self._choice = choice
        self._out = out

    def run(self, cell: TrainedCell, track: Track, episodes: int | None) -> PlannedRun:
        """The run of a cell's model on a track."""
        choice, options = self._choice, self._choice.options
        training = self._plan_one(cell, track, episodes)
        from_choice = {
            "data": self._data_sha256,
            "base": self._identify_base(),
            "training": training.name if training else None,
            "options": [options.language, options.temperature, options.max_tokens],
            "limit": choice.limit,
        }
        if track == "suggestion":
            from_choice |= {"sample": choice.sample, "seed": choice.seed if choice.sample else None}
        else:
            from_choice |= {"agent": choice.agent, "pixels": choice.max_pixels, "device": choice.device}
        model = training.name.rpartition("-")[0] if training else slug(Path(choice.base).name)
        name = f"{track}-by-{model}-{_hash_content(from_choice)}"
        return PlannedRun(
            name=name,
            folder=self._out / RUNS / name,
            track=track,
            training=training,
            choice=choice,
            data_sha256=self._data_sha256,
        )

    def _plan_one(self, cell: TrainedCell, tested: Track, episodes: int | None) -> PlannedTraining | None:
        track = cell.training_track(tested)
        if track is None:
            return None
        choice, own_agent = self._choice, track != "suggestion" and self._choice.agent != DEFAULT_AGENT
        order = ExportOrder(
            track=track,
            agent=choice.agent if own_agent else None,
            episodes=episodes,
            exclude_unseen=cell.exclude_unseen,
            seed=choice.seed,
            max_pixels=None if track == "suggestion" else choice.max_pixels,
            language=choice.options.language,
        )
        settings = ChosenSettings(
            values=choice.settings.values.model_copy(update={"rank": cell.rank}),
            origins={**choice.settings.origins, "rank": "paper"},
        )
        record = {
            "dataset": self._data_sha256,
            "base": self._identify_base(),
            "prompt": _list_prompts(order),
            "order of samples": json.loads(json.dumps(asdict(order))),
            "settings": settings.values.model_dump(mode="json"),
        }
        size = "all" if episodes is None else str(episodes)
        filtered = "-filtered" if cell.exclude_unseen else ""
        name = f"{track}-{size}{filtered}-r{cell.rank}-{_hash_content(record)}"
        return PlannedTraining(
            name=name, folder=self._out / ADAPTERS / name, order=order, settings=settings, record=record
        )

    def _identify_base(self) -> str:
        identity = self._choice.base_identity
        return self._choice.base if identity == UNKNOWN else identity


def _model(run: PlannedRun) -> Path | None:
    return run.training.folder if run.training else None


def _check_episodes(experiment: Experiment, episodes: int | None, total: int) -> None:
    if episodes is None:
        return
    if not any(cell.episodes for cell in experiment.trained):
        raise UsageError(f"{experiment.name} takes no --episodes: its models are trained on all of them")
    if episodes > total:
        raise UsageError(f"the dataset has {total:,} training episodes, too few for --episodes {episodes}")


def _count_episodes(cell: TrainedCell, given: int | None, total: int) -> int | None:
    """Number of training episodes of a cell; None for all."""
    if cell.episodes is None:
        return None
    if given is not None:
        return given
    share = cell.episodes / PAPER_EPISODES
    return cell.episodes if total >= COMPLETE * PAPER_EPISODES else max(1, round(share * total))


def _list_prompts(order: ExportOrder) -> dict[str, str]:
    """Track -> agent and version of its prompt, as training.json states them."""
    from fingertip_agents.suggestion import suggestion_prompt
    from fingertip_training.export_order import MODEL

    found = {"suggestion": f"{MODEL} {suggestion_prompt.VERSION}"} if "suggestion" in order.tracks else {}
    if order.agent_format is not None:
        found["execution"] = f"{order.agent_format.name} {order.agent_format.version}"
    return found


def _read_record(training: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of training.json that `PlannedTraining.record` has."""
    base, settings = training.get("base", {}), training.get("settings", {})
    known = base.get("identity") not in (None, UNKNOWN)
    return {
        "dataset": training.get("dataset", {}).get("data_sha256"),
        "base": base.get("identity") if known else base.get("name"),
        "prompt": training.get("prompts"),
        "order of samples": training.get("samples", {}).get("options"),
        "settings": {name: part["value"] for name, part in settings.items()},
    }


def _hash_content(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def finetune_command(training: PlannedTraining, base: str, dataset: Path, start: Start) -> list[str]:
    """Arguments of the `fingertip finetune` call of a training, for several GPUs or another machine.

    Args:
        training: The training.
        base: Folder of the base model, or its name on the Hub.
        dataset: Folder of the built dataset.
        start: Where its episodes begin.
    """
    order = training.order
    changed = list_changed_settings(training.settings)
    return [
        "fingertip", "finetune", str(dataset), "--track", order.track, "--base", base,
        "--rank", str(training.settings.values.rank),
        *(["--episodes", str(order.episodes)] if order.episodes else []),
        *(["--exclude", "unseen"] if order.exclude_unseen else []),
        *(["--agent", order.agent] if order.agent else []),
        *(["--start", start] if start != "app" and "execution" in order.tracks else []),
        *(["--max-pixels", str(order.max_pixels)] if order.max_pixels else []),
        *(["--language", order.language] if order.language != "zh" else []),
        *(["--seed", str(order.seed)] if order.seed else []),
        *(
            part for name, value in changed.items() if name != "seed"
            for part in ("--setting", f"{name}={value}")
        ),
        "--out", str(training.folder),
    ]  # fmt: skip


def list_changed_settings(settings: ChosenSettings) -> dict[str, object]:
    """Name -> value of each setting that the user gave."""
    ours = ("paper", "ours")
    return {
        name: value
        for name, value in settings.values.model_dump().items()
        if settings.origins[name] not in ours
    }
