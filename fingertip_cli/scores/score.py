"""`fingertip score`: scores of one or several runs of one track."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options import scoring_options, shared_options
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.scores.score_options import ScoreOptions
from fingertip_dataset.kept_files import keep_files

if TYPE_CHECKING:
    from rich.table import Table

    from execution_runner.scoring.run_scores import ExecutionRunScores
    from fingertip_analysis.user_types.type_scores import TypeScores
    from fingertip_analysis.why.why_scores import WhyScores
    from fingertip_cli.scores.run_groups import RunGroup
    from fingertip_runs.repeat_scores import RepeatScores
    from fingertip_runs.trick_scores import TrickScores
    from fingertip_runs.type_references import TypeName
    from suggestion_runner import SuggestionRunScores
    from suggestion_runner.why.why_suggestions import WhySuggestions

OF_EPISODES = (
    "user",
    "app",
    "category",
    "scenario",
    "sex",
    "age",
    "occupation",
    "phone_brand",
    "language",
    "trouble",
)
"""Choices of --by for both tracks."""

OF_TRACK_2 = ("difficulty", "known-from")
"""Choices of --by for track 2 only."""

OF_MOMENTS = ("kind", "condition", "hour", "day")
"""Choices of --by for moments only."""

GROUPINGS = (*OF_EPISODES, *OF_TRACK_2, *OF_MOMENTS)
"""All choices of --by."""


class _Grouping(click.Choice[str]):
    """Choice of --by, checked once it is known what the runs are of, which take only some of all choices."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - click's own
        """Return the value as it is."""
        return str(value)


@click.command(
    epilog="""\
    fingertip score runs/habit runs/recent --embedder lexical
    fingertip score runs/gpt --judge deepseek-chat --judge-base-url https://api.deepseek.com/v1
    fingertip score runs/habit --judge simulated --why --embedder lexical
    fingertip score runs/imitate --by app --by difficulty --why
    fingertip score runs/imitate runs/ui-tars --also-types age,sex,behaviour,any
    fingertip score runs/habit --embedder lexical --json > scores.json
    """
)
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN...")
@scoring_options.protocol
@scoring_options.answers
@scoring_options.spelling
@scoring_options.embedder()
@scoring_options.checked_judge
@click.option(
    "--by",
    type=_Grouping(GROUPINGS),
    multiple=True,
    metavar="GROUPING",
    help="Also print the scores of each group; repeatable: "
    f"{', '.join(OF_EPISODES)}, {', '.join(OF_TRACK_2)} (track 2 only), "
    f"{', '.join(OF_MOMENTS)} (moments only).",
)
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Track 1: also print each run's mean differences to this run on the same tasks, with "
    "intervals over users.",
)
@click.option("--partial", is_flag=True, help="Score the finished tasks of an unfinished run.")
@click.option(
    "--published/--no-published",
    default=None,
    help="By default the paper's rows of a run's own setting are printed below it, marked. --published also "
    "prints them in a separate table for runs on other data; --no-published never prints them.",
)
@shared_options.why
@scoring_options.also_types
@scoring_options.tricks
@shared_options.notes
@shared_options.as_json()
@keep_files()
def command(
    runs: tuple[Path, ...],
    embedder: scoring_options.EmbedderOptions,
    judging: scoring_options.JudgeOptions,
    **options: Any,  # noqa: ANN401 - those of `ScoreOptions`
) -> None:
    """Score runs of `fingertip suggest` or `fingertip execute`: write RUN/scores.json and print a table.

    Runs of moments (suggest --split test_moments) get the scores of when to speak. Of a repeated run
    (--repeats) the tries of each task are averaged, and pass@k and pass^k are printed.
    """
    from fingertip_cli.one_track import track_of_runs
    from fingertip_cli.scores.run_groups import group_runs, list_group_runs
    from fingertip_cli.scores.score_moments import are_of_moments, score_moments

    settings = ScoreOptions(**options | {"by": tuple(dict.fromkeys(options["by"]))})
    if settings.against is not None:
        # scored like the others, as the last one
        runs = (*(run for run in runs if run != settings.against), settings.against)
    groups = group_runs(runs)
    if track_of_runs(list_group_runs(groups)) == "suggestion":
        if are_of_moments(list_group_runs(groups)):
            score_moments(groups, embedder, judging, settings)
        else:
            _score_suggestion(groups, embedder, judging, settings)
    else:
        judging.refuse_track_2()
        _score_execution(groups, settings)


