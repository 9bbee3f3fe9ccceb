"""Commands in a job of a cluster: no terminal, the C locale, no TERM, a home that cannot be written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import command_line

LINES = 9
"""Most lines that a short command may log."""


def run_as_job(folder: Path, *words: object, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command with the variables of a job and nothing else; `more` are further ones."""
    # nobody, root neither, can make a folder in a file
    home = folder / "home"
    home.touch()
    search_path = ":".join(str(part) for part in sys.path if part)
    environment = {"HOME": str(home / "user"), "LC_ALL": "C", "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, "-m", "fingertip_cli", *map(str, words)],
        cwd=folder,
        env={**environment, "PYTHONPATH": search_path, **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=300,
    )


def test_the_log_of_a_job_has_the_first_and_the_last_count(people: Path, tmp_path: Path) -> None:
    done = run_as_job(tmp_path, "suggest", people, "--agent", "habit", "--out", "run")
    listed = command_line.fingertip("tasks", people, "--split", "test_suggestion", "--json")
    tasks = len(json.loads(listed.stdout)["tasks"])
    assert done.returncode == 0
    assert command_line.list_ends(done.stderr.decode("ascii")) == [
        f"tasks answered 0/{tasks}",
        f"tasks answered {tasks}/{tasks}",
    ]
    assert done.stdout.decode("ascii").splitlines()[-1] == "next: fingertip score run"


def test_chinese_text_is_written_as_utf_8_in_the_c_locale(people: Path, tmp_path: Path) -> None:
    done = run_as_job(tmp_path, "tasks", people)
    assert (done.returncode, done.stderr) == (0, b"")
    here = command_line.fingertip("tasks", people).stdout
    assert done.stdout.decode("utf-8").split() == here.split()
    assert any("\u4e00" <= letter <= "\u9fff" for letter in here)


def test_an_encoding_without_chinese_shows_escapes(people: Path, tmp_path: Path) -> None:
    done = run_as_job(tmp_path, "tasks", people, PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u" in done.stdout
    assert b"?" * 4 not in done.stdout


@pytest.mark.install
def test_caches_that_cannot_be_written_are_named_in_at_most_one_line(people: Path, tmp_path: Path) -> None:
    """The libraries behind these commands keep caches in the home: fonts, models, verified bundles."""
    calls = (
        ("stats", people, "--out", "stats"),
        ("suggest", people, "--agent", "habit", "--out", "habit"),
        ("score", "habit", "--embedder", "lexical"),
        ("execute", people, "--agent", "imitate", "--device", "simulated", "--out", "imitate"),
        ("report", "imitate", "--out", "page.html"),
        ("submit", "habit", "--embedder", "lexical", "--name", "a", "--contact", "a@example.org",
         "--out", "bundles"),
        ("verify", "bundles/habit", "--dataset", people),
        ("leaderboard", "bundles", "--dataset", people, "--verify-only"),
    )  # fmt: skip
    for words in calls:
        done = run_as_job(tmp_path, *words)
        log = done.stderr.decode()
        assert done.returncode == 0, (words, log)
        assert log.count(str(tmp_path / "home")) <= 1
        assert "Traceback" not in log
        assert len(log.splitlines()) <= LINES, log
