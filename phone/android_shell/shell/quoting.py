"""Quotes around a value, as `set`, `export -p`, `${name@Q}` and the trace of `set -x` print them."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[A-Za-z0-9_%+,./:@^=-]+")
_NAMES = {
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
    "\x1b": "\\E",
}


def quote_value(value: str) -> str:
    r"""Return a value as the shell prints it, so that it can be read again.

    >>> quote_value("a.b"), quote_value("a b"), quote_value("it's")
    ('a.b', "'a b'", "'it'\\''s'")
    """
    if _PLAIN.fullmatch(value):
        return value
    if any(sign < " " or sign == "\x7f" for sign in value):
        signs = (
            _NAMES.get(sign)
            or (
                f"\\{sign}"
                if sign in "'\\"
                else sign
                if sign >= " " and sign != "\x7f"
                else f"\\{ord(sign):03o}"
            )
            for sign in value
        )
        return "$'" + "".join(signs) + "'"
    return "'" + value.replace("'", "'\\''") + "'"
