"""Recall and precision of `fingertip privacy scan` on simulated people with planted values, and its speed.

Each number is of simulated screens and invented values: real screens have layouts, fonts and wordings that no
simulation has. One process with one thread; seconds are CPU time.

    python -m fingertip_studies.privacy.scan_recall [--users N] [--episodes N] [--ocr tiny|small] [--draw N]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from fingertip_dataset.release.read_release import read_release
from fingertip_privacy import read_finds
from fingertip_privacy.planted.known_secrets import find_secrets_of_episode
from fingertip_privacy.planted.plant_release import plant_release
from fingertip_privacy.planted.scan_score import CellCount, Key, score_scan
from fingertip_privacy.scan.scan import scan
from fingertip_privacy.scan.scan_settings import ScanSettings
from fingertip_recorder import SampleOrder, write_sample

SAMPLE_SEED, VALUES_SEED = 918_273, 640_127
"""Seeds of people and of values that no rule was written or changed for."""


def main() -> None:
    """Records and plants a sample, scans it, and prints recall, precision, speed and memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=4)
    parser.add_argument("--episodes", type=int, default=10)
    parser.add_argument("--ocr", choices=["tiny", "small"], default="tiny")
    parser.add_argument("--draw", type=int, default=0, help="another draw of people and values")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sample = Path(folder) / "sample"
        order = SampleOrder(
            out=sample,
            users=given.users,
            episodes=given.episodes,
            seed=SAMPLE_SEED + given.draw,
            size=(1080, 2400),
            locales=("zh", "en"),
        )
        write_sample(order)
        values = VALUES_SEED + given.draw
        measure(sample, Path(folder) / "report", ScanSettings(ocr=given.ocr), values)


def measure(sample: Path, report: Path, settings: ScanSettings, seed: int) -> None:
    """Plants values into a sample, scans it and prints the results."""
    secrets = plant_release(sample / "raw", seed=seed)
    peaks: list[int] = []

    def note(stage: str, done: int, total: int) -> None:
        if stage == "screens":
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)

    start = time.process_time()
    record = scan(sample / "raw", report, settings, tables=sample / "tables", on_progress=note)
    seconds = time.process_time() - start
    if record is None:
        raise SystemExit("expected a finished scan")
    release = read_release(sample / "raw")
    neutral = {
        episode.episode_id: frozenset(find_secrets_of_episode(release.root, str(episode.folder)).neutral)
        for episode in release.episodes
    }
    print_cells(score_scan(read_finds(report), secrets, neutral))
    print(
        f"simulated; {record.episodes} episodes, {record.screenshots} screenshots, OCR {settings.ocr}: "
        f"{record.screenshots / seconds:.2f} screenshots/s and core, {seconds:.0f} s CPU"
    )
    print(f"peak memory {peaks[0]} MB after the first of {len(peaks)} groups, {peaks[-1]} MB after the last")


def print_cells(cells: Mapping[Key, CellCount]) -> None:
    """Prints a line for each kind and place, then one for each place."""
    columns = f"{'secrets':>7} {'recall':>7} {'finds':>6} {'precision':>9} {'uncounted':>9}"
    print(f"{'place':<11} {'kind':<12} {columns}")
    for kind, place in sorted(cells, key=lambda key: (key[1], key[0])):
        print_cell(place, kind, cells[kind, place])
    for place in sorted({place for _, place in cells}):
        some = [cell for key, cell in cells.items() if key[1] is place]
        names = ("secrets", "found", "finds", "right", "uncounted")
        print_cell(place, "all", CellCount(**{name: sum(getattr(c, name) for c in some) for name in names}))


def print_cell(place: str, kind: str, cell: CellCount) -> None:
    """Prints one line, with some of what was missed or wrong."""
    recall = "-" if cell.recall is None else f"{cell.recall:.3f}"
    precision = "-" if cell.precision is None else f"{cell.precision:.3f}"
    notes = [
        f"{word}: {', '.join(sorted(set(values))[:4])}"
        for word, values in (("missed", cell.missed), ("wrong", cell.wrong))
        if values
    ]
    print(
        f"{place:<11} {kind:<12} {cell.secrets:>7} {recall:>7} {cell.finds:>6} {precision:>9} "
        f"{cell.uncounted:>9}  {'; '.join(notes)}".rstrip()
    )


if __name__ == "__main__":
    main()
