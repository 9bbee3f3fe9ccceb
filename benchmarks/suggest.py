"""End-to-end time of `run_suggestions` with a model, relative to the server's own time.

A server in a separate process answers each request after a fixed latency, any number concurrently; its own
time is queries / concurrency x latency. A run reads a dataset, builds the prompts, queries the model, parses
and caches the responses, and logs a line per task. Each run has a process of its own, so that peak memory is
separate; a run of four times the tasks shows whether memory grows with their number.
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

from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_dataset.parquet.build import build
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from fingertip_models.responses import Cached
from suggestion_runner import run_suggestions

TASKS = (1000, 4000)
CONCURRENCY = 32
LATENCY_S = 0.5
EPISODES = 100
"""Number of episodes per person; each task shows 20 of them."""


def draw_release(folder: Path, tasks: int) -> None:
    """Writes a release without screens in which every episode is a task of test_suggestion."""
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
    """Executes one run; prints its seconds, the number of tasks, and the process's peak memory (MB)."""
    client = ChatClient(ModelOptions(base_url=url, model="m"))
    model = Cached(client, out / "answers.jsonl")
    start = time.perf_counter()
    outcome = run_suggestions(dataset, ModelSuggester(model), out, concurrency=concurrency)
    seconds = time.perf_counter() - start
    model.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps({"seconds": seconds, "tasks": outcome.queried, "peak": peak}))


def compare(folder: Path, url: str, options: argparse.Namespace) -> None:
    """Prints a row for each number of tasks."""
    print(f"{options.concurrency} concurrent queries, {options.latency} s per response")
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
    print("goal: at most 1.10 x the server alone, and memory independent of the number of tasks")


def main() -> None:
    """Starts the server and measures the runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, nargs="+", default=TASKS)
    parser.add_argument("--concurrency", type=int, default=CONCURRENCY)
    parser.add_argument("--latency", type=float, default=LATENCY_S, help="seconds per response")
    parser.add_argument(
        "--ask", nargs=4, metavar=("DATASET", "URL", "OUT", "CONCURRENCY"), help="execute one run only"
    )
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
