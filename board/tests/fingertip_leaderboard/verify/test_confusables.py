from __future__ import annotations

import pytest

from board.tests.fingertip_leaderboard.attacks_on_names import HIDDEN, STYLED
from fingertip_dataset.folded_text import latin_look_alikes, make_skeleton
from fingertip_dataset.ui_tree.normal_text import plain
from fingertip_leaderboard.verify.confusables import find_disguise, name_keys
from fingertip_leaderboard.verify.copies import comparable

ALIKE = (
    *HIDDEN.values(),
    *(name for kind, name in STYLED.items() if "digit" not in kind and "Armenian" not in kind),
    "HABIT", "habit", "hAbIt", "Hab\u0131t", "НАВІТ", "Ha bit", "Ha\u3000bit", "H\u200babit", "Hаbit",
)  # fmt: skip
"""Names that look like "Habit", in any case, with or without blanks."""


@pytest.mark.parametrize("name", ALIKE, ids=ascii)
def test_names_that_look_alike_have_a_key_in_common(name: str) -> None:
    assert name_keys(name) & name_keys("Habit")


@pytest.mark.parametrize(
    ("one", "other"),
    [("rn", "m"), ("AI", "Al"), ("AI-AGENT", "al-agent"), ("0penAI", "OpenAI"), ("小红", "⼩红"), ("l", "1")],
)
def test_prototypes_of_ts_39_are_applied(one: str, other: str) -> None:
    assert name_keys(one) & name_keys(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Habit", "Rabbit"), ("Habit 7B", "Habit 72B"), ("小红", "小明"), ("Qwen2.5", "Qwen3"), ("a", "á")],
)
def test_different_names_have_no_key_in_common(one: str, other: str) -> None:
    assert not name_keys(one) & name_keys(other)


@pytest.mark.parametrize(
    "name",
    [
        "GPT-4o（中文）", "小红 agent-7B", "Модель 7B", "用α算法", "Qwen2.5-VL™", "x² agent", "ñandú",
        "カタカナー agent", "人々", "Işık", "에이전트 2", "β-VAE", "a 100 % agent…",
    ],
)  # fmt: skip
def test_usual_names_hide_nothing(name: str) -> None:
    assert find_disguise(name) is None


def test_the_skeleton_ignores_what_cannot_be_seen() -> None:
    assert {make_skeleton(name) for name in HIDDEN.values()} == {make_skeleton("Habit")}


def test_the_gate_names_and_copies_see_through_the_same_disguises() -> None:
    assert {plain(name) for name in ALIKE} == {"habit"}
    assert {comparable(name) for name in HIDDEN.values()} == {comparable("habit")}
    alike = {chr(point): latin for point, latin in latin_look_alikes().items()}
    assert [letter for letter, latin in alike.items() if plain(letter) != latin] == []
    assert [letter for letter, latin in alike.items() if not name_keys(letter) & name_keys(latin)] == []
    assert set("аеорсухіјѕһԁԛԝвкмнтαοινρτυк") <= set(alike)
