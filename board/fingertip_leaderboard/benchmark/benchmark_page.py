"""The page of a benchmark: both tracks in one table, how they were run, and links to the reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fingertip_leaderboard.benchmark.moment_part import MomentPart
from fingertip_leaderboard.benchmark.track_scores import TrackScores
from fingertip_runs.cells import format_seconds
from fingertip_runs.report_base import write_page

PAGES = ("benchmark",)
"""Tables of messages.toml with the page's texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkPage:
    """Content of the page.

    Attributes:
        title: What was tested: the name of the model, or of the agent.
        data: Name of the dataset's folder.
        provenance: Kind of the data, as in the dataset's manifest.
        scores: Scores of the tracks, in their order, then of the tasks in few words.
        moments: Scores of the run of moments; None without one.
        bundles: Name of a part, or "moments" -> path of its bundle, relative to the page; those without are
            left out.
        remarks: Why nothing of it can be ranked, and what else is to be known of this benchmark.
    """

    title: str
    data: str
    provenance: str
    scores: Sequence[TrackScores]
    moments: MomentPart | None
    bundles: Mapping[str, str]
    remarks: Sequence[str]

    @property
    def notes(self) -> list[str]:
        """Notes of all tracks and of the moments, each once."""
        of_moments = [] if self.moments is None else self.moments.notes
        return list(dict.fromkeys([*(note for one in self.scores for note in one.notes), *of_moments]))


def write_benchmark_page(page: BenchmarkPage, out: Path) -> Path:
    """Write the page into one file, which needs only the reports beside it.

    Args:
        page: Its content.
        out: The file.

    Raises:
        RunError: The file cannot be written.
    """
    return write_page(
        out,
        "fingertip_leaderboard.benchmark",
        "benchmark.html.j2",
        script="",
        pages=PAGES,
        page=page,
        seconds=format_seconds,
    )
