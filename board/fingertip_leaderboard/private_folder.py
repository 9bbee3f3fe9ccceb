"""The private folder of a hidden test: who may read it, what is printed meanwhile, and its removal."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType

from fingertip_dataset.errors import UsageError

OUTPUT = "output.txt"
"""File of what the stages print; it also marks the folder."""


class TerminatedError(SystemExit):
    """The process was asked to end by a signal."""


@contextmanager
def private_folder(work: Path | None) -> Iterator[Path]:
    """The folder of the private data, of mode 0700, for temporary files too; removed if it is not given."""
    if work is not None:
        _make_private(work)
        folder = work.resolve()
    else:
        folder = Path(tempfile.mkdtemp(prefix="fingertip-hidden-"))
    earlier, variable, mask = tempfile.tempdir, os.environ.get("TMPDIR"), os.umask(0o077)
    temporary = folder / "tmp"
    try:
        temporary.mkdir(exist_ok=True)
        # the variable is for processes that are started here, such as adb with its log
        tempfile.tempdir = os.environ["TMPDIR"] = str(temporary)
        yield folder
    finally:
        tempfile.tempdir = earlier
        if variable is None:
            os.environ.pop("TMPDIR", None)
        else:
            os.environ["TMPDIR"] = variable
        os.umask(mask)
        shutil.rmtree(temporary if work is not None else folder, ignore_errors=True)


def _make_private(work: Path) -> None:
    """Make the folder of --work, or check that nobody else can read it."""
    try:
        work.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = work.lstat()
    except OSError as error:
        raise UsageError(f"the private folder cannot be made: {error.strerror or error}", file=work) from None
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise UsageError("expected a private folder of your own, not a link", file=work)
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError("others may read the private folder: chmod 700, or give a new one", file=work)
    if any(work.iterdir()) and not (work / OUTPUT).exists():
        raise UsageError(
            "the folder is not empty: give a new one, or that of an earlier hidden test", file=work
        )
    # so that `git add` of a checkout around it takes nothing of it
    for name, content in ((".gitignore", "*\n"), (OUTPUT, "")):
        with os.fdopen(os.open(work / name, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600), "a") as stream:
            stream.write("" if stream.tell() else content)


@contextmanager
def redirect_output_into(file: Path) -> Iterator[None]:
    """Send standard output and error of this process, and of those that it starts, into a file."""
    saved = [os.dup(number) for number in (1, 2)]
    log = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    _flush()
    try:
        for number in (1, 2):
            os.dup2(log, number)
        # a caller's sys.stdout may be another file than 1
        with (
            open(log, "w", encoding="utf-8", errors="replace", closefd=False) as stream,
            redirect_stdout(stream),
            redirect_stderr(stream),
        ):
            yield
    finally:
        _flush()
        for number, earlier in zip((1, 2), saved, strict=True):
            os.dup2(earlier, number)
            os.close(earlier)
        os.close(log)


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()


@contextmanager
def end_by_sigterm() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into an exit, so that the private folder is removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, frame: FrameType | None) -> None:
        raise TerminatedError(128 + number)

    earlier = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)
