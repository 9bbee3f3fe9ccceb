"""`$((...))`, `((...))` and `let`: integer expressions of 32 bits with C's operators, as in mksh."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Protocol

from android_shell.command_call import UnsupportedError

_TOKEN = re.compile(
    r"\s*(?:(\d\w*(?:#\w+)?)|([A-Za-z_]\w*)|('[^'\\]')"
    r"|(<<=|>>=|\^<|\^>|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|[-+*/%<>=!~&^|?:(),]))"
)
_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_COMPARISONS = ("==", "!=", "<=", ">=")
_MAX_DEPTH = 50
_MAX_DIGITS = 1000
_SHELL = "/system/bin/sh"


class ArithmeticFailure(Exception):
    """An expression that cannot be evaluated; the text is the shell's message."""


class NumberStore(Protocol):
    """Variables of an expression."""

    def get(self, name: str) -> str | None:
        """The value of a variable; None if it is not set."""

    def assign(self, name: str, value: str) -> None:
        """Set a variable."""


def _divide(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_BINARY: dict[str, Callable[[int, int], int]] = {
    "|": operator.or_,
    "^": operator.xor,
    "&": operator.and_,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "<<": lambda left, right: left << (right & 31),
    ">>": lambda left, right: left >> (right & 31),
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "%": lambda left, right: left - _divide(left, right) * right,
}


def evaluate(text: str, variables: NumberStore, *, hexadecimal: bool = True) -> int:
    """Evaluate an expression; assignments change `variables`.

    Args:
        text: The expression.
        variables: Its variables, whose values are expressions themselves.
        hexadecimal: Whether numbers such as 0x1f are read, which `test` does not.

    Raises:
        ArithmeticFailure: The expression is wrong, or divides by zero.
        UnsupportedError: It has an array, or an operator that no client sends.
    """
    return _Evaluator(text, variables, hexadecimal=hexadecimal).result()


def _wrap(value: int) -> int:
    return ((value + (1 << 31)) & ((1 << 32) - 1)) - (1 << 31)


class _Evaluator:
    def __init__(
        self, text: str, variables: NumberStore, *, hexadecimal: bool = True, names: tuple[str, ...] = ()
    ) -> None:
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0
        # above 0 within the side of && || ?: that does not count: it assigns nothing and fails at no division
        self._skipped = 0
        self._variables = variables
        self._hexadecimal = hexadecimal
        self._names = names

    def result(self) -> int:
        if not self._tokens:
            return 0
        value = self._evaluate_comma()
        if self._at < len(self._tokens):
            raise ArithmeticFailure(f"unexpected '{self._tokens[self._at]}'")
        return value

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, sign: str) -> bool:
        found = self._next() == sign
        self._at += found
        return found

    def _evaluate_comma(self) -> int:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ArithmeticFailure("expression recurses")
        value = self._evaluate_assignment()
        while self._take(","):
            value = self._evaluate_assignment()
        self._depth -= 1
        return value

    def _evaluate_assignment(self) -> int:
        name, sign = self._next(), "".join(self._tokens[self._at + 1 : self._at + 2])
        if not name[:1].isidentifier() or not sign.endswith("=") or sign in _COMPARISONS:
            value = self._evaluate_conditional()
            if self._next().endswith("=") and self._next() not in _COMPARISONS:
                raise ArithmeticFailure(f"{self._next()} requires lvalue")
            return value
        self._at += 2
        value = self._evaluate_assignment()
        if sign != "=":
            value = self._calculate(sign[:-1], self._read_variable(name), value)
        return self._assign(name, _wrap(value))

    def _assign(self, name: str, value: int) -> int:
        if not self._skipped:
            self._variables.assign(name, str(value))
        return value

    def _calculate(self, sign: str, left: int, right: int) -> int:
        if sign in ("/", "%") and right == 0:
            if not self._skipped:
                raise ArithmeticFailure("zero divisor")
            right = 1
        return _wrap(int(_BINARY[sign](left, right)))

    def _evaluate_conditional(self) -> int:
        chosen = self._evaluate_binary(0)
        if not self._take("?"):
            return chosen
        first = self._skip_unless(chosen != 0, self._evaluate_comma)
        if not self._take(":"):
            raise ArithmeticFailure("missing :")
        second = self._skip_unless(chosen == 0, self._evaluate_conditional)
        return first if chosen else second

    def _skip_unless(self, counts: bool, side: Callable[[], int]) -> int:
        self._skipped += not counts
        value = side()
        self._skipped -= not counts
        return value

    def _evaluate_binary(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._evaluate_unary()
        value = self._evaluate_binary(level + 1)
        while (sign := self._next()) in _LEVELS[level]:
            self._at += 1
            if sign in ("&&", "||"):
                counts = bool(value) == (sign == "&&")
                right = self._skip_unless(counts, lambda: self._evaluate_binary(level + 1))
                value = int(bool(right)) if counts else int(sign == "||")
            else:
                value = self._calculate(sign, value, self._evaluate_binary(level + 1))
        return value

    def _evaluate_unary(self) -> int:
        sign = self._next()
        self._at += 1
        if sign in ("+", "-", "!", "~"):
            self._depth += 1
            if self._depth > _MAX_DEPTH:
                raise ArithmeticFailure("expression recurses")
            value = self._evaluate_unary()
            self._depth -= 1
            return _wrap({"+": value, "-": -value, "!": int(not value), "~": ~value}[sign])
        if sign in ("++", "--"):
            return self._change_by_one(self._take_name(sign), sign)
        if sign == "(":
            value = self._evaluate_comma()
            if not self._take(")"):
                raise ArithmeticFailure("missing )")
            return value
        if sign[:1].isdigit():
            return _parse_number(sign, hexadecimal=self._hexadecimal)
        if sign[:1] == "'":
            return ord(sign[1])
        if not sign[:1].isidentifier():
            raise ArithmeticFailure(f"unexpected '{sign or 'end of expression'}'")
        value = self._read_variable(sign)
        if self._next() in ("++", "--"):
            self._change_by_one(sign, self._next())
            self._at += 1
        return value

    def _take_name(self, sign: str) -> str:
        name = self._next()
        self._at += 1
        if not name[:1].isidentifier():
            raise ArithmeticFailure(f"{sign} requires lvalue")
        return name

    def _change_by_one(self, name: str, sign: str) -> int:
        return self._assign(name, _wrap(self._read_variable(name) + (1 if sign == "++" else -1)))

    def _read_variable(self, name: str) -> int:
        text = (self._variables.get(name) or "").strip()
        if text.isdecimal() and text.isascii():
            return _parse_number(text)
        if name in self._names or len(self._names) > _MAX_DEPTH:
            raise ArithmeticFailure(f"expression recurses on parameter '{name}'")
        # a value is an expression, too: of x=y, y=3 the value of x is 3
        return _Evaluator(text, self._variables, names=(*self._names, name)).result()


def _parse_number(text: str, *, hexadecimal: bool = True) -> int:
    base, _, digits = text.rpartition("#")
    try:
        if len(text) > _MAX_DIGITS:
            raise ArithmeticFailure(f"{text[:30]}: bad number")
        if text[:2] in ("0x", "0X"):
            if not hexadecimal:
                raise ArithmeticFailure(f"{text}: bad number")
            return _wrap(int(text, 16))
        if not base:
            return _wrap(int(text))
        if not 2 <= int(base) <= 36:
            raise UnsupportedError(f"{_SHELL}: numbers of base {base} are not supported", 2)
        return _wrap(int(digits, int(base)))
    except ValueError:
        raise ArithmeticFailure(f"{text}: bad number") from None


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    text = text.strip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None and text[at] == "[":
            raise UnsupportedError(f"{_SHELL}: arrays are not supported", 2)
        if token is None:
            raise ArithmeticFailure(f"unexpected '{text[at]}'")
        found.append(token.group().strip())
        if found[-1] in ("^<", "^>"):
            raise UnsupportedError(f"{_SHELL}: rotations of bits are not supported", 2)
        at = token.end()
    return found
