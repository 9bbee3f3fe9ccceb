from __future__ import annotations

import subprocess
from pathlib import Path

from tests.command_line import fingertip, list_ends


def sample(*options: str) -> subprocess.CompletedProcess[str]:
    return fingertip("sample", *options)


def test_a_sample_is_written_and_marked_as_simulated(tmp_path: Path) -> None:
    out = tmp_path / "release"
    options = ("--users", "2", "--episodes", "4", "--seed", "3", "--size", "320x640")
    made = sample(str(out), *options)
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith(f"{out}: 8 episodes of 2 users, ")
    assert "steps (simulated)\n" in made.stdout
    assert list_ends(made.stderr) == ["users 0/2", "users 2/2"]
    assert len(list((out / "raw").glob("*/*/action.jsonl"))) == 8
    assert sorted(path.name for path in (out / "tables").iterdir()) == [
        "test_execution.csv",
        "test_suggestion.csv",
        "total.csv",
        "train_set.csv",
        "user_profile.csv",
    ]
    again = sample(str(out), *options)
    assert again.returncode == 2
    assert again.stderr.startswith(
        f"fingertip: the folder is not empty: give a new or an empty one (file {out}"
    )
    assert again.stderr.count("\n") == 1


def test_a_preset_says_what_is_simulated(tmp_path: Path) -> None:
    made = sample(str(tmp_path / "out"), "--preset", "fingertip-sim", "--users", "2")
    assert made.returncode == 2
    assert made.stderr == ("fingertip: --preset fingertip-sim takes no --users: it says what is simulated\n")
    assert not (tmp_path / "out").exists()


def test_a_wrong_size_is_one_line(tmp_path: Path) -> None:
    for size, words in (
        ("big", "expected --size as WIDTHxHEIGHT, each 10 to 9999 px, got 'big'"),
        ("100000x1", "each 10 to 9999 px, got '100000x1'"),
        ("2400x1080", "upright"),
    ):
        made = sample(str(tmp_path / "out"), "--size", size)
        assert made.returncode == 2
        assert words in made.stderr
        assert made.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
