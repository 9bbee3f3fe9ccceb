"""Run by test_base_install.py: commands as after `pip install fingertip-20k`, without any extra.

The packages of the extras are hidden from imports, and adb from the PATH. Each command runs in a fork of this
process, as a line of JSON on stdin says: its words. Prints one JSON line each: words, code, stdout, stderr.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

HIDDEN = frozenset(os.environ["HIDDEN_PACKAGES"].split(","))


class BaseFinder(PathFinder):
    """Finds no hidden package, as if it was not installed."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in HIDDEN:
            return None
        return super().find_spec(fullname, path, target)


sys.meta_path[:] = [BaseFinder if finder is PathFinder else finder for finder in sys.meta_path]


def run(words: list[str]) -> dict[str, object]:
    """Run a command in a fork; the answer has its exit code and streams."""
    from fingertip_cli.main import main

    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("stdout", "stderr")]
        child = os.fork()
        if child == 0:
            for number, file in enumerate(files, start=1):
                os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
            sys.argv = ["fingertip", *words]
            code = 1
            try:
                main()
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else 1
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        output, errors = (file.read_text(encoding="utf-8") for file in files)
    return {"words": words, "code": os.waitstatus_to_exitcode(status), "stdout": output, "stderr": errors}


if __name__ == "__main__":
    import suggestion_runner.suggestion_run  # noqa: F401

    for line in sys.stdin:
        sys.stdout.write(json.dumps(run(json.loads(line))) + "\n")
        sys.stdout.flush()
