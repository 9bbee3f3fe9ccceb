"""Private parts of moments are found, shown in review, and gone from the redacted release and dataset."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.checking import check_release
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.split_names import MOMENT_SPLITS
from fingertip_privacy.find_context import open_reviewed_data
from fingertip_privacy.finds import Find, FindKind, FindPlace, make_find, read_finds, read_report
from fingertip_privacy.inspection.inspected_screens import read_inspected_episodes
from fingertip_privacy.redaction.redact import RedactionSettings, redact
from fingertip_privacy.review.unfound_screens import unfound_screens
from fingertip_privacy.scan.scan import scan
from fingertip_privacy.scan.scan_settings import ScanSettings
from fingertip_recorder import SampleOrder, write_sample
from privacy.tests.fingertip_privacy.planted_release import write_perfect_report
from tests.shared_datasets import shared_folder

PHONE, MAIL, CARD = "13812345678", "li.wei@example.com", "6222021234567890128"
BOX = (40, 60, 200, 120)
OUTSIDE = (0, 300, 270, 600)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of one person whose first moment shows a phone number, and whose list holds a mailbox."""

    def make(folder: Path) -> None:
        write_sample(SampleOrder(out=folder, users=1, episodes=3, seed=5, size=(270, 600)))
        person = next((folder / "raw").glob("*/moments.jsonl")).parent
        lines = (person / "moments.jsonl").read_text("utf-8").splitlines()
        first = json.loads(lines[1])
        lines[1] = json.dumps(first | {"scenario": f"{first['scenario']} {MAIL}"}, ensure_ascii=False)
        lines.append(f"a line that is no JSON, of {MAIL}")
        (person / "moments.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        tree = person / "moments" / f"{first['time']}.xml"
        tree.write_text(tree.read_text("utf-8").replace('text="', f'text="{PHONE} ', 1), "utf-8")
        (person / "moments" / f"card_{CARD}.xml").write_text("<hierarchy/>", "utf-8")
        picture = tree.with_suffix(".jpg")
        exif = Image.Exif()
        exif[0x010E] = f"photo of {PHONE}"
        picture.write_bytes(with_metadata(picture.read_bytes(), exif))

    return shared_folder(tmp_path_factory, "private-moments", make)


def with_metadata(data: bytes, exif: Image.Exif) -> bytes:
    out = io.BytesIO()
    Image.open(io.BytesIO(data)).save(out, "JPEG", quality=92, exif=exif)
    return out.getvalue()


@pytest.fixture(scope="module")
def report(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "report"
    assert scan(plain / "raw", folder, SETTINGS) is not None
    return folder


SETTINGS = ScanSettings(kinds=(FindKind.PHONE, FindKind.EMAIL, FindKind.BANK_CARD), ocr="none")


def of_moments(report: Path) -> list[Find]:
    return [find for find in read_finds(report) if "moments" in find.file]


def first_moment(raw: Path) -> str:
    return read_release(raw).moments[0].screenshot or ""


def test_a_scan_reads_lists_trees_and_names_of_moments_and_counts_them(plain: Path, report: Path) -> None:
    found = {(find.text, find.place, find.field.partition("@")[0]) for find in of_moments(report)}
    assert (MAIL, FindPlace.SURVEY, "line 2") in found
    assert any(text == MAIL and line not in ("line 2",) for text, _, line in found)
    assert any(text == PHONE and place is FindPlace.TREE for text, place, _ in found)
    assert any(text == CARD and place is FindPlace.INDEX for text, place, _ in found)
    record = read_report(report)
    moments = read_release(plain / "raw").moments
    assert (record.episodes, record.moments) == (3, len(moments))
    pictures = list(read_inspected_episodes(plain / "raw", "raw")[1])
    assert {moment.moment_id for moment in moments} <= {one.episode for one in pictures if one.screens}


def test_a_review_shows_the_text_and_the_picture_of_a_find(plain: Path, report: Path) -> None:
    data = open_reviewed_data(plain / "raw", "raw")
    for find in of_moments(report):
        if find.place is FindPlace.SURVEY:
            assert find.text in (data.field_text(find) or "")
        if find.text == PHONE:
            shown = data.picture(find)
            assert shown is not None
            assert shown.file == first_moment(plain / "raw")
    looked = {screen.file for screen in unfound_screens(report, plain / "raw", "raw", 500)}
    assert sum("/moments/" in file for file in looked) == len(read_release(plain / "raw").moments) - 1


def with_box(plain: Path, report: Path, file: str) -> list[Find]:
    """The finds of the report, and a box in the picture of the first moment."""
    moment = read_release(plain / "raw").moments[0]
    painted = make_find(
        kind=FindKind.PHONE,
        user=moment.at.user_id,
        episode=moment.moment_id,
        step=0,
        place=FindPlace.SCREENSHOT,
        file=file,
        field="",
        start=None,
        end=None,
        box=BOX,
        text=PHONE,
        confidence=1.0,
        why="known",
    )
    return [*read_finds(report), painted]


@pytest.fixture(scope="module")
def redacted(plain: Path, report: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("redacted")
    finds = with_box(plain, report, first_moment(plain / "raw"))
    write_perfect_report(folder / "report", plain / "raw", finds)
    assert redact(plain / "raw", folder / "raw", folder / "report", RedactionSettings()) is not None
    return folder / "raw"


def crop(picture: Path, box: tuple[int, int, int, int]) -> bytes:
    return Image.open(picture).convert("RGB").crop(box).tobytes()


def read_all(folder: Path) -> bytes:
    return b"".join(
        str(file.relative_to(folder)).encode() + file.read_bytes() for file in folder.rglob("*.*")
    )


def test_a_redacted_release_has_every_moment_and_no_value(plain: Path, redacted: Path) -> None:
    old, new = read_release(plain / "raw").moments, read_release(redacted).moments
    assert [one.moment_id for one in new] == [one.moment_id for one in old]
    assert [(one.kind, one.odds, one.tree, one.screenshot) for one in new] == [
        (one.kind, one.odds, one.tree, one.screenshot) for one in old
    ]
    names = ["unreadable_moments", "missing_screenshot", "missing_tree"]
    assert not [problem for problem in check_release(redacted).problems if problem.kind.value in names]
    content = read_all(redacted)
    assert not [value for value in (PHONE, MAIL, CARD) if value.encode() in content]
    first = first_moment(plain / "raw")
    assert crop(redacted / first, BOX) != crop(plain / "raw" / first, BOX)
    assert crop(redacted / first, OUTSIDE) == crop(plain / "raw" / first, OUTSIDE)
    others = [one.screenshot or "" for one in old[1:]]
    assert all((redacted / name).read_bytes() == (plain / "raw" / name).read_bytes() for name in others)
    changed = (redacted / "redaction_changes.csv").read_text("utf-8")
    assert {line.split(",")[2] for line in changed.splitlines() if "/moments" in line} >= {
        "moments",
        "screenshot",
        "tree",
    }


def test_an_unreadable_picture_of_a_moment_stops_a_redaction_unless_it_is_dropped(
    plain: Path, report: Path, tmp_path: Path
) -> None:
    raw = tmp_path / "raw"
    shutil.copytree(plain / "raw", raw)
    first = raw / first_moment(raw)
    first.write_bytes(b"no picture")
    write_perfect_report(tmp_path / "report", raw, [])
    with pytest.raises(UsageError, match="--drop-unreadable") as caught:
        redact(raw, tmp_path / "out", tmp_path / "report", RedactionSettings())
    assert "moments" in str(caught.value)
    statement = redact(raw, tmp_path / "out", tmp_path / "report", RedactionSettings(drop_unreadable=True))
    assert statement is not None
    assert statement.left_out == 1
    assert not (tmp_path / "out" / first.relative_to(raw)).exists()


def test_build_drops_metadata_and_a_dataset_is_redacted_with_its_moments(plain: Path, tmp_path: Path) -> None:
    build(plain / "raw", tmp_path / "built")
    built = BuiltDataset.open(tmp_path / "built")
    rows = [row for split in MOMENT_SPLITS for row in built.rows(split, config="moments")]
    assert all(b"Exif" not in row["screenshots"][0]["bytes"] for row in rows)
    record = scan(tmp_path / "built", tmp_path / "report", SETTINGS)
    assert record is not None
    assert record.moments == len(rows)
    finds = of_moments(tmp_path / "report")
    assert {find.text for find in finds} == {PHONE, MAIL}
    data = open_reviewed_data(tmp_path / "built", "dataset")
    assert all(data.field_text(find) for find in finds if find.place is FindPlace.SURVEY)
    assert all(data.picture(find) for find in finds if find.place is FindPlace.TREE)
    assert redact(tmp_path / "built", tmp_path / "out", tmp_path / "report", RedactionSettings()) is not None
    new = BuiltDataset.open(tmp_path / "out")
    new.verify()
    assert new.has_moments
    after = [row for split in MOMENT_SPLITS for row in new.rows(split, config="moments")]
    assert [row["episode_id"] for row in after] == [row["episode_id"] for row in rows]
    text = json.dumps([{**row, "screenshots": None} for row in after], default=str, ensure_ascii=False)
    assert not [value for value in (PHONE, MAIL) if value in text]
    assert new.require_moments().data_sha256 != built.require_moments().data_sha256
