"""Settings of a prompt and output format by name, as `--set NAME=VALUE` gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from fingertip_dataset.errors import UsageError
from fingertip_dataset.setting_lines import read_setting_line

OWN_OPTIONS: Mapping[str, str] = {
    "max_pixels": "--max-pixels",
    "screen_description": "--screen-description",
}
"""Settings that have an option of their own."""


def read_settings(lines: Iterable[str]) -> dict[str, Any]:
    """Read settings, each as NAME=VALUE; the last value of a name counts.

    Raises:
        UsageError: A line has no "=".

    >>> read_settings(["long_side=1200", "scroll_down=finger"])
    {'long_side': 1200, 'scroll_down': 'finger'}
    """
    return {name: value for line in lines for name, value in read_setting_line(line).items()}


def list_setting_names(cls: type) -> tuple[str, ...]:
    """Names of the settings of a format that have no option of their own, sorted."""
    return tuple(sorted(set(signature(cls).parameters) - set(OWN_OPTIONS)))


def check_settings(agent: str, cls: type, given: Mapping[str, object]) -> dict[str, Any]:
    """The given settings, each of the type that the format declares.

    Args:
        agent: Name of the agent, for the message.
        cls: Class of the format.
        given: Name -> value.

    Raises:
        UsageError: The agent does not have such a setting, or its value is of another type.

    >>> from fingertip_agents.formats.cogagent import CogAgent
    >>> check_settings("cogagent", CogAgent, {"scroll_down": "finger"})
    {'scroll_down': 'finger'}
    """
    names = list_setting_names(cls)
    found = {}
    for name, value in given.items():
        if name not in names:
            if name in OWN_OPTIONS:
                raise UsageError(f"the setting {name} has an option of its own: {OWN_OPTIONS[name]}")
            has = f"its settings are {', '.join(names)}" if names else "it has no settings"
            raise UsageError(f"the agent {agent} takes no --set {name[:40]}: {has}")
        hint = signature(cls, eval_str=True).parameters[name].annotation
        try:
            found[name] = TypeAdapter(hint, config=ConfigDict(strict=True)).validate_python(value)
        except ValidationError as error:
            reason = error.errors(include_url=False)[0]["msg"].lower()
            raise UsageError(
                f"the setting {name} of {agent} cannot be {str(value)[:40]!r}: {reason}"
            ) from None
    return found
