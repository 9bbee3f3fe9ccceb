"""The agent's card on the leaderboard, from the options of commands, and these options."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from fingertip_cli.options import shared_options
from fingertip_cli.options.model_options import Command, add_options
from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_leaderboard.bundle.schema import AgentCard

CARD_FORMS: Mapping[str, str] = MappingProxyType(
    {
        "contact": "give an e-mail address or an https link",
        "link": "give an https link",
        "model-size": "give a number with M, B or T, such as 7B",
    }
)
"""Option -> its form, for the message; a schema's pattern would say nothing to a user."""

CARD_OPTIONS: Mapping[str, str] = MappingProxyType(
    {"links": "link", "size": "model-size", "model": "model-name"}
)
"""Field of the card -> the option that sets it, where it has another name."""


def add_card_options(command: Command) -> Command:
    """Add the options of how an agent is described on a board; the name of its model is that of --model."""
    options = (
        shared_options.card_name,
        shared_options.card_contact,
        shared_options.card_description,
        shared_options.card_weights,
        shared_options.card_links,
    )
    return add_options(command, options)


def read_card(fields: Mapping[str, object]) -> AgentCard:
    """Read the card; `fields` are its fields by name.

    Raises:
        UsageError: A value is invalid, or the name is not what it looks like, as a verifier says; the message
            names its option.
    """
    from pydantic import ValidationError

    from fingertip_leaderboard.bundle.schema import AgentCard
    from fingertip_leaderboard.verify.confusables import find_disguise

    try:
        card = AgentCard.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = str(first["loc"][0])
        option = CARD_OPTIONS.get(field, field)
        needed = CARD_FORMS.get(option, first["msg"])
        raise UsageError(f"--{option} cannot be {fields[field]!r}: {needed}") from None
    hidden = find_disguise(card.name)
    if hidden is not None:
        raise UsageError(f"--name cannot be {card.name!r}: it has {hidden}")
    return card
