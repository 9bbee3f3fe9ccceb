"""Privacy: private parts of a release or a dataset are found, reviewed by people, and redacted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_privacy.find_decisions import FindDecision, FindDecisions, decide_finds, read_decisions
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
    from fingertip_privacy.redaction.redact import RedactionSettings, redact

__all__ = [
    "Find",
    "FindDecision",
    "FindDecisions",
    "FindKind",
    "FindPlace",
    "RedactionSettings",
    "ScanProblem",
    "ScanReport",
    "decide_finds",
    "read_decisions",
    "read_finds",
    "read_report",
    "redact",
    "write_finds",
]


_ALIASES = {"decided_finds": "decide_finds"}
"""Name of an earlier version -> current name."""

if not TYPE_CHECKING:  # with a module `__getattr__`, a type checker would accept any name
    __getattr__, __dir__ = lazy_names(__name__, aliases=_ALIASES)
