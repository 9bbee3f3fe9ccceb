"""Content of an episode's screens: the original bytes of screenshots and the text of trees, checked.

No pixels are decoded. For an unusable file the content is None, and a problem is reported.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from fingertip_dataset.actions import Action
from fingertip_dataset.episodes import Episode, Step
from fingertip_dataset.errors import AccessibilityTreeError, InputError
from fingertip_dataset.picture_metadata import strip_metadata
from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.screens.images import ImageHeader, read_image_header
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.tree_xml import MAX_BYTES, mend_characters, read_tree, tree_parser

MAX_IMAGE_BYTES = 32 * 2**20
"""Maximum size of a screenshot; the largest known has 3 MB."""

_PLAIN = re.compile(
    rb"""(<\?xml\ version=['"]1\.0['"](\ encoding=['"](?i:utf-8)['"])?(\ standalone=['"](yes|no)['"])?\ ?\?>)?
    \s*<(hierarchy|node)[\s/>]""",
    re.VERBOSE,
)
"""Beginning of nearly every tree, for which a fast check suffices."""

_SUFFIXES = {"jpeg": (".jpg", ".jpeg"), "png": (".png",)}


@dataclass(frozen=True, slots=True)
class StepContent:
    """Screen of a step.

    Attributes:
        screenshot: Unchanged bytes of the screenshot; None if it is missing or unusable.
        tree: Text of the accessibility tree without a byte order mark; None if it is missing or unusable.
    """

    screenshot: bytes | None
    tree: str | None


def read_content(
    root: Path, episode: Episode, *, keep_metadata: bool = False
) -> tuple[tuple[StepContent, ...], tuple[Problem, ...]]:
    """Read the screens of an episode, one per step in order, and their problems.

    A step without a path gives None and no problem, because `read_release` has reported it.

    Args:
        root: Folder of the release.
        episode: An episode of that release.
        keep_metadata: Whether screenshots keep what stands next to their pixels. Their EXIF orientation is
            kept in any case.
    """
    reader = _ContentReader(root=str(root), episode_id=episode.episode_id, keep_metadata=keep_metadata)
    return tuple(reader.content(step) for step in episode.steps), tuple(reader.problems)


@dataclass(slots=True)
class _ContentReader:
    """Reader of the files of one episode, which collects their problems."""

    root: str
    episode_id: str
    keep_metadata: bool
    problems: list[Problem] = field(default_factory=list)

    def note(self, kind: ProblemKind, detail: str, file: str) -> None:
        self.problems.append(Problem(kind=kind, detail=detail, episode_id=self.episode_id, file=file))

    def content(self, step: Step) -> StepContent:
        return StepContent(
            None if step.screenshot is None else self._read_screenshot(step.screenshot, step.action),
            None if step.tree is None else self._read_tree(step.tree),
        )

    def _read_screenshot(self, file: str, action: Action | None) -> bytes | None:
        try:
            data = read_file(f"{self.root}/{file}", MAX_IMAGE_BYTES)
            header = read_image_header(data)
        except InputError as error:
            self.note(ProblemKind.CORRUPT_SCREENSHOT, error.message, file)
            return None
        if not file.lower().endswith(_SUFFIXES[header.format]):
            detail = f"expected the format of its name, got {header.format}"
            self.note(ProblemKind.SCREENSHOT_FORMAT, detail, file)
        for kind, detail in _find_unusual(header):
            self.note(kind, detail, file)
        plain = strip_metadata(data, header.orientation)
        if plain != data:
            detail = "EXIF data, a preview or texts next to the pixels"
            self.note(ProblemKind.PICTURE_METADATA, detail, file)
            data = data if self.keep_metadata else plain
        fault = _check_point(action, header)
        if fault:
            self.note(ProblemKind.ACTION_OFF_SCREEN, fault, file)
        return data

    def _read_tree(self, file: str) -> str | None:
        try:
            data = read_file(f"{self.root}/{file}", MAX_BYTES).removeprefix(BOM_UTF8)
            text = _decode(data)
            may_be_mended = _check_tree(data, text)
        except InputError as error:
            self.note(ProblemKind.BROKEN_TREE, error.message, file)
            return None
        mended = mend_characters(data) if may_be_mended else data
        if mended == data:
            return text
        start = next(place for place, pair in enumerate(zip(data, mended, strict=False)) if len({*pair}) > 1)
        detail = f"expected characters of XML 1.0, got {data[start : start + 16]!r} at byte {start}"
        self.note(ProblemKind.MENDED_TREE, detail, file)
        return mended.decode()


class _WellFormedTarget:
    """Parser target of lxml that only refuses document types: twice as fast as building a tree."""

    def doctype(self, name: str | None, public: str | None, system: str | None, /) -> None:
        raise AccessibilityTreeError("expected a tree without document type, got one")

    def close(self) -> None:
        pass

    def reset(self) -> None:
        pass


def _decode(data: bytes) -> str:
    try:
        # halves of surrogate pairs are mended later
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise AccessibilityTreeError(f"expected UTF-8, got another encoding at byte {error.start}") from error


def _check_tree(data: bytes, text: str) -> bool:
    """Accept exactly the trees that `parse_tree` accepts, and raise its error for others.

    Returns:
        Whether it may hold characters that XML 1.0 refuses.
    """
    if _PLAIN.match(data):
        # the type stubs require a method for every event; lxml calls only those that exist
        return read_tree(data, tree_parser(cast(Any, _WellFormedTarget())))
    parse_tree(text)
    return True


def _find_unusual(header: ImageHeader) -> Iterator[tuple[ProblemKind, str]]:
    """Yield the kinds of pictures that readers can show in several ways, with a description of this one."""
    size = f"{header.width}x{header.height}"
    if header.orientation != 1:
        got = f"got EXIF orientation {header.orientation}"
        yield ProblemKind.ROTATED_SCREENSHOT, f"expected an upright screenshot, {got}: it is read as {size}"
    if header.colours == "cmyk":
        yield ProblemKind.CMYK_SCREENSHOT, "expected RGB, got CMYK: it is read as RGB"
    if header.colours == "grey":
        yield ProblemKind.GREY_SCREENSHOT, "expected RGB, got grey: it is read as RGB"
    if header.depth > 8:
        detail = f"expected 8 bits a colour, got {header.depth}: the upper eight are read"
        yield ProblemKind.SIXTEEN_BIT_SCREENSHOT, detail


def _check_point(action: Action | None, header: ImageHeader) -> str | None:
    """Describe an action's point outside its screenshot; None if it lies inside or there is no point."""
    x, y = getattr(action, "x", None), getattr(action, "y", None)
    if x is None or y is None or (0 <= x < header.width and 0 <= y < header.height):
        return None
    return f"expected a point in {header.width}x{header.height}, got ({x}, {y})"
