"""Scores of results in the authors' columns, by the functions that score our own runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from fingertip_analysis.result_csv import ExecutionRow, ResultFile, SuggestionRow
from fingertip_dataset.errors import UsageError
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.conventions import get_protocol
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.execution import Sr2, divide_sim2, sr2
from fingertip_metrics.judges.verdicts import Judge
from fingertip_metrics.sim1_score import Sim1, sim1
from fingertip_metrics.sr1_score import Sr1, sr1
from fingertip_runs.score_summary import bootstrap_settings, scoring_source, share_interval, user_interval

VERSION = 1
"""Version of the object that --json prints."""

PAPER_TASKS = {"suggestion": 1000, "execution": 200}
"""Sizes of the tests by the paper's table 7."""

NO_USER = "no column user_id: the users of the rows are unknown"

NEAR = 0.0151
"""Tolerance between Sim_2 and the quotient of its parts, which are rounded to two decimals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvScores:
    """The scores of a file.

    Attributes:
        file: The file as read.
        means: Name of a score -> its mean with its interval; None if no row has it. SR_1 and SR_2 are 0-1.
        n: Number of scored rows.
        seconds: Mean seconds per query; None if no row has them.
        tokens: Mean tokens per query; None if no row has them.
        timed: Number of rows with seconds.
        counted_tokens: Number of rows with tokens.
        sim1: Sim_1 of track 1; None for track 2.
        sr1: SR_1 of track 1; None for track 2 or without a judge.
        sr2: SR_2 of track 2; None for track 1.
        caveats: Reasons why the numbers are not comparable with the paper's; empty if they are.
        notes: Further remarks on the numbers.
    """

    file: ResultFile
    means: dict[str, Interval | None]
    n: int
    seconds: float | None
    tokens: float | None
    timed: int
    counted_tokens: int
    sim1: Sim1 | None
    sr1: Sr1 | None
    sr2: Sr2 | None
    caveats: tuple[str, ...]
    notes: tuple[str, ...]


def score_csv(
    file: ResultFile,
    *,
    embedder: Embedder | None = None,
    judge: Judge | None = None,
    protocol: str = "release",
) -> CsvScores:
    """Scores a file of results.

    Args:
        file: From `read_result_csv`.
        embedder: Embedder of Sim_1; required for track 1.
        judge: Judge of SR_1; None to leave it out.
        protocol: Protocol of Sim_1. Sim_2 is read from the file.

    Raises:
        UsageError: Unknown protocol, or no embedder for track 1.
        ModelError: The embedder or the judge failed.
    """
    get_protocol(protocol)
    if file.track == "execution":
        return _score_execution(file)
    if embedder is None:
        raise UsageError("results of track 1 need an embedder", file=file.path)
    return _score_suggestion(file, embedder, judge, protocol)


def csv_dict(scores: CsvScores) -> dict[str, Any]:
    """The scores as --json prints them."""
    result = scores.sim1
    return {
        "version": VERSION,
        "file": str(scores.file.path),
        "track": scores.file.track,
        "n": scores.n,
        "bad_rows": [asdict(row) for row in scores.file.bad],
        **{name: asdict(mean) if mean else None for name, mean in scores.means.items()},
        "seconds_per_query": {"mean": scores.seconds, "n": scores.timed},
        "tokens_per_query": {"mean": scores.tokens, "n": scores.counted_tokens},
        "comparable": not scores.caveats,
        "why_not_comparable": list(scores.caveats),
        "notes": list(scores.notes),
        "depends_on": {
            **({"embedder": result.embedder, "protocol": result.protocol} if result else {}),
            **(
                {"embedder_settings": dict(result.embedder_settings)}
                if result and result.embedder_settings
                else {}
            ),
            **({"judge": dict(scores.sr1.judge_settings)} if scores.sr1 else {}),
            "bootstrap": bootstrap_settings(),
            "source": scoring_source(),
        },
    }


def _score_suggestion(file: ResultFile, embedder: Embedder, judge: Judge | None, protocol: str) -> CsvScores:
    rows = file.suggestions
    predicted, original = [row.predicted for row in rows], [row.original for row in rows]
    near = sim1(predicted, original, embedder=embedder, protocol=protocol)
    same = sr1(predicted, original, judge=judge) if judge else None
    means = {
        part: _compute_mean([getattr(item, part) for item in near.per_item], rows, share=False)
        for part in ("sim1", "cosine", "levenshtein")
    }
    notes = [f"{near.empty:,} rows without an answer"] if near.empty else []
    notes += near.list_notes()
    if same:
        states = [float(item.state == "same") for item in same.per_item]
        share = None if same.lacks_verdicts else _compute_mean(states, rows, share=True)
        means = {"sr1": share, **means}
        notes += [f"SR_1 by judge {same.judge}" + (f": {same.remark}" if same.remark else "")]
        if same.unscored:
            counted = f"they count as not done; SR_1 is {same.best:.1%} at best"
            none = "the judge gave none at all, so SR_1 is not shown"
            notes.append(
                f"{same.unscored:,} rows have no verdict: {none if same.lacks_verdicts else counted}"
            )
    caveats = [near.why_not_comparable, same.why_not_comparable if same else None]
    return CsvScores(
        file=file,
        means=means,
        n=len(rows),
        **_measure_usage(rows),
        sim1=near,
        sr1=same,
        sr2=None,
        caveats=_list_caveats(file, len(rows), caveats),
        notes=tuple(notes),
    )


def _score_execution(file: ResultFile) -> CsvScores:
    rows = file.executions
    # SR_2 depends on the numbers of actions only, so placeholders stand for the actions
    result = sr2(
        [["wait()"] * row.steps for row in rows],
        [["wait()"] * row.golden_steps for row in rows],
        [row.success for row in rows],
    )
    quotients = [_compute_quotient(row) for row in rows]
    values = {
        "sim2": [row.sim2 if row.sim2 is not None else quotients[at] for at, row in enumerate(rows)],
        "s_i": [row.s_i for row in rows],
        "s_ii": [row.s_ii for row in rows],
        "step_ratio": [item.step_ratio if item.success else None for item in result.per_item],
    }
    means = {"sr2": _compute_mean([float(item.success) for item in result.per_item], rows, share=True)}
    means |= {name: _compute_mean(of_rows, rows, share=False) for name, of_rows in values.items()}
    return CsvScores(
        file=file,
        means=means,
        n=len(rows),
        **_measure_usage(rows),
        sim1=None,
        sr1=None,
        sr2=result,
        caveats=_list_caveats(file, len(rows), []),
        notes=tuple(_note_execution(rows, result, quotients)),
    )


def _compute_quotient(row: ExecutionRow) -> float | None:
    """S_I / S_II by the release's protocol, which replaces an S_II of 0."""
    if row.s_i is None or row.s_ii is None:
        return None
    return divide_sim2(row.s_i, row.s_ii, get_protocol("release"))


