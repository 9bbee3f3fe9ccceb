"""Shows what the data teach: `python -m benchmarks.learning`; docs/learning.md has the results."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import torch

from benchmarks.learning.base_model import RECORD, BaseOrder, make_base
from benchmarks.learning.cells import (
    Cell,
    CellScores,
    answer,
    choice_runs,
    command,
    score,
    train_cell,
)
from benchmarks.learning.figure import draw
from benchmarks.learning.table import gains, table
from fingertip_metrics import open_judge
from suggestion_runner import read_predictions

USERS, EPISODES, SEED = 40, 60, 0
SIZE = "360x800"
"""Screens of the sample; no prompt of the tables has a picture."""


def make_dataset(work: Path) -> Path:
    """The benchmark's people: a sample with a fixed seed, built; made once."""
    dataset = work / "people"
    if not dataset.is_dir():
        sample = work / "sample"
        command("sample", sample, "--users", USERS, "--episodes", EPISODES, "--seed", SEED, "--size", SIZE)
        command("build", sample / "raw", "--tables", sample / "tables", "--out", dataset)
    return dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table: its base, its cells in order, and the gains shown below it.

    Attributes:
        base: How the base is made.
        history: Earlier intents in the prompts of training and of the tasks.
        cells: Rows.
        gains: Pairs of names; the gain of the first over the second is shown.
    """

    base: BaseOrder
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


def _full(name: str, steps: int) -> Cell:
    return Cell(name=name, rank="full", settings={**LONG, "max_steps": steps, "full_learning_rate": 2e-3})


HABIT = Cell(name="habit", agent="habit", history="20")
PLAIN = Table(
    base=BaseOrder(steps=2000, populations=20),
    history="none",
    cells=(
        Cell(name="base"),
        _lora("1/16 r4", "4", SHORT, SMALL_SHARE),
        _lora("1/16 r64", "64", SHORT, SMALL_SHARE),
        _lora("all r4", "4", LONG),
        _lora("all r64", "64", LONG),
        _full("all, all weights", 600),
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
HISTORY = Table(
    base=BaseOrder(steps=14_000, populations=50),
    history="20",
    cells=(
        Cell(name="base"),
        _lora("1/16 r4", "4", SHORT, SMALL_SHARE),
        _lora("all r64", "64", LONG),
        _full("all, all weights", 300),
        Cell(
            name="all, all weights, no history",
            rank="full",
            history="none",
            settings={**LONG, "full_learning_rate": 2e-3},
        ),
        HABIT,
    ),
    gains=(
        ("1/16 r4", "base"),
        ("all r64", "1/16 r4"),
        ("all, all weights", "all r64"),
        ("all, all weights", "all, all weights, no history"),
        ("all, all weights", "habit"),
    ),
)
TABLES = {"plain": PLAIN, "history": HISTORY}
PROCESSES = 2


def run_table(name: str, work: Path, dataset: Path) -> dict[str, Any]:
    """Make a table, or go on with it; returns its text and times."""
    plan, begun = TABLES[name], time.perf_counter()
    base = work / name / "base"
    if not (base / RECORD).is_file():
        make_base(plan.base, base)
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

    with ThreadPoolExecutor(PROCESSES) as pool:
        list(pool.map(fill, plan.cells))
    with open_judge("simulated", dataset=dataset) as judge:
        scores = {cell.name: score(cell, judge, work / name) for cell in plan.cells}
    tasks = held_out(plan, scores, work / name)
    draw(list(scores.values()), tasks, work / f"{name}.png")
    pairs = [(scores[first], scores[second]) for first, second in plan.gains]
    text = f"{table(list(scores.values()), tasks)}\n\n{gains(pairs, tasks)}\n"
    seconds["all"] = time.perf_counter() - begun
    return {
        "table": name,
        "tasks": len(tasks),
        "seconds": {part: round(took) for part, took in seconds.items()},
        "base": asdict(plan.base),
        "text": text,
    }


def held_out(plan: Table, scores: Mapping[str, CellScores], work: Path) -> list[str]:
    """The tasks that every cell has a score of, without those by which checkpoints were chosen."""
    common = set.intersection(*(set(cell.values["Sim_1"]) for cell in scores.values()))
    for cell in plan.cells:
        for run in choice_runs(cell, work):
            common -= {prediction.task_id for prediction in read_predictions(run)}
    return sorted(common)


@click.command()
@click.argument("tables", nargs=-1, type=click.Choice(list(TABLES)))
@click.option("--work", type=click.Path(path_type=Path), default=Path("build/learning"), show_default=True)
def main(tables: Sequence[str], work: Path) -> None:
    """Make the tables (default: plain); the same call again goes on."""
    torch.set_num_threads(1)
    work.mkdir(parents=True, exist_ok=True)
    dataset = make_dataset(work)
    for name in tables or ("plain",):
        result = run_table(name, work, dataset)
        (work / f"{name}.json").write_text(
            json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
        print(f"\n{result['text']}\n{result['tasks']} tasks, {result['seconds']['all']} s")


if __name__ == "__main__":
    main()
