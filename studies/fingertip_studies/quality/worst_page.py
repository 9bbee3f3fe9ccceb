"""The page of the worst episodes: their screens, with what was found at which step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from fingertip_dataset.release.problems import printable
from fingertip_metrics.aggregate import Interval
from fingertip_runs.cells import format_interval, format_number
from fingertip_runs.report_base import write_page
from fingertip_runs.thumbnails import make_thumbnail
from fingertip_studies.quality.flaw_kinds import KINDS, QUALITY_VERSION, FlawKind
from fingertip_studies.quality.measure_dataset import EpisodeQuality, QualityMeasurement
from fingertip_studies.quality.quality_summary import QualitySummary

PAGE_FILE = "quality.html"

WORST = 20
"""Number of episodes on the page."""

SCREEN_WIDTH = 200
"""Width of a screen on the page, px."""

MOST_STEPS = 40
"""Number of steps shown of one episode; a longer one is cut."""

_COLUMNS = ("episode_id", "user_id", "time", "app", "intent", "actions", "screenshots")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """A step on the page.

    Attributes:
        number: Its number, from 1.
        action: The action as recorded.
        screen: Screenshot as a data URI; None if there is none that can be decoded.
        mark: Place of a touch as shares of width and height in percent; None for another action.
        flaws: (name of the kind, detail, whether it costs score) of each flaw that covers it.
    """

    number: int
    action: str
    screen: str | None
    mark: tuple[float, float] | None
    flaws: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeView:
    """An episode on the page."""

    episode: EpisodeQuality
    row: Mapping[str, Any]
    steps: tuple[StepView, ...]
    hidden_steps: int
    whole: tuple[tuple[str, str, bool], ...]


def worst_episodes(episodes: Iterable[EpisodeQuality], count: int = WORST) -> list[EpisodeQuality]:
    """The episodes with the lowest scores below 1, the lowest first; of equal ones, those with more flaws."""
    flawed = [one for one in episodes if one.score is not None and one.score < 1]
    return sorted(flawed, key=lambda one: (one.score, -len(one.flaws), one.episode_id))[:count]


def write_worst_page(
    out: Path,
    measurement: QualityMeasurement,
    episodes: Sequence[EpisodeQuality],
    summary: QualitySummary,
    *,
    left_out: Sequence[FlawKind],
    count: int = WORST,
) -> Path:
    """Write one self-contained HTML file with the worst episodes.

    Args:
        out: The file.
        measurement: The measurement.
        episodes: Its episodes.
        summary: Their summary.
        left_out: Kinds whose check could not be made.
        count: Number of episodes shown.

    Raises:
        DatasetError: The dataset has changed.
        RunError: The file cannot be written.
    """
    worst = worst_episodes(episodes, count)
    rows = _read_rows(measurement, worst)
    manifest = measurement.built.manifest
    return write_page(
        out,
        "fingertip_studies.quality",
        "quality.html.j2",
        script='filterItems(".episode", { shown: "quality.shown", shownOf: "quality.shown" });',
        style=_text("quality.css"),
        pages=("quality", "flaw"),
        manifest=manifest,
        summary=summary,
        score=format_interval(summary.score),
        ratio=format_interval(summary.ratio, decimals=2),
        kinds=[(row, _percent(row.share)) for row in summary.kinds],
        traits=KINDS,
        number=format_number,
        left_out=left_out,
        version=QUALITY_VERSION,
        views=[_make_view(one, rows[one.episode_id]) for one in worst if one.episode_id in rows],
        shown_kinds=sorted({flaw.kind.value for one in worst for flaw in one.flaws}),
        config=measurement.config,
    )


def _percent(share: Interval) -> str:
    return format_interval(share, decimals=1, factor=100)


def _read_rows(
    measurement: QualityMeasurement, worst: Sequence[EpisodeQuality]
) -> dict[str, Mapping[str, Any]]:
    """Rows of the episodes with their screens, of the config that was measured, as thumbnails."""
    names = {one.episode_id for one in worst}
    config = measurement.config
    columns = _COLUMNS if config == "default" else _COLUMNS[:-1]
    rows: dict[str, Mapping[str, Any]] = {}
    for split in {one.split for one in worst}:
        own = {one.episode_id for one in worst if one.split == split} & names
        for row in measurement.built.rows(split, columns=columns, config=config, ids=own):
            pictures = row.get("screenshots") or [None] * len(row["actions"])
            row["sizes"] = [_measure_picture(picture["bytes"]) if picture else None for picture in pictures]
            row["screens"] = [
                make_thumbnail(picture["bytes"], SCREEN_WIDTH) if picture else None
                for picture in pictures[:MOST_STEPS]
            ]
            row.pop("screenshots", None)
            rows[row["episode_id"]] = row
    return rows


def _measure_picture(content: bytes) -> tuple[int, int] | None:
    from fingertip_dataset.errors import ReleaseError
    from fingertip_dataset.release.screens.images import read_image_header

    try:
        header = read_image_header(content)
    except ReleaseError:
        return None
    return header.width, header.height


def _make_view(episode: EpisodeQuality, row: Mapping[str, Any]) -> EpisodeView:
    steps = tuple(
        StepView(
            number=step + 1,
            action=printable(entry["raw"] or "no action", 160),
            screen=screen,
            mark=_mark(entry, row["sizes"][step]),
            flaws=tuple(
                (flaw.kind.value, flaw.detail, KINDS[flaw.kind].loss > 0)
                for flaw in episode.flaws
                if flaw.covers(step)
            ),
        )
        for step, (entry, screen) in enumerate(zip(row["actions"], row["screens"], strict=False))
    )
    return EpisodeView(
        episode=episode,
        row=row,
        steps=steps,
        hidden_steps=len(row["actions"]) - len(steps),
        whole=tuple(
            (flaw.kind.value, flaw.detail, KINDS[flaw.kind].loss > 0)
            for flaw in episode.flaws
            if flaw.step is None
        ),
    )


def _mark(entry: Mapping[str, Any], size: tuple[int, int] | None) -> tuple[float, float] | None:
    if entry["x"] is None or entry["y"] is None or size is None:
        return None
    shares = (100 * value / length for value, length in zip((entry["x"], entry["y"]), size, strict=True))
    left, top = (round(min(max(share, 0), 100), 1) for share in shares)
    return left, top


def _text(name: str) -> str:
    return files("fingertip_studies.quality").joinpath(name).read_text(encoding="utf-8")
