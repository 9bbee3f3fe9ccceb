"""Runs `fingertip` in a separate process without the import time.

The processes are forked from one that has done the imports (`tests/command_preload.py`): exit codes, streams,
environment and working directory are those of a started program. Tests of signals, terminals and imports
start the installed script instead, as does at least one test of each command.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired

ROOT = Path(__file__).parents[1]
STREAMS = "stdout", "stderr"


def fingertip(
    *arguments: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 300,
) -> CompletedProcess[str]:
    """Runs `fingertip ARGUMENTS` to its end, as `subprocess.run` would.

    Args:
        arguments: Command-line arguments.
        cwd: Working directory; by default this process's.
        env: The whole environment; by default this process's.
        timeout: Seconds until the command is killed.
    """
    words = ["fingertip", *map(str, arguments)]
    with tempfile.TemporaryDirectory() as folder:
        process = started(*arguments, output=Path(folder), cwd=cwd, env=env)
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise TimeoutExpired(words, timeout)
        stdout, stderr = ((Path(folder) / name).read_text(encoding="utf-8") for name in STREAMS)
    return CompletedProcess(words, process.exitcode, stdout, stderr)


def started(
    *arguments: object, output: Path, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> BaseProcess:
    """Starts `fingertip ARGUMENTS`; its process writes the files `stdout` and `stderr` in `output`."""
    words = ["fingertip", *map(str, arguments)]
    given = (words, cwd or Path.cwd(), dict(env or os.environ), *(output / name for name in STREAMS))
    return forked(run_command, *given)


def forked(target: Callable[..., None], *arguments: object) -> BaseProcess:
    """Starts a function in a process that has done the imports."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.command_preload"])
    process = context.Process(target=target, args=arguments)
    process.start()
    return process


def run_command(words: list[str], cwd: Path, env: dict[str, str], stdout: Path, stderr: Path) -> None:
    """Runs the command in the forked process, with its streams redirected to files."""
    from fingertip_cli.main import main

    for number, path in ((1, stdout), (2, stderr)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(env)
    sys.path[:0] = [path for path in env.get("PYTHONPATH", "").split(os.pathsep) if path]
    os.chdir(cwd)
    sys.argv = words
    main()
