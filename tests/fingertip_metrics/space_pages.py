"""Pages of metric Spaces, each in a process of its own: `python space_pages.py LOGS FOLDER...`.

Run by test_spaces.py. Every `app.py` runs in its folder as its Space runs it, but its process is forked from
this one after the imports, which take seconds. The output of FOLDER goes to LOGS/<name of FOLDER>.log, with
gradio's line that has the page's address. Runs until its process group is ended.
"""

from __future__ import annotations

import os
import runpy
import sys
import time
from pathlib import Path

import gradio  # noqa: F401 - in the venv of the Spaces only
import sklearn.feature_extraction.text  # noqa: F401


def run_page(folder: Path, log: Path) -> None:
    """Runs the page in this process, until it is ended."""
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.chdir(folder)
    sys.path[0], sys.argv = str(folder), ["app.py"]
    runpy.run_path("app.py", run_name="__main__")


def main(logs: Path, folders: list[Path]) -> None:
    """Starts the pages one after the other: each takes the first port that is free."""
    for folder in folders:
        log = logs / f"{folder.name}.log"
        page = os.fork()
        if not page:
            run_page(folder, log)
            os._exit(0)
        while not log.exists() or "Running on" not in log.read_text(encoding="utf-8"):
            if os.waitpid(page, os.WNOHANG) != (0, 0):
                sys.exit(f"{folder.name} has ended: {log.read_text(encoding='utf-8')}")
            time.sleep(0.05)
    os.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(folder) for folder in sys.argv[2:]])
