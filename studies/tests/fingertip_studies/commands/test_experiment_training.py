"""`fingertip experiment` for tables 5, 8 and 9: trains a tiny model, tests it, and repeats nothing."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset.errors import FingerTipError, UsageError
from fingertip_models.checkpoint import hash_folder
from fingertip_studies.commands.experiment import command
from tests.phone_bench import adb_port  # noqa: F401 - a fixture

pytestmark = pytest.mark.early

SMALL = ("max_steps=1", "batch_size=1", "learning_rate=2e-2", "checkpoints=1", "gradient_checkpointing=off")
CALL = (
    "--agent", "autodroid", "--max-tokens", 2, "--embedder", "lexical", "--judge", "lexical",
    *(part for line in SMALL for part in ("--set", line)),
)  # fmt: skip


@pytest.fixture(scope="module")
def base(text_model: Path) -> Path:
    return text_model


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("experiments")


def experiment(*arguments: object) -> None:
    command.main(args=[*map(str, arguments)], prog_name="experiment", standalone_mode=False)


def in_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    capsys.readouterr()
    experiment(*arguments, "--json")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def record(run: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(run) / "run.json").read_text())
    return found


def without_digest(names: list[str]) -> list[str]:
    return [name.rpartition("-")[0] for name in names]


@pytest.mark.soak
def test_tables_5_9_and_8_share_trainings_and_runs(
    people: Path, base: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = (*CALL, "--episodes", 3, "--device", "replay", "--limit", 1)
    call = ("table-5", people, "--base", base, "--out", out, *one)
    first = in_json(capsys, *call)
    sizes = ("3-r4", "3-r64", "all-r4", "all-r64")
    names = [f"{track}-{size}" for size in sizes for track in ("suggestion", "execution")]
    assert without_digest(first["trained"]) == names
    assert len(first["tested"]) == 10
    _check_table_5(first, out)
    _check_second_call(call, first, capsys)
    _check_table_9(("table-9", people, "--base", base, "--out", out, *one), first, capsys)


def _check_table_5(found: dict[str, Any], out: Path) -> None:
    labels = ["base", "1k-r4 (3 episodes)", "1k-r64 (3 episodes)", "all-r4", "all-r64"]
    assert [row["cell"] for row in found["rows"]] == labels
    for row in found["rows"]:
        assert {row["kind"], row["n"], row["execution_tasks"]} == {"measured", 1}
        assert None not in (row["sim1"], row["sr1"], row["sim2"])
        assert row["sr2"] is None  # nothing is carried out on recorded episodes
        assert "the data were not recorded from people" in row["remark"]
        assert "is replay" in row["remark"] or "replay of recorded episodes" in row["remark"]
    small, everything = found["rows"][1], found["rows"][3]
    assert "3 of 8 training episodes: the paper's model has 1,000 of 16,000" in small["remark"]
    assert "all 8 training episodes: the paper's are 16,000" in everything["remark"]
    assert "max_steps 1" in small["remark"]
    assert "training" not in found["rows"][0]["remark"]
    assert any(note.startswith("7 of 7 published rows of table 5") for note in found["notes"])
    with (out / "table-5" / "table.csv").open(encoding="utf-8") as file:
        assert [row["cell"] for row in csv.DictReader(file)] == labels
    assert "| 1k-r64 (3 episodes) |" in (out / "table-5" / "table.md").read_text("utf-8")


def _check_second_call(
    call: tuple[object, ...], first: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    written = {run: (Path(run) / "run.json").stat().st_mtime_ns for run in first["runs"]}
    again = in_json(capsys, *call, "--published")
    assert (again["trained"], again["tested"]) == ([], [])
    assert again["rows"] == first["rows"]
    assert {run: (Path(run) / "run.json").stat().st_mtime_ns for run in first["runs"]} == written
    apart = {row["name"]: row["values"] for row in again["published_in_another_setting"]}
    assert apart["Qwen-2.5-VL-7B-FT-all-r64"]["sr1"] == 26.0
    experiment(*call, "--plan")
    printed = capsys.readouterr().out
    assert "trainings: 8 of 8 finished" in printed
    assert "runs: 10 of 10 finished" in printed


def _check_table_9(
    call: tuple[object, ...], first: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    found = in_json(capsys, *call)
    assert without_digest(found["trained"]) == ["joint-3-r4"]
    crossed = [
        "execution-by-suggestion-3-r4", "suggestion-by-execution-3-r4", "suggestion-by-joint-3-r4",
        "execution-by-joint-3-r4",
    ]  # fmt: skip
    assert without_digest(found["tested"]) == crossed
    adapters = {Path(folder).name.partition("-")[0]: Path(folder) for folder in found["adapters"]}
    assert adapters["suggestion"].name in {Path(folder).name for folder in first["adapters"]}
    for run in found["runs"]:
        tested, _, by = Path(run).name.partition("-by-")
        settings = record(run)["agent"]["settings"]
        trained = by.partition("-")[0]
        assert record(run)["track"] == tested
        if trained == base_name(found):
            assert "adapter_identity" not in settings
            continue
        assert settings["adapter_identity"] == hash_folder(adapters[trained])
        assert settings["trained_on"] == (["suggestion", "execution"] if trained == "joint" else [trained])


def base_name(found: dict[str, Any]) -> str:
    names = {Path(run).name.partition("-by-")[2].partition("-")[0] for run in found["runs"]}
    (name,) = names - {"suggestion", "execution", "joint"}
    return name


def test_a_plan_warns_of_a_phone_that_is_not_connected(
    people: Path,
    base: Path,
    adb_port: int,  # noqa: F811 - the fixture
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb_port))
    call = ("table-8", people, "--base", base, "--out", tmp_path, *CALL)
    experiment(*call, "--plan", "--device", "R58M", "--device", "R59M")
    printed = capsys.readouterr()
    assert "trainings: 0 of 2 finished" in printed.out
    warnings = printed.err.splitlines()
    for serial, warning in zip(("R58M", "R59M"), warnings, strict=True):
        start = f"warning: the runs of track 2 cannot start yet: no phone {serial} is connected"
        assert warning.startswith(start)


@pytest.mark.parametrize("name", ["table-5", "table-8", "table-9"])
def test_a_plan_needs_no_model_and_no_network(
    name: str,
    people: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No library of models can be imported, no host reached, and nobody has the base."""

    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    for module in ("torch", "transformers", "trl", "peft"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr("socket.socket.connect", refuse)
    out = tmp_path / "out"
    call = (name, people, "--out", out, "--plan", "--device", "replay")
    plan = in_json(capsys, *call, "--base", "nobody/has-this-model")
    assert (plan["base"], plan["base_identity"]) == ("nobody/has-this-model", "not known")
    assert {part["state"] for part in (*plan["trainings"], *plan["runs"])} == {"to do"}
    assert all("--base nobody/has-this-model" in part["command"] for part in plan["trainings"])
    assert not out.exists()
    # without --base it is of the paper's
    experiment(*call)
    printed = capsys.readouterr().out
    assert "base Qwen/Qwen2.5-VL-7B-Instruct" in printed
    assert f"trainings: 0 of {len(plan['trainings'])} finished" in printed


def test_what_cannot_be_trained_is_told_in_one_line(people: Path, base: Path, tmp_path: Path) -> None:
    def refused(*arguments: object, name: str = "table-5", out: Path = tmp_path / "out") -> str:
        with pytest.raises(FingerTipError) as error:
            experiment(name, people, "--out", out, *arguments)
        assert "\n" not in error.value.message
        assert not out.exists()
        return error.value.message

    assert "table-5 trains models: give --base" in refused()
    assert "takes no pictures" in refused("--base", base)
    assert "is no folder, and no name on the Hub: give" in refused("--base", tmp_path / "missing")
    call = ("--base", base, *CALL)
    assert "8 training episodes, too few for --episodes 9" in refused(*call, "--episodes", 9)
    assert "table-8 takes no --episodes" in refused(*call, "--episodes", 4, name="table-8")
    assert "the rank is the cell's own" in refused(*call, "--set", "rank=8")
    assert "table-5 takes no --model" in refused(*call, "--model", "x")
    assert "table-3 takes no --base: it trains no model" in refused("--base", base, name="table-3")
    assert "one --agent, of track 2" in refused(*call, "--agent", "generalist")
    with pytest.raises(UsageError, match="expected an --agent that uses a model on track 2"):
        experiment("table-9", people, "--out", tmp_path, "--base", base, "--agent", "habit")
