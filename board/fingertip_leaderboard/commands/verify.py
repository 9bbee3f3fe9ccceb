"""`fingertip verify`: checks bundles against the dataset and recomputes their scores."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options import shared_options
from fingertip_cli.printing.json_output import print_json
from fingertip_leaderboard.commands.verify_limits import limit_options

if TYPE_CHECKING:
    from rich.table import Table

    from fingertip_leaderboard.verify.check_outcome import AnyScores
    from fingertip_leaderboard.verify.verify_report import VerifyReport
    from fingertip_runs.repeat_scores import RepeatScores


@click.command(
    epilog="""\
    fingertip verify bundles/habit --dataset fingertip-sim
    fingertip verify bundles/habit bundles/recent.zip --dataset fingertip-sim --json
    """
)
@click.argument("bundles", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="BUNDLE...")
@click.option(
    "--dataset",
    type=click.Path(path_type=Path),
    required=True,
    help="Dataset of the runs, on which all scores are recomputed.",
)
@limit_options
@shared_options.as_json()
def command(
    bundles: tuple[Path, ...], dataset: Path, time_limit: float, memory_limit: int, as_json: bool
) -> None:
    """Verify bundles of `fingertip submit` (folders or .zip files), also against one another.

    Each bundle is verified in a process with limits of time and memory, and refused beyond them.
    Every reason to refuse a bundle is printed with its file, line and kind, and the recomputed scores of
    accepted bundles follow. Bundles with nearly equal answers, equal seconds or names that look alike are
    marked on both sides, for a person to decide. Exit code 0: all are accepted; 1: one is refused or marked;
    2: the call was wrong.
    """
    from fingertip_cli.printing.console import console
    from fingertip_cli.printing.progress import progress
    from fingertip_dataset.errors import UsageError
    from fingertip_dataset.path_kinds import explain_missing, explain_wrong_path
    from fingertip_leaderboard import verify_bundles
    from fingertip_leaderboard.verify.process.child_process import fork_verifier
    from fingertip_leaderboard.verify.process.process_limits import VerifyLimits

    for bundle in bundles:
        # a run has no file of a bundle: each would be named as a problem
        # one of several is named in its own report
        if not bundle.exists() and len(bundles) == 1:
            raise UsageError(explain_missing(bundle, "a bundle"), file=bundle)
        if wrong := explain_wrong_path(bundle, "a bundle"):
            raise UsageError(wrong, file=bundle)
    limits = VerifyLimits(seconds=time_limit, megabytes=memory_limit)
    # before the thread of the progress
    with fork_verifier(), progress() as report:
        reports = verify_bundles(
            bundles, dataset, limits=limits, on_progress=partial(report, "bundles verified")
        )
    if as_json:
        print_json({"bundles": [_object(report) for report in reports]})
    else:
        for checked in reports:
            _print_report(checked)
        for table in _print_tables(reports):
            console().print(table)
    marked = sum(bool(report.marks) for report in reports)
    if marked:
        click.echo(f"{marked} marked: a person must decide, see `fingertip leaderboard --decisions`")
    if marked or not all(report.accepted for report in reports):
        sys.exit(1)


def _object(report: VerifyReport) -> dict[str, Any]:
    """A bundle's report for --json; "scores" are those that `fingertip score --json` prints for a run."""
    from fingertip_runs.repeat_scores import repeats_dict

    found = [_scores_dict(one) for one in report.all_tries]
    scores: dict[str, Any] | None = found[0] if found else None
    if report.tries:
        scores = {**repeats_dict(_score_tries(report)), "tries": found}
    problems = [
        {"kind": problem.kind.value, "file": problem.file, "line": problem.line, "reason": problem.reason}
        for problem in report.problems
    ]
    return {
        "path": str(report.path),
        "sha256": report.sha256,
        "accepted": report.accepted,
        "problems": problems,
        "more_problems": report.more,
        "marks": [
            {"kind": mark.kind, "other": mark.other, "same": mark.same, "of": mark.of}
            for mark in report.marks
        ],
        "remarks": list(report.remarks),
        "scores": scores,
    }


def _scores_dict(scores: AnyScores) -> dict[str, Any]:
    """Scores of a try in the form of scores.json."""
    from execution_runner.scoring.run_scores import ExecutionRunScores
    from execution_runner.scoring.run_scores import scores_dict as execution_dict
    from suggestion_runner.moments.moment_run_scores import MomentRunScores, moment_scores_dict
    from suggestion_runner.scoring import scores_dict as suggestion_dict

    if isinstance(scores, MomentRunScores):
        return moment_scores_dict(scores)
    return execution_dict(scores) if isinstance(scores, ExecutionRunScores) else suggestion_dict(scores)


def _score_tries(report: VerifyReport) -> RepeatScores:
    """Scores of an accepted bundle with several tries."""
    from fingertip_agents.setup import AgentSetup
    from fingertip_analysis.repeated_runs import join_scores
    from fingertip_runs.try_names import list_seeds

    tries = report.all_tries
    first = AgentSetup.read_seed(tries[0].record.agent.settings) or 0
    return join_scores(report.path, tries, seeds=list_seeds(first, len(tries)))


def _print_report(report: VerifyReport) -> None:
    from fingertip_dataset.release.problems import printable

    name = printable(str(report.path))
    if report.accepted:
        click.echo(f"{name}: accepted")
    else:
        problems = len(report.problems) + report.more
        click.echo(f"{name}: refused, {problems} problem{'s' if problems != 1 else ''}")
    for problem in report.problems:
        click.echo(f"  {problem}")
    if report.more:
        click.echo(f"  and {report.more:,} more")
    for mark in report.marks:
        click.echo(f"  marked: {mark}")
    for remark in report.remarks:
        click.echo(f"  note: {remark}")


def _print_tables(reports: tuple[VerifyReport, ...]) -> list[Table]:
    from execution_runner.scoring.run_scores import ExecutionRunScores
    from fingertip_analysis.report.execution_tables import score_tables
    from fingertip_runs.repeat_tables import build_repeat_tables
    from suggestion_runner import SuggestionRunScores, score_table
    from suggestion_runner.moments.moment_run_scores import MomentRunScores
    from suggestion_runner.moments.moment_tables import moment_tables

    # of a bundle with several tries the first alone would not be its score
    single = [report.scores for report in reports if not report.tries]
    suggestions = [scores for scores in single if isinstance(scores, SuggestionRunScores)]
    executions = [scores for scores in single if isinstance(scores, ExecutionRunScores)]
    tables = [score_table(suggestions)] if suggestions else []
    moments = [scores for scores in single if isinstance(scores, MomentRunScores)]
    tables += moment_tables(moments) if moments else []
    tables += score_tables(executions, published=False) if executions else []
    return [*tables, *build_repeat_tables([_score_tries(report) for report in reports if report.tries])]
