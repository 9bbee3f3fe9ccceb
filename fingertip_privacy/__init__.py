"""Privacy: private parts of a release or a dataset are found, reviewed by people, and redacted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_privacy.finds import (
        Find,
        FindKind,
        FindPlace,
        ScanProblem,
        ScanReport,
        read_finds,
        read_report,
        write_finds,
    )

__all__ = [
    "Find",
    "FindKind",
    "FindPlace",
    "ScanProblem",
    "ScanReport",
    "read_finds",
    "read_report",
    "write_finds",
]

_MODULES = {
    "Find": "finds",
    "FindKind": "finds",
    "FindPlace": "finds",
    "ScanProblem": "finds",
    "ScanReport": "finds",
    "read_finds": "finds",
    "read_report": "finds",
    "write_finds": "finds",
}

if not TYPE_CHECKING:  # with a module `__getattr__`, a type checker would accept any name
    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
