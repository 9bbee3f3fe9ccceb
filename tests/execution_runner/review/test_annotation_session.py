from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from execution_runner.review import AnnotationSession
from execution_runner.review.annotation_session import Annotation
from execution_runner.scoring.success_labels import open_labels, read_labels
from fingertip_dataset.errors import RunError, UsageError
from fingertip_runs.raters import rater_name

DrawRun = Callable[..., Path]
INTENTS = tuple(f"第{number}件事" for number in range(12))


def intents(sitting: AnnotationSession, rater: str) -> list[str]:
    return [sitting[key].intent for key in sitting.order(rater)]


def test_the_order_is_a_raters_own_and_stays(drawn_run: DrawRun) -> None:
    run = drawn_run(*INTENTS)
    with AnnotationSession([run]) as sitting:
        anna, ben = intents(sitting, "anna"), intents(sitting, "ben")
        keys = set(sitting.order("anna"))
    with AnnotationSession([run]) as again:
        assert intents(again, "anna") == anna
        assert not keys & set(again.order("anna"))
    assert sorted(anna) == sorted(ben) == sorted(INTENTS)
    assert len({tuple(anna), tuple(ben), INTENTS}) == 3


def test_several_runs_are_mixed_and_each_word_goes_to_its_own(drawn_run: DrawRun) -> None:
    one, other = drawn_run(*INTENTS), drawn_run(*INTENTS)
    with AnnotationSession([one, other]) as sitting:
        order = sitting.order("anna")
        runs = [sitting[key].run for key in order]
        # neither run is seen in a block
        assert sum(a != b for a, b in pairwise(runs)) > 2
        sitting.say(order[0], "anna", Annotation(success="yes", rating=4, why="就是这样", seconds=3.5))
        assert (sitting.labelled("anna"), sitting.labelled("ben"), len(sitting)) == (1, 0, 24)
    (label,) = read_labels(runs[0])
    assert (label.task_id, label.attempt, label.kind) == (sitting[order[0]].task_id, 1, "person")
    assert (label.success, label.rating, label.why, label.seconds) == ("yes", 4, "就是这样", 3.5)
    assert read_labels(other if runs[0] == one else one) == ()


def test_what_was_said_before_counts_and_can_be_said_anew(drawn_run: DrawRun) -> None:
    run = drawn_run("听歌")
    with AnnotationSession([run]) as sitting:
        sitting.say(sitting.order("anna")[0], "anna", Annotation(success="no"))
    with AnnotationSession([run]) as again:
        (key,) = again.order("anna")
        label = again.label(key, "anna")
        assert label is not None
        assert label.success == "no"
        assert again.label(key, "ben") is None
        again.say(key, "anna", Annotation(success="yes"))
    assert [label.success for label in read_labels(run)] == ["yes"]
    assert len((run / "labels.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_a_word_on_an_earlier_attempt_is_none_on_this_one(drawn_run: DrawRun) -> None:
    labels = [{"task_id": "0__20250301_080000", "attempt": 1, "rater": "anna", "success": "yes"}]
    run = drawn_run("听歌", ends={"attempt": 2}, labels=labels)
    with AnnotationSession([run]) as sitting:
        assert sitting.labelled("anna") == 0
        assert sitting.raters() == ()


def test_agreement_is_over_all_runs_with_the_rule_as_one_more_rater(drawn_run: DrawRun) -> None:
    runs = [drawn_run(*INTENTS[:2], ends={"success": done, "success_by": "rule"}) for done in (True, False)]
    with AnnotationSession(runs) as sitting:
        for key in sitting.order("anna"):
            done = sitting[key].success_by_rule
            sitting.say(key, "anna", Annotation(success="yes" if done else "no"))
            sitting.say(key, "ben", Annotation(success="yes"))
        pairs = {(pair.one, pair.other): pair.kappa for pair in sitting.agreements()}
    assert set(pairs) == {("anna", "ben"), ("anna", "rule"), ("ben", "rule")}
    with_rule, with_ben = pairs["anna", "rule"], pairs["anna", "ben"]
    assert with_rule is not None
    assert with_ben is not None
    assert (with_rule.kappa, with_rule.n, with_ben.kappa, with_ben.agreement) == (1, 4, 0, 0.5)


def test_a_run_without_a_rule_has_no_such_rater(drawn_run: DrawRun) -> None:
    with AnnotationSession([drawn_run("听歌")]) as sitting:
        sitting.say(sitting.order("anna")[0], "anna", Annotation(success="unsure"))
        assert sitting.agreements() == ()


def test_what_cannot_be_looked_at_is_refused(drawn_run: DrawRun, tmp_path: Path) -> None:
    run = drawn_run("听歌")
    with pytest.raises(UsageError, match="expected each run once, got one twice"):
        AnnotationSession([run, run.parent / "." / run.name])
    with pytest.raises(UsageError, match="there is nothing to look at"):
        AnnotationSession([drawn_run("听歌", ends={"outcome": "device_error"})])
    with pytest.raises(RunError, match=r"expected a run with its run\.json"):
        AnnotationSession([tmp_path / "nowhere"])
    with open_labels(run), pytest.raises(RunError, match="is being written"):
        AnnotationSession([run])
    with AnnotationSession([run]) as sitting:
        assert len(sitting) == 1


def test_a_sitting_that_cannot_begin_holds_no_run(drawn_run: DrawRun) -> None:
    free, held = drawn_run("听歌"), drawn_run("听歌")
    with open_labels(held), pytest.raises(RunError, match="is being written"):
        AnnotationSession([free, held])
    with AnnotationSession([free]):
        pass


@pytest.mark.parametrize("name", ["", "  ", "judge:m@1", "rule", "a\x1b[2J", "x" * 61])
def test_what_is_no_persons_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="expected a"):
        rater_name(name)
