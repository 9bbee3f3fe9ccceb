"""End of a benchmark: scores, reports, bundles, the page, the record, and the printed table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.next_call import repeat_call
from fingertip_dataset.errors import FingerTipError, RunError
from fingertip_dataset.shell_line import write_call
from fingertip_dataset.track import TRACK_NUMBER, Track
from fingertip_leaderboard.commands.benchmark_judge import BenchmarkJudge, read_judge_prices

if TYPE_CHECKING:
    from fingertip_leaderboard.benchmark.moment_part import MomentPart
    from fingertip_leaderboard.benchmark.track_scores import TrackScores
    from fingertip_leaderboard.bundle.schema import AgentCard
    from fingertip_leaderboard.commands.benchmark_tracks import TrackRunner
    from fingertip_metrics.embedders import Embedder

SAMPLE = "{what}: a sample, which cannot be ranked"
"""Remark on a benchmark of some of the tasks."""

NOT_PUBLISHED = "this is not the published fingertip-sim: {difference}; a board of it refuses these runs"
"""Remark on a benchmark on a dataset in place of the published one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkOutcome:
    """Result of a benchmark, as it is written and printed.

    Attributes:
        title: What was tested, and on which data.
        scores: Scores of the tracks, in their order.
        moments: Scores of the run of moments; None without one.
        asking: Scores of the run of tasks in few words; None without one.
        remarks: Why nothing of it can be ranked.
        result: The member `result` of benchmark.json.
        lines: Lines that are printed last: what to do next.
    """

    title: str
    scores: Sequence[TrackScores]
    moments: MomentPart | None
    asking: TrackScores | None
    remarks: Sequence[str]
    result: Mapping[str, Any]
    lines: Sequence[str]


def finish_benchmark(
    runner: TrackRunner, agents: Mapping[Track, str], card: AgentCard | None, *, own_data: bool
) -> BenchmarkOutcome:
    """Score the runs, and write reports, bundles, the page and the record.

    Args:
        runner: Runner of the tracks, which are finished.
        agents: Track -> name of its agent.
        card: Card of the bundles; None for no bundles.
        own_data: Whether the dataset was given.

    Raises:
        FingerTipError: A run cannot be scored, or a file cannot be written.
    """
    from fingertip_leaderboard.benchmark.benchmark_folder import read_record
    from fingertip_metrics.embedders import get_embedder

    options, embedder = runner.options, None
    # an earlier call in the folder may have run the other track
    known = read_record(runner.out).call.agents
    begun = sorted(
        (track for track in known if track in agents or (runner.out / track).is_dir()),
        key=lambda track: TRACK_NUMBER[track],
    )
    if "suggestion" in begun:
        runner.report("loading the embedder", 0, 0)
        embedder = get_embedder(options["embedder"])
    judge = BenchmarkJudge(
        options=options["judging"],
        prices=read_judge_prices(options),
        dataset=runner.data.path,
        report=runner.report,
    )
    scores = _score_all(runner, begun, agents, embedder, judge)
    moments = _score_moments(runner, embedder, of_this_call="suggestion" in agents)
    asking = _score_asking(runner, of_this_call="execution" in agents)
    remarks = list(_list_remarks(runner, own_data=own_data))
    parts = [*scores, *([asking] if asking else [])]
    bundles, lines = _write_bundles(runner, parts, moments, card, embedder, judge)
    result = _write_result(runner, scores, moments, asking, bundles, remarks)
    if bundles:
        from fingertip_leaderboard.benchmark.benchmark_folder import BUNDLES

        to_data = ("--dataset", runner.data.path)
        sent = write_call("submit", *bundles.values(), "--repo", "OWNER/NAME", *to_data)
        lines.append(f"to a board on the Hub: {sent}")
        lines.append(f"next: {write_call('leaderboard', runner.out / BUNDLES, *to_data)}")
    title = f"{_name_tested(runner, scores)} on {runner.data.path.name}"
    return BenchmarkOutcome(
        title=title, scores=scores, moments=moments, asking=asking, remarks=remarks, result=result,
        lines=lines,
    )  # fmt: skip


def print_outcome(outcome: BenchmarkOutcome, out: Path, *, as_json: bool) -> None:
    """Print the table, its notes and the next command; with `as_json` the object instead.

    Args:
        outcome: What came out.
        out: Folder of the benchmark.
        as_json: Whether one JSON object is printed on standard output.
    """
    if as_json:
        print_json({"folder": str(out), **outcome.result})
    _print_table(outcome)
    click.echo(f"page: {out / 'index.html'}")
    for line in outcome.lines:
        click.echo(line)


