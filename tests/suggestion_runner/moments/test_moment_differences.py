"""Paired differences of runs of moments, against a slow bootstrap by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fingertip_dataset.errors import UsageError
from fingertip_metrics.aggregate import draw_users
from fingertip_runs.score_summary import BOOTSTRAP_SEED, RESAMPLES
from suggestion_runner.moments.moment_differences import compare_moments, write_difference_lines
from suggestion_runner.moments.moment_run_scores import MomentRunScores
from suggestion_runner.moments.moment_scoring import score_moment_run
from tests.suggestion_runner.moments.conftest import OTHER, MakeRun


def test_differences_are_of_the_same_moments(scores: list[MomentRunScores]) -> None:
    mixed, silent = scores
    found = compare_moments([mixed], [silent])
    for name in ("false_trigger_rate", "missed_rate", "hit_rate", "utility"):
        ours, theirs = mixed.result.scores[name], silent.result.scores[name]
        assert ours is not None
        assert theirs is not None
        assert found[name].mean == pytest.approx(ours - theirs), name
    assert "precision" not in found, "the silent run has none"
    assert "sim1" not in found
    against_itself = compare_moments([mixed], [mixed])
    assert {interval.mean for interval in against_itself.values()} == {0.0}


@pytest.fixture(scope="module")
def uneven(make_run: MakeRun, intents: dict[str, str]) -> MomentRunScores:
    """The scores of a run that offers something to one person alone."""
    first = min(task_id.partition("__")[0] for task_id in intents)
    given = {task_id: (OTHER if task_id.startswith(f"{first}__") else "", 0.5) for task_id in intents}
    return score_moment_run(make_run("uneven", given))


def test_interval_is_of_the_quotients_of_each_resample(
    scores: list[MomentRunScores], uneven: MomentRunScores
) -> None:
    found = compare_moments([scores[0]], [uneven])["false_trigger_rate"]
    users = [target.user_id for target in uneven.targets]
    names = sorted(set(users))
    drawn = []
    for counts in draw_users(len(names), BOOTSTRAP_SEED, RESAMPLES):
        times = dict(zip(names, counts, strict=True))
        shares = []
        for run in (scores[0], uneven):
            values = zip(run.result.values["false_trigger_rate"], users, strict=True)
            rows = [(value, times[user]) for value, user in values if value is not None]
            total = sum(weight for _, weight in rows)
            shares.append(sum(value * weight for value, weight in rows) / total)
        drawn.append(shares[0] - shares[1])
    assert found.low == pytest.approx(np.quantile(drawn, 0.025))
    assert found.high == pytest.approx(np.quantile(drawn, 0.975))
    assert found.high > found.low


def test_a_line_names_both_runs_and_every_difference(scores: list[MomentRunScores]) -> None:
    (line,) = write_difference_lines([[scores[0]]], [scores[1]])
    assert line.startswith(
        f"mixed minus silent, {scores[0].result.n} moments of 2 people: false triggers % +"
    )
    assert "utility " in line


def test_other_moments_are_refused(scores: list[MomentRunScores]) -> None:
    mixed, silent = scores
    dataset = silent.record.dataset.model_copy(update={"moments_sha256": "0" * 64})
    other = replace(silent, record=silent.record.model_copy(update={"dataset": dataset}))
    with pytest.raises(UsageError, match=r"needs runs on the same moments: .*silent is on others"):
        compare_moments([mixed], [other])
    strange = tuple(f"{task_id}x" for task_id in silent.task_ids)
    with pytest.raises(UsageError, match="no moment in common"):
        compare_moments([mixed], [replace(silent, task_ids=strange)])
