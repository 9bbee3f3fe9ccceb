"""`fingertip stats` as a user calls it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pandas as pd

from tests.command_line import fingertip


def stats(*arguments: object) -> subprocess.CompletedProcess[str]:
    return fingertip("stats", *arguments)


def test_tables_are_printed_and_figures_written(sample: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "figures"
    done = stats(sample, "--out", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Table 7, distinct episodes (sample data) (*as published)" in done.stdout
    assert "21,437" in done.stdout
    assert "same user, earlier" in done.stdout
    assert len(list(out.glob("*.png"))) == 9
    manifest = json.loads((sample / "manifest.json").read_text(encoding="utf-8"))
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
