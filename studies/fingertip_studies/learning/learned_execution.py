"""The table `execution`: the small model of track 2, with three kinds of reference in its prompt.

The tasks are carried out twice: teacher-forced, where each recorded step is asked for once and no mistake has
a consequence, and on simulated phones.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from execution_runner import score_run
from execution_runner.execution_log import read_attempts
from execution_runner.execution_records import StepRecord
from fingertip_dataset.split_names import TEST_SUGGESTION
from fingertip_studies.learning.execution_rows import AGENT, ExecutionBase, ExecutionLessons
from fingertip_studies.learning.learning_cells import (
    Cell,
    LearnedScores,
    command,
    list_phone_values,
    run_folder,
    setting_options,
)
from fingertip_studies.learning.table import result
from fingertip_studies.learning.tiny_base import RECORD, make_base

TABLE = "execution"
RIGHT_STEPS = "right steps"
MODEL = "model"
"""Folder of the fine-tuned model."""
BASE = ExecutionBase(steps=1500, populations=12)
SPLIT, TASKS = TEST_SUGGESTION, 60
"""Split, and most tasks, spread evenly over it; the tasks of test_execution are among those of this split."""
PHONES = 2
"""Simulated phones of a run: one acts while the model decides on another."""
MOST_TOKENS = 48
SETTINGS = {
    "batch_size": 32, "device_batch_size": 16, "dropout": 0.0, "warmup_ratio": 0.05, "checkpoints": 1,
    "full_learning_rate": 1e-3, "max_steps": 150,
}  # fmt: skip
"""Settings of the fine-tuning; it learns with the person's own reference in the prompt."""
Device = Literal["teacher-forced", "simulated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedCell:
    """A row of the tables.

    Attributes:
        name: Its name, and that of its folders.
        tuned: Whether the fine-tuned model carries out the tasks; else the base.
        agent: Another agent of track 2 in place of a model.
        reference: Reference that a task shows.
        devices: What the tasks are carried out on: one run each.
    """

    name: str
    tuned: bool = False
    agent: str = AGENT
    reference: str = "same_user"
    devices: tuple[Device, ...] = ("teacher-forced", "simulated")

    def row(self, device: Device) -> Cell:
        """The cell of a table, whose name is that of the run's folder."""
        return Cell(name=self.name if device == "simulated" else f"{self.name}, {device}")


BASE_OWN, BASE_OTHER, BASE_NONE = "base, own reference", "base, other type's", "base, none"
OWN, OTHER, NONE = "all weights, own reference", "all weights, other type's", "all weights, none"
CELLS = (
    LearnedCell(name=BASE_OWN),
    LearnedCell(name=BASE_OTHER, reference="other_type", devices=("teacher-forced",)),
    LearnedCell(name=BASE_NONE, reference="none", devices=("teacher-forced",)),
    LearnedCell(name=OWN, tuned=True),
    LearnedCell(name=OTHER, tuned=True, reference="other_type"),
    LearnedCell(name=NONE, tuned=True, reference="none"),
    LearnedCell(name="imitate", agent="imitate", devices=("simulated",)),
    LearnedCell(name="shortest-path-oracle", agent="shortest-path-oracle", devices=("simulated",)),
)
GAINS = (
    (BASE_OWN, BASE_NONE),
    (BASE_OWN, BASE_OTHER),
    (OWN, BASE_OWN),
    (OWN, NONE),
    (OWN, OTHER),
    (OWN, "imitate"),
)


def make_execution(work: Path, dataset: Path, processes: int) -> dict[str, Any]:
    """Make the tables, or go on with them; returns their text and times.

    Args:
        work: Folder of the base, the trainings and the runs.
        dataset: The benchmark's people.
        processes: Simulations, trainings or runs at a time.
    """
    begun, base = time.perf_counter(), work / "base"
    if not (base / RECORD).is_file():
        make_base(BASE, ExecutionLessons(BASE, processes), base)
    seconds = {"base": time.perf_counter() - begun}

    started = time.perf_counter()
    _train(dataset, base, work)
    seconds["training"] = time.perf_counter() - started
    print(f"{TABLE}: trained, {time.perf_counter() - begun:.0f} s", flush=True)

    def run(cell: LearnedCell, device: Device) -> None:
        started = time.perf_counter()
        carry_out(cell, device, dataset, base, work)
        seconds[f"{cell.row(device).name}: run"] = time.perf_counter() - started
        print(f"{TABLE}: {cell.row(device).name}, {time.perf_counter() - begun:.0f} s", flush=True)

    runs = [(cell, device) for device in DEVICES for cell in _cells(device)]
    with ThreadPoolExecutor(processes) as pool:
        list(pool.map(run, *zip(*runs, strict=True)))
    seconds["all"] = time.perf_counter() - begun
    tables = [_build_table(device, work, seconds) for device in DEVICES]
    return {**tables[-1], "text": "\n".join(f"{made['table']}\n\n{made['text']}" for made in tables)}


def _cells(device: Device) -> list[LearnedCell]:
    return [cell for cell in CELLS if device in cell.devices]


def _train(dataset: Path, base: Path, work: Path) -> None:
    command(
        "finetune", dataset, "--track", "execution", "--agent", AGENT, "--base", base, "--rank", "full",
        "--episodes", "all", "--out", work / MODEL, *setting_options(SETTINGS),
    )  # fmt: skip


def carry_out(cell: LearnedCell, device: Device, dataset: Path, base: Path, work: Path) -> None:
    """Carry out the cell's tasks, as `fingertip execute` does; the same call goes on."""
    model: list[object] = []
    if cell.agent == AGENT:
        folder = work / MODEL if cell.tuned else base
        model = ["--backend", "local", "--model", folder, "--max-tokens", MOST_TOKENS]
    devices = ["--device", device] * (PHONES if device == "simulated" else 1)
    run = run_folder(cell.row(device), SPLIT, work)
    command(
        "execute", dataset, "--split", SPLIT, "--agent", cell.agent, "--reference", cell.reference,
        "--limit", TASKS, *devices, *model, "--out", run,
    )  # fmt: skip


def _build_table(device: Device, work: Path, seconds: Mapping[str, float]) -> dict[str, Any]:
    scored = SCORED[device]
    scores = {cell.name: scored(cell, work) for cell in _cells(device)}
    tasks = sorted(set.intersection(*(set(next(iter(cell.values.values()))) for cell in scores.values())))
    pairs = [pair for pair in GAINS if scores.keys() >= {*pair}]
    return result(f"{TABLE}, {device}", BASE, scores, pairs, tasks, seconds)


def score_forced(cell: LearnedCell, work: Path) -> LearnedScores:
    """Share of a task's recorded steps at which the agent's action is the person's, and whether it is 1."""
    return LearnedScores(
        Cell(name=cell.name), list_forced_values(run_folder(cell.row("teacher-forced"), SPLIT, work))
    )


def list_forced_values(run: Path) -> dict[str, dict[str, float]]:
    """Scores of tasks on recorded steps: score of a table -> task id -> value."""
    steps = {task.task_id: task.golden_steps for task in score_run(run).tasks}
    right = {attempt.end.task_id: sum(map(is_right, attempt.steps)) for attempt in read_attempts(run)}
    shares = {task: right[task] / steps[task] for task in steps}
    whole = {task: float(share == 1) for task, share in shares.items()}
    return {RIGHT_STEPS: shares, "all steps right": whole}


def is_right(step: StepRecord) -> bool:
    """Whether the agent's action is the recorded one; an output that is no action is logged as a wait."""
    return step.on_trace is True and step.problem is None


def phone_scores(cell: LearnedCell, work: Path) -> LearnedScores:
    """SR_2 by the phone's rule, Sim_2 and its S_I by the release's protocol, and the step ratio."""
    row = cell.row("simulated")
    return LearnedScores(row, list_phone_values(score_run(run_folder(row, SPLIT, work)).tasks))


DEVICES: tuple[Device, ...] = ("teacher-forced", "simulated")
SCORED: Mapping[Device, Callable[[LearnedCell, Path], LearnedScores]] = {
    "teacher-forced": score_forced,
    "simulated": phone_scores,
}
