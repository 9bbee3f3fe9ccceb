"""`fingertip tasks`: ids, names that are never cut, pages, and messages."""

from __future__ import annotations

import json
import shlex
from datetime import datetime
from pathlib import Path

import pytest
from rich.cells import cell_len

from fingertip_cli.lists.tasks import PAGE, choose_page, list_lines
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task_list import TaskEntry
from tests.command_line import fingertip


def make_entry(number: int) -> TaskEntry:
    return TaskEntry(
        task_id=f"1001__20250329_{number:06}",
        split="test_execution",
        user_id="1001",
        time=datetime(2025, 3, 29),
        scenario="住所",
        app="com.simulated.shangdian",
        intent="把应用商店里的生活服务应用排行榜打开看看，再把第一个应用加入心愿单",
        intent_category=None,
        steps=number,
    )


def test_ids_persons_apps_steps_and_intents_of_both_tests_are_listed(people: Path) -> None:
    done = fingertip("tasks", people)
    assert (done.returncode, done.stderr) == (0, "")
    head, *lines, last = done.stdout.splitlines()
    assert head.split() == ["task", "split", "user", "app", "steps", "intent"]
    rows = [
        (
            row["episode_id"],
            split,
            row["user_id"],
            row["app"],
            str(len(row["actions"])),
            *row["intent"].split(),
        )
        for split in ("test_suggestion", "test_execution")
        for row in BuiltDataset.open(people).rows(split)
    ]
    assert [tuple(line.split()) for line in lines] == rows
    assert last == f"{len(rows)} tasks"


def test_an_id_of_the_list_is_a_task_of_execute_and_a_user_one_of_suggest(
    people: Path, tmp_path: Path
) -> None:
    listed = json.loads(fingertip("tasks", people, "--split", "test-execution", "--json").stdout)["tasks"]
    task, user = listed[-1]["task_id"], listed[-1]["user_id"]
    call = ("execute", people, "--agent", "imitate", "--device", "replay", "--out")
    assert fingertip(*call, tmp_path / "a", "--task", task).returncode == 0
    own = json.loads(fingertip("tasks", people, "--only-users", user, "--json").stdout)["tasks"]
    assert {one["user_id"] for one in own} == {user}
    # the same --limit, the same tasks
    assert fingertip(*call, tmp_path / "b", "--limit", 2).returncode == 0
    run = json.loads((tmp_path / "b" / "run.json").read_text("utf-8"))
    limited = fingertip("tasks", people, "--split", "test_execution", "--limit", 2, "--json")
    assert [one["task_id"] for one in json.loads(limited.stdout)["tasks"]] == run["task_ids"]


@pytest.mark.parametrize("width", [80, 100, 120, 160])
def test_no_name_is_cut_at_any_width(width: int) -> None:
    head, *lines = list_lines([make_entry(number) for number in range(3)], width)
    for line in (head, *lines):
        first, _, rest = line.partition("\n")
        assert cell_len(first) <= width or not rest
    assert all("com.simulated.shangdian" in line and "1001__20250329_00000" in line for line in lines)
    assert ("\n" in lines[0]) is (width < 116)


def test_off_a_terminal_every_task_is_one_line() -> None:
    assert not any("\n" in line for line in list_lines([make_entry(1)], None))


def test_pages_have_every_task_once() -> None:
    entries = [make_entry(number) for number in range(PAGE * 2 + 3)]
    pages = [choose_page(entries, page) for page in (1, 2, 3)]
    assert [start for start, _ in pages] == [0, PAGE, 2 * PAGE]
    assert [one for _, shown in pages for one in shown] == entries
    assert choose_page(entries, None) == (0, entries)
    assert choose_page([], 1) == (0, [])
    with pytest.raises(UsageError, match="there is no page 4: the list has 3 pages"):
        choose_page(entries, 4)


def test_a_wrong_user_or_split_is_named_with_the_one_that_was_meant(people: Path) -> None:
    for call in (("tasks", people), ("suggest", people, "--agent", "recent", "--out", "x")):
        line = fingertip(*call, "--only-users", "10001").stderr
        assert "the dataset has no user '10001': did you mean 1001? `fingertip tasks" in line
    assert "did you mean test_execution?" in fingertip("tasks", people, "--split", "test_executions").stderr


def test_the_call_in_a_message_lists_the_tasks(people: Path, tmp_path: Path) -> None:
    folder = tmp_path / "my data" / "-数据"
    folder.parent.mkdir()
    folder.symlink_to(people)
    call = ("--agent", "imitate", "--device", "replay", "--out", "r", "--task", "nobody")
    line = fingertip("execute", "./-数据", *call, cwd=folder.parent).stderr
    advised = line.split("`")[1]
    done = fingertip(*shlex.split(advised)[1:], cwd=folder.parent)
    assert done.returncode == 0, done.stderr
    assert "test_execution" in done.stdout
    assert "test_suggestion" not in done.stdout


def test_instructions_of_a_level_are_listed_with_where_arguments_are_known_from(people: Path) -> None:
    done = fingertip("tasks", people, "--instructions", "goal-alone", "--json")
    tasks = json.loads(done.stdout)["tasks"]
    assert {task["split"] for task in tasks} == {"test_execution"}
    assert all((task["instruction"] is None) != (task["left_out"] is None) for task in tasks)
    kept = [task for task in tasks if task["instruction"]]
    assert kept
    assert all(task["instruction"] != task["intent"] for task in kept)
    assert {source for task in kept for source in task["known_from"].values()} <= {
        "history",
        "profile",
        "ask",
    }
    shown = fingertip("tasks", people, "--instructions", "goal-alone").stdout.splitlines()
    head, *lines, count, last = shown
    assert head.split() == ["task", "user", "app", "known", "from", "instruction"]
    assert [line.split()[0] for line in lines] == [task["task_id"] for task in tasks]
    assert count == f"{len(tasks)} tasks"
    assert last.startswith(f"{len(tasks) - len(kept)} left out; ")