def _score_all(
    runner: TrackRunner,
    begun: Sequence[Track],
    agents: Mapping[Track, str],
    embedder: Embedder | None,
    judge: BenchmarkJudge,
) -> list[TrackScores]:
    """Score the tracks of this call, and of those of an earlier one the finished ones."""
    from fingertip_leaderboard.benchmark.track_scores import score_track, write_track_report

    found, report = [], runner.report
    for track in begun:
        report(f"track {TRACK_NUMBER[track]}, scoring", 0, 0)
        try:
            scores = score_track(
                runner.out / track,
                track,
                embedder=embedder,
                open_judge=judge.open,
                checking=judge.open_checking(),
                judge_prices=judge.prices,
            )
        except RunError:
            if track in agents:
                raise
            continue
        report(f"track {TRACK_NUMBER[track]}, writing the report", 0, 0)
        write_track_report(scores, runner.out / f"{track}.html")
        found.append(scores)
    return found


def _score_moments(
    runner: TrackRunner, embedder: Embedder | None, *, of_this_call: bool
) -> MomentPart | None:
    """Score the run of moments of this call, or a finished one of an earlier call; None without one."""
    from fingertip_leaderboard.benchmark.moment_part import MOMENTS, score_moment_part

    if embedder is None or not (runner.out / MOMENTS).is_dir():
        return None
    runner.report("moments, scoring", 0, 0)
    try:
        return score_moment_part(runner.out, embedder)
    except RunError:
        if of_this_call:
            raise
        return None


def _score_asking(runner: TrackRunner, *, of_this_call: bool) -> TrackScores | None:
    """Score the run of tasks in few words of this call, or of an earlier call; None without one."""
    from fingertip_leaderboard.benchmark.track_scores import ASKING, score_track, write_track_report

    folder = runner.out / ASKING
    if not folder.is_dir():
        return None
    runner.report("track 2 in few words, scoring", 0, 0)
    try:
        scores = score_track(folder, "execution")
    except RunError:
        if of_this_call:
            raise
        return None
    write_track_report(scores, runner.out / f"{ASKING}.html")
    return scores


def _list_remarks(runner: TrackRunner, *, own_data: bool) -> Iterator[str]:
    """Why the benchmark cannot be ranked, or not among those of the published dataset."""
    options = runner.options
    if options["quick"]:
        yield SAMPLE.format(what="ten people")
    elif options["limit"]:
        yield SAMPLE.format(what=f"{options['limit']} tasks of each track")
    elif not own_data and runner.data.difference is not None:
        yield NOT_PUBLISHED.format(difference=runner.data.difference)


def _write_bundles(
    runner: TrackRunner,
    scores: Sequence[TrackScores],
    moments: MomentPart | None,
    card: AgentCard | None,
    embedder: Embedder | None,
    judge: BenchmarkJudge,
) -> tuple[dict[str, Path], list[str]]:
    """Write a bundle of each track and of the moments; return them, and lines about missing ones."""
    from fingertip_leaderboard.benchmark.benchmark_folder import BUNDLES
    from fingertip_leaderboard.benchmark.moment_part import MOMENTS
    from fingertip_leaderboard.benchmark.track_bundles import write_track_bundle
    from fingertip_leaderboard.benchmark.track_scores import open_no_judge

    options = runner.options
    if options["quick"] or options["limit"]:
        return {}, ["no bundles: a sample cannot be ranked"]
    if card is None:
        call = repeat_call("--contact", "you@example.org")
        return {}, [f"with your address the same call writes a bundle of each track\nnext: {call}"]
    bundles: dict[str, Path] = {}
    why_none: list[str] = []
    name: Literal["official", "lexical"] = options["embedder"]
    for one in scores:
        runner.report(f"{one.title}, writing the bundle", 0, 0)
        named = (name, embedder) if one.track == "suggestion" and embedder is not None else None
        try:
            opening = judge.open if one.track == "suggestion" else open_no_judge
            bundles[one.name] = write_track_bundle(
                one.folder, runner.out / BUNDLES, card, embedder=named, open_judge=opening
            )
        except FingerTipError as error:
            why_none.append(f"no bundle of {one.title}: {error}")
    if moments is not None and embedder is not None:
        runner.report("moments, writing the bundle", 0, 0)
        try:
            bundles[MOMENTS] = write_track_bundle(
                runner.out / MOMENTS, runner.out / BUNDLES, card, embedder=(name, embedder)
            )
        except FingerTipError as error:
            why_none.append(f"no bundle of the moments: {error}")
    return bundles, why_none


