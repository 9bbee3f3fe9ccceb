"""`fingertip demo` as a new user runs it: installed from the wheels, offline, twice, in an empty folder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests import command_line, wheel_install

pytestmark = pytest.mark.early

ORDER = ("demo", "--users", "2", "--episodes", "5")


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the packages of `pip install 'fingertip-20k[demo]'` and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    wheels = [wheel_install.built_wheel(name, tmp_path_factory) for name in wheel_install.SOURCES]
    wheel_install.install("fingertip-20k[demo]", folder, *wheels)
    return folder


@pytest.fixture(scope="module")
def first(folder: Path, installed: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        wheel_install.command(installed, "fingertip_cli.main", *ORDER, "--ways", "4"),
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=500,
    )


def test_demo_ends_in_two_pages(first: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert first.returncode == 0, first.stderr
    pages = [folder / "fingertip-demo" / name for name in ("report.html", "execution.html")]
    assert all(page.is_file() for page in pages)
    assert first.stdout.rstrip().endswith(" and ".join(map(str, pages)))


def test_demo_shows_counts_splits_and_the_scores_of_both_tracks(
    first: subprocess.CompletedProcess[str],
) -> None:
    for words in (
        "given 10 = kept 10 + rejected 0",
        "6 rows, 16 columns",
        "Sim_1 [95 %]",
        "Sim_2 [95 %]",
        "SR_2 % [95 %]",
        "Success: 2 by rule.",
    ):
        assert words in first.stdout


def test_demo_says_that_it_is_simulated(first: subprocess.CompletedProcess[str]) -> None:
    assert "Not comparable with the paper: provenance simulated" in first.stdout
    assert "Not comparable with the paper: simulated phone" in first.stdout
    assert "(simulated data)" in first.stdout


def test_recorded_episodes_are_replayed(first: subprocess.CompletedProcess[str]) -> None:
    assert "4 of 4 reach the user's goal (by rule; simulated)" in first.stdout


@pytest.mark.soak
def test_demo_again_reuses_existing_output(first: subprocess.CompletedProcess[str], folder: Path) -> None:
    again = command_line.fingertip(*ORDER, "--ways", "1", cwd=folder, env=environment(folder), timeout=500)
    assert again.returncode == 0, again.stderr
    assert again.stdout.count("finished before, 2 of 2 tasks") == 3
    assert "$ fingertip sample" not in again.stdout
