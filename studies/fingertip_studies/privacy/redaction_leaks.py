"""Private values left by redaction, and its effect on scores: a planted simulated release.

Simulated people's month gets invented private values at known places. The release is redacted, either by a
report of exactly these places (`--finds known`) or by that of a real scan (`--finds scan`), and then
searched: every text exactly, every picture by another OCR engine than the scan's (rapidocr, which this
project does not install: `pip install rapidocr onnxruntime`). Baselines of both tracks run on the datasets
built before and after. Everything is simulated: no figure says anything about people's phones.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fingertip_privacy.finds import (
    Find,
    FindPlace,
    ScanReport,
    count_finds,
    make_find,
    write_finds,
    write_report,
)
from fingertip_privacy.planted.known_secrets import KnownSecret

TEXTS = frozenset((".xml", ".jsonl", ".json", ".csv"))

MCU = 16
"""Side in px of the unit in which blocks of a JPEG with halved colours are replaced."""

AGENTS = ("habit", "recent", "nearest")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFolders:
    """Paths of the benchmark.

    Attributes:
        work: Folder of everything.
        raw: The planted release.
        tables: Its index tables.
        report: The report that is redacted by.
        redacted: The redacted release.
    """

    work: Path
    raw: Path
    tables: Path
    report: Path
    redacted: Path

    @classmethod
    def within(cls, work: Path) -> ReleaseFolders:
        """The paths below a folder."""
        return cls(
            work=work,
            raw=work / "raw",
            tables=work / "tables",
            report=work / "report",
            redacted=work / "redacted",
        )


def make_known_report(folders: ReleaseFolders, known: Sequence[KnownSecret]) -> None:
    """Write the report of a scan that finds every known value at its place, and nothing else."""
    from fingertip_privacy.source_fingerprint import source_fingerprint

    finds: dict[str, Find] = {}
    for one in known:
        if one.exact or one.place is not FindPlace.SCREENSHOT:
            parts = {name: value for name, value in asdict(one).items() if name in Find.model_fields}
            find = make_find(**parts, text=one.value, confidence=1.0, why="known")
            finds[find.id] = find
    write_finds(folders.report, finds.values())
    record = ScanReport(
        source=str(folders.raw),
        source_kind="raw",
        fingerprint=source_fingerprint(folders.raw, folders.tables),
        settings={},
        packages={"known values": "of the simulation"},
        episodes=0,
        screenshots=0,
        trees=0,
        counts=count_finds(finds.values()),
        problems=(),
        seconds=0.0,
    )
    write_report(folders.report, record)


# ---- exact search


def texts_with_values(folder: Path, known: Sequence[KnownSecret]) -> tuple[int, set[str]]:
    """Number of (file, value) pairs in which a person's text has a known value, and the values.

    In files of all people the lines are searched that begin with the person's id; digits on both sides of a
    number, as in the time that names a screenshot, make another number of it.
    """
    by_user: dict[str, set[str]] = {}
    for one in known:
        if len(one.value) > 1:
            by_user.setdefault(one.user, set()).add(one.value)
    pairs, values = 0, set()
    for file in folder.rglob("*"):
        if file.suffix in TEXTS:
            name, text = file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8-sig")
            for user, own in by_user.items():
                if name.startswith(f"{user}/"):
                    found = {value for value in own if _can_hold(text, value)}
                elif file.suffix == ".csv":
                    lines = [line for line in text.splitlines() if line.startswith((f"{user},", f"{user}/"))]
                    found = {value for value in own if _can_hold("\n".join(lines), value)}
                else:
                    continue
                pairs += len(found)
                values |= found
    return pairs, values


def _can_hold(text: str, value: str) -> bool:
    if not value.isdecimal():
        return value in text
    return value in text and re.search(rf"(?<!\d){value}(?!\d)", text) is not None


# ---- pixels


def pictures_with_values(
    folder: Path, known: Sequence[KnownSecret], limit: int
) -> tuple[int, Counter[str], Counter[str]]:
    """Number of pictures that a second OCR read, and how many values by kind are shown there and were read.

    Args:
        folder: The release.
        known: Its known values.
        limit: Maximum number of pictures.
    """
    shown: dict[str, list[KnownSecret]] = {}
    for one in known:
        if one.place is FindPlace.SCREENSHOT and len(one.value) > 1:
            shown.setdefault(one.file, []).append(one)
    files = sorted(shown)[:: max(1, len(shown) // limit)][:limit]
    there, read = Counter[str](), Counter[str]()
    for file, lines in zip(files, _read(folder / file for file in files), strict=True):
        text = "\n".join("".join(line.split()) for line in lines)
        for one in shown[file]:
            there[one.kind.value] += 1
            read[one.kind.value] += "".join(one.value.split()) in text
    return len(files), there, read


def _read(files: Iterable[Path]) -> Iterator[list[str]]:
    from rapidocr import RapidOCR  # type: ignore[import-not-found]

    engine = RapidOCR(
        params={
            "Global.use_cls": False,
            "Global.log_level": "error",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
        }
    )
    for file in files:
        yield list(engine(str(file)).txts or ())


def pixels_outside(folders: ReleaseFolders) -> tuple[int, int, float]:
    """Number of painted pictures, of pixels changed outside of their boxes, and share of the boxes' area."""
    import csv

    import numpy as np
    from PIL import Image

    pictures = changed = 0
    areas: list[float] = []
    with (folders.redacted / "redaction_changes.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["place"] == "screenshot"]
    for row in rows:
        old, new = (
            np.asarray(Image.open(folder / row["file"]).convert("RGB")).astype(int)
            for folder in (folders.raw, folders.redacted)
        )
        outside = np.ones(old.shape[:2], bool)
        inside = np.zeros(old.shape[:2], bool)
        for text in row["boxes"].split("; "):
            left, top, right, bottom = map(int, text.split())
            inside[top:bottom, left:right] = True
            # whole units, and the pixel around them whose colour a decoder interpolates
            outside[
                max(0, top // MCU * MCU - 1) : -(-bottom // MCU) * MCU + 1,
                max(0, left // MCU * MCU - 1) : -(-right // MCU) * MCU + 1,
            ] = False
        pictures += 1
        changed += int(((old != new).any(2) & outside).sum())
        areas.append(float(inside.mean()))
    return pictures, changed, sum(areas) / max(1, len(areas))


# ---- scores


def scores_of(dataset: Path, runs: Path, split: str) -> dict[str, dict[str, Any]]:
    """Name of a score -> its mean and interval, of baselines of both tracks on a dataset."""
    found: dict[str, dict[str, Any]] = {}
    for agent in AGENTS:
        run = runs / agent
        _call("suggest", dataset, "--agent", agent, "--split", split, "--out", run)
        found[f"Sim_1, {agent}"] = _score(run, "--embedder", "lexical")["sim1"]
    for device in ("replay", "teacher-forced"):
        run = runs / device
        _call(*("execute", dataset, "--agent", "imitate", "--device", device, "--split", split, "--out", run))
        score = _score(run)
        found[f"Sim_2, imitate, {device}"] = score["sim2"]
        if device == "replay":
            found["whole episodes replayed, imitate"] = score["trace"]["whole"]
            found["steps on the recording, imitate"] = score["trace"]["steps_on_trace"]
    script, run = runs / "own-actions.json", runs / "own"
    script.write_text(json.dumps(_list_own_actions(dataset, split), ensure_ascii=False), encoding="utf-8")
    _call(
        *("execute", dataset, "--agent", "scripted", "--script", script, "--device", "replay"),
        *("--split", split, "--out", run),
    )
    found["whole episodes replayed, own actions"] = _score(run)["trace"]["whole"]
    return found


def _list_own_actions(dataset: Path, split: str) -> dict[str, list[str]]:
    from fingertip_dataset.parquet.built import BuiltDataset

    rows = BuiltDataset.open(dataset).rows(split, columns=("episode_id", "actions"))
    return {row["episode_id"]: [action["raw"] for action in row["actions"]] for row in rows}


def _score(run: Path, *options: str) -> dict[str, Any]:
    scores: dict[str, Any] = json.loads(_call("score", run, *options, "--json"))["runs"][0]
    return scores


def _call(*arguments: object) -> str:
    call = [sys.executable, "-c", "from fingertip_cli.main import main; main()", *map(str, arguments)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(call[3:])}: {done.stderr.strip()[-500:]}")
    return done.stdout


# ---- the benchmark


def prepare(folders: ReleaseFolders, options: argparse.Namespace) -> tuple[KnownSecret, ...]:
    """Make the planted release and the report; return the known values."""
    from fingertip_privacy.planted.plant_release import plant_release
    from fingertip_recorder import SampleOrder, write_sample

    size = tuple(map(int, options.size.split("x")))
    order = SampleOrder(
        out=folders.work / "sample",
        users=options.users,
        episodes=options.episodes,
        seed=options.seed,
        size=(size[0], size[1]),
    )
    write_sample(order, workers=options.workers)
    for name in ("raw", "tables"):
        (folders.work / "sample" / name).rename(folders.work / name)
    known = plant_release(folders.raw, seed=options.seed)
    if options.finds == "known":
        make_known_report(folders, known)
    else:
        _call("privacy", "scan", folders.raw, "--tables", folders.tables, "--out", folders.report)
    return known


def measure(options: argparse.Namespace, work: Path) -> None:
    """Make, redact, search and score; print the tables."""
    from fingertip_privacy.redaction.redact import RedactionSettings, redact

    if options.pictures and find_spec("rapidocr") is None:
        raise SystemExit(
            "the second OCR is not installed: `pip install rapidocr`, or --pictures 0 leaves it out"
        )
    folders = ReleaseFolders.within(work)
    known = prepare(folders, options)
    began = time.process_time()
    statement = redact(
        folders.raw, folders.redacted, folders.report, RedactionSettings(tables=folders.tables)
    )
    seconds = time.process_time() - began
    if statement is None:
        raise SystemExit("the redaction is not finished")
    print(
        f"simulated: {options.users} people x {options.episodes} episodes at {options.size}, finds: "
        f"{options.finds} ({statement.total}), {statement.screenshots} screenshots painted, "
        f"{seconds:.0f} s of CPU"
    )
    print_texts(folders, known)
    print_pixels(folders, known, options.pictures)
    datasets = {}
    for name, raw, tables in (("before", folders.raw, folders.tables), ("after", folders.redacted, None)):
        datasets[name] = work / f"dataset-{name}"
        place = ("--tables", tables) if tables else ()
        _call("build", raw, "--out", datasets[name], *place)
    print_scores(
        {name: scores_of(path, work / f"runs-{name}", options.split) for name, path in datasets.items()}
    )


def print_texts(folders: ReleaseFolders, known: Sequence[KnownSecret]) -> None:
    """Print what an exact search finds before and after."""
    before, after = (texts_with_values(folder, known) for folder in (folders.raw, folders.redacted))
    print("\n| exact search of all texts | before | after |\n|---|---|---|")
    print(f"| known values (of {len({one.value for one in known})}) | {len(before[1])} | {len(after[1])} |")
    print(f"| files x values | {before[0]} | {after[0]} |")
    kinds = Counter(
        one.kind.value for one in {(k.value, k.kind): k for k in known}.values() if one.value in after[1]
    )
    if kinds:
        print(f"left by kind: {dict(kinds)}")


def print_pixels(folders: ReleaseFolders, known: Sequence[KnownSecret], limit: int) -> None:
    """Print what a second OCR reads before and after, and the pixels outside of the boxes."""
    pictures, changed, area = pixels_outside(folders)
    print(f"\n{pictures} painted pictures: {changed} pixels changed outside of the boxes' units, ", end="")
    print(f"mean area of the boxes {area:.1%}")
    if not limit:
        return
    count, there, before = pictures_with_values(folders.raw, known, limit)
    _, _, after = pictures_with_values(folders.redacted, known, limit)
    print(f"\n| second OCR on {count} pictures | shown | read before | read after |\n|---|---|---|---|")
    for kind in there:
        print(f"| {kind} | {there[kind]} | {before[kind]} | {after[kind]} |")
    print(f"| all | {there.total()} | {before.total()} | {after.total()} |")


def print_scores(scores: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    """Print the scores before and after, and whether they differ by less than half of their interval."""
    print("\n| score | before | interval | after | difference |\n|---|---|---|---|---|")
    for name, before in scores["before"].items():
        after = scores["after"][name]
        span = f"{before['low']:.3f} to {before['high']:.3f}" if before["low"] is not None else "none"
        difference = after["mean"] - before["mean"]
        print(f"| {name} | {before['mean']:.4f} | {span} | {after['mean']:.4f} | {difference:+.4f} |")


def main() -> None:
    """Read the options and run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=4)
    parser.add_argument("--episodes", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", default="540x1200")
    parser.add_argument("--split", default="vali")
    parser.add_argument("--finds", choices=("known", "scan"), default="known")
    parser.add_argument("--pictures", type=int, default=0, help="pictures read by rapidocr; 0 reads none")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("privacy-redaction"))
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    measure(options, options.work)


if __name__ == "__main__":
    main()
