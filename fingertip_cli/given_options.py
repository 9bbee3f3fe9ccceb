"""Which options stand on the command line, and a refusal of those that nothing would read."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache

import click

from fingertip_dataset.errors import UsageError

PRICES = ("price_prompt", "price_completion", "currency")
"""Of `model_options`: what tokens cost."""

OUTPUT = ("out", "as_json")
"""Where and how a command writes, which every agent and experiment has."""


def given_options() -> dict[str, str]:
    """Name of each option that the user gave -> how it is spelled, as `--history-model`."""
    context = click.get_current_context()
    default = (click.core.ParameterSource.DEFAULT, click.core.ParameterSource.DEFAULT_MAP)
    return {
        option.name: max(option.opts, key=len)
        for option in context.command.params
        if isinstance(option, click.Option)
        and option.name is not None
        and context.get_parameter_source(option.name) not in (*default, None)
    }


def refuse_unused(what: str, why: str, *, used: Collection[str]) -> None:
    """See to it that every given option is one of those that are read.

    Args:
        what: Takes them not, as "figure-5".
        why: The rest of the sentence.
        used: Names of the options that are read.

    Raises:
        UsageError: Another one is given.
    """
    unused = [spelled for name, spelled in given_options().items() if name not in used]
    if unused:
        raise UsageError(f"{what} takes no {', '.join(unused)}: {why}")


@cache
def names_of(*groups: Callable[..., Callable[..., None]]) -> frozenset[str]:
    """The names of the options that decorators like `model_options` add to a command."""

    def nothing() -> None:
        """Carries the options."""

    command: Callable[..., None] = nothing
    for group in groups:
        command = group(command)
    return frozenset(option.name for option in click.command()(command).params if option.name)


def refuse_model_options(
    agent: str, *groups: Callable[..., Callable[..., None]], used: Collection[str]
) -> None:
    """See to it that no option of a model stands beside an agent that asks none.

    Args:
        agent: Its name.
        groups: The decorators that add the options of models.
        used: Names of those that are read all the same.

    Raises:
        UsageError: One of them is given.
    """
    others = set(given_options()) - names_of(*groups)
    refuse_unused(f"the agent {agent}", "it asks no model, leave out what is of one", used=others | set(used))