def _score_suggestion(
    groups: Sequence[RunGroup],
    embedder: scoring_options.EmbedderOptions,
    judging: scoring_options.JudgeOptions,
    settings: ScoreOptions,
) -> None:
    from fingertip_cli.printing.progress import progress
    from fingertip_cli.scores.explain_suggestions import check_why, explain_suggestions
    from fingertip_cli.scores.run_groups import (
        add_differences,
        list_group_runs,
        list_objects,
        score_groups,
        write_repeats,
    )
    from fingertip_cli.scores.score_tricks import SuggestionTricks
    from fingertip_cli.scores.written_scores import write_all
    from fingertip_runs.report_base import of_one_version
    from suggestion_runner import read_run, score_run, write_scores
    from suggestion_runner.against import differences_of_tries

    _refuse_track_2_options(settings)
    runs = list_group_runs(groups)
    records = of_one_version(read_run(run) for run in runs)
    if settings.why:
        check_why(records, judging)
    scores, found = [], []
    with progress() as report:
        report("loading the embedder", 0, 0)
        model = embedder.open(runs[0])
        tricks = SuggestionTricks(settings.tricks, model)
        for run, record in zip(runs, records, strict=True):
            on_judged = partial(report, f"{run.name}: judged")
            report(f"{run.name}: embedding and scoring", 0, 0)
            with judging.open(run, dataset=Path(record.dataset.path), on_progress=on_judged) as judge:
                scores.append(
                    score_run(
                        run,
                        embedder=model,
                        protocol=settings.protocol,
                        answers=settings.answers,
                        partial=settings.partial,
                        judge=judge,
                        checking=judging.open_checking(Path(record.dataset.path)),
                    )
                )
                found.append(tricks.score(scores[-1], judge))
        reasons = explain_suggestions(scores, judging, on_progress=report) if settings.why else []
    repeats = score_groups(groups, scores, partial=settings.partial)
    write_all([*(partial(write_scores, one) for one in scores), partial(write_repeats, repeats)])
    if settings.as_json:
        objects = list_objects(groups, _list_suggestion_contents(scores, found, reasons), repeats)
        print_json({"runs": add_differences(objects, groups, scores, settings.against, differences_of_tries)})
    else:
        _print_suggestion_scores(groups, scores, repeats, found, reasons, settings)


def _list_suggestion_contents(
    scores: Sequence[SuggestionRunScores], tricks: Sequence[TrickScores], reasons: Sequence[WhySuggestions]
) -> list[dict[str, Any]]:
    """The content of each run's scores.json, with what the options add."""
    from suggestion_runner.scoring import scores_dict
    from suggestion_runner.why.why_suggestions import why_dict

    contents = [scores_dict(run_scores) for run_scores in scores]
    _add_tricks(contents, tricks)
    for content, run_reasons in zip(contents, reasons, strict=False):
        content["why"] = why_dict(run_reasons)
    return contents


def _add_tricks(contents: Sequence[dict[str, Any]], tricks: Sequence[TrickScores]) -> None:
    """Add the scores of chance and tricks to the content of each run, unless there are none."""
    from fingertip_runs.trick_scores import NO_TRICKS

    for content, found in zip(contents, tricks, strict=False):
        if found != NO_TRICKS:
            content["tricks"] = found.to_dict()


