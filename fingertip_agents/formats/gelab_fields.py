r"""Fields of GELab-Zero's answers: `explain:...<tab>action:CLICK<tab>point:499,500<tab>summary:...`.

Nothing in a value is quoted or escaped, so a value ends where a tab and another key of the model follow.
Where no tab does, a written `\t`, a new line or spaces in front of a key are taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from fingertip_agents.parsing.native_syntax import refuse_output
from fingertip_agents.parsing.parsed_call import BareWord, read_numbers
from fingertip_agents.parsing.points import read_place
from fingertip_agents.parsing.reading import COMPLETED, LEFT_OUT, MAX_OUTPUT
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.release.problems import printable

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "CLICK": ("point",),
    "LONGPRESS": ("point", "duration", "value"),
    "TYPE": ("value", "point", "keyboard_exists", "is_keyboard"),
    "COMPLETE": ("return", "value"),
    "WAIT": ("value", "duration"),
    "AWAKE": ("value",),
    "INFO": ("value",),
    "ABORT": ("value", "return"),
    "SLIDE": ("point1", "point2", "duration"),
    "BACK": (),
    "HOME": (),
    "HOT_KEY": ("key", "value"),
    "SCROLL": ("point", "direction", "value"),
}
"""Name of an action -> its fields."""

_ABOUT = ("explain", "action", "summary")
_KEYS = sorted({*_ABOUT, *(key for keys in _FIELDS.values() for key in keys)}, key=len, reverse=True)
_SPELLINGS = {name.replace("_", ""): name for name in _FIELDS}


def _make_pattern(separator: str, colon: str) -> re.Pattern[str]:
    """Make the pattern of a key behind a separator, with the bold print that a model may add."""
    bold, keys = r"(?P<bold>\*{0,2}+)", "|".join(_KEYS)
    return re.compile(rf"(?:{separator}){bold}(?P<key>{keys})\*{{0,2}}{colon}(?P=bold)?", re.IGNORECASE)


_SEPARATOR = r"(?:\A|[\t\n]|\\t)[ \t]{0,20}+"
_SEPARATED = _make_pattern(_SEPARATOR, r"[ ]{0,3}[:：]")
_SPACED = (
    _make_pattern(rf"{_SEPARATOR}|(?<=[ ][ ])", r"[ ]{0,3}[:：]"),
    # a colon within a sentence is followed by a space as a rule
    _make_pattern(r"\A|(?<=\s)", r"[:：](?!\s)"),
    _make_pattern(r"\A|(?<=\s)", r"[:：]"),
)
"""Patterns for answers whose tabs became spaces, the surest first."""

_TAB = re.compile(r"[\t\n]|\\t")
# a field that the model does not have; an address is none
_FOREIGN = re.compile(r"(?:\t|\\t)[ ]{0,3}[A-Za-z_][A-Za-z0-9_]{0,30}[:：](?!//)(\s?)")
_COMMENT = re.compile(r"\s{1,9}#\s")
_ANSWER_TAGS = re.compile(r"^[^\S\n]*<answer>\s*|(?<!\s)\s*</answer>\s*\Z", re.MULTILINE)
_FENCE = re.compile(r"\A\s*```[a-z]{0,10}\n|\n?```\s*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCall:
    """Action of an answer with its fields.

    Attributes:
        name: Name of the action in capital letters; as it is written if it is none of the model's.
        fields: Key in small letters -> value.
        unsure: Keys of values of which nobody knows where they end.
        text: The action and its fields as they are written, without explanation and summary.
        words_behind: Whether words follow its last field on another line.
        notes: What was left out or completed.
    """

    name: str
    fields: Mapping[str, str]
    unsure: frozenset[str] = frozenset()
    text: str = ""
    words_behind: bool = False
    notes: tuple[str, ...] = ()

    def line(self, *keys: str) -> str:
        """The first line of the first field with one of these keys that is not empty; "" without any."""
        return _TAB.split(self._value(keys)[1], maxsplit=1)[0].strip()

    def words(self, *keys: str) -> str:
        """The whole text of the first field with one of these keys that is not empty; "" without any.

        Raises:
            ActionSyntaxError: It cannot be said where the text ends.
        """
        key, value = self._value(keys)
        if key in self.unsure:
            raise ActionSyntaxError(
                f"expected nothing behind the {key} of {self.name}, or a summary, got more"
            )
        return value

    def point(self, key: str) -> tuple[float, ...]:
        """The numbers of a field.

        Raises:
            ActionSyntaxError: No such field, or it contains something else.
        """
        value = self.line(key)
        if not value:
            raise ActionSyntaxError(f"expected a {key} in {self.name}, got none")
        # our prompts name an element behind its point
        numbers = _COMMENT.split(value, maxsplit=1)[0]
        return read_place(BareWord(numbers)) if numbers.startswith("{") else read_numbers(numbers)

    def _value(self, keys: Sequence[str]) -> tuple[str, str]:
        return next(((key, self.fields[key]) for key in keys if self.fields.get(key)), ("", ""))


def read_fields(output: str) -> tuple[FieldCall, ...]:
    r"""Read the actions of an answer without its thinking, in order, at least one.

    Raises:
        ActionSyntaxError: There is none, or it cannot be said what a field is.

    >>> read_fields("action:TYPE\tvalue:a: b\tpoint:500,300")[0].fields
    {'action': 'TYPE', 'value': 'a: b', 'point': '500,300'}
    """
    if len(output) > MAX_OUTPUT:
        raise ActionSyntaxError(f"expected at most {MAX_OUTPUT} characters, got {len(output)}")
    text = _ANSWER_TAGS.sub("", _FENCE.sub("", output))
    calls = _split_calls(text, _SEPARATED)
    if not calls or calls[0].name not in _FIELDS:
        calls = next(filter(None, (_split_spaced(text, pattern) for pattern in _SPACED)), calls)
    if not calls:
        refuse_output("fields such as action:CLICK and point:x,y with a tab between them", output)
    if calls[0].name not in _FIELDS:
        raise ActionSyntaxError(f"expected an action of GELab-Zero, got {printable(calls[0].name, 40)!r}")
    if len(calls) > 1 and calls[0].words_behind:
        raise ActionSyntaxError("expected one action, got two with words between them")
    return calls


def _split_spaced(text: str, pattern: re.Pattern[str]) -> tuple[FieldCall, ...]:
    """Split a text with spaces for tabs; empty if it begins within a sentence or has no known action.

    Raises:
        ActionSyntaxError: It has two actions, one of which may be part of a sentence.
    """
    first = pattern.search(text)
    if first is None or text[: first.start("key")].rpartition("\n")[2].strip(" *"):
        return ()
    calls = _split_calls(text, pattern)
    if not calls or calls[0].name not in _FIELDS:
        return ()
    if len(calls) > 1:
        raise ActionSyntaxError("expected one action, or tabs between the fields, got two with spaces")
    return calls


def _cut_key(value: str) -> str:
    r"""Cut the beginning of a key behind a tab at the end of an answer, as in `7:30\tsumm`."""
    tabs = list(re.finditer(r"\t|\\t", value))
    rest = value[tabs[-1].end() :].strip(" *").lower() if tabs else "?"
    return value[: tabs[-1].start()] if any(key.startswith(rest) for key in _KEYS) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """Field of an answer; `ends` tells whether another one ends it on the same line."""

    key: str
    value: str
    whole: str
    ends: bool


def _split_calls(text: str, pattern: re.Pattern[str]) -> tuple[FieldCall, ...]:
    """Split a text into its actions: another action, or an explanation behind one, begins anew."""
    groups: list[list[_Field]] = [[]]
    acts = False
    marks = list(pattern.finditer(text))
    for mark, following in zip_longest(marks, marks[1:]):
        key, end = mark["key"].lower(), following.start() if following else len(text)
        if acts and key in ("action", "explain"):
            groups.append([])
        acts = key == "action" or (acts and bool(groups[-1]))
        gap = text[mark.end() : following.start("key")] if following else "\n"
        whole = text[mark.start("key") : end].strip()
        ends = "\n" not in gap[len(gap.rstrip()) :]
        groups[-1].append(_Field(key=key, value=text[mark.end() : end], whole=whole, ends=ends))
    found = [group for group in groups if any(one.key == "action" for one in group)]
    return tuple(_make_call(group, at_end=group is groups[-1]) for group in found)


def _make_call(group: Sequence[_Field], *, at_end: bool) -> FieldCall:
    """Make an action of its fields.

    Args:
        group: The fields.
        at_end: Whether nothing but the end of the answer ends the last one.

    Raises:
        ActionSyntaxError: A field has two values, either of which could be meant.
    """
    written = next(one.value for one in group if one.key == "action")
    name = _TAB.split(written, maxsplit=1)[0].strip(" *\"'`.。")
    name = _SPELLINGS.get(re.sub(r"[\s_-]", "", name.upper()), name)
    fields, unsure, notes = dict[str, str](), set[str](), list[str]()
    for place, one in enumerate(group, start=1):
        last = at_end and place == len(group) and one.key not in _ABOUT
        value = _cut_key(one.value) if last else one.value
        foreign = _FOREIGN.search(value)
        if foreign:
            value = value[: foreign.start()]
            notes.append(f"{LEFT_OUT}: {printable(one.value[foreign.start() :].strip(), 60)}")
        value = value.strip()
        if one.key not in _ABOUT:
            if fields.get(one.key, value) != value:
                raise ActionSyntaxError(f"expected one {one.key}, got two")
            if one.key not in _FIELDS.get(name, (one.key,)):
                notes.append(f"{LEFT_OUT}: {printable(one.whole, 60)}")
        # a new line may begin a sentence behind the answer, a name and a space be part of the text
        if (foreign and foreign[1]) or ("\n" in value and not one.ends):
            unsure.add(one.key)
        fields[one.key] = value
    if at_end and group[-1].key not in _ABOUT:
        notes.append(f"{COMPLETED}: the end of the {group[-1].key}, behind which a summary is missing")
    text = "\t".join(one.whole for one in group if one.key not in ("explain", "summary"))
    return FieldCall(
        name=name,
        fields=fields,
        unsure=frozenset(unsure),
        text=text,
        words_behind="\n" in group[-1].value.strip() and group[-1].key not in ("explain", "summary"),
        notes=tuple(notes),
    )
