"""Values of `awk`: text that may count as a number, and functions on values alone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, TypeAlias

from simulated_phone.adb.commands.text_tools.awk_parser import AwkError

Value: TypeAlias = "str | float"

MAX_WIDTH = 4096
"""Largest width of a printed value."""

_NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_FORMAT = re.compile(r"%([-+ #0]*)(\*|\d{0,4})(?:\.(\*|\d{0,4}))?([a-zA-Z%])")


class InputText(str):
    """Text that was read: it compares as a number if it looks like one."""

    __slots__ = ()


def replacement(new: str, matched: str) -> str:
    """The new text of `sub` and `gsub`: `&` is the matched one."""
    return re.sub(r"\\&|\\\\|&", lambda found: {"&": matched, "\\&": "&"}.get(found.group(), "\\"), new)


def looks_numeric(text: str) -> bool:
    """Whether a text is a number, with blanks around it."""
    found = _NUMBER.match(text)
    return found is not None and not text[found.end() :].strip()


def to_number(value: Any) -> float:  # noqa: ANN401 - str, float or a missing parameter
    """The number that a value begins with; 0 without one."""
    if value is None:
        return 0.0
    if not isinstance(value, str):
        return float(value)
    found = _NUMBER.match(value)
    return float(found.group()) if found else 0.0


def arithmetic(sign: str, left: float, right: float) -> float:
    """The value of an arithmetic operator."""
    try:
        if sign in ("/", "%") and right == 0:
            raise AwkError("division by zero")
        return {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "*": lambda: left * right,
            "/": lambda: left / right,
            "%": lambda: math.fmod(left, right),
            "^": lambda: math.pow(left, right),
        }[sign]()
    except (ValueError, OverflowError):
        return math.nan


def to_text(value: Any, form: str) -> str:  # noqa: ANN401 - str, float, array or a missing parameter
    """The text of a value; `form` is CONVFMT or OFMT."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        raise AwkError("can't use an array as a scalar")
    if value is None:
        return ""
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if value == int(value):
        return str(int(value)) if abs(value) < 1e16 else f"{value:.6g}"
    try:
        return str(form % value)
    except (TypeError, ValueError):
        return f"{value:.6g}"


def is_numeric(value: Value) -> bool:
    """Whether a value is compared as a number."""
    return not isinstance(value, str) or (isinstance(value, InputText) and looks_numeric(value))


def compared(left: Value, right: Value) -> int:
    """-1, 0 or 1; as numbers if both are numbers or look like them."""
    if all(
        not isinstance(one, str) or (isinstance(one, InputText) and looks_numeric(one))
        for one in (left, right)
    ):
        one, other = to_number(left), to_number(right)
        return (one > other) - (one < other)
    first, second = to_text(left, "%.6g"), to_text(right, "%.6g")
    return (first > second) - (first < second)


def is_true(value: Value) -> bool:
    """Whether a value counts as true."""
    if isinstance(value, InputText) and looks_numeric(value):
        return to_number(value) != 0
    return value != "" if isinstance(value, str) else value != 0


def formatted(values: list[Value]) -> str:
    """The text of `printf`: format and values."""
    rest = values[1:]

    def number() -> int:
        return min(MAX_WIDTH, int(to_number(rest.pop(0) if rest else 0)))

    def form(found: re.Match[str]) -> str:
        flags, width, precision, kind = found.groups()
        if kind == "%":
            return "%"
        width = str(number()) if width == "*" else width
        precision = str(number()) if precision == "*" else precision
        if kind not in _KINDS:
            return found.group()
        value = rest.pop(0) if rest else InputText("")
        spec = f"%{flags}{width}" + (f".{precision or 0}" if precision is not None else "")
        return _KINDS[kind](spec, value)

    return _FORMAT.sub(form, to_text(values[0], "%.6g"))


def _whole(spec: str, value: Value) -> str:
    number = to_number(value)
    return str(spec % (int(number) if math.isfinite(number) else 0))


def _letter(spec: str, value: Value) -> str:
    return str(spec % (value[:1] if isinstance(value, str) else chr(int(value) & 0xFFFF)))


_KINDS: dict[str, Callable[[str, Value], str]] = {
    **dict.fromkeys("diu", lambda spec, value: _whole(spec + "d", value)),
    **{kind: lambda spec, value, kind=kind: _whole(spec + kind, value) for kind in "oxX"},  # type: ignore[misc]
    **{kind: lambda spec, value, kind=kind: str((spec + kind) % to_number(value)) for kind in "eEfFgG"},  # type: ignore[misc]
    "c": lambda spec, value: _letter(spec + "s", value),
    "s": lambda spec, value: str((spec + "s") % to_text(value, "%.6g")),
}


def _substr(values: list[Value]) -> Value:
    text = to_text(values[0], "%.6g")
    start = round(to_number(values[1]))
    end = start + round(to_number(values[2])) if len(values) > 2 else len(text) + 1
    return text[max(0, start - 1) : max(0, end - 1)]


def _index(values: list[Value]) -> Value:
    return float(to_text(values[0], "%.6g").find(to_text(values[1], "%.6g")) + 1)


def _calculated(work: Callable[..., float]) -> Callable[[list[Value]], Value]:
    def run(values: list[Value]) -> Value:
        try:
            return float(work(*(to_number(value) for value in values)))
        except (ValueError, OverflowError):
            return math.nan

    return run


FUNCTIONS: dict[str, Callable[[list[Value]], Value]] = {
    "atan2": _calculated(math.atan2),
    "cos": _calculated(math.cos),
    "exp": _calculated(math.exp),
    "index": _index,
    "int": _calculated(math.trunc),
    "log": _calculated(math.log),
    "sin": _calculated(math.sin),
    "sprintf": formatted,
    "sqrt": _calculated(math.sqrt),
    "substr": _substr,
    "tolower": lambda values: to_text(values[0], "%.6g").lower(),
    "toupper": lambda values: to_text(values[0], "%.6g").upper(),
}
"""Name of a function -> implementation on the values of its arguments."""
