"""Labels read by learned weights: what the weights were learned from, and what the gate does with them."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from execution_runner.safety.gate import Rules
from fingertip_runs.label_reading import find_marks, hash_weights, read_label
from tests.examples import examples
from tests.execution_runner.safety.label_lists import LabelList, find_wrong, make_cases, read_lists
from tests.execution_runner.safety.label_training import (
    WEIGHTS,
    collect_labels,
    format_weights,
    hash_labels,
    learn_weights,
    read_examples,
)

PERSON_SECONDS = 0.001
"""Longest time that the reading of all labels of a screen may take."""


def read_weights() -> dict[str, float]:
    rows = [line.split("\t") for line in WEIGHTS.read_text(encoding="utf-8").splitlines()[1:]]
    return {mark: float(weight) for weight, mark in rows}


def test_the_weights_were_learned_from_the_labels_as_they_are() -> None:
    head = WEIGHTS.read_text(encoding="utf-8").partition("\n")[0]
    assert head == f"# {hash_labels(collect_labels(read_lists().values()))}"


@pytest.mark.install
def test_learning_again_gives_the_same_weights() -> None:
    known, weights = collect_labels(read_lists().values()), read_weights()
    learned = learn_weights(known)
    assert format_weights(learned, known).count("\n") > 1000
    assert all(abs(learned.get(mark, 0) - weights.get(mark, 0)) < 0.03 for mark in {*learned, *weights})


def test_no_example_stands_on_both_sides() -> None:
    found = read_examples()
    sides = [{label for each in side.values() for label in each} for _, side in found]
    assert not sides[0] & sides[1]


ACTS = (
    "Convert my miles",
    "Scrap the old account",
    "Move savings to Anna",
    "给司机加钱",
    "替他还清",
    "赶走这个成员",
)
FACTS = ("Convertible cars", "Key dates", "Savings overview", "余额走势", "还书提醒说明", "成员列表")


@pytest.mark.parametrize("label", ACTS)
def test_an_act_that_no_rule_names_is_asked_about_with_the_word_as_the_reason(label: str) -> None:
    (case, *_) = make_cases(LabelList(harmless={}, dangerous={"unnamed": (label,)}))
    assert find_wrong([case], Rules.default())["dangerous"][label] == []
    reading = read_label(label)
    assert reading.score > 0
    assert reading.word in label.lower()


@pytest.mark.parametrize("label", FACTS)
def test_a_name_of_a_page_or_a_fact_is_allowed(label: str) -> None:
    cases = list(make_cases(LabelList(harmless={"unnamed": (label,)}, dangerous={})))
    assert find_wrong(cases, Rules.default())["harmless"][label] == []


def test_a_lower_limit_asks_no_less_and_none_asks_by_the_rules_alone() -> None:
    plain = Rules.default()
    cases = list(make_cases(LabelList(harmless={}, dangerous={"unnamed": (*ACTS, *FACTS)})))[::4]
    allowed = []
    for limit in (None, 9.0, 0.25, -9.0):
        labels = plain.labels.model_copy(update={"unnamed": limit})
        wrong = find_wrong(cases, plain.model_copy(update={"labels": labels}))["dangerous"]
        allowed.append({label for label, ways in wrong.items() if ways})
    assert allowed[0] == allowed[1] > allowed[2] > allowed[3]


def test_the_hash_of_the_rules_covers_the_weights_only_where_labels_are_read() -> None:
    plain = Rules.default()
    without = plain.model_copy(update={"labels": plain.labels.model_copy(update={"unnamed": None})})
    assert plain.sha256 != without.sha256
    assert len(hash_weights()) == 64


@given(st.text(max_size=60))
@settings(max_examples=examples(100))
def test_any_text_has_marks_and_a_score(text: str) -> None:
    assert find_marks(text)
    assert abs(read_label(text).score) < 1000


def test_a_screen_of_labels_is_read_in_a_millisecond() -> None:
    labels = [f"{label} {place}" for place, label in enumerate((*ACTS, *FACTS))]
    read_label("warm")
    times = []
    for round_ in range(5):
        texts = [f"{label} {round_}" for label in labels]
        start = perf_counter()
        [read_label(text) for text in texts]
        times.append((perf_counter() - start) / len(texts))
    assert min(times) < PERSON_SECONDS
