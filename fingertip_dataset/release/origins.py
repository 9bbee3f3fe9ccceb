"""Where a release comes from and under which licence it is: what its surveys say, or what its tables show.

The surveys of the public release say nothing of either, so it is recognised by its index tables: their
numbers of rows, and of users. Releases of our own programs say both in each survey, in the fields "origin"
and "licence". Whatever else is unknown, and is called so: a licence is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fingertip_dataset.release.index_tables import Tables
from fingertip_dataset.release.problems import printable

UNKNOWN = "unknown"
"""A licence or an origin that nothing tells; the Hub knows a licence of this name."""

AUTHORS = "public release of the authors, qinglongyang/fingertip-20k"
AUTHORS_LICENCE = "cc-by-4.0"
"""Declared by version 2 of the public release."""

PUBLIC_ROWS: Mapping[str, int] = MappingProxyType(
    {"total.csv": 20_000, "test_suggestion.csv": 1_000, "test_execution.csv": 200}
)
PUBLIC_USERS = 83
"""Rows of the public release's index tables, repeated ones included, and users in total.csv."""

LONGEST_ORIGIN = 200

_LICENCE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,59}")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DataOrigin:
    """Where a recording comes from.

    Attributes:
        origin: In words; "" where the survey does not say.
        licence: An SPDX id in lower case, as the Hub writes it; "" where the survey does not say.
    """

    origin: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """Of a whole release: every origin and every licence among its episodes, sorted; at least one of each."""

    origins: tuple[str, ...] = (UNKNOWN,)
    licences: tuple[str, ...] = (UNKNOWN,)


def read_licence(text: str) -> str | None:
    """A licence's id in lower case; None where the text is no id.

    >>> read_licence("CC-BY-4.0"), read_licence("all rights reserved")
    ('cc-by-4.0', None)
    """
    plain = text.strip().lower()
    return plain if _LICENCE.fullmatch(plain) else None


def read_origin(fields: Mapping[str, str]) -> DataOrigin:
    """What a survey's fields say, in a form that can stand on a card."""
    words = " ".join(printable(fields.get("origin", "")).split())
    licence = fields.get("licence", "") or fields.get("license", "")
    return DataOrigin(origin=words[:LONGEST_ORIGIN], licence=read_licence(licence) or "")


def find_origins(found: Iterable[tuple[str, DataOrigin]], tables: Tables | None) -> Origins:
    """The origins of a release.

    Args:
        found: (provenance, origin) as each survey says them, "" and `DataOrigin()` where it does not.
        tables: The index tables of the release.
    """
    public = _is_public_release(tables)
    kinds = set()
    for provenance, stated in found:
        if public and not provenance and stated == DataOrigin():
            kinds.add((AUTHORS, AUTHORS_LICENCE))
        else:
            kinds.add((stated.origin or UNKNOWN, stated.licence or UNKNOWN))
    if not kinds:
        return Origins()
    return Origins(
        origins=tuple(sorted({origin for origin, _ in kinds})),
        licences=tuple(sorted({licence for _, licence in kinds})),
    )


def _is_public_release(tables: Tables | None) -> bool:
    """Whether the index tables are those of the public release, by their numbers of rows and users."""
    if tables is None or tables.total is None:
        return False
    rows = {file: count.given for file, count in tables.counts.items() if file in PUBLIC_ROWS}
    users = {intent.user_id for intent in tables.total.values()}
    return rows == PUBLIC_ROWS and len(users) == PUBLIC_USERS
