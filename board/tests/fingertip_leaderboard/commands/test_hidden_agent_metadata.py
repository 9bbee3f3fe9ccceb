"""Metadata of the package of an agent that a hidden test runs isolated."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_leaderboard.agent_process.sandbox import why_no_sandbox
from tests.command_line import fingertip


@pytest.mark.skipif(why_no_sandbox() is not None, reason="the system has no Landlock")
@pytest.mark.parametrize("metadata", ["", "Version: 1.0\n", f"Name: {'x' * 300}\nVersion: 1.0\n"])
def test_metadata_without_a_name_or_with_an_endless_one_are_one_line(metadata: str, tmp_path: Path) -> None:
    info = tmp_path / "agent" / "m-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    (info / "entry_points.txt").write_text("[fingertip.agents]\nmine = mine:Agent\n", encoding="utf-8")
    fingertip("hidden-test", "--new-seed", tmp_path / "secret")
    call = ("mine", "--agent-path", info.parent, "--seed-file", tmp_path / "secret", "--out", tmp_path / "o")
    done = fingertip("hidden-test", *call)
    assert done.returncode == 2
    assert "the metadata of the agent's package have no name and version" in done.stderr
    assert len(done.stderr.splitlines()) == 1
