"""Figures of a measured dataset as PNG: kinds of flaws, scores of episodes, scores of users."""

from __future__ import annotations

from pathlib import Path

from fingertip_analysis.statistics.figures import FigureSource
from fingertip_analysis.statistics.plots import Bar, Caption, plot_bars, plot_columns
from fingertip_studies.quality.flaw_kinds import KINDS
from fingertip_studies.quality.quality_summary import QualitySummary

BINS = 20


def plot_quality(summary: QualitySummary, source: FigureSource, out: Path) -> tuple[Path, ...]:
    """Draw the three figures and return their paths.

    Args:
        summary: The summary.
        source: The dataset, for the titles.
        out: Folder, which exists.

    Raises:
        MissingExtraError: matplotlib or the font is not installed.
        OSError: A file cannot be written.
    """
    note = f"{summary.episodes:,} episodes of {len(summary.users)} users"
    files = tuple(out / f"quality_{name}.png" for name in ("kinds", "scores", "users"))
    plot_bars(
        [
            # grey: kinds that cost no score
            Bar(label=row.kind.replace("_", " "), value=row.episodes, muted=not KINDS[row.kind].loss)
            for row in summary.kinds
        ],
        Caption(title=source.title("Episodes with a flaw, by kind"), note=note, axis="episodes"),
        files[0],
    )
    plot_columns(
        score_bars(summary.scores),
        Caption(title=source.title("Quality scores"), note=note, axis="episodes"),
        files[1],
        label="score, lower end of the bin",
    )
    plot_columns(
        [
            Bar(label=user.user_id, value=round(100 * user.score))
            for user in summary.users
            if user.score is not None
        ],
        Caption(title=source.title("Mean quality score of each user"), note=note, axis="score, %"),
        files[2],
        label="user",
    )
    return files


def score_bars(scores: tuple[float, ...]) -> list[Bar]:
    """A column for each twentieth from the lowest score to 1, including empty ones.

    >>> [(bar.label, bar.value) for bar in score_bars((0.91, 1.0, 0.96))]
    [('0.90', 1), ('0.95', 2)]
    """
    bins = [min(int(score * BINS + 1e-9), BINS - 1) for score in scores]
    return [
        Bar(label=f"{place / BINS:.2f}", value=bins.count(place))
        for place in range(min(bins, default=0), BINS)
        if bins
    ]
