"""Runs every command block and Python block of the README, in order, in one folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fingertip_cli.main import COMMANDS
from tests.drawn_sample import sample_release

pytestmark = pytest.mark.early

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(bash|python)\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("readme")
    (made / "RAW").symlink_to(sample_release() / "raw")
    (made / "TABLES").symlink_to(sample_release() / "tables")
    return made


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf")}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=500)


@pytest.mark.parametrize(("language", "block"), BLOCKS, ids=[block.split("\n")[0] for _, block in BLOCKS])
def test_readme_blocks_run(language: str, block: str, folder: Path) -> None:
    if language == "python":
        answer = run([sys.executable, "-c", block], folder)
        assert answer.returncode == 0, answer.stderr
        return
    for line in block.splitlines():
        answer = run(["bash", "-c", line], folder)
        assert answer.returncode == ("# exits 1" in line), f"{line}\n{answer.stderr}"


def test_the_readme_has_command_and_python_blocks() -> None:
    assert {language for language, _ in BLOCKS} == {"bash", "python"}


def test_every_command_in_the_readme_exists() -> None:
    named = set(re.findall(r"`?fingertip ([a-z][a-z-]*)", README))
    assert named <= set(COMMANDS)


def test_every_local_link_in_the_readme_exists() -> None:
    links = re.findall(r"\]\((?!http|#)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
