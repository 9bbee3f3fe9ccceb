"""Replacement of values in the texts of an episode: trees, action lines, surveys; all other bytes stay."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import AccessibilityTreeError, ActionSyntaxError
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_privacy.finds import FindKind
from fingertip_privacy.redaction.pseudonyms import TextReplacer
from fingertip_privacy.scan.scanned_texts import STRUCTURE
from fingertip_privacy.tree_source import ATTRIBUTE, ELEMENT, PIECE, may_hold_number, tree_text, unescape

Kinds = Counter[FindKind]
"""Kind -> number of replacements."""

SIMULATION = "simulation"
"""Field of a survey with the set-up of a simulated phone."""

TECHNICAL = frozenset(("userid", "time", "app", "provenance", "origin", "licence", "license", "intentclass"))
"""Fields of surveys and tables that programs write, normalized by `plain_key`: long numbers and mailboxes are
replaced in them, and no words."""

IDENTITY = frozenset(("userid", "time"))
"""Fields that say which episode it is, and stay as they are."""

_MAX_DEPTH = 12

_NAMED_CHARACTER = re.compile(r"\\u((?![dD][89a-fA-F])[0-9a-fA-F]{4})")


def redact_tree_file(data: bytes, replacer: TextReplacer, kinds: Kinds) -> bytes:
    """Replace values in the file of a tree; one without any keeps its bytes.

    Args:
        data: The file, in the encoding that it states.
        replacer: Replacer of the episode.
        kinds: Gets the replacements.
    """
    before = kinds.total()
    text, encoding = tree_text(data)
    new = redact_tree(text, replacer, kinds)
    if kinds.total() == before:
        return data
    return new.encode(encoding, "surrogateescape" if encoding == "utf-8" else "xmlcharrefreplace")


def redact_tree(xml: str, replacer: TextReplacer, kinds: Kinds) -> str:
    """Replace values in attributes, texts and comments of a tree; what holds none keeps its spelling.

    In names and in what programs write, such as ids, only long numbers and mailboxes are replaced. A tree
    that is not well-formed is searched as a whole, too.

    Args:
        xml: The tree.
        replacer: Replacer of the episode.
        kinds: Gets the replacements.
    """

    def put_attribute(match: re.Match[str]) -> str:
        written, quote = match["name"], match["quote"]
        name = put_name(written)
        if written in STRUCTURE and not may_hold_number(match["value"]):
            new = None
        else:
            one = replacer.of_ids if written in STRUCTURE else replacer
            escapes = {quote: "&quot;" if quote == '"' else "&apos;"}
            new = _redact_escaped(match["value"], one, kinds, escapes)
        value = match["value"] if new is None else new
        return f"{name}{match['equals']}{quote}{value}{quote}"

    def put_name(name: str) -> str:
        if not may_hold_number(name):
            return name
        new, found = replacer.of_ids.replace(name)
        kinds.update(found)
        return new

    def put(match: re.Match[str]) -> str:
        if match["tag"]:
            return ELEMENT.sub(lambda name: put_name(name[0]), ATTRIBUTE.sub(put_attribute, match[0]))
        if match["raw"]:
            new, found = replacer.replace(match[0])
            kinds.update(found)
            return new
        written = None if match[0].isspace() else _redact_escaped(match[0], replacer, kinds, {})
        return match[0] if written is None else written

    new = PIECE.sub(put, xml)
    if _well_formed(new):
        return new
    new, found = replacer.replace(new)
    kinds.update(found)
    return new


def _redact_escaped(
    written: str, replacer: TextReplacer, kinds: Kinds, quotes: Mapping[str, str]
) -> str | None:
    """Replace the values of a text of XML; None if it has no value."""
    new, found = replacer.replace(unescape(written) if "&" in written else written)
    kinds.update(found)
    return escape(new, {**quotes, "\n": "&#10;", "\t": "&#9;"}) if found else None


def _well_formed(xml: str) -> bool:
    try:
        parse_tree(xml)
    except AccessibilityTreeError:
        return False
    return True


def redact_action(raw: str, replacer: TextReplacer, kinds: Kinds) -> str:
    """Replace values in the text of an action; coordinates and the rest of its spelling stay.

    Args:
        raw: The action as written; all of it is searched if it is no action.
        replacer: Replacer of the episode.
        kinds: Gets the replacements.
    """
    try:
        action = parse_action(raw)
    except ActionSyntaxError:
        new, found = replacer.replace(raw)
        kinds.update(found)
        return new
    text = getattr(action, "content", None) or getattr(action, "text", None)
    if not isinstance(text, str):
        return raw
    new, found = replacer.replace(text)
    if not found:
        return raw
    kinds.update(found)
    # the text stands in the action as it is, without escapes
    head, _, tail = raw.rpartition(text)
    return f"{head}{new}{tail}"


def redact_action_lines(data: bytes, replacer: TextReplacer, kinds: Kinds) -> bytes:
    """Replace values in action.jsonl; lines without any keep their bytes."""
    return b"".join(_action_line(line, replacer, kinds) for line in data.splitlines(keepends=True))


def _action_line(line: bytes, replacer: TextReplacer, kinds: Kinds) -> bytes:
    body = line.rstrip(b"\r\n")
    end = line[len(body) :]
    text = body.decode("utf-8", "surrogateescape")
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    try:
        fields: Any = json.loads(text[len(mark) :])
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        # the names of characters, such as \u5f20, in a line that is no JSON
        new, found = replacer.replace(_NAMED_CHARACTER.sub(lambda name: chr(int(name[1], 16)), text))
        kinds.update(found)
        return new.encode("utf-8", "surrogateescape") + end if found else line
    before = kinds.total()
    named = {
        redact_file_name(name, replacer, kinds): redact_action(value, replacer, kinds)
        if isinstance(value, str)
        else redact_json(value, replacer, kinds, 1)
        for name, value in fields.items()
    }
    if kinds.total() == before:
        return line
    return (mark + json.dumps(named, ensure_ascii=False)).encode("utf-8", "surrogatepass") + end


def redact_file_name(name: str, replacer: TextReplacer, kinds: Kinds) -> str:
    """Replace values in the name of a file or folder; the number of a screen's moment stays."""
    new, found = replacer.of_names.replace(name)
    kinds.update(found)
    return new


