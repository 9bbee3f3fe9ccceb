"""Errors of a call as one line of `inspect`, not as a traceback."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar, get_type_hints

from click import ClickException
from pydantic import TypeAdapter, ValidationError

from fingertip_dataset.errors import FingerTipError, UsageError

P = ParamSpec("P")
R = TypeVar("R")


class TaskCallError(ClickException):
    """An error in the arguments of a task; `inspect`, a command of click, prints its message alone."""


def raise_one_line_errors(function: Callable[P, R]) -> Callable[P, R]:
    """A task function whose errors of ours, and values of wrong types, are one line of `inspect eval`."""
    hints = get_type_hints(function)

    @wraps(function)
    def call_in_one_line(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **_read_values(kwargs, hints))  # type: ignore[arg-type]
        except ValidationError as error:
            raise TaskCallError(_read_first_line(error)) from error
        except FingerTipError as error:
            raise TaskCallError(str(error)) from error

    return call_in_one_line


def _read_values(given: Mapping[str, object], hints: Mapping[str, Any]) -> dict[str, object]:
    """Values of `-T NAME=VALUE`, which Inspect reads as YAML: a folder's name may have become a number.

    Raises:
        UsageError: One is neither what the argument takes nor can be read as it.
    """
    found: dict[str, object] = {}
    for name, value in given.items():
        hint = hints[name]
        if hint in (str, str | None):
            # lists are read where several names are taken
            found[name] = str(value) if isinstance(value, int | float) else value
            continue
        try:
            found[name] = TypeAdapter(hint).validate_python(value)
        except ValidationError as error:
            wanted = error.errors()[0]["msg"].removeprefix("Input should be ").partition(", unable")[0]
            raise UsageError(f"expected {wanted} for -T {name}, got {value!r}") from error
    return found


def _read_first_line(error: ValidationError) -> str:
    """The fault of a setting, by the record of the run that refuses it."""
    first = error.errors()[0]
    name = ".".join(map(str, first["loc"]))
    return f"expected {first['msg'].removeprefix('Input should be ')} for -T {name}, got {first['input']!r}"
