"""Writing, opening and size of a report of 200 tasks in Chromium, beside an eager page and an older build.

python -m benchmarks.report [--before CLONE]
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw

from execution_runner.execution_records import EndRecord, ExecutionRun, StepRecord
from execution_runner.run_plan import plan_tasks
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.step_limit import STEP_LIMIT_FACTOR
from fingertip_recorder.simulated_life import SampleOrder, write_sample
from fingertip_runs.run_folder import write_json
from fingertip_runs.run_record import AgentRecord, DatasetRecord
from fingertip_runs.targets import write_targets

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TASKS, USERS, AGENTS = 200, 10, ("one", "two")
SEED, ROUNDS = 7, 7
SIZE = (540, 1200)
ROOT = Path(__file__).parents[1]
WINGS = ("phone", "board", "privacy", "frameworks", "studies")
AT = "2026-01-01T08:00:00.000+08:00"
EAGER = """() => {
  near.disconnect();
  for (const task of tasks) if (!task.classList.contains('drawn')) draw(task);
  document.querySelectorAll('script, #screens').forEach((part) => part.remove());
  document.querySelector('style').textContent += '.task { content-visibility: visible !important; }';
  return '<!doctype html>' + document.documentElement.outerHTML;
}"""
Times = tuple[float, float, float]
"""Milliseconds from the start to the first paint, to DOMContentLoaded, and to the first painted screen."""
WRITE = """
import time
from pathlib import Path
from execution_runner.scoring.run_scores import score_run
from fingertip_analysis.report.report_page import write_report
scores = [score_run(Path(run)) for run in {runs}]
began = time.process_time()
write_report(scores, Path({out!r}))
print(time.process_time() - began)
"""
OPENED = """() => [
  performance.getEntriesByName('first-contentful-paint')[0].startTime,
  performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd,
]"""
READY = """async () => {
  const first = document.querySelector('.task img') ?? await new Promise((found) => {
    const look = () => { const image = document.querySelector('.task img'); if (image) found(image); };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  await first.decode();
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  return performance.now();
}"""


def make_dataset(folder: Path) -> Path:
    """Builds a dataset of simulated people whose episodes are all tasks of test_execution."""
    order = SampleOrder(out=folder / "sample", users=USERS, episodes=TASKS // USERS, seed=SEED, size=SIZE)
    write_sample(order)
    tables = folder / "sample" / "tables"
    shutil.copy(tables / "total.csv", tables / "test_execution.csv")
    for name in ("train_set", "test_suggestion"):
        with (tables / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
            head = next(csv.reader(file))
        with (tables / f"{name}.csv").open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerow(head)
    build(folder / "sample" / "raw", folder / "dataset", tables=tables)
    return folder / "dataset"


def make_run(folder: Path, dataset: Path, agent: str) -> Path:
    """Writes a run that repeats each person's trajectory, on screens with a unique mark each."""
    run, built = folder / agent, BuiltDataset.open(dataset)
    (run / "screens").mkdir(parents=True)
    draw = random.Random(f"{SEED} {agent}")  # noqa: S311 - marks on screens, no secret
    rows = list(built.rows("test_execution", config="default"))
    with (run / "steps.jsonl").open("w", encoding="utf-8") as file:
        for row in rows:
            for line in lines_of(run, row, draw):
                file.write(line + "\n")
    record = ExecutionRun(
        agent=AgentRecord(name=agent, settings={}),
        dataset=DatasetRecord.of(built, dataset),
        split="test_execution",
        tasks=len(rows),
        sessions=(),
        task_ids=tuple(row["episode_id"] for row in rows),
        device="simulated",
        reference="same_user",
        reference_method="text",
        history="online",
        step_limit_factor=STEP_LIMIT_FACTOR,
        safety="off",
        dry_run=False,
        prices=None,
    )
    write_targets(run, [planned.target for planned in plan_tasks(built).tasks])
    write_json(run / "run.json", record.model_dump(mode="json"))
    return run


def lines_of(run: Path, row: dict[str, Any], draw: random.Random) -> Iterator[str]:
    """The log lines of one task; writes its screens into the run's folder."""
    steps = [(shot, action) for shot, action in zip(row["screenshots"], row["actions"], strict=True) if shot]
    for step, (shot, action) in enumerate(steps, start=1):
        name = f"screens/{row['episode_id']}-{step}.jpg"
        (run / name).write_bytes(marked(shot["bytes"], draw))
        written = action["raw"] or "wait()"
        yield StepRecord(
            task_id=row["episode_id"], attempt=1, step=step, action=written, written=written, output=written,
            problem=None, thought="", screenshot=name, tree=None, size=SIZE, package=row["app"],
            seen_problems=(), verdict="allow", reason="", performed=True, agent_s=1, device_s=1,
            prompt_tokens=0, completion_tokens=0, queries=0, at=AT,
        ).model_dump_json()  # fmt: skip
    yield EndRecord(
        task_id=row["episode_id"], attempt=1, device="none", outcome="terminated", reason="", final=True,
        steps=len(steps), success=True, success_by="rule", final_screenshot=None,
        reference_id=None, at=AT,
    ).model_dump_json()  # fmt: skip


def marked(picture: bytes, draw: random.Random) -> bytes:
    """The screen with a random rectangle."""
    with Image.open(io.BytesIO(picture)) as image:
        screen = image.convert("RGB")
    x, y = draw.randrange(SIZE[0]), draw.randrange(SIZE[1])
    ImageDraw.Draw(screen).rectangle((x, y, x + 40, y + 40), fill=tuple(draw.randbytes(3)))
    stream = io.BytesIO()
    screen.save(stream, "JPEG", quality=80)
    return stream.getvalue()


def write(root: Path, runs: list[Path], out: Path) -> float:
    """Write the page by the build in a folder, in a process of its own; return its seconds of CPU."""
    code = WRITE.format(runs=[str(run) for run in runs], out=str(out))
    paths = os.pathsep.join(str(path) for path in (root, *(root / wing for wing in WINGS)))
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=os.environ | {"PYTHONPATH": paths},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return float(done.stdout)


def opening(browser: Browser, page_file: Path) -> Times:
    """Open a page, scroll to its first task, and look at the times."""
    page = browser.new_page(viewport={"width": 1360, "height": 1000})
    page.goto(page_file.as_uri(), wait_until="load", timeout=120_000)
    page.locator("#tasks").evaluate("heading => heading.scrollIntoView()")
    ready = float(page.evaluate(READY))
    paint, opened = page.evaluate(OPENED)
    page.close()
    return paint, opened, ready


def write_eager(browser: Browser, lazy: Path, out: Path) -> int:
    """Write the page with every screen as a picture of its own; return how many there are."""
    page = browser.new_page()
    page.goto(lazy.as_uri())
    out.write_text(page.evaluate(EAGER), encoding="utf-8")
    count = page.locator(".task img").count()
    page.close()
    return count


def measure(pages: dict[str, Path], browser: Browser) -> dict[str, list[Times]]:
    """Open each page in turn, several times, so that all meet the same load of the machine."""
    found: dict[str, list[Times]] = {name: [] for name in pages}
    for _ in range(ROUNDS):
        for name, file in pages.items():
            found[name].append(opening(browser, file))
    return found


def main() -> None:
    """Print how long each build writes, sizes, opening times and their ratios."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="a clone of an older build, to be compared")
    options = parser.parse_args()
    builds = {"report": ROOT} | ({"before": options.before.resolve()} if options.before else {})
    with TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(temporary)
        dataset = make_dataset(folder)
        runs = [make_run(folder, dataset, agent) for agent in AGENTS]
        pages = {name: folder / f"{name}.html" for name in builds}
        seconds = {name: write(root, runs, pages[name]) for name, root in builds.items()}
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        screens = write_eager(browser, pages["report"], folder / "eager.html")
        pages["eager"] = folder / "eager.html"
        found = measure(pages, browser)
        browser.close()
        print(f"{TASKS} tasks, {len(AGENTS)} runs, {screens} screens")
        print(
            f"{'page':<8}{'written, CPU':>14}{'size':>10}{'first paint':>13}{'open':>9}{'first screen':>14}"
        )
        medians = {name: [median(times) for times in zip(*rows, strict=True)] for name, rows in found.items()}
        for name, (paint, opened, ready) in medians.items():
            written = f"{seconds[name]:.1f} s" if name in seconds else ""
            size = pages[name].stat().st_size / 1e6
            print(f"{name:<8}{written:>14}{size:>7.1f} MB{paint:>10.0f} ms{opened:>6.0f} ms{ready:>11.0f} ms")
        print(f"eager / report, first screen: {medians['eager'][2] / medians['report'][2]:.1f} x")
        if options.before:
            print(f"before / report, written: {seconds['before'] / seconds['report']:.1f} x")


if __name__ == "__main__":
    main()
