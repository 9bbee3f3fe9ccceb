"""Runs `fingertip` in this process, or in one that is forked from a process that has done the imports.

A command sees its own words, streams, environment and working directory, as a started program would. It is
forked (`tests/command_preload.py`) where this process cannot take its place: another environment of the Hub's
client, which reads it on import, a thread, or an event loop that is running. Tests of signals, terminals and
imports start the installed script instead, as does at least one test of each command.
"""

from __future__ import annotations

import asyncio
import io
import os
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
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
        timeout: Seconds until a forked command is killed.
    """
    words = ["fingertip", *map(str, arguments)]
    with tempfile.TemporaryDirectory() as folder:
        if _must_fork(env):
            code = _run_forked(words, Path(folder), cwd, env, timeout)
        else:
            code = _run_here(words, Path(folder), cwd, env)
        stdout, stderr = ((Path(folder) / name).read_text(encoding="utf-8") for name in STREAMS)
    return CompletedProcess(words, code, stdout, stderr)


def list_ends(log: str) -> list[str]:
    r"""The first and the last count of each stage of a log; those between come by time, on a busy machine.

    >>> list_ends("users 0/2\nusers 1/2, 5.1 per min, 12 s left\nusers 2/2, 24 s in all\n")
    ['users 0/2', 'users 2/2']
    """
    stages: dict[str, list[str]] = {}
    for line in log.splitlines():
        count = line.partition(",")[0]
        stages.setdefault(count.rpartition(" ")[0], []).append(count)
    return [end for counts in stages.values() for end in (counts[0], counts[-1])]


def _must_fork(env: Mapping[str, str] | None) -> bool:
    given = os.environ if env is None else env
    changed = set(given.items()) ^ set(os.environ.items())
    return (
        any(name.startswith("HF_") for name, _ in changed)
        or not _search_path(given) <= set(sys.path)
        or threading.current_thread() is not threading.main_thread()
        or asyncio._get_running_loop() is not None
    )


def _search_path(env: Mapping[str, str]) -> set[str]:
    return set(filter(None, env.get("PYTHONPATH", "").split(os.pathsep)))


def _run_forked(
    words: list[str], folder: Path, cwd: Path | None, env: Mapping[str, str] | None, timeout: float
) -> int:
    process = started(*words[1:], output=folder, cwd=cwd, env=env)
    process.join(timeout)
    if process.exitcode is None:
        process.kill()
        process.join()
        raise TimeoutExpired(words, timeout)
    return process.exitcode


def _run_here(words: list[str], folder: Path, cwd: Path | None, env: Mapping[str, str] | None) -> int:
    from fingertip_cli.main import main

    with _redirect_streams(folder), _replace_state(words, cwd, env), warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            main()
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else 0
        except Exception:
            sys.excepthook(*sys.exc_info())
            return 1
        return 0


@contextmanager
def _redirect_streams(folder: Path) -> Iterator[None]:
    """Send the streams to files, those of processes that the command starts too."""
    kept = sys.stdout, sys.stderr
    copies = [os.dup(number) for number in (1, 2)]
    try:
        for number, name in enumerate(STREAMS, start=1):
            _redirect(number, folder / name)
        streams = [io.TextIOWrapper(io.FileIO(number, "w", closefd=False), "utf-8") for number in (1, 2)]
        streams[1].reconfigure(line_buffering=True)
        sys.stdout, sys.stderr = streams
        yield
        for stream in streams:
            stream.flush()
    finally:
        sys.stdout, sys.stderr = kept
        for number, copy in enumerate(copies, start=1):
            os.dup2(copy, number)
            os.close(copy)


def _redirect(number: int, path: Path) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(file, number)
    os.close(file)


@contextmanager
def _replace_state(words: list[str], cwd: Path | None, env: Mapping[str, str] | None) -> Iterator[None]:
    """Give this process the words, folder and environment of a command, and its own ones back."""
    kept = sys.argv, dict(os.environ), Path.cwd()
    _set_state(words, cwd or kept[2], dict(env or kept[1]))
    try:
        yield
    finally:
        sys.argv = kept[0]
        os.chdir(kept[2])
        _set_state(kept[0], kept[2], kept[1])


def _set_state(words: list[str], cwd: Path, env: Mapping[str, str]) -> None:
    sys.argv = words
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)


def started(
    *arguments: object, output: Path, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> BaseProcess:
    """Starts `fingertip ARGUMENTS`; its process writes the files `stdout` and `stderr` in `output`."""
    words = ["fingertip", *map(str, arguments)]
    given = (words, cwd or Path.cwd(), dict(env or os.environ), *(output / name for name in STREAMS))
    return forked(run_command, *given)


def forked(target: Callable[..., None], *arguments: object) -> BaseProcess:
    """Starts a function in a process that has done the imports; it ends when this process ends."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["tests.command_preload"])
    process = context.Process(target=run_bound, args=(target, *arguments))
    process.start()
    return process


def run_bound(target: Callable[..., None], *arguments: object) -> None:
    """Run a function, and end when the process that asked for it ends, also by a kill."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os.killpg(0, 9)

    os.setpgid(0, 0)
    threading.Thread(target=watch, daemon=True).start()
    target(*arguments)


def run_command(words: list[str], cwd: Path, env: dict[str, str], stdout: Path, stderr: Path) -> None:
    """Runs the command in the forked process, with its streams redirected to files."""
    from fingertip_cli.main import main

    _redirect(1, stdout)
    _redirect(2, stderr)
    sys.path[:0] = sorted(_search_path(env))
    _set_state(words, cwd, env)
    main()
