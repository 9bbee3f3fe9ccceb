"""Scans of a small planted release and of its dataset: recall, resumption, parts, and bad input."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path

import pytest

from fingertip_dataset.errors import MissingExtraError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_privacy import FindKind, FindPlace, read_finds, read_report
from fingertip_privacy.planted.known_secrets import KnownSecret, find_secrets_of_episode
from fingertip_privacy.planted.scan_score import score_scan
from fingertip_privacy.scan.scan import STAGING, scan
from fingertip_privacy.scan.scan_settings import ScanSettings
from privacy.tests.fingertip_privacy.planted_release import known_secrets, shared_planted
from tests.command_line import fingertip

TEXTS = ScanSettings(kinds=tuple(kind for kind in FindKind if kind not in ("face", "qr_code")), ocr="none")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_planted(tmp_path_factory)


@pytest.fixture(scope="module")
def small(planted: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """First episode of a person: few screens, because OCR takes a quarter of a second for each."""
    raw = tmp_path_factory.mktemp("small") / "raw"
    user = sorted((planted / "raw").iterdir())[0]
    for episode in sorted(user.iterdir())[:1]:
        shutil.copytree(episode, raw / user.name / episode.name)
    return raw


def secrets_in(raw: Path, planted: Path) -> list[KnownSecret]:
    return [one for one in known_secrets(planted) if (raw / one.file).is_file()]


def test_planted_values_are_found_in_pixels_and_texts(small: Path, planted: Path, tmp_path: Path) -> None:
    record = scan(small, tmp_path / "report")
    assert record.screenshots == len(list(small.rglob("*.jpg")))
    assert record.problems == ()
    secrets = secrets_in(small, planted)
    episodes = {one.episode: str(Path(one.file).parent).removesuffix("/Screenshots") for one in secrets}
    neutral = {
        name: frozenset(find_secrets_of_episode(small, folder).neutral)
        for name, folder in episodes.items()
        if name
    }
    cells = score_scan(read_finds(tmp_path / "report"), secrets, neutral)
    assert sum(cell.secrets for cell in cells.values()) > 10
    missed = [value for cell in cells.values() for value in cell.missed]
    assert len(missed) <= 2, missed
    assert {place for _, place in cells} >= {FindPlace.SCREENSHOT, FindPlace.TREE, FindPlace.INTENT}
    assert not (tmp_path / "report" / STAGING).exists()


def test_parts_of_a_scan_make_the_report_of_the_whole(
    planted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fingertip_privacy.scan.scan.EPISODES_AT_ONCE", 3)
    raw, tables = planted / "raw", planted / "tables"
    assert scan(raw, tmp_path / "parts", TEXTS, tables=tables, part=(1, 2)) is None
    (tmp_path / "parts" / STAGING / "killed.tmp").touch()
    assert scan(raw, tmp_path / "parts", TEXTS, tables=tables, part=(2, 2)) is not None
    assert scan(raw, tmp_path / "whole", TEXTS, tables=tables) is not None
    whole = [find.id for find in read_finds(tmp_path / "whole")]
    assert whole == [find.id for find in read_finds(tmp_path / "parts")]
    assert {find.place for find in read_finds(tmp_path / "whole")} >= {FindPlace.INDEX, FindPlace.SURVEY}


def test_a_finished_report_is_printed_again_and_kept_from_other_scans(planted: Path, tmp_path: Path) -> None:
    report = tmp_path / "report"
    first = scan(planted / "raw", report, TEXTS)
    assert scan(planted / "raw", report, TEXTS) == first == read_report(report)
    with pytest.raises(UsageError, match="other settings"):
        scan(planted / "raw", report, TEXTS.model_copy(update={"least_confidence": 0.9}))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").touch()
    with pytest.raises(UsageError, match=r"notes\.txt"):
        scan(planted / "raw", tmp_path / "full", TEXTS)


def test_a_missing_package_is_named_with_its_extra(planted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fingertip_privacy.scan.scan.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"faster-paddle .*fingertip-20k\[privacy\]"):
        scan(planted / "raw", None)


def test_a_dataset_is_scanned_by_row(planted: Path, tmp_path: Path) -> None:
    build(planted / "raw", tmp_path / "built", tables=planted / "tables")
    record = scan(tmp_path / "built", tmp_path / "report", TEXTS)
    kept = BuiltDataset.open(tmp_path / "built").manifest.episodes.kept
    # an episode of both tests is counted once
    assert (record.source_kind, record.episodes) == ("dataset", kept)
    finds = list(read_finds(tmp_path / "report"))
    typed = {one.value for one in known_secrets(planted) if one.place is FindPlace.TYPED_TEXT and one.planted}
    assert typed <= {find.text for find in finds if find.place is FindPlace.TYPED_TEXT}
    assert {find.file.partition("/")[0] for find in finds} == {"data", "moments", "simulations.jsonl"}
    assert any(find.field.startswith("previous_intents.") for find in finds)


def test_bad_files_are_problems_of_one_line_each(small: Path, tmp_path: Path) -> None:
    raw = shutil.copytree(small, tmp_path / "raw")
    first, second = sorted(raw.rglob("*.jpg"))[:2]
    first.write_bytes(b"no picture")
    data = second.read_bytes()
    second.write_bytes(data[:200] + bytes(len(data) - 202) + b"\xff\xd9")
    tree, bare = sorted(raw.rglob("*.xml"))[:2]
    tree.write_text("<hierarchy><node", encoding="utf-8")
    bare.write_text('<hierarchy><node text="13912345678"/></hierarchy>', encoding="utf-8")
    (raw / next(raw.iterdir()).name / "20250303_000000").mkdir()
    settings = TEXTS.model_copy(update={"kinds": (FindKind.PHONE, FindKind.QR_CODE)})
    record = scan(raw, tmp_path / "report", settings)
    details = {problem.file: problem.detail for problem in record.problems}
    assert "not scanned" in details[first.relative_to(raw).as_posix()]
    assert "not scanned" in details[second.relative_to(raw).as_posix()]
    assert "scanned without boxes" in details[tree.relative_to(raw).as_posix()]
    assert "no bounds" in details[bare.relative_to(raw).as_posix()]
    (find,) = [find for find in read_finds(tmp_path / "report") if find.file.endswith(bare.name)]
    assert (find.field, find.box, find.text) == ("0@text", None, "13912345678")


def test_the_command_prints_counts_and_keeps_the_report_private(planted: Path, tmp_path: Path) -> None:
    call = ("privacy", "scan", planted / "raw", "--tables", planted / "tables", "--ocr", "none")
    call = (*call, "--without", "face,qr_code", "--out", tmp_path / "report")
    done = fingertip(*call)
    assert (done.returncode, "resident id" in done.stdout) == (0, True)
    assert "as private as the data" in done.stderr
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in (tmp_path / "report").iterdir())
    again = fingertip(*call, "--json", "--fail-on", "bank_card")
    assert again.returncode == 1
    assert json.loads(again.stdout)["counts"]["bank_card"]
    wrong = fingertip(*call, "--kind", "fax")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    nothing = fingertip("privacy", "scan", tmp_path / "none")
    assert (nothing.returncode, nothing.stderr.count("\n")) == (2, 1)
