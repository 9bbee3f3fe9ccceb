"""User ids, times and column names as files spell them, and as the release does.

Only spellings that can mean one thing are read; everything else is for the caller to refuse.
"""

from __future__ import annotations

import re
from datetime import datetime

FIRST_YEAR = 1970
"""No screenshot's epoch milliseconds lie before it."""

_NUMBER = re.compile(r"0*([0-9]{1,18})(\.0+)?", re.ASCII)
_NAME = re.compile(r"[\w.\-]{1,64}")
_TIME = re.compile(
    r"([0-9]{4})([-/.]?)([0-9]{2})\2([0-9]{2})[-_ T]?([0-9]{2})([-:.]?)([0-9]{2})\6([0-9]{2})(\.0+)?"
)


def plain_user(text: str) -> str | None:
    """The user id that `text` spells: a number, or a name of letters, digits, dot, hyphen and underscore.

    >>> plain_user(" 074 "), plain_user("74.0"), plain_user("guest"), plain_user("a/b")
    ('74', '74', 'guest', None)
    """
    text = text.strip()
    number = _NUMBER.fullmatch(text)
    if number:
        return number[1]
    return text if _NAME.fullmatch(text) and text.strip(".") else None


def plain_time(text: str) -> str | None:
    """YYYYMMDD_HHMMSS for what spells exactly one moment to the second, else None.

    >>> plain_time("2025-03-10 08:15:30"), plain_time("20250310081530"), plain_time("20251310_081530")
    ('20250310_081530', '20250310_081530', None)
    """
    found = _TIME.fullmatch(text.strip())
    if not found:
        return None
    year, month, day, hour, minute, second = (found[group] for group in (1, 3, 4, 5, 7, 8))
    try:
        moment = datetime(int(year), int(month), int(day), int(hour), int(minute), int(second))
    except ValueError:
        return None
    if moment.year < FIRST_YEAR:
        return None
    return f"{year}{month}{day}_{hour}{minute}{second}"


def plain_key(text: str) -> str:
    """A column's or field's name without case, space, underscore and hyphen.

    >>> plain_key(" intent_Description")
    'intentdescription'
    """
    return re.sub(r"[\s_\-\ufeff]", "", text).lower()


def plain_text(text: str) -> str:
    r"""Text that UTF-8 can hold: a lone surrogate becomes U+FFFD.

    >>> plain_text("住\ud800所")
    '住�所'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
