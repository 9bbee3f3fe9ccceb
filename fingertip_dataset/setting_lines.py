"""Settings on the command line, each as NAME=VALUE, with the value in the syntax of TOML."""

from __future__ import annotations

import tomllib
from typing import Any

from fingertip_dataset.errors import UsageError


def read_setting_line(line: str) -> dict[str, Any]:
    """Read one setting as {name: value}; a value that is no TOML is a text without its quotation marks.

    Raises:
        UsageError: The line has no "=".

    >>> read_setting_line("learning_rate=2e-4"), read_setting_line("scheduler = cosine")
    ({'learning_rate': 0.0002}, {'scheduler': 'cosine'})
    """
    name, found, value = line.partition("=")
    if not found:
        raise UsageError(f"expected a setting as NAME=VALUE, got {line[:80]!r}")
    name = name.strip()
    try:
        return {name: tomllib.loads(f"value = {value}")["value"]}
    except (tomllib.TOMLDecodeError, KeyError):
        return {name: value.strip()}
