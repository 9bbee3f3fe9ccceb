"""A run to look at: one HTML page with the scores, the figures and every task beside its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fingertip_dataset.errors import FingerTipError, RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.aggregate import natural_order
from fingertip_metrics.judges.verdicts import State
from fingertip_runs.cells import NONE, interval_cell, number_cell
from fingertip_runs.page_parts import data_uri, template, thumbnail
from suggestion_runner.answer_text import answer_text
from suggestion_runner.prediction_log import read_predictions
from suggestion_runner.scoring import GROUPINGS, SuggestionRunScores
from suggestion_runner.suggestion_tables import notes

THUMBNAIL_WIDTH = 150
"""px of the screens on the page; one of 1,000 tasks stays under 20 MB."""

TASK_COLUMNS = (
    "episode_id",
    "user_id",
    "user_profile",
    "time",
    "scenario",
    "app",
    "intent",
    "previous_intents",
    "screenshots",
)


VERDICTS: Mapping[State, str] = MappingProxyType(
    {"same": "same intent", "different": "another intent", "unscored": "no verdict"}
)

LONGEST_SHOWN = 600
"""Characters of an answer on the page; a model may write pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAnswer:
    """What one run answered to a task.

    Attributes:
        agent: Its name.
        text: That is scored.
        read: What our reader took out of it; None where that is the same.
        sim1: Of the text.
        verdict: What the judge says of it, in words; "" without a judge.
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
        rows: (name of the group, per run its cells: SR_1 where there is a judge, Sim_1, and the tasks).
    """

    by: str
    rows: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]


def _shortened(text: str) -> str:
    """A text that is not longer than `LONGEST_SHOWN`, with a mark where it was.

    >>> len(_shortened("打" * 1000)), _shortened("打车")
    (601, '打车')
    """
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def write_report(scores: Sequence[SuggestionRunScores], out: Path, *, figures: Sequence[Path] = ()) -> Path:
    """Writes one HTML file that needs nothing else, neither the network nor the dataset.

    Args:
        scores: Of runs of one split of one dataset, which must still lie where the runs found it.
        out: The file.
        figures: PNG files to show under the table.

    Raises:
        UsageError: The runs are of different data or splits.
        DatasetError: The dataset is gone or another one.
        RunError: The file cannot be written.
    """
    if len({(run.record.dataset.data_sha256, run.record.split) for run in scores}) != 1:
        raise UsageError("expected runs of one split of one dataset on a page, got several")
    page = template("suggestion_runner", "report.html.j2").render(
        record=scores[0].record,
        runs=scores,
        notes=notes(scores),
        figures=[data_uri(figure.read_bytes(), "png") for figure in figures],
        judged=any(run.judged for run in scores),
        groups=list(_group_tables(scores)),
        interval=interval_cell,
        number=number_cell,
        cards=list(_cards(scores)),
    )
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise RunError(f"expected a file that can be written, got {error.strerror}", file=out) from error
    return out


def _group_tables(scores: Sequence[SuggestionRunScores]) -> Iterator[GroupTable]:
    """A table a grouping that every run has; a group that a run has not is a dash."""
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
    record = scores[0].record
    answers = _answers(scores)
    built = BuiltDataset.open(Path(record.dataset.path))
    if built.manifest.data_sha256 != record.dataset.data_sha256:
        raise FingerTipError(
            "expected the dataset that the run was made on, got another one", file=record.dataset.path
        )
    for row in built.rows(record.split, columns=TASK_COLUMNS, config="default"):
        screen = next((image for image in row["screenshots"] if image), None)
        yield SuggestionCard(
            row=row,
            screen=thumbnail(screen["bytes"], THUMBNAIL_WIDTH) if screen else None,
            answers=answers.get(row["episode_id"], ()),
        )


def _answers(scores: Sequence[SuggestionRunScores]) -> dict[str, tuple[ShownAnswer, ...]]:
    """Task id -> what each run answered, in the order of the runs."""
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
