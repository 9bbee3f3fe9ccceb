"""`fingertip experiment` as a user calls it: with a model behind a server, stopped, and called wrongly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fingertip_dataset.errors import FingerTipError, UsageError
from fingertip_studies.commands.experiment import command
from tests.shared_fixtures import OpenAIServer


def experiment(*arguments: object) -> None:
    command.main(args=[*map(str, arguments)], prog_name="experiment", standalone_mode=False)


@pytest.fixture
def model(openai_server: OpenAIServer) -> tuple[object, ...]:
    return ("--model", "tiny", "--base-url", openai_server.base_url, "--embedder", "lexical")


def test_without_a_name_experiments_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    experiment()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 17
    assert lines[2].startswith("figure-6a         Screenshots shown: ")
    assert lines[-1].endswith("(ours, not in the paper)")
    experiment("--json")
    listed = json.loads(capsys.readouterr().out)["experiments"]
    assert [(entry["name"], entry["track"]) for entry in listed][:2] == [
        ("figure-4", "dataset"),
        ("figure-5", "dataset"),
    ]


WRONG_CALLS = (
    ("table-99", "an experiment, one of figure-4"),
    ("table-3", "needs its DATASET"),
    ("table-3 nowhere", "needs its --out DIR"),
    ("table-3 nowhere --out OUT --embedder lexical", "`fingertip build` makes one"),
    ("table-3 HERE --embedder lexical --agent none", "got 'none'"),
    ("table-3 HERE --embedder lexical --agent model", "--model"),
    ("table-3 HERE --embedder lexical --judge=", "judge"),
    ("table-8 HERE --embedder lexical --split train", "not train"),
    ("figure-5 HERE --model x", "figure-5 takes no --model: "),
    (
        "table-7 HERE --agent habit --device replay",
        "table-7 takes no --agent, --device: it reads the dataset alone and runs no agent",
    ),
    ("--model x", "the list of experiments takes no --model: "),
    (
        "table-11 HERE --embedder lexical --model m --history-model p",
        "no cell of table-11 uses a history model",
    ),
    (
        "table-10 HERE --embedder lexical --history-model p",
        "--history-model picks earlier intents for a model",
    ),
    ("table-3 HERE --embedder lexical --limit 1 --sample 1", "--limit and --sample exclude each other"),
    ("table-3 HERE --embedder lexical --device simulated", "an experiment of track 1: leave out --device"),
    ("table-3 HERE --embedder lexical --split nothing", "expected a split, one of train"),
    (
        "table-3 HERE --embedder lexical --temperature 1 --no-cache",
        "table-3 takes no --temperature, --no-cache: only a model reads that, and no --model is given",
    ),
    ("table-3 HERE --embedder lexical --run nowhere", "no run: `fingertip suggest` or `fingertip execute`"),
    ("table-4 HERE", "table-4 needs runs: give --agent imitate and --device simulated"),
    ("table-13 HERE", "then rate the runs: fingertip review RUN RUN ... --rate"),
    ("table-4 HERE --agent imitate", "--agent and --device go together: give --device"),
    ("table-14 HERE --agent imitate --device simulated", "table-14 needs --judge"),
    ("table-4 HERE --judge lexical", "table-4 takes no judge: leave out --judge lexical"),
    ("table-4 HERE --split train", "table-4 needs split test_execution, got train"),
    ("table-4 HERE --model m", "--model needs an --agent that uses a model, one of aguvis"),
    (
        "table-4 HERE --agent autodroid --device replay --model m --adapter a",
        "--adapter needs --backend local",
    ),
    ("table-4 HERE --agent nobody --device simulated", "expected an agent, one of aguvis"),
    ("table-4 HERE --embedder lexical --run r", "table-4 takes no --embedder: only finished runs are"),
)


@pytest.mark.parametrize(("line", "words"), WRONG_CALLS, ids=[line for line, _ in WRONG_CALLS])
def test_a_wrong_call_is_one_line_and_leaves_no_table(
    line: str, words: str, sample: Path, tmp_path: Path
) -> None:
    out = str(tmp_path / "out")
    given = line.replace("HERE", "DATASET --out OUT").split()
    places = {"DATASET": str(sample), "OUT": out}
    with pytest.raises(FingerTipError) as caught:
        experiment(*(places.get(word, word) for word in given))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.rglob("table.*"))


def test_a_file_in_place_of_the_folder_is_an_error(sample: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="a file is there, and a folder is to be written"):
        experiment("table-3", sample, "--out", tmp_path / "out", "--embedder", "lexical")
