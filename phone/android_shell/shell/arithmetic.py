"""`$((...))`: integer expressions, 64 bits, with C's operators."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, MutableMapping

_TOKEN = re.compile(
    r"\s*(?:(0[xX][0-9a-fA-F]+|\d+)|([A-Za-z_]\w*)"
    r"|(\*\*|<<=|>>=|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|[-+*/%<>=!~&^|?:(),]))"
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


class ArithmeticFailure(Exception):
    """An expression that cannot be evaluated; the text is the shell's message, `code` the exit code."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


def _divide(left: int, right: int) -> int:
    if right == 0:
        raise ArithmeticFailure("divisor is zero")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _shift(left: int, right: int) -> int:
    return left << (right & 63)


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
    "<<": _shift,
    ">>": lambda left, right: left >> (right & 63),
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "%": lambda left, right: left - _divide(left, right) * right,
}


def evaluate(text: str, variables: MutableMapping[str, str]) -> int:
    """Evaluate an expression; assignments change `variables`.

    Raises:
        ArithmeticFailure: The expression is wrong, or divides by zero.

    >>> evaluate("2 + 3 * (x = 4) > 13", {})
    1
    """
    return _Evaluator(text, variables).result()


def _wrap(value: int) -> int:
    return ((value + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


class _Evaluator:
    def __init__(self, text: str, variables: MutableMapping[str, str]) -> None:
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0
        self._variables = variables

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
        name, sign = self._next(), self._tokens[self._at + 1 : self._at + 2]
        if (
            name[:1].isidentifier()
            and sign
            and sign[0].endswith("=")
            and sign[0] not in ("==", "!=", "<=", ">=")
        ):
            self._at += 2
            value = self._evaluate_assignment()
            if sign[0] != "=":
                value = _BINARY[sign[0][:-1]](self._read_variable(name), value)
            self._variables[name] = str(_wrap(value))
            return _wrap(value)
        return self._evaluate_conditional()

    def _evaluate_conditional(self) -> int:
        chosen = self._evaluate_binary(0)
        if not self._take("?"):
            return chosen
        first = self._evaluate_comma()
        if not self._take(":"):
            raise ArithmeticFailure("missing ':'")
        second = self._evaluate_conditional()
        return first if chosen else second

    def _evaluate_binary(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._evaluate_unary()
        value = self._evaluate_binary(level + 1)
        while (sign := self._next()) in _LEVELS[level]:
            self._at += 1
            right = self._evaluate_binary(level + 1)
            if sign == "&&":
                value = int(bool(value) and bool(right))
            elif sign == "||":
                value = int(bool(value) or bool(right))
            else:
                value = _wrap(int(_BINARY[sign](value, right)))
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
            return {"+": value, "-": -value, "!": int(not value), "~": ~value}[sign]
        if sign in ("++", "--"):
            return self._change_by_one(self._take_name(), sign)
        if sign == "(":
            value = self._evaluate_comma()
            if not self._take(")"):
                raise ArithmeticFailure("missing )")
            return value
        if sign[:1].isdigit():
            return _wrap(_parse_number(sign))
        if not sign[:1].isidentifier():
            raise ArithmeticFailure(f"unexpected '{sign or 'EOF'}'")
        value = self._read_variable(sign)
        if self._next() in ("++", "--"):
            self._change_by_one(sign, self._next())
            self._at += 1
        return value

    def _take_name(self) -> str:
        name = self._next()
        self._at += 1
        if not name[:1].isidentifier():
            raise ArithmeticFailure(f"unexpected '{name or 'EOF'}'")
        return name

    def _change_by_one(self, name: str, sign: str) -> int:
        value = _wrap(self._read_variable(name) + (1 if sign == "++" else -1))
        self._variables[name] = str(value)
        return value

    def _read_variable(self, name: str) -> int:
        text = self._variables.get(name, "").strip()
        if re.fullmatch(r"[-+]?(0[xX][0-9a-fA-F]+|\d+)", text):
            sign = -1 if text.startswith("-") else 1
            return _wrap(sign * _parse_number(text.lstrip("+-")))
        if not text:
            return 0
        raise ArithmeticFailure(f"bad number '{text}'")


def _parse_number(text: str) -> int:
    if text[:2] in ("0x", "0X"):
        return int(text, 16)
    if len(text) > 30:
        raise ArithmeticFailure(f"bad number '{text[:30]}'")
    return int(text)


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    text = text.strip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None and text[at] == "[":
            raise ArithmeticFailure("arrays are not supported", code=2)
        if token is None:
            raise ArithmeticFailure(f"unexpected '{text[at]}'")
        found.append(token.group().strip())
        at = token.end()
    return found
