"""Scores of the leaderboard: the only declaration of each score's name, titles, format and table.

Tables of the board, the text of pull requests, the scores of a submission and its paired values are all
derived from `SCORES`. A new column is one entry here whose name is

- of repeated runs: the success of a track with `EVERY` at its end, the share of tasks done in all tries;
- track 1: an attribute of the per-task results of `Sim1` (`suggestion_runner.scoring.PARTS`);
- track 2: a key of `execution_runner.scoring.breakdowns.MEANS`;
- moments: one of `fingertip_metrics.moment_columns.MOMENT_SCORES`, of offers by `bundle.claims.OF_OFFERS`.

A bundle claims the score as well if `bundle/schema.py` has a field of this name; that is the file format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from fingertip_leaderboard.verified_records import ScoreKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreColumn:
    """A score, and its column in the tables of the board.

    Attributes:
        name: Name in `Submission.scores` and in the claims of a bundle.
        title: Column header.
        long_title: Title outside a table; "" if it is `title`.
        table: Kind of table that has the column.
        also: Further kinds that have it.
        on_board: Whether the board has a column for it; otherwise only pull requests list the score.
        higher: Whether more is better; None if neither direction is.
        percent: Whether it is a share of tasks, displayed as a percentage.
        tested: Whether submissions are compared on it, task by task.
        breaks_ties: Whether of rows with equal first scores the one with less of it is ranked before.
        claimed: Whether the file format of bundles has it; else only the board computes it.
        tested_when_simulated: Whether they are on simulated phones, too. There identification, which has a
            chance level and an upper bound, is the tested measure of personality, and Sim_2 only the paper's.
    """

    name: str
    title: str
    long_title: str = ""
    table: ScoreKind
    also: tuple[ScoreKind, ...] = ()
    on_board: bool = True
    higher: bool | None = True
    percent: bool = False
    tested: bool = False
    tested_when_simulated: bool = True
    breaks_ties: bool = False
    claimed: bool = True


ASKING: tuple[ScoreKind, ...] = ("asking",)
"""The table of runs with vague instructions or questions, which has most scores of track 2 as well."""

SCORES = (
    ScoreColumn(name="sim1", title="Sim_1", table="sim1", tested=True),
    ScoreColumn(name="cosine", title="cosine", table="sim1"),
    ScoreColumn(name="levenshtein", title="text", long_title="text similarity", table="sim1"),
    ScoreColumn(name="sr1", title="SR_1", table="sr1", percent=True, tested=True),
    ScoreColumn(
        name="sr1_every", title="SR_1 pass^k", long_title="SR_1 in all k tries", table="sr1", percent=True
    ),
    ScoreColumn(name="sr2", title="SR_2", table="execution", also=ASKING, percent=True, tested=True),
    ScoreColumn(
        name="sr2_every",
        title="SR_2 pass^k",
        long_title="SR_2 in all k tries",
        table="execution",
        also=ASKING,
        percent=True,
    ),
    ScoreColumn(
        name="questions", title="questions", table="asking", higher=None, breaks_ties=True, claimed=False
    ),
    ScoreColumn(
        name="needless",
        title="needless",
        long_title="needless questions",
        table="asking",
        higher=False,
        claimed=False,
    ),
    ScoreColumn(
        name="unasked", title="unasked acts", table="asking", higher=False, percent=True, claimed=False
    ),
    ScoreColumn(
        name="after_no", title="acts after a no", table="asking", higher=False, percent=True, claimed=False
    ),
    ScoreColumn(name="sim2", title="Sim_2", table="execution", tested=True, tested_when_simulated=False),
    ScoreColumn(
        name="identification",
        title="identified",
        long_title="identified as the person",
        table="execution",
        also=ASKING,
        percent=True,
        tested=True,
        claimed=False,
    ),
    ScoreColumn(name="s_i", title="S_I", table="execution"),
    ScoreColumn(name="s_ii", title="S_II", table="execution", higher=None),
    ScoreColumn(name="action_similarity", title="action similarity", table="execution", on_board=False),
    ScoreColumn(name="step_ratio", title="step ratio", table="execution", also=ASKING, higher=False),
    ScoreColumn(
        name="step_ratio_all",
        title="step ratio, all tasks",
        table="execution",
        on_board=False,
        higher=False,
    ),
    ScoreColumn(name="progress", title="progress", table="execution", percent=True),
    ScoreColumn(
        name="false_completion",
        title="false completion",
        table="execution",
        higher=False,
        percent=True,
    ),
    ScoreColumn(
        name="side_effects", title="side effects", table="execution", also=ASKING, higher=False, percent=True
    ),
    ScoreColumn(
        name="without_looking",
        title="answered without looking",
        table="execution",
        on_board=False,
        higher=False,
        percent=True,
    ),
    ScoreColumn(name="utility", title="utility", table="moments", tested=True),
    ScoreColumn(
        name="false_trigger_rate", title="false triggers", table="moments", higher=False, percent=True
    ),
    ScoreColumn(name="missed_rate", title="missed", table="moments", higher=False, percent=True),
    ScoreColumn(
        name="offer_sr1", title="SR_1 offered", long_title="SR_1 of offers", table="moments", percent=True
    ),
    ScoreColumn(name="brier", title="Brier", table="moments", higher=False),
    ScoreColumn(name="precision", title="precision", table="moments", on_board=False, percent=True),
    ScoreColumn(name="recall", title="recall", table="moments", on_board=False, percent=True),
    ScoreColumn(name="hit_rate", title="hits", table="moments", on_board=False, percent=True),
    ScoreColumn(name="offer_sim1", title="Sim_1 of offers", table="moments", on_board=False),
    ScoreColumn(
        name="calibration_error", title="calibration error", table="moments", on_board=False, higher=False
    ),
    ScoreColumn(name="auroc", title="AUROC", table="moments", on_board=False),
    ScoreColumn(name="risk_area", title="risk area", table="moments", on_board=False, higher=False),
    ScoreColumn(
        name="right_every",
        title="right pass^k",
        long_title="right in all k tries",
        table="moments",
        on_board=False,
        percent=True,
    ),
)
"""All scores. The first one that a table has ranks it."""

EVERY = "_every"
"""End of the name of a score that only repeated runs have: the chance that all of their tries succeed."""

_TABLES: tuple[ScoreKind, ...] = ("sim1", "sr1", "execution", "moments", "asking")

COLUMNS: Mapping[ScoreKind, tuple[ScoreColumn, ...]] = MappingProxyType(
    {
        table: tuple(column for column in SCORES if table in (column.table, *column.also) and column.on_board)
        for table in _TABLES
    }
)
"""Kind of table -> its columns."""


def list_columns(table: ScoreKind, *, simulated: bool) -> tuple[ScoreColumn, ...]:
    """Columns of a table, with what is tested on its kind of device.

    Args:
        table: Kind of table.
        simulated: Whether the tasks were run on simulated phones.

    >>> [column.name for column in list_columns("execution", simulated=True) if column.tested]
    ['sr2', 'identification']
    """
    return tuple(
        replace(column, tested=False) if simulated and not column.tested_when_simulated else column
        for column in COLUMNS[table]
    )


TITLES: Mapping[str, str] = MappingProxyType(
    {column.name: column.long_title or column.title for column in SCORES}
)
"""Name of a score -> title outside a table."""

TESTED = tuple(column.name for column in SCORES if column.tested)
"""Names of the scores that submissions are compared on, task by task."""

SHARES = tuple(column.name for column in SCORES if column.percent)
"""Names of the scores that are shares of tasks: their intervals never have zero width."""


def headline_scores(table: ScoreKind) -> tuple[str, ...]:
    """Names of the scores that summarize a table, such as in the title of a pull request.

    >>> headline_scores("execution")
    ('sr2', 'sim2')
    """
    return tuple(column.name for column in COLUMNS[table] if column.tested and column.claimed)
