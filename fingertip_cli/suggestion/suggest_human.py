"""`fingertip suggest --agent human`: people answer on a local page (last row of the paper's table 3)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options.model_options import Command, add_options
from fingertip_cli.printing.json_output import print_json
from fingertip_cli.printing.next_call import print_next_score
from fingertip_cli.serving import page_options, serve
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable

if TYPE_CHECKING:
    from suggestion_runner.human import HumanSession
    from suggestion_runner.task_view import TaskView

AGENT = "human"

HUMAN_OPTIONS = ("rater", "overlap", "port", "no_browser")
"""Names of the options of the agent human."""

SHARED_OPTIONS = ("seed", "language")
"""Names of model options that the agent human reads too: the seed of the draws, the language of the page."""


def human_options(command: Command) -> Command:
    """Add the options of `HUMAN_OPTIONS`, which `answer_on_page` reads by their names."""
    options = (
        click.option(
            "--rater",
            multiple=True,
            metavar="NAME",
            help="With --agent human: name of a rater; repeatable.  [default: the page asks for it]",
        ),
        click.option(
            "--overlap",
            type=click.FloatRange(0, 1),
            default=0.1,
            show_default=True,
            help="With --agent human: share of the tasks that two raters answer.",
        ),
        page_options,
    )
    return add_options(command, options)


def check_options(agent: str, options: Mapping[str, Any]) -> None:
    """Refuse model options for the agent human, and the agent human's options for other agents.

    Args:
        agent: Name of the agent.
        options: The command's options of models and of the agent human.

    Raises:
        UsageError: Such an option is given.
    """
    source = click.get_current_context().get_parameter_source
    given = [name for name in options if source(name) is not click.core.ParameterSource.DEFAULT]
    for name in given:
        option = f"--{name.replace('_', '-')}"
        if agent == AGENT and name not in (*HUMAN_OPTIONS, *SHARED_OPTIONS):
            raise UsageError(f"{option} is for models: leave it out with --agent {AGENT}")
        if agent != AGENT and name in HUMAN_OPTIONS:
            raise UsageError(f"{option} needs --agent {AGENT}, got --agent {agent}")


def answer_on_page(
    dataset: Path, out: Path, view: TaskView, options: Mapping[str, Any], *, as_json: bool
) -> None:
    """Open the page and serve it until a rater ends it, or Ctrl-C; then print how far the run is."""
    from fingertip_runs.annotation import PageServer
    from suggestion_runner.human import HumanPage, HumanSession

    raters = options["rater"]
    with HumanSession(dataset, out, view=view, overlap=options["overlap"], raters=raters) as session:
        if session.complete:
            if as_json:
                print_json(_object(session, out))
            click.echo(f"{out}: finished before, all {len(session):,} tasks are answered: nothing to do")
            return
        page = HumanPage(session, raters=raters, language=options["language"])
        with PageServer(page, port=options["port"]) as server:
            click.echo(f"{len(session):,} tasks, {session.open_places:,} answers to give: {server.url}")
            serve(server, no_browser=options["no_browser"], kept="answer")
        if as_json:
            print_json(_object(session, out))
        _print_progress(session, out)


def _object(session: HumanSession, out: Path) -> dict[str, Any]:
    """Object that --json prints: the tasks, and the answers of each rater."""
    return {
        "folder": str(out),
        "tasks": len(session),
        "answered": session.answered_tasks,
        "complete": session.complete,
        "raters": {rater: len(session.answered(rater)) for rater in session.raters()},
    }


def _print_progress(session: HumanSession, out: Path) -> None:
    """Print the answers counted by rater, and the next command."""
    tasks, answered = len(session), session.answered_tasks
    click.echo(f"{out}: {answered:,} of {tasks:,} tasks answered")
    for rater in session.raters():
        click.echo(f"  {printable(rater)}: {len(session.answered(rater)):,} answers")
    if session.complete:
        print_next_score(out, suggestion=True)
    elif answered == tasks:
        click.echo(
            f"{session.open_places:,} tasks wait for a second rater's answer: the same call resumes, with "
            "another --rater; the run can be scored without them"
        )
    else:
        click.echo("the same call resumes the run, with the same or another --rater")
