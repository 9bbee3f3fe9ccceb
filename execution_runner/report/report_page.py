"""Runs to look at: one HTML page with the scores, the figures, and every trajectory beside the person's."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from execution_runner.execution_records import AttemptOutcome
from execution_runner.report.charts import charts
from execution_runner.report.page_screens import PageScreens
from execution_runner.report.page_tasks import ExecutionCard, task_cards
from execution_runner.scoring.execution_published import COLUMNS as PUBLISHED_COLUMNS
from execution_runner.scoring.execution_published import as_the_paper, rows_of
from execution_runner.scoring.execution_tables import (
    by_kind,
    cost_cell,
    ends,
    notes,
    tasks_cell,
)
from execution_runner.scoring.run_scores import ExecutionRunScores
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.source import source
from fingertip_metrics.aggregate import natural_order
from fingertip_metrics.published_beside import row_label, sources_of
from fingertip_runs.cells import run_name
from fingertip_runs.device_kinds import DEVICE_KINDS
from fingertip_runs.page_parts import template
from fingertip_runs.published_cells import published_cell

if TYPE_CHECKING:
    from markupsafe import Markup

SUCCESS = {
    "yes": "done",
    "no": "not done",
    "open": "not labelled",
    "left out": "left out",
    "recorded": "on a recording",
}
"""What the filter by success offers."""


def write_report(scores: Sequence[ExecutionRunScores], out: Path) -> Path:
    """Writes one HTML file that needs nothing else: neither the network, nor the runs, nor the dataset.

    Screens are small pictures, each once; they are decoded when their task is scrolled to.

    Args:
        scores: Of runs of one split of one dataset, which must still lie where the runs found it.
        out: The file.

    Raises:
        UsageError: The runs are of different data or splits, or the dataset is another one now.
        DatasetError: The dataset is gone.
        RunError: A screen of a run is missing, or the file cannot be written.
    """
    if len({(run.record.dataset.data_sha256, run.record.split) for run in scores}) != 1:
        raise UsageError("expected runs of one split of one dataset on a page, got several")
    screens = PageScreens()
    page = _page(scores, list(task_cards(scores, screens)), screens)
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise RunError(f"expected a file that can be written, got {error.strerror}", file=out) from error
    return out


def _title(text: str) -> str:
    """The text with a capital first letter; `str.capitalize` would lower the rest."""
    return text[0].upper() + text[1:]


def _page(scores: Sequence[ExecutionRunScores], cards: Sequence[ExecutionCard], screens: PageScreens) -> str:
    names, script = _names(scores), _text("report.js")
    index = {id(run): number for number, run in enumerate(scores)}
    environments = [(kind, [(index[id(run)], run) for run in runs]) for kind, runs in by_kind(scores)]
    return template("execution_runner.report", "report.html.j2").render(
        record=scores[0].record,
        names=names,
        kinds={name: _title(kind.score_title) for name, kind in DEVICE_KINDS.items()},
        trace_columns={name: kind.trace_columns for name, kind in DEVICE_KINDS.items() if kind.trace_columns},
        environments=[(kind, runs, charts(runs)) for kind, runs in environments],
        published={kind: _published(runs) for kind, runs in by_kind(scores)},
        queried=any(run.effort.queries for run in scores),
        priced=any(run.effort.cost is not None for run in scores),
        costs=[cost_cell(run) for run in scores],
        counts=[tasks_cell(run) for run in scores],
        ends=[ends(run) for run in scores],
        outcomes=[end for end in get_args(AttemptOutcome) if any(run.outcomes[end] for run in scores)],
        notes=notes(scores),
        filters=_filters(names, cards),
        cards=cards,
        views=[_script_json(card.view) for card in cards],
        names_json=_script_json(names),
        screens=screens.content,
        style=_markup(_text("report.css")),
        script=_markup(script),
        script_sha256=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
        commit=source().git_commit,
    )


def _published(runs: Sequence[ExecutionRunScores]) -> tuple[list[tuple[str, dict[str, str]]], str]:
    """The paper's rows of the runs' setting as (who, cells by column), and where they come from."""
    rows, comparable = rows_of(runs), as_the_paper(runs)
    if not rows or not comparable:
        return [], ""
    shown = [name for name in PUBLISHED_COLUMNS if name in comparable or name in ("seconds", "tokens")]
    cells = [(row_label(row), {name: published_cell(row, name) for name in shown}) for row in rows]
    return cells, sources_of(rows)


def _names(scores: Sequence[ExecutionRunScores]) -> list[str]:
    """The agents' names; where one agent made several runs, with the run's unless that says it all."""
    agents = Counter(run.record.agent.name for run in scores)
    names = []
    for run in scores:
        agent, own = run.record.agent.name, run_name(run)
        names.append(agent if agents[agent] == 1 else own if agent in own else f"{agent} · {own}")
    return names


def _filters(
    names: Sequence[str], cards: Sequence[ExecutionCard]
) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """(field, label, its choices as (value, words)), of what occurs."""
    attempts = [attempt for card in cards for attempt in card.attempts]
    users = sorted({card.row["user_id"] for card in cards}, key=natural_order)
    apps = sorted({card.row["app"] for card in cards})
    found = {attempt.score.outcome for attempt in attempts}
    successes = {attempt.success for attempt in attempts}
    return [
        ("run", "all agents", [(str(number), name) for number, name in enumerate(names)]),
        ("user", "all users", [(user, f"user {user}") for user in users]),
        ("app", "all apps", [(app, app) for app in apps]),
        (
            "outcome",
            "any end",
            [(end, end.replace("_", " ")) for end in get_args(AttemptOutcome) if end in found],
        ),
        ("success", "done or not", [pair for pair in SUCCESS.items() if pair[0] in successes]),
    ]


def _script_json(content: object) -> Markup:
    """JSON that no text in it can lead out of its script element."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return _markup(text.replace("<", "\\u003c"))


def _text(name: str) -> str:
    return files("execution_runner.report").joinpath(name).read_text(encoding="utf-8")


def _markup(text: str) -> Markup:
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - our own files, and JSON without an angle bracket
