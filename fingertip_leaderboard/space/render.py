"""The board in HTML: tables, a submission's page, what was refused; all that a bundle says is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from fingertip_leaderboard.paired import ALPHA, Comparison
from fingertip_leaderboard.ranking import RankingTable, mean_of, published_value
from fingertip_leaderboard.score_columns import TITLES, ScoreColumn
from fingertip_leaderboard.verified_records import (
    Conditions,
    Score,
    ScoreKind,
    ShownSetting,
    Submission,
    VerifiedResults,
)
from fingertip_metrics.published import PublishedRow
from fingertip_metrics.published_beside import PublishedTrack, row_label, shown_words
from fingertip_runs.cells import DIGEST, NONE
from fingertip_runs.device_kinds import DEVICE_KINDS, PAPER_DEVICE
from fingertip_runs.page_parts import template
from fingertip_runs.published_cells import published_cell

WEIGHTS: Mapping[str, str] = MappingProxyType(
    {"open": "open weights", "closed": "closed weights", "none": "no model"}
)

_DECIDERS: Mapping[ScoreKind, str] = MappingProxyType(
    {"sim1": "embedder", "sr1": "judge", "execution": "success by"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCell:
    """A score as a table shows it.

    Attributes:
        text: The mean; a dash where there is none.
        value: To sort by; None where there is none.
        interval: "0.185 to 0.461", or "".
        part: "9 tasks" where others have no value, or "".
        left: Where the interval begins on the column's scale, in percent; None where nothing is drawn.
        width: How wide it is.
        at: Where the mean is.
        marks: Names that it is significantly better than.
    """

    text: str
    value: float | None
    interval: str = ""
    part: str = ""
    left: float | None = None
    width: float = 0.0
    at: float = 0.0
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPair:
    """A comparison as a submission's page tells it: the other one, and the difference seen from here."""

    other: Submission
    title: str
    difference: str
    interval: str
    p: str
    word: str
    tasks: int
    users: int


def boards_html(results: VerifiedResults, tables: Sequence[RankingTable]) -> str:
    """Tables one below the other.

    Args:
        results: For names of datasets and of submissions.
        tables: From `fingertip_leaderboard.ranking`.
    """
    boards = [
        {
            "table": table,
            "title": title_of(results, table),
            "facts": facts_of(table.conditions),
            "caveat": _caveat_of(table.conditions),
            "rows": list(zip(table.rows, _cells(results, table), strict=True)),
            "published": [
                (
                    row,
                    row_label(row),
                    [_published_cell(row, column) for column in table.columns],
                    _published_effort(row, table.conditions),
                )
                for row in table.published
            ],
            "sources": list(dict.fromkeys(row.source for row in table.published)),
        }
        for table in tables
    ]
    return template("fingertip_leaderboard", "space/board.html.j2").render(
        boards=boards, weights=WEIGHTS, dash=NONE
    )


def submission_html(results: VerifiedResults, tables: Sequence[RankingTable], submission: Submission) -> str:
    """The page of one submission.

    Args:
        results: That it is of.
        tables: All of both tracks, not filtered.
        submission: Which.
    """
    columns = {column.name: column for table in tables for column in table.columns}
    shown = [columns[name] for name in columns if name in submission.scores]
    return template("fingertip_leaderboard", "space/submission.html.j2").render(
        it=submission,
        weights=WEIGHTS,
        facts=[
            (title_of(results, table), facts_of(table.conditions))
            for table in tables
            if any(row.submission == submission for row in table.rows)
        ],
        scores=[(column, submission.scores[column.name], _plain(submission, column)) for column in shown],
        pairs=list(_pairs(results, tables, submission)),
        alpha=ALPHA,
        groups=[
            (name, [(row, [_group_cell(row.scores.get(c.name), c) for c in shown]) for row in rows])
            for name, rows in submission.by.items()
        ],
        columns=shown,
        settings=json.dumps(submission.settings, ensure_ascii=False, indent=2),
        dash=NONE,
    )


def refused_html(results: VerifiedResults) -> str:
    """What was refused, each with its reasons."""
    return template("fingertip_leaderboard", "space/refused.html.j2").render(refused=results.refused)


def title_of(results: VerifiedResults, table: RankingTable) -> str:
    """What a table is of."""
    conditions = table.conditions
    if conditions is None:
        trained = ", fine-tuned on its training episodes" if table.fine_tuned else ""
        return f"Published in the paper{trained}: {', '.join(column.title for column in table.columns)}"
    data = results.benchmark(conditions.data_sha256).name
    measure = TITLES.get(conditions.measure)
    device = DEVICE_KINDS[conditions.device or PAPER_DEVICE]
    environment = device.board_title.capitalize() if measure is None else measure
    shown = conditions.told
    unusual = "" if shown in (None, ShownSetting()) else f", {told_words(shown, conditions.track)}"
    part = f", a sample of {conditions.sample:,} tasks" if conditions.sample else ""
    return f"{environment}, {data}{part}{unusual}"


def facts_of(conditions: Conditions | None) -> list[tuple[str, str]]:
    """What all rows of a table have in common: name and value."""
    if conditions is None:
        return []
    found = [
        ("split", conditions.split),
        ("protocol", conditions.protocol),
        *([("answers", _ANSWERS[conditions.answers])] if conditions.answers else []),
        ("history", conditions.history),
        ("shown", "not known" if conditions.told is None else told_words(conditions.told, conditions.track)),
        (_DECIDERS[conditions.measure], _short(conditions)),
        (
            "data",
            f"{conditions.provenance}, {conditions.data_sha256[:DIGEST]}, split by {conditions.split_method}",
        ),
    ]
    return [*found, ("faults", ", ".join(conditions.faults))] if conditions.faults else found


