"""--json: which commands have it, that stdout holds one object, and that the page json.md has its members."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.command_line import fingertip
from tests.fingertip_cli.all_commands import all_commands, options_of
from tests.shared_datasets import simulated_people

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "json.md"

NO_TABLE = {
    "demo": "runs other commands",
    "report": "writes a page",
    "record": "asks questions",
    "completion": "prints a script",
}
"""Command that prints no table and no list -> what it does."""

ELSEWHERE = {
    "assist": "studies/tests/fingertip_studies/assist/test_assist.py has a run",
    "finetune": "studies/tests/fingertip_studies/commands/test_experiment_training.py trains",
    "review": "opens a page until a person ends it",
    "privacy review": "opens a page until a person ends it",
    "publish": "board/tests/fingertip_leaderboard/commands/test_publish.py has a Hub",
    "doctor": "tests/execution_runner/devices/test_doctor.py has phones",
    "privacy scan": "privacy/tests/fingertip_privacy has finds",
    "privacy redact": "privacy/tests/fingertip_privacy has finds",
}
"""Command that is not called here -> why."""


def documented() -> dict[str, set[str]]:
    """Command -> members of its object, from the tables of the page."""
    found: dict[str, set[str]] = {}
    name = ""
    for line in PAGE.read_text("utf-8").splitlines():
        if heading := re.fullmatch(r"## `fingertip ([a-z -]+)`", line):
            name = heading[1]
            found[name] = set()
        elif name and (row := re.match(r"\| ((?:`\w+`(?:, )?)+) \|", line)):
            found[name] |= set(re.findall(r"`(\w+)`", row[1]))
    return found


def test_every_command_that_prints_a_table_has_json_and_a_section() -> None:
    with_json = {name for name, command in all_commands() if "--json" in options_of(command)}
    assert with_json == {name for name, _ in all_commands()} - set(NO_TABLE)
    assert set(documented()) == with_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    folder: Path
    sample: Path
    dataset: Path

    def call(self, *words: object) -> tuple[dict[str, object], str]:
        """Calls a command with --json and returns its object, and what else it printed."""
        done = fingertip(words[0], "--json", *words[1:], cwd=self.folder)
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("\n") == 1, done.stdout
        found = json.loads(done.stdout)
        assert isinstance(found, dict)
        assert isinstance(found["version"], int)
        return found, done.stderr


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    people = simulated_people(tmp_path_factory)
    folder = tmp_path_factory.mktemp("json")
    found = Place(folder=folder, sample=people / "sample", dataset=people / "dataset")
    found.call("suggest", found.dataset, "--agent", "recent", "--out", "run")
    (folder / "results.csv").write_text(
        "original_intent,predicted_intent,time,token\n打开微信,打开微信,1,2\n", encoding="utf-8"
    )
    return found


CALLS: Sequence[tuple[str, ...]] = (
    ("tasks", "DATASET"),
    ("agents",),
    ("agents", "--model", "UI-TARS-2"),
    ("devices",),
    ("faults",),
    ("paper",),
    ("experiment",),
    ("check", "SAMPLE/raw", "--tables", "SAMPLE/tables"),
    ("build", "SAMPLE/raw", "--tables", "SAMPLE/tables", "--out", "built", "--workers", "1"),
    ("stats", "DATASET", "--out", "stats", "--queries", "2"),
    ("quality", "DATASET", "--read", "actions", "--workers", "1"),
    ("sample", "people", "--users", "1", "--episodes", "1", "--size", "270x600", "--workers", "1"),
    ("infer-intents", "DATASET", "--out", "inferred.jsonl"),
    ("suggest", "DATASET", "--agent", "recent", "--out", "run"),
    ("execute", "DATASET", "--agent", "imitate", "--device", "replay", "--limit", "1", "--out", "replayed"),
    ("phone", "--tasks", "DATASET", "--limit", "1", "--out", "attached", "--", "echo", "done"),
    ("score", "run", "--embedder", "lexical"),
    ("score-csv", "results.csv", "--embedder", "lexical"),
    ("export", "DATASET", "--track", "suggestion", "--format", "trl", "--out", "rows"),
    ("submit", "run", "--name", "a", "--contact", "a@b.org", "--embedder", "lexical", "--out", "bundles"),
    ("verify", "bundles/run", "--dataset", "DATASET"),
    ("leaderboard", "bundles", "--dataset", "DATASET", "--verify-only"),
    ("benchmark", "DATASET", "--agent", "recent", "--embedder", "lexical", "--out", "bench"),
    ("hidden-test", "--new-seed", "secret.txt"),
    ("install-metrics",),
)
"""Calls in an order in which each finds what it needs; SAMPLE and DATASET are replaced."""


def test_each_object_has_the_members_of_the_page(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_MODULES_CACHE", str(place.folder / "modules"))
    pages, members = documented(), {}
    for words in CALLS:
        name = words[0]
        given = [
            word.replace("SAMPLE", str(place.sample)).replace("DATASET", str(place.dataset)) for word in words
        ]
        found, notes = place.call(*given)
        members[name] = members.get(name, set()) | set(found) - {"version"}
        assert not notes.lstrip().startswith("{")
    assert members == {name: listed for name, listed in pages.items() if name not in ELSEWHERE}
