"""FindDecisions on finds: what stays by each rule, and a file that only its owner can read."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import InputError, RunError, UsageError
from fingertip_privacy import Find, FindDecision, decide_finds, read_decisions, write_finds
from fingertip_privacy.find_decisions import DECISIONS, DecisionLine, decisions_of, open_decisions
from fingertip_privacy.finds import make_find
from privacy.tests.fingertip_privacy.test_finds import EXAMPLE

AT = "2026-11-23T12:00:00.000+08:00"


def find(step: int, why: str = "a rule") -> Find:
    return make_find(**EXAMPLE | {"step": step, "why": why})


def decision(one: Find, rater: str, verb: str) -> FindDecision:
    return FindDecision.model_validate({"find": one.id, "decision": verb, "rater": rater, "time": AT})


def written(report: Path, *lines: DecisionLine) -> None:
    with open_decisions(report) as log:
        for line in lines:
            log.append(line)


def test_a_find_is_dropped_only_by_people_and_stays_in_doubt(tmp_path: Path) -> None:
    finds = [find(step) for step in range(5)]
    write_finds(tmp_path, finds)
    undecided, rejected, disputed, mostly_rejected, taken_back = finds
    assert [*decide_finds(tmp_path)] == finds, "without decisions every find stays"
    written(
        tmp_path,
        decision(rejected, "anna", "reject"),
        *(decision(disputed, rater, verb) for rater, verb in (("anna", "reject"), ("ben", "confirm"))),
        *(decision(mostly_rejected, rater, "reject") for rater in ("anna", "ben")),
        decision(mostly_rejected, "wang", "confirm"),
        decision(taken_back, "anna", "reject"),
        decision(taken_back, "anna", "confirm"),
    )
    assert [*decide_finds(tmp_path)] == [undecided, disputed, mostly_rejected, taken_back]
    assert [*decide_finds(tmp_path, rule="majority")] == [undecided, disputed, taken_back]
    assert [*decide_finds(tmp_path, tmp_path / DECISIONS)] == [*decide_finds(tmp_path)]
    assert read_decisions(tmp_path / DECISIONS).raters == ("anna", "ben", "wang")
    with pytest.raises(UsageError, match="any or majority"):
        list(decide_finds(tmp_path, rule="all"))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="fingertip privacy review"):
        list(decide_finds(tmp_path, tmp_path / "none.jsonl"))


def test_an_added_find_stays_until_its_rater_rejects_it_and_is_never_twice(tmp_path: Path) -> None:
    known, added, scanned_later = find(0), find(1, "added by 王 芳"), find(2)
    write_finds(tmp_path, [known, scanned_later])
    written(tmp_path, added, find(2, "added by ben"))
    assert [*decide_finds(tmp_path)] == [known, scanned_later, added]
    written(tmp_path, decision(added, "ben", "reject"))
    assert [*decide_finds(tmp_path)] == [known, scanned_later, added]
    written(tmp_path, decision(added, "王 芳", "reject"))
    assert [*decide_finds(tmp_path)] == [known, scanned_later]
    assert stat.S_IMODE((tmp_path / DECISIONS).stat().st_mode) == 0o600


def test_raters_agree_on_the_finds_of_the_scan(tmp_path: Path) -> None:
    lines = [find(9, "added by anna")]
    for step, (one, other) in enumerate(("cc", "cr", "rr", "rr")):
        for rater, verb in (("anna", one), ("ben", other)):
            lines.append(decision(find(step), rater, {"c": "confirm", "r": "reject"}[verb]))  # type: ignore[arg-type]
    (pair,) = decisions_of(lines).agreements()
    assert (pair.one, pair.other, pair.kappa.n, pair.kappa.kappa) == ("anna", "ben", 4, 0.5)


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abc"), st.booleans()), max_size=12))
def test_any_keeps_whatever_the_majority_keeps(votes: list[tuple[int, str, bool]]) -> None:
    found = decisions_of(
        decision(find(step), rater, "confirm" if confirms else "reject") for step, rater, confirms in votes
    )
    for step in range(4):
        given_votes = [*{rater: yes for place, rater, yes in votes if place == step}.values()]
        assert found.keeps(find(step).id) == (not given_votes or True in given_votes)
        assert found.keeps(find(step).id, "majority") == (given_votes.count(True) >= given_votes.count(False))


def test_a_broken_line_is_named_without_its_content(tmp_path: Path) -> None:
    for content in ('{"find": "13912345678"}', find(0).model_dump_json(), "[]", "x"):
        (tmp_path / DECISIONS).write_text(content + "\n", encoding="utf-8")
        with pytest.raises(RunError, match="line 1") as failure:
            read_decisions(tmp_path / DECISIONS)
        assert "139" not in str(failure.value)
