"""Texts of a release with their places: what the recognisers read, one record for each text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from fingertip_dataset.actions import Action, Type, parse_action
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, read_bounds
from fingertip_privacy.finds import FindPlace
from fingertip_privacy.tree_source import find_loose_attributes, may_hold_number

Box = tuple[int, int, int, int]

INTENT_FIELD = "intentDescription"

STRUCTURE = frozenset(
    {
        "class", "package", "bounds", "view_id", "resource-id", "index", "rotation", "clickable",
        "long_clickable", "long-clickable", "enabled", "visible", "scrollable", "editable", "checkable",
        "checked", "focusable", "focused", "selected", "password", "NAF", "drawing-order", "instance", "id",
    }
)  # fmt: skip
"""Attributes of a node that programs write: numbers and mailboxes are found in them, and no words."""

_NOT_PRIVATE = frozenset({"user_id", "time", "app", "provenance", "origin", "licence", "license"})
"""Fields of a survey file that say who recorded what, when and with what: they are read as `STRUCTURE` is."""

_SIMULATION = "simulation"
NOT_PRIVATE_SET_UP = _NOT_PRIVATE | {
    "package", "seed", "moment", "faults", "design", "size", "way", "slips", "versions", "goal", "locale",
    "dark", "recent", "answer_form", "icons",
}  # fmt: skip
"""Fields of the set-up of a simulated phone without words of a screen, read as `STRUCTURE` is."""

_MAX_DEPTH = 8
MAX_TEXT = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField:
    """Text at a place; the fields of a `Find` with the same names have the same meaning.

    Attributes:
        label: Text before this one: that of the node or line to its left or above; "" without one.
        package: Package of the app that shows it; "" if unknown.
        is_technical: See `TextInput.is_technical`.
    """

    user: str
    episode: str | None
    step: int | None
    place: FindPlace
    file: str
    field: str
    text: str
    box: Box | None = None
    label: str = ""
    package: str = ""
    is_technical: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Whose text it is and where it is kept: the part of a `TextField` that a whole file shares."""

    user: str
    episode: str | None
    step: int | None
    file: str

    def text(self, place: FindPlace, field: str, text: str, *, is_technical: bool = False) -> TextField:
        """A text of this source."""
        return TextField(
            user=self.user,
            episode=self.episode,
            step=self.step,
            file=self.file,
            place=place,
            field=field,
            text=text,
            is_technical=is_technical,
        )

    def list_file_name(self) -> Iterator[TextField]:
        """Yield the path of the file itself, if it may hold a number or a mailbox."""
        if may_hold_number(self.file):
            yield self.text(FindPlace.INDEX, "file name", self.file, is_technical=True)


def node_paths(tree: AccessibilityTree) -> tuple[str, ...]:
    """Path of each node: its position among the nodes of each ancestor, from 0, such as "0/3/1".

    >>> from fingertip_dataset.ui_tree.accessibility import parse_tree
    >>> node_paths(parse_tree('<hierarchy><node><node/><node/></node><node/></hierarchy>'))
    ('0', '0/0', '0/1', '1')
    """
    counts: dict[int | None, int] = {}
    paths: list[str] = []
    for parent in tree.parents:
        number = counts.get(parent, 0)
        counts[parent] = number + 1
        paths.append(str(number) if parent is None else f"{paths[parent]}/{number}")
    return tuple(paths)


def list_tree_fields(tree: AccessibilityTree, source: Source) -> Iterator[TextField]:
    """Yield each text of a tree: every attribute of a node that holds words, or may hold a number."""
    label = ""
    for path, attributes in zip(node_paths(tree), tree.attributes, strict=True):
        bounds = read_bounds(attributes.get("bounds", ""))
        if bounds is not None and not (bounds[0] < bounds[2] and bounds[1] < bounds[3]):
            bounds = None
        for name, text in attributes.items():
            if _is_read(name, text):
                yield replace(
                    source.text(
                        FindPlace.TREE, f"{path}@{name}", text[:MAX_TEXT], is_technical=name in STRUCTURE
                    ),
                    box=bounds,
                    label=label,
                    package=attributes.get("package", ""),
                )
        label = attributes.get("text") or label


