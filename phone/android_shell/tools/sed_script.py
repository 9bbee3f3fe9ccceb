"""Parser of `sed`'s scripts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from android_shell.command_call import UnsupportedError
from android_shell.tools.patterns import PatternError, TextPattern

_NAMES = "{}=:abcdDgGhHinNpPqQstTxy"
_REFUSED = "lrw"
_TEXT_ESCAPES = dict(zip("abefnrtv", "\a\b\x1b\f\n\r\t\v", strict=True))
_ESCAPES = dict(zip("abefnrtv\\", "\a\b\x1b\f\n\r\t\v\\", strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Lines of a command: a number, those that match a pattern, or the last one.

    Attributes:
        line: The number; None for the last line or a pattern.
        offset: Number of lines after the first address, for `first,+offset`.
        pattern: The pattern.
    """

    line: int | None = None
    offset: int = 0
    pattern: TextPattern | None = None


@dataclass(slots=True, kw_only=True)
class SedCommand:
    """A command of a script.

    Attributes:
        name: Its letter.
        first, last: Its addresses.
        inverted: Whether it applies to the other lines.
        pattern, replacement, every, prints: Of `s`; the replacement is text and numbers of groups.
        count: Of `s`, the first match that is replaced; of `q`, the exit code.
        table: Of `y`.
        text: Text of `a`, `i`, `c`; label of `:`, `b`, `t`.
        target: Index of the command after a group or a label.
    """

    name: str
    first: Address | None = None
    last: Address | None = None
    inverted: bool = False
    pattern: TextPattern | None = None
    replacement: list[str | int] = field(default_factory=list)
    every: bool = False
    prints: bool = False
    count: int = 0
    table: dict[int, int] = field(default_factory=dict)
    text: str = ""
    target: int = 0


def parse_script(text: str, *, extended: bool) -> list[SedCommand]:
    """Parse a script.

    Raises:
        PatternError: It is wrong; the text is the message.
    """
    return _Script(text, extended=extended).commands()


