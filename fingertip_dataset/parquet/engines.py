"""Engines that make shards: in this process, in a local pool of processes, or as Ray tasks."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from importlib.abc import MetaPathFinder
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from fingertip_dataset.errors import DatasetError, MissingExtraError, UsageError
from fingertip_dataset.parquet.shards import ShardJob, ShardRecord, write_shard

Engine = Literal["local", "ray"]

Job = TypeVar("Job")
Place = TypeVar("Place")
Made = TypeVar("Made")

MakeShards = Callable[[Iterable[ShardJob], Path], Iterator[ShardRecord]]
"""Function of jobs and a staging folder that yields the record of each shard, in any order."""

AHEAD = 2
"""Number of jobs queued beyond the workers: enough to keep them busy, few enough for the memory."""

RETRIES = 3
"""How often Ray retries a shard whose node was lost."""

REACH_SECONDS = 10.0
"""Longest wait for the cluster of RAY_ADDRESS to accept a connection."""

OBJECTS = 50_000
"""Threshold of the garbage collector in a worker; high, because rows are large and hold no cycles."""


@contextmanager
def open_workshop(engine: Engine = "local", workers: int = 1) -> Iterator[MakeShards]:
    """Start workers that make shards; see `open_worker_pool`."""
    with open_worker_pool(write_shard, engine, workers) as make:
        yield make


@contextmanager
def open_worker_pool(
    task: Callable[[Job, Path], Made], engine: Engine = "local", workers: int = 1
) -> Iterator[Callable[[Iterable[Job], Path], Iterator[Made]]]:
    """Start workers, which import their packages while the jobs are still being planned.

    Args:
        task: Function of a job and a staging folder, defined in a module; idempotent, because Ray repeats it
            if a node was lost.
        engine: "local" or "ray".
        workers: Number of processes, or of concurrent Ray tasks.

    Yields:
        Function that makes shards: it takes jobs one at a time, `AHEAD` more than there are workers, and
        yields each record as soon as its shard is made. For Ray on several machines the staging folder must
        be shared.

    Raises:
        UsageError: The engine is unknown, or there is less than one worker.
        MissingExtraError: Ray is not installed.
        DatasetError: A worker was lost.
    """
    if engine not in get_args(Engine):
        raise UsageError(f"expected engine local or ray, got {engine!r}")
    if workers < 1:
        raise UsageError(f"expected at least one worker, got {workers}")
    if engine == "ray":
        with ray_cluster():
            yield partial(_make_by_ray, task, workers=workers)
    elif workers == 1:
        yield partial(_in_this_process, task)
    else:
        with open_processes(workers, _import_packages) as pool:
            yield partial(_make_by_processes, task, pool=pool, workers=workers)


@contextmanager
def open_processes(workers: int, first: Callable[[], object] = int) -> Iterator[ProcessPoolExecutor]:
    """Start processes; an error or Ctrl-C ends them at once, whatever they do.

    Whatever a worker writes has to get its name when it is complete.

    Args:
        workers: Number of processes.
        first: What each of them does first, such as importing its packages.
    """
    # spawned, not forked: a fork copies the parent's memory, and its threads' locks in whatever state
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=prepare_worker)
    try:
        with hold_interrupts():
            for _ in range(workers):
                pool.submit(first)
        yield pool
    except BaseException:
        # a second Ctrl-C within the shutdown would leave workers that nobody tells to end
        with hold_interrupts():
            for process in list((pool._processes or {}).values()):
                process.kill()
            pool.shutdown(cancel_futures=True)
        raise
    else:
        pool.shutdown(cancel_futures=True)


@contextmanager
def hold_interrupts() -> Iterator[None]:
    """Keep Ctrl-C back until the block ends; a process that is started in it never gets any."""
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _in_this_process(task: Callable[[Job, Path], Made], jobs: Iterable[Job], staging: Path) -> Iterator[Made]:
    return (task(job, staging) for job in jobs)


def _make_by_processes(
    task: Callable[[Job, Path], Made],
    jobs: Iterable[Job],
    staging: Path,
    *,
    pool: ProcessPoolExecutor,
    workers: int,
) -> Iterator[Made]:
    try:
        yield from run_jobs(task, jobs, staging, pool=pool, workers=workers)
        pool.shutdown(wait=False)  # workers exit while the dataset is being finished
    except BrokenProcessPool as error:
        raise DatasetError(
            "a worker process ended before its shard was finished (out of memory, or a script without "
            'if __name__ == "__main__"): repeat the same call to continue from the finished shards'
        ) from error


def run_jobs(
    task: Callable[[Job, Place], Made],
    jobs: Iterable[Job],
    place: Place,
    *,
    pool: ProcessPoolExecutor,
    workers: int,
) -> Iterator[Made]:
    """Run jobs in processes, `AHEAD` more than there are workers, and yield what each made, in any order.

    Args:
        task: Function of a job and the place.
        jobs: Made on demand: each may hold the rows of a shard.
        place: Where the tasks write.
        pool: From `open_processes`.
        workers: Number of its processes.
    """
    ahead = iter(jobs)
    running: set[Future[Made]] = set()
    while True:
        taken = list(islice(ahead, workers + AHEAD - len(running)))
        # a worker may be started by a job
        with hold_interrupts():
            running |= {pool.submit(task, job, place) for job in taken}
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


def _import_packages() -> None:
    """Import in a worker what `write_shard` would import with its first shard."""
    import pyarrow.parquet  # noqa: F401 - for its effect


class _WithoutPandas(MetaPathFinder):
    """Import hook that hides pandas, which pyarrow would import for 50 MB per worker without need."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError(fullname)


