"""The pictures of the README and the docs show the phone of today, in the language of their page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image

from docs.site.pictures import IMAGES, PAGES, RECORD, describe_inputs, hash_picture
from docs.site.site_map import DOCS, ROOT

AGAIN = "draw them again: make pictures (the demo in build/demo is made anew if you delete it first)"


def test_pictures_are_drawn_from_the_data_of_today() -> None:
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    assert {name: record[name] for name in describe_inputs()} == describe_inputs(), AGAIN
    assert re.fullmatch("[0-9a-f]{64}", record["data"])
    assert {*record["pictures"]} == {*PAGES, "phone.png"}
    for name, recorded in record["pictures"].items():
        assert hash_picture(name) == recorded, f"{name} is not the picture of the record; {AGAIN}"
        with Image.open(IMAGES / name) as picture:
            assert picture.width > 1000


@pytest.mark.parametrize(
    ("page", "picture"),
    [
        (ROOT / "README.md", "execution.png"),
        (ROOT / "README.zh.md", "execution.zh.png"),
        (DOCS / "start.md", "execution.png"),
        (DOCS / "zh" / "start.md", "execution.zh.png"),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else None,
)
def test_a_page_shows_the_picture_in_its_language(page: Path, picture: str) -> None:
    assert re.findall(r"images/(execution[.\w]*png)", page.read_text(encoding="utf-8")) == [picture]


def test_each_picture_is_shown_somewhere() -> None:
    pages = [*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "README.zh.md"]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert [file.name for file in IMAGES.glob("*.png") if f"images/{file.name}" not in text] == []