def _print_suggestion_scores(
    groups: Sequence[RunGroup],
    scores: Sequence[SuggestionRunScores],
    repeats: Sequence[RepeatScores],
    tricks: Sequence[TrickScores],
    reasons: Sequence[WhySuggestions],
    settings: ScoreOptions,
) -> None:
    from fingertip_cli.printing.console import console
    from fingertip_cli.printing.notes import Notes, print_line
    from fingertip_cli.scores.run_groups import split_by_group
    from fingertip_runs.repeat_tables import build_repeat_tables, describe_repeats
    from fingertip_runs.trick_scores import merge_tricks
    from suggestion_runner import breakdown_table, notes, score_table
    from suggestion_runner.against import difference_lines
    from suggestion_runner.suggestion_published import build_published_table
    from suggestion_runner.suggestion_tables import distribution_table
    from suggestion_runner.why.intent_reason_tables import why_lines, why_notes, why_table

    out, below = console(), Notes.of_call()
    found = merge_tricks(tricks)
    out.print(score_table(scores, published=settings.published is not False, tricks=found))
    distributions = distribution_table(scores, published=settings.published is not False)
    if distributions:
        out.print(distributions)
    for table in build_repeat_tables(repeats):
        out.print(table)
    if settings.published:
        _print_published(build_published_table(scores), "track 1")
    below.add([*describe_repeats(repeats), *notes(scores), *found.list_notes()])
    if settings.against is not None:
        *runs, others = (tries for _, tries in split_by_group(groups, scores))
        for line in difference_lines(runs, others):
            print_line(line)
    for run_scores in scores:
        for by in settings.by:
            out.print(breakdown_table(run_scores, by))
    for run_reasons in reasons:
        out.print(why_table(run_reasons))
        for line in why_lines(run_reasons):
            print_line(line)
    below.add(why_notes(reasons))
    below.finish()


def _refuse_track_2_options(settings: ScoreOptions) -> None:
    """Refuse options of track 2 for runs of track 1."""
    from fingertip_dataset.errors import UsageError

    if settings.spelling is not None:
        raise UsageError(f"--spelling is for runs of track 2, got --spelling {settings.spelling} for track 1")
    if settings.also_types:
        raise UsageError("--also-types is for runs of track 2")
    _refuse_groupings(settings, OF_EPISODES)


def _refuse_groupings(settings: ScoreOptions, taken: Sequence[str]) -> None:
    """Refuse groupings that runs of episodes do not take."""
    from fingertip_dataset.errors import UsageError
    from fingertip_dataset.similar_names import did_you_mean

    for by in settings.by:
        if by in taken:
            continue
        if by in OF_MOMENTS:
            raise UsageError(f"--by {by} is for runs of moments; these are of episodes")
        if by in OF_TRACK_2:
            raise UsageError(f"--by {by} is for runs of track 2; track 1 takes {', '.join(taken)}")
        raise UsageError(
            f"there is no --by {by} for these runs, which take {', '.join(taken)}{did_you_mean(by, taken)}"
        )


def _print_published(table: Table | None, track: str) -> None:
    """Print the paper's rows of the runs' setting, or say that the paper has no such rows."""
    from fingertip_cli.printing.console import console

    if table is None:
        click.echo(f"Published: the paper has no numbers of {track} in the setting of these runs.")
    else:
        console().print(table)


