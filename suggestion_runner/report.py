"""The report of runs of track 1: one HTML page with scores, figures, and every task with its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fingertip_dataset.tasks.task import TASK_COLUMNS
from fingertip_metrics.aggregate import natural_order
from fingertip_metrics.judges.verdicts import State
from fingertip_runs.cells import NONE, interval_cell, number_cell
from fingertip_runs.page_parts import data_uri, thumbnail
from fingertip_runs.report_base import check_one_split, task_rows, write_page
from suggestion_runner.answer_text import answer_text
from suggestion_runner.prediction_log import read_predictions
from suggestion_runner.scoring import GROUPINGS, SuggestionRunScores
from suggestion_runner.suggestion_tables import notes

THUMBNAIL_WIDTH = 150
"""Width of the screens on the page, px; a page of 1,000 tasks stays under 20 MB."""

REPORT_COLUMNS = (*TASK_COLUMNS, "previous_intents", "screenshots")
"""Columns of a task on the page."""

VERDICTS: Mapping[State, str] = MappingProxyType(
    {"same": "same intent", "different": "another intent", "unscored": "no verdict"}
)

LONGEST_SHOWN = 600
"""Characters of an answer on the page; a model may write far more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAnswer:
    """One run's answer to a task.

    Attributes:
        agent: Name of the agent.
        text: The text that is scored.
        read: The intent that our parser extracts from it; None if that is the same text.
        sim1: Sim_1 of the text.
        verdict: The judge's verdict in words; "" without a judge.
    """

    agent: str
    text: str
    read: str | None
    sim1: float
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionCard:
    """One task on the page: its dataset row, its first screen as a data URI, and the runs' answers."""

    row: Mapping[str, Any]
    screen: str | None
    answers: tuple[ShownAnswer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTable:
    """The scores of each group of a grouping.

    Attributes:
        by: The grouping.
        rows: (name of the group, cells per run: SR_1 if any run has a judge, Sim_1, number of tasks).
    """

    by: str
    rows: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]


def _shortened(text: str) -> str:
    """A text cut to `LONGEST_SHOWN` characters, with an ellipsis if it was longer.

    >>> len(_shortened("打" * 1000)), _shortened("打车")
    (601, '打车')
    """
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def write_report(scores: Sequence[SuggestionRunScores], out: Path, *, figures: Sequence[Path] = ()) -> Path:
    """Writes one self-contained HTML file, which needs neither the network nor the dataset.

    Args:
        scores: Scores of runs of one split of one dataset, which must still be where the runs found it.
        out: The file.
        figures: PNG files to show under the table.

    Raises:
        UsageError: The runs are of different data or splits, or the dataset has changed.
        DatasetError: The dataset is gone.
        RunError: The file cannot be written.
    """
    check_one_split([run.record for run in scores])
    return write_page(
        out,
        "suggestion_runner",
        "report.html.j2",
        script=files("suggestion_runner").joinpath("report.js").read_text(encoding="utf-8"),
        record=scores[0].record,
        runs=scores,
        notes=notes(scores),
        figures=[data_uri(figure.read_bytes(), "png") for figure in figures],
        judged=any(run.judged for run in scores),
        accepted=any(run.acceptance for run in scores),
        groups=list(_group_tables(scores)),
        interval=interval_cell,
        number=number_cell,
        cards=list(_cards(scores)),
    )


def _group_tables(scores: Sequence[SuggestionRunScores]) -> Iterator[GroupTable]:
    """A table for each grouping that every run has; a dash for a group that a run lacks."""
    judged = any(run.judged for run in scores)
    for by in GROUPINGS:
        if not all(by in run.breakdowns for run in scores):
            continue
        names = {group.group for run in scores for group in run.breakdowns[by]}
        of_runs = [_group_cells(run, by, judged) for run in scores]
        missing = (NONE,) * (3 if judged else 2)
        yield GroupTable(
            by=by,
            rows=tuple(
                (
                    "not known" if name is None else name,
                    tuple(cells.get(name, missing) for cells in of_runs),
                )
                for name in sorted(names, key=natural_order)
            ),
        )


def _group_cells(run: SuggestionRunScores, by: str, judged: bool) -> dict[str | None, tuple[str, ...]]:
    shares = {group.group: group.interval for group in run.judged.breakdowns[by]} if run.judged else {}
    return {
        group.group: (
            *([interval_cell(shares.get(group.group), decimals=1, factor=100)] if judged else []),
            interval_cell(group.interval),
            f"{group.n:,}",
        )
        for group in run.breakdowns[by]
    }


def _cards(scores: Sequence[SuggestionRunScores]) -> Iterator[SuggestionCard]:
    answers = _answers(scores)
    for row in task_rows(scores[0].record, REPORT_COLUMNS):
        screen = next((image for image in row["screenshots"] if image), None)
        yield SuggestionCard(
            row=row,
            screen=thumbnail(screen["bytes"], THUMBNAIL_WIDTH) if screen else None,
            answers=answers.get(row["episode_id"], ()),
        )


def _answers(scores: Sequence[SuggestionRunScores]) -> dict[str, tuple[ShownAnswer, ...]]:
    """Task id -> the runs' answers, in the order of the runs."""
    found: dict[str, tuple[ShownAnswer, ...]] = {}
    for run in scores:
        several = run.record.distribution
        verdicts = [VERDICTS[item.state] for item in run.sr1.per_item] if run.sr1 else [""] * run.result.n
        lines = zip(read_predictions(run.folder), run.result.per_item, verdicts, strict=True)
        for prediction, item, verdict in lines:
            text = answer_text(prediction, run.answers, distribution=several)
            read = answer_text(prediction, "read", distribution=several)
            answer = ShownAnswer(
                agent=run.record.agent.name,
                text=_shortened(text),
                read=None if read == text else _shortened(read),
                sim1=item.sim1,
                verdict=verdict,
            )
            found[prediction.task_id] = (*found.get(prediction.task_id, ()), answer)
    return found
