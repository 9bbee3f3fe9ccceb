r"""Parser of calls as JSON in a model's output: `{"name": ..., "arguments": {...}}`, or the arguments alone.

Beyond JSON it reads, with a note, what leaves no doubt: line breaks within texts, Python's spelling (single
quotes, True, None), `\'`, a comma behind the last part, and the quotes and brackets that are missing at the
end of the whole output. Two values of one argument are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from fingertip_agents.parsing.reading import (
    ANSWER_NAMES,
    COMPLETED,
    CONVERTED,
    LEFT_OUT,
    MAX_OUTPUT,
    drop_left_out,
    is_completed,
)
from fingertip_agents.parsing.written_numbers import WrittenFloat, WrittenInt, spell_number
from fingertip_dataset.actions import refuse
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.release.problems import printable

MAX_TRIES = 32
"""Maximum number of opening braces tried as the beginning of an object."""

_LOOSE = 20_000
"""Maximum number of characters of an object that is read beyond JSON."""

_TAIL = re.compile(r"(?:\s|```|`|</?[a-z_:]{1,20}>|</?[a-z_:]{0,20}\Z){0,12}\Z")
_HEAD_LENGTH = 200
# space, tags, fences and list marks, or words that end with a colon
_HEAD = re.compile(
    r"[^\n]{0,160}[:：][\s*_`]{0,9}|(?:[\s`>*•#\[(-]|<\|?/?[A-Za-z_:]{1,30}\|?>|json|[0-9]{1,2}[.)]){0,40}"
)
_TAG_BEFORE = re.compile(r"<\|?[A-Za-z_:]{1,30}\|?>\s{0,20}\Z")
_FILLER = re.compile(r"(?:[\s`,;*\[\]-]|json|[0-9]{1,2}[.)]|</?[A-Za-z_:]{1,30}>){0,80}")
_BAD_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_LAST_COMMA = re.compile(r",(?=\s{0,99}[}\]])")
_ODD_NUMBER = re.compile(r":\s{0,9}(\+?0\d{1,40}|\+\d{1,40}|\.\d{1,40})(?=\s{0,9}[,}])")
_CLOSERS = {"{": "}", "[": "]"}
_PYTHON = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\b(?:True|False|None)\b|[()]""", re.DOTALL)
_CONSTANTS = {"True": "true", "False": "false", "None": "null", "(": "[", ")": "]"}
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonObject:
    """Object in a model's output.

    Attributes:
        fields: Its fields; numbers keep their spelling.
        end: Index after it.
        notes: What was completed or converted.
    """

    fields: Mapping[str, Any]
    end: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonCall:
    """Call in a model's output.

    Attributes:
        name: Name of the function; "" without one.
        arguments: Its arguments.
        start: Index of its first brace.
        end: Index after it.
        notes: What was left out, completed or converted; reading a value can add to them.
    """

    name: str
    arguments: Mapping[str, Any]
    start: int = 0
    end: int = 0
    notes: list[str] = field(default_factory=list, compare=False)

    def given(self, *names: str) -> object:
        """The first argument with one of these names that is no empty text; None without any."""
        values = (self.arguments.get(name) for name in names)
        return next((value for value in values if value is not None and value != ""), None)

    def text(self, *names: str) -> str:
        """The text of the first argument with one of these names; a number is taken as it is written.

        Raises:
            ActionSyntaxError: No such argument, or it is no text.
        """
        value = next((self.arguments[name] for name in names if name in self.arguments), None)
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = spell_number(value)
            self.notes.append(f"{CONVERTED}: the number {value} to a text as {names[0]}")
        if not isinstance(value, str):
            raise ActionSyntaxError(f"expected a text as {names[0]}, got something else or nothing")
        return value

    def answer(self, *names: str) -> str:
        """The text that the person is told by the last call, as `text` reads it; "" without one.

        Models also give it under another of `ANSWER_NAMES`.

        Raises:
            ActionSyntaxError: It is no text, there are two, or the call ends before it.
        """
        own = next((name for name in names if self.given(name) is not None), None)
        if own is not None:
            drop_left_out(self.notes, own)
            return self.text(own)
        found = [name for name in ANSWER_NAMES if self.given(name) is not None]
        if len(found) > 1:
            raise ActionSyntaxError(f"expected one answer, got {' and '.join(found)}")
        if found:
            drop_left_out(self.notes, found[0])
            text = self.text(found[0])
            self.notes.append(f"{CONVERTED}: {found[0]} to the answer")
            return text
        if is_completed(self.notes):
            # nobody knows whether an answer was to follow
            raise ActionSyntaxError("expected the end of the call, got none")
        return ""

    def leave_out(self, known: Sequence[str]) -> None:
        """Note the arguments that a format does not have."""
        for name in self.arguments:
            if name not in known:
                words = printable(f"{name}={json.dumps(self.arguments[name], ensure_ascii=False)}", 60)
                self.notes.append(f"{LEFT_OUT}: {words}")


