from __future__ import annotations

from execution_runner.scoring.breakdowns import MEANS
from fingertip_leaderboard.bundle.claims import OF_OFFERS
from fingertip_leaderboard.bundle.schema import ExecutionClaims, MomentClaims, SuggestionClaims
from fingertip_leaderboard.score_columns import COLUMNS, EVERY, SCORES, TITLES, headline_scores
from fingertip_metrics.moment_columns import MOMENT_SCORES
from suggestion_runner.moments.moment_run_scores import RIGHT
from suggestion_runner.scoring import PARTS


def test_each_score_of_the_runners_is_declared_once_and_can_be_claimed() -> None:
    names = [column.name for column in SCORES]
    assert len(set(names)) == len(names)
    of_repeated = {f"{name}{EVERY}" for name in ("sr1", "sr2", RIGHT)}
    of_moments = {OF_OFFERS.get(name, name) for name in MOMENT_SCORES}
    assert set(names) == {*PARTS, "sr1", "sr2", *MEANS, *of_moments, *of_repeated}
    claims = (SuggestionClaims, ExecutionClaims, MomentClaims)
    claimed = {name for one in claims for name in one.model_fields}
    unclaimed = {column.name for column in SCORES if not column.claimed}
    assert set(names) - of_repeated - unclaimed <= claimed
    assert not unclaimed & claimed


def test_each_score_has_one_title_and_each_table_is_ranked_by_a_tested_score() -> None:
    assert len(set(TITLES.values())) == len(TITLES) == len(SCORES)
    assert [headline_scores(table)[0] for table in COLUMNS] == [
        columns[0].name for columns in COLUMNS.values()
    ]
