"""Pictures of moments as numbers: every point against the scores that it stands for."""

from __future__ import annotations

import pytest

from suggestion_runner.moments.moment_pictures import (
    LARGEST,
    SMALLEST,
    chart_kinds,
    chart_rates,
    draw_hours,
    draw_reliability,
    draw_risk,
    draw_utility,
)
from suggestion_runner.moments.moment_run_scores import MomentRunScores


def test_reliability_has_a_point_for_each_bin_of_runs_with_confidences(scores: list[MomentRunScores]) -> None:
    picture = draw_reliability(scores)
    assert picture is not None
    (line,) = picture.lines
    assert line.run == 0, "the silent run has no confidences"
    bins = scores[0].result.reliability
    assert [(point.x, point.y) for point in line.points] == [
        (100 * one.confidence, 100 * one.share) for one in bins
    ]
    assert all(SMALLEST <= point.radius <= LARGEST for point in line.points)
    assert [point.cells[-1] for point in line.points] == [f"{one.n:,}" for one in bins]
    assert draw_reliability(scores[1:]) is None


def test_risk_ends_at_what_the_agent_did(scores: list[MomentRunScores]) -> None:
    picture = draw_risk(scores)
    assert picture is not None
    points, result = picture.lines[0].points, scores[0].result
    assert points[-1].x == pytest.approx(100 * result.spoken / result.n)
    assert points[-1].y == pytest.approx(100 * (1 - (result.hits or 0) / result.spoken))
    assert [point.radius > 0 for point in points] == [False] * (len(points) - 1) + [True]
    assert [line.run for line in picture.lines] == [0, None]
    best = picture.lines[1].points
    assert best[-1].x == 100
    assert [point.y for point in best] == sorted(point.y for point in best)
    assert draw_risk(scores[1:]) is None


def test_utility_has_a_line_per_run_and_the_ceiling_above(scores: list[MomentRunScores]) -> None:
    picture = draw_utility(scores)
    assert picture is not None
    assert [line.run for line in picture.lines] == [0, 1, None]
    mixed, silent, ceiling = (line.points for line in picture.lines)
    assert picture.guide is not None
    zero = picture.guide[1]
    assert {round(point.y, 9) for point in silent} == {round(zero, 9)}
    assert all(point.y >= zero for point in ceiling)
    assert [point.y for point in mixed] == sorted((point.y for point in mixed), reverse=True)
    assert mixed[4].cells == ("1", f"{scores[0].result.scores['utility']:.3f}")


def test_hours_and_kinds_have_false_triggers_alone(scores: list[MomentRunScores]) -> None:
    hours = draw_hours(scores)
    shares = {
        group.group: group.false_triggers
        for group in scores[0].breakdowns["hour"]
        if group.false_triggers.mean is not None
    }
    assert [point.cells[0] for point in hours.lines[0].points] == list(shares)
    assert sum(int(point.cells[2]) for point in hours.lines[0].points) == scores[0].result.without_intent
    kinds = chart_kinds(scores)
    assert "intent" not in [heading for heading, _ in kinds.groups]
    assert all(marks[1].at == 0 for _, marks in kinds.groups), "the silent run has none"


def test_figures_of_rates_have_a_mark_per_run(scores: list[MomentRunScores]) -> None:
    charts = {chart.title: chart for chart in chart_rates(scores)}
    assert list(charts) == ["moments.chart_false", "moments.chart_missed", "moments.chart_utility"]
    missed = charts["moments.chart_missed"].groups[0][1]
    assert [mark.at for mark in missed] == [100 * (run.result.scores["missed_rate"] or 0) for run in scores]
    assert charts["moments.chart_utility"].line == charts["moments.chart_utility"].groups[0][1][1].at
