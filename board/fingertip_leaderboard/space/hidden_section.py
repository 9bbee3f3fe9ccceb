"""The board's first section, "Run by the board": records of hidden tests, one table per private benchmark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fingertip_dataset.track import Track
from fingertip_leaderboard.evidence import BY_BOARD, LEGEND
from fingertip_leaderboard.hidden_records import HiddenBenchmark, HiddenRow, HiddenTestRecord
from fingertip_leaderboard.score_columns import COLUMNS, ScoreColumn
from fingertip_leaderboard.space.render import DECIDERS, WEIGHTS, best_case, describe_view, number
from fingertip_leaderboard.task_lists import TaskList
from fingertip_leaderboard.verified_records import TASK_LIST_OF, Score, ScoreKind, ShownSetting
from fingertip_runs.cells import DIGEST, NONE
from fingertip_runs.page_template import page_template

_TITLES: Mapping[TaskList, str] = {
    "suggestion": "Track 1, suggestion",
    "moments": "Track 1, when to speak",
    "execution": "Track 2, execution on simulated phones",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenConditions:
    """Conditions that two rows share if they are in one table: the same tasks, shown and scored alike.

    Attributes:
        benchmark: The private benchmark with its commitment.
        track, measure, protocol, history, decided_by, told: As of `HiddenRow`.
        beside: Whether the agents are of installed packages and ran beside the targets.
    """

    benchmark: HiddenBenchmark
    track: Track
    measure: ScoreKind
    protocol: str
    history: str
    decided_by: str
    told: ShownSetting
    beside: bool

    @property
    def task_list(self) -> TaskList:
        """Which tasks were run."""
        return TASK_LIST_OF[self.measure]

    @classmethod
    def of(cls, record: HiddenTestRecord, row: HiddenRow) -> HiddenConditions:
        """The conditions of a row."""
        return cls(
            benchmark=record.result.benchmark,
            track=row.track,
            measure=row.measure,
            protocol=row.protocol,
            history=row.history,
            decided_by=row.decided_by,
            told=row.told,
            beside=row.installed is not None and not row.installed.isolated,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenRanking:
    """A table of rows that were run by the board on the same private tasks.

    Attributes:
        conditions: Conditions shared by all rows.
        columns: Score columns; rows are ranked by the first.
        rows: (rank, record, row), the best first; equal means share a rank, and without a mean it is None.
    """

    conditions: HiddenConditions
    columns: tuple[ScoreColumn, ...]
    rows: tuple[tuple[int | None, HiddenTestRecord, HiddenRow], ...]


def group_hidden_rows(records: Sequence[HiddenTestRecord]) -> tuple[HiddenRanking, ...]:
    """Tables of records, track 1 first, then the largest first; rows of different secrets never share one.

    Agents that could have read the targets have tables of their own below the others of a track.
    """
    members: dict[HiddenConditions, list[tuple[HiddenTestRecord, HiddenRow]]] = defaultdict(list)
    for record in records:
        for row in record.result.rows:
            members[HiddenConditions.of(record, row)].append((record, row))
    order = list(_TITLES)
    found = [_rank_rows(conditions, rows) for conditions, rows in members.items()]
    return tuple(
        sorted(
            found,
            key=lambda it: (
                order.index(it.conditions.task_list),
                it.conditions.beside,
                -len(it.rows),
                str(it.conditions),
            ),
        )
    )


def render_hidden(records: Sequence[HiddenTestRecord]) -> str:
    """Render the section; "" without records. All text of a record is escaped."""
    if not records:
        return ""
    tables = [
        {
            "title": _title(table.conditions),
            "facts": _list_facts(table.conditions),
            "columns": table.columns,
            "rows": [
                (
                    rank,
                    record,
                    row,
                    [_make_cell(row.scores.get(column.name), column) for column in table.columns],
                    _counts(row),
                )
                for rank, record, row in table.rows
            ],
        }
        for table in group_hidden_rows(records)
    ]
    return page_template("fingertip_leaderboard", "space/hidden.html.j2").render(
        tables=tables, weights=WEIGHTS, dash=NONE, evidence=BY_BOARD, meaning=LEGEND[BY_BOARD]
    )


def _rank_rows(
    conditions: HiddenConditions, rows: Sequence[tuple[HiddenTestRecord, HiddenRow]]
) -> HiddenRanking:
    columns = COLUMNS[rows[0][1].measure]
    means = {id(row): _find_mean(row, columns[0]) for _, row in rows}

    def place(pair: tuple[HiddenTestRecord, HiddenRow]) -> tuple[bool, float, str]:
        mean = means[id(pair[1])]
        return mean is None, -(mean or 0.0), pair[0].result.card.name

    ordered = sorted(rows, key=place)
    known = [mean for mean in means.values() if mean is not None]

    def rank(row: HiddenRow) -> int | None:
        mean = means[id(row)]
        return None if mean is None else 1 + sum(other > mean for other in known)

    return HiddenRanking(
        conditions=conditions,
        columns=columns,
        rows=tuple((rank(row), record, row) for record, row in ordered),
    )


def _find_mean(row: HiddenRow, column: ScoreColumn) -> float | None:
    score = row.scores.get(column.name)
    return score.mean if score else None


def _title(conditions: HiddenConditions) -> str:
    return _TITLES[conditions.task_list] + (", installed agents" if conditions.beside else "")


def _list_facts(conditions: HiddenConditions) -> list[tuple[str, str]]:
    benchmark = conditions.benchmark
    return [
        ("commitment", benchmark.commitment),
        ("users", f"{benchmark.users:,}, {benchmark.episodes:,} episodes each"),
        ("benchmark", f"version {benchmark.version}, tasks {benchmark.tasks_mac[:DIGEST]}"),
        ("protocol", conditions.protocol),
        ("history", conditions.history),
        ("shown", describe_view(conditions.told, conditions.track)),
        (DECIDERS[conditions.measure], conditions.decided_by),
    ]


def _make_cell(score: Score | None, column: ScoreColumn) -> tuple[str, str]:
    """The mean, and its interval with the best case and the number of tasks."""
    if score is None or score.mean is None:
        return NONE, ""
    parts = [best_case(score, column), f"{score.n:,} tasks, {score.users:,} users"]
    if score.low is not None and score.high is not None:
        low = number(score.low, column).removesuffix(" %")
        parts.insert(0, f"{low} to {number(score.high, column)}")
    return number(score.mean, column), "; ".join(filter(None, parts))


def _counts(row: HiddenRow) -> str:
    """Tasks that count as not done, by kind, and other counts that are not zero."""
    return ", ".join(f"{name} {count:,}" for name, count in row.counts.items() if count)
