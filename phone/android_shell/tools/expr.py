"""`expr`: numbers, comparisons and patterns."""

from __future__ import annotations

import operator
from collections.abc import Callable

from android_shell.command_call import CommandCall
from android_shell.tools.patterns import PatternError, TextPattern
from android_shell.tools.tool_options import Options

Value = str | int

_PRECEDENCE = {
    "|": 1,
    "&": 2,
    **dict.fromkeys(("=", "==", "!=", ">", ">=", "<", "<="), 3),
    "+": 4,
    "-": 4,
    "*": 5,
    "/": 5,
    "%": 5,
    ":": 6,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}
_MAX_DEPTH = 100


def expr(call: CommandCall, _options: Options, words: list[str]) -> None:
    """`expr EXPRESSION`: print a value; exit code 1 for 0 or "", 2 for an error."""
    parser = _Parser(call, words)
    value = parser.parse(1)
    if parser.rest:
        raise call.error(f"Unexpected extra input '{parser.rest[0]}'")
    call.print(f"{value}\n")
    call.code = int(_is_false(value))


def _read_integer(value: Value) -> int | None:
    if isinstance(value, int):
        return value
    text = value.strip()
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not value:
        return 0
    return int(text) if digits.isdecimal() and len(digits) < 20 else None


def _is_false(value: Value) -> bool:
    return _read_integer(value) == 0


class _Parser:
    def __init__(self, call: CommandCall, words: list[str]) -> None:
        self._call = call
        self.rest = list(words)
        self._depth = 0

    def parse(self, least: int) -> Value:
        """The value of what is ahead, up to an operator that binds less than `least`."""
        if not self.rest or self._depth > _MAX_DEPTH:
            raise self._call.error("Unexpected end of input")
        self._depth += 1
        value = self._parse_atom()
        while self.rest and _PRECEDENCE.get(self.rest[0], 0) >= least:
            sign = self.rest.pop(0)
            value = self._apply(sign, value, self.parse(_PRECEDENCE[sign] + 1))
        self._depth -= 1
        return value

    def _parse_atom(self) -> Value:
        word = self.rest.pop(0)
        if word != "(":
            return word
        value = self.parse(1)
        if self.rest[:1] != [")"]:
            raise self._call.error("Expected )")
        self.rest.pop(0)
        return value

    def _apply(self, sign: str, left: Value, right: Value) -> Value:
        if sign == "|":
            return right if _is_false(left) else left
        if sign == "&":
            return 0 if _is_false(left) or _is_false(right) else left
        if sign == ":":
            return self._match(str(left), str(right))
        one, other = _read_integer(left), _read_integer(right)
        if sign in _COMPARISONS:
            if one is None or other is None:
                first, second = str(left), str(right)
                one, other = (first > second) - (first < second), 0
            return int(_COMPARISONS[sign](one, other))
        if one is None or other is None:
            raise self._call.error("non-integer argument")
        return self._calculate(sign, one, other)

    def _calculate(self, sign: str, one: int, other: int) -> int:
        if sign in "/%":
            if other == 0:
                raise self._call.error("division by zero")
            # towards zero, as in C
            quotient = abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)
            return quotient if sign == "/" else one - quotient * other
        value = {"+": one + other, "-": one - other, "*": one * other}[sign]
        # of 64 bits, as in C
        return (value + (1 << 63)) % (1 << 64) - (1 << 63)

    def _match(self, text: str, pattern: str) -> Value:
        try:
            compiled = TextPattern(pattern, extended=False)
        except PatternError as error:
            raise self._call.error(f"bad REGEX: {error}") from None
        spans = compiled.find(text) or []
        found = spans[0] if spans and spans[0] and spans[0][0] == 0 else None
        if "\\(" in pattern:
            group = spans[1] if found and len(spans) > 1 else None
            return text[group[0] : group[1]] if group else ""
        return len(text[: found[1]].encode("utf-8", "surrogateescape")) if found else 0