_ANSWERS = {"raw": "as given", "read": "as read by our reader"}
"""Which text of an answer of track 1 is scored."""


def told_words(shown: ShownSetting, track: PublishedTrack) -> str:
    """What all tasks of a table show an agent."""
    words = shown_words(shown.model_dump(), track)
    by = f", picked by {shown.history_model}" if shown.history_model else ""
    return words + by


def _short(conditions: Conditions) -> str:
    """Who decides; an embedder without its settings, which the page of a submission shows in full."""
    name = conditions.decided_by
    return name.partition(": ")[0] if conditions.measure == "sim1" else name


def number(value: float | None, column: ScoreColumn) -> str:
    """A score in its column's format; a dash where there is none."""
    if value is None:
        return NONE
    return f"{value * 100:.1f} %" if column.percent else f"{value:.3f}"


def _caveat_of(conditions: Conditions | None) -> str:
    if conditions is None:
        return (
            "As the paper printed them: not recomputed here, not ranked. Nothing on this board was made "
            "in the same setting yet, so nothing stands beside them."
        )
    if conditions.device is not None:
        return DEVICE_KINDS[conditions.device].board_caveat
    # track 1 has no device, but its data may come from simulated phones
    simulated = (kind for kind in DEVICE_KINDS.values() if kind.name == conditions.provenance)
    return next((kind.board_caveat for kind in simulated), "")


def _cells(results: VerifiedResults, table: RankingTable) -> list[list[ScoreCell]]:
    """A cell a column, of each row."""
    names = {submission.name: submission.card.name for submission in results.submissions}
    scales = {column.name: _scale(table, column) for column in table.columns}
    return [
        [
            _cell(
                row.submission,
                column,
                scales[column.name],
                tuple(names[name] for name in row.better_than.get(column.name, ())),
            )
            for column in table.columns
        ]
        for row in table.rows
    ]


def _scale(table: RankingTable, column: ScoreColumn) -> tuple[float, float]:
    """The ends of a column's scale: zero, one for shares, and everything that is drawn."""
    scores = [row.submission.scores.get(column.name) for row in table.rows]
    ends = [
        end for score in scores if score for end in (score.low, score.high, score.mean) if end is not None
    ]
    return min([0.0, *ends]), max([1.0 if column.percent else 0.0, *ends])


def _cell(
    submission: Submission, column: ScoreColumn, scale: tuple[float, float], marks: tuple[str, ...] = ()
) -> ScoreCell:
    score, mean = submission.scores.get(column.name), mean_of(submission, column.name)
    if score is None or mean is None:
        return ScoreCell(text=NONE, value=None)
    part = f"{score.n:,} of {score.n + score.undefined:,} tasks" if score.undefined else ""
    if score.low is None or score.high is None:
        why = "one user" if score.users < 2 else "users alike"
        return ScoreCell(text=number(mean, column), value=mean, interval=why, part=part, marks=marks)
    low, high = scale
    share = 100 / (high - low) if high > low else 0.0
    return ScoreCell(
        text=number(mean, column),
        value=mean,
        interval=_interval(score.low, score.high, column),
        part=part,
        left=(score.low - low) * share,
        width=(score.high - score.low) * share,
        at=(mean - low) * share,
        marks=marks,
    )


def _plain(submission: Submission, column: ScoreColumn) -> ScoreCell:
    return _cell(submission, column, (0.0, 0.0))


def _interval(low: float, high: float, column: ScoreColumn) -> str:
    return f"{number(low, column).removesuffix(' %')} to {number(high, column)}"


def _group_cell(score: Score | None, column: ScoreColumn) -> str:
    return number(score.mean if score else None, column)


def _published_cell(row: PublishedRow, column: ScoreColumn) -> ScoreCell:
    """With the decimals that the paper prints."""
    text, value = published_cell(row, column.name), published_value(row, column)
    return ScoreCell(text=f"{text} %" if column.percent and value is not None else text, value=value)


def _published_effort(row: PublishedRow, of: Conditions | None) -> list[tuple[str, float | None]]:
    """Seconds and tokens as (text, value). The paper's are of a query, which on track 1 is a task."""
    if of is None or of.track == "execution":
        return [(NONE, None), (NONE, None)]
    return [(published_cell(row, name), row.values.get(name)) for name in ("seconds", "tokens")]


def _pairs(
    results: VerifiedResults, tables: Sequence[RankingTable], submission: Submission
) -> Iterator[ComparedPair]:
    """Every comparison of a submission, table by table and score by score."""
    for table in tables:
        indices = [index for index, row in enumerate(table.rows) if row.submission == submission]
        for column in table.columns if indices else ():
            for pair in table.comparisons.get(column.name, ()):
                if indices[0] in (pair.one, pair.other):
                    yield _seen_from(pair, indices[0], table, column)


def _seen_from(pair: Comparison, here: int, table: RankingTable, column: ScoreColumn) -> ComparedPair:
    sign = 1 if pair.one == here else -1
    low, high = sorted((sign * pair.low, sign * pair.high))
    word = "no difference shown"
    if pair.better is not None:
        word = "significantly better" if pair.better == here else "significantly worse"
    return ComparedPair(
        other=table.rows[pair.other if pair.one == here else pair.one].submission,
        title=column.title,
        difference=_signed(sign * pair.difference, column),
        interval=f"{_signed(low, column).removesuffix(' %')} to {_signed(high, column)}",
        p="1" if pair.adjusted >= 0.9995 else f"{max(pair.adjusted, 0.0001):.2g}",
        word=word,
        tasks=pair.tasks,
        users=pair.users,
    )


def _signed(value: float, column: ScoreColumn) -> str:
    text = number(value, column)
    return f"+{text}" if value > 0 else text.replace("-", "−")
