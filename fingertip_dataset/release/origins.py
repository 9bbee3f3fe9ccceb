"""Origin and licence of a release, from its surveys or its index tables.

The surveys of the public release state neither, so it is recognized by its index tables: their numbers of
rows and of users. Releases made by this project state both in each survey, in the fields "origin" and
"licence". Everything else is "unknown": a licence is never guessed.
"""

from __future__ import annotations

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

LICENCES = frozenset((
    UNKNOWN, "other", "apache-2.0", "mit", "bsd", "bsd-2-clause", "bsd-3-clause", "isc", "zlib", "mpl-2.0",
    "gpl", "gpl-2.0", "gpl-3.0", "lgpl", "lgpl-2.1", "lgpl-3.0", "agpl-3.0", "gfdl", "eupl-1.1", "eupl-1.2",
    "unlicense", "wtfpl", "pddl", "odbl", "odc-by", "cc", "cc0-1.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0",
    "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0",
    "cc-by-nd-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0", "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0",
    "cc-by-nc-sa-4.0", "cdla-permissive-1.0", "cdla-permissive-2.0", "cdla-sharing-1.0", "c-uda",
    "etalab-2.0", "openmdw-1.0", "openrail",
))  # fmt: skip
"""Ids of licences that the Hub knows and data can have; one of another name is "other"
(https://huggingface.co/docs/hub/repositories-licenses)."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DataOrigin:
    """Origin and licence of a recording.

    Attributes:
        origin: Origin in words; "" if the survey states none.
        licence: One of `LICENCES`; "" if the survey states none.
    """

    origin: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """Origins and licences of all episodes of a release, each sorted and never empty."""

    origins: tuple[str, ...] = (UNKNOWN,)
    licences: tuple[str, ...] = (UNKNOWN,)


def read_licence(text: str) -> str | None:
    """Normalize the id of a licence to lower case; None if it is none of `LICENCES`.

    >>> read_licence("CC-BY-4.0"), read_licence("all rights reserved")
    ('cc-by-4.0', None)
    """
    plain = text.strip().lower()
    return plain if plain in LICENCES else None


def read_origin(fields: Mapping[str, str]) -> DataOrigin:
    """Read origin and licence from a survey's fields, normalized for a dataset card."""
    words = " ".join(printable(fields.get("origin", "")).split())
    return DataOrigin(origin=words[:LONGEST_ORIGIN], licence=read_licence(get_licence(fields)) or "")


def get_licence(fields: Mapping[str, str]) -> str:
    """Return the licence as a survey's fields state it, in either spelling; "" if they do not."""
    return fields.get("licence", "") or fields.get("license", "")


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
