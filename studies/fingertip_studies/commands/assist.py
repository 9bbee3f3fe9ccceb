"""`fingertip assist`: predict, then execute, both tracks in a row on the simulated phone (A.6.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.execution.execution_model import (
    check_execution_agent,
    choose_execution_agent,
    execution_model_options,
    execution_setup,
)
from fingertip_cli.options import scoring_options, shared_options
from fingertip_cli.options.model_options import open_local_model
from fingertip_cli.options.old_spellings import renamed
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.progress import progress
from fingertip_cli.serving import page_options, serve
from fingertip_dataset.errors import UsageError
from fingertip_dataset.split_names import TEST_SUGGESTION, is_moments

if TYPE_CHECKING:
    from fingertip_agents.execution_agent import ExecutionAgent
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_studies.assist.assist_scores import AssistScores
    from fingertip_studies.assist.suggestions import JudgedSuggestion

SUGGESTIONS, EXECUTION = "suggestions", "execution"
"""Folders of the runs of the two tracks in --out."""


@click.command(
    epilog="""\
    fingertip assist sim --suggester habit --executor imitate --split vali --out assisted
    fingertip assist sim --suggestions runs/gpt --executor imitate --device simulated:8 --out assisted
    """
)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option("--suggester", metavar="NAME", help="Agent of track 1 that needs no model: habit, nearest, ...")
@click.option(
    "--suggestions",
    type=click.Path(path_type=Path, file_okay=False),
    help="Finished run of `fingertip suggest` in place of --suggester, of any agent.",
)
@click.option(
    "--executor", required=True, metavar="NAME", help="Agent of track 2; `fingertip agents` lists all."
)
@renamed(
    "--accept-by",
    "accept",
    old=("--accept",),
    type=click.Choice(["judge", "page", "terminal"]),
    default="judge",
    show_default=True,
    help="Who accepts a suggestion: --judge, who knows what was wanted; or a person who does not, on a local "
    "page or on this terminal.",
)
@scoring_options.judge
@shared_options.split(TEST_SUGGESTION)
@shared_options.limit
@shared_options.devices()
@page_options
@execution_model_options
@shared_options.run_folder
@shared_options.notes
@shared_options.as_json()
def command(
    dataset: Path,
    suggester: str | None,
    suggestions: Path | None,
    executor: str,
    accept: str,
    judging: scoring_options.JudgeOptions,
    split: str,
    limit: int | None,
    devices: tuple[str, ...],
    port: int,
    no_browser: bool,
    out: Path,
    as_json: bool,
    **model: Any,  # noqa: ANN401 - those of `execution_model_options`
) -> None:
    """Predict what each person wants, have it accepted, and carry it out on their simulated phone.

    The executor gets the accepted suggestion as its intent, with what the same person did for the earlier
    intent most similar to it. Every task counts: without an accepted suggestion it is not done. The model is
    that of the executor; a suggester with a model is run by `fingertip suggest` and given as --suggestions.
    The same call goes on where it stopped.
    """
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_studies.assist.carried_out import check_devices
    from fingertip_studies.assist.suggestions import JUDGE, PEOPLE, judge_suggestions

    if (suggester is None) == (suggestions is None):
        raise UsageError("give either --suggester NAME or --suggestions RUN: one of them predicts")
    if is_moments(split):
        raise UsageError(f"assist carries out what was wanted, and at moments nothing may be: got {split}")
    judging = replace(judging, judge=judging.judge or "simulated")
    built = BuiltDataset.open(dataset)
    devices = devices or ("simulated",)
    check_execution_agent(executor)
    executor = choose_execution_agent(executor, model)
    check_devices(devices)
    run = suggestions or out / SUGGESTIONS
    if suggester is not None:
        _suggest(dataset, suggester, run, split, limit)
    split = _check_run(run, built, split, limit, given=suggestions is not None)
    if accept != "judge":
        _let_people_accept(run, accept, port, no_browser)
    with (
        progress() as report,
        judging.open(run, dataset=dataset, on_progress=partial(report, "judged")) as judge,
    ):
        if judge is None:
            raise UsageError("--judge is missing: it decides which suggestions a person would accept")
        judged = judge_suggestions(run, judge, accepts=JUDGE if accept == "judge" else PEOPLE)
        by = judge.name
    accepted_by = f"judge {by}" if accept == "judge" else "people"
    origin = f"suggestions of {_name_suggester(run)} accepted by {accepted_by}"
    made = _execute(dataset, built, executor, judged, devices, out, split, origin, model)
    _finish(judged, made, out, by, accept, executor, as_json=as_json)


def _suggest(dataset: Path, name: str, out: Path, split: str, limit: int | None) -> None:
    from fingertip_agents import agent_traits, get_agent
    from fingertip_agents.setup import AgentSetup
    from suggestion_runner import run_suggestions

    if needs := agent_traits(name, "suggestion").needs:
        raise UsageError(
            f"the suggester {name} needs {needs}: run it by `fingertip suggest`, "
            "and give its run as --suggestions RUN"
        )
    with progress() as report:
        run_suggestions(
            dataset,
            get_agent(name, AgentSetup()),
            out,
            split=split,
            limit=limit,
            on_progress=lambda done, total: report("tasks answered", done, total),
        )


def _check_run(run: Path, built: BuiltDataset, split: str, limit: int | None, *, given: bool) -> str:
    """Check that a run is one of track 1 on this dataset, and return its split."""
    from suggestion_runner import read_run

    record = read_run(run)
    if record.dataset.data_sha256 != built.manifest.data_sha256:
        raise UsageError("the run was made on another dataset", file=run)
    if record.of_moments:
        raise UsageError(
            "assist carries out what was wanted, and at moments nothing may be: give a run on episodes",
            file=run,
        )
    if given and limit is not None:
        raise UsageError("--limit is for --suggester: the tasks are those of the run", file=run)
    if given and split not in (TEST_SUGGESTION, record.split):
        raise UsageError(f"the run is of split {record.split}, not {split}: leave --split out", file=run)
    return record.split


def _name_suggester(run: Path) -> str:
    from suggestion_runner import read_run

    return read_run(run).agent.name


def _let_people_accept(run: Path, where: str, port: int, no_browser: bool) -> None:
    from fingertip_analysis.review.acceptance import AcceptancePage, AcceptanceSession
    from fingertip_runs.annotation import PageServer
    from fingertip_studies.assist.suggestions import read_suggestions

    if not any(text for _, text in read_suggestions(run)):
        return
    with AcceptanceSession([run]) as session:
        if len(_judged(session)) == len(session):
            return
        if where == "terminal":
            _ask_here(session)
            return
        with PageServer(AcceptancePage(session, raters=()), port=port) as server:
            click.echo(f"{len(session):,} suggestions to accept or reject: {server.url}")
            serve(server, no_browser=no_browser)
        left = len(session) - len(_judged(session))
    if left:
        # what is carried out now could not be joined by what people accept later
        click.echo(
            f"fingertip: stopped: nobody has decided on {left:,} of {len(session):,} suggestions, and "
            "nothing was carried out; the same call goes on",
            err=True,
        )
        raise click.exceptions.Exit(130)


def _judged(session: Any) -> set[str]:  # noqa: ANN401 - imported only where people are asked
    """Keys of the suggestions on which somebody has decided."""
    return {key for name in session.raters() for key in session.order(name) if session.label(key, name)}


def _ask_here(session: Any) -> None:  # noqa: ANN401 - imported only where people are asked
    """Ask about each suggestion on the terminal; Ctrl-C keeps what was answered for the next call."""
    from fingertip_analysis.review.acceptance.acceptance_session import AcceptanceAnnotation
    from fingertip_cli.options.dataset_language import dataset_language
    from fingertip_dataset.release.problems import printable

    rater, language = "terminal", dataset_language()
    for key in session.order(rater):
        if session.label(key, rater) is not None:
            continue
        shown = session[key]
        click.echo(session.situation(shown.task_id)[language])
        yes = click.confirm(f"Accept this suggestion: {printable(shown.text, 400)}?", default=False)
        session.add(key, rater, AcceptanceAnnotation(accepted=yes, score=5 if yes else 1))


def _execute(
    dataset: Path,
    built: BuiltDataset,
    executor: str,
    judged: list[JudgedSuggestion],
    devices: tuple[str, ...],
    out: Path,
    split: str,
    origin: str,
    model: dict[str, Any],
) -> Path | None:
    """Carry out what was accepted, and return the folder of the run; None if there was nothing to do."""
    from fingertip_agents.registry import get_execution_agent, sends_pictures
    from fingertip_runs.reference_encoder import reference_encoder
    from fingertip_studies.assist.carried_out import carry_out

    with open_local_model(model, pictures=sends_pictures(executor)) as opened, progress() as report:

        def make_agent(simulations: Mapping[str, Mapping[str, Any]]) -> ExecutionAgent:
            return get_execution_agent(executor, execution_setup(model, opened, simulations=simulations))

        outcome = carry_out(
            dataset,
            [one for one in judged if one.accepted],
            make_agent,
            devices,
            out / EXECUTION,
            split=split,
            origin=origin,
            encode=reference_encoder(built),
            on_progress=lambda done, total: report("suggestions carried out", done, total),
        )
    return None if outcome is None else outcome.folder


def _finish(
    judged: list[JudgedSuggestion],
    run: Path | None,
    out: Path,
    judge: str,
    accept: str,
    executor: str,
    *,
    as_json: bool,
) -> None:
    from fingertip_studies.assist.assist_scores import assist_dict, score_assistance, write_assistance

    scores = score_assistance(judged, run, judge=judge)
    settings = {"judge": judge, "accept": accept, "executor": executor}
    try:
        out.mkdir(parents=True, exist_ok=True)
        file = write_assistance(scores, out, settings)
    except OSError as error:
        raise UsageError(f"the folder cannot be written: {error.strerror or error}", file=out) from error
    if as_json:
        print_json({"settings": settings, **assist_dict(scores)})
        return
    _print_scores(scores)
    click.echo(f"written: {file}")


def _print_scores(scores: AssistScores) -> None:
    from rich.table import Table

    from fingertip_cli.printing.console import console
    from fingertip_cli.printing.notes import Notes
    from fingertip_runs.cells import format_interval

    table = Table(
        title=f"Suggest, then carry out: {len(scores.tasks)} tasks, all in every mean", title_justify="left"
    )
    table.add_column("what")
    table.add_column("mean [95 %]", justify="right")
    shares = {
        "accepted %": scores.accepted,
        "right %: what the person wanted": scores.right,
        "carried out %: the suggestion's goal is reached": scores.carried_out,
        "done %: the person has what they wanted": scores.done,
    }
    for name, interval in shares.items():
        table.add_row(name, format_interval(interval, decimals=1, factor=100))
    table.add_row("in whose way: Sim_2, with 0 for a task without an attempt", format_interval(scores.sim2))
    table.add_row("Sim_2 of the attempts alone", format_interval(scores.sim2_attempted))
    console().print(table)
    below = Notes.of_call()
    below.add(scores.caveats)
    below.finish()
