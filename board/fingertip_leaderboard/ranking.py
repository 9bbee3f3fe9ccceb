"""Ranking of submissions: their grouping into tables, their order, and significant differences.

Submissions that cannot be compared are never in one table: those on real phones, on simulated phones and on
recordings, on other data, by another protocol, embedder or judge, or with other task views. The paper's rows
are marked, have no rank, and share a table with submissions only if they were measured in the same setting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from fingertip_dataset.track import Track
from fingertip_leaderboard.paired import Comparison, better_than, compare_all
from fingertip_leaderboard.score_columns import COLUMNS, ScoreColumn, list_columns
from fingertip_leaderboard.verified_records import Conditions, ScoreKind, Submission, VerifiedResults
from fingertip_metrics.published import PublishedRow
from fingertip_metrics.published_beside import RunSetting, find_rows_beside
from fingertip_runs.device_kinds import DEVICE_KINDS, PAPER_DEVICE
from fingertip_runs.published_cells import trained_on

PUBLISHED: tuple[ScoreKind, ...] = ("sim1", "sr1", "execution")
"""Kinds of table that have rows of the paper, which has no moments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionRow:
    """A submission in a table.

    Attributes:
        submission: The submission.
        rank: Rank from 1 by the table's first score, shared by equal means; None without that score.
        better_than: Tested score -> names of the submissions that this one is significantly better than.
    """

    submission: Submission
    rank: int | None
    better_than: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingTable:
    """Table of submissions that may be compared.

    Attributes:
        conditions: Conditions shared by all rows; None for a table of published rows only.
        columns: Score columns; rows are ranked by the first, and by the one that breaks ties.
        rows: Submissions, by rank.
        published: The paper's rows of the same setting; see `published_beside.find_rows_beside`.
        comparisons: Tested score -> comparison of every pair, by index in `rows`.
        fine_tuned: Whether the table has only published rows of fine-tuned models.
    """

    conditions: Conditions | None
    columns: tuple[ScoreColumn, ...]
    rows: tuple[SubmissionRow, ...]
    published: tuple[PublishedRow, ...]
    comparisons: Mapping[str, tuple[Comparison, ...]]
    fine_tuned: bool = False


def make_tables(results: VerifiedResults, measures: Collection[ScoreKind]) -> tuple[RankingTable, ...]:
    """Tables of the given measures: those of submissions, largest first, then those of published rows only.

    Args:
        results: Verified results.
        measures: Kinds of table: ("sim1", "sr1") for track 1, ("execution",) for track 2, ("moments",),
            ("asking",).
    """
    members: dict[Conditions, list[Submission]] = defaultdict(list)
    for submission in results.submissions:
        for conditions in submission.conditions:
            if conditions.measure in measures:
                members[conditions].append(submission)
    found = [_make_table(results, conditions, rows) for conditions, rows in members.items()]
    # the conditions as text make the order of equal tables the same in every run
    found.sort(key=lambda table: (-len(table.rows), str(table.conditions)))
    shown = {
        (table.conditions.measure, bool(row.setting["fine_tuned"]))
        for table in found
        if table.conditions
        for row in table.published
    }
    alone = (
        _make_published_table(measure, fine_tuned=fine_tuned)
        for measure in PUBLISHED
        for fine_tuned in (False, True)
        if measure in measures and (measure, fine_tuned) not in shown
    )
    return (*found, *alone)


def filter_tables(
    found: Sequence[RankingTable],
    *,
    weights: Collection[str] | None = None,
    protocols: Collection[str] | None = None,
    devices: Collection[str] | None = None,
    published: bool = True,
) -> tuple[RankingTable, ...]:
    """Filter tables and rows; ranks and comparisons stay those of the whole table.

    Args:
        found: Tables from `make_tables`.
        weights: Kinds of weights to keep: "open", "closed", "none" (an agent without a model); None for all.
        protocols: Scoring protocols to keep: "release", "paper"; None for all.
        devices: Kinds of device to keep, on track 2 only; None for all.
        published: Whether to keep the paper's rows.
    """
    kept = []
    for table in found:
        conditions = table.conditions
        if conditions is not None:
            if protocols is not None and conditions.protocol not in protocols:
                continue
            if conditions.device is not None and devices is not None and conditions.device not in devices:
                continue
        rows = tuple(row for row in table.rows if weights is None or row.submission.card.weights in weights)
        published_rows = table.published if published else ()
        if rows or (conditions is None and published_rows):
            kept.append(replace(table, rows=rows, published=published_rows))
    if any(table.conditions for table in found) and not any(table.conditions for table in kept):
        # published rows alone would look as if they had passed the filters
        return ()
    return tuple(kept)


