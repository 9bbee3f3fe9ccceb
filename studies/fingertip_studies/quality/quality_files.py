"""Files of a measured dataset: a row per episode as CSV and Parquet, every flaw, and the summary."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import UsageError
from fingertip_metrics.aggregate import Interval
from fingertip_studies.quality.flaw_kinds import KINDS, QUALITY_VERSION, FlawKind
from fingertip_studies.quality.measure_dataset import EpisodeQuality, QualityMeasurement
from fingertip_studies.quality.quality_summary import QualitySummary

CSV_FILE, PARQUET_FILE = "quality.csv", "quality.parquet"
FLAWS_FILE, SUMMARY_FILE = "flaws.jsonl", "quality.json"

SUMMARY_VERSION = 1
"""Version of the summary's JSON."""

COLUMNS: Mapping[str, str] = {
    "episode_id": "string",
    "user_id": "string",
    "split": "string",
    "score": "float64",
    "steps": "int32",
    "actions": "int32",
    "shortest": "int32",
    "shortest_from": "string",
    **{kind.value: "int32" for kind in KINDS},
    "quality_version": "int32",
}
"""Column of the files of episodes -> type; a kind's column counts its flaws, null if not checked."""


def write_quality(
    out: Path,
    measurement: QualityMeasurement,
    episodes: Sequence[EpisodeQuality],
    summary: QualitySummary,
    *,
    left_out: Sequence[FlawKind],
) -> tuple[Path, ...]:
    """Write the four files of a measured dataset, and return their paths.

    Args:
        out: Folder, which exists; files of the same names in it are replaced.
        measurement: The measurement.
        episodes: Its episodes, in the order of the rows.
        summary: Their summary.
        left_out: Kinds whose check could not be made.

    Raises:
        UsageError: A file cannot be written.
    """
    rows = [_make_row(episode, set(left_out)) for episode in episodes]
    try:
        _write_csv(out / CSV_FILE, rows)
        _write_parquet(out / PARQUET_FILE, rows)
        _write_flaws(out / FLAWS_FILE, episodes)
        record = summary_object(measurement, summary, left_out)
        text = json.dumps(record, ensure_ascii=False, indent=2) + "\n"
        (out / SUMMARY_FILE).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"the files cannot be written: {error.strerror or error}", file=out) from error
    return tuple(out / name for name in (CSV_FILE, PARQUET_FILE, FLAWS_FILE, SUMMARY_FILE))


def summary_object(
    measurement: QualityMeasurement, summary: QualitySummary, left_out: Sequence[FlawKind]
) -> dict[str, Any]:
    """The summary as JSON: what --json prints."""
    manifest = measurement.built.manifest
    return {
        "version": SUMMARY_VERSION,
        "quality_version": QUALITY_VERSION,
        "dataset": str(measurement.built.path),
        "provenance": manifest.provenance,
        "data_sha256": manifest.data_sha256,
        "config": measurement.config,
        "episodes": summary.episodes,
        "steps": summary.steps,
        "score": _dump_interval(summary.score),
        "not_checked": [kind.value for kind in left_out],
        "kinds": [
            {
                "kind": row.kind.value,
                "meaning": KINDS[row.kind].meaning,
                "loss": KINDS[row.kind].loss,
                "flaws": row.flaws,
                "episodes": row.episodes,
                "share": _dump_interval(row.share),
            }
            for row in summary.kinds
        ],
        "actions_over_shortest": _dump_interval(summary.ratio),
        "shortest_by": dict(summary.shortest_by),
        "users": [
            {
                "user_id": user.user_id,
                "episodes": user.episodes,
                "score": None if user.score is None else round(user.score, 4),
                "worst": user.worst,
                "flawed": user.flawed,
                "kinds": {kind.value: count for kind, count in sorted(user.kinds.items())},
            }
            for user in summary.users
        ],
    }


def _dump_interval(interval: Interval | None) -> dict[str, object] | None:
    if interval is None:
        return None
    ends = {"low": interval.low, "high": interval.high}
    return {"mean": interval.mean, **ends, "n": interval.n, "users": interval.clusters}


def _make_row(episode: EpisodeQuality, left_out: set[FlawKind]) -> dict[str, object]:
    counts = episode.counts
    return {
        "episode_id": episode.episode_id,
        "user_id": episode.user_id,
        "split": episode.split,
        "score": episode.score,
        "steps": episode.steps,
        "actions": episode.actions,
        "shortest": episode.shortest,
        "shortest_from": episode.shortest_from or None,
        **{kind.value: None if kind in left_out else counts[kind] for kind in KINDS},
        "quality_version": QUALITY_VERSION,
    }


def _write_csv(file: Path, rows: Iterable[Mapping[str, object]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _write_parquet(file: Path, rows: Sequence[Mapping[str, object]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in COLUMNS.items()])
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), file)


def _write_flaws(file: Path, episodes: Iterable[EpisodeQuality]) -> None:
    with file.open("w", encoding="utf-8") as stream:
        for episode in episodes:
            for flaw in episode.flaws:
                line = {"episode_id": episode.episode_id, **flaw.model_dump(mode="json")}
                stream.write(json.dumps(line, ensure_ascii=False) + "\n")
