"""Rows of both tracks: what may stand in one table, in which order, and what is significantly better.

Nothing that cannot be compared is ever in one table: real phones, simulated ones and recordings, other data,
another protocol, another embedder, another judge, tasks that show more or less. The paper's rows are marked,
have no rank, and stand beside submissions only where they were measured in the same setting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from fingertip_leaderboard.paired import Comparison, better_than, compare_all
from fingertip_leaderboard.score_columns import COLUMNS, ScoreColumn
from fingertip_leaderboard.verified_records import Conditions, ScoreKind, Submission, VerifiedResults
from fingertip_metrics.published import PublishedRow
from fingertip_metrics.published_beside import PublishedTrack, RunSetting, rows_beside
from fingertip_runs.device_kinds import PAPER_DEVICE
from fingertip_runs.published_cells import trained_on


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionRow:
    """A submission in a table.

    Attributes:
        submission: Which.
        rank: From 1, by the table's first score; equal means share one. None where it has no such score.
        better_than: Tested score -> the names of those that it is significantly better than.
    """

    submission: Submission
    rank: int | None
    better_than: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingTable:
    """Submissions that may be compared.

    Attributes:
        conditions: They have in common; None for a table of published rows alone.
        columns: Its scores; rows are ranked by the first.
        rows: By rank.
        published: The paper's rows of these conditions, or alone; see `published_beside.rows_beside`.
        comparisons: Tested score -> every pair, by index in `rows`.
        fine_tuned: Whether it is of published rows alone, those of fine-tuned models.
    """

    conditions: Conditions | None
    columns: tuple[ScoreColumn, ...]
    rows: tuple[SubmissionRow, ...]
    published: tuple[PublishedRow, ...]
    comparisons: Mapping[str, tuple[Comparison, ...]]
    fine_tuned: bool = False


def tables(results: VerifiedResults, measures: Collection[ScoreKind]) -> tuple[RankingTable, ...]:
    """The tables of some measures: those of submissions first, the largest one first; then what is published.

    Args:
        results: Verified.
        measures: ("sim1", "sr1") for track 1, ("execution",) for track 2.
    """
    members: dict[Conditions, list[Submission]] = defaultdict(list)
    for submission in results.submissions:
        for conditions in submission.conditions:
            if conditions.measure in measures:
                members[conditions].append(submission)
    found = [_table(results, conditions, rows) for conditions, rows in members.items()]
    found.sort(key=lambda table: (-len(table.rows), str(table.conditions)))
    shown = {
        (table.conditions.measure, bool(row.setting["fine_tuned"]))
        for table in found
        if table.conditions
        for row in table.published
    }
    alone = (
        _published_alone(measure, fine_tuned=fine_tuned)
        for measure in COLUMNS
        for fine_tuned in (False, True)
        if measure in measures and (measure, fine_tuned) not in shown
    )
    return (*found, *alone)


def filtered(
    found: Sequence[RankingTable],
    *,
    weights: Collection[str] | None = None,
    protocols: Collection[str] | None = None,
    devices: Collection[str] | None = None,
    published: bool = True,
) -> tuple[RankingTable, ...]:
    """The tables and rows that pass; ranks and comparisons stay those of the whole table.

    Args:
        found: From `tables`.
        weights: "open", "closed", "none" (an agent without a model); None for all.
        protocols: "release", "paper"; None for all.
        devices: Kinds of device; None for all. It is of track 2 alone.
        published: Whether the paper's rows are shown.
    """
    kept = []
    for table in found:
        of = table.conditions
        if of is not None and protocols is not None and of.protocol not in protocols:
            continue
        if of is not None and of.device is not None and devices is not None and of.device not in devices:
            continue
        rows = tuple(row for row in table.rows if weights is None or row.submission.card.weights in weights)
        beside = table.published if published else ()
        if rows or (of is None and beside):
            kept.append(replace(table, rows=rows, published=beside))
    if any(table.conditions for table in found) and not any(table.conditions for table in kept):
        # published rows alone would look like what passed the filters
        return ()
    return tuple(kept)


def mean_of(submission: Submission, name: str) -> float | None:
    """A submission's score; None where it has none."""
    score = submission.scores.get(name)
    return score.mean if score else None


def published_value(row: PublishedRow, column: ScoreColumn) -> float | None:
    """A published score in our unit (shares from 0 to 1); None where the paper has none."""
    value = row.values.get(column.name)
    return value / 100 if value is not None and column.percent else value


def _table(results: VerifiedResults, conditions: Conditions, members: Sequence[Submission]) -> RankingTable:
    columns = tuple(
        column
        for column in COLUMNS[conditions.measure]
        if any(mean_of(member, column.name) is not None for member in members)
    )
    ordered = _ranked(members, columns)
    task_ids = results.benchmark(conditions.data_sha256).task_ids[conditions.track]
    users = [task_id.partition("__")[0] for task_id in task_ids]
    comparisons = {
        column.name: compare_all([member.values[column.name] for member, _ in ordered], users)
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
        published=_published_beside(conditions, members),
        comparisons=comparisons,
    )


def _ranked(
    members: Sequence[Submission], columns: Sequence[ScoreColumn]
) -> list[tuple[Submission, int | None]]:
    """Submissions by the first column, with their ranks; those without that score come last."""
    if not columns:
        return [(member, None) for member in sorted(members, key=lambda member: member.card.name)]
    means = {member.sha256: mean_of(member, columns[0].name) for member in members}
    known = [mean for mean in means.values() if mean is not None]
    ranks = {
        name: None if mean is None else 1 + sum(other > mean for other in known)
        for name, mean in means.items()
    }
    last = len(members) + 1
    ordered = sorted(
        members, key=lambda member: (ranks[member.sha256] or last, member.card.name, member.sha256)
    )
    return [(member, ranks[member.sha256]) for member in ordered]


def _published_beside(conditions: Conditions, members: Sequence[Submission]) -> tuple[PublishedRow, ...]:
    """The paper's rows of a table's conditions; those of fine-tuned models where a member is one, too."""
    shown = conditions.told
    if shown is None or shown.distribution or not conditions.as_the_paper:
        # what is asked for distributions is scored by A.6.5, which is no column of the board
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
        rows |= {(row.table, row.name): row for row in rows_beside(setting)}
    return tuple(rows.values())


def _published_alone(measure: ScoreKind, *, fine_tuned: bool) -> RankingTable:
    """The paper's rows of its usual setting, or those of fine-tuned models, in a table of their own."""
    track: PublishedTrack = "execution" if measure == "execution" else "suggestion"
    setting = RunSetting(track=track, split=f"test_{track}", papers_test=True, trained_on=(track,))
    rows = [row for row in rows_beside(setting) if row.setting["fine_tuned"] == fine_tuned]
    columns = tuple(
        column for column in COLUMNS[measure] if any(row.values.get(column.name) is not None for row in rows)
    )
    first = columns[0]
    best_first = sorted(rows, key=lambda row: -(published_value(row, first) or 0.0))
    return RankingTable(
        conditions=None,
        columns=columns,
        rows=(),
        published=tuple(best_first),
        comparisons={},
        fine_tuned=fine_tuned,
    )
