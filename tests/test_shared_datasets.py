"""The folders that test modules share: made once, and made again after a worker was killed half-way."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from tests.shared_datasets import built_sample, shared_folder


def test_a_folder_is_made_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    calls: list[Path] = []
    first = shared_folder(tmp_path_factory, f"once-{os.getpid()}", calls.append)
    assert shared_folder(tmp_path_factory, f"once-{os.getpid()}", calls.append) == first
    assert len(calls) == 1
    assert built_sample(tmp_path_factory) == built_sample(tmp_path_factory)


def test_a_folder_of_a_killed_worker_is_made_again(tmp_path_factory: pytest.TempPathFactory) -> None:
    name = f"killed-{os.getpid()}"

    def die(folder: Path) -> None:
        (folder / "half").write_bytes(b"")
        os.kill(os.getpid(), signal.SIGKILL)

    worker = multiprocessing.get_context("fork").Process(
        target=shared_folder, args=(tmp_path_factory, name, die)
    )
    worker.start()
    worker.join()
    assert worker.exitcode == -signal.SIGKILL
    folder = shared_folder(tmp_path_factory, name, lambda folder: (folder / "whole").write_bytes(b""))
    assert [path.name for path in folder.iterdir()] == ["whole"]


def test_a_folder_that_could_not_be_made_is_made_again(tmp_path_factory: pytest.TempPathFactory) -> None:
    name = f"failed-{os.getpid()}"
    with pytest.raises(FileNotFoundError):
        shared_folder(tmp_path_factory, name, lambda folder: (folder / "a" / "b").write_bytes(b""))
    assert shared_folder(tmp_path_factory, name, lambda folder: None).is_dir()
