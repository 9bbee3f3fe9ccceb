"""Shows what the data teach: `python -m fingertip_studies.learning`; docs/learning.md has the results."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import torch

from fingertip_metrics import open_judge
from fingertip_studies.learning.base_rows import SuggestionBase, SuggestionLessons
from fingertip_studies.learning.figure import draw
from fingertip_studies.learning.learned_execution import TABLE as EXECUTION
from fingertip_studies.learning.learned_execution import make_execution
from fingertip_studies.learning.learned_history import HistoryBase, HistoryLessons
from fingertip_studies.learning.learning_cells import (
    HABIT,
    Cell,
    LearnedScores,
    answer,
    choice_runs,
    make_people,
    score,
    train_cell,
)
from fingertip_studies.learning.own import TABLE as OWN
from fingertip_studies.learning.own import make_own
from fingertip_studies.learning.table import result
from fingertip_studies.learning.tiny_base import RECORD, BaseOrder, Lessons, make_base
from suggestion_runner import read_predictions

USERS, EPISODES, SEED = 40, 60, 0
SIZE = "360x800"
"""Screens of the sample; no prompt of the tables has a picture."""


def make_dataset(work: Path) -> Path:
    """The benchmark's people: a sample with a fixed seed, built; made once."""
    return make_people(
        work / "sample", work / "people",
        "--users", USERS, "--episodes", EPISODES, "--seed", SEED, "--size", SIZE,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table: its base, its cells in order, and the gains shown below it.

    Attributes:
        base: How the base is made.
        lessons: What it learns.
        history: Earlier intents in the prompts of training and of the tasks.
        cells: Rows.
        gains: Pairs of names; the gain of the first over the second is shown.
    """

    base: BaseOrder
    lessons: Callable[[], Lessons]
    history: str
    cells: Sequence[Cell]
    gains: Sequence[tuple[str, str]]


COMMON = {"batch_size": 32, "device_batch_size": 32, "dropout": 0.0, "warmup_ratio": 0.05}
SHORT = {**COMMON, "checkpoints": 1, "max_steps": 40}
LONG = {**COMMON, "checkpoints": 3, "max_steps": 300}
RATES = {"4": 8e-3, "64": 4e-3}
SMALL_SHARE = 90
"""Episodes of the cells "1/16": table 5 trains on 1,000 of 16,000, this sample has 1,440."""


def _lora(name: str, rank: str, settings: Mapping[str, object], episodes: int | None = None) -> Cell:
    return Cell(name=name, rank=rank, episodes=episodes, settings={**settings, "learning_rate": RATES[rank]})


def _train_full(name: str, steps: int, history: str = "", **others: object) -> Cell:
    settings = {**LONG, "max_steps": steps, "full_learning_rate": 2e-3, **others}
    return Cell(name=name, rank="full", history=history, settings=settings)


PLAIN_BASE = SuggestionBase(steps=2000, populations=20)
PLAIN = Table(
    base=PLAIN_BASE,
    lessons=lambda: SuggestionLessons(PLAIN_BASE),
    history="none",
    cells=(
        Cell(name="base"),
        _lora("1/16 r4", "4", SHORT, SMALL_SHARE),
        _lora("1/16 r64", "64", SHORT, SMALL_SHARE),
        _lora("all r4", "4", LONG),
        _lora("all r64", "64", LONG),
        _train_full("all, all weights", 600),
        HABIT,
    ),
    gains=(
        ("1/16 r4", "base"),
        ("1/16 r64", "1/16 r4"),
        ("all r4", "1/16 r4"),
        ("all r64", "all r4"),
        ("all, all weights", "all r64"),
        ("all, all weights", "habit"),
    ),
)
HISTORY_BASE = HistoryBase(steps=1400, populations=30)
TUNED, TUNED_WITHOUT = "all, all weights", "all, all weights, no history"
HISTORY = Table(
    base=HISTORY_BASE,
    lessons=lambda: HistoryLessons(HISTORY_BASE),
    history="20",
    cells=(
        Cell(name="base"),
        Cell(name="base, no history", history="none"),
        _train_full(TUNED, 240, batch_size=16, device_batch_size=16),
        _train_full(TUNED_WITHOUT, 300, history="none"),
        HABIT,
    ),
    gains=(
        ("base", "base, no history"),
        (TUNED, "base"),
        (TUNED, TUNED_WITHOUT),
        ("base", "habit"),
        (TUNED, "habit"),
        (TUNED_WITHOUT, "habit"),
    ),
)
TABLES = {"plain": PLAIN, "history": HISTORY}


def run_table(name: str, work: Path, dataset: Path, processes: int) -> dict[str, Any]:
    """Make a table, or go on with it; returns its text and times."""
    plan, begun = TABLES[name], time.perf_counter()
    base = work / name / "base"
    if not (base / RECORD).is_file():
        make_base(plan.base, plan.lessons(), base)
    seconds = {"base": time.perf_counter() - begun}

    def fill(cell: Cell) -> None:
        history = cell.history or plan.history
        started = time.perf_counter()
        trained = train_cell(cell, dataset, base, work / name, history=history)
        seconds[f"{cell.name}: training"] = time.perf_counter() - started
        started = time.perf_counter()
        answer(cell, dataset, base, trained, work / name, history=history)
        seconds[f"{cell.name}: answers"] = time.perf_counter() - started
        print(f"{name}: {cell.name}, {time.perf_counter() - begun:.0f} s", flush=True)

    with ThreadPoolExecutor(processes) as pool:
        list(pool.map(fill, plan.cells))
    with open_judge("simulated", dataset=dataset) as judge:
        scores = {cell.name: score(cell, judge, work / name) for cell in plan.cells}
    tasks = held_out(plan, scores, work / name)
    draw(list(scores.values()), tasks, work / f"{name}.png")
    seconds["all"] = time.perf_counter() - begun
    return result(name, plan.base, scores, plan.gains, tasks, seconds)


def held_out(plan: Table, scores: Mapping[str, LearnedScores], work: Path) -> list[str]:
    """The tasks that every cell has a score of, without those by which checkpoints were chosen."""
    common = set.intersection(*(set(cell.values["Sim_1"]) for cell in scores.values()))
    for cell in plan.cells:
        for run in choice_runs(cell, work):
            common -= {prediction.task_id for prediction in read_predictions(run)}
    return sorted(common)


@click.command()
@click.argument("tables", nargs=-1, type=click.Choice([*TABLES, OWN, EXECUTION]))
@click.option("--work", type=click.Path(path_type=Path), default=Path("build/learning"), show_default=True)
@click.option(
    "--processes", type=click.IntRange(1), default=2, show_default=True,
    help="Trainings, simulations or runs at a time.",
)  # fmt: skip
def main(tables: Sequence[str], work: Path, processes: int) -> None:
    """Make the tables (default: plain); the same call again goes on."""
    torch.set_num_threads(1)
    work.mkdir(parents=True, exist_ok=True)
    dataset = make_dataset(work)
    for name in tables or ("plain",):
        if name == EXECUTION:
            made = make_execution(work / EXECUTION, dataset, processes)
        elif name == OWN:
            made = make_own(work / OWN, dataset, PLAIN_BASE, work / "plain" / "base", processes)
        else:
            made = run_table(name, work, dataset, processes)
        (work / f"{name}.json").write_text(
            json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
        print(f"\n{made['text']}\n{made['tasks']} tasks, {made['seconds']['all']} s")


if __name__ == "__main__":
    main()
