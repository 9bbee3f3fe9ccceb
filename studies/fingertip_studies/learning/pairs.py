"""Preference pairs on a small model: does it disturb people less after DPO, and still find what they want?

A base is first trained to answer moments (`finetune --track moments --rank full`). It goes through people's
months (`suggest --month`), who answer its suggestions, and is trained on the pairs of the training part
(`finetune --pairs`). Both models then answer the moments of test_moments and vali_moments; scores are
compared on the same moments, with intervals over people. docs/learning.md has the results.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

import click

from fingertip_dataset.markdown_table import markdown_table
from fingertip_dataset.split_names import TEST_MOMENTS, VALI_MOMENTS
from fingertip_metrics import open_judge
from fingertip_metrics.aggregate import Interval
from fingertip_models.smollm2 import prepare_smollm2
from fingertip_studies.learning.learning_cells import command
from fingertip_studies.learning.moment_base import make_moment_base
from suggestion_runner.moments.moment_differences import LABELS, compare_moments
from suggestion_runner.moments.moment_run_scores import MomentRunScores
from suggestion_runner.moments.moment_scoring import score_moment_run

SPLITS = (TEST_MOMENTS, VALI_MOMENTS)
"""Splits on which the models are compared: neither has been trained on, nor has it chosen a checkpoint."""
SHOWN = ("false_trigger_rate", "missed_rate", "precision", "sr1", "hit_rate", "utility")
MOST_TOKENS = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsBench:
    """Folders and settings of the study.

    Attributes:
        dataset: A dataset with moments.
        work: Folder of the models and runs.
        base: The base; it need not have seen a moment.
        answers, pairs: Files of settings of the two trainings.
        language: Language of the prompts.
        users: Option of the people; empty for all.
        batch: Prompts that are answered at once.
        seed: Seed of both trainings.
    """

    dataset: Path
    work: Path
    base: Path
    answers: Path
    pairs: Path
    language: str
    users: tuple[str, ...]
    batch: int
    seed: int

    @property
    def before(self) -> Path:
        """The model that answers moments."""
        return self.work / "answers"

    @property
    def after(self) -> Path:
        """Model after the preference pairs."""
        return self.work / f"pairs-{self.seed}"

    @property
    def month(self) -> Path:
        """The run through people's months."""
        return self.work / "runs" / "month"

    def find_run(self, model: Path, split: str) -> Path:
        """Folder of a model's run on a split."""
        return self.work / "runs" / f"{model.name}-{split}"


def train_answers(bench: PairsBench) -> None:
    """Train the base to answer moments without earlier intents: what it knows of people is in its weights."""
    command(
        "finetune", bench.dataset, "--track", "moments", "--base", bench.base, "--rank", "full",
        "--history", "none", "--language", bench.language, *bench.users, "--settings", bench.answers,
        "--seed", bench.seed, "--out", bench.before,
    )  # fmt: skip


def live_months(bench: PairsBench) -> None:
    """Go through people's months with the model; they answer its suggestions."""
    command(
        "suggest", bench.dataset, "--month", "--memory", "none", "--no-feedback", *bench.users,
        *_name_model(bench, bench.before), "--out", bench.month,
    )  # fmt: skip


def train_pairs(bench: PairsBench) -> None:
    """Train the model on the pairs of the months."""
    command(
        "finetune", bench.dataset, "--track", "moments", "--pairs", bench.month, "--base", bench.before,
        "--rank", "full", "--language", bench.language, *bench.users, "--settings", bench.pairs,
        "--seed", bench.seed, "--out", bench.after,
    )  # fmt: skip


def answer(bench: PairsBench, model: Path) -> None:
    """Let a model answer the moments that it has not been trained on."""
    for split in SPLITS:
        command(
            "suggest", bench.dataset, "--split", split, "--history", "none", *bench.users,
            *_name_model(bench, model), "--out", bench.find_run(model, split),
        )  # fmt: skip


def _name_model(bench: PairsBench, model: Path) -> list[object]:
    return [
        "--agent", "model", "--backend", "local", "--model", model, "--max-tokens", MOST_TOKENS,
        "--language", bench.language, "--local-batch", bench.batch, "--concurrency", 2 * bench.batch,
        "--no-cache", "--keep-going",
    ]  # fmt: skip