def _score_execution(groups: Sequence[RunGroup], settings: ScoreOptions) -> None:
    from execution_runner.execution_log import read_run
    from execution_runner.scoring.run_scores import score_run, scores_dict, write_scores
    from fingertip_analysis.report.execution_tables import check_breakdowns
    from fingertip_analysis.user_types.type_scores import types_dict
    from fingertip_analysis.why.why_scores import explain_run, why_dict
    from fingertip_cli.printing.progress import progress
    from fingertip_cli.scores.run_groups import list_group_runs, list_objects, score_groups, write_repeats
    from fingertip_cli.scores.score_tricks import score_execution_tricks
    from fingertip_cli.scores.written_scores import write_all
    from fingertip_dataset.errors import UsageError
    from fingertip_runs.report_base import of_one_version

    if settings.against is not None:
        raise UsageError("--against is for runs of track 1")
    _refuse_groupings(settings, (*OF_EPISODES, *OF_TRACK_2))
    runs = list_group_runs(groups)
    of_one_version(map(read_run, runs))
    scores, reasons = [], []
    with progress() as report:
        for run in runs:
            report(f"{run.name}: scoring", 0, 0)
            scores.append(
                score_run(
                    run, protocol=settings.protocol, spelling=settings.spelling, partial=settings.partial
                )
            )
        check_breakdowns(scores, settings.by)
        repeats = score_groups(groups, scores, partial=settings.partial)
        write_all([*(partial(write_scores, one) for one in scores), partial(write_repeats, repeats)])
        for run_scores in scores if settings.why else ():
            report(f"{run_scores.folder.name}: reasons", 0, 0)
            reasons.append(explain_run(run_scores))
        report("other user types", 0, 0)
        types = _score_types(scores, settings.also_types)
        tricks = score_execution_tricks(scores, settings.tricks)
    if settings.as_json:
        contents = [scores_dict(run_scores) for run_scores in scores]
        _add_tricks(contents, tricks)
        for content, run_reasons in zip(contents, reasons, strict=False):
            content["why"] = why_dict(run_reasons)
        for content, run_types in zip(contents, types, strict=False):
            content["also_types"] = types_dict(run_types)
        print_json({"runs": list_objects(groups, contents, repeats)})
        return
    _print_execution_scores(scores, repeats, types, tricks, reasons, settings)


def _print_execution_scores(
    scores: Sequence[ExecutionRunScores],
    repeats: Sequence[RepeatScores],
    types: Sequence[tuple[TypeScores, ...]],
    tricks: Sequence[TrickScores],
    reasons: Sequence[WhyScores],
    settings: ScoreOptions,
) -> None:
    from fingertip_analysis.report.execution_tables import (
        breakdown_table,
        build_published_table,
        notes,
        score_tables,
    )
    from fingertip_analysis.user_types.type_tables import type_notes, type_tables
    from fingertip_analysis.why.why_tables import why_lines, why_notes, why_table
    from fingertip_cli.printing.console import console
    from fingertip_cli.printing.notes import Notes, print_line
    from fingertip_runs.repeat_tables import build_repeat_tables, describe_repeats
    from fingertip_runs.trick_scores import merge_tricks

    out, below = console(), Notes.of_call()
    for table in score_tables(scores, published=settings.published is not False, tricks=tricks):
        out.print(table)
    for table in build_repeat_tables(repeats):
        out.print(table)
    if settings.published:
        _print_published(build_published_table(scores), "track 2")
    below.add([*describe_repeats(repeats), *notes(scores), *merge_tricks(tricks).list_notes()])
    for run_scores in scores:
        for by in settings.by:
            out.print(breakdown_table(run_scores, by))
    typed = list(zip(scores, types, strict=False))
    for table in type_tables(typed):
        out.print(table)
    below.add(type_notes(typed))
    for run_reasons in reasons:
        out.print(why_table(run_reasons))
        for line in why_lines(run_reasons):
            print_line(line)
    below.add(why_notes(reasons))
    below.finish()


def _score_types(
    scores: Sequence[ExecutionRunScores], names: Sequence[TypeName]
) -> list[tuple[TypeScores, ...]]:
    """Score all runs under further definitions of the user types; a dataset is read once for its runs."""
    from fingertip_analysis.user_types.type_scores import open_type_search, score_types
    from fingertip_runs.type_references import TypeSearch

    if not names:
        return []
    searches: dict[tuple[str, str], TypeSearch] = {}
    found = []
    for run_scores in scores:
        dataset = run_scores.record.dataset
        key = (dataset.path, dataset.data_sha256)
        if key not in searches:
            searches[key] = open_type_search(dataset)
        found.append(score_types(run_scores, names, search=searches[key]))
    return found