def find_json_calls(
    output: str,
    *,
    is_call: Callable[[Mapping[str, Any]], bool],
    start: int = 0,
    end: int | None = None,
    most: int = 8,
) -> tuple[JsonCall, ...]:
    """Find the calls of an output, in order.

    Args:
        output: The model's output.
        is_call: Whether arguments are those of a call: objects without a field `arguments` are asked.
        start: Index where to begin.
        end: Index before which calls begin, and up to which a call without an end is completed; None for the
            end of the output.
        most: Maximum number of calls.

    Raises:
        ActionSyntaxError: The output is too long, or an argument has two values.

    >>> calls = find_json_calls("{'action': 'wait'} {'why': 1}", is_call=lambda fields: "action" in fields)
    >>> [(call.arguments, call.notes) for call in calls]
    [({'action': 'wait'}, ['converted: the call from the spelling of Python'])]
    """
    if len(output) > MAX_OUTPUT:
        raise ActionSyntaxError(f"expected at most {MAX_OUTPUT} characters, got {len(output)}")
    calls, at, whole = list[JsonCall](), start, True
    for _ in range(MAX_TRIES):
        at = output.find("{", at, end)
        if at < 0 or len(calls) >= most:
            break
        found = read_object(output, at, completes=whole)
        if found is None and end is not None:
            found = read_object(output[:end], at, completes=whole)
        call = None if found is None else _read_call(found, at, is_call)
        if call is not None:
            calls.append(call)
            at = call.end
        else:
            at += 1
            # what stands within an object that breaks off may break off as well
            whole = whole and found is not None
    return _leave_sentences(output, calls)


def _leave_sentences(output: str, calls: Sequence[JsonCall]) -> tuple[JsonCall, ...]:
    """Leave out calls within a sentence if others stand on lines of their own or behind a label."""
    own, end = list[JsonCall](), -1
    for call in calls:
        # the line of its tag, which may be the one above
        near = max(0, call.start - _HEAD_LENGTH)
        tag = _TAG_BEFORE.search(output, near, call.start)
        place = tag.start() if tag else call.start
        line = max(output.rfind("\n", 0, place) + 1, near)
        follows = end >= 0 and _FILLER.fullmatch(output, end, call.start)
        if follows or _HEAD.fullmatch(output, line, place):
            own.append(call)
            end = call.end
    if own and len(own) < len(calls):
        own[0].notes.append(f"{LEFT_OUT}: calls within sentences")
    return tuple(own or calls)


def refuse_scattered(output: str, calls: Sequence[JsonCall]) -> None:
    """Refuse different calls with prose between them, of which any could be meant.

    Raises:
        ActionSyntaxError: There are such calls.
    """
    for call, following in pairwise(calls):
        between = _FILLER.fullmatch(output, call.end, following.start)
        differ = (call.name, call.arguments) != (following.name, following.arguments)
        if not between and differ:
            refuse("one call", "several with prose between them")


def read_object(output: str, at: int, *, completes: bool = True) -> JsonObject | None:
    """Read the object at a brace; None if there is none.

    Args:
        output: The model's output.
        at: Index of the brace.
        completes: Whether an object whose end is missing at the end of the output is completed.

    Raises:
        ActionSyntaxError: A field has two values.
    """
    try:
        fields, end = _JSON.raw_decode(output, at)
        return JsonObject(fields=fields, end=end)
    except ActionSyntaxError:
        raise
    except (ValueError, RecursionError):
        return _read_loosely(output, at, completes=completes)


def _read_call(
    found: JsonObject, start: int, is_call: Callable[[Mapping[str, Any]], bool]
) -> JsonCall | None:
    """Return the call if an object is one; its arguments may be the object itself, or JSON within JSON."""
    fields, notes = found.fields, list(found.notes)
    wrapped = next((fields[key] for key in ("arguments", "parameters", "args") if key in fields), None)
    function = fields.get("function")
    if wrapped is None and isinstance(function, dict) and "arguments" in function:
        fields, wrapped = function, function["arguments"]
    arguments = fields if wrapped is None else wrapped
    if isinstance(arguments, str):
        inner = read_object(arguments.strip(), 0)
        arguments = None if inner is None else inner.fields
    if not isinstance(arguments, dict) or (wrapped is None and not is_call(arguments)):
        return None
    name = fields.get("name", "") if wrapped is not None else ""
    return JsonCall(
        name=name if isinstance(name, str) else "",
        arguments=arguments,
        start=start,
        end=found.end,
        notes=notes,
    )


