"""Options given on the command line, and a refusal of those that nothing would read."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache

import click

from fingertip_dataset.errors import UsageError

PRICE_OPTIONS = ("price_prompt", "price_completion", "currency")
"""Names of the options of `model_options` that give token prices."""

OUTPUT_OPTIONS = ("out", "as_json", "notes")
"""Names of the output options, which every agent and experiment reads."""


def list_given_options() -> dict[str, str]:
    """Map each option that the user gave, also by --config, to its spelling, such as `--history-model`."""
    context = click.get_current_context()
    return {
        option.name: max(option.opts, key=len)
        for option in context.command.params
        if isinstance(option, click.Option)
        and option.name is not None
        and context.get_parameter_source(option.name) not in (click.core.ParameterSource.DEFAULT, None)
    }


def refuse_unused(what: str, why: str, *, used: Collection[str]) -> None:
    """Check that every given option is read.

    Args:
        what: Subject of the message, such as "figure-5".
        why: Reason in the message, after the colon.
        used: Names of the options that are read.

    Raises:
        UsageError: Another option is given.
    """
    unused = [spelled for name, spelled in list_given_options().items() if name not in used]
    if unused:
        raise UsageError(f"{what} takes no {', '.join(unused)}: {why}")


@cache
def option_names(*groups: Callable[..., Callable[..., None]]) -> frozenset[str]:
    """Names of the options that decorators like `model_options` add to a command."""

    def probe() -> None:
        """Function without a body, decorated to list the options."""

    command: Callable[..., None] = probe
    for group in groups:
        command = group(command)
    return frozenset(option.name for option in click.command()(command).params if option.name)


def refuse_model_options(
    agent: str, *groups: Callable[..., Callable[..., None]], used: Collection[str]
) -> None:
    """Refuse model options for an agent that uses no model.

    Args:
        agent: Name of the agent.
        groups: Decorators that add the model options.
        used: Names of model options that are read all the same.

    Raises:
        UsageError: An unused model option is given.
    """
    others = set(list_given_options()) - option_names(*groups)
    refuse_unused(
        f"the agent {agent}", "it uses no model, leave out the model's options", used=others | set(used)
    )
