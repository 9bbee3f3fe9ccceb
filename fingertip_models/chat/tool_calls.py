"""Tool calls as one text: from the field `tool_calls` of a message, and from the XML that some models write.

Formats of agents read calls as JSON between `<tool_call>` tags, the form of Qwen2.5 and Qwen3. Qwen3.5 and
Qwen3-Coder write `<function=NAME><parameter=NAME>value</parameter></function>`, UI-TARS-2 and Seed the same
between tags of their own, MiniMax the same with `invoke`, GLM-4.5 and later pairs of `<arg_key>` and
`<arg_value>`; a server with a parser of tool calls takes any of them out of the text. Values in XML have no
types: lists and objects are read as JSON, others as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from itertools import islice

MOST_CALLS = 32
"""Maximum number of places in a text that are tried as the beginning of a call."""

MOST_PARAMETERS = 64
"""Maximum number of parameters of a call; one with more is left as it is."""

TEXTS = frozenset({"text", "content", "message", "value", "query", "input", "answer", "prompt", "thought"})
"""Parameters that are texts even if they look like JSON."""

_NAME = r"(?:\s{0,9}=\s{0,9}|\s{1,9}name\s{0,9}=\s{0,9})[\"']?(?P<name>[\w.:-]{1,80})[\"']?"
_OPEN = re.compile(rf"(?:<(?:seed:)?tool_call>\s{{0,99}})?<(?:function|invoke){_NAME}\s{{0,9}}>")
_PARAMETER = re.compile(rf"\s{{0,99}}<parameter{_NAME}[^<>]{{0,80}}>")
# a text may have the closing tag in it: it ends a value only before another tag, or at the end
_VALUE_END = re.compile(
    r"</parameter>\s{0,99}(?=</?(?:function|invoke)\b|<parameter\b|</[\w:]{0,20}tool_call|\Z)"
    r"|(?=<parameter(?:\s{0,9}=|\s{1,9}name))|(?=</(?:function|invoke)>\s{0,99}(?:</?[\w:]{0,20}(?:tool_call|\Z)|<(?:function|invoke)\b|\Z))"
)
# the last tag may be missing or cut: the call itself is whole when any tag closes behind its parameters
_CLOSE = re.compile(r"\s{0,99}(?:</(?:function|invoke)>|(?=</(?:seed:)?tool_call>)|</[a-z_:]{0,18}\Z)")
_WRAPPER_END = re.compile(
    r"\s{0,99}(?:</(?:seed:)?tool_call>"
    r"|</?(?:(?:seed:)?(?:tool_call|tool_cal|tool_ca|tool_c|tool_?|too?|t)?|seed|see?|s)\Z)"
)
_PAIRS_OPEN = re.compile(r"<tool_call>\s{0,99}(?P<name>[\w.:-]{1,80})\s{0,99}(?=<arg_key>)")
_PAIR = re.compile(r"\s{0,99}<arg_key>([^<>]{1,80})</arg_key>\s{0,99}<arg_value>")
_PAIR_END = "</arg_value>"
_TAGS = ("<function", "<invoke", "<arg_key>")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """Call of a function, as a model wrote it.

    Attributes:
        name: Name of the function.
        arguments: Its arguments by name; a text if they are no JSON object.
    """

    name: str
    arguments: Mapping[str, object] | str

    @property
    def text(self) -> str:
        """The call as JSON between `<tool_call>` tags."""
        arguments = self.arguments
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        name = json.dumps(self.name, ensure_ascii=False)
        # arguments that are no JSON stay as they are, and the format refuses them
        return f'<tool_call>\n{{"name": {name}, "arguments": {arguments}}}\n</tool_call>'


def read_call_fields(message: Mapping[str, object]) -> tuple[ToolCall, ...]:
    """Read the calls in the fields `tool_calls` and `function_call` of a message.

    >>> function = {"name": "mobile_use", "arguments": '{"action": "wait"}'}
    >>> read_call_fields({"content": None, "tool_calls": [{"type": "function", "function": function}]})
    (ToolCall(name='mobile_use', arguments={'action': 'wait'}),)
    """
    calls = message.get("tool_calls")
    if isinstance(calls, dict):
        calls = [calls]
    found = list(calls) if isinstance(calls, list) else []
    found.append(message.get("function_call"))
    return tuple(call for one in found for call in read_call(one))


def read_call(value: object) -> tuple[ToolCall, ...]:
    """Read one call of a list of calls, or of a part of a message's content; () if it is none."""
    if not isinstance(value, dict):
        return ()
    inner = value.get("function") or value.get("custom")
    fields = inner if isinstance(inner, dict) else value
    name = fields.get("name")
    if not isinstance(name, str) or not name:
        return ()
    found = [fields.get(key) for key in ("arguments", "input", "parameters", "args")]
    arguments: object = next((one for one in found if one is not None), {})
    # JSON within JSON, by some servers twice
    for _ in range(2):
        if isinstance(arguments, str):
            arguments = _load(arguments, arguments)
    if isinstance(arguments, (dict, str)):
        return (ToolCall(name=name, arguments=arguments or {}),)
    return (ToolCall(name=name, arguments=json.dumps(arguments, ensure_ascii=False)),)


