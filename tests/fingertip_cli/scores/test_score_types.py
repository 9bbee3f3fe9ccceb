"""`fingertip score --also-types`, as a user calls it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.command_line import fingertip
from tests.shared_datasets import built_sample


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's dataset, a run of track 2 on its recorded episodes, and one of track 1."""
    folder = tmp_path_factory.mktemp("sample")
    (folder / "data").symlink_to(built_sample(tmp_path_factory))
    for words in (
        ("execute", "data", "--agent", "imitate", "--device", "replay", "--out", "two"),
        ("suggest", "data", "--agent", "habit", "--out", "one"),
    ):
        done = fingertip(*words, cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


def test_rows_stand_below_the_main_table_and_change_nothing_else(folder: Path) -> None:
    plain = fingertip("score", "two", "--notes", cwd=folder)
    written = (folder / "two" / "scores.json").read_bytes()
    done = fingertip("score", "two", "--also-types", "age, sex,behaviour,any", "--notes", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(plain.stdout)
    rows = done.stdout.removeprefix(plain.stdout)
    assert rows.startswith("Sim_2 with people put into types in other ways (not in the paper)")
    assert [line for line in rows.splitlines() if line.startswith("sex: ")] == [
        "sex: as in the profile (users: 2 of type female, 2 of type male)."
    ]
    assert (folder / "two" / "scores.json").read_bytes() == written


def test_json_has_the_definitions(folder: Path) -> None:
    done = fingertip("score", "two", "--also-types", "age,any", "--json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    (output,) = json.loads(done.stdout)["runs"]
    age, anyone = output["also_types"]
    assert (age["types"], anyone["types"]) == ("age", "any")
    assert age["sim2"] == age["own_sim2"] == output["sim2"]
    assert anyone["n"] == output["n"] == len(anyone["per_item"])
    done = fingertip("score", "two", "--json", cwd=folder)
    assert "also_types" not in json.loads(done.stdout)["runs"][0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("two", "--also-types", "sexes"),
            "expected a definition of the user types, one of age, sex, behaviour, any",
        ),
        (("two", "--also-types", "sex,"), "expected a definition of the user types, one of age, sex"),
        (("one", "--also-types", "sex", "--embedder", "lexical"), "--also-types is for runs of track 2"),
        (("moved", "--also-types", "sex"), "further user types need the run's dataset: no built dataset"),
    ],
)
def test_a_wrong_call_prints_one_line(folder: Path, words: tuple[str, ...], message: str) -> None:
    moved = folder / "moved"
    if not moved.exists():
        shutil.copytree(folder / "two", moved)
        record = json.loads((moved / "run.json").read_text(encoding="utf-8"))
        record["dataset"]["path"] = "elsewhere"
        (moved / "run.json").write_text(json.dumps(record), encoding="utf-8")
    done = fingertip("score", *words, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
