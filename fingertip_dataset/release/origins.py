"""Origin and licence of a release, from its surveys or its index tables.

The surveys of the public release state neither, so it is recognized by its index tables: their numbers of
rows and of users. Releases made by this project state both in each survey, in the fields "origin" and
"licence". Everything else is "unknown": a licence is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fingertip_dataset.release.problems import printable
from fingertip_dataset.release.tables.index_tables import Tables

UNKNOWN = "unknown"
"""Name of an unstated licence or origin; the Hub accepts a licence of this name."""

AUTHORS = "public release of the authors, qinglongyang/fingertip-20k"
AUTHORS_LICENCE = "cc-by-4.0"
"""Licence declared by version 2 of the public release."""

PUBLIC_ROWS: Mapping[str, int] = MappingProxyType(
    {"total.csv": 20_000, "test_suggestion.csv": 1_000, "test_execution.csv": 200}
)
"""Numbers of rows of the public release's index tables, repeated rows included."""

PUBLIC_USERS = 83
"""Number of users in total.csv of the public release."""

LONGEST_ORIGIN = 200
"""Maximum length of an origin in characters."""

_LICENCE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,59}")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DataOrigin:
    """Origin and licence of a recording.

    Attributes:
        origin: Origin in words; "" if the survey states none.
        licence: SPDX id in lower case, as the Hub writes it; "" if the survey states none.
    """

    origin: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """Origins and licences of all episodes of a release, each sorted and never empty."""

    origins: tuple[str, ...] = (UNKNOWN,)
    licences: tuple[str, ...] = (UNKNOWN,)


def read_licence(text: str) -> str | None:
    """Normalize a licence's SPDX id to lower case; None if the text is not an id.

    >>> read_licence("CC-BY-4.0"), read_licence("all rights reserved")
    ('cc-by-4.0', None)
    """
    plain = text.strip().lower()
    return plain if _LICENCE.fullmatch(plain) else None


def read_origin(fields: Mapping[str, str]) -> DataOrigin:
    """Read origin and licence from a survey's fields, normalized for a dataset card."""
    words = " ".join(printable(fields.get("origin", "")).split())
    licence = fields.get("licence", "") or fields.get("license", "")
    return DataOrigin(origin=words[:LONGEST_ORIGIN], licence=read_licence(licence) or "")


def find_origins(stated: Iterable[tuple[str, DataOrigin]], tables: Tables | None) -> Origins:
    """Collect the origins and licences of a release.

    Args:
        stated: (provenance, origin) of each survey; "" and `DataOrigin()` if it states none.
        tables: The index tables of the release.
    """
    public = _is_public_release(tables)
    kinds = set()
    for provenance, origin in stated:
        if public and not provenance and origin == DataOrigin():
            kinds.add((AUTHORS, AUTHORS_LICENCE))
        else:
            kinds.add((origin.origin or UNKNOWN, origin.licence or UNKNOWN))
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
