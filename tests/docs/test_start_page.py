"""docs/start.md: the agent is found on both tracks, and the commands after the demo run as written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fingertip_agents.registry import get_agent, get_execution_agent
from tests.documented_package import list_commands, list_files, run_where_installed, write_package
from tests.page_blocks import ROOT
from tests.phone_bench import adb_port  # noqa: F401 - a fixture
from tests.shared_datasets import simulated_people

PAGE = ROOT / "docs" / "start.md"
DATASET = "fingertip-demo/fingertip-20k"
DEMO = (
    f"fingertip suggest {DATASET} --agent habit --out fingertip-demo/runs/habit",
    *(
        f"fingertip execute {DATASET} --agent {name} --device simulated --out fingertip-demo/runs/{name}"
        for name in ("imitate", "shortest-path-oracle")
    ),
)
"""What `make demo` has run of what the page reads."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the page, the agent's package as if installed."""
    made = tmp_path_factory.mktemp("start")
    write_package(list_files(PAGE), made)
    return made


def test_the_agent_is_one_class_of_30_lines_for_both_tracks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = dict(list_files(PAGE))["first_agent.py"]
    assert len(code.splitlines()) <= 30
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "first_agent", raising=False)
    kinds = {type(agent) for agent in (get_agent("first"), get_execution_agent("first"))}
    assert [kind.__name__ for kind in kinds] == ["FirstAgent"]
    monkeypatch.delitem(sys.modules, "first_agent")


def test_the_scores_of_the_page_are_printed(folder: Path) -> None:
    call = [sys.executable, "own_scores.py"]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["Sim_1", "Sim_2"]
    assert float(done.stdout.splitlines()[1].split()[1]) > 1


@pytest.mark.install
def test_the_commands_after_the_demo_run(
    folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    adb_port: int,  # noqa: F811 - the fixture
) -> None:
    people = simulated_people(tmp_path_factory, users=2, episodes=5, seed=466, size=(540, 1200))
    (folder / "fingertip-demo").mkdir()
    (folder / DATASET).symlink_to(people / "dataset")
    for line in (*DEMO, *list_commands(PAGE)):
        done = run_where_installed(line, folder, adb_port)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    assert (folder / "first.html").is_file()
    assert "2 verified, 0 refused" in done.stdout
