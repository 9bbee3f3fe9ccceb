"""docs/bring-an-agent.md and add-a-format.md: who does what they say has agents that FingerTip runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats.picture_format import PictureFormat
from fingertip_agents.registry import (
    agent_traits,
    execution_agent_names,
    find_package,
    format_names,
    get_execution_agent,
    make_format,
    sends_pictures,
)
from fingertip_agents.screens.coordinates import ModelFrame
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.actions import Wait, format_action
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.options import ModelOptions
from tests.documented_package import list_commands, list_files, run_where_installed, write_package
from tests.phone_bench import adb_port  # noqa: F401 - a fixture
from tests.shared_datasets import simulated_people

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "bring-an-agent.md").read_text(encoding="utf-8")
FORMAT_PAGE = (ROOT / "docs" / "developers" / "add-a-format.md").read_text(encoding="utf-8")
RULES = (ROOT / "docs" / "developers" / "agent-interface.md").read_text(encoding="utf-8")
FILES = [
    *list_files(ROOT / "docs" / "bring-an-agent.md"),
    *list_files(ROOT / "docs" / "developers" / "add-a-format.md"),
]
COMMANDS = list_commands(ROOT / "docs" / "bring-an-agent.md")
MOST_LINES = 30


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of both pages, with what pip leaves beside installed packages."""
    folder = tmp_path_factory.mktemp("stranger")
    write_package(FILES, folder)
    return folder


def plain(text: str) -> list[str]:
    """Lines without spaces between words, each number as #."""
    return [re.sub(r"\d+(\.\d+)?", "#", " ".join(line.split())) for line in text.splitlines()]


def test_each_agent_is_a_few_lines() -> None:
    blocks = [block for name, block in FILES if name == "my_agents.py"]
    assert [name for name, _ in FILES] == [
        *["my_agents.py"] * 2,
        "pyproject.toml",
        "drive.py",
        *["my_formats.py"] * 3,
        "pyproject.toml",
    ]
    assert all(len(block.splitlines()) <= MOST_LINES for block in blocks)


def test_the_agents_are_found_by_name_once_they_are_installed(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(package))
    monkeypatch.delitem(sys.modules, "my_agents", raising=False)
    assert get_execution_agent("namesake").settings == {"taps": 5}
    words = r"^expected an agent, one of .*, namesake, .*, got 'name': did you mean namesake\?$"
    with pytest.raises(UsageError, match=words):
        get_execution_agent("name")
    monkeypatch.delitem(sys.modules, "my_agents")


@pytest.fixture
def installed_format(package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PictureFormat]:
    monkeypatch.syspath_prepend(str(package))
    monkeypatch.delitem(sys.modules, "my_formats", raising=False)
    made = make_format("showui", max_pixels=400_000)
    assert isinstance(made, PictureFormat)
    yield made
    monkeypatch.delitem(sys.modules, "my_formats")


def test_the_format_is_an_agent_with_the_options_of_ours(installed_format: PictureFormat) -> None:
    assert "showui" in format_names()
    assert "showui" in execution_agent_names()
    assert sends_pictures("showui")
    assert find_package("showui", "execution") == ("my-formats", "1.0")
    assert agent_traits("showui", "execution") == installed_format.traits
    model = ModelOptions(base_url="http://127.0.0.1:9/v1", model="ShowUI-2B", max_pixels=400_000)
    agent = get_execution_agent("showui", AgentSetup(model=model))
    assert agent.name == "showui"
    assert agent.settings["max_pixels"] == 400_000
    with pytest.raises(UsageError, match=r"^the agent showui takes no --set long_side: it has no settings$"):
        get_execution_agent("showui", AgentSetup(model=model, settings={"long_side": 9}))


ANSWERS = [
    # literal, with its comma
    (
        "{'action': 'INPUT', 'value': 'weather for New York city', 'position': [0.49, 0.42]},",
        ["click(coordinates=(529, 1008))", "type(text='weather for New York city')"],
    ),
    ("{'action': 'TAP', 'value': None, 'position': [0.49, 0.42]}", ["click(coordinates=(529, 1008))"]),
    (
        "{'action': 'SWIPE', 'value': None, 'position': [[0.5, 0.8], [0.5, 0.2]]}",
        ["scroll(coordinates=(540, 1920), direction='down')"],
    ),
    ("{'action': 'ENTER', 'value': None, 'position': None}", ["type(text='\n')"]),
    ("{'action': 'ANSWER', 'value': 'task complete', 'position': None}", ["finished()"]),
    ("{'action': 'ANSWER', 'value': '7:30', 'position': None}", ["finished(content='7:30')"]),
]


