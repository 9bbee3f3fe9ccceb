"""Content of a message: a text, a list of parts, or whatever else a server sends in its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from fingertip_models.chat.tool_calls import ToolCall, read_call

REASONING = ("reasoning_content", "reasoning", "thinking")
"""Fields of a message in which servers send the reasoning of a thinking model."""

MOST_DEPTH = 8
"""Maximum depth of parts within parts."""

_THOUGHTS = ("thinking", "reasoning", "reasoning_text", "summary_text")
_CALLS = ("tool_use", "tool_call", "function_call", "function")
_MEDIA = (
    *("image", "image_url", "input_image", "audio", "input_audio", "video", "video_url", "file"),
    "redacted_thinking",
)
_TEXTS = ("text", "output_text", "input_text", "refusal", "content", "value", "parts")
_VALUES = ({"value"}, {"value", "annotations"})
_REASONING_TEXTS = ("thinking", "reasoning", "summary", *_TEXTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Content of a message.

    Attributes:
        text: Its texts, joined.
        reasoning: Texts of its parts of reasoning, joined.
        calls: Calls among its parts.
    """

    text: str
    reasoning: str
    calls: tuple[ToolCall, ...]


def read_parts(content: object) -> Parts:
    """Read a content: a text; a number; a list of texts and parts; one part; or other JSON, kept as its text.

    >>> contents = [{"type": "text", "text": "打开"}, "微信"], 7, {"app": "微信"}
    >>> [read_parts(content).text for content in contents]
    ['打开微信', '7', '{"app": "微信"}']
    """
    if isinstance(content, str):
        return Parts(text=content, reasoning="", calls=())
    found = list(_walk(content, "text", 0))
    return Parts(
        text="".join(one for kind, one in found if kind == "text" and isinstance(one, str)),
        reasoning="".join(one for kind, one in found if kind == "reasoning" and isinstance(one, str)),
        calls=tuple(one for _, one in found if isinstance(one, ToolCall)),
    )


def _walk(value: object, kind: str, depth: int) -> Iterator[tuple[str, str | ToolCall]]:
    """Yield the texts within a value, each with its kind, and the calls."""
    if value is None:
        return
    if isinstance(value, str):
        yield kind, value
    elif depth > MOST_DEPTH or not isinstance(value, (list, dict)):
        yield kind, _write(value)
    elif isinstance(value, list):
        # a list without a single part is an answer in JSON that the server has parsed
        if any(isinstance(part, str) or is_part(part) for part in value):
            for part in value:
                yield from _walk(part, kind, depth + 1)
        elif value:
            yield kind, _write(value)
    elif not is_part(value):
        yield kind, _write(value)
    else:
        yield from _walk_part(value, kind, depth)


def _walk_part(part: dict[str, object], kind: str, depth: int) -> Iterator[tuple[str, str | ToolCall]]:
    name = part.get("type")
    if name in _MEDIA:
        return
    if name in _CALLS:
        yield from (("call", call) for call in read_call(part))
        return
    names: tuple[str, ...] = _TEXTS
    if name in _THOUGHTS or "thinking" in part:
        kind, names = "reasoning", _REASONING_TEXTS
    for key in names:
        if part.get(key) is not None:
            yield from _walk(part[key], kind, depth + 1)
            return


def is_part(value: object) -> bool:
    """Whether an object is a part of a message, not an answer in JSON that the server has parsed."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    known = (*_THOUGHTS, *_CALLS, *_MEDIA, *_TEXTS)
    # an object of a text alone, with what servers put beside it
    bare = "text" in value and not value.keys() - {"text", "annotations", "logprobs", "index", "id", "value"}
    return (isinstance(kind, str) and kind in known) or bare or value.keys() in _VALUES


def _write(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return ""
