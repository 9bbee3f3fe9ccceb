"""Normalization of the spelling of user ids, times and column names.

Only unambiguous spellings are accepted; the caller refuses everything else.
"""

from __future__ import annotations

import re
from datetime import datetime

from fingertip_dataset.folded_text import is_unseen

LONGEST_INTENT = 50_000
"""Most characters of an intent; those of the release have at most some 100."""

FIRST_YEAR = 1970
"""Earliest year accepted: epoch milliseconds begin in it."""

_NUMBER = re.compile(r"0*([0-9]{1,18})(\.0+)?", re.ASCII)
_NAME = re.compile(r"[\w.\-]{1,64}")
_TIME = re.compile(
    r"([0-9]{4})([-/.]?)([0-9]{2})\2([0-9]{2})[-_ T]?([0-9]{2})([-:.]?)([0-9]{2})\6([0-9]{2})(\.0+)?"
)


def normalize_user(text: str) -> str | None:
    """Normalize a user id: a number, or a name of letters, digits, dot, hyphen and underscore.

    >>> normalize_user(" 074 "), normalize_user("74.0"), normalize_user("guest"), normalize_user("a/b")
    ('74', '74', 'guest', None)
    """
    text = text.strip()
    number = _NUMBER.fullmatch(text)
    if number:
        return number[1]
    return text if _NAME.fullmatch(text) and text.strip(".") else None


def normalize_time(text: str) -> str | None:
    """Normalize a time to YYYYMMDD_HHMMSS; None if `text` is not exactly one moment to the second.

    >>> [normalize_time(text) for text in ("2025-03-10 08:15:30", "20250310081530", "20251310_081530")]
    ['20250310_081530', '20250310_081530', None]
    """
    match = _TIME.fullmatch(text.strip())
    if not match:
        return None
    year, month, day, hour, minute, second = (match[group] for group in (1, 3, 4, 5, 7, 8))
    try:
        moment = datetime(int(year), int(month), int(day), int(hour), int(minute), int(second))
    except ValueError:
        return None
    if moment.year < FIRST_YEAR:
        return None
    return f"{year}{month}{day}_{hour}{minute}{second}"


def find_intent_fault(text: str) -> str | None:
    """The reason why a text is no intent, as the end of "expected an intent, got ..."; None if it is one.

    >>> find_intent_fault("\u200b "), find_intent_fault("打开微信"), find_intent_fault("x" * 90_000)
    ('no letter that can be seen', None, '90000 characters, of at most 50000')
    """
    if len(text) > LONGEST_INTENT:
        return f"{len(text)} characters, of at most {LONGEST_INTENT}"
    if text.strip() and not any(letter.isalnum() for letter in text if not is_unseen(letter)):
        return "no letter that can be seen"
    return None


def plain_key(text: str) -> str:
    """Normalize the name of a column or field: lower case without space, underscore and hyphen.

    >>> plain_key(" intent_Description")
    'intentdescription'
    """
    return re.sub(r"[\s_\-\ufeff]", "", text).lower()


def normalize_text(text: str) -> str:
    r"""Replace lone surrogates by U+FFFD, so that UTF-8 can encode the text.

    >>> normalize_text("住\ud800所")
    '住�所'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
