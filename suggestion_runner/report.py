"""The report of runs of track 1: one HTML page with scores, figures, and every task with its answers."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

from fingertip_dataset.tasks.task import TASK_COLUMNS
from fingertip_metrics.aggregate import Interval, natural_order
from fingertip_metrics.judges.verdicts import State
from fingertip_pages.page_parts import data_uri
from fingertip_runs.cells import format_number, format_seconds
from fingertip_runs.interval_charts import Chart
from fingertip_runs.repeat_scores import RepeatScores
from fingertip_runs.repeat_tables import describe_repeats, make_repeat_rows
from fingertip_runs.report_base import (
    Filter,
    check_one_split,
    filter_words,
    run_labels,
    task_rows,
    write_page,
)
from fingertip_runs.thumbnails import make_thumbnail
from fingertip_runs.trick_scores import NO_TRICKS, TrickScores
from suggestion_runner.answer_text import answer_text
from suggestion_runner.prediction_log import read_predictions
from suggestion_runner.report_charts import charts, group_chart
from suggestion_runner.scoring import GROUPINGS, SuggestionRunScores
from suggestion_runner.suggestion_tables import notes
from suggestion_runner.why.intent_reason_tables import why_notes
from suggestion_runner.why.intent_reasons import INTENT_REASONS, AnswerReasons
from suggestion_runner.why.why_suggestions import WhySuggestions

THUMBNAIL_WIDTH = 150
"""Width of the screens on the page, px; a page of 1,000 tasks stays under 20 MB."""

REPORT_COLUMNS = (*TASK_COLUMNS, "previous_intents", "screenshots")
"""Columns of a task on the page."""

PAGES = ("suggestion", "charts", "grouping", "state", "figure", "intent_reason", "trick")
"""Tables of messages.toml with the page's texts."""

FIGURE_ROWS = 40
"""Number of rows of a figure's table on the page; its CSV file has all."""

