"""The table `pretrained`: SmolLM2-135M-Instruct on the English half of fingertip-sim, as it is and tuned.

Both tracks. The steps of the paper's table 5 (1/16 and all of the episodes, ranks 4 and 64, and all weights,
which it does not have) are made twice: on the months of other simulated people, and on the training part of
the months of the people who are asked. `python -m fingertip_studies.learning.pretrained SIM` makes it;
docs/learning.md has the results.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import click

from execution_runner import score_run as score_execution_run
from fingertip_dataset import BuiltDataset
from fingertip_dataset.split_names import TEST_EXECUTION, TEST_SUGGESTION, VALI
from fingertip_metrics import Judge, get_embedder, open_judge
from fingertip_models.smollm2 import prepare_smollm2
from fingertip_studies.learning.figure import draw
from fingertip_studies.learning.learning_cells import (
    MOST_TOKENS,
    SCORES,
    Cell,
    LearnedScores,
    command,
    list_phone_values,
    make_people,
)
from fingertip_studies.learning.table import gains, table
from suggestion_runner import score_run
from suggestion_runner.against import task_values

TABLE = "pretrained"
LANGUAGE = "en"
"""The model knows English alone."""
OTHERS, OTHER_SEED, EPISODES = 60, 121, 60
"""Other people, the seed of their months, and the episodes of each."""
SIXTEENTH = 16
"""The paper's smaller share: 1,000 of 16,000 episodes."""
AGENT = "autodroid"
"""Agent of track 2 that describes the screen in words."""
MOST_STEP_TOKENS = 80

Source = Literal["other people", "own months"]
Size = Literal["cpu", "gpu"]
"""Where the table is made: on a computer without a GPU it has one task a person."""
SETTINGS: Mapping[Size, str] = {"cpu": "pretrained.toml", "gpu": "pretrained-gpu.toml"}
SPLITS: Mapping[Size, Sequence[str]] = {"cpu": (TEST_EXECUTION,), "gpu": (TEST_SUGGESTION, VALI)}
"""Splits whose intents are predicted; test_execution has one task of each person."""
BATCH: Mapping[Size, int] = {"cpu": 1, "gpu": 128}
PHONES: Mapping[Size, int] = {"cpu": 2, "gpu": 25}


@dataclass(frozen=True, slots=True, kw_only=True)
class PretrainedCell:
    """A row of the table.

    Attributes:
        name: Its name in the table, and that of its folders.
        source: Whose months it is trained on; None for the model as it is.
        rank: LoRA rank, or "full".
        share: Part of the episodes: 1, or 16 for a sixteenth.
        agent: Another agent in place of a model.
        track: The track.
    """

    name: str
    source: Source | None = None
    rank: str = ""
    share: int = 1
    agent: str = ""
    track: Literal["suggestion", "execution"] = "suggestion"

    @property
    def folder(self) -> str:
        """Name of its folders."""
        return f"{self.track}-{self.name}".replace("/", "-").replace(", ", "-").replace(" ", "-")


def _list_steps(source: Source) -> tuple[PretrainedCell, ...]:
    """The steps of table 5 on one source."""
    return (
        PretrainedCell(name=f"{source}, 1/16 r4", source=source, rank="4", share=SIXTEENTH),
        PretrainedCell(name=f"{source}, 1/16 r64", source=source, rank="64", share=SIXTEENTH),
        PretrainedCell(name=f"{source}, all r4", source=source, rank="4"),
        PretrainedCell(name=f"{source}, all r64", source=source, rank="64"),
        PretrainedCell(name=f"{source}, all weights", source=source, rank="full"),
    )


