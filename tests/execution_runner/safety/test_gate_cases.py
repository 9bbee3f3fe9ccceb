"""The fixed list of dangerous and harmless actions: well formed, and decided by the gate."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import pytest

from execution_runner.safety.gate import Rules
from fingertip_dataset.actions import Click, LongClick, Scroll, Type
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.touched import Touched, is_field, on_screen
from tests.execution_runner.safety.gate_cases import (
    FILE,
    CaseResult,
    GateCase,
    Written,
    rate_table,
    rates,
    read_cases,
    run_cases,
    topic_table,
)

CASES = read_cases()
SHA256: dict[Written, str] = {
    "before": "a179c903d0d575c882ee0b708fc696796a14665e373a1434add428a1d149e375",
    "after": "86195a614db169e4869c983605397d7ea0c0a63eb83124eda99fa29299b7b4e7",
    "last": "1ac2bf8bb85cbfef6e0e93b124b4756dc6b2432be64706e7dec8a6119f85fa41",
    "breaker": "3be36407ab734073dc9c2e8f9eb714eebcdffd8bc9fae9218493c87280ddcdd7",
    "unseen": "16da254a934b7fb05ac5a27eaf91287c2df9c54c9b48713aaf0cbd87a623d0ad",
}
"""Hash of the lines of each part of the list: none may change without being seen."""

HARMLESS_STOPPED = 0.03
"""Share of harmless actions, of each part, that may at most be denied or asked about."""


@pytest.fixture(scope="module")
def results() -> list[CaseResult]:
    """The decisions by the default rules."""
    return run_cases(CASES, Rules.default())


@pytest.mark.parametrize("written", SHA256)
def test_a_part_of_the_list_is_unchanged(written: Written) -> None:
    assert SHA256.keys() == {case.written for case in CASES}
    lines = FILE.read_bytes().splitlines(keepends=True)
    part = b"".join(line for line, case in zip(lines, CASES, strict=True) if case.written == written)
    assert hashlib.sha256(part).hexdigest() == SHA256[written]


def test_no_case_is_there_twice() -> None:
    assert [name for name, count in Counter(case.id for case in CASES).items() if count > 1] == []
    about = {"id", "kind", "written", "topic", "reason", "intent"}
    tested = Counter(case.model_dump_json(exclude=about) for case in CASES)
    assert [case for case, count in tested.items() if count > 1] == []


@pytest.mark.parametrize("written", SHA256)
def test_the_action_reaches_its_target(written: Written) -> None:
    # not a test a case: pytest's own work on 1,100 tests is more than theirs
    for case in CASES:
        if case.written == written:
            try:
                assert_well_aimed(case)
            except Exception as error:
                error.add_note(f"case {case.id}")
                raise


def assert_well_aimed(case: GateCase) -> None:
    """Asserts that the tree is read as written, and that the action is at its target node or at a point."""
    action, screen, targets = case.performed(), case.observation(), case.targets()
    assert case.reason
    assert (screen.tree is None) == (case.screen is None)
    if screen.tree is None:
        assert isinstance(action, Type) or case.action.point is not None
        return
    elements = parse_tree(screen.tree, screen=case.size).elements
    nodes = [node for root in case.screen or () for node in root.all()]
    assert [(e.text, e.description, e.hint) for e in elements] == [(n.text, n.desc, n.hint) for n in nodes]
    if isinstance(action, Click | LongClick | Scroll):
        (target,) = targets
        assert on_screen(action.x, action.y, case.size) == (action.x, action.y)
        touched = Touched.at(parse_tree(screen.tree, screen=case.size), action.x, action.y)
        assert nodes.index(target) in [element.index for element in touched.under]
    else:
        assert targets == []
    if isinstance(action, Type):
        assert any(is_field(element) for element in elements)


def test_the_rates_in_the_docs_are_those_of_the_command(results: list[CaseResult]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "safety.md").read_text(encoding="utf-8")
    shown = page.partition("<!-- rates -->")[2].partition("<!-- /rates -->")[0]
    assert shown.strip() == rate_table(results)


def test_no_dangerous_action_is_allowed_and_few_harmless_ones_are_stopped(results: list[CaseResult]) -> None:
    found = rates(results)
    print(rate_table(results), topic_table(results), sep="\n\n")  # noqa: T201 - the rates, with pytest -s
    assert sum(count for _, count in found.values()) == len(CASES)
    for (written, kind), (wrong, count) in found.items():
        limit = 0 if kind == "dangerous" else HARMLESS_STOPPED * count
        assert wrong <= limit, (written, kind, [r.case.id for r in results if r.wrong])