def show(bench: PairsBench) -> str:
    """The scores of both models, and their differences, split by split."""
    return "\n\n".join(_show_split(bench, split) for split in SPLITS)


def _show_split(bench: PairsBench, split: str) -> str:
    with open_judge("simulated", dataset=bench.dataset) as judge:
        before, after = (
            score_moment_run(bench.find_run(model, split), judge=judge)
            for model in (bench.before, bench.after)
        )
    differences = compare_moments([after], [before])
    rows = [
        (LABELS[name], *_write_scores((before, after), name), _write_interval(name, differences.get(name)))
        for name in SHOWN
    ]
    first = next(iter(differences.values()))
    head = f"{split}: {first.n:,} moments of {first.clusters:,} people, seed {bench.seed}"
    return f"{head}\n\n{markdown_table(('score', 'before', 'after', 'after minus before'), rows)}"


def _write_scores(scores: Sequence[MomentRunScores], name: str) -> Iterator[str]:
    for one in scores:
        yield _write_interval(name, one.result.intervals.get(name), signed=False)


def _write_interval(name: str, interval: Interval | None, *, signed: bool = True) -> str:
    if interval is None:
        return "n/a"
    factor, digits = (100, 1) if LABELS[name].endswith("%") else (1, 3)
    form = f"{'+' if signed else ''}.{digits}f"
    mean = format(factor * interval.mean, form)
    if interval.low is None or interval.high is None:
        return mean
    return f"{mean} [{format(factor * interval.low, form)}, {format(factor * interval.high, form)}]"


def run_study(bench: PairsBench) -> str:
    """Carry out what is missing of the study; return its tables."""
    bench.work.mkdir(parents=True, exist_ok=True)
    for name, step in (
        ("answers learned", train_answers),
        ("answers on both splits", lambda one: answer(one, one.before)),
        ("months lived", live_months),
        ("pairs learned", train_pairs),
        ("answers after the pairs", lambda one: answer(one, one.after)),
    ):
        begun = time.perf_counter()
        step(bench)
        print(f"pairs: {name}, {time.perf_counter() - begun:.0f} s", flush=True)
    return show(bench)


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--base", type=click.Path(path_type=Path),
    help="A base of `python -m fingertip_studies.learning`, which reads Chinese; without it SmolLM2-135M, "
    "which reads English.",
)  # fmt: skip
@click.option("--work", type=click.Path(path_type=Path), default=Path("build/pairs"), show_default=True)
@click.option("--only-users", help="Ids of people, separated by commas.")
@click.option("--gpu", is_flag=True, help="With settings for a GPU.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of both trainings.")
def main(dataset: Path, base: Path | None, work: Path, only_users: str | None, gpu: bool, seed: int) -> None:
    """Train a small model on moments and then on preference pairs, and compare; the same call goes on."""
    work.mkdir(parents=True, exist_ok=True)
    users = ("--only-users", only_users) if only_users else ()
    if base is None:
        started, language, size = prepare_smollm2(work / "SmolLM2-135M-Instruct"), "en", "smollm2"
    else:
        started, language, size = _extend(base, dataset, work, users), "zh", "tiny"
    folder = files(__package__)
    with (
        as_file(folder / f"answers-{size}.toml") as answers,
        as_file(folder / f"pairs-{'gpu' if gpu else size}.toml") as pairs,
    ):
        bench = PairsBench(
            dataset=dataset, work=work, base=started, answers=answers, pairs=pairs, language=language,
            users=users, batch=128 if gpu else 32 if base else 4, seed=seed,
        )  # fmt: skip
        print(run_study(bench))


def _extend(base: Path, dataset: Path, work: Path, users: tuple[str, ...]) -> Path:
    """The base with tokens for the lines of moments; that of an earlier call is used again."""
    rows, out = work / "rows", work / "base"
    if not rows.is_dir():
        command(
            "export", dataset, "--track", "moments", "--history", "none", "--format", "trl", *users,
            "--out", rows,
        )  # fmt: skip
    return out if (out / "config.json").is_file() else make_moment_base(base, rows / "train.jsonl", out)


if __name__ == "__main__":
    main()
