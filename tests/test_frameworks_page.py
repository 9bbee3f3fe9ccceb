"""docs/developers/frameworks.md shows what the tests in phone/tests/frameworks measured."""

from __future__ import annotations

import json

import pytest

from docs.site.frameworks_page import LISTS, PAGE, expected_tasks, load_results, merge
from docs.site.page_lists import with_lists
from phone.tests.frameworks.replay import command_lists
from phone.tests.frameworks.scripted import TASKS
from phone.tests.frameworks.tools import TOOLS


def test_the_page_shows_the_results() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_lists(page, LISTS), "run: python -m docs.site.frameworks_page"


def test_each_tool_has_a_result_of_each_of_its_tasks() -> None:
    measured = {(tool, task) for tool, result in load_results().items() for task in result["tasks"]}
    expected = {(name, task) for name, names in expected_tasks().items() for task in names}
    assert measured == expected, "run: make frameworks"


def test_a_run_replaces_the_results_of_its_tools() -> None:
    name = next(iter(TOOLS))
    line = json.dumps({"tool": name, "version": "9", "task": "alarm", "reached": False})
    gone = {"no such tool": {"version": "1", "tasks": {"alarm": True}}}
    assert merge(load_results() | gone, line) == load_results() | {
        name: {"version": "9", "tasks": {"alarm": False}}
    }


def test_tools_name_tasks_that_exist() -> None:
    for one in (*TOOLS.values(), *command_lists().values()):
        assert set(one.in_test) <= set(one.tasks) <= set(TASKS)
    assert not TOOLS.keys() & command_lists().keys()


@pytest.mark.parametrize("make", LISTS, ids=lambda make: make.__name__)
def test_a_list_without_marks_is_an_error(make: object) -> None:
    name = getattr(make, "__name__", "")
    page = PAGE.read_text(encoding="utf-8").replace(f"<!-- /{name} -->", "")
    with pytest.raises(ValueError, match=f"expected the marks of {name}"):
        with_lists(page, LISTS)
