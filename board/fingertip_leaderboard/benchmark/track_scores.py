"""Scores of the run of a track: a row for each score, its notes, and its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from execution_runner.scoring.run_scores import ExecutionRunScores
from execution_runner.scoring.run_scores import score_run as score_execution
from execution_runner.scoring.run_scores import write_scores as write_execution_scores
from fingertip_analysis.repeated_runs import AnyRunScores, score_repeats
from fingertip_analysis.report import execution_tables
from fingertip_analysis.report.report_page import write_report as write_execution_report
from fingertip_dataset.track import TRACK_NUMBER, Track
from fingertip_leaderboard.score_columns import COLUMNS
from fingertip_leaderboard.verified_records import ScoreKind
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.verdicts import Judge
from fingertip_runs.cells import caveat_lines, format_interval
from fingertip_runs.repeat_scores import ALIKE, RepeatScores, repeats_dict
from fingertip_runs.repeats import is_repeated, list_tries
from fingertip_runs.run_folder import SCORES, write_json
from suggestion_runner import suggestion_tables
from suggestion_runner.report import write_report as write_suggestion_report
from suggestion_runner.scoring import SuggestionRunScores
from suggestion_runner.scoring import score_run as score_suggestions
from suggestion_runner.scoring import write_scores as write_suggestion_scores


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """A score of a track.

    Attributes:
        name: Name of the score, as in `score_columns`; of pass rates with their k.
        title: Title in tables.
        interval: Its mean with the interval; None if it is undefined.
        percent: Whether it is a share, displayed as a percentage.
    """

    name: str
    title: str
    interval: Interval | None
    percent: bool

    @property
    def cell(self) -> str:
        """The mean with its interval, as in tables."""
        return format_interval(
            self.interval, decimals=1 if self.percent else 3, factor=100 if self.percent else 1
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackScores:
    """Scores of the run of a track.

    Attributes:
        track: The track.
        folder: Folder of the run, or of its tries.
        tries: Scores of each try; of a run of one try its own.
        repeated: Scores over the tries; None for a run of one try.
    """

    track: Track
    folder: Path
    tries: tuple[AnyRunScores, ...]
    repeated: RepeatScores | None = None

    @property
    def first(self) -> AnyRunScores:
        """Scores of the first try."""
        return self.tries[0]

    @property
    def tasks(self) -> int:
        """Number of tasks in the means."""
        if self.repeated is not None:
            return self.repeated.tasks
        return len(_list_task_ids(self.first))

    @property
    def people(self) -> int:
        """Number of people whose tasks they are."""
        return len({task_id.partition("__")[0] for task_id in _list_task_ids(self.first)})

    @property
    def rows(self) -> tuple[ScoreRow, ...]:
        """The scores that the board has columns for, then pass@k and pass^k of several tries."""
        means = self.repeated.means if self.repeated is not None else _list_means(self.first)
        kinds: tuple[ScoreKind, ...] = ("sim1", "sr1") if self.track == "suggestion" else ("execution",)
        columns = [column for kind in kinds for column in COLUMNS[kind]]
        shown = [
            ScoreRow(name=one.name, title=one.title, interval=means[one.name], percent=one.percent)
            for one in columns
            if means.get(one.name) is not None
        ]
        return (*shown, *self._list_pass_rates())

    @property
    def caveats(self) -> list[str]:
        """Why the numbers cannot be compared with the paper's, and of tries that are all alike."""
        alike = self.repeated is not None and self.repeated.alike
        return [*caveat_lines([self.first]), *([f"{ALIKE}."] if alike else [])]

    @property
    def notes(self) -> list[str]:
        """Notes of the score tables: how the runs were scored, and what is comparable."""
        if self.track == "suggestion":
            return suggestion_tables.notes(self.suggestions)
        return execution_tables.notes(self.executions)

    @property
    def suggestions(self) -> list[SuggestionRunScores]:
        """Scores of the tries of track 1; empty on track 2."""
        return [one for one in self.tries if isinstance(one, SuggestionRunScores)]

    @property
    def executions(self) -> list[ExecutionRunScores]:
        """Scores of the tries of track 2; empty on track 1."""
        return [one for one in self.tries if isinstance(one, ExecutionRunScores)]

    @property
    def cost(self) -> float | None:
        """Cost of the tokens of all tries; None without prices or token counts."""
        costs = [_find_cost(one) for one in self.tries]
        return None if any(one is None for one in costs) else sum(filter(None, costs))

    @property
    def tokens(self) -> int | None:
        """Tokens of the prompts and answers of all tries; None without queries or token counts."""
        counts = [(one.usage.prompt_tokens, one.usage.completion_tokens) for one in self.tries]
        if any(None in pair for pair in counts) or not any(one.usage.queries for one in self.tries):
            return None
        return sum(count or 0 for pair in counts for count in pair)

    def _list_pass_rates(self) -> Iterator[ScoreRow]:
        rates = self.repeated.rates if self.repeated is not None else None
        if rates is None:
            return
        for sign, found in (("@", rates.at_least_one), ("^", rates.every)):
            k = len(found)
            yield ScoreRow(name=f"pass{sign}{k}", title=f"pass{sign}{k}", interval=found[-1], percent=True)

    def to_json(self) -> dict[str, Any]:
        """The scores in JSON types."""
        first = self.first
        return {
            "n": self.tasks,
            "people": self.people,
            "repeats": len(self.tries),
            "scores": {row.name: asdict(row.interval) for row in self.rows if row.interval is not None},
            "agent_s": first.usage.agent_s,
            "queries": first.usage.queries,
            "prompt_tokens": first.usage.prompt_tokens,
            "completion_tokens": first.usage.completion_tokens,
            "cost": self.cost,
            "currency": first.record.prices.currency if first.record.prices else None,
            "versions": first.record.versions.words() if first.record.versions else None,
            "notes": self.notes,
        }


