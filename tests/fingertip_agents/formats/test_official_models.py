"""Answers of which official parsers of other models make something else, and what ours make of them.

The parsers need their repositories: official/other-models.toml has what they did when they ran or were read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from docs.site.official_parsers_page import PAGE, with_tables
from fingertip_agents.registry import FORMATS
from tests.fingertip_agents.formats.conftest import Prepare
from tests.fingertip_agents.formats.test_official_ui_tars import describe, spell

TABLES: Mapping[str, Any] = tomllib.loads(
    (Path(__file__).parent / "official" / "other-models.toml").read_text(encoding="utf-8")
)
ROWS = TABLES["differences"]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['format']}: {row['kind']}" for row in ROWS])
def test_ours_is_what_the_table_has(row: Mapping[str, str], prepare: Prepare) -> None:
    reading = prepare(row["format"], {}).read(row["answer"])
    done = describe(reading)
    assert (spell(done) if done else "refused") == row["ours"]
    assert row["official"] != row["ours"]


def test_each_parser_has_rows() -> None:
    assert set(TABLES["parsers"]) == {row["format"] for row in ROWS} <= set(FORMATS)


def test_the_page_has_the_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_tables(page), "run: python -m docs.site.official_parsers_page"
