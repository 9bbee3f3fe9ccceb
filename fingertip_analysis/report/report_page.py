"""The report of runs of track 2: one HTML page with scores, figures, and every trajectory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from os.path import commonprefix
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from execution_runner.execution_records import AttemptOutcome
from execution_runner.scoring.execution_published import COLUMNS as PUBLISHED_COLUMNS
from execution_runner.scoring.execution_published import as_the_paper, rows_of
from execution_runner.scoring.run_scores import ExecutionRunScores
from fingertip_analysis.report.charts import charts
from fingertip_analysis.report.execution_tables import (
    best_cell,
    by_kind,
    choose_tricks,
    cost_cell,
    end_columns,
    notes,
    tasks_cell,
)
from fingertip_analysis.report.page_screens import PageScreens
from fingertip_analysis.report.page_tasks import ExecutionCard, task_cards
from fingertip_analysis.why.reasons import REASONS
from fingertip_analysis.why.why_tables import why_notes
from fingertip_metrics.aggregate import natural_order
from fingertip_metrics.published_beside import label_row, sources_of
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.published_cells import format_published
from fingertip_runs.repeat_scores import RepeatScores
from fingertip_runs.repeat_tables import describe_repeats, make_repeat_rows
from fingertip_runs.report_base import Filter, check_one_split, run_labels, write_page
from fingertip_runs.trick_scores import TrickScores, merge_tricks

if TYPE_CHECKING:
    from markupsafe import Markup

    from fingertip_analysis.why.why_scores import WhyScores

PAGES = ("execution", "charts", "difficulty", "success", "outcome", "reason", "reply", "risk", "trick")
"""Tables of messages.toml with the page's texts."""

SCREENS_PER_PART = 8
"""Screens in an element of the page: a browser opens a page of fewer and longer elements faster."""

SUCCESS = ("yes", "no", "open", "cut", "recorded")
"""Choices of the filter by success, in their order."""


def write_report(
    scores: Sequence[ExecutionRunScores],
    out: Path,
    *,
    why: Sequence[WhyScores] = (),
    repeats: Sequence[RepeatScores] = (),
    tricks: Sequence[TrickScores] = (),
) -> Path:
    """Writes one self-contained HTML file, which needs neither the network, the runs nor the dataset.

    Screens are small pictures, each stored once and decoded when their task is scrolled to.

    Args:
        scores: Scores of runs of one split of one dataset, which must still be where the runs found it.
        out: The file.
        why: Why attempts of the same runs failed, in their order; empty to leave the section out.
        repeats: Scores of the repeated runs whose tries are among the runs.
        tricks: Scores of the tricks on the tasks of each run, in rows below the runs; empty for none.

    Raises:
        UsageError: The runs are of different data or splits, or the dataset has changed.
        DatasetError: The dataset is gone.
        RunError: A screen of a run is missing, or the file cannot be written.
    """
    check_one_split([run.record for run in scores])
    screens = PageScreens()
    content = _make_content(scores, list(task_cards(scores, screens, why)), screens) | _make_why_content(why)
    content["notes"] = [*describe_repeats(repeats), *notes(scores), *merge_tricks(tricks).list_notes()]
    content["tricks"] = {kind: choose_tricks(scores, tricks, runs).rows for kind, runs in by_kind(scores)}
    content["repeats"] = make_repeat_rows(repeats)
    return write_page(
        out,
        "fingertip_analysis.report",
        "report.html.j2",
        script=_text("report.js"),
        style=_text("report.css"),
        pages=PAGES,
        **content,
    )


def _make_content(
    scores: Sequence[ExecutionRunScores], cards: Sequence[ExecutionCard], screens: PageScreens
) -> dict[str, object]:
    """The variables of the template."""
    names = run_labels(scores)
    # the tables of JPEG, which files of one quality and size share, are on the page once
    start = commonprefix(screens.content)  # noqa: RUF071 - of characters, not of paths
    index = {id(run): number for number, run in enumerate(scores)}
    environments = [(kind, [(index[id(run)], run) for run in runs]) for kind, runs in by_kind(scores)]
    return dict(
        record=scores[0].record,
        names=names,
        end_columns={kind: end_columns(runs) for kind, runs in by_kind(scores)},
        trace_columns={name: kind.trace_columns for name, kind in DEVICE_KINDS.items() if kind.trace_columns},
        environments=[(kind, runs, charts(runs)) for kind, runs in environments],
        published={kind: _list_published(runs) for kind, runs in by_kind(scores)},
        queried=any(run.usage.queries for run in scores),
        priced=any(run.cost is not None for run in scores),
        costs=[cost_cell(run) for run in scores],
        counts=[tasks_cell(run) for run in scores],
        best=[best_cell(run) for run in scores],
        outcomes=[end for end in get_args(AttemptOutcome) if any(run.outcomes[end] for run in scores)],
        filters=_make_filters(names, cards),
        cards=cards,
        views=[_dump_for_script(card.view) for card in cards],
        names_json=_dump_for_script(names),
        screens=[content[len(start) :] for content in screens.content],
        screens_start=start,
        screens_per_part=SCREENS_PER_PART,
    )


def _make_why_content(why: Sequence[WhyScores]) -> dict[str, object]:
    """The variables of the template about why attempts failed."""
    names = [name for name in REASONS if any(name in run.counts for run in why)]
    return dict(why=why, why_reasons=names, why_notes=why_notes(why))


def _list_published(runs: Sequence[ExecutionRunScores]) -> tuple[list[tuple[str, dict[str, str]]], str]:
    """The paper's rows of the runs' setting as (label, cells by column), and their source."""
    rows, comparable = rows_of(runs), as_the_paper(runs)
    if not rows or not comparable:
        return [], ""
    shown = [name for name in PUBLISHED_COLUMNS if name in comparable or name in ("seconds", "tokens")]
    cells = [(label_row(row), {name: format_published(row, name) for name in shown}) for row in rows]
    return cells, sources_of(rows)


def _make_filters(names: Sequence[str], cards: Sequence[ExecutionCard]) -> list[Filter]:
    """The filters of the tasks; only choices that occur are there."""
    attempts = [attempt for card in cards for attempt in card.attempts]
    users = sorted({card.row["user_id"] for card in cards}, key=natural_order)
    apps = sorted({card.row["app"] for card in cards})
    found = {attempt.score.outcome for attempt in attempts}
    outcomes = [end for end in get_args(AttemptOutcome) if end in found]
    successes = {attempt.success for attempt in attempts}
    return [
        ("run", "report.all_agents", [(str(number), "", name) for number, name in enumerate(names)]),
        ("user", "report.all_users", [(user, "report.user", user) for user in users]),
        ("app", "report.all_apps", [(app, "", app) for app in apps]),
        ("outcome", "execution.any_end", [(end, f"outcome.{end}", "") for end in outcomes]),
        (
            "success",
            "execution.any_success",
            [(name, f"success.{name}", "") for name in SUCCESS if name in successes],
        ),
    ]


def _dump_for_script(content: object) -> Markup:
    """JSON whose text cannot close its script element."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return _mark_safe(text.replace("<", "\\u003c"))


def _text(name: str) -> str:
    return files("fingertip_analysis.report").joinpath(name).read_text(encoding="utf-8")


def _mark_safe(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - our own files, and JSON without an angle bracket
