"""Finds and reports: what is written is read again, only its owner can read it, and bad lines are named."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import InputError
from fingertip_privacy import Find, FindKind, FindPlace, ScanReport, read_finds, read_report, write_finds
from fingertip_privacy.finds import count_finds, find_id, make_find, report_of, write_report

EXAMPLE = {
    "kind": FindKind.PHONE,
    "user": "3",
    "episode": "3__20250310_081530",
    "step": 0,
    "place": FindPlace.TREE,
    "file": "3/20250310_081530/Screenshots/tree_1.xml",
    "field": "0/3/1@text",
    "start": 2,
    "end": 13,
    "box": (1, 2, 3, 4),
    "text": "13912345678",
    "confidence": 0.9,
    "why": "a mobile number",
}


def test_finds_are_read_as_written_by_their_owner_only(tmp_path: Path) -> None:
    finds = [make_find(**EXAMPLE), make_find(**EXAMPLE | {"box": None, "step": None})]
    assert write_finds(tmp_path / "report", finds) == 2
    assert list(read_finds(tmp_path / "report")) == finds
    assert stat.S_IMODE((tmp_path / "report" / "finds.jsonl").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "report").stat().st_mode) == 0o700
    assert count_finds(finds) == {FindKind.PHONE: {FindPlace.TREE: 2}}


@given(st.text(), st.floats(0, 1), st.tuples(*[st.integers(0, 4000)] * 4))
def test_an_id_follows_from_place_and_text_alone(
    text: str, confidence: float, box: tuple[int, int, int, int]
) -> None:
    find = make_find(**EXAMPLE | {"text": text, "box": box})
    again = Find.model_validate_json(find.model_dump_json())
    assert again == find
    assert find_id(again.model_dump(mode="json")) == find.id
    assert find_id(find.model_dump() | {"confidence": confidence, "why": ""}) == find.id


def test_a_line_that_is_no_find_is_named_without_its_content(tmp_path: Path) -> None:
    write_finds(tmp_path, [make_find(**EXAMPLE)])
    file = tmp_path / "finds.jsonl"
    file.write_text(file.read_text(encoding="utf-8") + '{"kind": "13912345678"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 2") as failure:
        list(read_finds(tmp_path))
    assert "139" not in str(failure.value)
    with pytest.raises(InputError, match="fingertip privacy scan"):
        list(read_finds(tmp_path / "none"))


def test_a_report_is_read_as_written(tmp_path: Path) -> None:
    report = ScanReport(
        source="raw",
        source_kind="raw",
        fingerprint="0",
        settings={"faces": True},
        packages={},
        episodes=1,
        screenshots=2,
        trees=2,
        counts={FindKind.PHONE: {FindPlace.TREE: 2}},
        problems=(),
        seconds=1.0,
    )
    write_report(tmp_path, report)
    assert read_report(tmp_path) == report
    with pytest.raises(InputError, match="cannot be read"):
        read_report(tmp_path / "none")


@pytest.mark.parametrize("named", [".", "../raw", "../raw/", "../link", "x/.."])
def test_a_report_lies_beside_its_data_however_they_are_named(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = tmp_path / "raw"
    (raw / "x").mkdir(parents=True)
    (tmp_path / "link").symlink_to(raw)
    monkeypatch.chdir(raw)
    name = "link.privacy" if named == "../link" else "raw.privacy"
    assert report_of(Path(named)).resolve() == tmp_path / name