def prepare_worker() -> None:
    """Make a worker ignore Ctrl-C, which its parent handles, and end when its parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.meta_path.insert(0, _WithoutPandas())
    gc.set_threshold(OBJECTS)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def ray_cluster() -> Iterator[None]:
    """Use the connected Ray cluster or that of RAY_ADDRESS, or start one on this machine.

    Raises:
        MissingExtraError: Ray is not installed.
        UsageError: No cluster answers at RAY_ADDRESS, or Ray does not start; it gives up by itself after half
            a minute.
    """
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError("ray", "ray") from error
    if ray.is_initialized():
        yield
        return
    # Ray would send usage statistics over the network
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    _check_reachable(os.environ.get("RAY_ADDRESS", ""))
    try:
        with _log_errors_only(logging.getLogger("ray")):
            ray.init(include_dashboard=False, log_to_driver=False, configure_logging=False)
    except Exception as error:  # Ray raises plain exceptions, too
        ray.shutdown()
        reason = " ".join(str(error).split()) or type(error).__name__
        raise UsageError(f"Ray did not start: {reason[:200]}; --engine local needs none") from error
    try:
        yield
    finally:
        ray.shutdown()


@contextmanager
def _log_errors_only(logger: logging.Logger) -> Iterator[None]:
    """Leave out what a logger notes below errors, such as Ray's lines on tokens of its cluster."""
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _check_reachable(address: str) -> None:
    """Refuse an address of a cluster at which nothing listens: Ray itself would try for many minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return  # a word such as "auto", or something that Ray refuses
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH_SECONDS).close()
    except (OSError, OverflowError):
        raise UsageError(
            f"no Ray cluster answers at RAY_ADDRESS={address} within {REACH_SECONDS:g} s: start one there, "
            "or unset RAY_ADDRESS, and one is started on this machine"
        ) from None


def _make_by_ray(
    task: Callable[[Job, Path], Made], jobs: Iterable[Job], staging: Path, *, workers: int
) -> Iterator[Made]:
    import ray

    remote = ray.remote(num_cpus=1, max_retries=RETRIES)(task)
    ahead = iter(jobs)
    running: list[Any] = []
    try:
        while True:
            running += [remote.remote(job, staging) for job in islice(ahead, workers + AHEAD - len(running))]
            if not running:
                return
            done, running = ray.wait(running)
            yield from ray.get(done)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except ray.exceptions.RayError as error:
        raise DatasetError(f"Ray did not make every shard: {type(error).__name__}: {error}") from error
