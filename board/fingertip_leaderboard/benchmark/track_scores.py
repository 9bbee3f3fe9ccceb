"""Scores of the run of a track: a row for each score, its notes, and its report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from execution_runner.scoring.run_scores import ExecutionRunScores
from execution_runner.scoring.run_scores import score_run as score_execution
from execution_runner.scoring.run_scores import write_scores as write_execution_scores
from fingertip_analysis.repeated_runs import score_repeats
from fingertip_analysis.report import execution_tables
from fingertip_analysis.report.report_page import write_report as write_execution_report
from fingertip_dataset.track import TRACK_NUMBER, Track
from fingertip_leaderboard.score_columns import COLUMNS
from fingertip_leaderboard.verified_records import ScoreKind
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.llm import LlmJudge
from fingertip_metrics.judges.verdicts import Judge
from fingertip_models.prices import Prices
from fingertip_runs.cells import caveat_lines, format_interval
from fingertip_runs.repeat_scores import ALIKE, RepeatScores, repeats_dict
from fingertip_runs.repeats import is_repeated, list_tries
from fingertip_runs.run_folder import SCORES, write_json
from fingertip_runs.usage import Usage
from suggestion_runner import suggestion_tables
from suggestion_runner.judged_run import JudgeChecking, JudgedRun, dump_judged, list_judged_notes
from suggestion_runner.report import write_report as write_suggestion_report
from suggestion_runner.scoring import SuggestionRunScores
from suggestion_runner.scoring import score_run as score_suggestions
from suggestion_runner.scoring import write_scores as write_suggestion_scores

TryScores = SuggestionRunScores | ExecutionRunScores
"""Scores of a try of either track."""

ASKING = "asking"
"""Folder of the run of tasks in few words within a benchmark, and the name of its report."""
ASKING_TITLE = "track 2, in few words"

OpenJudge = Callable[[Path], AbstractContextManager[Judge | None]]
"""Opens the judge of a run, which keeps its answers in the run's folder."""


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
        judge_tokens: Tokens of the prompts and of the answers of track 1's judge in all tries, its check
            included; None without a judge that is a model, or without counts.
        judge_prices: Prices of these tokens; None without.
    """

    track: Track
    folder: Path
    tries: tuple[TryScores, ...]
    repeated: RepeatScores | None = None
    judge_tokens: tuple[int, int] | None = None
    judge_prices: Prices | None = None

    @property
    def first(self) -> TryScores:
        """Scores of the first try."""
        return self.tries[0]

    @property
    def asks(self) -> bool:
        """Whether the tasks are those in few words, whose person answers questions."""
        return isinstance(self.first, ExecutionRunScores) and self.first.record.of_dialogue

    @property
    def name(self) -> str:
        """Name of the part of a benchmark, and of its folder: the track, or `ASKING`."""
        return ASKING if self.asks else self.track

    @property
    def title(self) -> str:
        """Title in tables."""
        return ASKING_TITLE if self.asks else title_track(self.track)

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
        if self.asks:
            kinds = ("asking",)
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
            return [*suggestion_tables.notes(self.suggestions), *self._list_judge_usage()]
        return execution_tables.notes(self.executions)

    @property
    def judged(self) -> list[JudgedRun]:
        """SR_1 of each try by the judge; empty on track 2 and without a judge."""
        return [one.judged for one in self.suggestions if one.judged is not None]

    @property
    def judge_lines(self) -> list[str]:
        """Notes on the judge: why its SR_1 must not be trusted, how it was checked, and what it has cost."""
        doubts = [f"WARNING: {why}." for one in self.judged for why in one.warnings]
        noted = [f"{line}." for one in self.judged for line in list_judged_notes(one)]
        return [*dict.fromkeys((*doubts, *noted)), *self._list_judge_usage()]

    @property
    def judge_cost(self) -> float | None:
        """Cost of the judge's tokens; None without prices or token counts."""
        tokens, prices = self.judge_tokens, self.judge_prices
        return None if tokens is None or prices is None else prices.cost(*tokens)

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
    def usage(self) -> Usage:
        """Seconds, queries and tokens of all tries together."""
        return Usage.total(one.usage for one in self.tries)

    @property
    def tokens(self) -> int | None:
        """Tokens of the prompts and answers of all tries; None without queries or token counts."""
        usage = self.usage
        if not usage.queries or usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        return usage.prompt_tokens + usage.completion_tokens

    def _list_pass_rates(self) -> Iterator[ScoreRow]:
        rates = self.repeated.rates if self.repeated is not None else None
        if rates is None:
            return
        for sign, found in (("@", rates.at_least_one), ("^", rates.every)):
            k = len(found)
            yield ScoreRow(name=f"pass{sign}{k}", title=f"pass{sign}{k}", interval=found[-1], percent=True)

    def _list_judge_usage(self) -> Iterator[str]:
        tokens, cost = self.judge_tokens, self.judge_cost
        if tokens is None:
            return
        price = (
            f", cost {cost:.4f} {self.judge_prices.currency}"
            if cost is not None and self.judge_prices
            else ""
        )
        yield f"The judge read {tokens[0]:,} tokens and wrote {tokens[1]:,}{price}."

    def _dump_judge(self) -> dict[str, Any]:
        """The judge's part of the scores; empty without one."""
        if not self.judged:
            return {}
        prompt, completion = self.judge_tokens or (None, None)
        return {
            "judge": {
                "name": self.judged[0].result.judge,
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "cost": self.judge_cost,
                "currency": self.judge_prices.currency if self.judge_prices else None,
                # tuples as lists, as in the file
                "tries": json.loads(json.dumps([dump_judged(one) for one in self.judged])),
            }
        }

    def to_json(self) -> dict[str, Any]:
        """The scores in JSON types."""
        first = self.first
        return {
            "n": self.tasks,
            "people": self.people,
            "repeats": len(self.tries),
            "scores": {row.name: asdict(row.interval) for row in self.rows if row.interval is not None},
            **_dump_usage(self.usage),
            **({"tries": [_dump_usage(one.usage) for one in self.tries]} if self.repeated else {}),
            "cost": self.cost,
            "currency": first.record.prices.currency if first.record.prices else None,
            "versions": first.record.versions.words() if first.record.versions else None,
            **self._dump_judge(),
            "notes": self.notes,
        }


