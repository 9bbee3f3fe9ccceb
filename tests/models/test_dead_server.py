"""A real server that is killed in the middle of a run: one line, and the same call goes on."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from suggestion_runner import read_predictions, read_run
from tests import command_line
from tests.models.conftest import serve_llama
from tests.shared_datasets import simulated_people

pytestmark = [pytest.mark.models]

TASKS = 4


def test_a_run_goes_on_after_its_server_died(
    gguf: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    dataset, out = simulated_people(tmp_path_factory) / "dataset", tmp_path / "run"

    def suggest(url: str) -> CompletedProcess[str]:
        return command_line.fingertip(
            "suggest", dataset, "--agent", "model", "--model", "smol", "--base-url", url, "--out", out,
            "--limit", TASKS, "--history", "none", "--max-tokens", "12", "--concurrency", "1",
            "--language", "en", "--timeout", "600", "--keep-going",
        )  # fmt: skip

    with serve_llama(gguf, context=4096) as server:
        port = int(server.address.rpartition(":")[2])

        def kill_after_an_answer() -> None:
            log = out / "predictions.jsonl"
            while not (log.is_file() and log.stat().st_size):
                time.sleep(0.05)
            server.kill()

        killer = threading.Thread(target=kill_after_an_answer)
        killer.start()
        broken = suggest(server.url)
        killer.join()
    assert broken.returncode == 2
    last = broken.stderr.strip().splitlines()[-1]
    assert last.startswith("fingertip: smol at http://127.0.0.1:")
    assert "did not answer: a connection error" in last
    assert "the same call resumes from here" in last
    done = [line for line in read_predictions(out) if not line.failed]
    tasks = read_run(out).tasks
    assert 0 < len(done) < tasks
    with serve_llama(gguf, context=4096, port=port) as again:
        finished = suggest(again.url)
    assert finished.returncode == 0, finished.stderr
    assert len([line for line in read_predictions(out) if not line.failed]) == tasks
    sessions = read_run(out).sessions
    assert [session.software["weights"] for session in sessions] == ["Q4_1", "Q4_1"]
