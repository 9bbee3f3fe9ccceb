"""Opening time and size of a report of 200 tasks in Chromium, relative to an eager page."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageDraw

from execution_runner.execution_records import EndRecord, ExecutionRun, StepRecord
from execution_runner.run_plan import plan_tasks
from execution_runner.scoring.run_scores import score_run
from fingertip_analysis.report.report_page import write_report
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
AT = "2026-01-01T08:00:00.000+08:00"
EAGER = """() => {
  near.disconnect();
  for (const task of tasks) if (!task.classList.contains('drawn')) draw(task);
  document.querySelectorAll('script').forEach((script) => script.remove());
  document.querySelector('style').textContent += '.task { content-visibility: visible !important; }';
  return '<!doctype html>' + document.documentElement.outerHTML;
}"""
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


def opening(browser: Browser, page_file: Path) -> float:
    """Milliseconds from the start of the navigation until the first screen of a task is painted."""
    page = browser.new_page(viewport={"width": 1360, "height": 1000})
    page.goto(page_file.as_uri(), wait_until="load", timeout=120_000)
    page.locator("#tasks").evaluate("heading => heading.scrollIntoView()")
    ready = float(page.evaluate(READY))
    page.close()
    return ready


def main() -> None:
    """Prints sizes, opening times and their ratio."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(temporary)
        dataset = make_dataset(folder)
        runs = [make_run(folder, dataset, agent) for agent in AGENTS]
        start = time.perf_counter()
        lazy = write_report([score_run(run) for run in runs], folder / "report.html")
        print(f"{TASKS} tasks, {len(AGENTS)} runs: written in {time.perf_counter() - start:.1f} s")
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(lazy.as_uri())
        eager = folder / "eager.html"
        eager.write_text(page.evaluate(EAGER), encoding="utf-8")
        screens = json.dumps(page.locator(".task img").count())
        page.close()
        found: dict[Path, list[float]] = {lazy: [], eager: []}
        for _ in range(ROUNDS):
            for file, times in found.items():
                times.append(opening(browser, file))
        browser.close()
        for file, times in found.items():
            size, ready = file.stat().st_size / 1e6, median(times)
            print(f"{file.stem:<8}{size:>8.1f} MB{ready:>9.0f} ms to the first screen")
        print(f"{screens} screens; eager / report: {median(found[eager]) / median(found[lazy]):.1f} x")


if __name__ == "__main__":
    main()
