"""The table `sim-to-real`: a model that learned simulated people alone, at the recorded steps of real ones.

`python -m fingertip_studies.learning.sim_to_real REAL` makes it of a built dataset of real people, of which
nothing is learned; docs/learning.md has the results.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import torch

from execution_runner.execution_log import read_attempts
from fingertip_dataset.split_names import TEST_EXECUTION
from fingertip_metrics.aggregate import Interval, paired_difference
from fingertip_runs.score_summary import user_interval
from fingertip_studies.learning.execution_rows import AGENT, LANGUAGE, ExecutionLessons
from fingertip_studies.learning.learned_execution import BASE, MOST_TOKENS, list_forced_values
from fingertip_studies.learning.learning_cells import Cell, LearnedScores, command, make_people, users_of
from fingertip_studies.learning.pretrained import MOST_STEP_TOKENS
from fingertip_studies.learning.table import gains, table
from fingertip_studies.learning.tiny_base import RECORD, make_base, write_untrained

TABLE = "sim-to-real"
FEWEST_USERS = 10
"""Number of people from which on intervals are over people; over episodes below it."""
AT_RANDOM, UNTRAINED, TRAINED = "touches at random", "as it is", "simulated people"


@dataclass(frozen=True, slots=True)
class EpisodeScores(LearnedScores):
    """Scores whose intervals are over episodes where there are few people."""

    def interval(self, score: str, tasks: Sequence[str]) -> Interval:
        """Mean over the tasks, with its interval."""
        return user_interval([self.values[score][task] for task in tasks], _list_clusters(tasks))

    def gain(self, other: LearnedScores, score: str, tasks: Sequence[str]) -> Interval:
        """Mean difference to another cell, paired by task, with its interval."""
        own, theirs = ([scores.values[score][task] for task in tasks] for scores in (self, other))
        return paired_difference(own, theirs, _list_clusters(tasks))


def _list_clusters(tasks: Sequence[str]) -> list[str]:
    users = users_of(tasks)
    return list(tasks) if len({*users}) < FEWEST_USERS else users


@dataclass(frozen=True, slots=True, kw_only=True)
class RealScreens:
    """Folders and models of the study.

    Attributes:
        real: Built dataset of real people.
        work: Folder of the models and runs.
        splits: Splits of `real` whose recorded steps are asked for.
        limit: Most tasks of a split, spread over it; None for all.
        base: Pretrained model; "" for the small one, which is trained from nothing.
        sim: Built dataset of simulated people for a pretrained model; None to make fingertip-sim.
        training: Other options of its `fingertip finetune`.
    """

    real: Path
    work: Path
    splits: Sequence[str]
    limit: int | None = None
    base: str = ""
    sim: Path | None = None
    training: Sequence[str] = ()

    def train(self) -> None:
        """Train the model on simulated people; the same call again goes on."""
        if self.base:
            sim = self.sim or make_people(
                self.work / "sample", self.work / "people", "--preset", "fingertip-sim"
            )
            command(
                "finetune", sim, "--track", "execution", "--agent", AGENT, "--base", self.base,
                *self.training, "--out", self.work / "trained",
            )  # fmt: skip
        elif not (self.work / "trained" / RECORD).is_file():
            lessons = ExecutionLessons(BASE, processes=1)
            write_untrained(BASE, lessons.tokenizer, self.work / "untrained")
            make_base(BASE, lessons, self.work / "trained")

    def find_run(self, name: str, split: str) -> Path:
        """Folder of a run."""
        return self.work / "runs" / name.replace(" ", "-") / split

    def ask(self, name: str) -> None:
        """Ask for each recorded step, as `fingertip execute --device teacher-forced` does."""
        options = self.list_model_options(name)
        for split in self.splits:
            command(
                "execute", self.real, "--split", split, "--device", "teacher-forced", *options,
                *([] if self.limit is None else ["--limit", self.limit]), "--keep-going",
                "--out", self.find_run(name, split),
            )  # fmt: skip

    def list_model_options(self, name: str) -> list[object]:
        """Options of the agent of a row, and of its model."""
        if name == AT_RANDOM:
            return ["--agent", "random"]
        options: list[object] = ["--agent", AGENT, "--backend", "local"]
        if not self.base:
            model = self.work / ("trained" if name == TRAINED else "untrained")
            # as in its training
            return [*options, "--model", model, "--language", LANGUAGE, "--max-tokens", MOST_TOKENS]
        trained = self.work / "trained"
        whole = name == TRAINED and not (trained / "adapter_config.json").is_file()
        options += ["--model", trained if whole else self.base, "--max-tokens", MOST_STEP_TOKENS]
        return options if whole or name == UNTRAINED else [*options, "--adapter", trained]

    def score(self, name: str) -> EpisodeScores:
        """Scores of the tasks of all splits."""
        values: dict[str, dict[str, float]] = {}
        for split in self.splits:
            for score, by_task in list_forced_values(self.find_run(name, split)).items():
                values.setdefault(score, {}).update(by_task)
        return EpisodeScores(Cell(name=name), values)

    def count_steps(self) -> tuple[int, int]:
        """Number of recorded steps that were asked for, and of those that have a tree."""
        runs = [self.find_run(AT_RANDOM, split) for split in self.splits]
        steps = [step for run in runs for attempt in read_attempts(run) for step in attempt.steps]
        return len(steps), sum(step.tree is not None for step in steps)


def make_sim_to_real(study: RealScreens) -> dict[str, Any]:
    """Make the table, or go on with it; return its text and times."""
    begun = time.perf_counter()
    study.train()
    seconds = {"training": time.perf_counter() - begun}
    names = (AT_RANDOM, UNTRAINED, TRAINED)
    for name in names:
        started = time.perf_counter()
        study.ask(name)
        seconds[name] = time.perf_counter() - started
        print(f"{TABLE}: {name}, {time.perf_counter() - begun:.0f} s", flush=True)
    return {
        "seconds": {part: round(took) for part, took in seconds.items()},
        "text": show([study.score(name) for name in names], *study.count_steps()),
    }


def show(cells: Sequence[EpisodeScores], steps: int, with_tree: int) -> str:
    """The table of the cells, the gains of the last one, and the numbers of episodes and steps."""
    tasks = sorted(set.intersection(*(set(next(iter(cell.values.values()))) for cell in cells)))
    over = "episodes" if _list_clusters(tasks) == tasks else "people"
    pairs = [(cells[-1], other) for other in reversed(cells[:-1])]
    counts = (
        f"{len(tasks)} episodes of {len({*users_of(tasks)})} people, {steps} steps of which {with_tree} "
        f"have a tree; intervals over {over}"
    )
    return f"{counts}\n\n{table(cells, tasks)}\n\n{gains(pairs, tasks)}\n"


@click.command()
@click.argument("real", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--work", type=click.Path(path_type=Path), default=Path("build/sim-to-real"), show_default=True,
    help="Folder of the models and runs.",
)  # fmt: skip
@click.option(
    "--split", "splits", multiple=True, default=(TEST_EXECUTION,), show_default=True,
    help="Split whose steps are asked for; repeatable. None of REAL is learned, so train may be one.",
)  # fmt: skip
@click.option("--limit", type=click.IntRange(1), help="Only N tasks of a split, spread over it.")
@click.option(
    "--base", default="",
    help="Pretrained model that `fingertip finetune` trains; by default a small one, trained from nothing.",
)  # fmt: skip
@click.option(
    "--sim", type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="With --base: built dataset of simulated people. Default: fingertip-sim, which is made.",
)  # fmt: skip
@click.option(
    "--rank", default="64", show_default=True, help="With --base: rank of the adapter, or full."
)  # fmt: skip
@click.option(
    "--episodes", default="all", show_default=True, help="With --base: number of episodes to learn."
)
@click.option("--setting", "settings", multiple=True, help="With --base: NAME=VALUE of finetune; repeatable.")
def main(
    real: Path,
    work: Path,
    splits: tuple[str, ...],
    limit: int | None,
    base: str,
    sim: Path | None,
    rank: str,
    episodes: str,
    settings: tuple[str, ...],
) -> None:
    """Make the table from REAL, a built dataset of real people; the same call again goes on."""
    torch.set_num_threads(1)
    work.mkdir(parents=True, exist_ok=True)
    chosen = [part for setting in settings for part in ("--setting", setting)]
    made = make_sim_to_real(
        RealScreens(
            real=real,
            work=work,
            splits=splits,
            limit=limit,
            base=base,
            sim=sim,
            training=("--rank", rank, "--episodes", episodes, *chosen),
        )
    )
    (work / f"{TABLE}.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print(made["text"])


if __name__ == "__main__":
    main()
