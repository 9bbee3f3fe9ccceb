"""Surroundings of a find in the data: the screenshot of its step, and the text of its field.

Nothing is guessed: a field whose text no longer has the find at its place has no context.
"""

from __future__ import annotations

import csv
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from fingertip_dataset.actions import Type, parse_action
from fingertip_dataset.errors import AccessibilityTreeError, ActionSyntaxError, ReleaseError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.features import MOMENTS, Config
from fingertip_dataset.release.episode_folders import EpisodeFolder
from fingertip_dataset.release.raw_folder import RawFolder, read_file
from fingertip_dataset.release.recordings import read_recording
from fingertip_dataset.release.user_folders import MOMENTS_FILE, MOMENTS_FOLDER
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_privacy.finds import Find, FindPlace
from fingertip_privacy.scan.scanned_texts import node_paths

LARGEST = 64 * 2**20
"""Maximum size of a file that is read, in bytes; the largest known screenshot has 3 MB."""

_LINE = re.compile(r"line ([0-9]{1,9})")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPicture:
    """The screenshot of a find's step.

    Attributes:
        file: Its file as in `Find.file`: in a built dataset the shard.
        content: The stored PNG or JPEG.
    """

    file: str
    content: bytes


class ReviewedData(ABC):
    """A raw release or a built dataset whose finds are looked at. Remembers the last episode."""

    @abstractmethod
    def picture(self, find: Find) -> FoundPicture | None:
        """The screenshot of the find's step; None outside of steps, and for a step without one."""

    @abstractmethod
    def _texts(self, find: Find) -> str | None:
        """The whole text of the find's field; None if it cannot be read."""

    def field_text(self, find: Find) -> str | None:
        """The whole text of the find's field; None for pixels, and if the find is not at its place in it."""
        if find.start is None or find.end is None:
            return None
        text = self._texts(find)
        return text if text is not None and text[find.start : find.end] == find.text else None


def open_reviewed_data(path: Path, kind: str) -> ReviewedData:
    """Open what a report was made from.

    Args:
        path: The raw release or the built dataset.
        kind: "raw" or "dataset".

    Raises:
        UsageError: There is no such folder.
        DatasetError: The dataset is broken.
    """
    if not path.is_dir():
        raise UsageError("the folder that was scanned is not there: name it with --data", file=path)
    return DatasetFinds(path) if kind == "dataset" else ReleaseFinds(path)


class ReleaseFinds(ReviewedData):
    """Screens and texts of a raw release; no link out of it is followed."""

    def __init__(self, path: Path) -> None:
        self._raw = RawFolder.open(path)
        self._recorded: tuple[str, Mapping[int, tuple[str | None, str]]] = ("", {})

    def picture(self, find: Find) -> FoundPicture | None:
        """The screenshot of the find's step."""
        file: str | None = find.file
        if find.place is not FindPlace.SCREENSHOT:
            file = self._step(find)[0]
        content = self._read(file) if file else None
        return FoundPicture(file=file, content=content) if file and content is not None else None

    def _texts(self, find: Find) -> str | None:
        if find.place in (FindPlace.ACTION, FindPlace.TYPED_TEXT):
            return action_text(self._step(find)[1], find.field)
        content = self._read(find.file)
        if content is None:
            return None
        if find.file.endswith(f"/{MOMENTS_FILE}"):
            return line_text(content.decode("utf-8-sig", "replace"), find.field)
        if find.place is FindPlace.TREE:
            return node_text(content, find.field)
        text = content.decode("utf-8-sig", "replace")
        if find.place is FindPlace.INDEX:
            return cell_text(text, find.field)
        try:
            return value_text(json.loads(text), find.field)
        except (ValueError, RecursionError):
            return None

    def _step(self, find: Find) -> tuple[str | None, str]:
        """Screenshot and raw action of the find's step; (None, "") outside of steps."""
        if find.episode is None or find.step is None:
            return None, ""
        if PurePosixPath(find.file).parent.name == MOMENTS_FOLDER:
            picture = str(PurePosixPath(find.file).with_suffix(".jpg"))
            return (picture if self._raw.holds(self._raw.path(picture)) else None), ""
        folder = "/".join(find.file.split("/")[:2])
        if self._recorded[0] != folder:
            place = EpisodeFolder(user_id=find.user, time=find.episode.rpartition("__")[2], path=folder)
            steps = {}
            if self._raw.holds(self._raw.path(folder)):
                recording = read_recording(self._raw, place, self._raw.list(folder))
                steps = {number: (step.screenshot, step.raw) for number, step in enumerate(recording.steps)}
            self._recorded = (folder, steps)
        return self._recorded[1].get(find.step, (None, ""))

    def _read(self, file: str) -> bytes | None:
        path = self._raw.path(file)
        try:
            return read_file(path, LARGEST) if self._raw.holds(path) else None
        except ReleaseError:
            return None


