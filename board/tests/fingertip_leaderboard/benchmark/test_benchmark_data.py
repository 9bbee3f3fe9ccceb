"""The dataset of a benchmark: found, refused with the reason, or made, also in several calls."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.benchmark.benchmark_data import (
    BenchmarkData,
    choose_place,
    count_tasks,
    find_published,
    find_quick,
    make_data,
)
from fingertip_recorder.published_sample import NAME, PUBLISHED
from tests.shared_datasets import simulated_people

SMALL = replace(PUBLISHED, users=2, episodes=3, screen=(270, 600))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


def test_a_folder_of_the_name_with_other_people_is_not_used(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out, lines = tmp_path / "models" / "one", list[str]()
    assert find_published(out, lines.append) is None
    assert lines == []
    shutil.copytree(dataset, tmp_path / NAME)
    (tmp_path / "models" / NAME).mkdir(parents=True)
    assert find_published(out, lines.append) is None
    assert lines[0].startswith("not used: ")
    assert lines[1] == f"{tmp_path / NAME} is not used: it has other people or other tasks"
    assert choose_place(out, NAME) == out / NAME, "the place beside it is taken"
    assert choose_place(tmp_path / "elsewhere" / "one", NAME) == tmp_path / "elsewhere" / NAME
    assert find_quick(out) is None


def test_what_this_version_made_in_its_place_is_used_again(dataset: Path, tmp_path: Path) -> None:
    manifest = BuiltDataset.open(dataset).manifest
    assert manifest.people is not None
    users = manifest.people.users
    own = replace(PUBLISHED, users=users, episodes=manifest.episodes.given // users)
    shutil.copytree(dataset, tmp_path / NAME)
    found = find_published(tmp_path / "out", lambda line: None, own)
    assert found is not None
    assert found.path == tmp_path / NAME
    assert found.difference == "it has other people or other tasks"


def test_recorded_people_are_no_published_ones(sample: Path) -> None:
    assert BenchmarkData.open(sample).difference == "its people are not simulated"
    counts = count_tasks(BuiltDataset.open(sample), ("test_suggestion", "nowhere"))
    assert counts["test_suggestion"] > 0
    assert counts["nowhere"] == 0


MAKE = """\
import sys
from dataclasses import replace
from pathlib import Path
from fingertip_leaderboard.benchmark.benchmark_data import make_data
from fingertip_recorder.published_sample import PUBLISHED
size = replace(PUBLISHED, users=2, episodes=3, screen=(270, 600))
make_data(Path(sys.argv[1]), size, workers=1, notify=print, on_progress=lambda *done: None)
"""


@pytest.mark.install
def test_making_is_gone_on_with_after_kills_at_any_moment(tmp_path: Path) -> None:
    whole = make_data(
        tmp_path / "whole", SMALL, workers=1, notify=lambda line: None, on_progress=lambda *done: None
    )
    assert not (tmp_path / "whole-people").exists()
    place, kills, patience = tmp_path / "killed", 0, 1.0
    while not (place / "manifest.json").exists():
        with subprocess.Popen([sys.executable, "-c", MAKE, str(place)], start_new_session=True) as process:
            deadline = time.monotonic() + patience
            while process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                kills += 1
            else:
                assert process.returncode == 0
        patience += 0.7
    assert kills
    assert BenchmarkData.open(place).built.manifest.data_sha256 == whole.built.manifest.data_sha256
