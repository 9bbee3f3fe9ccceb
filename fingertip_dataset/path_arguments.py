"""Paths as text in public functions, whose parameters are of type `Path`."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import ParamSpec, TypeVar

from fingertip_dataset.errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")


def accept_path_texts(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function take a text for each parameter that is a `Path` or a sequence of them.

    A path that no file system takes is a UsageError; see `check_path`.

    >>> accept_path_texts(_read_suffix)("runs/habit.zip")
    '.zip'
    """
    known = signature(function)
    single = {name for name, part in known.parameters.items() if part.annotation in _ONE}
    several = {name for name, part in known.parameters.items() if part.annotation in _MANY}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            bound = known.bind(*args, **kwargs)
        except TypeError:
            # Python's own message about the arguments
            return function(*args, **kwargs)
        if any(map(_has_text, (*args, *kwargs.values()))):
            _convert(bound.arguments, single, several)
        for path in _list_paths(bound.arguments, {*single, *several}):
            check_path(path)
        return function(*bound.args, **bound.kwargs)

    return call


def check_path(path: Path) -> None:
    """Refuse a path that no file system takes, whether or not something is there.

    Raises:
        UsageError: A name in it, or the whole path, is too long.
    """
    try:
        path.lstat()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise UsageError(explain_long_path(path)) from None
    except ValueError:
        return  # a null character: whoever opens it says so


def explain_long_path(path: Path) -> str:
    """Return a message about a path that is too long for a file system.

    >>> explain_long_path(Path("runs") / ("x" * 300))
    'the path runs/xxxxxxxxxxxxxxxxxxxxxxxxx... has a name of 300 bytes, and a file system takes at most 255'
    """
    longest, whole = max((len(os.fsencode(part)) for part in path.parts), default=0), str(path)
    shown = f"{whole[:_SHOWN]}..." if len(whole) > _SHOWN else whole
    what = f"a name of {longest} bytes, and a file system takes at most {_MOST_NAME}"
    if longest <= _MOST_NAME:
        what = f"{len(os.fsencode(whole))} bytes, more than the file system takes"
    return f"the path {shown} has {what}"


_SHOWN = 30
"""Characters of a path that a message shows if it is too long."""

_MOST_NAME = 255
"""Maximum bytes of a name in the file systems of Linux; those of macOS and Windows count characters."""

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


def _list_paths(arguments: dict[str, object], names: set[str]) -> Iterator[Path]:
    for name in names & arguments.keys():
        value = arguments[name]
        for one in value if isinstance(value, list | tuple) else (value,):
            if isinstance(one, Path):
                yield one


def _read_suffix(file: Path) -> str:
    return file.suffix
