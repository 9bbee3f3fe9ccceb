"""Runs of a command and the tries of its repeated runs, which are scored one by one and then together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from fingertip_analysis.repeated_runs import AnyRunScores
    from fingertip_metrics.aggregate import Interval
    from fingertip_runs.repeat_scores import RepeatScores

One = TypeVar("One")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGroup:
    """A run of the command.

    Attributes:
        folder: Folder of the run, ordinary or repeated.
        runs: Folders of its tries; the folder itself of an ordinary run.
        repeated: Whether it is a repeated run.
    """

    folder: Path
    runs: tuple[Path, ...]
    repeated: bool


def group_runs(folders: Sequence[Path]) -> tuple[RunGroup, ...]:
    """Find the tries of each run.

    Raises:
        RunError: The record of a repeated run is broken, or a try has no run.
    """
    from fingertip_runs.repeats import is_repeated, list_tries

    return tuple(
        RunGroup(folder=folder, runs=list_tries(folder), repeated=is_repeated(folder)) for folder in folders
    )


def list_group_runs(groups: Sequence[RunGroup]) -> tuple[Path, ...]:
    """Folders of all runs and tries."""
    return tuple(run for group in groups for run in group.runs)


def split_by_group(groups: Sequence[RunGroup], items: Sequence[One]) -> Iterator[tuple[RunGroup, list[One]]]:
    """Each group with its part of what belongs to the runs of all groups."""
    begin = 0
    for group in groups:
        end = begin + len(group.runs)
        yield group, list(items[begin:end])
        begin = end


def score_groups(
    groups: Sequence[RunGroup], scores: Sequence[AnyRunScores], *, partial: bool
) -> list[RepeatScores]:
    """Scores of the repeated runs from those of all runs and tries.

    Raises:
        RunError: A try lacks tasks that another one has.
    """
    from fingertip_analysis.repeated_runs import score_repeats

    return [
        score_repeats(group.folder, of_tries, partial=partial)
        for group, of_tries in split_by_group(groups, scores)
        if group.repeated
    ]


def write_repeats(repeats: Sequence[RepeatScores]) -> None:
    """Write scores.json into the folder of each repeated run.

    Raises:
        RunError: A file cannot be written.
    """
    from fingertip_runs.repeat_scores import repeats_dict
    from fingertip_runs.run_folder import SCORES, write_json

    for one in repeats:
        write_json(one.folder / SCORES, repeats_dict(one))


def list_objects(
    groups: Sequence[RunGroup], contents: Sequence[Mapping[str, Any]], repeats: Sequence[RepeatScores]
) -> list[dict[str, Any]]:
    """The JSON object of each run; that of a repeated run has its scores, and those of its tries."""
    from fingertip_runs.repeat_scores import repeats_dict

    together, objects = iter(repeats), []
    for group, of_tries in split_by_group(groups, contents):
        tries = [{"folder": str(run), **content} for run, content in zip(group.runs, of_tries, strict=True)]
        if group.repeated:
            objects.append({"folder": str(group.folder), **repeats_dict(next(together)), "tries": tries})
        else:
            objects += tries
    return objects


def add_differences(
    objects: Sequence[dict[str, Any]],
    groups: Sequence[RunGroup],
    scores: Sequence[One],
    folder: Path | None,
    compare: Callable[[Sequence[One], Sequence[One]], Mapping[str, Interval]],
) -> Sequence[dict[str, Any]]:
    """The objects of all runs, each but the last with its differences to the last where these are wanted.

    Args:
        objects: Object of each run.
        groups: The runs; the last is the one that the others are compared with, if they are.
        scores: Scores of all runs and tries.
        folder: Folder of the last run; None if nothing is compared.
        compare: Computes the differences between the tries of two runs.
    """
    if folder is None:
        return objects
    *runs, others = (tries for _, tries in split_by_group(groups, scores))
    for tries, content in zip(runs, objects, strict=False):
        content["against"] = {
            "folder": str(folder),
            "differences": {name: asdict(interval) for name, interval in compare(tries, others).items()},
        }
    return objects
