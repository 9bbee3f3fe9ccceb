"""`fingertip score` of runs of moments: when they spoke, what they offered, and their confidence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fingertip_cli.options import scoring_options
    from fingertip_cli.scores.run_groups import RunGroup
    from fingertip_cli.scores.score_options import ScoreOptions
    from fingertip_runs.repeat_scores import RepeatScores
    from suggestion_runner.moments.moment_run_scores import MomentRunScores


def are_of_moments(runs: Sequence[Path]) -> bool:
    """Check whether runs of track 1 are of moments.

    Args:
        runs: Folders of the runs.

    Raises:
        RunError: A record is broken.
        UsageError: Some are of moments, others of episodes.
    """
    from fingertip_dataset.errors import UsageError
    from suggestion_runner import read_run

    kinds = {read_run(run).of_moments: run for run in runs}
    if len(kinds) > 1:
        raise UsageError(
            f"runs of moments and of episodes have different scores, got {kinds[True]} of moments and "
            f"{kinds[False]} of episodes: score them apart"
        )
    return True in kinds


def score_moments(
    groups: Sequence[RunGroup],
    embedder: scoring_options.EmbedderOptions,
    judging: scoring_options.JudgeOptions,
    settings: ScoreOptions,
) -> None:
    """Score runs of moments, write their scores.json, and print tables or JSON.

    Args:
        groups: Runs of the command.
        embedder: Options of the embedder.
        judging: Options of the judge; without one the rule for simulated people decides.
        settings: Options of the command.

    Raises:
        FingerTipError: An option does not fit, or a run cannot be scored.
    """
    from fingertip_cli.printing.json_output import print_json
    from fingertip_cli.printing.progress import progress
    from fingertip_cli.scores.run_groups import (
        add_differences,
        list_group_runs,
        list_objects,
        score_groups,
        write_repeats,
    )
    from fingertip_cli.scores.written_scores import write_all
    from suggestion_runner.moments.moment_differences import compare_moments
    from suggestion_runner.moments.moment_run_scores import moment_scores_dict, write_moment_scores

    _refuse_options(settings)
    runs = list_group_runs(groups)
    with progress() as report:
        scores = compute_moment_scores(
            runs, embedder, judging, protocol=settings.protocol, partial_runs=settings.partial, report=report
        )
    repeats = score_groups(groups, scores, partial=settings.partial)
    write_all([*(partial(write_moment_scores, one) for one in scores), partial(write_repeats, repeats)])
    if settings.as_json:
        objects = list_objects(groups, [moment_scores_dict(one) for one in scores], repeats)
        print_json({"runs": add_differences(objects, groups, scores, settings.against, compare_moments)})
    else:
        _print_scores(groups, scores, repeats, settings)


def compute_moment_scores(
    runs: Sequence[Path],
    embedder: scoring_options.EmbedderOptions,
    judging: scoring_options.JudgeOptions,
    *,
    protocol: str,
    partial_runs: bool,
    report: Any,  # noqa: ANN401 - of `progress`
) -> list[MomentRunScores]:
    """Compute the scores of runs of moments; raises the errors of `score_moment_run`.

    Args:
        runs: Folders of the runs.
        embedder: Options of the embedder.
        judging: Options of the judge; without one the rule for simulated people decides.
        protocol: Protocol of Sim_1.
        partial_runs: Whether unfinished runs are scored.
        report: Function (words, done, all) that shows progress.
    """
    from fingertip_runs.report_base import of_one_version
    from suggestion_runner import read_run
    from suggestion_runner.moments.moment_scoring import open_shared_rule, score_moment_run

    records = of_one_version(read_run(run) for run in runs)
    report("loading the embedder", 0, 0)
    model = embedder.open(runs[0])
    rule = None
    if judging.judge is None:
        report("reading the offers", 0, 0)
        rule = open_shared_rule(runs)
    scores = []
    for run, record in zip(runs, records, strict=True):
        data = Path(record.dataset.path)
        on_judged = partial(report, f"{run.name}: judged")
        report(f"{run.name}: scoring", 0, 0)
        with judging.open(run, dataset=data, on_progress=on_judged) as judge:
            scores.append(
                score_moment_run(
                    run,
                    embedder=model,
                    protocol=protocol,
                    partial=partial_runs,
                    judge=judge or rule,
                    checking=judging.open_checking(data),
                )
            )
    return scores


def _refuse_options(settings: ScoreOptions) -> None:
    """Refuse options that runs of moments do not have, before anything is scored."""
    from fingertip_dataset.errors import UsageError
    from fingertip_dataset.similar_names import did_you_mean
    from suggestion_runner.moments.moment_facts import MOMENT_GROUPINGS
    from suggestion_runner.month.month_tables import DAY

    if settings.spelling is not None:
        raise UsageError(f"--spelling is for runs of track 2, got --spelling {settings.spelling} for moments")
    if settings.also_types:
        raise UsageError("--also-types is for runs of track 2")
    if settings.why:
        raise UsageError(
            "--why is for runs of episodes: the table by kind says where a run of moments failed"
        )
    if settings.tricks:
        raise UsageError(
            "--tricks is for runs of episodes: for moments, the agents always, never and hour are those that "
            "look at no person"
        )
    for by in settings.by:
        if by not in (*MOMENT_GROUPINGS, DAY):
            taken = tuple(MOMENT_GROUPINGS)
            raise UsageError(
                f"--by {by} is not for moments, which take {', '.join(taken)}{did_you_mean(by, taken)}"
            )


def _print_scores(
    groups: Sequence[RunGroup],
    scores: Sequence[MomentRunScores],
    repeats: Sequence[RepeatScores],
    settings: ScoreOptions,
) -> None:
    from fingertip_cli.printing.console import console
    from fingertip_cli.printing.notes import Notes, print_line
    from fingertip_cli.scores.run_groups import split_by_group
    from fingertip_runs.repeat_tables import build_repeat_tables, describe_repeats
    from suggestion_runner.moments.moment_differences import write_difference_lines
    from suggestion_runner.moments.moment_run_scores import OF_RIGHT
    from suggestion_runner.moments.moment_tables import moment_breakdown_table, moment_notes, moment_tables

    out, below = console(), Notes.of_call()
    for table in (*moment_tables(scores), *build_repeat_tables(repeats)):
        out.print(table)
    if settings.published:
        print_line("Published: the paper has no moments at which nothing is wanted.")
    below.add([*describe_repeats(repeats), *([OF_RIGHT] if repeats else []), *moment_notes(scores)])
    if settings.against is not None:
        *runs, others = (tries for _, tries in split_by_group(groups, scores))
        for line in write_difference_lines(runs, others):
            print_line(line)
    for one in scores:
        for by in settings.by:
            out.print(moment_breakdown_table(one, by))
    below.finish()
