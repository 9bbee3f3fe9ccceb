from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from execution_runner.scoring.success_labels import open_labels, read_labels
from fingertip_analysis.review.success import SuccessAnnotation, SuccessSession
from fingertip_dataset.errors import RunError, UsageError
from fingertip_runs.annotation import rater_name

DrawRun = Callable[..., Path]
INTENTS = tuple(f"第{number}件事" for number in range(12))


def intents(session: SuccessSession, rater: str) -> list[str]:
    return [session[key].target.intent for key in session.order(rater)]


def test_each_rater_has_a_fixed_order_of_their_own(drawn_run: DrawRun) -> None:
    run = drawn_run(*INTENTS)
    with SuccessSession([run]) as session:
        anna, ben = intents(session, "anna"), intents(session, "ben")
        keys = set(session.order("anna"))
    with SuccessSession([run]) as again:
        assert intents(again, "anna") == anna
        assert not keys & set(again.order("anna"))
    assert sorted(anna) == sorted(ben) == sorted(INTENTS)
    assert len({tuple(anna), tuple(ben), INTENTS}) == 3


def test_several_runs_are_mixed_and_a_label_goes_to_its_run(drawn_run: DrawRun) -> None:
    one, other = drawn_run(*INTENTS), drawn_run(*INTENTS)
    with SuccessSession([one, other]) as session:
        order = session.order("anna")
        runs = [session[key].run for key in order]
        # neither run is seen in a block
        assert sum(a != b for a, b in pairwise(runs)) > 2
        session.add(order[0], "anna", SuccessAnnotation(success="yes", rating=4, why="就是这样", seconds=3.5))
        assert (session.labelled("anna"), session.labelled("ben"), len(session)) == (1, 0, 24)
    (label,) = read_labels(runs[0])
    assert (label.task_id, label.attempt, label.kind) == (session[order[0]].target.task_id, 1, "person")
    assert (label.success, label.rating, label.why, label.seconds) == ("yes", 4, "就是这样", 3.5)
    assert read_labels(other if runs[0] == one else one) == ()


def test_an_earlier_label_counts_and_can_be_replaced(drawn_run: DrawRun) -> None:
    run = drawn_run("听歌")
    with SuccessSession([run]) as session:
        session.add(session.order("anna")[0], "anna", SuccessAnnotation(success="no"))
    with SuccessSession([run]) as again:
        (key,) = again.order("anna")
        label = again.label(key, "anna")
        assert label is not None
        assert label.success == "no"
        assert again.label(key, "ben") is None
        again.add(key, "anna", SuccessAnnotation(success="yes"))
    assert [label.success for label in read_labels(run)] == ["yes"]
    assert len((run / "labels.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_a_label_on_an_earlier_attempt_does_not_count(drawn_run: DrawRun) -> None:
    labels = [{"task_id": "0__20250301_080000", "attempt": 1, "rater": "anna", "success": "yes"}]
    run = drawn_run("听歌", ends={"attempt": 2}, labels=labels)
    with SuccessSession([run]) as session:
        assert session.labelled("anna") == 0
        assert session.raters() == ()


def test_agreement_covers_all_runs_and_the_rule_is_a_rater(drawn_run: DrawRun) -> None:
    runs = [drawn_run(*INTENTS[:2], ends={"success": done, "success_by": "rule"}) for done in (True, False)]
    with SuccessSession(runs) as session:
        for key in session.order("anna"):
            done = session[key].success_by_rule
            session.add(key, "anna", SuccessAnnotation(success="yes" if done else "no"))
            session.add(key, "ben", SuccessAnnotation(success="yes"))
        pairs = {(pair.one, pair.other): pair.kappa for pair in session.agreements()}
    assert set(pairs) == {("anna", "ben"), ("anna", "rule"), ("ben", "rule")}
    with_rule, with_ben = pairs["anna", "rule"], pairs["anna", "ben"]
    assert with_rule is not None
    assert with_ben is not None
    assert (with_rule.kappa, with_rule.n, with_ben.kappa, with_ben.agreement) == (1, 4, 0, 0.5)


def test_a_run_without_a_rule_has_no_rule_rater(drawn_run: DrawRun) -> None:
    with SuccessSession([drawn_run("听歌")]) as session:
        session.add(session.order("anna")[0], "anna", SuccessAnnotation(success="unsure"))
        assert session.agreements() == ()


def test_runs_without_attempts_to_label_are_refused(drawn_run: DrawRun, tmp_path: Path) -> None:
    run = drawn_run("听歌")
    with pytest.raises(UsageError, match="a run is given twice: name each run once"):
        SuccessSession([run, run.parent / "." / run.name])
    with pytest.raises(UsageError, match="there is nothing to label"):
        SuccessSession([drawn_run("听歌", ends={"outcome": "device_error"})])
    with pytest.raises(RunError, match=r"no run: `fingertip suggest` or `fingertip execute` makes one"):
        SuccessSession([tmp_path / "nowhere"])
    with open_labels(run), pytest.raises(RunError, match="is writing this run"):
        SuccessSession([run])
    with SuccessSession([run]) as session:
        assert len(session) == 1


def test_a_failed_session_holds_no_run(drawn_run: DrawRun) -> None:
    free, held = drawn_run("听歌"), drawn_run("听歌")
    with open_labels(held), pytest.raises(RunError, match="is writing this run"):
        SuccessSession([free, held])
    with SuccessSession([free]):
        pass


@pytest.mark.parametrize("name", ["", "  ", "judge:m@1", "rule", "a\x1b[2J", "x" * 61])
def test_invalid_rater_names_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"a rater's name has|expected a person's name"):
        rater_name(name)
