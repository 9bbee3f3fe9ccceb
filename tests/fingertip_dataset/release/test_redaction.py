"""What a redacted release states: in the release, in the dataset built of it, and in its card."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from fingertip_dataset.errors import ReleaseError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.build_plan import BuildConfig, BuildPlan
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.manifest import REDACTED_VERSION
from fingertip_dataset.release.checking import check_release
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.release.redaction import REDACTION_FILE, Redaction, read_redaction
from tests.fixtures.drawn_sample import sample_release

STATEMENT = Redaction(
    date="2026-11-23",
    by="fingertip-20k 0.1.0",
    scan={"rapidocr": "3.10.0"},
    finds={"name": 1234, "phone": 2},
    values={"name": 3, "phone": 1},
    confirmed=1000,
    undecided=236,
    rejected=7,
    added=0,
    screenshots=55,
    reencoded=0,
    texts=99,
    simulations_removed=0,
    left_out=0,
)


def redacted_copy(folder: Path) -> Path:
    raw = folder / "raw"
    shutil.copytree(sample_release() / "raw", raw)
    shutil.copytree(sample_release() / "tables", raw / "tables")
    (raw / REDACTION_FILE).write_text(STATEMENT.model_dump_json(), encoding="utf-8")
    return raw


def test_a_redacted_release_says_so_in_manifest_and_card_and_is_not_replaced(tmp_path: Path) -> None:
    raw, out = redacted_copy(tmp_path), tmp_path / "dataset"
    assert {problem.file for problem in check_release(raw).problems} == {
        problem.file
        for problem in check_release(sample_release() / "raw", sample_release() / "tables").problems
    }
    build(raw, out)
    built = BuiltDataset.open(out)
    assert built.manifest.redacted == STATEMENT
    assert built.manifest.version == REDACTED_VERSION
    card = (out / "README.md").read_text("utf-8")
    assert "**Redacted**" in card
    assert "| name | 1,234 | 3 |" in card
    assert "replaced by `fingertip privacy redact`" in (out / "croissant.json").read_text("utf-8")

    plain = sample_release()
    with pytest.raises(UsageError, match="holds a redacted dataset"):
        build(plain / "raw", out, tables=plain / "tables", overwrite=True)
    (out / "manifest.json").write_text('{"version": 4, "redacted": {}', "utf-8")
    with pytest.raises(UsageError, match="holds a redacted dataset"):
        build(plain / "raw", out, tables=plain / "tables", overwrite=True)


def test_the_plan_of_a_redacted_release_is_another_one(tmp_path: Path) -> None:
    raw = redacted_copy(tmp_path)
    release = read_release(raw)
    (raw / REDACTION_FILE).unlink()
    assert (
        BuildPlan(read_release(raw), BuildConfig()).fingerprint
        != BuildPlan(release, BuildConfig()).fingerprint
    )


@pytest.mark.parametrize("content", ["", "{}", "[1]", json.dumps({"version": 2})])
def test_a_damaged_statement_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / REDACTION_FILE).write_text(content, "utf-8")
    with pytest.raises(ReleaseError, match="the statement on redaction is not valid at"):
        read_redaction(tmp_path)
    assert read_redaction(tmp_path / "elsewhere") is None
