"""The verifying process: `python -m fingertip_leaderboard.verify.process.worker`, started by `child_process`.

It reads requests on stdin, a line each, and verifies their bundles in a child forked from it, so that the
imports are done once. The child limits itself, and this process, which never reads a bundle, ends it when its
time is over; another child goes on with the next bundle. Replies are lines on stdout: a `Reply`, a space,
JSON.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from fingertip_dataset.errors import DatasetError, FingerTipError
from fingertip_dataset.folded_text import make_skeleton
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.refusal import RefusalKind
from fingertip_leaderboard.verify.check_bundle import check_bundle
from fingertip_leaderboard.verify.check_outcome import Embedders
from fingertip_leaderboard.verify.process.process_limits import (
    VerifyLimits,
    apply_limits,
    lift_limits,
    suspend_limits,
)
from fingertip_leaderboard.verify.verify_report import PLACE, checked_bundle_adapter

MOST_REPLY = 256 << 20
"""Maximum bytes of the reply on one bundle."""

LOADING_SECONDS = 1_800.0
"""Seconds that an embedder may take to be loaded, which may include its download; no bundle's time counts."""

CHUNK = 1 << 20
"""Bytes read at a time."""

PRELOADED = ("pyarrow.parquet",)
"""Modules that verifying imports when it needs them; imported outside the limits of bundles."""


YOUNG = 10_000
"""Objects that are made between two looks for garbage; 700 by default."""


class Reply(StrEnum):
    """First word of a reply."""

    STARTED = "started"
    LOADING = "loading"
    LOADED = "loaded"
    CHECKED = "checked"
    """The `CheckedBundle` of the next bundle follows."""
    ENDED = "ended"
    """The next bundle is refused; the kind and reason follow."""
    ERROR = "error"
    """The call is to end with a `FingerTipError`; its class, message, file, line and episode follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Bundles to verify.

    Attributes:
        paths: Paths of the bundles.
        datasets: Paths of the datasets.
        now: Time of verification, in ISO 8601 with its zone.
        folder: Folder that relative paths are in.
        environment: Environment of the caller.
        seconds: As in `VerifyLimits`.
        megabytes: As in `VerifyLimits`.
    """

    paths: list[str]
    datasets: list[str]
    now: str
    folder: str
    environment: dict[str, str]
    seconds: float
    megabytes: int

    @property
    def limits(self) -> VerifyLimits:
        """Limits for each bundle."""
        return VerifyLimits(seconds=self.seconds, megabytes=self.megabytes)


def main(*, copied: bool = False) -> None:
    """Serve requests until stdin ends.

    Args:
        copied: Whether this process is a copy of its only caller. Few children come of it, so that what they
            need, and it does not, is left to them.
    """
    # what a library prints must not come between the replies
    replies = os.dup(1)
    os.dup2(2, 1)
    if not copied:
        preload()
    prepare_worker()
    # a child's garbage collector passes over what it shares with this process
    gc.collect()
    gc.freeze()
    # not `sys.stdin`, which may be another one in a copy of a process
    requests = os.fdopen(0, "rb", closefd=False)
    for line in iter(requests.readline, b""):
        request = Request(**json.loads(line))
        done = 0
        while done < len(request.paths):
            done = _run_child(request, done, replies)


def preload() -> None:
    """Import what verifying imports when it needs it."""
    for name in PRELOADED:
        with suppress(ImportError):
            import_module(name)


def start_reading(datasets: Sequence[BuiltDataset]) -> None:
    """Read ids of each dataset, so that the thread that reads files is not of a bundle's memory."""
    import pyarrow

    pyarrow.set_io_thread_count(1)
    for built in datasets:
        for split in built.split_names:
            if built.shards(split):
                next(built.rows(split, columns=("episode_id",), ids=()), None)
                break


def prepare_worker() -> None:
    """Make what is no bundle's own memory: the table of confusable characters, the adapter of replies."""
    make_skeleton("")
    checked_bundle_adapter()


def _run_child(request: Request, first: int, replies: int) -> int:
    """Verify bundles from `first` on in a new child until one ends it; the number of bundles done."""
    output, inlet = os.pipe()
    child = os.fork()
    if not child:
        os.close(output)
        os.close(replies)
        _verify(request, first, inlet)
    os.close(inlet)
    most = len(request.paths)
    watch = _Watch(
        child=child, output=output, replies=replies, limits=request.limits, done=first, bundles=most
    )
    watch.run()
    os.close(output)
    kind, reason = watch.end()
    # a child that ends itself has replied on its last bundle; one that does nothing is not started again
    if watch.open or watch.done == first:
        _send(replies, Reply.ENDED, {"kind": kind, "reason": reason})
        watch.done += 1
    return watch.done


