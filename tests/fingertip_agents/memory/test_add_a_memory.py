"""docs/developers/add-a-memory.md: who does what it says has a memory that FingerTip runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fingertip_agents import HabitBaseline, memory_names
from fingertip_agents.memory.keeper import MemoryKeeper
from fingertip_agents.memory.memory_registry import make_memory
from fingertip_agents.memory.memory_setup import MemorySetup
from fingertip_dataset.errors import ModelError
from suggestion_runner import read_run, run_suggestions
from tests.documented_package import list_files, write_metadata, write_package
from tests.fingertip_agents.memory.lives import START, make_event, make_task
from tests.suggestion_datasets import small_dataset

__all__ = ["small_dataset"]

FILES = list_files(Path(__file__).parents[3] / "docs" / "developers" / "add-a-memory.md")
MOST_LINES = 30


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package of the page, and another one whose memories are broken, as pip leaves them."""
    folder = tmp_path / "packages"
    folder.mkdir()
    write_package(FILES, folder)
    points = {"empty": "broken_memories:Empty", "absent": "broken_memories:Absent"}
    project = {"name": "broken", "version": "1", "entry-points": {"fingertip.memories": points}}
    write_metadata(project, folder)
    (folder / "broken_memories.py").write_text("class Empty:\n    name = 'empty'\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    for name in ("my_memories", "broken_memories"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return folder


def test_the_class_has_few_lines() -> None:
    assert [name for name, _ in FILES] == ["my_memories.py", "pyproject.toml"]
    assert len(FILES[0][1].splitlines()) <= MOST_LINES


def test_a_run_uses_it_by_name(installed: Path, small_dataset: Path, tmp_path: Path) -> None:
    assert memory_names()[-1] == "same-day"
    run_suggestions(small_dataset, HabitBaseline(), tmp_path / "run", memory="same-day")
    record = read_run(tmp_path / "run").memory
    assert record is not None
    assert (record.name, record.settings, record.budget) == ("same-day", {"days": "of the same name"}, 2000)
    assert (tmp_path / "run" / "memory" / "people" / "1" / "events.jsonl").exists()


def test_it_recalls_the_same_day_of_the_week_and_what_was_refused(installed: Path) -> None:
    keeper = MemoryKeeper("same-day")
    for day in range(9):
        keeper.observe(make_event(day * 1440, f"Play number {day}"))
    keeper.observe(make_event(9 * 1440, "Order lunch", kind="never"))
    task = make_task(14 * 1440)
    shown = keeper.recall("7", task.time or START, task)
    assert [intent.text for intent in shown.previous_intents] == ["Play number 0", "Play number 7"]
    assert shown.memory == "refused before: Order lunch"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "empty",
            "the memory empty from broken_memories:Empty must have .*: it has no settings and no observe",
        ),
        ("absent", "the memory absent could not be loaded from broken_memories:Absent: AttributeError"),
    ],
)
def test_a_broken_one_is_one_line(installed: Path, name: str, problem: str) -> None:
    with pytest.raises(ModelError, match=problem):
        make_memory(name, MemorySetup())