def mean_of(submission: Submission, name: str) -> float | None:
    """Mean of a submission's score; None if it does not have that score."""
    score = submission.scores.get(name)
    return score.mean if score else None


def find_published_value(row: PublishedRow, column: ScoreColumn) -> float | None:
    """A published score in our unit (shares from 0 to 1); None if the paper does not give it."""
    value = row.values.get(column.name)
    return value / 100 if value is not None and column.percent else value


def _make_table(
    results: VerifiedResults, conditions: Conditions, members: Sequence[Submission]
) -> RankingTable:
    columns = tuple(
        column
        for column in list_columns(
            conditions.measure,
            simulated=conditions.device is not None and DEVICE_KINDS[conditions.device].simulated,
        )
        if any(mean_of(member, column.name) is not None for member in members)
    )
    ordered = _rank(members, columns)
    if conditions.outdated:
        ordered = [(member, None) for member, _ in ordered]
    task_ids = results.benchmark(conditions.data_sha256).task_ids[conditions.task_list]
    users = [task_id.partition("__")[0] for task_id in task_ids]
    comparisons = {
        # results of an earlier version may lack a score
        column.name: compare_all(
            [member.values.get(column.name, (None,) * len(users)) for member, _ in ordered], users
        )
        for column in columns
        if column.tested
    }
    better = {name: better_than(pairs) for name, pairs in comparisons.items()}
    names = [member.name for member, _ in ordered]
    return RankingTable(
        conditions=conditions,
        columns=columns,
        rows=tuple(
            SubmissionRow(
                submission=member,
                rank=rank,
                better_than={
                    name: tuple(names[other] for other in marks.get(index, ()))
                    for name, marks in better.items()
                },
            )
            for index, (member, rank) in enumerate(ordered)
        ),
        published=_find_published_rows(conditions, members),
        comparisons=comparisons,
    )


def _rank(
    members: Sequence[Submission], columns: Sequence[ScoreColumn]
) -> list[tuple[Submission, int | None]]:
    """Submissions sorted by the first column, with ranks; those without that score are last."""
    if not columns:
        return [(member, None) for member in sorted(members, key=lambda member: member.card.name)]
    places = {member.sha256: find_place(member, columns) for member in members}
    known = [place for place in places.values() if place is not None]
    # equal means share a rank
    ranks = {
        name: None if place is None else 1 + sum(other > place for other in known)
        for name, place in places.items()
    }
    last = len(members) + 1
    ordered = sorted(
        members, key=lambda member: (ranks[member.sha256] or last, member.card.name, member.sha256)
    )
    return [(member, ranks[member.sha256]) for member in ordered]


def find_place(member: Submission, columns: Sequence[ScoreColumn]) -> tuple[float, float] | None:
    """A submission's first score, and less of what breaks ties; a higher place is better. None without it."""
    mean = mean_of(member, columns[0].name)
    tie = next((column.name for column in columns if column.breaks_ties), None)
    return None if mean is None else (mean, -(mean_of(member, tie) or 0.0) if tie else 0.0)


def _find_published_rows(conditions: Conditions, members: Sequence[Submission]) -> tuple[PublishedRow, ...]:
    """The paper's rows of a table's setting; rows of fine-tuned models only if a submission is fine-tuned."""
    shown = conditions.told
    if shown.distribution or not conditions.as_the_paper:
        # answers that are distributions are scored by A.6.5, which is not a column of the board
        return ()
    rows: dict[tuple[str, str], PublishedRow] = {}
    for member in members:
        setting = RunSetting(
            track=conditions.track,
            split=conditions.split,
            papers_test=True,
            history_protocol=conditions.history,
            device=conditions.device or PAPER_DEVICE,
            trained_on=trained_on(member.settings),
            **{name: getattr(shown, name) for name in type(shown).model_fields},
        )
        rows |= {(row.table, row.name): row for row in find_rows_beside(setting)}
    return tuple(rows.values())


def _make_published_table(measure: ScoreKind, *, fine_tuned: bool) -> RankingTable:
    """A table of the paper's rows only: those of its usual setting, or those of fine-tuned models."""
    track: Track = "execution" if measure == "execution" else "suggestion"
    setting = RunSetting(track=track, split=f"test_{track}", papers_test=True, trained_on=(track,))
    rows = [row for row in find_rows_beside(setting) if row.setting["fine_tuned"] == fine_tuned]
    columns = tuple(
        column for column in COLUMNS[measure] if any(row.values.get(column.name) is not None for row in rows)
    )
    first = columns[0]
    best_first = sorted(rows, key=lambda row: -(find_published_value(row, first) or 0.0))
    return RankingTable(
        conditions=None,
        columns=columns,
        rows=(),
        published=tuple(best_first),
        comparisons={},
        fine_tuned=fine_tuned,
    )
