"""A raw release written by hand: clean by default, so that each test breaks one thing."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

from fingertip_dataset.release.checking import ReleaseCheck, check_release
from fingertip_dataset.release.problems import Effect, Problem, ProblemKind, Subject
from fingertip_dataset.release.read_release import Release, read_release

HEADER = "user_id,time,scenario,app,intentDescription,intentClass"
TREE = "<?xml version='1.0' encoding='UTF-8'?><hierarchy><node text='住' bounds='[0,0][9,9]'/></hierarchy>"


def picture(size: tuple[int, int] = (90, 160), format: str = "JPEG", **options: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, (200, 30, 30)).save(out, format, **options)
    return out.getvalue()


JPEG = picture()


@dataclass
class RawMaker:
    """Writes a release below `raw`; what is not said is as it should be."""

    raw: Path
    jpeg: bytes = JPEG
    tree: bytes = TREE.encode()

    def episode(
        self,
        user: str = "3",
        time: str = "20250310_081530",
        *,
        folder: str | None = None,
        survey: Mapping[str, object] | bytes | None = None,
        lines: Sequence[object] | bytes | None = None,
        images: Mapping[str, bytes] | None = None,
        trees: Mapping[str, bytes] | None = None,
    ) -> Path:
        """Two steps, `11.jpg` a click and `12.jpg` the end, each with its screenshot and its tree."""
        path = self.raw / (folder or f"{user}/{time}")
        screens = path / "Screenshots"
        screens.mkdir(parents=True)
        if survey is None:
            survey = self.survey(user, time)
        (path / "survey_result.json").write_bytes(
            survey if isinstance(survey, bytes) else json.dumps(survey, ensure_ascii=False).encode()
        )
        if lines is None:
            lines = [{"11.jpg": "click(coordinates=(5, 6), content='买票')"}, {"12.jpg": "finished()"}]
        if not isinstance(lines, bytes):
            lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        (path / "action.jsonl").write_bytes(lines)
        for name, data in {"11.jpg": JPEG, "12.jpg": JPEG}.items() if images is None else images.items():
            (screens / name).write_bytes(data)
        for name, data in (
            {"tree_11.xml": self.tree, "tree_12.xml": self.tree}.items() if trees is None else trees.items()
        ):
            (screens / name).write_bytes(data)
        return path

    @staticmethod
    def picture(size: tuple[int, int] = (90, 160), format: str = "JPEG", **options: object) -> bytes:
        return picture(size, format, **options)

    @staticmethod
    def survey(user: str = "3", time: str = "20250310_081530", **changes: object) -> dict[str, object]:
        output = {
            "user_id": user,
            "time": time,
            "scenario": "住所",
            "app": "com.a",
            "intentDescription": "买票",
        }
        return {**output, **changes}

    @staticmethod
    def row(
        user: str = "3", time: str = "20250310_081530", text: str = "买票", scenario: str = "住所"
    ) -> str:
        return f"{user},{time},{scenario},com.a,{text},购物"

    def table(self, name: str, *rows: str, header: str = HEADER, bom: bool = False) -> None:
        text = "\r\n".join((header, *rows)) + "\r\n"
        self.raw.mkdir(parents=True, exist_ok=True)
        (self.raw / name).write_bytes((b"\xef\xbb\xbf" if bom else b"") + text.encode())

    def read(self) -> Release:
        return read_release(self.raw)

    def check(self, **expected: int) -> tuple[ReleaseCheck, list[Problem]]:
        """Check the release; the problems must be exactly these, by kind, and the counts must add up."""
        check = check_release(self.raw)
        assert check.counts == expected
        assert_adds_up(check)
        return check, list(check.problems)

    @staticmethod
    def assert_adds_up(check: ReleaseCheck) -> None:
        assert_adds_up(check)


def assert_adds_up(check: ReleaseCheck) -> None:
    kinds = Counter(problem.kind for problem in check.problems)
    rejected = [k for k in ProblemKind if k.subject == Subject.EPISODE and k.effect == Effect.REJECTED]
    assert check.given == check.kept + check.rejected
    assert check.rejected == sum(kinds[kind] for kind in rejected)
    for count in check.tables.values():
        assert count.given == count.kept + count.merged + count.refused
    assert sum(count.merged for count in check.tables.values()) == kinds[ProblemKind.DUPLICATE_ROW]
    refused = (ProblemKind.BAD_ROW, ProblemKind.CONFLICTING_ROWS, ProblemKind.TRAIN_AND_TEST)
    assert sum(count.refused for count in check.tables.values()) == sum(kinds[kind] for kind in refused)


@pytest.fixture
def maker(tmp_path: Path) -> RawMaker:
    return RawMaker(tmp_path / "raw")
