"""Cells of the tables: a model, trained or not, its answers to held-out tasks, and their scores."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from execution_runner.scoring.task_scores import TaskScore
from fingertip_dataset.split_names import TEST_SUGGESTION, VALI
from fingertip_metrics import Judge, get_embedder
from fingertip_metrics.aggregate import Interval, paired_difference
from fingertip_models.checkpoint import WORK
from fingertip_runs.score_summary import user_interval
from suggestion_runner import score_run
from suggestion_runner.against import task_values

SPLITS = (TEST_SUGGESTION, VALI)
MOST_TOKENS = 32
"""Tokens of an answer; an intent has 5 on average."""
SCORES = {"Sim_1": "sim1", "same goal": "same_goal", "same goal and case": "sr1"}
"""Score of a table -> its name in `task_values`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A model of a table.

    Attributes:
        name: Its name in the table, and that of its folders.
        rank: LoRA rank, "full", or "" for the untrained base.
        episodes: Training episodes; None for all.
        users: Ids of the users whose episodes it is trained on; empty for all.
        settings: Settings of `fingertip finetune`.
        agent: Another agent of track 1 in place of a model.
        history: Earlier intents in its prompts; "" for those of the table.
    """

    name: str
    rank: str = ""
    episodes: int | None = None
    users: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    agent: str = "model"
    history: str = ""

    @property
    def folder(self) -> str:
        """Name of its folders."""
        return self.name.replace("/", "-").replace(", ", "-").replace(" ", "-")


HABIT = Cell(name="habit", agent="habit", history="20")
"""The baseline that answers from the latest intents; it needs no training."""


@dataclass(frozen=True, slots=True)
class LearnedScores:
    """Scores of each held-out task: score -> task id -> value, 0 to 1."""

    cell: Cell
    values: Mapping[str, Mapping[str, float]]

    def interval(self, score: str, tasks: Sequence[str]) -> Interval:
        """Mean over the tasks, with its interval over users."""
        return user_interval([self.values[score][task] for task in tasks], users_of(tasks))

    def gain(self, other: LearnedScores, score: str, tasks: Sequence[str]) -> Interval:
        """Mean difference to another cell, paired by task, with its interval over users."""
        own, theirs = ([scores.values[score][task] for task in tasks] for scores in (self, other))
        return paired_difference(own, theirs, users_of(tasks))


def users_of(tasks: Sequence[str]) -> list[str]:
    """User of each task."""
    return [task.partition("__")[0] for task in tasks]


def command(*arguments: object) -> None:
    """Run a command of the product in a process of one thread, so that two cores take two.

    Raises:
        SystemExit: The command fails; its own message has been printed.
    """
    line = [sys.executable, "-m", "fingertip_cli", *map(str, arguments)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr[-2000:], file=sys.stderr)
        raise SystemExit(f"fingertip {' '.join(map(str, arguments))}: exit code {done.returncode}")


def make_people(sample: Path, dataset: Path, *options: object) -> Path:
    """Simulate people and build their dataset, once: a call that was stopped leaves nothing that counts.

    Args:
        sample: Folder of the sample.
        dataset: Folder of the dataset, which is returned.
        options: Options of `fingertip sample`.
    """
    if not dataset.is_dir():
        begun = sample.with_name(f"{sample.name}.begun")
        if not sample.is_dir():
            shutil.rmtree(begun, ignore_errors=True)
            command("sample", begun, *options)
            begun.rename(sample)
        command("build", sample / "raw", "--tables", sample / "tables", "--out", dataset)
    return dataset


def setting_options(settings: Mapping[str, object]) -> list[str]:
    """Settings as options of `fingertip finetune`."""
    return [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]


def train_cell(cell: Cell, dataset: Path, base: Path, work: Path, *, history: str) -> Path | None:
    """Fine-tune the cell's model; the same call again does nothing. None for an untrained cell."""
    if not cell.rank:
        return None
    out = work / "models" / cell.folder
    command(
        "finetune", dataset, "--track", "suggestion", "--base", base, "--rank", cell.rank,
        "--episodes", cell.episodes or "all", "--history", history, "--out", out,
        *(["--users", ",".join(cell.users)] if cell.users else []),
        *setting_options(cell.settings),
    )  # fmt: skip
    return out


def answer(cell: Cell, dataset: Path, base: Path, trained: Path | None, work: Path, *, history: str) -> None:
    """Let the cell's model answer the held-out tasks, as `fingertip suggest` does."""
    for split in SPLITS:
        model: list[object] = []
        if cell.agent == "model":
            whole = trained if cell.rank == "full" else base
            model = ["--backend", "local", "--model", whole, "--local-batch", 32, "--max-tokens", MOST_TOKENS]
            model += ["--concurrency", 64, "--no-cache"]
            if trained and cell.rank != "full":
                model += ["--adapter", trained]
        run = run_folder(cell, split, work)
        command(
            "suggest", dataset, "--split", split, "--agent", cell.agent, *model, "--history", history,
            "--out", run,
        )  # fmt: skip


def run_folder(cell: Cell, split: str, work: Path) -> Path:
    """Folder of the cell's run on a split."""
    return work / "runs" / cell.folder / split


def choice_runs(cell: Cell, work: Path) -> list[Path]:
    """Runs by which the checkpoint of a cell was chosen."""
    return [
        run.parent for run in (work / "models" / cell.folder / WORK / "scoring").glob("*/suggestion/run.json")
    ]


def score(cell: Cell, judge: Judge, work: Path) -> LearnedScores:
    """Score the cell's answers: Sim_1 by the lexical embedder, and goals by the judge of simulated data."""
    values: dict[str, dict[str, float]] = {name: {} for name in SCORES}
    for split in SPLITS:
        scores = score_run(run_folder(cell, split, work), embedder=get_embedder("lexical"), judge=judge)
        by_task = task_values(scores)
        for name, ours in SCORES.items():
            values[name] |= by_task[ours]
    return LearnedScores(cell, values)


def list_phone_values(tasks: Sequence[TaskScore]) -> dict[str, dict[str, float]]:
    """Scores of tasks on simulated phones: score of a table -> task id -> value."""
    return {
        "SR_2": {task.task_id: float(task.success is True) for task in tasks},
        "Sim_2": {task.task_id: task.sim2.sim2 or 0.0 for task in tasks},
        "S_I": {task.task_id: task.sim2.s_i for task in tasks},
        "step ratio": {task.task_id: task.step_ratio for task in tasks},
    }