def open_no_judge(run: Path) -> AbstractContextManager[Judge | None]:
    """Open no judge for a run: its track 1 has Sim_1 alone."""
    return nullcontext()


def score_track(
    folder: Path,
    track: Track,
    *,
    embedder: Embedder | None = None,
    open_judge: OpenJudge = open_no_judge,
    checking: JudgeChecking | None = None,
    judge_prices: Prices | None = None,
) -> TrackScores:
    """Score the run of a track, or each of its tries, and write what `fingertip score` writes.

    Args:
        folder: Folder of a finished run, or of its tries.
        track: The track.
        embedder: Track 1: embedder of Sim_1.
        open_judge: Track 1: opens the judge of SR_1 for a run.
        checking: Track 1: how the judge is checked; None for no check.
        judge_prices: Prices of the judge's tokens; None without.

    Raises:
        RunError: A run is missing, broken, or not finished.
        ModelError: The embedder or the judge failed.
    """
    spent: list[tuple[int, int]] = []

    @contextmanager
    def open_counted(run: Path) -> Iterator[Judge | None]:
        with open_judge(run) as judge:
            yield judge
            spent.extend([judge.tokens] if isinstance(judge, LlmJudge) else [])

    tries = tuple(_score_try(one, track, embedder, open_counted, checking) for one in list_tries(folder))
    repeated = score_repeats(folder, tries) if is_repeated(folder) else None
    if repeated is not None:
        write_json(folder / SCORES, repeats_dict(repeated))
    return TrackScores(
        track=track,
        folder=folder,
        tries=tries,
        repeated=repeated,
        judge_tokens=(sum(prompt for prompt, _ in spent), sum(answer for _, answer in spent))
        if any(map(sum, spent))
        else None,
        judge_prices=judge_prices,
    )


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


def _score_try(
    run: Path,
    track: Track,
    embedder: Embedder | None,
    open_judge: OpenJudge,
    checking: JudgeChecking | None,
) -> TryScores:
    if track == "execution":
        of_execution = score_execution(run)
        write_execution_scores(of_execution)
        return of_execution
    if embedder is None:
        raise ValueError("track 1 needs an embedder")
    with open_judge(run) as judge:
        of_suggestions = score_suggestions(run, embedder=embedder, judge=judge, checking=checking)
    write_suggestion_scores(of_suggestions)
    return of_suggestions


def _dump_usage(usage: Usage) -> dict[str, Any]:
    return {
        "agent_s": usage.agent_s,
        "queries": usage.queries,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
    }


def _list_means(scores: TryScores) -> Mapping[str, Interval | None]:
    if isinstance(scores, SuggestionRunScores):
        judged = {"sr1": scores.judged.interval} if scores.judged else {}
        return {**scores.intervals, **judged}
    return {"sr2": scores.success.sr2, **scores.means}


def _list_task_ids(scores: TryScores) -> Sequence[str]:
    if isinstance(scores, SuggestionRunScores):
        return scores.task_ids
    return [task.task_id for task in scores.tasks]


def _find_cost(scores: TryScores) -> float | None:
    if isinstance(scores, SuggestionRunScores):
        return scores.outputs.cost
    return scores.cost