@dataclass(slots=True, kw_only=True)
class _Watch:
    """Passes on a child's replies and ends it when its time is over."""

    child: int
    output: int
    replies: int
    limits: VerifyLimits
    done: int
    bundles: int
    open: bool = False
    too_much: RefusalKind | None = None

    def run(self) -> None:
        """Until the child ends, is to be ended, or has replied on every bundle."""
        buffer = bytearray()
        # opening the datasets and importing what they need is not the bundle's time
        deadline = time.monotonic() + LOADING_SECONDS
        # after the last reply the caller may send its next request
        while self.done < self.bundles:
            ready, _, _ = select.select([self.output, 0], [], [], max(0.0, deadline - time.monotonic()))
            if 0 in ready:  # the caller is gone: nobody waits for a reply
                os.kill(self.child, signal.SIGKILL)
                os._exit(0)
            if not ready:
                self.too_much = RefusalKind.OVER_TIME
                return
            got = os.read(self.output, CHUNK)
            if not got:
                return
            buffer += got
            if b"\n" in got:
                *lines, rest = bytes(buffer).split(b"\n")
                buffer = bytearray(rest)
                for line in lines:
                    deadline = time.monotonic() + self._pass_on(line)
            if len(buffer) > MOST_REPLY:
                self.too_much = RefusalKind.OVER_MEMORY
                return

    def _pass_on(self, line: bytes) -> float:
        """Pass a reply on; the seconds until the next one."""
        word = line.partition(b" ")[0].decode()
        if word in (Reply.CHECKED, Reply.ENDED, Reply.ERROR):
            _write(self.replies, line + b"\n")
        self.open = word in (Reply.STARTED, Reply.LOADING, Reply.LOADED)
        self.done += word in (Reply.CHECKED, Reply.ENDED)
        if word == Reply.ERROR:
            self.done = self.bundles
        return LOADING_SECONDS if word == Reply.LOADING else self.limits.seconds

    def end(self) -> tuple[RefusalKind, str]:
        """End the child; the kind and reason of the refusal if not every bundle was done."""
        os.kill(self.child, signal.SIGKILL)
        _, status = os.waitpid(self.child, 0)
        by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if self.too_much == RefusalKind.OVER_TIME or by == signal.SIGXCPU:
            return _over_time(self.limits)
        return _over_memory(self.limits)


def _over_time(limits: VerifyLimits) -> tuple[RefusalKind, str]:
    return RefusalKind.OVER_TIME, f"verifying it took over {limits.seconds:g} s; --time-limit allows more"


def _over_memory(limits: VerifyLimits) -> tuple[RefusalKind, str]:
    return (
        RefusalKind.OVER_MEMORY,
        f"verifying it took over {limits.megabytes:,} MB of memory; --memory-limit allows more",
    )


def _verify(request: Request, first: int, output: int) -> NoReturn:
    """The child: never returns to the code of the process that it was forked from."""
    try:
        os.environ.clear()
        os.environ.update(request.environment)
        os.chdir(request.folder)
        _verify_all(request, first, output)
    except FingerTipError as error:
        _send(output, Reply.ERROR, _error_parts(error))
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _verify_all(request: Request, first: int, output: int) -> None:
    preload()
    gc.freeze()
    # most of what a bundle makes is kept to the end: looking for garbage is a tenth of the time
    gc.set_threshold(YOUNG)
    datasets = [BuiltDataset.open(Path(path)) for path in request.datasets]
    start_reading(datasets)
    limits, now = request.limits, datetime.fromisoformat(request.now)

    @contextmanager
    def while_loading() -> Iterator[None]:
        _send(output, Reply.LOADING)
        with suspend_limits():
            yield
        _send(output, Reply.LOADED)

    embedders, adapter = Embedders(while_loading=while_loading), checked_bundle_adapter()
    for path in request.paths[first:]:
        apply_limits(limits)
        _send(output, Reply.STARTED)
        try:
            checked = adapter.dump_json(check_bundle(Path(path), datasets, embedders, now).move_to(PLACE))
        except MemoryError:
            lift_limits()
            kind, reason = _over_memory(limits)
            _send(output, Reply.ENDED, {"kind": kind, "reason": reason})
            # what the bundle took may not come back to the system
            os._exit(0)
        except DatasetError:
            # says nothing about the bundle
            raise
        except Exception as error:
            _send(
                output, Reply.ENDED, {"kind": RefusalKind.CHECK_FAILED, "reason": _describe_own_fault(error)}
            )
        else:
            _write(output, f"{Reply.CHECKED} ".encode() + checked + b"\n")


def _describe_own_fault(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"the verifier failed on it, which is a bug to report: {type(error).__name__} at {place}: {error}"


def _error_parts(error: FingerTipError) -> dict[str, Any]:
    return {
        "kind": type(error).__name__,
        "message": error.message,
        "file": None if error.file is None else str(error.file),
        "line": error.line,
        "episode_id": error.episode_id,
    }


def _send(output: int, reply: Reply, payload: object = None) -> None:
    _write(output, f"{reply} {json.dumps(payload)}\n".encode())


def _write(output: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(output, view) :]


if __name__ == "__main__":
    main()