@pytest.mark.parametrize(("answer", "actions"), ANSWERS)
def test_the_format_reads_the_answers_of_its_model_and_writes_them_again(
    installed_format: PictureFormat, answer: str, actions: list[str]
) -> None:
    frame = ModelFrame(size=(1, 1), screen=(1080, 2400))
    reading = installed_format.read(answer, frame=frame)
    assert [format_action(action) for action in reading.actions] == actions
    written = installed_format.answer(reading.actions, frame=frame)
    assert written is not None
    assert written.actions == len(actions)
    assert [
        format_action(action) for action in installed_format.read(written.text, frame=frame).actions
    ] == actions


def test_the_format_refuses_what_it_cannot_read(installed_format: PictureFormat) -> None:
    frame = ModelFrame(size=(1, 1), screen=(1080, 2400))
    for answer, problem in (
        ("done", "expected a dict with an action, got none"),
        (
            "{'action': 'HOVER', 'position': [0.1, 0.1]}",
            "expected an action that the benchmark has, too, got HOVER",
        ),
        (
            "{'action': 'TAP', 'position': [529, 1008]}",
            "expected a point on the screen of 1 x 1, got (529, 1008)",
        ),
    ):
        assert (installed_format.read(answer, frame=frame).problem or "").startswith(problem)


def test_the_prompt_of_the_format_has_the_terms_of_the_equation(
    installed_format: PictureFormat, alarm_task: ExecutionInput, blank_screenshot: bytes
) -> None:
    screen = ScreenInput(screenshot=blank_screenshot, tree=None, size=(1080, 2400), package="")
    past = PastStep(action=Wait(), written="wait()", output="{'action': 'ENTER'}")
    (message,) = installed_format.prepare(alarm_task, screen, (past,), "en").messages
    assert "定一个七点的闹钟" in message.text
    assert "1. {'action': 'TAP', 'value': None, 'position': [0.5, 0.93" in message.text
    assert "Step 1: {'action': 'ENTER'}" in message.text
    assert len(message.images) == 1


@pytest.mark.install
def test_the_commands_of_the_page_run(
    package: Path,
    tmp_path_factory: pytest.TempPathFactory,
    adb_port: int,  # noqa: F811 - the fixture
) -> None:
    """Up to a verified bundle, on simulated people."""
    (package / "fingertip-20k").symlink_to(simulated_people(tmp_path_factory) / "dataset")
    assert any("execute" in line and "--agent namesake" in line for line in COMMANDS)
    printed = ""
    for line in COMMANDS:
        done = run_where_installed(line, package, adb_port)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        printed += done.stdout
    (shown,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    # numbers are other ones on other people
    assert [line for line in plain(shown) if line not in plain(printed)] == []
    steps = (package / "mine" / "namesake" / "steps.jsonl").read_text(encoding="utf-8").splitlines()
    ends = [record for record in map(json.loads, steps) if record["kind"] == "end"]
    assert {(end["outcome"], end["success_by"]) for end in ends} == {("terminated", "rule")}
    assert any('"action":"click(' in line for line in steps)
    record = json.loads((package / "mine" / "namesake" / "run.json").read_text(encoding="utf-8"))
    assert record["agent"]["name"] == "namesake"
    assert record["agent"]["settings"] == {"taps": 5}


def test_they_are_written_as_the_project_writes(package: Path) -> None:
    config = str(ROOT / "pyproject.toml")
    ruff = str(Path(sys.executable).parent / "ruff")
    files = ["my_agents.py", "my_formats.py"]
    words = [ruff, "check", "--config", config, "--ignore", "D,INP,E402,I,RUF012", *files]
    done = subprocess.run(words, cwd=package, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_what_the_page_names_exists() -> None:
    paths = re.findall(r"`((?:fingertip_\w+|tests)/[\w/]+\.py)`", PAGE + FORMAT_PAGE + RULES)
    assert paths
    for path in paths:
        assert (ROOT / path).is_file(), path
