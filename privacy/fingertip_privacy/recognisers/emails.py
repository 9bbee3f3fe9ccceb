"""E-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput, half_width

_EMAIL = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63} ?@ ?[A-Za-z0-9](?:[A-Za-z0-9.-]{0,80})"
    r"\.[A-Za-z]{2,12}"
    r"(?![A-Za-z0-9])"
)


def find_emails(given: TextInput) -> Iterator[RecognisedSpan]:
    """Yield e-mail addresses; OCR puts a space next to the @ at times."""
    for match in _EMAIL.finditer(half_width(given.text)):
        yield RecognisedSpan(
            kind=FindKind.EMAIL, start=match.start(), end=match.end(), confidence=0.97, rule="e-mail address"
        )
