"""The model of an agent of track 2: its options, their check, and the set-up of the agent."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import click

from fingertip_cli.options.given_options import refuse_model_options
from fingertip_cli.options.model_options import (
    Command,
    add_options,
    backend,
    local_options,
    model_options,
    read_options,
)

if TYPE_CHECKING:
    from fingertip_agents.setup import AgentSetup
    from fingertip_models.model import Model


def execution_model_options(command: Command) -> Command:
    """Add the options of the model of an agent of track 2, which queries a server or a checkpoint."""
    return add_options(command, (model_options, backend(), local_options))


def check_execution_agent(name: str, *, used: Collection[str] = ()) -> None:
    """Check an agent's name, and refuse model options for an agent without a model.

    Args:
        name: Name of an agent of track 2, also an old one.
        used: Names of model options that are read all the same.

    Raises:
        UsageError: There is no such agent, or a model option is given that it does not read.
    """
    from fingertip_agents.registry import (
        AUTO,
        agent_traits,
        check_execution_name,
        current_execution_name,
        is_format,
    )

    check_execution_name(name)
    name = current_execution_name(name)
    if name != AUTO and not is_format(name):
        drawn = ("seed",) if agent_traits(name, "execution").seeded else ()
        refuse_model_options(name, execution_model_options, used={*used, *drawn})


def choose_execution_agent(name: str, model: Mapping[str, Any]) -> str:
    """Current name of an agent; of `auto` the format of the model, which is printed with what it needs.

    Args:
        name: Name of an agent of track 2, also an old one.
        model: The values of `execution_model_options`.

    Raises:
        UsageError: The format of the model is unknown or not certain.
    """
    from fingertip_agents.registry import AUTO, choose_execution_name

    chosen = choose_execution_name(name, model["model"])
    if name == AUTO:
        from fingertip_agents.known_models import find_models

        click.echo(f"agent {chosen} for the model {model['model']}", err=True)
        limits = {row.max_pixels for row in find_models(model["model"])} - {None}
        if limits and model["max_pixels"] is None:
            click.echo(f"hint: --max-pixels {max(filter(None, limits))} is recommended for it", err=True)
    return chosen


def execution_setup(model: Mapping[str, Any], opened: Model | None, **fields: Any) -> AgentSetup:  # noqa: ANN401
    """The set-up of an agent of track 2.

    Args:
        model: The values of `execution_model_options`.
        opened: The model of this process; None for one behind a server, or none.
        fields: Further fields of `AgentSetup`.
    """
    from fingertip_agents.setup import AgentSetup

    return AgentSetup(
        model=read_options(model),
        opened=opened,
        preflight=not model["no_preflight"],
        seed=model["seed"],
        **fields,
    )
