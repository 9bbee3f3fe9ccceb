"""`fingertip stats` as a user calls it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from tests.command_line import fingertip
from tests.shared_datasets import built_sample


def stats(*arguments: object) -> subprocess.CompletedProcess[str]:
    return fingertip("stats", *arguments)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_sample(tmp_path_factory)


def test_tables_are_printed_and_figures_written(dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "figures"
    done = stats(dataset, "--out", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Table 7, distinct episodes (sample data) (*as published)" in done.stdout
    assert "21,437" in done.stdout
    assert "same user, earlier" in done.stdout
    assert len(list(out.glob("*.png"))) == 9
    manifest = json.loads((dataset / "manifest.json").read_text(encoding="utf-8"))
    splits = pd.read_csv(out / "splits.csv").set_index("split")
    for split, counts in manifest["splits"].items():
        assert splits.loc[split, "episodes"] == counts["episodes"]
        assert splits.loc[split, "users"] == counts["users"]
        assert splits.loc[split, "apps"] == counts["apps"]
    assert splits.loc["all", "episodes"] == manifest["episodes"]["kept"]
    similarity = pd.read_csv(out / "action_similarity.csv").set_index(["pool", "measure"])
    assert similarity.loc[("same user, earlier", "whole sequence"), "mean"] > 0.5
    # where every user has the same mean there is no interval
    known = similarity.dropna(subset=["low", "high"])
    assert len(known) >= 4
    assert (known["low"] <= known["high"]).all()
    again = json.loads((out / "stats.json").read_text(encoding="utf-8"))
    assert (again["provenance"], again["data_sha256"]) == ("sample", manifest["data_sha256"])


@pytest.mark.parametrize("what", ["dataset", "out"])
def test_a_wrong_path_is_one_line(dataset: Path, tmp_path: Path, what: str) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    done = stats(
        file if what == "dataset" else dataset, "--out", tmp_path / "x" if what == "dataset" else file
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(
        ("fingertip: this is a file, not a built dataset: ", "fingertip: the folder ")
    )
    assert not (tmp_path / "x").exists()
