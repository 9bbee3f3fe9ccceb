"""Verify bundles in a child process with limits of time and memory; see `worker` for that process."""

from __future__ import annotations

import atexit
import gc
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import asdict, replace
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from threading import Lock

from fingertip_dataset import errors
from fingertip_dataset.errors import FingerTipError, RunError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.package_folders import find_package_folders
from fingertip_leaderboard.verify.check_bundle import check_bundle
from fingertip_leaderboard.verify.check_outcome import Embedders
from fingertip_leaderboard.verify.process import worker
from fingertip_leaderboard.verify.process.forked_process import ForkedProcess
from fingertip_leaderboard.verify.process.process_limits import VerifyLimits, limits_memory
from fingertip_leaderboard.verify.process.worker import Reply, Request
from fingertip_leaderboard.verify.verify_report import (
    CheckedBundle,
    VerifyReport,
    checked_bundle_adapter,
)

NO_LIMITS = "verified without limits of time and memory, which this system does not have"
NO_MEMORY_LIMIT = "verified without a limit of memory, which this system does not have"


def check_bundles(
    paths: Sequence[Path],
    datasets: Sequence[BuiltDataset],
    now: datetime,
    limits: VerifyLimits,
    on_checked: Callable[[], None] | None = None,
) -> list[CheckedBundle]:
    """Check bundles one after the other, each within the limits; a bundle beyond them is refused.

    On a system without `fork`, bundles are checked in this process; that, and a missing limit of memory, is a
    remark on each.

    Args:
        paths: Folders or .zip files.
        datasets: See `check_bundle`.
        now: Time of verification.
        limits: Limits for each bundle.
        on_checked: Called after each bundle.

    Raises:
        DatasetError: A dataset was changed since it was opened.
        RunError: The child process ended unexpectedly.
    """
    if not hasattr(os, "fork"):
        embedders = Embedders()
        return [_add_remark(check_bundle(path, datasets, embedders, now), NO_LIMITS) for path in paths]
    request = Request(
        paths=[str(path) for path in paths],
        datasets=[str(built.path) for built in datasets],
        now=now.isoformat(),
        folder=str(Path.cwd()),
        environment=dict(os.environ),
        seconds=limits.seconds,
        megabytes=limits.megabytes,
    )
    replies = _find_verifier().replies(request, on_checked or (lambda: None))
    checked = [_restore_checked(path, *reply) for path, reply in zip(paths, replies, strict=True)]
    return checked if limits_memory() else [_add_remark(one, NO_MEMORY_LIMIT) for one in checked]


@contextmanager
def fork_verifier() -> Iterator[None]:
    """Within this context, bundles are verified by a copy of this process, which shares its imports.

    So a command that verifies imports everything once. Outside Linux, and beside other threads, the process
    is one of its own as ever.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        yield
        return
    worker.prepare_worker()
    # a look for garbage would write to all memory that both share
    gc.freeze()
    verifier = _Verifier(ForkedProcess(partial(worker.main, copied=True)))
    token = _FORKED.set(verifier)
    try:
        yield
    finally:
        _FORKED.reset(token)
        verifier.close()
        gc.unfreeze()


class _Verifier:
    """The child process; it is kept, because its imports take a second.

    Args:
        process: The process.

    Attributes:
        process: As given.
        closed: Whether it is ended.
    """

    def __init__(self, process: subprocess.Popen[bytes] | ForkedProcess) -> None:
        self.process, self.closed = process, False
        self._lock = Lock()
        atexit.register(self.close)

    def replies(self, request: Request, on_reply: Callable[[], None]) -> list[tuple[Reply, bytes]]:
        """The reply on each bundle of a request; `on_reply` is called after each."""
        with self._lock:
            try:
                received = []
                for reply in self._replies(request):
                    received.append(reply)
                    on_reply()
                return received
            except BaseException:
                # the rest of the replies would be taken for those on the next request
                _verifier.cache_clear()
                self.close()
                raise

    def _replies(self, request: Request) -> Iterator[tuple[Reply, bytes]]:
        to, back = self.process.stdin, self.process.stdout
        if to is None or back is None:
            raise RunError("the verifying process has no pipes")
        try:
            to.write(json.dumps(asdict(request)).encode() + b"\n")
            to.flush()
        except OSError as error:
            raise RunError(f"the verifying process has ended: {error}: call again") from error
        for _ in request.paths:
            line = back.readline()
            word, _, payload = line.partition(b" ")
            if not line.endswith(b"\n"):
                raise RunError("the verifying process ended in the middle of its work: call again")
            if word == Reply.ERROR.encode():
                raise _error(payload)
            yield Reply(word.decode()), payload

    def close(self) -> None:
        """End the process."""
        if self.closed:
            return
        self.closed = True
        atexit.unregister(self.close)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                # a request that was not read may still be in the buffer
                with suppress(OSError):
                    stream.close()
        self.process.wait()


_FORKED: ContextVar[_Verifier | None] = ContextVar("forked verifier", default=None)


def _find_verifier() -> _Verifier:
    forked = _FORKED.get()
    return _verifier(os.getpid()) if forked is None or forked.closed else forked


@cache
def _verifier(process: int) -> _Verifier:
    """The child process of a process id: a forked copy of this process gets its own."""
    # our packages first, and never the working directory: it may be a bundle
    paths = [*map(str, find_package_folders()), *filter(None, sys.path)]
    apart = subprocess.Popen(
        [sys.executable, "-P", "-m", "fingertip_leaderboard.verify.process.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))},
        # an interrupt is for the caller, which closes the pipes
        start_new_session=True,
    )
    return _Verifier(apart)


def _restore_checked(path: Path, reply: Reply, payload: bytes) -> CheckedBundle:
    if reply == Reply.CHECKED:
        return checked_bundle_adapter().validate_json(payload).move_to(path)
    found, parts = Refusals(), json.loads(payload)
    found.refuse(RefusalKind(parts["kind"]), parts["reason"], str(path))
    report = VerifyReport(
        path=path, sha256=None, bundle=None, problems=tuple(found.refusals), more=0, remarks=(), scores=None
    )
    return CheckedBundle(report=report, answers=None, data_sha256=None)


def _add_remark(checked: CheckedBundle, remark: str) -> CheckedBundle:
    report = checked.report
    return replace(checked, report=replace(report, remarks=(*report.remarks, remark)))


def _error(payload: bytes) -> FingerTipError:
    parts = json.loads(payload)
    kind = getattr(errors, parts.pop("kind"), FingerTipError)
    error: FingerTipError = kind.__new__(kind)
    # the base's arguments: some of its classes have others
    FingerTipError.__init__(error, parts.pop("message"), **parts)
    return error
