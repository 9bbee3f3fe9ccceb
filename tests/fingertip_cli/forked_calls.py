"""Runs commands in forks of one process, where packages of extras are hidden or the disk is full.

As a program it reads a JSON object from each line of stdin: `words` of a command, `limit`, the most bytes
that a file may get, or null, and `shown`, import names of hidden packages that this command finds. It prints
one JSON line each: words, code, stdout, stderr. HIDDEN_PACKAGES in the environment has the import names that
are not found, separated by commas.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

HIDDEN = set(os.environ.get("HIDDEN_PACKAGES", "").split(","))


class BaseFinder(PathFinder):
    """Finds no hidden package, as if it was not installed."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in HIDDEN:
            return None
        return super().find_spec(fullname, path, target)


def run(words: list[str], limit: int | None, shown: Sequence[str] = ()) -> dict[str, Any]:
    """Run a command in a fork; the answer has its exit code and streams."""
    from fingertip_cli.main import main

    pipes = [os.pipe() for _ in range(2)]
    child = os.fork()
    if child == 0:
        for number, (_, end) in enumerate(pipes, start=1):
            os.dup2(end, number)
        # those of the fork server are of files, and would seek
        sys.stdout, sys.stderr = (
            os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2)
        )
        HIDDEN.difference_update(shown)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        sys.argv, code = ["fingertip", *words], 1
        try:
            main()
        except SystemExit as stop:
            code = 0 if stop.code is None else stop.code if isinstance(stop.code, int) else 1
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    for _, end in pipes:
        os.close(end)
    with ThreadPoolExecutor() as pool:
        output, errors = pool.map(read, [start for start, _ in pipes])
    _, status = os.waitpid(child, 0)
    return {"words": words, "code": os.waitstatus_to_exitcode(status), "stdout": output, "stderr": errors}


def import_without_hidden() -> None:
    """Import our modules that need no hidden package; a fork fails at the others as a command alone would."""
    from tests.own_modules import own_modules

    for name in own_modules():
        with suppress(ImportError):
            import_module(name)
    gc.freeze()


def read(number: int) -> str:
    """The text of a pipe, up to its end."""
    with os.fdopen(number, encoding="utf-8") as stream:
        return stream.read()


if __name__ == "__main__":
    sys.meta_path[:] = [BaseFinder if finder is PathFinder else finder for finder in sys.meta_path]
    import_without_hidden()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(run(**json.loads(line))) + "\n")
        sys.stdout.flush()