BASE = PretrainedCell(name="as it is")
HABITUAL = PretrainedCell(name="habit", agent="habit")
SUGGESTIONS = (BASE, *_list_steps("other people"), *_list_steps("own months"), HABITUAL)
EXECUTIONS = (
    PretrainedCell(name="as it is", track="execution"),
    PretrainedCell(name="other people, all weights", source="other people", rank="full", track="execution"),
    PretrainedCell(name="own months, all weights", source="own months", rank="full", track="execution"),
    PretrainedCell(name="imitate", agent="imitate", track="execution"),
    PretrainedCell(name="shortest-path-oracle", agent="shortest-path-oracle", track="execution"),
    PretrainedCell(name="random", agent="random", track="execution"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Folders and sizes of the study.

    Attributes:
        work: Its folder.
        model: The pretrained model.
        sim: fingertip-sim, whose English-speaking people are asked.
        others: Other English-speaking people.
        size: Where the table is made.
    """

    work: Path
    model: Path
    sim: Path
    others: Path
    size: Size

    @property
    def people(self) -> Path:
        """File with the ids of the people who are asked, one a line."""
        file = self.work / "english.txt"
        if not file.is_file():
            languages = BuiltDataset.open(self.sim).manifest.settings.languages
            ids = sorted(user for user, language in languages.items() if language == LANGUAGE)
            file.write_text("".join(f"{user}\n" for user in ids), encoding="utf-8")
        return file

    def find_data(self, source: Source) -> Path:
        """The dataset with a source's episodes."""
        return self.others if source == "other people" else self.sim

    def find_model(self, cell: PretrainedCell) -> Path:
        """Folder of the cell's adapter or weights."""
        return self.work / "models" / cell.folder

    def find_run(self, cell: PretrainedCell, split: str) -> Path:
        """Folder of the cell's run on a split."""
        return self.work / "runs" / f"{cell.folder}-{split}"


def make_others(out: Path) -> Path:
    """Simulate and build the other people; an earlier call's are used again."""
    return make_people(
        out / "sample", out / "dataset",
        "--users", OTHERS, "--episodes", EPISODES, "--seed", OTHER_SEED, "--size", "360x800",
        "--locale", LANGUAGE,
    )  # fmt: skip


def train(cell: PretrainedCell, bench: Bench) -> None:
    """Fine-tune the cell's model, or go on with it."""
    if cell.source is None:
        return
    dataset = bench.find_data(cell.source)
    whose = ["--only-users", bench.people] if cell.source == "own months" else []
    every = "all" if cell.share == 1 else _count_episodes(cell, bench) // cell.share
    with as_file(files(__package__) / SETTINGS[bench.size]) as settings:
        command(
            "finetune", dataset, "--track", cell.track, "--base", bench.model, "--rank", cell.rank,
            "--episodes", every, *whose, "--language", LANGUAGE, "--settings", settings,
            *(["--agent", AGENT, "--setting", "epochs=1.0"] if cell.track == "execution" else []),
            "--out", bench.find_model(cell),
        )  # fmt: skip


def _count_episodes(cell: PretrainedCell, bench: Bench) -> int:
    """Number of the source's training episodes."""
    ids = set(bench.people.read_text(encoding="utf-8").split()) if cell.source == "own months" else None
    rows = BuiltDataset.open(bench.find_data(cell.source or "own months")).rows("train", columns=["user_id"])
    return sum(ids is None or row["user_id"] in ids for row in rows)


def _name_model(cell: PretrainedCell, bench: Bench, most_tokens: int) -> list[object]:
    """Options of the cell's model; none for another agent."""
    if cell.agent:
        return []
    whole = bench.find_model(cell) if cell.rank == "full" else bench.model
    options: list[object] = ["--backend", "local", "--model", whole, "--max-tokens", most_tokens]
    options += ["--language", LANGUAGE, "--local-batch", BATCH[bench.size]]
    return options + (["--adapter", bench.find_model(cell)] if cell.rank not in {"", "full"} else [])


def answer(cell: PretrainedCell, bench: Bench) -> None:
    """Let the cell's model answer the intents of the English-speaking people."""
    for split in SPLITS[bench.size]:
        model = _name_model(cell, bench, MOST_TOKENS)
        querying = ["--concurrency", 2 * BATCH[bench.size], "--no-cache"] if model else []
        command(
            "suggest", bench.sim, "--split", split, "--only-users", bench.people,
            "--agent", cell.agent or "model", *model, *querying, "--keep-going",
            "--out", bench.find_run(cell, split),
        )  # fmt: skip


def carry_out(cell: PretrainedCell, bench: Bench) -> None:
    """Let the cell's model carry out the tasks of test_execution of the English-speaking people."""
    tasks = (option for task in _list_tasks(bench) for option in ("--task", task))
    command(
        "execute", bench.sim, *tasks, "--agent", cell.agent or AGENT,
        *_name_model(cell, bench, MOST_STEP_TOKENS),
        "--device", f"simulated:{PHONES[bench.size]}", "--keep-going",
        "--out", bench.find_run(cell, TEST_EXECUTION),
    )  # fmt: skip


def _list_tasks(bench: Bench) -> list[str]:
    """Tasks of test_execution of the people who are asked, in the split's order."""
    ids = set(bench.people.read_text(encoding="utf-8").split())
    rows = BuiltDataset.open(bench.sim).rows(TEST_EXECUTION, columns=["episode_id", "user_id"])
    return [row["episode_id"] for row in rows if row["user_id"] in ids]


def fill(cell: PretrainedCell, bench: Bench) -> dict[str, float]:
    """Train a cell and let it answer; return the seconds of both."""
    begun = time.perf_counter()
    train(cell, bench)
    trained = time.perf_counter()
    (answer if cell.track == "suggestion" else carry_out)(cell, bench)
    print(f"{TABLE}: {cell.track}, {cell.name}: {time.perf_counter() - begun:.0f} s", flush=True)
    return {"training": trained - begun, "answers": time.perf_counter() - trained}


def score_suggestions(cell: PretrainedCell, judge: Judge, bench: Bench) -> LearnedScores:
    """Scores of each task of track 1: Sim_1 by the lexical embedder, and the verdicts of the judge."""
    values: dict[str, dict[str, float]] = {name: {} for name in SCORES}
    for split in SPLITS[bench.size]:
        run = score_run(bench.find_run(cell, split), embedder=get_embedder("lexical"), judge=judge)
        by_task = task_values(run)
        for name, ours in SCORES.items():
            values[name] |= by_task[ours]
    return LearnedScores(Cell(name=cell.name), values)


def score_executions(cell: PretrainedCell, bench: Bench) -> LearnedScores:
    """Scores of each task of track 2."""
    tasks = score_execution_run(bench.find_run(cell, TEST_EXECUTION)).tasks
    return LearnedScores(Cell(name=cell.name), list_phone_values(tasks))


def _list_gains(cells: Sequence[PretrainedCell]) -> list[tuple[str, str]]:
    """Pairs of neighbours in table 5's order on each source, and the best over agents without a model."""
    names = [cell.name for cell in cells]
    pairs = []
    for source in ("other people", "own months"):
        steps = [BASE.name, *(cell.name for cell in cells if cell.source == source)]
        pairs += [(after, before) for before, after in pairwise(steps)]
        pairs += [(steps[-1], last) for last in ("habit", "imitate") if last in names]
    return pairs


def show(cells: Sequence[PretrainedCell], scores: Sequence[LearnedScores]) -> str:
    """The table of the cells, and their gains, paired by task with intervals over people."""
    tasks, by_name = list_common(scores), {cell.cell.name: cell for cell in scores}
    people = len({task.partition("__")[0] for task in tasks})
    pairs = [(by_name[one], by_name[other]) for one, other in _list_gains(cells)]
    return f"{len(tasks)} tasks of {people} people\n\n{table(scores, tasks)}\n\n{gains(pairs, tasks)}\n"


def list_common(scores: Sequence[LearnedScores]) -> list[str]:
    """The tasks that every cell has scores of."""
    return sorted(set.intersection(*(set(next(iter(cell.values.values()))) for cell in scores)))


def make_pretrained(bench: Bench, processes: int, tracks: Sequence[str]) -> dict[str, Any]:
    """Make the tables, or go on with them; return their text and times.

    Args:
        bench: Folders and sizes.
        processes: Trainings or runs at a time.
        tracks: The tracks.
    """
    cells = [cell for cell in (*EXECUTIONS, *SUGGESTIONS) if cell.track in tracks]
    with ThreadPoolExecutor(processes) as pool:
        seconds = dict(zip((cell.folder for cell in cells), pool.map(_fill_in(bench), cells), strict=True))
    return {"seconds": seconds, "text": show_tables(bench, tracks)}


def show_tables(bench: Bench, tracks: Sequence[str]) -> str:
    """The tables of the cells that have run on all their splits, and the figure of track 1."""
    texts = []
    if "suggestion" in tracks:
        cells = [cell for cell in SUGGESTIONS if _is_run(cell, bench, SPLITS[bench.size])]
        with open_judge("simulated", dataset=bench.sim) as judge:
            scores = [score_suggestions(cell, judge, bench) for cell in cells]
        draw(scores, list_common(scores), bench.work / f"{TABLE}.png")
        texts.append(show(cells, scores))
    if "execution" in tracks:
        cells = [cell for cell in EXECUTIONS if _is_run(cell, bench, (TEST_EXECUTION,))]
        texts.append(show(cells, [score_executions(cell, bench) for cell in cells]))
    return "\n".join(texts)


def _is_run(cell: PretrainedCell, bench: Bench, splits: Sequence[str]) -> bool:
    return all(bench.find_run(cell, split).is_dir() for split in splits)


def _fill_in(bench: Bench) -> Callable[[PretrainedCell], dict[str, float]]:
    return lambda cell: fill(cell, bench)


@click.command()
@click.argument("sim", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--work", type=click.Path(path_type=Path), default=Path("build/pretrained"), show_default=True,
    help="Folder of the models and runs.",
)  # fmt: skip
@click.option(
    "--track", "tracks", multiple=True, type=click.Choice(["suggestion", "execution"]),
    default=("suggestion", "execution"), show_default=True, help="Only this track; repeatable.",
)  # fmt: skip
@click.option("--gpu", is_flag=True, help="With settings for a GPU, and all held-out intents.")
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Cells at a time.")
def main(sim: Path, work: Path, tracks: Sequence[str], gpu: bool, processes: int) -> None:
    """Make the tables from SIM, the built fingertip-sim; the same call again goes on."""
    work.mkdir(parents=True, exist_ok=True)
    bench = Bench(
        work=work,
        model=prepare_smollm2(work / "SmolLM2-135M-Instruct"),
        sim=sim,
        others=make_others(work / "others"),
        size="gpu" if gpu else "cpu",
    )
    made = make_pretrained(bench, processes, tracks)
    (work / f"{TABLE}.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print(made["text"])


if __name__ == "__main__":
    main()
