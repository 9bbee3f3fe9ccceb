"""How many tasks until identification tells two ways apart, beside Sim_2 on the same tasks.

`python -m fingertip_studies.identification_power RUN [RUN ...]`, on runs of track 2 with the same tasks. The
ways that are compared are the person's own, each run's, that of a person of another type, and tricks. First
come identification and Sim_2 of each way for several sizes of groups. Then people are drawn without
replacement, groups are made anew among them, and the share of draws is counted in which the 95 % interval of
the paired difference between the first run and another way, over people, lies above 0: the power. A number of
people is enough where it is at least 0.8.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from execution_runner import read_attempts
from execution_runner.scoring.task_scores import list_outputs
from fingertip_analysis.action_tricks import list_trick_actions
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_metrics import bootstrap_mean, score_identification, sim2
from fingertip_metrics.identification import GROUP_SIZE
from fingertip_runs.targets import read_targets

SIZES = (2, 3, 4, 5)
"""Sizes of groups."""

PEOPLE, DRAWS = (15, 30, 60, 90), 60
"""Numbers of people that are drawn, and draws of each."""

OWN, OTHER = "the person's own", "a person of another type"

WayActions = Mapping[str, Sequence[Sequence[str]]]
"""Name of a way -> its actions in each task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedWays:
    """WayActions through the same tasks.

    Attributes:
        targets: The tasks.
        ways: The ways.
    """

    targets: Sequence[TaskTarget]
    ways: WayActions

    def choose(self, places: Sequence[int]) -> ComparedWays:
        """Ways of this kind on some of the tasks, given by their indices."""
        return ComparedWays(
            targets=[self.targets[at] for at in places],
            ways={name: [way[at] for at in places] for name, way in self.ways.items()},
        )

    def identify(self, name: str, size: int = GROUP_SIZE) -> list[float | None]:
        """Whether each task of a way is identified."""
        found = score_identification(
            self.ways[name],
            [target.golden_actions for target in self.targets],
            users=[target.user_id for target in self.targets],
            intents=[target.intent for target in self.targets],
            apps=[target.app for target in self.targets],
            size=size,
        )
        return [item.identified for item in found.per_item]

    def compare_types(self, name: str) -> list[float | None]:
        """Sim_2 of each task of a way."""
        found = sim2(
            self.ways[name],
            [target.golden_actions for target in self.targets],
            [target.other_type_actions for target in self.targets],
        )
        return [item.sim2 for item in found.per_item]


def read_ways(runs: Sequence[Path]) -> ComparedWays:
    """The ways of the people and of some runs.

    Raises:
        UsageError: The runs have different tasks.
        RunError: There is no run, or it is broken.
    """
    attempts = {run.name: {one.end.task_id: one for one in read_attempts(run)} for run in runs}
    ids = sorted(next(iter(attempts.values())))
    if any(sorted(found) != ids for found in attempts.values()):
        raise UsageError("expected runs of the same tasks")
    targets = read_targets(runs[0], ids)
    golden = [targets[task_id].golden_actions for task_id in ids]
    return ComparedWays(
        targets=[targets[task_id] for task_id in ids],
        ways={
            OWN: golden,
            **{
                run: [list_outputs(found[task_id], "all", True) for task_id in ids]
                for run, found in attempts.items()
            },
            OTHER: [targets[task_id].other_type_actions for task_id in ids],
            **list_trick_actions(golden),
            "press_home() ten times": [["press_home()"] * 10 for _ in ids],
        },
    )


def print_table(compared: ComparedWays) -> None:
    """Print identification for each size of groups, and Sim_2, of each way."""
    users = [target.user_id for target in compared.targets]
    print("| way | " + " | ".join(f"K = {size}" for size in SIZES) + " | Sim_2 |")
    print("|---|" + "---|" * (len(SIZES) + 1))
    for name in compared.ways:
        cells = []
        for size in SIZES:
            mean = bootstrap_mean(compared.identify(name, size), users)
            ends = "" if mean.low is None else f" [{100 * mean.low:.0f}, {100 * (mean.high or 0):.0f}]"
            cells.append(f"{100 * mean.mean:.1f}{ends}")
        mean = bootstrap_mean(compared.compare_types(name), users)
        print(f"| {name} | " + " | ".join(cells) + f" | {mean.mean:.3f} |")


def measure_power(
    compared: ComparedWays, first: str, second: str, people: int, *, seed: int = 0
) -> tuple[float, float]:
    """Share of draws of `people` people in which two ways are told apart, by identification and by Sim_2."""
    by_user: dict[str, list[int]] = {}
    for at, target in enumerate(compared.targets):
        by_user.setdefault(target.user_id, []).append(at)
    rng = random.Random(f"{seed} {people}")  # noqa: S311 - draws of a study
    apart = [0, 0]
    for _ in range(DRAWS):
        drawn = rng.sample(sorted(by_user), people)
        part = compared.choose([at for user in drawn for at in by_user[user]])
        users = [target.user_id for target in part.targets]
        for number, score in enumerate((part.identify, part.compare_types)):
            pairs = zip(score(first), score(second), strict=True)
            differences = [None if one is None or two is None else one - two for one, two in pairs]
            found = bootstrap_mean(differences, users)
            apart[number] += found.low is not None and found.low > 0
    return apart[0] / DRAWS, apart[1] / DRAWS


def print_power(compared: ComparedWays, first: str) -> None:
    """Print the power of telling each other way from one, for several numbers of people."""
    known = len({target.user_id for target in compared.targets})
    numbers = [number for number in PEOPLE if number <= known]
    print("\n| above | " + " | ".join(f"{number} people" for number in numbers) + " |")
    print("|---|" + "---|" * len(numbers))
    for name in compared.ways:
        if name in (OWN, first, "half"):
            continue
        cells = []
        for number in numbers:
            whose, types = measure_power(compared, first, name, number)
            cells.append(f"{whose:.2f} ({types:.2f})")
        print(f"| {name} | " + " | ".join(cells) + " |")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN")
    compared = read_ways(parser.parse_args().runs)
    print_table(compared)
    print_power(compared, list(compared.ways)[1])


if __name__ == "__main__":
    main()
