"""`fingertip suggest --month`: moments one after another, with what the person answers to each suggestion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options.given_options import list_given_options
from fingertip_cli.options.model_options import add_options
from fingertip_cli.printing.progress import progress
from fingertip_cli.printing.unreadable import report_suggestions
from fingertip_dataset.errors import UsageError
from fingertip_dataset.split_names import MONTH

if TYPE_CHECKING:
    from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
    from fingertip_models.prices import Prices
    from suggestion_runner.run_outcome import RunOutcome
    from suggestion_runner.task_view import TaskView

REFUSED: Mapping[str, str] = {
    "split": "a month has the moments of all splits",
    "history": "--memory chooses what is shown of the person's past",
    "history_intents": "the memory shows what the person declared",
    "sample": "a moment depends on those before it, so take --limit or --only-users",
    "distribution": "a moment has one answer, an intent or nothing",
}
"""Options that a month does not take, with the reason."""


def month_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --month and --feedback to a command."""
    options = (
        click.option(
            "--month",
            is_flag=True,
            help="Run the moments of all splits one after another, one person after the other; the person "
            "answers each suggestion, and later moments know the answers.",
        ),
        click.option(
            "--feedback/--no-feedback",
            default=True,
            help="With --month: whether agent and memory get the person's answers.  [default: feedback]",
        ),
    )
    return add_options(command, options)


def choose_split(split: str, agent: str, options: Mapping[str, Any]) -> str:
    """Return the split to run: that of a month with --month, else the given one.

    Args:
        split: Value of --split.
        agent: Name of the agent.
        options: Values of `month_options`, and of --backend.

    Raises:
        UsageError: An option is given that a month does not take, or --no-feedback without a month.
    """
    given = list_given_options()
    if not options["month"]:
        if "feedback" in given:
            raise UsageError("--feedback and --no-feedback need --month: only there does the person answer")
        return split
    for name, reason in REFUSED.items():
        if name in given:
            raise UsageError(f"--month takes no {given[name]}: {reason}")
    if agent == "human":
        raise UsageError("--month needs an agent that answers by itself, got --agent human")
    if options["backend"] == "batch":
        raise UsageError(
            "--month asks about a moment when the answers before it are known, which batch files cannot: "
            "leave out --backend batch"
        )
    return MONTH


def live_months(
    dataset: Path,
    agent: SuggestionAgent,
    out: Path,
    view: TaskView,
    prices: Prices | None,
    options: Mapping[str, Any],
) -> RunOutcome:
    """Run an agent through people's months.

    Args:
        dataset: The dataset.
        agent: The agent, set up for moments.
        out: Folder of the run.
        view: Parts of each task that the agent sees, of the split of `choose_split`.
        prices: Prices of the model's tokens.
        options: Values of the options.
    """
    from suggestion_runner.month.month_run import run_month

    with progress() as report:
        return run_month(
            dataset,
            agent,
            out,
            view=view,
            feedback=options["feedback"],
            concurrency=options["concurrency"],
            prices=prices,
            keep_going=options["keep_going"],
            **report_suggestions(report, "moments answered", options["currency"]),
        )
