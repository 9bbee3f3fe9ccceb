"""Leaving out episodes of low quality: the scores that `fingertip quality` wrote, and a minimum.

An episode without a score is kept: nothing is known against it.
"""

from __future__ import annotations

import csv
import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import DatasetError, UsageError

EPISODE, SCORE, VERSION = "episode_id", "score", "quality_version"
"""Columns that are read; a file may have others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityFilter:
    """Scores of episodes, and the least score of those that are kept.

    Attributes:
        scores: Episode id -> score, 0-1; None for an episode without one.
        minimum: Episodes with a lower score are left out.
        sha256: Hash of the file of scores.
        quality_version: Version of the checks, as the file states it; None if it states none.
    """

    scores: Mapping[str, float | None]
    minimum: float
    sha256: str
    quality_version: int | None

    @classmethod
    def read(cls, file: Path, minimum: float) -> QualityFilter:
        """Read the file of scores, CSV or Parquet by its content.

        Raises:
            UsageError: The minimum is not between 0 and 1.
            DatasetError: The file cannot be read, or a row is not an episode with its score.
        """
        if not 0 <= minimum <= 1:
            raise UsageError(f"expected a minimum quality from 0 to 1, got {minimum:g}")
        try:
            content = file.read_bytes()
        except OSError as error:
            raise DatasetError(f"the scores cannot be read: {error.strerror or error}", file=file) from None
        rows = _read_parquet(file) if content.startswith(b"PAR1") else _read_csv(content, file)
        scores: dict[str, float | None] = {}
        versions = set()
        for number, row in enumerate(rows, 2):
            name, score, version = _check_row(row, file, number)
            if name in scores:
                raise DatasetError(f"episode {name!r} has two scores", file=file, line=number)
            scores[name] = score
            versions.add(version)
        if len(versions) > 1:
            raise DatasetError(
                f"expected scores of one {VERSION}, got several: write the file again with "
                "`fingertip quality`",
                file=file,
            )
        return cls(
            scores=scores,
            minimum=minimum,
            sha256=hashlib.sha256(content).hexdigest(),
            quality_version=next(iter(versions), None),
        )

    def find_low(self, episode_ids: Iterable[str]) -> frozenset[str]:
        """Return the ids of the episodes whose score is below the minimum."""
        known = ((name, self.scores.get(name)) for name in episode_ids)
        return frozenset(name for name, score in known if score is not None and score < self.minimum)

    def check_known(self, episode_ids: Iterable[str]) -> None:
        """Refuse scores of other data.

        Raises:
            UsageError: None of the episodes is in the file of scores.
        """
        if self.scores.keys().isdisjoint(episode_ids):
            raise UsageError(
                "the file of --quality has a score of no episode of this release: write it with `fingertip "
                "quality` on a dataset built of the same release"
            )

    def unscored(self, episode_ids: Iterable[str]) -> int:
        """Number of the episodes without a score."""
        return sum(self.scores.get(name) is None for name in episode_ids)


def _read_csv(content: bytes, file: Path) -> Iterable[Mapping[str, Any]]:
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise DatasetError("expected scores as CSV in UTF-8, or as Parquet", file=file) from None
    try:
        reader = csv.DictReader(lines)
        _check_columns(reader.fieldnames or (), file)
        return list(reader)
    except csv.Error as error:
        raise DatasetError(f"expected scores as CSV: {error}", file=file) from None


def _read_parquet(file: Path) -> Iterable[Mapping[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        names = pq.read_schema(file).names
        _check_columns(names, file)
        wanted = [name for name in (EPISODE, SCORE, VERSION) if name in names]
        rows: list[dict[str, Any]] = pq.read_table(file, columns=wanted).to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise DatasetError(f"the scores cannot be read: {error}", file=file) from None
    return rows


def _check_columns(names: Iterable[str], file: Path) -> None:
    missing = [name for name in (EPISODE, SCORE) if name not in set(names)]
    if missing:
        raise DatasetError(
            f"expected the columns {EPISODE} and {SCORE}, as in quality.csv of `fingertip quality`, "
            f"got none called {' and '.join(missing)}",
            file=file,
        )


def _check_row(row: Mapping[str, Any], file: Path, number: int) -> tuple[str, float | None, int | None]:
    name, text, version = row[EPISODE], row[SCORE], row.get(VERSION)
    try:
        score = None if text in (None, "") else float(text)
        found = None if version in (None, "") else int(version)
    except (TypeError, ValueError):
        score, found = math.nan, None
    if not name or (score is not None and not 0 <= score <= 1):
        raise DatasetError(
            f"expected an episode id and a score from 0 to 1, got {name!r} and {text!r}",
            file=file,
            line=number,
        )
    return str(name), score, found
