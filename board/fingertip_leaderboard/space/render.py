"""Render the board as HTML: tables, pages of submissions, refusals; all text of bundles is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from fingertip_dataset.release.language_names import name_language
from fingertip_dataset.split_names import TEST_LONG
from fingertip_dataset.track import Track
from fingertip_leaderboard.paired import ALPHA, Comparison
from fingertip_leaderboard.ranking import RankingTable, find_published_value, mean_of
from fingertip_leaderboard.score_columns import COLUMNS, EVERY, TITLES, ScoreColumn
from fingertip_leaderboard.space.asking_words import list_asking_caveats, list_instructions, name_asking
from fingertip_leaderboard.space.badges import EvidenceBadge, effort_badges, make_row_badge
from fingertip_leaderboard.verified_records import (
    SIMULATED_SPLITS,
    Conditions,
    Score,
    ScoreKind,
    ShownSetting,
    Submission,
    VerifiedResults,
    mark_text,
)
from fingertip_metrics.published import PublishedRow
from fingertip_metrics.published_beside import describe_task_view, label_row
from fingertip_runs.cells import DIGEST, NONE
from fingertip_runs.device_kinds import DEVICE_KINDS, PAPER_DEVICE
from fingertip_runs.page_template import page_template
from fingertip_runs.published_cells import format_published
from simulated_phone.dialogue.instructions import WRITTEN

WEIGHTS: Mapping[str, str] = MappingProxyType(
    {"open": "open weights", "closed": "closed weights", "none": "no model"}
)

DECIDERS: Mapping[ScoreKind, str] = MappingProxyType(
    {
        "sim1": "embedder",
        "sr1": "judge",
        "execution": "success by",
        "moments": "hits by",
        "asking": "success by",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCell:
    """A score in a table cell.

    Attributes:
        text: The mean, or a dash without one.
        value: Value for sorting; None without a mean.
        interval: Interval such as "0.185 to 0.461", or "".
        part: Note such as "9 of 12 tasks" if some tasks have no value, or "".
        left: Start of the interval on the column's scale, in percent; None if no bar is drawn.
        width: Width of the interval, in percent of the scale.
        at: Position of the mean, in percent of the scale.
        marks: Names of submissions that this one is significantly better than.
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
class SplitTable:
    """A score of a table's rows by group.

    Attributes:
        title: Score and grouping.
        groups: Groups with their numbers of tasks.
        rows: Submissions with a cell for each group.
    """

    title: str
    groups: tuple[str, ...]
    rows: tuple[tuple[Submission, tuple[ScoreCell, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPair:
    """A comparison on a submission's page, with the difference from this submission's side."""

    other: Submission
    title: str
    difference: str
    interval: str
    p: str
    word: str
    tasks: int
    users: int


def render_boards(results: VerifiedResults, tables: Sequence[RankingTable]) -> str:
    """Render tables, one below the other.

    Args:
        results: Verified results, for the names of datasets and submissions.
        tables: Tables from `fingertip_leaderboard.ranking`.
    """
    boards = [
        {
            "table": table,
            "title": title_of(results, table),
            "data": data_of(results, table),
            "facts": facts_of(table.conditions),
            "caveats": _list_caveats(table.conditions),
            "rows": [
                (row, cells, make_row_badge(row.submission, table.columns))
                for row, cells in zip(table.rows, _make_cells(results, table), strict=True)
            ],
            "published": [
                (
                    row,
                    label_row(row),
                    [_make_published_cell(row, column) for column in table.columns],
                    _make_published_effort(row, table.conditions),
                )
                for row in table.published
            ],
            "splits": list(_split_table(table)),
            "priced": any(row.submission.cost is not None for row in table.rows),
            "sources": list(dict.fromkeys(row.source for row in table.published)),
        }
        for table in tables
    ]
    return page_template("fingertip_leaderboard", "space/board.html.j2").render(
        boards=boards,
        empty=not results.submissions,
        weights=WEIGHTS,
        dash=NONE,
        marks_of=partial(_list_marks, results),
    )


def _split_table(table: RankingTable) -> Iterator[SplitTable]:
    """The tested scores of a table's rows by each grouping of simulated phones that has two groups."""
    shown = [row.submission for row in table.rows]
    for split in SIMULATED_SPLITS if shown else ():
        groups = [(row.group, row.tasks) for row in shown[0].by.get(split, ()) if row.group is not None]
        if len(groups) < 2 or any(split not in one.by for one in shown):
            continue
        for column in (column for column in table.columns if column.tested):
            found = [{row.group: row.scores.get(column.name) for row in one.by[split]} for one in shown]
            yield SplitTable(
                title=f"{column.title} by {split}",
                groups=tuple(f"{name} ({tasks})" for name, tasks in groups),
                rows=tuple(
                    (one, tuple(_group_cell(of_group.get(name), column) for name, _ in groups))
                    for one, of_group in zip(shown, found, strict=True)
                ),
            )


def render_submission(
    results: VerifiedResults, tables: Sequence[RankingTable], submission: Submission
) -> str:
    """Render the page of one submission.

    Args:
        results: Verified results that contain it.
        tables: All tables of both tracks, not filtered.
        submission: The submission.
    """
    columns = {column.name: column for table in tables for column in table.columns}
    shown = [columns[name] for name in columns if name in submission.scores]
    return page_template("fingertip_leaderboard", "space/submission.html.j2").render(
        it=submission,
        weights=WEIGHTS,
        facts=[
            (title_of(results, table), data_of(results, table), facts_of(table.conditions))
            for table in tables
            if any(row.submission == submission for row in table.rows)
        ],
        scores=[
            (
                column,
                submission.scores[column.name],
                _plain(submission, column),
                EvidenceBadge.of(submission.evidence[column.name]),
            )
            for column in shown
        ],
        effort=effort_badges(submission),
        marks=_list_marks(results, submission),
        order=results.order,
        pairs=list(_list_pairs(results, tables, submission)),
        alpha=ALPHA,
        groups=[
            (name, [(row, [_group_cell(row.scores.get(c.name), c) for c in shown]) for row in rows])
            for name, rows in submission.by.items()
        ],
        columns=shown,
        settings=json.dumps(submission.settings, ensure_ascii=False, indent=2),
        dash=NONE,
    )


def _list_marks(results: VerifiedResults, submission: Submission) -> list[str]:
    """The marks of a submission in words, and the maintainers' decision."""
    names = {one.sha256: one.card.name for one in results.submissions}
    found = [mark_text(mark, names[mark.other]) for mark in submission.marks]
    if found:
        kept = submission.kept
        found.append(f"kept by the maintainers: {kept}" if kept else "the maintainers have not decided yet")
    return found


def render_refused(results: VerifiedResults) -> str:
    """Render the refused bundles, each with its reasons."""
    return page_template("fingertip_leaderboard", "space/refused.html.j2").render(
        refused=results.refused, removed=results.removed
    )


def title_of(results: VerifiedResults, table: RankingTable) -> str:
    """Title of a table."""
    conditions = table.conditions
    if conditions is None:
        trained = ", fine-tuned on its training episodes" if table.fine_tuned else ""
        return f"Published in the paper{trained}: {', '.join(column.title for column in table.columns)}"
    measure = TITLES.get(conditions.measure)
    device = DEVICE_KINDS[conditions.device or PAPER_DEVICE]
    environment = device.board_title.capitalize() if measure is None else measure
    environment = MOMENTS_TITLE if conditions.measure == "moments" else environment
    if conditions.measure == "asking":
        environment = name_asking(conditions)
    shown = conditions.told
    environment += LONG_TITLE if conditions.split == TEST_LONG else ""
    environment += ", attached agents" if conditions.attached else ""
    # the levels that leave arguments out show no reference, which would give them away
    usual = ShownSetting(reference="none") if conditions.instructions in WRITTEN else ShownSetting()
    unusual = "" if shown == usual else f", {describe_view(shown, conditions.track)}"
    part = f", a sample of {conditions.sample:,} tasks" if conditions.sample else ""
    part += f", people who write {name_language(conditions.people)}" if conditions.people else ""
    return f"{environment}, {data_of(results, table)}{part}{unusual}"


def data_of(results: VerifiedResults, table: RankingTable) -> str:
    """The part of a table's title that is a name of data; "" without one."""
    conditions = table.conditions
    return results.benchmark(conditions.data_sha256).name if conditions else ""


def facts_of(conditions: Conditions | None) -> list[tuple[str, str]]:
    """Conditions shared by all rows of a table, as (name, value)."""
    if conditions is None:
        return []
    found = [
        ("split", conditions.split),
        ("protocol", conditions.protocol),
        *([("answers", _ANSWERS[conditions.answers])] if conditions.answers else []),
        ("history", conditions.history),
        ("shown", describe_view(conditions.told, conditions.track)),
        *list_instructions(conditions),
        (DECIDERS[conditions.measure], _short(conditions)),
        (f"{COLUMNS[conditions.measure][0].title} is", conditions.evidence),
        (
            "data",
            f"{conditions.provenance}, {conditions.data_sha256[:DIGEST]}, split by {conditions.split_method}",
        ),
        ("versions", conditions.versions or "not recorded"),
    ]
    if conditions.moments_sha256:
        found.append(("moments", conditions.moments_sha256[:DIGEST]))
    if conditions.ceiling is not None:
        found.append(("ceiling of utility", f"{conditions.ceiling:.3f}"))
    return [*found, ("faults", ", ".join(conditions.faults))] if conditions.faults else found


MOMENTS_TITLE = "When to speak"
"""Title of tables of moments."""

LONG_TITLE = ", tasks over several apps"
"""Part of the titles of tables of long tasks."""

ATTACHED_CAVEAT = (
    "Attached agents drove the phone by themselves. Each of their inputs was repeated on a fresh phone of "
    "the same person: screens, states, steps and success are those of the replay. Nobody can see which "
    "program sent the inputs; its model, tokens and seconds are unknown. Steps are what the phone saw, so "
    "these rows have a table of their own."
)
"""Note under a table of attached agents."""

MORE_CAVEAT = (
    "These agents were shown more than equation (2) of the paper has, such as what a memory recalls of the "
    "person's past: they are not comparable with the paper, nor with the other tables of this track."
)
"""Note under a table of agents of track 2 with a memory or other parts."""

_ANSWERS = {"raw": "as given", "read": "as read by our reader"}
"""Kind of scored text on track 1 -> its description."""


def describe_view(shown: ShownSetting, track: Track) -> str:
    """Task view of a table, in words."""
    words = describe_task_view(shown.model_dump(), track)
    by = f", picked by {shown.history_model}" if shown.history_model else ""
    return words + by


def _short(conditions: Conditions) -> str:
    """Embedder, judge or success deciders; an embedder's settings are only on the submission's page."""
    name = conditions.decided_by
    return name.partition(": ")[0] if conditions.measure == "sim1" else name


def number(value: float | None, column: ScoreColumn) -> str:
    """A score in its column's format; a dash for None."""
    if value is None:
        return NONE
    return f"{value * 100:.1f} %" if column.percent else f"{value:.3f}"


def _list_caveats(conditions: Conditions | None) -> list[str]:
    attached = [ATTACHED_CAVEAT] if conditions is not None and conditions.attached else []
    more = [MORE_CAVEAT] if conditions is not None and conditions.told.more else []
    asking = list_asking_caveats(conditions) if conditions is not None else []
    found = (_caveat_of(conditions), *attached, *more, *asking)
    return [caveat for caveat in found if caveat]


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


def _make_cells(results: VerifiedResults, table: RankingTable) -> list[list[ScoreCell]]:
    """Cells of each row, one per column."""
    names = {submission.name: submission.card.name for submission in results.submissions}
    scales = {column.name: _scale(table, column) for column in table.columns}
    return [
        [
            _make_cell(
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
    """Ends of a column's scale, which covers zero, every drawn value, and one for shares."""
    scores = [row.submission.scores.get(column.name) for row in table.rows]
    ends = [
        end for score in scores if score for end in (score.low, score.high, score.mean) if end is not None
    ]
    return min([0.0, *ends]), max([1.0 if column.percent else 0.0, *ends])


def best_case(score: Score, column: ScoreColumn) -> str:
    """Words for the best case of a score; "" where it is not above the mean."""
    above = score.best is not None and score.mean is not None and score.best > score.mean
    return f"at best {number(score.best, column)}" if above else ""


def _make_cell(
    submission: Submission, column: ScoreColumn, scale: tuple[float, float], marks: tuple[str, ...] = ()
) -> ScoreCell:
    score, mean = submission.scores.get(column.name), mean_of(submission, column.name)
    if score is None or mean is None:
        return ScoreCell(text=NONE, value=None)
    of_all = f"{score.n:,} of {score.n + score.undefined:,} tasks" if score.undefined else ""
    best = best_case(score, column)
    part = ", ".join(filter(None, (best, of_all, _describe_tries(submission, column))))
    if score.low is None or score.high is None:
        why = "one user" if score.users < 2 else "same for all users"
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


def _describe_tries(submission: Submission, column: ScoreColumn) -> str:
    """How many tries a score is of; "" for a run of one try, and where another column says it."""
    if submission.repeats == 1:
        return ""
    if column.name.endswith(EVERY):
        return f"k = {submission.repeats}"
    return f"mean of {submission.repeats} tries" if column.tested else ""


def _plain(submission: Submission, column: ScoreColumn) -> ScoreCell:
    return _make_cell(submission, column, (0.0, 0.0))


def _interval(low: float, high: float, column: ScoreColumn) -> str:
    return f"{number(low, column).removesuffix(' %')} to {number(high, column)}"


def _group_cell(score: Score | None, column: ScoreColumn) -> ScoreCell:
    """A score of one group with its interval."""
    if score is None or score.mean is None:
        return ScoreCell(text=NONE, value=None)
    bounds = "" if score.low is None or score.high is None else _interval(score.low, score.high, column)
    return ScoreCell(text=number(score.mean, column), value=score.mean, interval=bounds)


def _make_published_cell(row: PublishedRow, column: ScoreColumn) -> ScoreCell:
    """A published score with the decimals that the paper prints."""
    text, value = format_published(row, column.name), find_published_value(row, column)
    return ScoreCell(text=f"{text} %" if column.percent and value is not None else text, value=value)


def _make_published_effort(row: PublishedRow, of: Conditions | None) -> list[tuple[str, float | None]]:
    """Seconds and tokens as (text, value). The paper gives them per query, which on track 1 is a task."""
    if of is None or of.track == "execution":
        return [(NONE, None), (NONE, None)]
    return [(format_published(row, name), row.values.get(name)) for name in ("seconds", "tokens")]


def _list_pairs(
    results: VerifiedResults, tables: Sequence[RankingTable], submission: Submission
) -> Iterator[ComparedPair]:
    """All comparisons of a submission, by table and score."""
    for table in tables:
        indices = [index for index, row in enumerate(table.rows) if row.submission == submission]
        for column in table.columns if indices else ():
            for pair in table.comparisons.get(column.name, ()):
                if indices[0] in (pair.one, pair.other):
                    yield _describe_pair(pair, indices[0], table, column)


def _describe_pair(pair: Comparison, here: int, table: RankingTable, column: ScoreColumn) -> ComparedPair:
    sign = 1 if pair.one == here else -1
    low, high = sorted((sign * pair.low, sign * pair.high))
    word = "no difference shown"
    if pair.better is not None:
        word = "significantly better" if pair.better == here else "significantly worse"
    return ComparedPair(
        other=table.rows[pair.other if pair.one == here else pair.one].submission,
        title=column.title,
        difference=_write_signed(sign * pair.difference, column),
        interval=f"{_write_signed(low, column).removesuffix(' %')} to {_write_signed(high, column)}",
        p="1" if pair.adjusted >= 0.9995 else f"{max(pair.adjusted, 0.0001):.2g}",
        word=word,
        tasks=pair.tasks,
        users=pair.users,
    )


def _write_signed(value: float, column: ScoreColumn) -> str:
    text = number(value, column)
    return f"+{text}" if value > 0 else text.replace("-", "−")
