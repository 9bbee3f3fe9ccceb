"""Finds become values of people and boxes of screens."""

from __future__ import annotations

from typing import Any

from fingertip_privacy.finds import Find, FindKind, FindPlace, make_find
from fingertip_privacy.redaction.person_secrets import (
    EVERYBODY,
    PersonRedactor,
    SecretsGatherer,
    count_values,
)

KEY = b"0123456789abcdef"


def find(kind: FindKind, text: str, place: FindPlace = FindPlace.INTENT, **changes: Any) -> Find:  # noqa: ANN401
    parts: dict[str, Any] = {
        "user": "1",
        "episode": "1__a",
        "step": None,
        "file": "f",
        "field": "",
        "start": None,
        "end": None,
        "box": None,
        "confidence": 1.0,
        "why": "test",
    }
    return make_find(**(parts | {"kind": kind, "text": text, "place": place} | changes))


def gathered(*finds: Find) -> SecretsGatherer:
    gatherer = SecretsGatherer()
    for one in finds:
        gatherer.add(one)
    return gatherer


def test_short_numbers_are_replaced_in_their_episode_and_long_ones_everywhere() -> None:
    secrets = gathered(find(FindKind.CODE, "2026"), find(FindKind.CODE, "482913")).secrets()
    redactor = PersonRedactor(KEY, secrets["1"])
    assert redactor.texts("1__b").replace("2026 482913")[0].startswith("2026 ")
    assert "482913" not in redactor.texts("1__b").replace("2026 482913")[0]
    assert "2026" not in redactor.texts("1__a").replace("2026 482913")[0]
    assert count_values(secrets) == {"code": 2}


def test_a_find_in_a_file_of_all_users_is_its_rows_or_everybodys() -> None:
    gatherer = SecretsGatherer()
    table = find(FindKind.NAME, "张晓明", FindPlace.INDEX, user="", episode=None)
    gatherer.add(table, "2", "2__a")
    gatherer.add(find(FindKind.NAME, "李小红", FindPlace.INDEX, user="", episode=None))
    secrets = gatherer.secrets()
    assert {value.core for value in secrets["2"].values} == {"张晓明", "李小红"}
    assert {value.core for value in secrets[EVERYBODY].values} == {"李小红"}
    assert count_values(secrets) == {"name": 2}


def test_a_text_misread_in_pixels_is_that_of_the_tree_at_its_place() -> None:
    tree = find(FindKind.NAME, "张晓明", FindPlace.TREE, step=3, box=(0, 0, 100, 50))
    read = find(FindKind.NAME, "张晓朋", FindPlace.SCREENSHOT, step=3, box=(5, 5, 60, 40))
    elsewhere = find(FindKind.NAME, "张晓朋", FindPlace.SCREENSHOT, step=4, box=(5, 5, 60, 40))
    gatherer = gathered(read, tree)
    assert {value.core for value in gatherer.secrets()["1"].values} == {"张晓明"}
    assert [box.text for box in gatherer.boxes["1__a"]] == ["张晓明"]
    assert {value.core for value in gathered(elsewhere, tree).secrets()["1"].values} == {"张晓明", "张晓朋"}


def test_pictures_have_no_text_and_finds_without_a_place_are_counted() -> None:
    code = find(
        FindKind.QR_CODE, "https://pay.example/张晓明", FindPlace.SCREENSHOT, step=0, box=(0, 0, 9, 9)
    )
    unplaced = find(FindKind.FACE, "", FindPlace.SCREENSHOT, step=0)
    named = find(FindKind.NAME, "王小二", FindPlace.SCREENSHOT, step=0)
    gatherer = gathered(code, unplaced, named)
    assert {value.core for value in gatherer.secrets()["1"].values} == {"王小二"}
    assert [box.text for box in gatherer.boxes["1__a"]] == [""]
    assert gatherer.without_place == 1
    assert gatherer.kinds == {FindKind.QR_CODE: 1, FindKind.NAME: 1}
