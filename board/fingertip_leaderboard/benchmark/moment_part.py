"""Part of a benchmark on moments: its rows, its report, and its scores in JSON types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fingertip_leaderboard.benchmark.track_scores import ScoreRow
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.moment_columns import SHARES
from fingertip_runs.cells import caveat_lines
from suggestion_runner.moments.moment_report import write_moment_report
from suggestion_runner.moments.moment_run_scores import MomentRunScores, write_moment_scores
from suggestion_runner.moments.moment_scoring import score_moment_run
from suggestion_runner.moments.moment_tables import moment_notes

MOMENTS = "moments"
"""Folder of the run of moments within a benchmark, and the name of its report."""

TITLES: Mapping[str, str] = {
    "false_trigger_rate": "false triggers",
    "missed_rate": "missed",
    "precision": "precision",
    "sr1": "SR_1 of offers",
    "utility": "utility",
    "brier": "Brier",
    "auroc": "AUROC",
}
"""Name of a score of moments -> its title; the other scores are in the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentPart:
    """Scores of the run of moments of a benchmark.

    Attributes:
        scores: Scores of the run.
    """

    scores: MomentRunScores

    @property
    def agent(self) -> str:
        """Name of the agent."""
        return self.scores.record.agent.name

    @property
    def rows(self) -> tuple[ScoreRow, ...]:
        """Scores of `TITLES` that are defined."""
        intervals = self.scores.result.intervals
        return tuple(
            ScoreRow(name=name, title=title, interval=intervals[name], percent=name in SHARES)
            for name, title in TITLES.items()
            if intervals.get(name) is not None
        )

    @property
    def caveats(self) -> list[str]:
        """Reasons why no score is comparable with the paper's."""
        return caveat_lines([self.scores])

    @property
    def notes(self) -> list[str]:
        """Notes of the tables of moments."""
        return moment_notes([self.scores])

    @property
    def cost(self) -> float | None:
        """Cost of the tokens; None without prices or token counts."""
        return self.scores.outputs.cost

    def to_json(self) -> dict[str, Any]:
        """The scores in JSON types."""
        ceiling = self.scores.ceiling
        return {
            "agent": self.agent,
            "run": MOMENTS,
            "report": f"{MOMENTS}.html",
            "n": self.scores.result.n,
            "scores": {row.name: asdict(row.interval) for row in self.rows if row.interval is not None},
            "ceiling": None if ceiling is None else dict(ceiling.scores),
            "moments_sha256": self.scores.record.dataset.moments_sha256,
            "cost": self.cost,
            "notes": self.notes,
        }


def score_moment_part(out: Path, embedder: Embedder) -> MomentPart:
    """Score the finished run of moments of a benchmark, and write its scores and its report.

    Args:
        out: Folder of the benchmark.
        embedder: Embedder of Sim_1.

    Raises:
        RunError: The run is missing, broken, or not finished, or a file cannot be written.
    """
    scores = score_moment_run(out / MOMENTS, embedder=embedder)
    write_moment_scores(scores)
    write_moment_report([scores], out / f"{MOMENTS}.html")
    return MomentPart(scores=scores)
