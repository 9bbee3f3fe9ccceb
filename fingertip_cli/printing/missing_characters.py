"""Characters that a terminal's encoding lacks: typographic ones get their plain form, others an escape."""

from __future__ import annotations

import codecs
from io import TextIOWrapper

PLAIN = {
    "–": "-",
    "—": "-",
    "−": "-",
    "·": "-",
    "×": "x",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "…": "...",
}
"""Character -> what stands for it in ASCII, of the same width where a table has it."""

HANDLER = "fingertip.plain"


def replace_missing_characters(stream: object) -> None:
    """Let a text stream write characters that its encoding lacks, such as Chinese in a C locale.

    Without it, printing them ends in a traceback. Streams of other kinds are left alone.
    """
    if isinstance(stream, TextIOWrapper):
        codecs.register_error(HANDLER, _replace)
        stream.reconfigure(errors=HANDLER)


def _replace(error: UnicodeError) -> tuple[str | bytes, int]:
    """Handle an error of `codecs`: return the plain form of the characters, else their escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    plain = (PLAIN.get(one) or one.encode("ascii", "backslashreplace").decode() for one in missing)
    return "".join(plain), error.end