def score_track(
    folder: Path, track: Track, *, embedder: Embedder | None = None, judge: Judge | None = None
) -> TrackScores:
    """Score the run of a track, or each of its tries, and write what `fingertip score` writes.

    Args:
        folder: Folder of a finished run, or of its tries.
        track: The track.
        embedder: Track 1: embedder of Sim_1.
        judge: Track 1: judge of SR_1; None for Sim_1 alone.

    Raises:
        RunError: A run is missing, broken, or not finished.
        ModelError: The embedder or the judge failed.
    """
    tries = tuple(_score_try(one, track, embedder, judge) for one in list_tries(folder))
    if not is_repeated(folder):
        return TrackScores(track=track, folder=folder, tries=tries)
    repeated = score_repeats(folder, tries)
    write_json(folder / SCORES, repeats_dict(repeated))
    return TrackScores(track=track, folder=folder, tries=tries, repeated=repeated)


def write_track_report(scores: TrackScores, out: Path) -> Path:
    """Write the report of a track's run, or of its tries, as one page.

    Args:
        scores: Scores of the track.
        out: The file.

    Raises:
        DatasetError: The dataset is gone.
        RunError: A screen of a run is missing, or the file cannot be written.
    """
    if scores.track == "suggestion":
        return write_suggestion_report(scores.suggestions, out)
    return write_execution_report(scores.executions, out)


def title_track(track: Track) -> str:
    """Title of a track in tables.

    >>> title_track("suggestion")
    'track 1, suggestion'
    """
    return f"track {TRACK_NUMBER[track]}, {track}"


def _score_try(run: Path, track: Track, embedder: Embedder | None, judge: Judge | None) -> AnyRunScores:
    if track == "execution":
        of_execution = score_execution(run)
        write_execution_scores(of_execution)
        return of_execution
    if embedder is None:
        raise ValueError("track 1 needs an embedder")
    of_suggestions = score_suggestions(run, embedder=embedder, judge=judge)
    write_suggestion_scores(of_suggestions)
    return of_suggestions


def _list_means(scores: AnyRunScores) -> Mapping[str, Interval | None]:
    if isinstance(scores, SuggestionRunScores):
        judged = {"sr1": scores.judged.interval} if scores.judged else {}
        return {**scores.intervals, **judged}
    return {"sr2": scores.success.sr2, **scores.means}


def _list_task_ids(scores: AnyRunScores) -> Sequence[str]:
    if isinstance(scores, SuggestionRunScores):
        return scores.task_ids
    return [task.task_id for task in scores.tasks]


def _find_cost(scores: AnyRunScores) -> float | None:
    if isinstance(scores, SuggestionRunScores):
        return scores.outputs.cost
    return scores.cost
