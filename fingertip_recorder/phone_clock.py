"""The clock of a phone: its date and time of day, by which a person's days are counted."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from execution_runner.devices.adb_client import AdbClient
from fingertip_dataset.errors import DeviceError
from fingertip_dataset.times import read_zone

_LINE = "date '+%s.%N %z'; getprop persist.sys.timezone"
_ANSWER = re.compile(r"(\d{1,11})\.(\d{9})?\S*\s+([+-])(\d\d)(\d\d)\s+(\S*)")
_HALF_SECOND = 0.5
"""Added to whole seconds where a phone prints no fractions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneClock:
    """Clock of a phone, read once; it goes on with this computer's monotonic clock.

    Attributes:
        ahead: Seconds since 1970 on the phone when this computer's monotonic clock was at 0.
        zone: Time zone of the phone.
    """

    ahead: float
    zone: tzinfo

    def now(self) -> datetime:
        """The present moment by the phone, in its time zone."""
        return self.at(time.monotonic())

    def at(self, monotonic: float) -> datetime:
        """Moment by the phone at a time of this computer's monotonic clock, seconds.

        >>> PhoneClock(ahead=1741566600.0, zone=UTC).at(0.5).isoformat()
        '2025-03-10T00:30:00.500000+00:00'
        """
        return datetime.fromtimestamp(self.ahead + monotonic, UTC).astimezone(self.zone)


def read_phone_clock(client: AdbClient) -> PhoneClock:
    """Read a phone's clock and time zone over adb, with an error below the time of one command.

    Raises:
        DeviceError: The phone cannot be reached, or does not tell its time.
    """
    began = time.monotonic()
    output = client.run("shell", _LINE).stdout.decode(errors="replace")
    middle = (began + time.monotonic()) / 2
    found = _ANSWER.search(output)
    if found is None:
        raise DeviceError(
            f"{client.serial} did not tell its time, but said {' '.join(output.split())[:80]!r}"
        )
    seconds = int(found[1]) + (int(found[2]) / 1e9 if found[2] else _HALF_SECOND)
    return PhoneClock(ahead=seconds - middle, zone=_read_zone(found))


def _read_zone(found: re.Match[str]) -> tzinfo:
    """Zone by its name, which knows changes of the clock; else the offset that is in force now."""
    try:
        return read_zone(found[6])
    except ValueError:
        offset = timedelta(hours=int(found[4]), minutes=int(found[5]))
        return timezone(-offset if found[3] == "-" else offset)
