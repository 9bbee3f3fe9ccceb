"""Files that EpisodeWriter writes."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from fingertip_dataset.actions import Click, PressHome, Type
from fingertip_dataset.errors import InputError, UsageError
from fingertip_recorder.episode_writer import EpisodeWriter
from tests.stored_pictures import StoredPicture

MOMENT = datetime(2025, 3, 10, 0, 30, tzinfo=UTC)
TREE = '<hierarchy><node text="a&#10;b" content-desc="&lt;&quot;" bounds="[0,0][4,4]" /></hierarchy>'


def writer(raw: Path, **changes: object) -> EpisodeWriter:
    values: dict[str, object] = {
        "user_id": "7",
        "moment": MOMENT,
        "scenario": "住所",
        "app": "com.android.deskclock",
        "intent": "定个闹钟",
        "provenance": "simulated",
        **changes,
    }
    return EpisodeWriter(raw, **values)  # type: ignore[arg-type]


def image(kind: str) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (40, 80), "#336699").save(stream, kind)
    return stream.getvalue()


def test_an_episode_is_written_in_the_raw_layout(tmp_path: Path) -> None:
    with writer(tmp_path, survey={"simulation": {"seed": 3}}) as episode:
        episode.step(image("PNG"), TREE, Click(x=3, y=4, content="it's"), moment=MOMENT)
        episode.step(image("JPEG"), None, Type(text="晴天\n"))
        assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == []
        folder = episode.finish(Image.new("RGB", (40, 80)), "<hierarchy />")
    assert folder == tmp_path / "7" / "20250310_083000"
    assert [json.loads(line) for line in (folder / "action.jsonl").read_text("utf-8").splitlines()] == [
        {"1741566600000.jpg": "click(coordinates=(3, 4), content='it's')"},
        {"1741566601000.jpg": "type(text='晴天\n')"},
        {"1741566602000.jpg": "finished()"},
    ]
    survey = json.loads((folder / "survey_result.json").read_text("utf-8"))
    assert survey["intentDescription"] == "定个闹钟"
    assert survey["provenance"] == "simulated"
    assert survey["simulation"] == {"seed": 3}
    screens = folder / "Screenshots"
    assert (screens / "1741566601000.jpg").read_bytes() == image("JPEG")
    with Image.open(screens / "1741566600000.jpg") as picture:
        assert picture.format == "JPEG"
    assert 'content_desc="&lt;' in (screens / "tree_1741566600000.xml").read_text("utf-8")
    assert "a&#10;b" in (screens / "tree_1741566600000.xml").read_text("utf-8")
    assert len(list(screens.iterdir())) == 5
    assert [path.name for path in tmp_path.iterdir()] == ["7"]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("JPEG", {"orientation": 6}),
        ("PNG", {"orientation": 3}),
        ("JPEG", {"mode": "CMYK"}),
        ("PNG", {"mode": "L 16"}),
    ],
)
def test_a_picture_that_readers_show_differently_is_written_anew(
    tmp_path: Path, kind: str, fields: dict[str, Any]
) -> None:
    stored = StoredPicture(format=kind, **fields)
    with writer(tmp_path) as episode:
        episode.step(stored.write(), None, PressHome(), moment=MOMENT)
        folder = episode.finish()
    with Image.open(folder / "Screenshots" / "1741566600000.jpg") as picture:
        assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", stored.size)
        assert picture.getexif().get(0x112) is None
        assert picture.getpixel((4, 4)) == pytest.approx(stored.corner, abs=8)


def test_file_names_are_increasing_moments_of_steps(tmp_path: Path) -> None:
    with writer(tmp_path) as episode:
        for seconds in (2, 2, 1):
            episode.step(None, None, PressHome(), moment=MOMENT + timedelta(seconds=seconds))
        folder = episode.finish()
    names = [next(iter(json.loads(line))) for line in (folder / "action.jsonl").read_text().splitlines()]
    assert names == ["1741566602000.jpg", "1741566602001.jpg", "1741566602002.jpg", "1741566603002.jpg"]


def test_an_unfinished_episode_is_removed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the screenshot cannot be read"), writer(tmp_path) as episode:
        episode.step(b"no picture", None, PressHome())
    assert list(tmp_path.iterdir()) == []


def test_an_episode_is_never_overwritten(tmp_path: Path) -> None:
    with writer(tmp_path) as first, writer(tmp_path) as second:
        first.finish()
        with pytest.raises(UsageError, match="the episode already exists"):
            second.finish()
    with pytest.raises(UsageError, match="the episode already exists"):
        writer(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["7"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"user_id": "../7"}, "expected a number as user"),
        ({"user_id": ""}, "expected a number as user"),
        ({"moment": datetime(2025, 3, 10)}, "expected a moment with a time zone"),
        ({"intent": " "}, "the intent is empty"),
    ],
)
def test_invalid_arguments_are_refused(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        writer(tmp_path, **changes)
    assert list(tmp_path.iterdir()) == []
