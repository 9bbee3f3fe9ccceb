"""A redacted copy of a planted release and of its dataset: nothing known is left, all else is as it was."""

from __future__ import annotations

import hashlib
import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from fingertip_dataset.errors import FingerTipError, UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.checking import check_release
from fingertip_dataset.release.read_release import read_release
from fingertip_privacy.find_decisions import DECISIONS
from fingertip_privacy.finds import FindKind, FindPlace, read_finds
from fingertip_privacy.planted.known_secrets import KnownSecret
from fingertip_privacy.redaction.redact import RedactionSettings, redact
from privacy.tests.fingertip_privacy.planted_release import (
    known_secrets,
    perfect_finds,
    shared_planted,
    write_perfect_report,
)

TEXTS = (".xml", ".jsonl", ".json", ".csv", ".md")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_planted(tmp_path_factory)


@pytest.fixture(scope="module")
def redacted(planted: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The redacted release, made once; the original is compared before and after."""
    before = hashes(planted)
    out = tmp_path_factory.mktemp("redacted") / "raw"
    assert redact(planted / "raw", out, planted / "report", settings(planted)) is not None
    assert hashes(planted) == before
    return out


def settings(planted: Path, **changes: object) -> RedactionSettings:
    key = planted.parent / "key"
    key.write_bytes(b"a key of the tests, 32 bytes long")
    return RedactionSettings(**({"tables": planted / "tables", "key_file": key} | changes))  # type: ignore[arg-type]


def hashes(folder: Path) -> dict[str, str]:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def left_over(folder: Path, known: tuple[KnownSecret, ...]) -> set[tuple[str, str]]:
    """Known values that a text of their person still has, with the file."""
    found = set()
    for file in folder.rglob("*"):
        if file.suffix not in TEXTS:
            continue
        name, text = str(file.relative_to(folder)), file.read_text("utf-8-sig")
        for one in known:
            of_all = not name.split("/")[0].isdecimal()
            if len(one.value) > 1 and (of_all or name.startswith(f"{one.user}/")) and one.value in text:
                found.add((one.value, name))
    return found


def test_no_known_value_is_left_in_any_text(planted: Path, redacted: Path) -> None:
    known = known_secrets(planted)
    assert len({one.value for one in known}) > 40
    assert left_over(planted / "raw", known)
    assert left_over(redacted, known) == set()


def test_the_copy_is_a_release_without_problems_that_says_what_it_is(planted: Path, redacted: Path) -> None:
    check = check_release(redacted)
    assert (check.kept, check.given, check.problems) == (8, 8, ())
    statement = read_release(redacted).redaction
    assert statement.undecided == statement.total == len(list(read_finds(planted / "report")))
    assert statement.screenshots > 8
    assert statement.values["name"] > 2


def test_screens_without_a_find_keep_their_bytes_and_others_change(planted: Path, redacted: Path) -> None:
    shown = {one.file for one in known_secrets(planted) if one.place is FindPlace.SCREENSHOT}
    old, new = hashes(planted / "raw"), hashes(redacted)
    pictures = {name for name in old if name.endswith(".jpg")}
    changed = {name for name in pictures if old[name] != new[name]}
    assert pictures <= set(new)
    assert {one for one in shown if old[one] == new[one]} == set()
    painted = {
        line.split(",")[0]
        for line in (redacted / "redaction_changes.csv").read_text("utf-8").splitlines()[1:]
        if ",screenshot," in line
    }
    assert changed == painted
    assert len(changed) < len(pictures)


def test_one_value_of_a_person_is_one_pseudonym_everywhere(planted: Path, redacted: Path) -> None:
    """Intents in surveys and tables, contents of actions and trees agree after redaction as before."""
    for episode in read_release(redacted, None).episodes:
        survey = json.loads((redacted / episode.folder / "survey_result.json").read_text("utf-8"))
        assert survey["intentDescription"] == episode.intent.text
    old = {one.episode_id: one for one in read_release(planted / "raw", planted / "tables").episodes}
    pairs: dict[tuple[str, str], set[str]] = {}
    for episode in read_release(redacted).episodes:
        for before, after in zip(old[episode.episode_id].steps, episode.steps, strict=True):
            one, other = getattr(before.action, "content", None), getattr(after.action, "content", None)
            if one:
                pairs.setdefault((episode.intent.user_id, one), set()).add(other)
                assert len(one) == len(other)
    assert all(len(found) == 1 for found in pairs.values())
    assert any(old not in new for (_, old), new in pairs.items())


@pytest.mark.soak
def test_workers_and_parts_make_the_same_files(planted: Path, redacted: Path, tmp_path: Path) -> None:
    out = tmp_path / "parts"
    first = settings(planted, part=(2, 2))
    assert redact(planted / "raw", out, planted / "report", first) is None
    assert not out.exists()
    assert redact(planted / "raw", out, planted / "report", settings(planted, part=(1, 2), workers=2))
    assert hashes(out) == hashes(redacted)
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]


@pytest.mark.soak
def test_a_killed_redaction_leaves_no_copy_and_goes_on_with_the_same_pseudonyms(
    planted: Path, tmp_path: Path
) -> None:
    out, partial = tmp_path / "out", tmp_path / "out.partial"
    call = [
        *(sys.executable, "-c", "from fingertip_cli.main import main; main()", "privacy", "redact"),
        *(str(planted / "raw"), "--tables", str(planted / "tables"), "--report", str(planted / "report")),
        *("--out", str(out), "--workers", "1"),
    ]
    process = subprocess.Popen(call, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        while process.poll() is None and not any(partial.glob(".redaction-*/records/*.json")):
            time.sleep(0.005)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert not out.exists()
    key = (partial / ".key").read_bytes()
    assert (partial / ".key").stat().st_mode & 0o077 == 0
    made = {file: file.stat().st_ino for file in partial.glob(".redaction-*/out/*/*/action.jsonl")}
    assert made
    assert not list(partial.rglob("redaction.json"))
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    assert "finds redacted" in done.stdout
    inodes = {file.stat().st_ino for file in out.glob("*/*/action.jsonl")}
    assert len(inodes & set(made.values())) >= len(made) - 1
    assert not partial.exists()
    assert left_over(out, known_secrets(planted)) == set()
    given = tmp_path / "key"
    given.write_bytes(key)
    if key == key.strip():
        again = settings(planted, key_file=given)
        redact(planted / "raw", tmp_path / "again", planted / "report", again)
        assert hashes(tmp_path / "again") == hashes(out)


def test_what_people_reject_stays_and_what_they_add_goes(planted: Path, tmp_path: Path) -> None:
    report = tmp_path / "report"
    shutil.copytree(planted / "report", report)
    finds = list(read_finds(report))
    kept = next(find for find in finds if find.kind == "email" and find.place is FindPlace.INTENT)
    added = kept.model_copy(
        update={
            "id": "added",
            "kind": FindKind.ACCOUNT,
            "text": "住所",
            "why": "added by a",
            "episode": kept.episode,
        }
    )
    lines = [
        {"find": find.id, "decision": "reject", "rater": "a", "time": "2026-11-23T10:00:00+08:00"}
        for find in finds
        if find.text == kept.text
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines) + added.model_dump_json() + "\n"
    (report / DECISIONS).write_text(text, "utf-8")
    statement = redact(planted / "raw", tmp_path / "out", report, settings(planted))
    assert (statement.rejected, statement.added) == (len(lines), 1)
    (survey,) = (tmp_path / "out").glob(f"*/{(kept.episode or '').partition('__')[2]}/survey_result.json")
    assert kept.text in survey.read_text("utf-8")
    assert not [
        file for file in (tmp_path / "out" / kept.user).rglob("*.jsonl") if "住所" in file.read_text("utf-8")
    ]
    only = settings(planted, undecided="keep")
    assert redact(planted / "raw", tmp_path / "only", report, only).finds == {"account": 1}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("again", "were redacted on .* already: give the original"),
        ("taken", "the output exists"),
        ("inside", "lie in each other"),
        ("changed", "repeat `fingertip privacy scan`"),
        ("no report", "the report cannot be read"),
        ("short key", "expected a key of at least 16 bytes, got 3"),
        ("picture", "a picture cannot be read.*--drop-unreadable"),
    ],
)
def test_refusals_are_one_line_and_leave_nothing(
    planted: Path, redacted: Path, tmp_path: Path, case: str, message: str
) -> None:
    raw, out, report, chosen = planted / "raw", tmp_path / "out", planted / "report", settings(planted)
    if case == "again":
        raw = redacted
    elif case == "taken":
        out.mkdir()
        (out / "x").write_text("")
    elif case == "inside":
        out = raw / "out"
    elif case == "no report":
        report = tmp_path
    elif case == "short key":
        (tmp_path / "key").write_text("abc")
        chosen = settings(planted, key_file=tmp_path / "key")
    elif case in ("changed", "picture"):
        shutil.copytree(planted, tmp_path / "copy")
        raw, chosen = tmp_path / "copy" / "raw", settings(tmp_path / "copy")
        picture = next(raw.rglob("*.jpg"))
        picture.write_bytes(picture.read_bytes()[:500])
        if case == "picture":
            report = tmp_path / "report"
            finds = list(read_finds(planted / "report"))
            write_perfect_report(report, raw, finds, tmp_path / "copy" / "tables")
    with pytest.raises(FingerTipError, match=message) as error:
        redact(raw, out, report, chosen)
    assert "\n" not in str(error.value)
    assert not (out / "redaction.json").exists()
    if case == "picture":
        statement = redact(raw, out, report, settings(tmp_path / "copy", drop_unreadable=True))
        assert statement.left_out == 1


@pytest.fixture(scope="module")
def dataset(planted: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The unredacted dataset with its report, and its redacted copy."""
    folder = tmp_path_factory.mktemp("dataset")
    build(planted / "raw", folder / "plain", tables=planted / "tables")
    finds = perfect_finds(known_secrets(planted))
    write_perfect_report(folder / "report", folder / "plain", finds)
    assert redact(folder / "plain", folder / "redacted", folder / "report", settings(planted)) is not None
    return folder / "plain", folder / "redacted"


def test_a_built_dataset_is_redacted_in_every_column(
    planted: Path, redacted: Path, dataset: tuple[Path, Path]
) -> None:
    built = BuiltDataset.open(dataset[1])
    built.verify()
    assert built.manifest.redacted is not None
    assert "**Redacted**" in (dataset[1] / "README.md").read_text("utf-8")
    known = known_secrets(planted)
    for shard in built.manifest.shards:
        for row in (
            pq.read_table(dataset[1] / shard.file)
            .drop_columns(["screenshots"] if shard.config == "default" else [])
            .to_pylist()
        ):
            text = json.dumps(row, ensure_ascii=False, default=str)
            own = {one.value for one in known if one.user == row["user_id"] and len(one.value) > 1}
            assert not {value for value in own if value in text}
    assert left_over(dataset[1], known) == set()


def test_a_redacted_dataset_has_the_pixels_and_actions_of_the_redacted_release(
    redacted: Path, dataset: tuple[Path, Path], tmp_path: Path
) -> None:
    """Both ways with one key: redact and build, build and redact."""
    build(redacted, tmp_path / "built")
    one, other = BuiltDataset.open(tmp_path / "built"), BuiltDataset.open(dataset[1])
    for split in ("train", "test_execution"):
        for mine, theirs in zip(
            one.rows(split, config="default"), other.rows(split, config="default"), strict=True
        ):
            for name in ("actions", "intent", "scenario", "accessibility_trees", "screenshots"):
                assert mine[name] == theirs[name], name


def test_an_unredacted_build_never_replaces_a_redacted_dataset(
    planted: Path, dataset: tuple[Path, Path]
) -> None:
    with pytest.raises(UsageError, match="holds a redacted dataset"):
        build(planted / "raw", dataset[1], tables=planted / "tables", overwrite=True)
    with pytest.raises(UsageError, match="were redacted on"):
        redact(dataset[1], dataset[1].with_name("twice"), dataset[1].with_name("report"))
