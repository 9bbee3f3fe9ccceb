"""The command line as a whole: a blink to start, one line an error, the exit codes of the contract."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import click
import pytest

from fingertip_cli import main
from fingertip_cli.command_list import COMMANDS, ENTRY_POINTS
from fingertip_cli.main import cli
from tests.command_line import fingertip

WINGS = {
    "fingertip_environments",
    "fingertip_leaderboard",
    "fingertip_privacy",
    "fingertip_studies",
    "fingertip_training",
}
HEAVY = {"datasets", "evaluate", "matplotlib", "numpy", "pandas", "pyarrow", "rich", "sklearn", "torch"}


def test_help_lists_every_command_and_imports_none() -> None:
    code = (
        "import sys\nfrom fingertip_cli.main import cli\n"
        "cli.main(['--help'], standalone_mode=False)\n"
        "print('modules', *{name.split('.')[0] for name in sys.modules}, *sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    text, _, modules = shown.rpartition("modules")
    assert all(command in text for command in COMMANDS)
    assert not (HEAVY | WINGS | {"click.testing"}) & set(modules.split())
    assert "fingertip_cli.start.demo" not in modules


def test_agents_are_listed_without_importing_them() -> None:
    code = (
        "import sys\nfrom fingertip_cli.main import cli\n"
        "cli.main(['agents'], standalone_mode=False)\nprint('modules', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    listed, _, modules = done.stdout.rpartition("modules")
    assert "ui-tars-1.5" in listed
    assert "habit" in listed
    loaded = set(modules.split())
    assert not (HEAVY - {"rich"} | {"pydantic", "PIL", "simulated_phone.phone"}) & loaded
    assert not {name for name in loaded if name.startswith("fingertip_agents.formats")}


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


def test_bare_call_shows_the_help() -> None:
    answer = fingertip()
    assert answer.returncode == 2
    assert "Track 1, proactive suggestion:" in answer.stderr


def test_the_installed_script_starts_a_command() -> None:
    script = Path(sys.executable).with_name("fingertip")
    done = subprocess.run([script, "agents", "--json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith('{"version"')


def test_a_command_of_a_wing_is_found_by_its_entry_point() -> None:
    of_wings = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
    assert set(of_wings) < set(COMMANDS)
    command = cli.get_command(click.Context(cli), "privacy")
    assert isinstance(command, click.Group)
    assert of_wings["privacy"].load().commands.keys() == command.commands.keys()


def test_a_command_whose_wing_is_missing_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    monkeypatch.setattr(main, "_load_command", main._load_command.__wrapped__)
    done = fingertip("verify", "bundle")
    assert (done.returncode, done.stdout) == (2, "")
    message = "this install lacks the command verify: install fingertip-20k again"
    assert done.stderr == f"fingertip: {message}\n"
