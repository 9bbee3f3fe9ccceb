"""`fingertip report`: writes runs of one track as one HTML page."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.options import scoring_options, shared_options
from fingertip_dataset.kept_files import keep_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fingertip_cli.scores.run_groups import RunGroup
    from suggestion_runner.answer_text import AnswerText

FIGURES = ("episodes_per_app", "hours", "actions_per_episode", "action_similarity")
"""Figures of `fingertip stats` that the page of track 1 shows."""

MOST_NAMES, MOST_CHARACTERS = 3, 60
"""Maximum number of runs that the default name of a page names, and of its characters."""


@click.command(
    epilog="""\
    fingertip report runs/habit runs/recent --embedder lexical --stats stats
    fingertip report runs/habit --embedder lexical --judge simulated --why
    fingertip report runs/imitate runs/stranger --why --out execution.html
    """
)
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Path of the page.  [default: track-1-RUN.html or track-2-RUN.html, by the runs' names]",
)
@click.option(
    "--stats",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Track 1: folder that `fingertip stats` wrote; the page also shows its figures.",
)
@shared_options.why
@scoring_options.protocol
@scoring_options.answers
@scoring_options.embedder()
@scoring_options.checked_judge
@scoring_options.tricks
@keep_files()
def command(
    runs: tuple[Path, ...],
    out: Path | None,
    stats: Path | None,
    why: bool,
    protocol: str,
    answers: AnswerText,
    embedder: scoring_options.EmbedderOptions,
    judging: scoring_options.JudgeOptions,
    tricks: bool | None,
) -> None:
    """Write one self-contained HTML page: the scores, and every task with the runs' answers or trajectories.

    With --judge the page includes SR_1; answers of that judge in the run's folder are reused. The tries of a
    repeated run (--repeats) stand next to each other, and the page has their means, pass@k and pass^k.
    """
    from fingertip_cli.one_track import track_of_runs
    from fingertip_cli.scores.run_groups import group_runs, list_group_runs
    from fingertip_cli.scores.score_moments import are_of_moments

    groups = group_runs(runs)
    track = track_of_runs(list_group_runs(groups))
    out = out or _default_file(runs, track)
    if track == "suggestion" and are_of_moments(list_group_runs(groups)):
        tasks = _report_moments(groups, out, stats, protocol, embedder, judging, tricks, why=why)
    elif track == "suggestion":
        tasks = _report_suggestion(groups, out, stats, protocol, answers, embedder, judging, tricks, why=why)
    else:
        judging.refuse_track_2()
        tasks = _report_execution(groups, out, stats, protocol, tricks, why=why)
    counts = (("run", len(runs)), ("task", tasks))
    words = (f"{count:,} {noun}{'' if count == 1 else 's'}" for noun, count in counts)
    click.echo(f"{out}: {', '.join(words)}")


def _default_file(runs: tuple[Path, ...], track: str) -> Path:
    """File in this folder, named so that reports of other runs or of the other track keep theirs."""
    from fingertip_dataset.track import TRACK_NUMBER

    names = [run.resolve().name for run in runs]
    shown = names if len(names) <= MOST_NAMES else [*names[: MOST_NAMES - 1], f"and-{len(names) - 2}-more"]
    return Path(f"track-{TRACK_NUMBER[track]}-{'-'.join(shown)}"[:MOST_CHARACTERS] + ".html")


def _report_suggestion(
    groups: Sequence[RunGroup],
    out: Path,
    stats: Path | None,
    protocol: str,
    answers: AnswerText,
    embedder: scoring_options.EmbedderOptions,
    judging: scoring_options.JudgeOptions,
    tricks: bool | None,
    *,
    why: bool,
) -> int:
    from fingertip_cli.printing.progress import progress
    from fingertip_cli.scores.explain_suggestions import check_why, explain_suggestions
    from fingertip_cli.scores.run_groups import list_group_runs, score_groups
    from fingertip_cli.scores.score_tricks import SuggestionTricks
    from fingertip_runs.trick_scores import merge_tricks
    from suggestion_runner import read_run, score_run, write_report

    runs = list_group_runs(groups)
    records = [read_run(run) for run in runs]
    if why:
        check_why(records, judging)
    scores, found = [], []
    with progress() as report:
        report("loading the embedder", 0, 0)
        model = embedder.open(runs[0])
        trick_scores = SuggestionTricks(tricks, model)
        for run, record in zip(runs, records, strict=True):
            report(f"{run.name}: embedding and scoring", 0, 0)
            on_judged = functools.partial(report, f"{run.name}: judged")
            data = Path(record.dataset.path)
            with judging.open(run, dataset=data, on_progress=on_judged) as judge:
                scores.append(
                    score_run(
                        run,
                        embedder=model,
                        protocol=protocol,
                        answers=answers,
                        partial=True,
                        judge=judge,
                        checking=judging.open_checking(data),
                    )
                )
                found.append(trick_scores.score(scores[-1], judge))
        reasons = explain_suggestions(scores, judging, on_progress=report) if why else []
        figures = [stats / f"{name}.png" for name in FIGURES] if stats else []
        shown = [figure for figure in figures if figure.is_file()]
        repeats = score_groups(groups, scores, partial=True)
        report("writing the page", 0, 0)
        of_tricks = merge_tricks(found)
        write_report(scores, out, figures=shown, why=reasons, repeats=repeats, tricks=of_tricks)
    return scores[0].record.tasks


def _report_moments(
    groups: Sequence[RunGroup],
    out: Path,
    stats: Path | None,
    protocol: str,
    embedder: scoring_options.EmbedderOptions,
    judging: scoring_options.JudgeOptions,
    tricks: bool | None,
    *,
    why: bool,
) -> int:
    from fingertip_cli.printing.progress import progress
    from fingertip_cli.scores.run_groups import list_group_runs, score_groups
    from fingertip_cli.scores.score_moments import compute_moment_scores
    from fingertip_dataset.errors import UsageError
    from suggestion_runner.moments.moment_report import write_moment_report

    for given, option in ((stats, "--stats"), (why, "--why"), (tricks, "--tricks")):
        if given:
            raise UsageError(f"{option} is for runs of episodes, not of moments")
    with progress() as report:
        scores = compute_moment_scores(
            list_group_runs(groups), embedder, judging, protocol=protocol, partial_runs=True, report=report
        )
        repeats = score_groups(groups, scores, partial=True)
        report("writing the page", 0, 0)
        write_moment_report(scores, out, repeats=repeats)
    return scores[0].record.tasks


def _report_execution(
    groups: Sequence[RunGroup],
    out: Path,
    stats: Path | None,
    protocol: str,
    tricks: bool | None,
    *,
    why: bool,
) -> int:
    from execution_runner.scoring.run_scores import score_run
    from fingertip_analysis.report.report_page import write_report
    from fingertip_analysis.why.why_scores import explain_run
    from fingertip_cli.printing.progress import progress
    from fingertip_cli.scores.run_groups import list_group_runs, score_groups
    from fingertip_cli.scores.score_tricks import score_execution_tricks
    from fingertip_dataset.errors import UsageError

    if stats is not None:
        raise UsageError("--stats is for runs of track 1 only")
    scores = []
    with progress() as report:
        for run in list_group_runs(groups):
            report(f"{run.name}: scoring", 0, 0)
            scores.append(score_run(run, protocol=protocol, partial=True))
        repeats = score_groups(groups, scores, partial=True)
        reasons = [explain_run(run) for run in scores] if why else ()
        report("writing the page", 0, 0)
        found = score_execution_tricks(scores, tricks)
        write_report(scores, out, why=reasons, repeats=repeats, tricks=found)
    return len({task.task_id for run in scores for task in run.tasks})
