"""Regular expressions in RE2's syntax, linear in the text: a pattern of a host cannot stop the phone."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re2


@lru_cache(maxsize=256)
def compile_linear(expression: str, *, ignore_case: bool = False) -> re2._Regexp:
    """The compiled expression: without look-around and back-references, which can take exponential time.

    Raises:
        ValueError: The expression is not valid; the text says why.
    """
    import re2  # here: most clients never send a pattern

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    try:
        return re2.compile(expression, options)
    except re2.error as error:
        raise ValueError(error.args[0].decode("utf-8", "replace")) from None