LONGEST_SHOWN = 600
"""Characters of an answer on the page; a model may write far more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAnswer:
    """The answer of a run to a task.

    Attributes:
        run: Index of the run on the page.
        text: The text that is scored.
        read: The intent that our parser extracts from it; None if that is the same text.
        sim1: Sim_1 of the text.
        state: The judge's verdict; "" without a judge.
        why: Why it failed; None for a success, or if that was not asked for.
    """

    run: int
    text: str
    read: str | None
    sim1: float
    state: State | Literal[""]
    why: AnswerReasons | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionCard:
    """A task on the page.

    Attributes:
        row: Its row of the dataset.
        screen: Its first screen as a data URI; None if there is none that can be decoded.
        answers: The runs' answers.
    """

    row: Mapping[str, Any]
    screen: str | None
    answers: tuple[ShownAnswer, ...]

    @property
    def states(self) -> str:
        """Verdicts on the answers, which the filter selects by."""
        return "|".join(dict.fromkeys(answer.state for answer in self.answers if answer.state))

    @property
    def words(self) -> str:
        """Text that the filter searches, in lower case."""
        return filter_words(self.row, (answer.text for answer in self.answers))


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCells:
    """The scores of a run in a group.

    Attributes:
        share: SR_1; None without a judge.
        sim1: Sim_1.
        n: Number of tasks.
    """

    share: Interval | None
    sim1: Interval | None
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTable:
    """The scores of each group of a grouping.

    Attributes:
        by: The grouping.
        chart: Sim_1 of its groups; None if no group has an interval.
        rows: (name of the group or None, cells per run; None for a group that the run lacks).
    """

    by: str
    chart: Chart | None
    rows: tuple[tuple[str | None, tuple[GroupCells | None, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFigure:
    """A figure of the dataset, with its numbers.

    Attributes:
        name: Name of its file, by which messages.toml describes it.
        picture: The PNG as a data URI.
        header: Columns of its table.
        rows: The first rows of its table; empty without a CSV file.
    """

    name: str
    picture: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def _shortened(text: str) -> str:
    """A text cut to `LONGEST_SHOWN` characters, with an ellipsis if it was longer.

    >>> len(_shortened("打" * 1000)), _shortened("打车")
    (601, '打车')
    """
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def write_report(
    scores: Sequence[SuggestionRunScores],
    out: Path,
    *,
    figures: Sequence[Path] = (),
    why: Sequence[WhySuggestions] = (),
    repeats: Sequence[RepeatScores] = (),
    tricks: TrickScores = NO_TRICKS,
) -> Path:
    """Writes one self-contained HTML file, which needs neither the network nor the dataset.

    Args:
        scores: Scores of runs of one split of one dataset, which must still be where the runs found it.
        out: The file.
        figures: PNG files of `fingertip stats` to show under the groups; the CSV file beside each has its
            numbers.
        why: Why answers of the same runs failed, in their order; empty to leave the section out.
        repeats: Scores of the repeated runs whose tries are among the runs.
        tricks: Scores of answers without a look at the task, in rows below the runs.

    Raises:
        UsageError: The runs are of different data or splits, or the dataset has changed.
        DatasetError: The dataset is gone.
        RunError: The file cannot be written.
    """
    check_one_split([run.record for run in scores])
    cards = list(_make_cards(scores, why))
    return write_page(
        out,
        "suggestion_runner",
        "report.html.j2",
        script='filterItems(".card");',
        style=_text("report.css"),
        pages=PAGES,
        record=scores[0].record,
        runs=scores,
        names=run_labels(scores),
        notes=[*describe_repeats(repeats), *notes(scores), *tricks.list_notes()],
        tricks=tricks,
        repeats=make_repeat_rows(repeats),
        charts=charts(scores),
        figures=[_read_figure(figure) for figure in figures],
        judged=any(run.judged for run in scores),
        accepted=any(run.acceptance for run in scores),
        groups=list(_make_group_tables(scores)),
        filters=_make_filters(cards),
        number=format_number,
        seconds=format_seconds,
        cards=cards,
        why=why,
        why_reasons=[name for name in INTENT_REASONS if any(name in run.counts for run in why)],
        why_notes=why_notes(why),
    )


def _text(name: str) -> str:
    return files("suggestion_runner").joinpath(name).read_text(encoding="utf-8")


def _read_figure(picture: Path) -> DataFigure:
    table = picture.with_suffix(".csv")
    lines: list[tuple[str, ...]] = []
    if table.is_file():
        with table.open(encoding="utf-8-sig", newline="") as file:
            lines = [tuple(line) for line in islice(csv.reader(file), FIGURE_ROWS + 1)]
    return DataFigure(
        name=picture.stem,
        picture=data_uri(picture.read_bytes(), "png"),
        header=lines[0] if lines else (),
        rows=tuple(lines[1:]),
    )


def _make_filters(cards: Sequence[SuggestionCard]) -> list[Filter]:
    """The filters of the tasks."""
    users = sorted({card.row["user_id"] for card in cards}, key=natural_order)
    apps = sorted({card.row["app"] for card in cards})
    states = {answer.state for card in cards for answer in card.answers}
    found: list[Filter] = [
        ("user", "report.all_users", [(user, "report.user", user) for user in users]),
        ("app", "report.all_apps", [(app, "", app) for app in apps]),
    ]
    verdicts = [(state, f"state.{state}", "") for state in get_args(State) if state in states]
    return [*found, ("state", "suggestion.any_verdict", verdicts)] if verdicts else found


def _make_group_tables(scores: Sequence[SuggestionRunScores]) -> Iterator[GroupTable]:
    """A table for each grouping that every run has."""
    for by in GROUPINGS:
        if not all(by in run.breakdowns for run in scores):
            continue
        names = {group.group for run in scores for group in run.breakdowns[by]}
        of_runs = [_make_group_cells(run, by) for run in scores]
        yield GroupTable(
            by=by,
            chart=group_chart(scores, by),
            rows=tuple(
                (name, tuple(cells.get(name) for cells in of_runs))
                for name in sorted(names, key=natural_order)
            ),
        )


def _make_group_cells(run: SuggestionRunScores, by: str) -> dict[str | None, GroupCells]:
    shares = {group.group: group.interval for group in run.judged.breakdowns[by]} if run.judged else {}
    return {
        group.group: GroupCells(share=shares.get(group.group), sim1=group.interval, n=group.n)
        for group in run.breakdowns[by]
    }


def _make_cards(
    scores: Sequence[SuggestionRunScores], why: Sequence[WhySuggestions]
) -> Iterator[SuggestionCard]:
    answers = _collect_answers(scores, why)
    for row in task_rows(scores[0].record, REPORT_COLUMNS):
        screen = next((image for image in row["screenshots"] if image), None)
        yield SuggestionCard(
            row=row,
            screen=make_thumbnail(screen["bytes"], THUMBNAIL_WIDTH) if screen else None,
            answers=answers.get(row["episode_id"], ()),
        )


def _collect_answers(
    scores: Sequence[SuggestionRunScores], why: Sequence[WhySuggestions]
) -> dict[str, tuple[ShownAnswer, ...]]:
    """Task id -> the runs' answers, in the order of the runs."""
    found: dict[str, tuple[ShownAnswer, ...]] = {}
    reasons = [{one.task_id: one for one in run.attempts} for run in why] or [{} for _ in scores]
    for number, run in enumerate(scores):
        several = run.record.distribution
        states: list[State | Literal[""]] = [""] * run.result.n
        if run.sr1:
            states = [item.state for item in run.sr1.per_item]
        lines = zip(read_predictions(run.folder), run.result.per_item, states, strict=True)
        for prediction, item, state in lines:
            text = answer_text(prediction, run.answers, distribution=several)
            read = answer_text(prediction, "read", distribution=several)
            answer = ShownAnswer(
                run=number,
                text=_shortened(text),
                read=None if read == text else _shortened(read),
                sim1=item.sim1,
                state=state,
                why=reasons[number].get(prediction.task_id),
            )
            found[prediction.task_id] = (*found.get(prediction.task_id, ()), answer)
    return found
