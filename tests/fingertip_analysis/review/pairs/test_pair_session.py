"""Sessions of intent pairs and their labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_agents import HabitBaseline, RecentBaseline
from fingertip_analysis.review.pairs import PairAnnotation, PairAnnotationSession
from fingertip_dataset.errors import FingerTipError, InputError, RunError, UsageError
from fingertip_metrics.judges import HumanJudge, read_pair_labels
from fingertip_runs.targets import read_targets
from suggestion_runner import read_predictions, run_suggestions


@pytest.fixture
def runs(small_dataset: Path, tmp_path: Path) -> tuple[Path, Path]:
    run_suggestions(small_dataset, HabitBaseline(), tmp_path / "one")
    run_suggestions(small_dataset, RecentBaseline(), tmp_path / "two")
    return tmp_path / "one", tmp_path / "two"


def pairs(run: Path) -> set[tuple[str, str]]:
    lines = read_predictions(run)
    targets = read_targets(run)
    return {(line.predicted_intent, targets[line.task_id].intent) for line in lines if line.predicted_intent}


def test_each_pair_is_shown_once_and_its_label_is_in_each_run_that_has_it(runs: tuple[Path, Path]) -> None:
    with PairAnnotationSession(runs) as session:
        order = session.order("王芳")
        assert {session[key] for key in order} == pairs(runs[0]) | pairs(runs[1])
        assert len(order) == len(session) == len(set(order))
        assert order != session.order("B") or len(order) < 3
        for key in order:
            assert session.label(key, "王芳") is None
            session.add(key, "王芳", PairAnnotation(same="no", why="别的应用"))
        session.add(order[0], "王芳", PairAnnotation(same="yes", seconds=1.5))
        session.add(order[0], "B", PairAnnotation(same="unsure"))
        assert (session.labelled("王芳"), session.labelled("B"), session.labelled("C")) == (len(order), 1, 0)
        first = session[order[0]]
    for run in runs:
        mine = [label for label in read_pair_labels(run / "labels.jsonl") if label.rater == "王芳"]
        assert {(label.predicted, label.intended) for label in mine} == pairs(run)
        states = HumanJudge(mine).judge(sorted(pairs(run)))
        assert [verdict.state for verdict in states] == [
            "same" if pair == first else "different" for pair in sorted(pairs(run))
        ]
    with PairAnnotationSession(runs) as again:
        assert again.order("王芳") == order
        assert again.raters() == ("B", "王芳")
        label = again.label(order[0], "王芳")
        assert label is not None
        assert (label.same, label.seconds) == ("yes", 1.5)


def refused(runs: list[Path]) -> FingerTipError:
    with pytest.raises(FingerTipError) as raised, PairAnnotationSession(runs):
        pass
    return raised.value


def test_invalid_runs_are_refused(runs: tuple[Path, Path], tmp_path: Path) -> None:
    assert isinstance(refused([runs[0], runs[0]]), UsageError)
    assert isinstance(refused([tmp_path]), RunError)
    with PairAnnotationSession(runs[:1]):
        assert "another process is writing this run: wait until it ends, or give another --out" in str(
            refused([runs[0]])
        )
    (runs[0] / "labels.jsonl").write_text("x\n")
    assert isinstance(refused([runs[0]]), InputError)
    (runs[1] / "predictions.jsonl").write_text("")
    assert "there is nothing to label" in str(refused([runs[1]]))
