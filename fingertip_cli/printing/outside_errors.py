"""Errors of the system and of missing packages as errors of the project, so that each is one line."""

from __future__ import annotations

import errno
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

from fingertip_cli.extras import EXTRAS
from fingertip_dataset.errors import (
    NO_MEMORY,
    FingerTipError,
    MissingExtraError,
    UsageError,
    is_memory_shortage,
)
from fingertip_dataset.missing_packages import list_brought, name_distribution
from fingertip_dataset.path_arguments import explain_long_path
from fingertip_dataset.similar_names import did_you_mean


def explain_error(error: Exception) -> FingerTipError | None:
    """The error of the project for an error from outside; None for what only a bug can cause.

    Args:
        error: A package of an extra that is missing, a file or a socket that the system refuses, a phone
            that cannot be drawn, or a worker process that was ended.
    """
    if isinstance(error, ModuleNotFoundError):
        return _find_missing_extra(error)
    if is_memory_shortage(error):
        return UsageError(NO_MEMORY)
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return UsageError(explain_long_path(Path(_text(error.filename) or "")))
    if isinstance(error, OSError) and error.strerror:
        return UsageError(f"the system refused: {error.strerror}", file=_text(error.filename))
    # the simulated phone imports nothing of ours, so its errors have a tree of their own
    phone_errors = sys.modules.get("simulated_phone.phone_errors")
    if phone_errors is not None and isinstance(
        error, phone_errors.PhoneSetupError | phone_errors.PhoneHungError
    ):
        unknown = isinstance(error, phone_errors.PhoneNameError)
        return UsageError(f"{error}{did_you_mean(error.name, error.names) if unknown else ''}")
    pools = sys.modules.get("concurrent.futures.process")
    if pools is not None and isinstance(error, pools.BrokenProcessPool):
        return UsageError(
            "a worker process was ended by the system (out of memory?): try again with --workers 1"
        )
    return None


def extras() -> dict[str, tuple[str, ...]]:
    """Distribution -> the extras of this project that install it."""
    found: dict[str, tuple[str, ...]] = {}
    for extra, names in list_brought().items():
        for name in names:
            found[name] = (*found.get(name, ()), extra)
    return found


def _find_missing_extra(error: ModuleNotFoundError) -> MissingExtraError | None:
    name = name_distribution(error.name or "")
    try:
        by = extras().get(name, ())
    except PackageNotFoundError:
        return None
    extra = next((extra for extra in EXTRAS if extra in by), None)
    return MissingExtraError(name, extra) if extra else None


def _text(filename: object) -> str | None:
    """A path of an OSError as text; its numbers of open files are no paths."""
    if isinstance(filename, bytes):
        filename = filename.decode("utf-8", "backslashreplace")
    return filename.encode("utf-8", "backslashreplace").decode() if isinstance(filename, str) else None
