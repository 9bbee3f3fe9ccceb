"""Errors of a call as one line of `inspect`, not as a traceback."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

# not public, but what every package of tasks raises: Inspect prints its message alone
from inspect_ai._util.error import PrerequisiteError

from fingertip_dataset.errors import FingerTipError

P = ParamSpec("P")
R = TypeVar("R")


def one_line_errors(function: Callable[P, R]) -> Callable[P, R]:
    """A task function whose errors of ours are one line that `inspect eval` prints."""

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except FingerTipError as error:
            raise PrerequisiteError(str(error)) from error

    return called
