"""Join of screenshots and accessibility trees to steps, by the moment in their names or by position."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

IMAGE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png"})
TREE_SUFFIX = ".xml"

_MOMENT = re.compile(r"[0-9]{1,19}\Z")


class ScreenFile(NamedTuple):
    """A screenshot or a tree; a tuple to save memory, because a release has half a million.

    Attributes:
        path: Path relative to the release.
        name: Last part of the path.
        stem: The name without its suffix.
        suffix: The suffix in lower case, with its dot; "" without a suffix.
        moment: Number at the end of the stem, epoch milliseconds in the release; None without a number.
    """

    path: str
    name: str
    stem: str
    suffix: str
    moment: int | None


@dataclass(frozen=True, slots=True)
class Join:
    """Assignment of screenshots and trees to steps.

    Attributes:
        screenshots: Screenshot of each step; None for a step without one.
        trees: Tree of each step; None for a step without one.
        by_position: Indices of the steps whose screenshot was found by position, from 0.
        unused: Screenshots and trees of no step, in the order of their paths.
    """

    screenshots: tuple[ScreenFile | None, ...]
    trees: tuple[ScreenFile | None, ...]
    by_position: frozenset[int]
    unused: tuple[ScreenFile, ...]


def parse_screen_file(path: str) -> ScreenFile:
    """Split a path into the parts of its name.

    >>> parse_screen_file("3/20250310_081530/Screenshots/tree_1741498279844.XML")[2:]
    ('tree_1741498279844', '.xml', 1741498279844)
    """
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    if not stem:
        stem, dot, suffix = name, "", ""
    digits = _MOMENT.search(stem)
    return ScreenFile(path, name, stem, dot + suffix.lower(), int(digits[0]) if digits else None)


def named_screen(name: str) -> ScreenFile:
    """Parse the screenshot name in a line of action.jsonl, without leading folders."""
    return parse_screen_file(name.replace("\\", "/"))


def in_time(files: Iterable[ScreenFile]) -> list[ScreenFile]:
    """Sort files by their moment; those without one come last, by path."""
    return sorted(files, key=lambda file: (inf if file.moment is None else file.moment, file.path))


def join_screens(
    keys: Sequence[ScreenFile | None], images: Sequence[ScreenFile], trees: Sequence[ScreenFile]
) -> Join:
    """Assign a screenshot and a tree to each step.

    A screenshot belongs to the step that names it (the release's rule); the suffixes `.jpg`, `.jpeg` and
    `.png` are interchangeable. For steps without one, other readers of the release take the screenshot at
    the step's position in the sorted list, which is wrong as soon as one is missing. Here a run of such
    steps takes the screenshots that no step names and that lie in time between the steps before and after
    the run, if their number equals the number of steps. A tree belongs to the step whose name, or otherwise
    whose screenshot's name, ends in the same moment.

    Args:
        keys: Screenshot name of each step in action.jsonl, parsed; None if its line lacks a name.
        images: The screenshots.
        trees: The accessibility trees.
    """
    by_name = _join_by_name(keys, images)
    claimed = {image.path for image in by_name if image}
    spare = [image for image in in_time(images) if image.path not in claimed and image.moment is not None]
    by_position = dict(_join_by_position(by_name, spare))
    screenshots = tuple(by_position.get(step, image) for step, image in enumerate(by_name))
    by_moment = {tree.moment: tree for tree in reversed(trees) if tree.moment is not None}
    step_trees = tuple(_tree(by_moment, *pair) for pair in zip(keys, screenshots, strict=True))
    used = {file.path for file in (*screenshots, *step_trees) if file}
    unused = sorted((file for file in (*images, *trees) if file.path not in used), key=lambda f: f.path)
    return Join(screenshots, step_trees, frozenset(by_position), tuple(unused))


def _join_by_name(keys: Sequence[ScreenFile | None], images: Sequence[ScreenFile]) -> list[ScreenFile | None]:
    by_stem = {image.stem: image for image in reversed(images)}
    by_full_name = {image.name: image for image in reversed(images)}
    return [key and (by_full_name.get(key.name) or by_stem.get(key.stem)) for key in keys]


def _join_by_position(
    found: Sequence[ScreenFile | None], spare: Sequence[ScreenFile]
) -> Iterator[tuple[int, ScreenFile]]:
    """Yield (step, screenshot) for each run of steps with as many screenshots between its neighbours."""
    moments = [image.moment or 0 for image in spare]
    start = 0
    while spare and start < len(found):
        stop = start
        while stop < len(found) and found[stop] is None:
            stop += 1
        if stop > start:
            low, high = _time(found, start - 1, -inf), _time(found, stop, inf)
            first, last = bisect_right(moments, low), bisect_left(moments, high)
            # counted before they are copied: many runs may lie around all of them
            if last - first == stop - start:
                yield from zip(range(start, stop), spare[first:last], strict=True)
        start = stop + 1


def _time(found: Sequence[ScreenFile | None], step: int, edge: float) -> float:
    """Return the moment of a step's screenshot; `edge` outside of the list, NaN if it has no screenshot."""
    if not 0 <= step < len(found):
        return edge
    image = found[step]
    return float("nan") if image is None or image.moment is None else image.moment


def _tree(
    by_moment: Mapping[int, ScreenFile], key: ScreenFile | None, image: ScreenFile | None
) -> ScreenFile | None:
    for file in (key, image):
        if file and file.moment is not None and file.moment in by_moment:
            return by_moment[file.moment]
    return None
