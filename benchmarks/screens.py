"""CPU time of decoding, cropping and scaling screens of 1080x2280, beside Pillow alone and an older build.

python -m benchmarks.screens [--before CLONE] [--screens FOLDER]

The screens are those of simulated people, or the JPEG files of a folder.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import ROOT, WINGS
from fingertip_dataset.screen_decoder import describe_decoder
from fingertip_recorder.simulated_life import SampleOrder, write_sample

SEED, SIZE, SCREENS, ROUNDS = 7, (1080, 2280), 12, 2
WORK = Path(__file__).with_name("screen_work.py")


def make_screens(folder: Path) -> Path:
    """Record a few episodes of simulated people, and link screens of all of them into a folder."""
    write_sample(SampleOrder(out=folder / "sample", users=2, episodes=8, seed=SEED, size=SIZE))
    found = sorted((folder / "sample").rglob("*.jpg"))
    (folder / "screens").mkdir()
    for number, file in enumerate(found[:: max(1, len(found) // SCREENS)][:SCREENS]):
        (folder / "screens" / f"{number:02}.jpg").symlink_to(file)
    return folder / "screens"


def measure_build(root: Path, screens: Path, *further: str) -> dict[str, float]:
    """Milliseconds a screen of each work in the build of a folder, in a process of its own."""
    paths = os.pathsep.join(str(path) for path in (root, *(root / wing for wing in WINGS)))
    done = subprocess.run(
        [sys.executable, "-P", str(WORK), str(screens), *further],
        cwd=root,
        env=os.environ | {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1"},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    times: dict[str, float] = json.loads(done.stdout)
    return times


def main() -> None:
    """Print the times of each build, and the ratios to this one's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="a clone of an older build, to be compared")
    parser.add_argument("--screens", type=Path, help="a folder of JPEG files")
    options = parser.parse_args()
    builds: dict[str, tuple[Path, tuple[str, ...]]] = {
        "now": (ROOT, ()),
        "pillow alone": (ROOT, ("--pillow",)),
    }
    if options.before:
        builds["before"] = options.before.resolve(), ()
    found: dict[str, list[dict[str, float]]] = {name: [] for name in builds}
    with TemporaryDirectory() as temporary:
        screens = options.screens.resolve() if options.screens else make_screens(Path(temporary))
        # one after the other, so that all meet the same load of the machine
        for _ in range(ROUNDS):
            for name, (root, further) in builds.items():
                found[name].append(measure_build(root, screens, *further))
    print(describe_decoder())
    print(f"{'CPU time a screen':<32}" + "".join(f"{name:>15}" for name in builds) + f"{'ratio':>9}")
    for work in found["now"][0]:
        # a load of the machine only adds to the time
        times = [min(one[work] for one in rounds) for rounds in found.values()]
        print(
            f"{work:<32}" + "".join(f"{each:>12.1f} ms" for each in times) + f"{times[-1] / times[0]:>7.1f} x"
        )


if __name__ == "__main__":
    main()
