"""CPU time and memory of `fingertip verify` on a bundle of each track, beside an older build in the same run.

python -m benchmarks.verify [--before CLONE] [--dataset DATASET BUNDLE...]

Without a dataset, one of simulated people is made, and a bundle of each track on it. A bundle under the name
of another agent is verified as well: our own agents then decide again beside the replay.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.measured_call import FINGERTIP, MEGABYTE, Used, measure_call
from benchmarks.report import ROOT
from fingertip_leaderboard.fingertip_sim import BASELINES, build_fingertip_sim
from fingertip_recorder.published_sample import NAME, Size

ROUNDS = 3
"""Calls of each build for each bundle, one build after the other."""

AGENTS = ("habit", "imitate")
PEOPLE = Size(users=12, episodes=40, screen=(360, 800))


def rename_agent(bundle: Path, out: Path) -> Path:
    """Write the bundle of a run under the name of an agent that is none of ours."""
    with zipfile.ZipFile(bundle) as packed, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as renamed:
        for name in packed.namelist():
            content = packed.read(name)
            if Path(name).name == "bundle.json":
                head = json.loads(content)
                head["run"]["agent"] = {**head["run"]["agent"], "name": "benchmarked", "settings": {}}
                head["card"]["name"] = "the benchmarked agent"
                content = json.dumps(head, ensure_ascii=False, indent=2).encode()
            renamed.writestr(name, content)
    return out


def make_bundles(folder: Path) -> tuple[Path, list[Path]]:
    """A dataset of simulated people, and a bundle of each track on it."""
    chosen = [one for one in BASELINES if one.name in AGENTS]
    build_fingertip_sim(folder / "sim", size=PEOPLE, baselines=chosen, workers=2)
    return folder / "sim" / NAME, sorted((folder / "sim" / "bundles").iterdir())


def compare(builds: dict[str, Path], bundle: Path, dataset: Path) -> None:
    """Print what each build uses for a bundle, and the ratios."""
    found: dict[str, list[Used]] = {name: [] for name in builds}
    for _ in range(ROUNDS):
        for name, root in builds.items():
            call: list[str | Path] = [*FINGERTIP, "verify", bundle, "--dataset", dataset]
            found[name].append(measure_call(root, call))
    # a load of the machine only adds to the time
    cpu = {name: min(one.cpu for one in used) for name, used in found.items()}
    memory = {name: median(one.memory for one in used) for name, used in found.items()}
    print(f"\n{bundle.name}")
    for name in builds:
        print(f"{name:<8}{cpu[name]:>8.2f} s{memory[name] / MEGABYTE:>8.0f} MB")
    if "before" in builds:
        ratios = cpu["now"] / cpu["before"], memory["now"] / memory["before"]
        print(f"now / before: {ratios[0]:.2f} x the time, {ratios[1]:.2f} x the memory")


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare the builds on each bundle, and on those of track 2 under another name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="a clone of an older build, to be compared")
    parser.add_argument("--dataset", type=Path, help="dataset of the bundles")
    parser.add_argument("bundles", nargs="*", type=Path, help="zip files of bundles")
    options = parser.parse_args(arguments)
    builds = {"before": options.before.resolve()} if options.before else {}
    builds["now"] = ROOT
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        dataset, bundles = options.dataset, options.bundles
        if dataset is None or not bundles:
            dataset, bundles = make_bundles(folder)
        for bundle in bundles:
            compare(builds, bundle.resolve(), dataset.resolve())
            if bundle.name.startswith("execution"):
                compare(builds, rename_agent(bundle, folder / f"renamed-{bundle.name}"), dataset.resolve())


if __name__ == "__main__":
    main()
