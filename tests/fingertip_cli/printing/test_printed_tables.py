"""Tests of what commands print as tables: on real terminals, and that each printed table is checked."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from rich.table import Table

from fingertip_cli.printing.table_console import TableConsole
from tests.checked_tables import check_table
from tests.command_line import fingertip
from tests.shared_datasets import built_sample
from tests.test_architecture import ROOT, SOURCES

CHECKED = {
    "board/fingertip_leaderboard/commands/benchmark_outcome.py": "board/tests/.../commands/test_benchmark.py",
    "board/fingertip_leaderboard/commands/submit.py": "board/tests/.../commands/test_submit.py",
    "board/fingertip_leaderboard/commands/verify.py": "board/tests/.../commands/test_verify.py",
    "fingertip_cli/data/check.py": "here",
    "fingertip_cli/data/stats.py": "tests/fingertip_cli/data/test_stats.py",
    "fingertip_cli/lists/agents.py": "here",
    "fingertip_cli/lists/devices.py": "here",
    "fingertip_cli/lists/faults.py": "here",
    "fingertip_cli/lists/paper.py": "here",
    "fingertip_cli/scores/score.py": "here",
    "fingertip_cli/scores/score_moments.py": "tests/fingertip_cli/scores/test_score_moments.py",
    "fingertip_cli/scores/score_csv.py": "tests/fingertip_cli/scores/test_score_csv.py",
    "privacy/fingertip_privacy/commands/privacy_redact.py": "privacy/tests/.../commands",
    "privacy/fingertip_privacy/commands/privacy_scan.py": "privacy/tests/.../commands",
    "studies/fingertip_studies/commands/assist.py": "studies/tests/.../commands/test_assist.py",
    "studies/fingertip_studies/commands/experiment_output.py": "studies/tests/.../experiments",
    "studies/fingertip_studies/commands/quality.py": "studies/tests/.../commands/test_quality.py",
}
"""Module that prints tables -> the test that runs its command, whose tables `check_printed_tables` checks."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's dataset, and runs of both tracks with long names."""
    folder = tmp_path_factory.mktemp("sample")
    dataset = folder / "data"
    dataset.symlink_to(built_sample(tmp_path_factory))
    for words in (
        (
            "execute",
            dataset,
            "--agent",
            "imitate",
            "--device",
            "replay",
            "--out",
            folder / "execution-imitate",
        ),
        ("execute", dataset, "--agent", "random", "--device", "replay", "--out", folder / "random-touches"),
        ("suggest", dataset, "--agent", "habit", "--out", folder / "suggestion-habit"),
    ):
        done = fingertip(*words)
        assert done.returncode == 0, done.stderr
    return folder


def read_terminal(words: list[str], width: int) -> str:
    """Run a command on a terminal of this width, and return what it shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    program = [sys.executable, "-m", "fingertip_cli", *words]
    with subprocess.Popen(program, stdin=theirs, stdout=theirs, stderr=theirs, env=kept | {"TERM": "xterm"}):
        os.close(theirs)
        shown = b""
        with open(ours, "rb", buffering=0) as terminal:  # noqa: PTH123 - a descriptor
            try:
                while part := terminal.read(65536):
                    shown += part
            except OSError:
                # the other end is closed
                pass
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode()).replace("\r\n", "\n")


def test_every_module_that_prints_tables_is_listed() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in SOURCES
        if re.search(r"printing\.(console|plain_table) import", path.read_text(encoding="utf-8"))
        and path.parent.name != "printing"
    }
    assert found == set(CHECKED)


@pytest.mark.parametrize(
    "words",
    [
        ("agents",),
        ("devices",),
        ("faults",),
        ("paper",),
        ("paper", "all"),
    ],
    ids=" ".join,
)
def test_lists_are_whole(words: tuple[str, ...]) -> None:
    assert fingertip(*words).returncode == 0


def test_scores_are_whole(folder: Path) -> None:
    runs = [folder / "execution-imitate", folder / "random-touches"]
    done = fingertip("score", *runs, "--by", "app", "--by", "difficulty", "--why", "--published")
    assert done.returncode == 0, done.stderr
    done = fingertip("score", folder / "suggestion-habit", "--embedder", "lexical", "--by", "user")
    assert done.returncode == 0, done.stderr


def test_a_terminal_shows_whole_names_and_one_line_of_notes(folder: Path) -> None:
    runs = [str(folder / "execution-imitate"), str(folder / "random-touches")]
    shown = read_terminal(["score", *runs], 80)
    words = shown.replace("│", " ").replace("┃", " ").split()
    assert {"execution-imitate", "random-touches", "imitate", "random"} <= set(words)
    assert "…" not in shown
    assert "0/?" not in shown
    assert "reasons); " in " ".join(words)
    assert "--notes shows all." in " ".join(words)
    assert any(note in " ".join(words) for note in ("with one column per run", "Left out: "))


def test_the_check_finds_a_broken_name(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    table.add_column("run", width=8, overflow="fold")
    table.add_row("execution-imitate")
    check_table(table, 80)
    monkeypatch.setattr(
        TableConsole, "_print_table", lambda self, table: super(TableConsole, self).print(table)
    )
    with pytest.raises(AssertionError, match="is broken at 80"):
        check_table(table, 80)
