"""Runs every command block of the README, in order, in one folder, and then every Python block."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from fingertip_cli.command_list import COMMANDS
from tests.command_line import fingertip
from tests.fixtures.drawn_sample import sample_release

pytestmark = pytest.mark.early

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(bash|python)\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
COMMAND_BLOCKS = [block for language, block in BLOCKS if language == "bash"]
PYTHON_BLOCKS = [block for language, block in BLOCKS if language == "python"]

RUN_FILES = """
import runpy, sys
# evaluate's pipelines, which no metric uses, import transformers and torch where installed: seconds
sys.modules["transformers"] = None
import evaluate
del sys.modules["transformers"]
for path in sys.argv[1:]:
    runpy.run_path(path)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("readme")
    (made / "RAW").symlink_to(sample_release() / "raw")
    (made / "TABLES").symlink_to(sample_release() / "tables")
    return made


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf")}


@pytest.mark.parametrize("block", COMMAND_BLOCKS, ids=[block.split("\n")[0] for block in COMMAND_BLOCKS])
def test_readme_commands_run(block: str, folder: Path) -> None:
    for line in block.splitlines():
        program, *arguments = shlex.split(line, comments=True)
        assert program == "fingertip"
        answer = fingertip(*arguments, cwd=folder, env=environment(folder), timeout=500)
        assert answer.returncode == ("# exits 1" in line), f"{line}\n{answer.stderr}"


def test_readme_python_blocks_run(folder: Path) -> None:
    """One process runs them, each as a program of its own, on what the commands built."""
    paths = [folder / f"block-{number}.py" for number in range(len(PYTHON_BLOCKS))]
    for path, block in zip(paths, PYTHON_BLOCKS, strict=True):
        path.write_text(block, encoding="utf-8")
    answer = subprocess.run(
        [sys.executable, "-c", RUN_FILES, *paths],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert answer.returncode == 0, answer.stderr


def test_the_readme_has_command_and_python_blocks() -> None:
    assert {language for language, _ in BLOCKS} == {"bash", "python"}


def test_the_readme_shows_the_demos_own_words() -> None:
    """Its sample output has the line of replayed episodes as test_demo.py finds it in the demo's output."""
    assert re.search(r"^\d+ of \d+ reach the user's goal \(by rule; simulated\)$", README, re.MULTILINE)


def test_every_command_in_the_readme_exists() -> None:
    named = set(re.findall(r"`?fingertip ([a-z][a-z-]*)", README))
    assert named <= set(COMMANDS)


def test_every_local_link_in_the_readme_exists() -> None:
    links = re.findall(r"\]\((?!http|#)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