def _is_read(name: str, text: str) -> bool:
    """Whether an attribute of a node is searched: one that programs write only if it may hold a number."""
    if name in STRUCTURE:
        return may_hold_number(text) and read_bounds(text) is None
    return bool(text) and text not in ("true", "false")


def list_loose_fields(xml: str, source: Source) -> Iterator[TextField]:
    """Yield each text of a tree that is not well-formed, as `list_tree_fields` does, without boxes."""
    for number, (name, text) in enumerate(find_loose_attributes(xml), 1):
        if _is_read(name, text):
            yield source.text(
                FindPlace.TREE,
                f"attribute {number}@{name}",
                text[:MAX_TEXT],
                is_technical=name in STRUCTURE,
            )


def without_bounds(tree: AccessibilityTree) -> bool:
    """Whether a tree has nodes with text but not one with readable bounds."""
    return bool(tree.attributes) and not any(
        read_bounds(attributes.get("bounds", "")) for attributes in tree.attributes
    )


def action_field(raw: str, action: Action | None, line: str, source: Source) -> TextField | None:
    """The text of an action: what was typed or touched; the whole line of one that cannot be parsed.

    Args:
        raw: The action as written.
        action: The parsed action; None if `raw` does not follow the grammar.
        line: Name of the line in `Find.field`, such as "line 4".
        source: The file.
    """
    if action is None:
        return source.text(FindPlace.ACTION, f"{line}@raw", raw[:MAX_TEXT]) if raw else None
    if isinstance(action, Type):
        return source.text(FindPlace.TYPED_TEXT, f"{line}@text", action.text) if action.text else None
    content = getattr(action, "content", None)
    return source.text(FindPlace.ACTION, f"{line}@content", content) if content else None


def parsed(raw: str) -> Action | None:
    """Parse an action; None if it does not follow the grammar."""
    try:
        return parse_action(raw)
    except ActionSyntaxError:
        return None


def list_survey_fields(content: Mapping[str, Any], source: Source) -> Iterator[TextField]:
    """Yield the texts of a survey file; nested ones have names such as "simulation.arguments.to"."""
    for value in list_json_texts(content):
        place = FindPlace.INTENT if value.name == INTENT_FIELD else FindPlace.SURVEY
        yield source.text(place, value.name, value.text, is_technical=value.is_technical)


class JsonText(NamedTuple):
    """A text of a JSON value.

    Attributes:
        name: Keys and numbers that lead to it, such as "to.1".
        text: The text, or a number as a text.
        is_technical: See `TextInput.is_technical`.
    """

    name: str
    text: str
    is_technical: bool = False


def list_json_texts(
    value: object,
    name: str = "",
    depth: int = 0,
    *,
    technical: frozenset[str] = _NOT_PRIVATE,
    is_technical: bool = False,
) -> Iterator[JsonText]:
    """Yield each text and number in a JSON value, and keys that may hold a number.

    Args:
        value: The value.
        name: Its name.
        depth: Values that it is within.
        technical: Fields whose texts are read only if they may hold a number.
        is_technical: Whether the value is within such a field.

    >>> [tuple(text)[:2] for text in list_json_texts({"user_id": "3", "to": ["王芳", 13912345678]})]
    [('to.0', '王芳'), ('to.1', '13912345678')]
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if isinstance(value, str):
        if value and (not is_technical or may_hold_number(value)):
            yield JsonText(name, value[:MAX_TEXT], is_technical)
    elif depth < _MAX_DEPTH and isinstance(value, Mapping):
        for key, part in value.items():
            within = NOT_PRIVATE_SET_UP if key == _SIMULATION else technical
            path = f"{name}.{key}" if name else str(key)
            if may_hold_number(str(key)):
                yield JsonText(f"{name or 'top'}, name of a field", str(key)[:MAX_TEXT], True)
            yield from list_json_texts(
                part, path, depth + 1, technical=within, is_technical=is_technical or key in technical
            )
    elif depth < _MAX_DEPTH and isinstance(value, list):
        for number, part in enumerate(value):
            yield from list_json_texts(
                part, f"{name}.{number}", depth + 1, technical=technical, is_technical=is_technical
            )


def read_json(data: bytes) -> Mapping[str, Any] | None:
    """A JSON object; None for anything else."""
    try:
        content = json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None
