"""The text field that has the focus, and whether typed text arrived in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.ui_tree.accessibility import Element, parse_tree

_FIELD_CLASSES = ("EditText", "AutoCompleteTextView", "SearchView")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCheck:
    """The finding of a tree about text that was typed.

    Attributes:
        arrived: "yes", "no", or "unknown" if the tree does not show it.
        note: Why it is unknown, or which rare spaces and joiners did not arrive; "" otherwise.
        shown: Text of the focused fields.
    """

    arrived: Literal["yes", "no", "unknown"]
    note: str = ""
    shown: str = ""


def find_focused_fields(tree: str | None) -> list[Element]:
    """The text fields that have the focus; empty without a tree."""
    try:
        elements: Sequence[Element] = parse_tree(tree).elements if tree else ()
    except AccessibilityTreeError:
        return []
    return [element for element in elements if element.focused and _is_field(element)]


def _is_field(element: Element) -> bool:
    return bool(element.editable or element.password) or element.class_name.endswith(_FIELD_CLASSES)


def check_text(tree: str | None, text: str) -> TextCheck:
    """Whether text arrived in the focused field, by the tree after it was typed.

    A field may group the text or add signs, so only letters and digits are compared; in a text without them,
    all characters but spaces.
    """
    if tree is None:
        return TextCheck(arrived="unknown", note="typed, but not read back: the phone gives no tree")
    fields = find_focused_fields(tree)
    if not fields:
        return TextCheck(arrived="unknown", note="typed, but not read back: no field shows the focus")
    if any(field.password for field in fields):
        return TextCheck(arrived="unknown", note="typed, but not read back: a password field hides its text")
    kept = str.isalnum if any(map(str.isalnum, text)) else _is_sign
    wanted = "".join(filter(kept, text))
    shown = "、".join(field.text for field in fields)
    arrived = any(wanted in "".join(filter(kept, field.text)) for field in fields)
    note = _describe_lost(text, shown) if arrived else ""
    return TextCheck(arrived="yes" if arrived else "no", note=note, shown=shown)


def surplus(before: str, after: str) -> int:
    """Number of characters at the end of a field that wrong typing left there.

    An empty field shows its hint as its text, which the first character replaces.

    >>> surplus("abc", "abc拼7"), surplus("搜索", "拼7"), surplus("搜索", "搜索")
    (2, 2, 0)
    """
    return len(after.removeprefix(before))


def _describe_lost(text: str, shown: str) -> str:
    """Which rare characters of a text that look like nothing are not shown, as a note; "" for none.

    They are no reason to type again: a field may take them for spaces.
    """
    rare = {letter for letter in text if letter != " " and not _is_sign(letter)}
    lost = sorted(f"U+{ord(letter):04X}" for letter in rare if text.count(letter) > shown.count(letter))
    return f"typed, and the field shows it without {', '.join(lost)}" if lost else ""


def _is_sign(letter: str) -> bool:
    return letter.isprintable() and not letter.isspace()