class _Script:
    def __init__(self, text: str, *, extended: bool) -> None:
        self._text = text
        self._at = 0
        self._extended = extended
        self._last: TextPattern | None = None

    def commands(self) -> list[SedCommand]:
        found: list[SedCommand] = []
        groups: list[int] = []
        while self._skip(" \t\n;") < len(self._text):
            command = self._read_command()
            if command.name == "{":
                groups.append(len(found))
            elif command.name == "}":
                if not groups:
                    raise PatternError("unexpected '}'")
                found[groups.pop()].target = len(found) + 1
            found.append(command)
        if groups:
            raise PatternError("no matching '}'")
        labels = {command.text: index + 1 for index, command in enumerate(found) if command.name == ":"}
        for command in found:
            if command.name in ("b", "t", "T"):
                if command.text and command.text not in labels:
                    raise PatternError(f"no ':{command.text}'")
                command.target = labels.get(command.text, len(found))
        return found

    def _skip(self, signs: str) -> int:
        while self._at < len(self._text) and self._text[self._at] in signs:
            self._at += 1
        if self._text.startswith("#", self._at):
            end = self._text.find("\n", self._at)
            self._at = len(self._text) if end < 0 else end
            return self._skip(signs) if "\n" in signs else self._at
        return self._at

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _read_command(self) -> SedCommand:
        command = SedCommand(name="", first=self._read_address())
        self._skip(" \t")
        if command.first is not None and self._peek() == ",":
            self._at += 1
            self._skip(" \t")
            command.last = self._read_address(second=True)
            if command.last is None:
                raise PatternError("bad address")
        self._skip(" \t")
        while self._peek() == "!":
            command.inverted = True
            self._at += 1
            self._skip(" \t")
        command.name = self._peek()
        if command.name and command.name in _REFUSED:
            raise UnsupportedError(f"sed: bad pattern '{self._text}'@{self._at} ({command.name})")
        if not command.name or command.name not in _NAMES:
            raise PatternError(f"bad pattern '{self._text}'@{self._at} ({command.name})")
        self._at += 1
        self._read_arguments(command)
        return command

    def _read_address(self, *, second: bool = False) -> Address | None:
        sign = self._peek()
        number = re.compile(r"\d{1,9}").match(self._text, self._at)
        if number:
            self._at = number.end()
            if not int(number.group()):
                raise UnsupportedError(f"sed: bad pattern '{self._text}'@{self._at} (0)")
            return Address(line=int(number.group()))
        if second and sign == "+":
            offset = re.compile(r"\+(\d{1,9})").match(self._text, self._at)
            if offset:
                self._at = offset.end()
                return Address(offset=int(offset.group(1)))
        if sign == "$":
            self._at += 1
            return Address()
        if sign in ("/", "\\") and sign:
            self._at += 1 if sign == "/" else 2
            pattern = self._read_until(self._text[self._at - 1])
            ignore = self._peek() == "I"
            self._at += ignore
            return Address(pattern=self._compile_pattern(pattern, ignore=ignore))
        return None

    def _compile_pattern(self, text: str, *, ignore: bool, extended: bool | None = None) -> TextPattern:
        if not text and self._last is not None:
            return self._last
        if not text:
            raise PatternError("no previous regex")
        kind = self._extended if extended is None else extended
        self._last = TextPattern(text, extended=kind, ignore_case=ignore)
        return self._last

    def _read_until(self, end: str) -> str:
        """Text up to the character; a backslash before it is dropped, brackets protect it."""
        found: list[str] = []
        in_brackets = False
        while (sign := self._peek()) != end or in_brackets:
            if not sign:
                raise PatternError(f"no end '{end}'")
            if sign == "\\":
                found.append(self._read_escape(end, in_brackets=in_brackets))
                continue
            if sign == "[" and not in_brackets:
                in_brackets = True
                # a ] right after [ or [^ is a member
                start = re.compile(r"\[\^?\]?").match(self._text, self._at)
                if start and start.end() - self._at > 1:
                    found.append(start.group())
                    self._at = start.end()
                    continue
            elif sign == "]":
                in_brackets = False
            found.append(sign)
            self._at += 1
        self._at += 1
        return "".join(found)

    def _read_escape(self, end: str, *, in_brackets: bool) -> str:
        after = self._text[self._at + 1 : self._at + 2]
        if not after:
            raise PatternError(f"no end '{end}'")
        self._at += 2
        if after == end or after in _TEXT_ESCAPES:
            return after if after == end else _TEXT_ESCAPES[after]
        # a backslash in brackets is dropped, as toybox does, but before another one
        return after if in_brackets and after != "\\" else "\\" + after

    def _read_plain_until(self, end: str) -> str:
        found: list[str] = []
        while (sign := self._peek()) != end:
            if not sign:
                raise PatternError(f"no end '{end}'")
            step = 2 if sign == "\\" else 1
            found.append(self._text[self._at : self._at + step])
            self._at += step
        self._at += 1
        return "".join(found)

    def _read_arguments(self, command: SedCommand) -> None:
        name = command.name
        if name == "s":
            self._read_substitution(command)
        elif name == "y":
            end = self._read_delimiter()
            before, after = (
                _parse_signs(self._read_plain_until(end)),
                _parse_signs(self._read_plain_until(end)),
            )
            if not "".join(before + after).isascii():
                # toybox changes bytes, which would cut characters apart
                raise UnsupportedError("sed: bad y: not ASCII")
            if len(before) != len(after):
                raise PatternError("bad y: strings of different length")
            command.table = {ord(one): ord(other) for one, other in zip(before, after, strict=True)}
        elif name in ("a", "i", "c"):
            command.text = self._read_text()
        elif name in (":", "b", "t", "T"):
            self._skip(" \t")
            command.text = self._read_rest_of_line("\n;}" if name != ":" else "\n;").strip()
        elif name in ("q", "Q"):
            self._skip(" \t")
            digits = re.compile(r"\d{0,3}").match(self._text, self._at)
            self._at += len(digits.group()) if digits else 0
            command.count = int(digits.group()) & 0xFF if digits and digits.group() else 0
        self._skip(" \t")

    def _read_text(self) -> str:
        """Text of a, i or c: up to a newline without a backslash; escapes are carried out."""
        self._skip(" \t")
        if self._text.startswith("\\\n", self._at):
            self._at += 2
        signs = []
        while (sign := self._peek()) and sign != "\n":
            self._at += 1
            if sign == "\\" and self._peek():
                after = self._peek()
                self._at += 1
                sign = _TEXT_ESCAPES.get(after, after)
            signs.append(sign)
        if not signs:
            raise PatternError(f"bad pattern '{self._text}'@{self._at} ()")
        return "".join(signs)

    def _read_delimiter(self) -> str:
        end = self._peek()
        if not end or end in "\n\\":
            raise PatternError("no delimiter")
        self._at += 1
        return end

    def _read_rest_of_line(self, ends: str) -> str:
        start = self._at
        while self._at < len(self._text) and self._text[self._at] not in ends:
            self._at += 1
        return self._text[start : self._at]

    def _read_substitution(self, command: SedCommand) -> None:
        end = self._read_delimiter()
        pattern = self._read_until(end)
        replacement = self._read_plain_until(end)
        command.count = 1
        ignore, extended = False, self._extended
        while (sign := self._peek()) and sign in "gpiIx0123456789":
            self._at += 1
            command.every = command.every or sign == "g"
            command.prints = command.prints or sign == "p"
            ignore = ignore or sign in "iI"
            extended = extended or sign == "x"
            if sign.isdigit():
                digits = sign + self._read_rest_of_line(" \t\n;}gpiI")
                if not digits.isdecimal() or not int(digits[:9]):
                    raise PatternError("bad s: number")
                command.count = int(digits[:9])
        command.pattern = self._compile_pattern(pattern, ignore=ignore, extended=extended)
        command.replacement = _parse_replacement(replacement, end)


def _parse_replacement(text: str, end: str) -> list[str | int]:
    parts: list[str | int] = []
    for found in re.finditer(r"\\(\d)|\\(.)|(&)|([^\\&]+)|\\$", text, re.DOTALL):
        group, escape, whole, plain = found.groups()
        if group:
            parts.append(int(group))
        elif whole:
            parts.append(0)
        elif escape:
            parts.append(escape if escape == end else _ESCAPES.get(escape, escape))
        elif plain:
            parts.append(plain)
    return parts


def _parse_signs(text: str) -> list[str]:
    """The characters of a set of `y`, with escapes."""
    found = re.findall(r"\\.|.", text, re.DOTALL)
    return [_ESCAPES.get(sign[1:], sign[-1:]) if len(sign) > 1 else sign for sign in found]