def _refuse_two(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs as an object.

    Raises:
        ActionSyntaxError: A field has two values, either of which could be meant.
    """
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, value in pairs if fields[name] != value]
        if names:
            refuse(f"one {names[0][:40]}", "two")
    return fields


_JSON = json.JSONDecoder(
    strict=False, parse_int=WrittenInt, parse_float=WrittenFloat, object_pairs_hook=_refuse_two
)


def _read_loosely(output: str, at: int, *, completes: bool) -> JsonObject | None:
    """Read an object that is no JSON."""
    scan = _scan(output, at)
    if scan is None or (scan[2] and not completes):
        return None
    text, end, notes = scan
    for spelled, note in (
        (text, None),
        (_spell_valid(text), "the call from invalid JSON"),
    ):
        try:
            fields = _JSON.decode(spelled)
        except ActionSyntaxError:
            raise
        except (ValueError, RecursionError):
            continue
        notes += [f"{CONVERTED}: {note}"] if note else []
        return JsonObject(fields=fields, end=end, notes=tuple(notes)) if isinstance(fields, dict) else None
    fields = _read_python(text)
    notes.append(f"{CONVERTED}: the call from the spelling of Python")
    return None if fields is None else JsonObject(fields=fields, end=end, notes=tuple(notes))


def _spell_valid(text: str) -> str:
    """Spell an object as JSON whose escapes, commas or numbers are none."""
    return _LAST_COMMA.sub("", _ODD_NUMBER.sub(r': "\1"', _BAD_ESCAPE.sub(_fix_escape, text)))


def _fix_escape(escape: re.Match[str]) -> str:
    return escape[0] if escape[1] in '"\\/bfnrtu' else escape[1]


def _read_python(text: str) -> dict[str, Any] | None:
    """Return a dict that is written in Python or with JSON's constants among single quotes."""
    try:
        fields = _JSON.decode(_LAST_COMMA.sub("", _PYTHON.sub(_spell_as_json, text)))
    except ActionSyntaxError:
        raise
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _spell_as_json(part: re.Match[str]) -> str:
    """Spell a part of Python in JSON: a text, a constant, a bracket of a tuple."""
    if part[1] is None:
        return _CONSTANTS.get(part[0], part[0])
    text = _BAD_ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), part[1][1:-1])
    return json.dumps(text, ensure_ascii=False)


def _scan(output: str, at: int) -> tuple[str, int, list[str]] | None:
    """Find the end of the object at a brace, completing it where only the end of the output is missing."""
    stack, quote, place = list[str](), "", at
    end = min(len(output), at + _LOOSE)
    while place < end:
        character = output[place]
        if quote:
            if character == "\\":
                place += 1
            elif character == quote:
                quote = ""
        elif character in "\"'":
            quote = character
        elif character in _CLOSERS:
            stack.append(_CLOSERS[character])
        elif character in "}]":
            if not stack or stack.pop() != character:
                return None
            if not stack:
                return output[at : place + 1], place + 1, []
        place += 1
    return _complete(output, at, stack, quote) if end == len(output) else None


def _complete(output: str, at: int, stack: list[str], quote: str) -> tuple[str, int, list[str]] | None:
    """Complete an object whose last quote or brackets are missing at the end of the output."""
    body = output[at:]
    tail = _find_tail(body)
    text = body[: tail.start()] if tail else body
    closing = "".join(reversed(stack))
    if quote:
        # all brackets are there, and only the quote is missing
        bare = text.rstrip()
        for _ in closing:
            bare = bare.rstrip()
            if not bare or bare[-1] not in "}]":
                return None
            bare = bare[:-1]
        inside = text[len(bare) :]
        if "".join(inside.split()) != closing:
            return None
        return f"{bare}{quote}{closing}", len(output), [f"{COMPLETED}: the missing {quote} of the call"]
    if text[-1:] not in ('"', "'", "]", "}"):
        return None
    return f"{text}{closing}", len(output), [f"{COMPLETED}: the missing {closing} of the call"]


def _find_tail(body: str) -> re.Match[str] | None:
    """Find the space, fences and tags at the end of an output."""
    start = max(0, len(body) - 200)
    return next((m for m in (_TAIL.match(body, place) for place in range(start, len(body) + 1)) if m), None)
