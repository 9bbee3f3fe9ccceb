"""CPU time, rows a second and memory of `fingertip export` with pictures, beside two others in the same run.

python -m benchmarks.export [--before CLONE] [--dataset DATASET]

Without a dataset, one of simulated people is made, with screens as JPEG at 1080x2280. The rows are those of
track 2 for qwen2.5-vl at 0.8 megapixels. They are written by one and by two processes, by an older build, and
beside them `datasets.map` on two processes makes the pictures alone: decoded, scaled, written as JPEG.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measured_call import FINGERTIP, MEGABYTE, Used, measure_call
from benchmarks.report import ROOT
from fingertip_agents.screens.coordinates import smart_resize

ROUNDS = 2
"""Calls of each, one after the other."""

MAX_PIXELS = 800_000
ORDER = ("--track", "execution", "--format", "trl", "--agent", "qwen2.5-vl", "--max-pixels", str(MAX_PIXELS))
SAMPLE = ("--users", "24", "--episodes", "16", "--size", "1080x2280", "--seed", "6")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCall:
    """A call that makes the rows.

    Attributes:
        root: Folder of the build.
        call: Arguments of Python; the last one is the folder to make.
    """

    root: Path
    call: tuple[str | Path, ...]


def make_dataset(folder: Path) -> Path:
    """A built dataset of simulated people."""
    measure_call(ROOT, [*FINGERTIP, "sample", folder / "sample", *SAMPLE])
    measure_call(ROOT, [*FINGERTIP, "build", folder / "sample" / "raw", "--out", folder / "built"])
    shutil.rmtree(folder / "sample")
    return folder / "built"


def scale_row(row: dict[str, Any]) -> dict[str, Any]:
    """The pictures of an episode as a user of `datasets` and Pillow would make them."""
    written = []
    for screen in filter(None, row["screenshots"]):
        stream = io.BytesIO()
        size = smart_resize(screen.size, max_pixels=MAX_PIXELS)
        screen.convert("RGB").resize(size, resample=3).save(stream, "JPEG", quality=92)
        written.append(stream.getvalue())
    return {"pictures": written}


def map_rows(dataset: Path, out: Path) -> None:
    """Make the pictures of the split train by `datasets.map` on two processes."""
    from datasets import load_dataset

    rows = load_dataset(str(dataset), "default", split="train", cache_dir=str(out / "cache"))
    made = rows.select_columns(["episode_id", "screenshots"]).map(
        scale_row,
        num_proc=2,
        remove_columns=["screenshots"],
        writer_batch_size=16,
        load_from_cache_file=False,
    )
    made.save_to_disk(str(out / "rows"))


def count_rows(dataset: Path, folder: Path) -> int:
    """Number of rows of the split train."""
    measure_call(ROOT, [*FINGERTIP, "export", dataset, *ORDER, "--out", folder / "counted"])
    record = json.loads((folder / "counted" / "export.json").read_text(encoding="utf-8"))
    shutil.rmtree(folder / "counted")
    return sum(sum(split["samples"].values()) for split in record["splits"])


def list_calls(dataset: Path, before: Path | None) -> dict[str, MeasuredCall]:
    """The calls to be compared, the oldest build first."""
    export = (*FINGERTIP, "export", dataset, *ORDER)
    calls = {} if before is None else {"before": MeasuredCall(root=before, call=(*export, "--out"))}
    calls["one process"] = MeasuredCall(root=ROOT, call=(*export, "--workers", "1", "--out"))
    calls["two processes"] = MeasuredCall(root=ROOT, call=(*export, "--workers", "2", "--out"))
    calls["datasets.map"] = MeasuredCall(
        root=ROOT, call=("-m", "benchmarks.export", "--map", dataset, "--out")
    )
    return calls


def compare(calls: dict[str, MeasuredCall], rows: int, folder: Path) -> None:
    """Print what each call uses, and the ratios."""
    found: dict[str, list[Used]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            found[name].append(measure_call(call.root, [*call.call, folder / "out"]))
            shutil.rmtree(folder / "out")
    # a load of the machine only adds to the time
    best = {name: min(used, key=lambda one: one.wall) for name, used in found.items()}
    cpu = {name: min(one.cpu for one in used) for name, used in found.items()}
    print(f"{rows:>6} rows{'rows/s':>14}{'ms CPU/row':>12}{'MB':>7}")
    for name, used in best.items():
        speed, milliseconds = rows / used.wall, 1000 * cpu[name] / rows
        print(f"{name:<16}{speed:>9.1f}{milliseconds:>12.1f}{used.memory / MEGABYTE:>7.0f}")
    two = best["two processes"].wall
    print(f"two processes / one: {two / best['one process'].wall:.2f} x the time")
    for name in ("before", "datasets.map"):
        if name in best:
            print(f"two processes / {name}: {best[name].wall / two:.2f} x the rows a second")
    if "before" in cpu:
        print(f"one process / before: {cpu['one process'] / cpu['before']:.2f} x the CPU time of a row")


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare the calls on one dataset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="a clone of an older build, to be compared")
    parser.add_argument("--dataset", type=Path, help="a dataset with screens")
    parser.add_argument("--map", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.map:
        map_rows(options.map, options.out)
        return
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        dataset = (options.dataset or make_dataset(folder)).resolve()
        before = options.before.resolve() if options.before else None
        compare(list_calls(dataset, before), count_rows(dataset, folder), folder)


if __name__ == "__main__":
    main()
