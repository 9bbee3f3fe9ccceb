"""Replacement of values in the texts of an episode: trees, action lines, surveys; all other bytes stay."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_privacy.finds import FindKind
from fingertip_privacy.pseudonyms import TextReplacer

Kinds = Counter[FindKind]
"""Kind -> number of replacements."""

SIMULATION = "simulation"
"""Field of a survey with the set-up of a simulated phone."""

STRUCTURE = frozenset(
    (
        *("class", "package", "bounds", "view_id", "resource-id", "id", "index", "rotation", "password"),
        *("clickable", "long_clickable", "long-clickable", "enabled", "visible", "scrollable", "editable"),
        *("checkable", "checked", "focusable", "focused", "selected", "version", "encoding"),
    )
)
"""Attributes of a node that hold no words of a person."""

TECHNICAL = frozenset(("userid", "time", "app", "provenance", "origin", "licence", "license", "intentclass"))
"""Fields of surveys and tables that hold no words of a person, normalized by `plain_key`."""

_MAX_DEPTH = 12

_ATTRIBUTE = re.compile(
    r"""(?P<name>[A-Za-z_:][\w:.-]*)(?P<equals>\s*=\s*)(?P<quote>["'])(?P<value>[^<]*?)(?P=quote)"""
)
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|lt|gt|amp|quot|apos);")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


def redact_tree(xml: str, replacer: TextReplacer, kinds: Kinds) -> str:
    """Replace values in the attributes of a tree; what holds none keeps its spelling.

    Args:
        xml: The tree, also one that is not well-formed.
        replacer: Replacer of the episode.
        kinds: Gets the replacements.
    """

    def put(match: re.Match[str]) -> str:
        if match["name"] in STRUCTURE:
            return match[0]
        written = match["value"]
        new, found = replacer.replace(_unescaped(written) if "&" in written else written)
        if not found:
            return match[0]
        kinds.update(found)
        quote = match["quote"]
        spelled = escape(new, {quote: "&quot;" if quote == '"' else "&apos;", "\n": "&#10;", "\t": "&#9;"})
        return f"{match['name']}{match['equals']}{quote}{spelled}{quote}"

    return _ATTRIBUTE.sub(put, xml)


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        name = match[1]
        if not name.startswith("#"):
            return _NAMED[name]
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]

    return _ENTITY.sub(character, text)


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
        pairs: Any = json.loads(text[len(mark) :], object_pairs_hook=tuple)
        names = [name for name, _ in pairs]
    except (ValueError, TypeError, RecursionError):
        new, found = replacer.replace(text)
        kinds.update(found)
        return new.encode("utf-8", "surrogateescape") + end if found else line
    before = kinds.total()
    values = [redact_action(v, replacer, kinds) if isinstance(v, str) else v for _, v in pairs]
    if kinds.total() == before:
        return line
    body_text = json.dumps(dict(zip(names, values, strict=True)), ensure_ascii=False)
    return (mark + body_text).encode("utf-8", "surrogatepass") + end


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
    """Replace values in all texts of a JSON value but its technical fields; keys stay."""
    from fingertip_dataset.release.spelling import plain_key

    if isinstance(value, str):
        new, found = replacer.replace(value)
        kinds.update(found)
        return new
    if depth >= _MAX_DEPTH:
        # nothing that a release has: what cannot be searched is left out
        return None
    if isinstance(value, dict):
        return {
            key: part
            if plain_key(key) in TECHNICAL and not depth
            else redact_json(part, replacer, kinds, depth + 1)
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [redact_json(part, replacer, kinds, depth + 1) for part in value]
    return value
