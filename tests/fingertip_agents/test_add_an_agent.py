"""docs/add-an-agent.md: a stranger who does what the page says has agents that FingerTip runs."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from fingertip_agents.registry import get_execution_agent
from fingertip_dataset.errors import UsageError
from tests.command_line import fingertip

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "add-an-agent.md").read_text(encoding="utf-8")
FILES = re.findall(r"^```(?:python|toml) (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line
    for block in re.findall(r"^```bash\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]
MOST_LINES = 30


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the page, with what pip leaves beside an installed package."""
    folder = tmp_path_factory.mktemp("stranger")
    for name, _ in FILES:
        blocks = [block for other, block in FILES if other == name]
        (folder / name).write_text("\n\n".join(blocks), encoding="utf-8")
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(head, encoding="utf-8")
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return folder


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command line as where the package is installed."""
    program, *arguments = shlex.split(line)
    assert program == "fingertip"
    return fingertip(*arguments, cwd=folder, env=os.environ | {"PYTHONPATH": str(folder)})


def plain(text: str) -> list[str]:
    """Lines without spaces between words, each number as #."""
    return [re.sub(r"\d+(\.\d+)?", "#", " ".join(line.split())) for line in text.splitlines()]


def test_each_agent_is_a_few_lines() -> None:
    blocks = [block for name, block in FILES if name == "my_agents.py"]
    assert [name for name, _ in FILES] == ["my_agents.py", "my_agents.py", "pyproject.toml"]
    assert all(len(block.splitlines()) <= MOST_LINES for block in blocks)


def test_the_agents_are_found_by_name_once_they_are_installed(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(package))
    monkeypatch.delitem(sys.modules, "my_agents", raising=False)
    assert get_execution_agent("namesake").settings == {"version": 1}
    words = r"^expected an agent, one of .*, namesake, .*, got 'name': did you mean namesake\?$"
    with pytest.raises(UsageError, match=words):
        get_execution_agent("name")
    monkeypatch.delitem(sys.modules, "my_agents")


@pytest.mark.install
def test_the_commands_of_the_page_run(package: Path) -> None:
    assert any("execute" in line and "--agent namesake" in line for line in COMMANDS)
    printed = ""
    for line in COMMANDS:
        done = run(line, package)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        printed += done.stdout
    (shown,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    # numbers may change with the simulated people; cells are as wide as the numbers
    assert [line for line in plain(shown) if line not in plain(printed)] == []
    steps = (package / "namesake-run" / "steps.jsonl").read_text(encoding="utf-8").splitlines()
    ends = [record for record in map(json.loads, steps) if record["kind"] == "end"]
    assert {(end["outcome"], end["success_by"]) for end in ends} == {("terminated", "rule")}
    assert any('"action":"click(' in line for line in steps)
    record = json.loads((package / "namesake-run" / "run.json").read_text(encoding="utf-8"))
    assert record["agent"]["name"] == "namesake"
    assert record["agent"]["settings"] == {"version": 1}


@pytest.mark.install
def test_a_bundle_of_the_agent_without_a_model_is_accepted(package: Path) -> None:
    card = "--name SamePlace --contact a@example.org --embedder lexical --out bundles"
    for line in (f"submit same-place-run {card}", "verify bundles/same-place-run --dataset agent-data"):
        done = run(f"fingertip {line}", package)
        assert done.returncode == 0, done.stdout + done.stderr


def test_they_are_written_as_the_project_writes(package: Path) -> None:
    config = str(ROOT / "pyproject.toml")
    ruff = str(Path(sys.executable).parent / "ruff")
    words = [ruff, "check", "--config", config, "--ignore", "D,INP,E402,I,RUF012", "my_agents.py"]
    done = subprocess.run(words, cwd=package, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_what_the_page_names_exists() -> None:
    paths = re.findall(r"`((?:fingertip_\w+|tests)/[\w/]+\.py)`", PAGE)
    assert paths
    for path in paths:
        assert (ROOT / path).is_file(), path