def convert_xml_calls(text: str) -> tuple[str, int]:
    r"""Write the calls that a text has as XML as JSON, and count them; the rest of the text stays.

    A call whose last value has no end is left as it is: a part of it may be missing.

    >>> call = "<tool_call>\n<function=f>\n<parameter=at>\n[4, 8]\n</parameter>\n</function>\n</tool_call>"
    >>> convert_xml_calls(f"Now. {call}")
    ('Now. <tool_call>\n{"name": "f", "arguments": {"at": [4, 8]}}\n</tool_call>', 1)
    """
    if not any(tag in text for tag in _TAGS):
        return text, 0
    done, at, count = [], 0, 0
    for start, end, call in _find_calls(text):
        between = text[at:start]
        # several calls may stand in one pair of tags
        done += [between, "\n" if count and not between.strip() else "", call.text]
        at, count = end, count + 1
    return "".join([*done, text[at:]]), count


def _find_calls(text: str) -> Iterator[tuple[int, int, ToolCall]]:
    """Yield the calls of a text with their places."""
    at = 0
    for found in islice(_find_openings(text), MOST_CALLS):
        if found.start() < at:
            continue
        if found.re is _PAIRS_OPEN:
            call = _read_pairs(text, found.end())
        else:
            call = _read_parameters(text, found.end(), inline=found[0].startswith("<seed:"))
        if call is None:
            continue
        end, arguments = call
        closing = _WRAPPER_END.match(text, end)
        at = closing.end() if closing else end if text[end:].strip() else len(text)
        yield found.start(), at, ToolCall(name=found["name"], arguments=arguments)


def _find_openings(text: str) -> Iterator[re.Match[str]]:
    """Yield the places where a call may begin, in their order."""
    return merge(_OPEN.finditer(text), _PAIRS_OPEN.finditer(text), key=re.Match.start)


def _read_parameters(text: str, at: int, *, inline: bool) -> tuple[int, dict[str, object]] | None:
    """Read the parameters behind an opening tag: their end, and their values; None if one has no end, or two.

    Args:
        text: The text of the answer.
        at: Where the parameters begin.
        inline: Whether a value usually stands on the line of its tags, so that a line break at its end alone
            belongs to it.
    """
    arguments: dict[str, object] = {}
    for _ in range(MOST_PARAMETERS):
        parameter = _PARAMETER.match(text, at)
        if parameter is None:
            break
        end = _VALUE_END.search(text, parameter.end())
        if end is None:
            return None
        value = text[parameter.end() : end.start()]
        own_end = inline and end[0].startswith("</") and not value.startswith(("\n", "\r"))
        read = _read_value(parameter["name"], f"{value}\n" if own_end else value)
        # two values: either could be meant
        if arguments.setdefault(parameter["name"], read) != read:
            return None
        at = end.end()
    closing = _CLOSE.match(text, at)
    # without a closing tag, a further parameter may have been cut
    return (closing.end(), arguments) if closing else None


def _read_pairs(text: str, at: int) -> tuple[int, dict[str, object]] | None:
    """Read GLM's pairs of names and values behind the name of a function."""
    arguments: dict[str, object] = {}
    for _ in range(MOST_PARAMETERS):
        pair = _PAIR.match(text, at)
        if pair is None:
            break
        end = text.find(_PAIR_END, pair.end())
        if end < 0:
            return None
        name = pair[1].strip()
        arguments[name] = _read_value(name, text[pair.end() : end])
        at = end + len(_PAIR_END)
    # without a closing tag, a further pair may have been cut
    return (at, arguments) if arguments and _WRAPPER_END.match(text, at) else None


def _read_value(name: str, text: str) -> object:
    r"""Read a value: without the line break at each end, and JSON if it is a list or an object.

    >>> _read_value("coordinate", "\n[447, 81]\n"), _read_value("text", "\n[4]\n"), _read_value("time", "2")
    ([447, 81], '[4]', '2')
    """
    value = text.removeprefix("\r").removeprefix("\n").removesuffix("\n").removesuffix("\r")
    if name in TEXTS or value.strip()[:1] not in ("[", "{"):
        return value
    return _load(value, value)


def _load(text: str, otherwise: object) -> object:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return otherwise
