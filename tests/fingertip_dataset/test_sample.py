"""The drawn sample is what its program draws, small, and says that it is a sample."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixtures.drawn_sample import draw, sample_release
from tests.fixtures.drawn_sample.screens import home


def files(folder: Path, suffix: str) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob(f"*{suffix}")}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    with pytest.MonkeyPatch.context() as patch:
        # drawing takes seconds, and pixels are not compared: they differ with the drawing library
        patch.setattr(draw, "draw", lambda _: b"no picture")
        draw.draw_release(folder)
    return folder


def test_a_screen_is_drawn_as_jpeg() -> None:
    assert draw.draw(home({"微信": "com.tencent.mm"})).startswith(b"\xff\xd8\xff")


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv", ".xml"])
def test_committed_sample_is_what_the_program_writes(drawn: Path, suffix: str) -> None:
    committed = files(sample_release(), suffix)
    assert committed
    assert files(drawn, suffix) == committed


def test_committed_screenshots_have_the_names_that_the_program_gives(drawn: Path) -> None:
    assert set(files(drawn, ".jpg")) == set(files(sample_release(), ".jpg"))


def test_sample_is_under_one_megabyte() -> None:
    assert sum(path.stat().st_size for path in sample_release().rglob("*") if path.is_file()) < 1_000_000


def test_every_survey_says_sample() -> None:
    surveys = list(sample_release().rglob("survey_result.json"))
    assert surveys
    assert {json.loads(path.read_text(encoding="utf-8"))["provenance"] for path in surveys} == {"sample"}
