"""Chance and tricks of `fingertip score` and `report`, as a user sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fingertip_agents import HabitBaseline
from suggestion_runner import run_suggestions
from tests.command_line import fingertip
from tests.shared_datasets import built_sample


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run of each track."""
    folder, dataset = tmp_path_factory.mktemp("tricks"), built_sample(tmp_path_factory)
    run_suggestions(dataset, HabitBaseline(), folder / "one")
    words = ("--agent", "imitate", "--device", "replay", "--out", folder / "two")
    done = fingertip("execute", dataset, *words)
    assert done.returncode == 0, done.stderr
    return {"one": folder / "one", "two": folder / "two"}


@pytest.mark.parametrize(
    ("name", "options", "tricks"),
    [
        ("one", ("--embedder", "lexical"), ("constant answer", "last intent", "frequent intent")),
        ("two", (), ("finished() alone", "half the person's way")),
    ],
)
def test_rows_stand_below_the_runs(
    runs: dict[str, Path], tmp_path: Path, name: str, options: tuple[str, ...], tricks: tuple[str, ...]
) -> None:
    run = runs[name]
    out = fingertip("score", run, *options, "--notes").stdout
    assert "chance and tricks" in out
    assert all(words.split()[0] in out for words in tricks)
    assert "Chance and tricks are no agents and have no rank" in out
    assert "chance and tricks" not in fingertip("score", run, *options, "--no-tricks").stdout
    content = json.loads(fingertip("score", run, *options, "--json").stdout)["runs"][0]
    assert [row["words"] for row in content["tricks"]["rows"]] == list(tricks)
    assert content["tricks"]["agents"] is False
    assert "tricks" not in json.loads((run / "scores.json").read_text(encoding="utf-8"))
    page = tmp_path / "report.html"
    done = fingertip("report", run, *options, "--out", page)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert text.count('<tr class="published">') == len(tricks)
    assert "碰运气与取巧" in text