def _note_execution(
    rows: Sequence[ExecutionRow], result: Sr2, quotients: Sequence[float | None]
) -> list[str]:
    notes = []
    if not any(row.success for row in rows):
        notes.append("success is 0 in every row: the authors' script writes 0, and people fill it in by hand")
    over = sum(item.over_limit and row.success for item, row in zip(result.per_item, rows, strict=True))
    if over:
        notes.append(f"{over:,} rows with success beyond {result.step_limit:g} x the person's steps: failed")
    apart = sum(
        row.sim2 is not None and quotient is not None and abs(row.sim2 - quotient) > NEAR * max(1, quotient)
        for row, quotient in zip(rows, quotients, strict=True)
    )
    if apart:
        notes.append(f"{apart:,} rows whose similarity is not up_sim / down_sim: it is taken as it stands")
    return notes


def _measure_usage(rows: Sequence[SuggestionRow] | Sequence[ExecutionRow]) -> dict[str, Any]:
    seconds = [row.seconds for row in rows if row.seconds is not None]
    tokens = [row.tokens for row in rows if row.tokens is not None]
    return {
        "seconds": sum(seconds) / len(seconds) if seconds else None,
        "tokens": sum(tokens) / len(tokens) if tokens else None,
        "timed": len(seconds),
        "counted_tokens": len(tokens),
    }


def _compute_mean(
    values: Sequence[float | None],
    rows: Sequence[SuggestionRow] | Sequence[ExecutionRow],
    *,
    share: bool,
) -> Interval | None:
    if all(value is None for value in values):
        return None
    interval = share_interval if share else user_interval
    if any(row.user_id is None for row in rows):
        return replace(interval(values, [""] * len(values)), clusters=0, why_no_interval=NO_USER)
    return interval(values, [row.user_id or "" for row in rows])


def _list_caveats(file: ResultFile, scored: int, given: Sequence[str | None]) -> tuple[str, ...]:
    found = [caveat for caveat in given if caveat]
    found.append(
        "a CSV file does not record how its run was made: model, history, screenshots, prompt, device"
    )
    tasks = PAPER_TASKS[file.track]
    if scored != tasks:
        found.append(f"{scored:,} rows: the paper's test has {tasks:,} tasks")
    if file.bad:
        found.append(f"{len(file.bad):,} rows left out: they cannot be read")
    return tuple(found)
