"""Errors of the system and of missing packages as errors of the project, so that each is one line."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, requires

from fingertip_cli.extras import EXTRAS
from fingertip_dataset.errors import FingerTipError, MissingExtraError, UsageError
from fingertip_dataset.similar_names import did_you_mean

DISTRIBUTIONS = {"sklearn": "scikit-learn", "scipy": "scikit-learn", "zxingcpp": "zxing-cpp"}
"""Import name -> the distribution that brings it, where that is not the name with hyphens."""

_EXTRA = re.compile(r"extra == ['\"]([\w.-]+)['\"]")
_PHONE = "fingertip-phone"


def explain_error(error: Exception) -> FingerTipError | None:
    """The error of the project for an error from outside; None for what only a bug can cause.

    Args:
        error: A package of an extra that is missing, a file or a socket that the system refuses, a phone
            that cannot be drawn, or a worker process that was ended.
    """
    if isinstance(error, ModuleNotFoundError):
        return _find_missing_extra(error)
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
    for extra, names in _list_brought("fingertip-20k").items():
        for name in names:
            found[name] = (*found.get(name, ()), extra)
    return found


def _list_brought(distribution: str) -> dict[str, list[str]]:
    """Extra -> the distributions that it installs, with those of the phone's extras that it asks for."""
    from packaging.requirements import Requirement

    found: dict[str, list[str]] = {}
    for line in requires(distribution) or ():
        needed = Requirement(line)
        match = _EXTRA.search(str(needed.marker))
        if match is None:
            continue
        names = found.setdefault(match[1], [])
        names.append(needed.name.lower().replace("_", "-"))
        if needed.name == _PHONE:
            names += [name for extra in needed.extras for name in _list_brought(_PHONE)[extra]]
    return found


def _find_missing_extra(error: ModuleNotFoundError) -> MissingExtraError | None:
    module = (error.name or "").partition(".")[0]
    name = DISTRIBUTIONS.get(module, module.replace("_", "-"))
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
