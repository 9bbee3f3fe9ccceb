"""Throughput of `fingertip benchmark`, relative to the server's own, and its memory.

A server in a process of its own answers a fixed number of requests at once, each after a fixed latency, and
notes when it has how many: its own throughput is slots / latency. Each track is run by the command in a
process of its own; the server's times are those from its first request to its last answer, so that loading
and scoring are not in them.

On track 2 the steps of a task follow each other, and tasks have different lengths: near the end phones have
nothing left to do. The second ratio is to the best that any client could do with the same tasks: as many
chains of requests at once as the server has slots, the longest tasks first; on track 1 whole rounds of them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import heapq
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from execution_runner import read_attempts
from fingertip_dataset.parquet.build import build
from fingertip_recorder.simulated_life import SampleOrder, write_sample

SLOTS, LATENCY_S = 32, 1.0
USERS, EPISODES, SEED, SIZE = 16, 20, 7, (360, 800)
REPLY = {
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "wait()"}}],
    "usage": {"prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720},
}
"""The answer to everything: an intent on track 1; on track 2 a step, so that a task has as many as it may."""


WATCHED = """\
import resource, sys
from fingertip_cli.main import main
from fingertip_leaderboard.commands import benchmark
def peak():
    print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
def finish(*arguments, then=benchmark.finish_benchmark, **options):
    peak()
    return then(*arguments, **options)
benchmark.finish_benchmark = finish
try:
    main()
finally:
    peak()
"""
"""The command with a look at its memory before the scores and at its end."""


async def serve(slots: int, latency_s: float) -> None:
    """Answer `slots` requests at once; print the port, and for each line read the counts since the last."""
    body = json.dumps(REPLY).encode()
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
    free, times = asyncio.Semaphore(slots), list[tuple[float, float]]()

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                lines = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = lines.split(b"content-length:")[1].split(b"\r\n")[0] if b"post" in lines[:4] else 0
                await reader.readexactly(int(length))
                came = time.perf_counter()
                async with free:
                    await asyncio.sleep(latency_s)
                times.append((came, time.perf_counter()))
                writer.write(head + body)
        writer.close()

    server = await asyncio.start_server(connection, "127.0.0.1", 0, limit=1 << 24, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        # the small requests of the preflight come before all others, and one by one
        came_at = [came for came, _ in times]
        span = max((left for _, left in times), default=0.0) - min(came_at, default=0.0)
        print(json.dumps({"requests": len(times), "seconds": span}), flush=True)
        times.clear()
    server.close()


def make_dataset(folder: Path, users: int, episodes: int) -> Path:
    """Build a dataset of simulated people whose episodes are all tasks of both tracks."""
    write_sample(SampleOrder(out=folder / "sample", users=users, episodes=episodes, seed=SEED, size=SIZE))
    tables = folder / "sample" / "tables"
    for name in ("test_execution", "test_suggestion"):
        shutil.copy(tables / "total.csv", tables / f"{name}.csv")
    with (tables / "train_set.csv").open(encoding="utf-8-sig", newline="") as file:
        head = next(csv.reader(file))
    with (tables / "train_set.csv").open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerow(head)
    build(folder / "sample" / "raw", folder / "dataset", tables=tables, workers=2)
    return folder / "dataset"


def run(
    dataset: Path, url: str, out: Path, track: str, options: argparse.Namespace
) -> tuple[float, float, float]:
    """Run one track by the command; return its seconds, and peaks of memory, while it asks and in all."""
    words = ("benchmark", dataset, "--model", "m", "--base-url", url, "--agent", options.agent)
    more = ("--track", track, "--concurrency", options.slots, "--no-preflight", "--keep-going", "--out", out)
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *map(str, (*words, *more))],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(done.stderr)
    peaks = [int(line[5:]) / 1000 for line in done.stderr.splitlines() if line.startswith("peak ")]
    return time.perf_counter() - began, min(peaks), max(peaks)


def find_best(run_folder: Path, slots: int, latency_s: float) -> float:
    """Seconds of the tasks of a run of track 2 on as many slots, each task a chain of its requests."""
    ends = [0.0] * slots
    chains = [sum(step.queries or 0 for step in attempt.steps) for attempt in read_attempts(run_folder)]
    for queries in sorted(chains, reverse=True):
        heapq.heappush(ends, heapq.heappop(ends) + queries * latency_s)
    return max(ends)


def compare(folder: Path, options: argparse.Namespace) -> None:
    """Print a row for each track."""
    dataset = options.dataset or make_dataset(folder, options.users, options.episodes)
    command = [sys.executable, "-m", "benchmarks.benchmark_command", "--serve"]
    command += ["--slots", str(options.slots), "--latency", str(options.latency)]
    print(f"{options.slots} slots, {options.latency} s per answer, agent {options.agent} on track 2")
    heads = f"{'track':12}{'requests':>10}{'own':>10}{'run':>10}{'ratio':>8}{'to best':>9}{'all':>10}"
    print(f"{heads}{'MB':>7}{'with scores':>13}", flush=True)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None  # noqa: S101 - they are pipes
        assert server.stdout is not None  # noqa: S101
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        for track in ("suggestion", "execution"):
            out = folder / track
            seconds, asking, peak = run(dataset, url, out, track, options)
            server.stdin.write("\n")
            server.stdin.flush()
            found = json.loads(server.stdout.readline())
            own = found["requests"] * options.latency / options.slots
            best = -(-found["requests"] // options.slots) * options.latency
            if track == "execution":
                best = find_best(out / track, options.slots, options.latency)
            print(
                f"{track:12}{found['requests']:>10,}{own:>8.1f} s{found['seconds']:>8.1f} s"
                f"{own / found['seconds']:>8.2f}{best / found['seconds']:>9.2f}{seconds:>8.1f} s"
                f"{asking:>7.0f}{peak:>13.0f}",
                flush=True,
            )
        server.stdin.close()
    print("goal: 0.95 of the server's own throughput, at most 300 MB while it is asked")


def main() -> None:
    """Start the server and measure both tracks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slots", type=int, default=SLOTS)
    parser.add_argument("--latency", type=float, default=LATENCY_S, help="seconds per answer")
    parser.add_argument("--users", type=int, default=USERS)
    parser.add_argument("--episodes", type=int, default=EPISODES)
    parser.add_argument("--dataset", type=Path, help="a built dataset in place of new people")
    parser.add_argument("--agent", default="generalist", help="format of track 2")
    parser.add_argument("--serve", action="store_true", help="run the server only")
    options = parser.parse_args()
    if options.serve:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(serve(options.slots, options.latency))
        return
    with TemporaryDirectory() as folder:
        compare(Path(folder), options)


if __name__ == "__main__":
    main()
