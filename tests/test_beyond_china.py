"""A small release in English and another time zone goes through every command."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fingertip_dataset import BuiltDataset
from fingertip_dataset.split_names import SPLITS
from tests.command_line import fingertip

ZONE = "America/New_York"


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample, its dataset and a run of each track."""
    folder = tmp_path_factory.mktemp("boston")
    people = ("--users", 2, "--episodes", 8, "--seed", 7, "--size", "360x800", "--workers", 1)
    run(folder, "sample", "people", *people, "--locale", "en", "--zone", ZONE)
    run(folder, "build", "people/raw", "--tables", "people/tables", "--out", "data")
    run(folder, "suggest", "data", "--agent", "habit", "--out", "habit")
    run(folder, "execute", "data", "--agent", "imitate", "--device", "simulated", "--out", "imitate")
    return folder


def run(folder: Path, *arguments: object) -> CompletedProcess[str]:
    done = fingertip(*arguments, cwd=folder)
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done


def test_local_times_places_and_words_of_the_release(work: Path) -> None:
    shown = run(work, "check", "people/raw", "--tables", "people/tables").stdout
    assert f"release.toml: Simulated people; language en; {ZONE}; 12 places" in shown
    dataset = BuiltDataset.open(work / "data")
    assert dataset.manifest.settings.time_zone == ZONE
    rows = [row for split in SPLITS for row in dataset.rows(split)]
    # clocks were set forward on 9 March 2025
    assert {row["time"].isoformat()[-6:] for row in rows} == {"-05:00", "-04:00"}
    assert all(row["episode_id"].endswith(row["time"].strftime("%Y%m%d_%H%M%S")) for row in rows)
    assert {row["scenario_category"] for row in rows} == {row["scenario"] for row in rows}
    assert min(row["time"].hour for row in rows) >= 5
    text = json.dumps([row["intent"] + row["scenario"] + row["user_profile"]["occupation"] for row in rows])
    assert text.isascii()
    setups = dataset.simulations().values()
    assert {setup["zone"] for setup in setups} == {ZONE}


def test_statistics_name_the_zone(work: Path) -> None:
    run(work, "stats", "data", "--out", "stats")
    notes = json.loads(run(work, "experiment", "figure-4", "data", "--out", "out", "--json").stdout)["notes"]
    assert any(f"hours are local time of {ZONE}" in note for note in notes)


def test_both_tracks_are_scored_and_reported(work: Path) -> None:
    scores = run(work, "score", "habit", "--embedder", "lexical", "--judge", "lexical", "--by", "scenario")
    assert "residence" in scores.stdout
    scores = run(work, "score", "habit", "--embedder", "lexical", "--judge", "simulated", "--json")
    assert json.loads(scores.stdout)
    for options in (("habit", "--embedder", "lexical"), ("imitate", "--out", "imitate.html")):
        run(work, "report", *options)
    assert "Success: 2 by rule" in run(work, "score", "imitate").stdout


def test_an_agent_is_prompted_in_english_with_local_time(work: Path) -> None:
    run(work, "export", "data", "--track", "joint", "--format", "trl", "--out", "export")
    rows = (work / "export" / "train.jsonl").read_text("utf-8")
    assert "Owner of the phone" in rows
    assert "手机主人" not in rows
    dataset = BuiltDataset.open(work / "data")
    first = next(dataset.rows("train"))
    assert f"{first['time']:%Y-%m-%d %H:%M:%S}" in rows


def test_quality_and_inferred_intents(work: Path) -> None:
    run(work, "quality", "data", "--out", "quality")
    run(work, "infer-intents", "data", "--out", "inferred.jsonl")
    inferred = ("--history-intents", "inferred", "--inferred", "inferred.jsonl")
    run(work, "suggest", "data", "--agent", "recent", *inferred, "--out", "inferred")


def test_a_bundle_is_submitted_and_verified(work: Path) -> None:
    who = ("--name", "imitate", "--contact", "https://example.org", "--out", "bundle")
    run(work, "submit", "imitate", *who)
    (bundle,) = (work / "bundle").iterdir()
    shown = run(work, "verify", bundle, "--dataset", "data").stdout
    assert f"{bundle}: accepted" in shown


def test_a_scanned_and_redacted_release_keeps_its_settings(work: Path) -> None:
    kinds = ("--kind", "phone,email", "--ocr", "none", "--workers", 1)
    run(work, "privacy", "scan", "people/raw", "--tables", "people/tables", "--out", "report", *kinds)
    (work / "key").write_bytes(bytes(range(32)))
    redact = ("--report", "report", "--out", "redacted", "--key-file", "key", "--undecided", "redact")
    run(work, "privacy", "redact", "people/raw", "--tables", "people/tables", *redact)
    stated = (work / "redacted" / "release.toml").read_text()
    assert stated == (work / "people" / "raw" / "release.toml").read_text()
