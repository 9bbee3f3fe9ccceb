"""Screenshots and accessibility trees find their steps: by the moment in their names, else by their place."""

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
    """A screenshot or a tree; a tuple, for a release has half a million.

    Attributes:
        path: Relative to the release.
        name: The last part of it.
        stem: The name without its suffix.
        suffix: In lower case, with its dot; "" where there is none.
        moment: The number at the end of the stem, epoch milliseconds in the release; None without one.
    """

    path: str
    name: str
    stem: str
    suffix: str
    moment: int | None


@dataclass(frozen=True, slots=True)
class Join:
    """Which screen belongs to which step.

    Attributes:
        screenshots: One for each step, None where there is none.
        trees: The same.
        by_position: The steps whose screenshot was found by its place, counted from 0.
        unused: Screenshots and trees of no step, in the order of their names.
    """

    screenshots: tuple[ScreenFile | None, ...]
    trees: tuple[ScreenFile | None, ...]
    by_position: frozenset[int]
    unused: tuple[ScreenFile, ...]


def screen_file(path: str) -> ScreenFile:
    """The parts of a path's name.

    >>> screen_file("3/20250310_081530/Screenshots/tree_1741498279844.XML")[2:]
    ('tree_1741498279844', '.xml', 1741498279844)
    """
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    if not stem:
        stem, dot, suffix = name, "", ""
    digits = _MOMENT.search(stem)
    return ScreenFile(path, name, stem, dot + suffix.lower(), int(digits[0]) if digits else None)


def named_screen(name: str) -> ScreenFile:
    """What the name in a line of action.jsonl calls for; folders in front of it are left out."""
    return screen_file(name.replace("\\", "/"))


def in_time(files: Iterable[ScreenFile]) -> list[ScreenFile]:
    """Files by their moment; those without one come last, by name."""
    return sorted(files, key=lambda file: (inf if file.moment is None else file.moment, file.path))


def join_screens(
    keys: Sequence[ScreenFile | None], images: Sequence[ScreenFile], trees: Sequence[ScreenFile]
) -> Join:
    """Give each step its screenshot and tree.

    A screenshot belongs to the step that names it (the release's rule); `.jpg`, `.jpeg` and `.png` are
    one name. For steps without one, other readers of the release take the screenshot at the step's place
    in the sorted list, which goes wrong as soon as one is missing. Here a run of such steps takes the
    screenshots that no step names and that lie in time between the steps before and behind the run,
    if there are exactly as many of them as steps. A tree belongs to the step whose name, or else whose
    screenshot's name, ends in the same moment.

    Args:
        keys: For each step what its name in action.jsonl calls for; None where its line has none.
        images: The screenshots.
        trees: The accessibility trees.
    """
    found = _by_name(keys, images)
    claimed = {image.path for image in found if image}
    spare = [image for image in in_time(images) if image.path not in claimed and image.moment is not None]
    placed = dict(_by_position(found, spare))
    screenshots = tuple(placed.get(step, image) for step, image in enumerate(found))
    by_moment = {tree.moment: tree for tree in reversed(trees) if tree.moment is not None}
    joined = tuple(_tree(by_moment, *pair) for pair in zip(keys, screenshots, strict=True))
    used = {file.path for file in (*screenshots, *joined) if file}
    unused = sorted((file for file in (*images, *trees) if file.path not in used), key=lambda f: f.path)
    return Join(screenshots, joined, frozenset(placed), tuple(unused))


def _by_name(keys: Sequence[ScreenFile | None], images: Sequence[ScreenFile]) -> list[ScreenFile | None]:
    by_stem = {image.stem: image for image in reversed(images)}
    by_full_name = {image.name: image for image in reversed(images)}
    return [key and (by_full_name.get(key.name) or by_stem.get(key.stem)) for key in keys]


def _by_position(
    found: Sequence[ScreenFile | None], spare: Sequence[ScreenFile]
) -> Iterator[tuple[int, ScreenFile]]:
    """Step -> screenshot, for the runs of steps that exactly the screenshots between their neighbours fit."""
    moments = [image.moment or 0 for image in spare]
    start = 0
    while spare and start < len(found):
        stop = start
        while stop < len(found) and found[stop] is None:
            stop += 1
        if stop > start:
            low, high = _time(found, start - 1, -inf), _time(found, stop, inf)
            between = spare[bisect_right(moments, low) : bisect_left(moments, high)]
            if len(between) == stop - start:
                yield from zip(range(start, stop), between, strict=True)
        start = stop + 1


def _time(found: Sequence[ScreenFile | None], step: int, edge: float) -> float:
    """The moment of a step's screenshot; `edge` outside of the list, and NaN where it tells none."""
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
