"""Completion: commands, options, and names from the registries; and once in a real bash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from fingertip_agents.registry import FORMATS
from fingertip_cli.command_list import COMMANDS
from fingertip_cli.main import cli
from tests.command_line import fingertip

BASH = shutil.which("bash")
UI_TARS = sorted(name for name in FORMATS if name.startswith("ui-tars-"))

ASK = """
source <(fingertip completion bash)
COMP_WORDS=(fingertip execute D --agent ui-tars-); COMP_CWORD=4; COMPREPLY=()
_fingertip_completion fingertip
echo "${COMPREPLY[*]}"
"""
"""Script that completes a line as bash does when Tab is pressed."""


@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_bash_completes_a_name() -> None:
    assert BASH is not None
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    call = [BASH, "--norc", "-c", ASK]
    done = subprocess.run(call, capture_output=True, text=True, env={**os.environ, "PATH": path}, check=True)
    assert (done.stdout, done.stderr) == (f"{' '.join(UI_TARS)}\n", "")


def complete(line: str) -> list[str]:
    """Words that the last one of a line may become."""
    *words, start = line.split(" ")
    shell = ShellComplete(cli, {}, "fingertip", "_FINGERTIP_COMPLETE")
    return [item.value for item in shell.get_completions(words, start)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", list(COMMANDS)),
        ("sug", ["suggest"]),
        ("execute D --agent ui-tars-", UI_TARS),
        ("execute D --device ", ["simulated", "replay", "teacher-forced"]),
        ("suggest D --split test", ["test_suggestion", "test_execution", "test_long", "test_moments"]),
        ("score R --by c", ["category", "condition"]),
        ("privacy ", ["redact", "review", "scan"]),
    ],
)
def test_a_line_is_completed(line: str, expected: list[str]) -> None:
    found = complete(line)
    assert (sorted(found) if line == "privacy " else found) == expected


def test_names_of_long_lists_are_completed() -> None:
    agents = set(complete("suggest D --agent "))
    assert {"habit", "recent", "model", "human"} <= agents
    assert "imitate" not in agents
    faults = {"no_tree", "no_input_injection", "no_adb_keyboard", "no_clipboard"}
    assert set(complete("phone --fault no_")) == faults
    assert {"--history", "--history-from", "--history-intents"} <= set(complete("suggest --hist"))
    assert {"figure-4", "figure-5"} <= set(complete("experiment figure"))


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_a_script(shell: str) -> None:
    done = fingertip("completion", shell)
    assert (done.returncode, "_FINGERTIP_COMPLETE" in done.stdout) == (0, True)