def redact_survey(data: bytes, replacer: TextReplacer, kinds: Kinds) -> Mapping[str, Any] | None:
    """The fields of a survey with values replaced; None if it is no JSON object.

    Args:
        data: The file.
        replacer: Replacer of the episode.
        kinds: Gets the replacements.
    """
    try:
        fields = json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict):
        return None
    redacted: Mapping[str, Any] = redact_json(fields, replacer, kinds)
    return redacted


def redact_json(value: Any, replacer: TextReplacer, kinds: Kinds, depth: int = 0) -> Any:  # noqa: ANN401 - JSON
    """Replace values in all texts and long numbers of a JSON value; see `TECHNICAL` and `IDENTITY`."""
    from fingertip_dataset.release.spelling import plain_key

    if isinstance(value, str):
        new, found = replacer.replace(value)
        kinds.update(found)
        return new
    if isinstance(value, int | float) and not isinstance(value, bool):
        new, found = replacer.of_ids.replace(str(value))
        kinds.update(found)
        return (int(new) if new.isdecimal() else new) if found else value
    if depth >= _MAX_DEPTH:
        # nothing that a release has: what cannot be searched is left out
        return None
    if isinstance(value, dict):
        return {
            redact_file_name(key, replacer, kinds): part
            if plain_key(key) in IDENTITY and not depth
            else redact_json(
                part,
                replacer.of_ids if plain_key(key) in TECHNICAL and not depth else replacer,
                kinds,
                depth + 1,
            )
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [redact_json(part, replacer, kinds, depth + 1) for part in value]
    return value
