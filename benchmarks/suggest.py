"""`run_suggestions` with a model, end to end, against the server's own time at the same concurrency.

A server in a process of its own answers each request after a fixed time, any number at once: its own time
is queries / concurrency x that time. A run reads a dataset, makes the prompts, asks, reads the answers, keeps
them in a cache and writes a line each. Each run is a process of its own, so that its peak memory is its own;
a run of four times the tasks shows whether memory grows with them.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from fingertip_agents.model_suggester import ModelSuggester
from fingertip_dataset.parquet.build import build
from fingertip_models.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from fingertip_models.responses import Cached
from suggestion_runner import run_suggestions

TASKS = (1000, 4000)
CONCURRENCY = 32
LATENCY_S = 0.5
EPISODES = 100
"""Of a person; 20 of them are shown with each task."""


def draw_release(folder: Path, tasks: int) -> None:
    """A release without screens, in which every episode of every person is a task."""
    columns = ("user_id", "time", "scenario", "app", "intentDescription", "intentClass")
    rows = []
    for number in range(tasks):
        user, episode = divmod(number, EPISODES)
        moment = f"2025{1 + episode // 28:02}{1 + episode % 28:02}_{number % 24:02}0000"
        row = (str(user), moment, "住所", "com.sample.music", f"打开音乐应用播放第{number}首歌", "音乐/音频")
        rows.append(row)
        place = folder / "raw" / row[0] / moment
        place.mkdir(parents=True)
        survey = {**dict(zip(columns[:5], row, strict=False)), "provenance": "sample"}
        (place / "survey_result.json").write_text(json.dumps(survey, ensure_ascii=False), encoding="utf-8")
        (place / "action.jsonl").write_text('{"1.jpg": "finished()"}\n', encoding="utf-8")
    (folder / "tables").mkdir()
    for name, lines in (
        ("train_set", []),
        ("test_suggestion", rows),
        ("test_execution", []),
        ("total", rows),
    ):
        with (folder / "tables" / f"{name}.csv").open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows([columns, *lines])


def ask(dataset: Path, url: str, out: Path, concurrency: int) -> None:
    """One run; prints its seconds, the tasks, and the process's peak memory in MB."""
    client = ChatClient(ModelOptions(base_url=url, model="m"))
    model = Cached(client, out / "answers.jsonl")
    start = time.perf_counter()
    outcome = run_suggestions(dataset, ModelSuggester(model), out, concurrency=concurrency)
    seconds = time.perf_counter() - start
    model.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps({"seconds": seconds, "tasks": outcome.queried, "peak": peak}))


def compare(folder: Path, url: str, options: argparse.Namespace) -> None:
    """A row for each number of tasks."""
    print(f"{options.concurrency} at once, {options.latency} s an answer")
    print(f"{'tasks':>8}{'server alone':>14}{'run':>10}{'ratio':>8}{'peak MB':>10}")
    for tasks in options.tasks:
        place = folder / str(tasks)
        draw_release(place, tasks)
        build(place / "raw", place / "dataset", tables=place / "tables")
        arguments = [str(place / "dataset"), url, str(place / "run"), str(options.concurrency)]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.suggest", "--ask", *arguments],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        found = json.loads(done.stdout.splitlines()[-1])
        own = -(-found["tasks"] // options.concurrency) * options.latency
        ratio = found["seconds"] / own
        print(
            f"{found['tasks']:>8,}{own:>12.2f} s{found['seconds']:>8.2f} s{ratio:>8.2f}{found['peak']:>10.0f}"
        )
    print("asked for: within 1.10 of the server alone, and memory that does not grow with the tasks")


def main() -> None:
    """Starts the server and runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, nargs="+", default=TASKS)
    parser.add_argument("--concurrency", type=int, default=CONCURRENCY)
    parser.add_argument("--latency", type=float, default=LATENCY_S, help="seconds of each answer")
    parser.add_argument("--ask", nargs=4, metavar=("DATASET", "URL", "OUT", "CONCURRENCY"), help="be one run")
    options = parser.parse_args()
    if options.ask:
        dataset, url, out, concurrency = options.ask
        ask(Path(dataset), url, Path(out), int(concurrency))
        return
    command = [sys.executable, "-m", "benchmarks.chat", "--serve", "--latency", str(options.latency)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
        TemporaryDirectory() as folder,
    ):
        assert server.stdout is not None  # noqa: S101 - it is a pipe
        try:
            compare(Path(folder), f"http://127.0.0.1:{int(server.stdout.readline())}/v1", options)
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
