"""`fingertip suggest --agent human`: people answer on a page on this computer (the last row of table 3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.serving import page_options, serve
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable

if TYPE_CHECKING:
    from suggestion_runner.human import HumanSession
    from suggestion_runner.task_view import TaskView

AGENT = "human"

OF_PEOPLE = ("rater", "overlap", "port", "no_browser")
"""Options that only people have."""

OF_ALL = ("seed", "language")
"""Options of a model that mean something for people, too: of the sample and the dealing; of the page."""


def human_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options of `OF_PEOPLE`; the command gets them by their names, for `answer_on_page`."""
    options = (
        click.option(
            "--rater",
            multiple=True,
            metavar="NAME",
            help="With --agent human: who answers; may be repeated.  [default: the page asks]",
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
    for option in reversed(options):
        command = option(command)
    return command


def check_options(agent: str, options: Mapping[str, Any]) -> None:
    """Refuses options that do not go with the agent: those of a model with people, and the other way round.

    Args:
        agent: Its name.
        options: All options of the command that are of a model or of people.

    Raises:
        UsageError: One of them is given.
    """
    source = click.get_current_context().get_parameter_source
    given = [name for name in options if source(name) is not click.core.ParameterSource.DEFAULT]
    for name in given:
        option = f"--{name.replace('_', '-')}"
        if agent == AGENT and name not in (*OF_PEOPLE, *OF_ALL):
            raise UsageError(f"{option} is for models: people answer with --agent {AGENT}, leave it out")
        if agent != AGENT and name in OF_PEOPLE:
            raise UsageError(f"{option} is for people who answer: it needs --agent {AGENT}, not {agent}")


def answer_on_page(dataset: Path, out: Path, view: TaskView, options: Mapping[str, Any]) -> None:
    """Opens the page and serves it until a rater ends it, or Ctrl-C; then says how far the run is."""
    from fingertip_runs.annotation import PageServer
    from suggestion_runner.human import HumanPage, HumanSession

    raters = options["rater"]
    with HumanSession(dataset, out, view=view, overlap=options["overlap"], raters=raters) as session:
        if session.complete:
            click.echo(f"{out}: finished before, all {len(session):,} tasks are answered: nothing to do")
            return
        page = HumanPage(session, raters=raters, language=options["language"])
        with PageServer(page, port=options["port"]) as server:
            click.echo(f"{len(session):,} tasks, {session.open_places:,} answers to give: {server.url}")
            serve(server, no_browser=options["no_browser"], kept="answer")
        _tell(session, out)


def _tell(session: HumanSession, out: Path) -> None:
    """How far the run is, and what comes next."""
    tasks, answered = len(session), session.answered_tasks
    click.echo(f"{out}: {answered:,} of {tasks:,} tasks answered")
    for rater in session.raters():
        click.echo(f"  {printable(rater)}: {len(session.answered(rater)):,} answers")
    if session.complete:
        click.echo(f"next: fingertip score {out}")
    elif answered == tasks:
        click.echo(
            f"{session.open_places:,} tasks wait for a second rater's answer: the same call goes on, with "
            "another --rater; the run can be scored without"
        )
    else:
        click.echo("the same call goes on, with the same or another --rater")
