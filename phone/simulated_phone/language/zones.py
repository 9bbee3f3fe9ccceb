"""Time zones of phones and people, by their names in the IANA database."""

from __future__ import annotations

from datetime import timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from simulated_phone.phone_errors import PhoneSetupError

BEIJING = timezone(timedelta(hours=8))
CHINA = "Asia/Shanghai"
"""Zone of a phone unless another is given."""


@cache
def find_zone(name: str) -> tzinfo:
    """Return a time zone.

    Raises:
        PhoneSetupError: There is no zone of that name.

    >>> find_zone("Asia/Shanghai") is BEIJING
    True
    """
    if name == CHINA:
        return BEIJING
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        raise PhoneSetupError(
            f"there is no time zone {name[:60]!r}: expected an IANA name such as Asia/Shanghai, "
            "Europe/Berlin or America/New_York"
        ) from None
