"""The command line as a whole: a blink to start, one line an error, the exit codes of the contract."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fingertip_cli.command_list import COMMANDS
from tests.command_line import fingertip

HEAVY = {"datasets", "evaluate", "matplotlib", "numpy", "pandas", "pyarrow", "rich", "sklearn", "torch"}


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return fingertip(*words)


def test_help_lists_every_command_and_imports_none() -> None:
    code = (
        "import sys\nfrom fingertip_cli.main import cli\n"
        "cli.main(['--help'], standalone_mode=False)\n"
        "print('modules', *{name.split('.')[0] for name in sys.modules})"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    text, _, modules = shown.rpartition("modules")
    assert all(command in text for command in COMMANDS)
    assert not HEAVY & set(modules.split())


def test_every_command_lists_its_options_without_heavy_imports() -> None:
    code = (
        "import sys\nfrom fingertip_cli.command_list import COMMANDS\nfrom fingertip_cli.main import cli\n"
        "for command in COMMANDS:\n"
        "    cli.main([command, '--help'], prog_name='fingertip', standalone_mode=False)\n"
        "    print('modules', *{name.split('.')[0] for name in sys.modules})"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = [set(line.split()) for line in shown.splitlines() if line.startswith("modules")]
    for command, modules in zip(COMMANDS, loaded, strict=True):
        assert f"Usage: fingertip {command} " in shown
        assert not HEAVY & modules, command


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nope"], "nope"),
        (["build"], "RAW"),
        (["check", "/nowhere/at/all"], "/nowhere/at/all"),
        (["check", "--nope", "x"], "--nope"),
        (["build", "/nowhere/at/all", "--out", "/nowhere/out"], "/nowhere/at/all"),
        (["stats", "/nowhere/at/all", "--out", "/nowhere/out"], "/nowhere/at/all"),
        (["suggest", "/nowhere/at/all", "--agent", "habit", "--out", "/nowhere/out"], "/nowhere/at/all"),
        (["suggest", "/nowhere/at/all", "--agent", "nobody", "--out", "/nowhere/out"], "nobody"),
        (["score", "/nowhere/at/all"], "/nowhere/at/all"),
        (["report", "/nowhere/at/all"], "/nowhere/at/all"),
    ],
)
def test_wrong_call_is_one_line_and_exit_code_2(words: list[str], message: str) -> None:
    answer = run(*words)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert len(answer.stderr.splitlines()) == 1
    assert message in answer.stderr


def test_bare_call_shows_the_help() -> None:
    answer = run()
    assert answer.returncode == 2
    assert "Track 1, proactive suggestion:" in answer.stderr


def test_the_installed_script_starts_commands_that_the_readme_does_not_run() -> None:
    script = Path(sys.executable).with_name("fingertip")
    for command in (
        "doctor",
        "install-metrics",
        "leaderboard",
        "paper",
        "phone",
        "score-csv",
        "submit",
        "verify",
    ):
        done = subprocess.run([script, command, "--help"], capture_output=True, text=True, timeout=300)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"Usage: fingertip {command} ")
