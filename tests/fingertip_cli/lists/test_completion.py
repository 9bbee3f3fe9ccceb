"""Completion in a real bash: commands, options, and names from the registries."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fingertip_cli.command_list import COMMANDS
from tests.command_line import fingertip

BASH = shutil.which("bash")

ASK = """
source <(fingertip completion bash)
complete_line() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    _fingertip_completion fingertip
    echo "${COMPREPLY[*]}"
}
complete_line fingertip ''
complete_line fingertip sug
complete_line fingertip suggest D --agent ''
complete_line fingertip execute D --agent ui
complete_line fingertip execute D --device ''
complete_line fingertip suggest D --split test
complete_line fingertip phone --fault no_
complete_line fingertip suggest --hist
complete_line fingertip score R --by c
complete_line fingertip experiment figure
complete_line fingertip privacy ''
"""
"""Script that completes one line after the other, as bash does when Tab is pressed."""


@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_bash_completes_commands_options_and_names() -> None:
    assert BASH is not None
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [BASH, "--norc", "-c", ASK],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
        check=True,
    )
    assert done.stderr == ""
    found = [line.split() for line in done.stdout.splitlines()]
    assert set(found[0]) == set(COMMANDS)
    assert found[1] == ["suggest"]
    assert {"habit", "recent", "model", "human"} <= set(found[2])
    assert "imitate" not in found[2]
    assert found[3] == ["ui-tars-1.5", "ui-tars-v1"]
    assert found[4] == ["simulated", "replay", "teacher-forced"]
    assert found[5] == ["test_suggestion", "test_execution"]
    assert set(found[6]) == {"no_tree", "no_input_injection", "no_adb_keyboard", "no_clipboard"}
    assert {"--history", "--history-from", "--history-intents"} <= set(found[7])
    assert found[8] == ["category"]
    assert {"figure-4", "figure-5"} <= set(found[9])
    assert set(found[10]) == {"scan", "review", "redact"}


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_a_script(shell: str) -> None:
    done = fingertip("completion", shell)
    assert (done.returncode, "_FINGERTIP_COMPLETE" in done.stdout) == (0, True)
