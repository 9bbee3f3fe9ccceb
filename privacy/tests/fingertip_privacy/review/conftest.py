"""Fixtures: a drawn release with a larger screenshot, the dataset built of it, and a report of its finds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from fingertip_privacy import Find, FindKind, FindPlace, ScanReport, write_finds
from fingertip_privacy.finds import make_find, write_report
from tests.suggestion_datasets import draw_release

EPISODE = "30/20250302_090000"
SIZE = (270, 600)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """A report, the raw release that it was made from, and its finds by place."""

    report: Path
    raw: Path
    finds: dict[FindPlace, Find]


def find_at(place: FindPlace, file: str, **parts: object) -> Find:
    """A find of the first step of the episode."""
    common = {
        "kind": FindKind.NAME,
        "user": "30",
        "episode": EPISODE.replace("/", "__"),
        "step": 0,
        "place": place,
        "file": f"{EPISODE}/{file}",
        "field": "",
        "start": None,
        "end": None,
        "box": None,
        "text": "开始",
        "confidence": 0.9,
        "why": "mobile number of China (rules 2)",
    }
    return make_find(**common | parts)


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    draw_release(tmp_path / "release")
    raw = tmp_path / "release" / "raw"
    shots = raw / EPISODE / "Screenshots"
    shot, tree = sorted(shots.glob("*.jpg"))[0], sorted(shots.glob("*.xml"))[0]
    picture = Image.new("RGB", SIZE, "#f4f4f0")
    ImageDraw.Draw(picture).rectangle((40, 100, 200, 140), fill="#335577")
    picture.save(shot, "JPEG")
    finds = [
        find_at(
            FindPlace.SCREENSHOT,
            f"Screenshots/{shot.name}",
            kind=FindKind.FACE,
            text="",
            box=(40, 100, 201, 141),
        ),
        find_at(
            FindPlace.TREE,
            f"Screenshots/{tree.name}",
            field="0@text",
            start=0,
            end=2,
            box=(20, 300, 120, 340),
        ),
        find_at(FindPlace.ACTION, "action.jsonl", field="line 1@content", start=0, end=2),
        find_at(
            FindPlace.INTENT,
            "survey_result.json",
            field="intentDescription",
            start=2,
            end=4,
            text="回家",
            step=None,
        ),
    ]
    report = tmp_path / "report"
    write_finds(report, finds)
    write_report(
        report,
        ScanReport(
            source=str(raw),
            source_kind="raw",
            fingerprint="0",
            settings={},
            packages={},
            episodes=1,
            screenshots=2,
            trees=2,
            counts={},
            problems=(),
            seconds=0.1,
        ),
    )
    return Reviewed(report=report, raw=raw, finds={find.place: find for find in finds})
