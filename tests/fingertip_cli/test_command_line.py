"""A killed test run leaves no forked command behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests import command_line

ROOT = Path(__file__).parents[2]

RUN = """
import time
from multiprocessing import get_context
from tests.command_line import run_bound

if __name__ == "__main__":
    process = get_context("forkserver").Process(target=run_bound, args=(time.sleep, 600))
    process.start()
    print(process.pid, flush=True)
    time.sleep(600)
"""


def test_a_command_in_this_process_leaves_its_words_folder_and_environment(tmp_path: Path) -> None:
    before = sys.argv, dict(os.environ), Path.cwd(), sys.stdout, sys.stderr
    done = command_line.fingertip("check", "nowhere", cwd=tmp_path, env={"PATH": "/usr/bin"})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("fingertip: expected the folder of a raw release, got nothing")
    assert (sys.argv, dict(os.environ), Path.cwd(), sys.stdout, sys.stderr) == before
