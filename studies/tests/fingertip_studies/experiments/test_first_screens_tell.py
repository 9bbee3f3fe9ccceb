"""Figure 6a on simulated people: the first screen tells the app to an agent that looks at it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fingertip_cli.main import cli

pytestmark = pytest.mark.install


def call(*arguments: object) -> str:
    done = CliRunner().invoke(cli, [*map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_an_agent_without_a_model_rises_with_the_first_screen(tmp_path: Path) -> None:
    people, dataset = tmp_path / "people", tmp_path / "dataset"
    call("sample", people, "--users", 4, "--episodes", 30, "--seed", 5, "--size", "360x800")
    call("build", people / "raw", "--tables", people / "tables", "--out", dataset)
    scored = ("--embedder", "lexical", "--judge", "simulated", "--split", "vali")
    text = call("experiment", "figure-6a", dataset, *scored, "--out", tmp_path / "out", "--json")
    shares = {(row["agent"], row["cell"]): row["sr1"] for row in json.loads(text)["rows"]}
    # without a screen it answers as the habit does
    assert shares["first-screen", "0"] == shares["habit", "0"]
    assert shares["first-screen", "1"] > shares["first-screen", "0"] + 0.05
    assert shares["first-screen", "3"] >= shares["first-screen", "1"]
    assert len({shares["habit", str(screens)] for screens in range(4)}) == 1
