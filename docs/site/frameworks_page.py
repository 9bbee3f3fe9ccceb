"""The tables of docs/developers/frameworks.md, from what the tests in phone/tests/frameworks measured.

python -m docs.site.frameworks_page [RESULTS.jsonl]

writes them again; with results of a run of `make frameworks` these replace the earlier ones of their tools.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docs.site.page_lists import with_lists
from phone.tests.frameworks.replay import command_lists
from phone.tests.frameworks.scripted import TASKS
from phone.tests.frameworks.tools import TOOLS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "developers" / "frameworks.md"
RESULTS = ROOT / "phone" / "tests" / "frameworks" / "results.json"
SUITES = ROOT / "phone" / "tests" / "frameworks" / "suites" / "results.json"

Results = dict[str, dict[str, Any]]
"""A tool's name -> {"version": str, "tasks": {a task's name: whether its state was reached}}."""


def load_results() -> Results:
    """The results that are kept beside the tests."""
    results: Results = json.loads(RESULTS.read_text(encoding="utf-8"))
    return results


def merge(results: Results, lines: str) -> Results:
    """Results with those of a run (JSONL); tools that are no longer tested are dropped."""
    measured: Results = {}
    for line in map(json.loads, lines.splitlines()):
        tool = measured.setdefault(line["tool"], {"version": line["version"], "tasks": {}})
        tool["tasks"][line["task"]] = line["reached"]
    merged = results | measured
    return {name: merged[name] for name in sorted(expected_tasks(), key=str.casefold) if name in merged}


def expected_tasks() -> dict[str, tuple[str, ...]]:
    """Every tool and controller that is tested -> names of its tasks."""
    lists = {name: one.tasks for name, one in command_lists().items()}
    return {name: tool.tasks for name, tool in TOOLS.items()} | lists


def tasks() -> str:
    """A table of the scripted tasks."""
    lines = [f"| {task.name} | {task.words} | `{task.package}` |" for task in TASKS.values()]
    return "\n".join(["| task | what is asked | app |", "|---|---|---|", *lines])


def tools() -> str:
    """A table of the tools, with what they carried out."""
    results = load_results()
    rows = [
        f"| {name} | {results[name]['version']} | {TOOLS[name].calls} | {_outcome(results[name]['tasks'])} |"
        for name in results
        if name in TOOLS
    ]
    return "\n".join(["| tool | version | calls | tasks |", "|---|---|---|---|", *rows])


def controllers() -> str:
    """A table of the replayed controllers, with what they carried out."""
    results, lists = load_results(), command_lists()
    rows = [
        f"| {name} | [{lists[name].repository}](https://github.com/{lists[name].repository}), "
        f"{results[name]['version']} | {lists[name].note} | {_outcome(results[name]['tasks'])} |"
        for name in results
        if name in lists
    ]
    return "\n".join(["| controller | source | what it does | tasks |", "|---|---|---|---|", *rows])


def _outcome(tasks: Mapping[str, bool]) -> str:
    words = {True: "reached", False: "**not reached**"}
    parts = [
        f"{', '.join(name for name in TASKS if tasks.get(name) is reached)}: {word}"
        for reached, word in words.items()
        if reached in tasks.values()
    ]
    return "; ".join(parts)


def suites() -> str:
    """A table of the clients' own test suites: how many tests passed, and why others cannot."""
    rows = []
    for name, row in json.loads(SUITES.read_text(encoding="utf-8")).items():
        reasons = [f"{count}: {reason}" for reason, count in row["excused"].items()]
        if row["unexplained"]:
            reasons.append(f"**{len(row['unexplained'])} without a reason**")
        rows.append(
            f"| {name} | [{row['repository']}](https://github.com/{row['repository']}), {row['commit']} | "
            f"{row['run']} | {row['passed']} | {'<br>'.join(reasons)} |"
        )
    return "\n".join(["| client | suite of | run | passed | others |", "|---|---|---|---|---|", *rows])


LISTS = (tasks, tools, controllers, suites)


if __name__ == "__main__":
    if sys.argv[1:]:
        merged = merge(load_results(), Path(sys.argv[1]).read_text(encoding="utf-8"))
        RESULTS.write_text(json.dumps(merged, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(with_lists(PAGE.read_text(encoding="utf-8"), LISTS), encoding="utf-8")
