"""The table user_profile.csv: the profile of each user."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import astuple, replace
from pathlib import Path

from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.spelling import normalize_user
from fingertip_dataset.release.tables.keyed_table import KeyedTable, keyed_table
from fingertip_dataset.release.tables.table_rows import TableRow, read_rows
from fingertip_dataset.release.words import AGE_SUFFIX

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "user_id": ("userid",),
    "sex": ("sex", "gender"),
    "age": ("age",),
    "occupation": ("occupation",),
    "address": ("address",),
    "marital_status": ("maritalstatus", "family"),
    "phone_brand": ("phonebrand", "phone"),
}
"""Column -> accepted headers, normalized by `plain_key`; which of them the release uses is unverified."""

MAX_AGE = 130

_AGE = re.compile(rf"([0-9]{{1,3}})(\.0+)?\s*(?:{AGE_SUFFIX})?")


def read_profiles(path: Path) -> KeyedTable[UserProfile]:
    """Read the profile of each user; a missing age or column gives None and a problem.

    Raises:
        ReleaseError: The table cannot be read at all.
    """
    columns, rows = read_rows(path, COLUMNS, ("user_id",))
    absent = [column for column in COLUMNS if column not in columns]
    if len(columns) == 1:
        raise ReleaseError(f"expected a column of {', '.join(absent)}, got none")
    more_problems = [
        Problem(
            kind=ProblemKind.MISSING_COLUMN,
            detail=f"expected a column {column}, got none",
            file=path.name,
            line=1,
        )
        for column in absent
    ]

    def read(row: TableRow) -> tuple[str, UserProfile]:
        user, profile = _read_profile(row)
        age = row.values.get("age", "").strip()
        if age and profile.age is None:
            detail = f"expected an age of 0 to {MAX_AGE}, got {age[:40]!r}"
            more_problems.append(
                Problem(
                    kind=ProblemKind.BAD_AGE, detail=f"user {user}: {detail}", file=path.name, line=row.line
                )
            )
        return user, profile

    table = keyed_table(path.name, rows, read, astuple)
    return replace(table, problems=(*table.problems, *more_problems))


def _read_profile(row: TableRow) -> tuple[str, UserProfile]:
    if row.fault:
        raise ReleaseError(row.fault)
    user = normalize_user(row.values["user_id"])
    if user is None:
        raise ReleaseError(f"expected a user id, got {row.values['user_id'][:40]!r}")
    cells = {column: row.values.get(column, "").strip() or None for column in COLUMNS}
    age = _AGE.fullmatch(cells["age"] or "")
    return user, UserProfile(
        sex=cells["sex"],
        age=int(age[1]) if age and int(age[1]) <= MAX_AGE else None,
        occupation=cells["occupation"],
        address=cells["address"],
        marital_status=cells["marital_status"],
        phone_brand=cells["phone_brand"],
    )