class DatasetFinds(ReviewedData):
    """Screens and texts of a built dataset."""

    def __init__(self, path: Path) -> None:
        self._built = BuiltDataset.open(path)
        self._shards = {shard.file: shard for shard in self._built.manifest.all_shards}
        self._row: tuple[tuple[str, str | None], Mapping[str, Any]] = (("", None), {})

    def picture(self, find: Find) -> FoundPicture | None:
        """The screenshot of the find's step."""
        image = self._of_step(find, "screenshots")
        if not isinstance(image, Mapping) or not isinstance(image.get("bytes"), bytes):
            return None
        return FoundPicture(file=find.file, content=image["bytes"])

    def _texts(self, find: Find) -> str | None:
        if find.place is FindPlace.TREE:
            tree = self._of_step(find, "accessibility_trees")
            return node_text(tree, find.field) if isinstance(tree, str) else None
        if find.place in (FindPlace.ACTION, FindPlace.TYPED_TEXT):
            action = self._of_step(find, "actions")
            return action_text(action["raw"], find.field) if isinstance(action, Mapping) else None
        return value_text(self._episode(find), find.field)

    def _of_step(self, find: Find, column: str) -> object:
        values = self._episode(find).get(column) or ()
        return values[find.step] if find.step is not None and 0 <= find.step < len(values) else None

    def _episode(self, find: Find) -> Mapping[str, Any]:
        """The row of the find's episode; empty if there is none."""
        place, shard = (find.file, find.episode), self._shards.get(find.file)
        if shard is None or find.episode is None:
            return {}
        if self._row[0] != place:
            config: Config = MOMENTS if shard.config == MOMENTS else "default"
            rows = self._built.rows(shard.split, config=config, ids=frozenset({find.episode}))
            self._row = (place, next(iter(rows), {}))
        return self._row[1]


def node_text(tree: bytes | str, field: str) -> str | None:
    """Text of a node's attribute, such as "0/3/1@text"; None if the tree has no such attribute.

    >>> node_text('<hierarchy><node><node/><node text="13912345678"/></node></hierarchy>', "0/1@text")
    '13912345678'
    """
    path, _, name = field.rpartition("@")
    try:
        parsed = parse_tree(tree)
    except AccessibilityTreeError:
        return None
    for place, attributes in zip(node_paths(parsed), parsed.attributes, strict=True):
        if place == path:
            return attributes.get(name)
    return None


def action_text(raw: str, field: str) -> str | None:
    """Text of an action by the name behind the @ of a field: "content", "text", or "raw" for all of it.

    >>> action_text("click(coordinates=(336, 1267), content='发送')", "line 4@content")
    '发送'
    """
    name = field.rpartition("@")[2]
    if name == "raw":
        return raw
    try:
        action = parse_action(raw)
    except ActionSyntaxError:
        return None
    text = action.text if isinstance(action, Type) else getattr(action, "content", None)
    return text if isinstance(text, str) else None


def cell_text(table: str, field: str) -> str | None:
    r"""Text of a table's cell, such as "line 12@intentDescription"; lines are counted from 1.

    >>> cell_text("user_id,intentDescription\n3,打电话\n", "line 2@intentDescription")
    '打电话'
    """
    line, _, column = field.partition("@")
    found = _LINE.fullmatch(line)
    rows = csv.reader(table.splitlines(keepends=True))
    try:
        header = next(rows, [])
        if found is None or column not in header:
            return None
        for row in rows:
            if rows.line_num == int(found[1]):
                return dict(zip(header, row, strict=False)).get(column)
    except csv.Error:
        return None
    return None


def line_text(lines: str, field: str) -> str | None:
    r"""Text at a place of a line of JSON, such as "line 2@scenario"; lines are counted from 1.

    >>> line_text('{"version": "1.0"}\n{"scenario": "home"}\n', "line 2@scenario")
    'home'
    """
    line, _, name = field.partition("@")
    found, all_lines = _LINE.fullmatch(line), lines.splitlines()
    if found is None or not 0 < int(found[1]) <= len(all_lines):
        return None
    text = all_lines[int(found[1]) - 1]
    if name == "raw":
        return text
    try:
        return value_text(json.loads(text), name)
    except (ValueError, RecursionError):
        return None


def value_text(value: object, field: str) -> str | None:
    """Text at a place of a JSON value, such as "simulation.arguments.to"; None if there is none.

    >>> value_text({"simulation": {"names": ["王芳"]}}, "simulation.names.0")
    '王芳'
    """
    for part in field.split("."):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list | tuple) and part.isascii() and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    return value if isinstance(value, str) else None