def _write_result(
    runner: TrackRunner,
    scores: Sequence[TrackScores],
    moments: MomentPart | None,
    asking: TrackScores | None,
    bundles: Mapping[str, Path],
    remarks: Sequence[str],
) -> dict[str, Any]:
    """Write the page and benchmark.json; return what came out."""
    from fingertip_dataset.times import now_text
    from fingertip_leaderboard.benchmark.benchmark_folder import PAGE, RECORD, read_record
    from fingertip_leaderboard.benchmark.benchmark_page import BenchmarkPage, write_benchmark_page
    from fingertip_leaderboard.benchmark.moment_part import MOMENTS
    from fingertip_leaderboard.benchmark.track_scores import ASKING
    from fingertip_runs.run_folder import write_json

    out, manifest = runner.out, runner.data.built.manifest
    of_moments = str(bundles[MOMENTS].relative_to(out)) if MOMENTS in bundles else None
    result = {
        "dataset": {
            "path": str(runner.data.path),
            "data_sha256": manifest.data_sha256,
            "provenance": manifest.provenance,
            "published": runner.data.difference is None,
        },
        "remarks": list(remarks),
        "tracks": {one.track: _describe_part(one, out, bundles) for one in scores},
        ASKING: None if asking is None else _describe_part(asking, out, bundles),
        **({} if moments is None else {"moments": {**moments.to_json(), "bundle": of_moments}}),
    }
    runner.report("writing the page", 0, 0)
    page = BenchmarkPage(
        title=_name_tested(runner, scores),
        data=runner.data.path.name,
        provenance=manifest.provenance,
        scores=[*scores, *([asking] if asking else [])],
        moments=moments,
        bundles={track: bundle.relative_to(out).as_posix() for track, bundle in bundles.items()},
        remarks=remarks,
    )
    write_benchmark_page(page, out / PAGE)
    record = read_record(out).model_copy(update={"finished": now_text(), "result": result})
    write_json(out / RECORD, record.model_dump(mode="json"))
    return result


def _describe_part(scores: TrackScores, out: Path, bundles: Mapping[str, Path]) -> dict[str, Any]:
    """A track, or the tasks in few words, in JSON types."""
    bundle = bundles.get(scores.name)
    return {
        "agent": scores.first.record.agent.name,
        "run": scores.name,
        "report": f"{scores.name}.html",
        "bundle": str(bundle.relative_to(out)) if bundle else None,
        **scores.to_json(),
    }


def _name_tested(runner: TrackRunner, scores: Sequence[TrackScores]) -> str:
    """Name of the model, or of the agent."""
    model = runner.options["model"]
    return Path(model).name if model else scores[0].first.record.agent.name


def _print_table(outcome: BenchmarkOutcome) -> None:
    """Print one table of both tracks, and below it what its numbers cannot be compared with."""
    from rich.table import Table

    from fingertip_cli.printing.console import console
    from fingertip_cli.printing.notes import Notes, print_line
    from fingertip_dataset.release.problems import printable
    from fingertip_runs.cells import text_cell

    scores = [*outcome.scores, *([outcome.asking] if outcome.asking else [])]
    table = Table(title=printable(outcome.title), title_justify="left")
    table.add_column("track", overflow="fold")
    table.add_column("score", overflow="fold")
    table.add_column("mean [95 %]", justify="right")
    table.add_column("tasks", justify="right")
    table.add_column("people", justify="right")
    for one in scores:
        tried = f", {len(one.tries)} tries" if one.repeated else ""
        title = f"{one.title}: {one.first.record.agent.name}{tried}"
        for number, row in enumerate(one.rows):
            cells = (title if not number else "", f"{row.title} %" if row.percent else row.title, row.cell)
            n = (f"{row.interval.n:,}", f"{row.interval.clusters:,}") if row.interval else ("", "")
            table.add_row(*map(text_cell, (*cells, *n)))
        table.add_section()
    if outcome.moments is not None:
        for number, row in enumerate(outcome.moments.rows):
            title = "" if number else f"moments: {outcome.moments.agent}"
            cells = (title, f"{row.title} %" if row.percent else row.title, row.cell)
            n = (f"{row.interval.n:,}", f"{row.interval.clusters:,}") if row.interval else ("", "")
            table.add_row(*map(text_cell, (*cells, *n)))
    console().print(table)
    for remark in outcome.remarks:
        click.echo(f"{printable(remark)}.")
    costs = [(one.cost, one.first.record.prices) for one in scores]
    if outcome.moments is not None:
        costs.append((outcome.moments.cost, outcome.moments.scores.record.prices))
    if all(cost is not None and prices for cost, prices in costs):
        total, currency = sum(cost or 0.0 for cost, _ in costs), costs[0][1]
        click.echo(f"Cost {total:.4f} {currency.currency if currency else ''}.")
    for line in dict.fromkeys(line for one in scores for line in one.judge_lines):
        print_line(line)
    below = Notes.of_call()
    below.add(line for one in scores for line in one.caveats)
    below.add(outcome.moments.caveats if outcome.moments is not None else ())
    below.finish()
