"""Provenance of recordings: whether people's phones recorded them, by a closed list of kinds.

It decides whether scores carry the warning that their data are not people's, so what is not understood is
never taken for "recorded", and neither is what bears a sign of simulation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator

from fingertip_dataset.folded_text import fold_forms
from fingertip_dataset.release.problems import printable

RECORDED = "recorded"
"""People's own phones recorded it."""
SAMPLE = "sample"
"""Drawn or written, to show a format."""
SIMULATED = "simulated"
"""Simulated people on a simulated phone."""
UNCLEAR = "unclear"
"""The data state a provenance that is none of these."""

KINDS = (RECORDED, SAMPLE, SIMULATED, UNCLEAR)

LONGEST_QUOTED = 40
"""Characters of a stated provenance that a message repeats."""

_SIGNS = re.compile(r"simul|synthe|emulat|artificial|模拟|仿真|合成|虚构|模擬|仿眞|虛構")
"""Words of data that were not recorded from people."""
_FIELD = "provenance"
_MARKED = ("simulation",)
"""Fields that only simulated recordings have."""
_IN_WORDS = ("origin", "provenance")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedProvenance:
    """Provenance by a survey.

    Attributes:
        kind: One of `KINDS`; "" if the survey states none and bears no sign of simulation.
        fault: Description of what was not understood or contradicts itself; None without any.
    """

    kind: str = ""
    fault: str | None = None


def read_provenance(fields: Mapping[str, object]) -> StatedProvenance:
    """Read the provenance of a survey, whose names of fields are normalized by `plain_key`.

    >>> [read_provenance({"provenance": stated}).kind for stated in (" Sample ", ["simulated"], True)]
    ['sample', 'simulated', 'unclear']
    >>> read_provenance({}).kind
    ''
    """
    stated = fields.get(_FIELD)
    is_stated = _FIELD in fields and stated != ""
    kind = _read_kind(stated) if is_stated else ""
    sign = _find_sign(fields)
    if sign and kind in {"", RECORDED}:
        claimed = f"stated as {kind}" if kind else "not stated"
        return StatedProvenance(
            kind=SIMULATED, fault=f"the provenance is {claimed}, but {sign}: read as {SIMULATED}"
        )
    if is_stated and fold_forms(stated.strip() if isinstance(stated, str) else "") != kind:
        expected = f"expected the provenance {', '.join(KINDS[:-2])} or {SIMULATED}"
        return StatedProvenance(kind=kind, fault=f"{expected}, got {_quote(stated)}: read as {kind}")
    return StatedProvenance(kind=kind)


def _read_kind(stated: object) -> str:
    text = fold_forms(stated).strip() if isinstance(stated, str) else ""
    if text in KINDS:
        return text
    return SIMULATED if _SIGNS.search(fold_forms(_write(stated))) else UNCLEAR


def _find_sign(fields: Mapping[str, object]) -> str:
    """Describe what says that a recording was simulated; "" without a sign."""
    for name in _MARKED:
        if fields.get(name) not in (None, "", False):
            return f"the survey has the field {name}"
    found = next((name for name in _IN_WORDS if _SIGNS.search(fold_forms(_write(fields.get(name))))), "")
    return f"its {found} says so" if found else ""


def _write(value: object) -> str:
    return "" if value is None else str(value)


def _quote(value: object) -> str:
    text = printable(_write(value) if value is not None else "null")
    return repr(text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}…")


def join_provenances(kinds: Iterable[str]) -> str:
    """Write the provenance of a release whose recordings have these kinds, "" for one that states none.

    >>> join_provenances(["simulated", ""])
    'recorded+simulated'
    """
    return "+".join(sorted({kind or RECORDED for kind in kinds})) or RECORDED


def check_provenance(written: str) -> str:
    """Return a provenance that a file states, joined with "+"; an unknown kind becomes "unclear".

    >>> check_provenance("recorded+simulated"), check_provenance("a user study")
    ('recorded+simulated', 'unclear')
    """
    return join_provenances(
        kind if kind in KINDS else UNCLEAR for kind in written.split("+")[: len(KINDS) + 1]
    )


Provenance = Annotated[str, AfterValidator(check_provenance)]
"""A provenance in a file of this project."""
