from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from fingertip_cli.main import cli
from tests.command_line import fingertip, list_ends
from tests.fixtures.drawn_sample import sample_release
from tests.shared_datasets import simulated_people

RAW, TABLES = str(sample_release() / "raw"), str(sample_release() / "tables")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def done(home: Path) -> subprocess.CompletedProcess[str]:
    return fingertip("build", RAW, "--tables", TABLES, "--out", "fingertip-20k", "--workers", "2", cwd=home)


def test_numbers_of_held_out_values_are_options(tmp_path: Path) -> None:
    counts = ("--unseen-users", "1", "--unseen-apps", "2", "--unseen-categories", "0")
    call = ["build", RAW, "--tables", TABLES, "--out", str(tmp_path / "out"), "--workers", "1", *counts]
    cli.main(call, standalone_mode=False)
    subsets = json.loads((tmp_path / "out" / "subsets.json").read_text(encoding="utf-8"))["subsets"]
    assert [len(subset["held_out"]) for subset in subsets.values()] == [1, 2, 0]


def test_the_result_and_the_loading_call_are_printed(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "fingertip-20k: 48 episodes kept of 48 (sample)",
        "origin: drawn sample of made-up people, fingertip-20k; licence: apache-2.0",
        "  train                28",
        "  vali                  8",
        "  test_suggestion      12",
        "  test_execution        4",
        "problems: 5 of 5 kinds; fingertip check RAW lists them",
        'load_dataset("./fingertip-20k", split="train")',
    ]


def test_progress_is_plain_lines_on_stderr(done: subprocess.CompletedProcess[str]) -> None:
    assert list_ends(done.stderr) == ["folders 0/48", "folders 48/48", "shards 0/4", "shards 4/4"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((RAW,), "Missing option '--out'"),
        ((RAW, "--out", "x", "--shard", "0/2"), "expected i/n with i from 1 to n, got '0/2'"),
        ((RAW, "--out", "x", "--workers", "0"), "--workers"),
        ((RAW, "--out", "x", "--engine", "spark"), "'spark' is not one of"),
        (("nowhere", "--out", "x", "--workers", "1"), "expected the folder of a raw release"),
        ((RAW, "--out", "x", "--tables", "nowhere", "--workers", "1"), "nowhere"),
        ((RAW, "--out", f"{RAW}/out"), "lies in the raw release"),
    ],
)
def test_a_wrong_call_is_exit_2_and_one_line(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = fingertip("build", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_the_settings_are_in_the_manifest(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    how = ("--history", "strict", "--references", "lexical", "--skip-same-task", "--user-types", "age")
    own = ("--age-boundary", "65", "--seed", "4", "--workers", "1")
    made = fingertip("build", RAW, "--out", "out", *how, *own, cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["history"] == "strict"
    assert manifest["references"]["similarity"].startswith("lexical")
    assert manifest["references"]["skip_same_task"] is True
    assert "from 65 years" in manifest["user_types"]
    assert manifest["seed"] == 4


def test_tables_beside_the_raw_folders_are_named(tmp_path: Path) -> None:
    for command in (("build", RAW, "--out", tmp_path / "out", "--workers", "1"), ("check", RAW)):
        done = fingertip(*command)
        assert f"note: {TABLES} has index tables, and {RAW} is read without them: splits are" in done.stderr


def test_moments_are_counted_below_the_splits_of_episodes(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    people = simulated_people(tmp_path_factory) / "sample"
    call = ["build", str(people / "raw"), "--tables", str(people / "tables"), "--out", str(tmp_path / "out")]
    cli.main([*call, "--workers", "1"], standalone_mode=False)
    splits = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))["moments"]["splits"]
    printed = [line.split() for line in capsys.readouterr().out.splitlines() if "_moments  " in line]
    assert printed == [
        [split, str(counts["moments"]), str(counts["wanted"]), "with", "an", "intent"]
        for split, counts in splits.items()
    ]
    assert len(printed) == 3
