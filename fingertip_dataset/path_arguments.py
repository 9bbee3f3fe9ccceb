"""Paths as text in public functions, whose parameters are of type `Path`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def accept_path_texts(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function take a text for each parameter that is a `Path` or a sequence of them.

    >>> accept_path_texts(_read_suffix)("runs/habit.zip")
    '.zip'
    """
    known = signature(function)
    single = {name for name, part in known.parameters.items() if part.annotation in _ONE}
    several = {name for name, part in known.parameters.items() if part.annotation in _MANY}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        if not any(map(_has_text, (*args, *kwargs.values()))):
            return function(*args, **kwargs)
        try:
            bound = known.bind(*args, **kwargs)
        except TypeError:
            # Python's own message about the arguments
            return function(*args, **kwargs)
        _convert(bound.arguments, single, several)
        return function(*bound.args, **bound.kwargs)

    return call


_ONE = ("Path", "Path | None")
_MANY = ("Sequence[Path]",)


def _has_text(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list | tuple) and any(isinstance(part, str) for part in value)
    )


def _convert(arguments: dict[str, object], single: set[str], several: set[str]) -> None:
    for name, value in arguments.items():
        if name in single and isinstance(value, str):
            arguments[name] = Path(value)
        elif name in several and isinstance(value, list | tuple):
            arguments[name] = [Path(part) for part in value]


def _read_suffix(file: Path) -> str:
    return file.suffix
