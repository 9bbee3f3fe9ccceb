"""A call in a model's output after parsing: its name, its arguments, and the values that formats read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fingertip_agents.parsing.reading import (
    ANSWER_NAMES,
    CONVERTED,
    LEFT_OUT,
    drop_left_out,
    is_completed,
)
from fingertip_agents.parsing.written_numbers import WrittenFloat, WrittenInt, spell_number
from fingertip_dataset.actions import refuse
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.release.problems import printable

# of their own calls, and without a meaning on the benchmark's phones
_IDLE = ("seconds", "time", "duration", "element_type", "step_count")
_CONSTANTS = ("True", "False", "None", "true", "false", "null")
NUMBER = re.compile(r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?![\w.])")
_TAG = re.compile(r"<\|?/?\w{1,20}\|?>")
_PUNCTUATION = str.maketrans("（），０１２３４５６７８９．－", "(),0123456789.-")


@dataclass(frozen=True, slots=True)
class BareWord:
    """An unquoted value that is no number: `True`, a name, a nested call."""

    text: str


ArgumentValue = str | float | BareWord | tuple["ArgumentValue", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedCall:
    """Parsed call.

    Attributes:
        name: Name of the call, dots included.
        plain: Positional arguments, in order.
        named: Named arguments of the grammar.
        others: Named arguments that the grammar lacks.
        start: Index of its name in the output.
        end: Index after the call.
        notes: What was left out, completed or converted; reading a value can add to them.
    """

    name: str
    plain: tuple[ArgumentValue, ...] = ()
    named: Mapping[str, ArgumentValue] = field(default_factory=dict)
    others: Mapping[str, ArgumentValue] = field(default_factory=dict, compare=False)
    start: int = 0
    end: int = 0
    notes: list[str] = field(default_factory=list, compare=False)
    used: set[str] = field(default_factory=set, compare=False)
    """Names of the arguments that a format has read."""

    def value(self, *names: str) -> ArgumentValue | None:
        """The first argument with one of these names; an empty text is none."""
        return next((self._use(name) for name in names if self.named.get(name, "") != ""), None)

    def leave_unused(self) -> None:
        """Note the arguments of the grammar that the format has not read, as those of another call."""
        for name, value in self.named.items():
            if name not in self.used and name not in _IDLE and value != "":
                shown = value.text if isinstance(value, BareWord) else repr(value)
                self.notes.append(f"{LEFT_OUT}: {printable(f'{name}={shown}', 60)} in {self.name}")

    def _use(self, name: str) -> ArgumentValue:
        self.used.add(name)
        return self.named[name]

    def text(self, *names: str) -> str:
        """The text of the first argument with one of these names, or of the only positional argument.

        A number is taken for the text that it is written as, with a note.

        Raises:
            ActionSyntaxError: No such argument, or it is no text.
        """
        value = next((self._use(name) for name in names if name in self.named), None)
        if value is None and len(self.plain) == 1:
            value = self.plain[0]
        text = self._convert_text(value)
        if text is None:
            shown = value.text if isinstance(value, BareWord) else "" if value is None else repr(value)
            refuse(f"{names[0]}='...' in {self.name}", shown)
        return text

    def answer(self, *names: str) -> str:
        """The text that the person is told by the last call, as `text` reads it; "" without one.

        Models also give it under another of `ANSWER_NAMES`.

        Raises:
            ActionSyntaxError: It is no text, there are two, or the call ends before it.
        """
        if self.plain or any(name in self.named for name in names):
            return self.text(*names)
        given = {**self.named, **self.others}
        found = [name for name in ANSWER_NAMES if name in given and given[name] != ""]
        if len(found) > 1:
            refuse(f"one answer in {self.name}", "several")
        for name in found:
            text = self._convert_text(given[name])
            if text is None:
                refuse(f"a text as the answer in {self.name}", name)
            self.used.add(name)
            drop_left_out(self.notes, name)
            self.notes.append(f"{CONVERTED}: {name} in {self.name} to its answer")
            return text
        if is_completed(self.notes):
            # nobody knows whether an answer was to follow
            refuse(f"the closing bracket of {self.name}", "")
        return ""

    def _convert_text(self, value: ArgumentValue | None) -> str | None:
        """Return a value as a text, with a note if it is none in quotes; None if it cannot be one."""
        if isinstance(value, tuple) and len(value) == 1:
            value = value[0]
        # behind a comma more of a text without quotes could follow
        alone = not self.plain or self.plain == (value,)
        if isinstance(value, int | float) and not isinstance(value, bool) and alone:
            text = spell_number(value)
            self.notes.append(f"{CONVERTED}: the number {text} in {self.name} to a text")
            return text
        if isinstance(value, BareWord) and value.text not in _CONSTANTS and alone:
            words = printable(value.text, 40)
            self.notes.append(f"{CONVERTED}: {words} without quotes in {self.name} to a text")
            return value.text
        return value if isinstance(value, str) else None

    def point(self, *names: str) -> tuple[float, ...]:
        """The numbers of the first argument with one of these names, or of the positional arguments.

        Raises:
            ActionSyntaxError: No such argument, or it contains something else.
        """
        value = self.value(*names)
        if value is None and self.plain:
            value = self.plain[0] if len(self.plain) == 1 else self.plain
        if value is None:
            refuse(f"a point as {names[0]} in {self.name}", "")
        return read_numbers(value)


def read_numbers(value: object) -> tuple[float, ...]:
    """All numbers of a point or box, in any notation.

    Args:
        value: A text, a number, or lists of them.

    Raises:
        ActionSyntaxError: The value contains anything else.

    >>> read_numbers("<point>540 1200</point>"), read_numbers("<|box_start|>(197,525)<|box_end|>")
    ((540, 1200), (197, 525))
    >>> read_numbers([[219, 186, 311, 207]])
    (219, 186, 311, 207)
    """
    if isinstance(value, str) and len(value) <= 200:
        plain = _TAG.sub(" ", value.translate(_PUNCTUATION))
        parts = re.sub(r"[\[\](),\s]+", " ", plain).split()
        if parts and all(NUMBER.fullmatch(part) for part in parts):
            return tuple(read_number(part) for part in parts)
    # bool is a subclass of int
    elif isinstance(value, int | float) and not isinstance(value, bool):
        return (value,)
    elif isinstance(value, list | tuple) and value and len(value) <= 4:
        try:
            return tuple(number for part in value for number in read_numbers(part))
        except RecursionError:
            pass
    shown = value.text if isinstance(value, BareWord) else repr(value)
    refuse("the numbers of a point or a box", "a flag" if isinstance(value, bool) else shown[:80])


def read_number(text: str) -> float:
    """Read a number, which keeps its spelling."""
    return WrittenFloat(text) if "." in text else WrittenInt(text)


def is_point(text: str) -> bool:
    """Whether a text is the numbers of a point or a box."""
    try:
        return bool(read_numbers(text))
    except ActionSyntaxError:
        return False
