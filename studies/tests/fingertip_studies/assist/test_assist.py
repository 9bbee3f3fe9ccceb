"""Predict, then execute, on simulated phones; the commands of docs/reference/assist.md run, too."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from execution_runner import read_attempts, read_run
from fingertip_cli.main import cli
from fingertip_dataset import BuiltDataset
from fingertip_dataset.errors import FingerTipError
from tests.command_line import fingertip
from tests.shared_datasets import simulated_people

ROOT = Path(__file__).parents[4]
PAGE = ROOT / "docs" / "reference" / "assist.md"
PREDICTED = ("--suggester", "habit", "--executor", "imitate", "--split", "vali")


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `assist-data`, and in `assisted` what the call of the page writes."""
    folder = tmp_path_factory.mktemp("assist")
    (folder / "assist-data").symlink_to(simulated_people(tmp_path_factory) / "dataset")
    assist(folder, *PREDICTED, "--out", folder / "assisted")
    return folder


def assist(work: Path, *options: object) -> None:
    cli.main(["assist", str(work / "assist-data"), *map(str, options)], standalone_mode=False)


@pytest.mark.install
def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    (block,) = re.findall(r"```bash\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for line in block.splitlines():
        done = fingertip(*shlex.split(line)[1:], cwd=tmp_path)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
    assert any(task["done"] for task in result(tmp_path / "assisted")["tasks"])


def result(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "assist.json").read_text("utf-8"))
    return found


def test_every_task_is_in_every_mean(work: Path) -> None:
    found = result(work / "assisted")
    tasks = found["tasks"]
    rows = {row["episode_id"]: row["intent"] for row in BuiltDataset.open(work / "assist-data").rows("vali")}
    assert {task["task_id"]: task["intent"] for task in tasks} == rows
    for name in ("accepted", "right", "carried_out", "done"):
        assert found[name]["mean"] == pytest.approx(sum(map(bool, (t[name] for t in tasks))) / len(tasks))
        assert found[name]["n"] == len(tasks)
    assert found["sim2"]["mean"] == pytest.approx(sum(task["sim2"] for task in tasks) / len(tasks))
    accepted = [task for task in tasks if task["accepted"]]
    assert 0 < len(accepted) < len(tasks)
    # the judge knows what was wanted: what is carried out is done, but for the step limit
    assert all(task["right"] for task in accepted)
    assert all(task["carried_out"] for task in tasks if task["done"])
    assert any(task["done"] for task in tasks)
    assert all(not task["outcome"] and task["sim2"] == 0 for task in tasks if not task["accepted"])


def test_an_executor_gets_the_suggestion_and_the_reference_for_it(work: Path) -> None:
    run, tasks = work / "assisted" / "execution", result(work / "assisted")["tasks"]
    assert read_run(run).intents.startswith("suggestions of habit accepted by judge simulated (goal and case")
    intents = {
        row["episode_id"]: row["intent"]
        for split in ("train", "vali", "test_suggestion", "test_execution")
        for row in BuiltDataset.open(work / "assist-data").rows(split)
    }
    suggestions = {task["task_id"]: task["suggestion"] for task in tasks}
    for attempt in read_attempts(run):
        # habit suggests what was wanted before, in the very words: that episode is the most similar one
        assert attempt.end.reference_id is not None
        assert intents[attempt.end.reference_id] == suggestions[attempt.end.task_id]


def test_the_same_call_goes_on_and_prints_json(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (work / "assisted" / "execution" / "steps.jsonl").read_bytes()
    assist(work, *PREDICTED, "--out", work / "assisted", "--json")
    printed, kept = json.loads(capsys.readouterr().out), result(work / "assisted")
    assert printed["tasks"] == kept["tasks"]
    assert printed["settings"] == kept["settings"]
    assert (work / "assisted" / "execution" / "steps.jsonl").read_bytes() == before


def test_no_board_takes_the_run(work: Path, tmp_path: Path) -> None:
    who = ("--name", "x", "--contact", "https://example.org", "--out", str(tmp_path / "bundle"))
    with pytest.raises(FingerTipError, match="not the people's own intents: no board ranks it"):
        cli.main(["submit", str(work / "assisted" / "execution"), *who], standalone_mode=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "give either --suggester NAME or --suggestions RUN"),
        (("--suggester", "habit", "--suggestions", "RUN"), "give either --suggester NAME or"),
        (("--suggester", "model"), "the suggester model needs a model"),
        (("--suggester", "habits"), "habit"),
        (("--suggestions", "EXECUTION"), "run"),
        (("--suggester", "habit", "--device", "replay"), "on simulated phones only, not on replay"),
        (("--suggester", "habit", "--model", "gpt"), "--model"),
        (("--suggestions", "RUN", "--split", "train"), "the run is of split vali, not train"),
        (("--suggester", "habit", "--executor", "imitat"), "did you mean imitate?"),
    ],
)
def test_a_wrong_call_is_one_line_before_anything_is_predicted(
    work: Path, options: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    runs = {"RUN": work / "assisted" / "suggestions", "EXECUTION": work / "assisted" / "execution"}
    with pytest.raises(FingerTipError) as caught:
        assist(
            work,
            "--executor",
            "imitate",
            *(runs.get(word, word) for word in options),
            "--out",
            tmp_path / "o",
        )
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "o").exists()
