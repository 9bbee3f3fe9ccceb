"""Reminders to record an episode: when the screen of the phone wakes, or after hours without one.

The paper's app may remind a person when they wake the screen, so that they do not forget (section 4.2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from execution_runner.devices.adb_client import AdbClient
from fingertip_dataset.errors import DeviceError, UsageError

WAKE_PAUSE = timedelta(minutes=30)
"""Least time between a reminder or an episode and a reminder that the screen wakes: people wake it often."""

TAG = "fingertip-record"
"""Tag of the notification on the phone: a later one takes the place of an earlier one."""

DAY_MINUTES = 24 * 60
_WAKEFULNESS = re.compile(r"\bmWakefulness=(\w+)")
_HOURS = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)\s*h")
_RANGE = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-4]):([0-5]\d)")
_ASLEEP = frozenset({"Asleep", "Dozing"})


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietHours:
    """Times of day without reminders.

    Attributes:
        ranges: Begin and end of each, minutes since midnight; an end before its begin is on the next day.
    """

    ranges: tuple[tuple[int, int], ...] = ()

    def contains(self, moment: time) -> bool:
        """Whether a time of day is quiet; the end of a range is not.

        >>> night = read_quiet_hours(["22:00-08:00"])
        >>> [night.contains(time(hour)) for hour in (21, 22, 0, 7, 8)]
        [False, True, True, True, False]
        """
        return any(_covers(span, moment.hour * 60 + moment.minute) for span in self.ranges)


def _covers(span: tuple[int, int], minute: int) -> bool:
    begin, end = span
    return begin <= minute < end if begin < end else minute >= begin or minute < end


def read_quiet_hours(texts: Sequence[str]) -> QuietHours:
    """Parse quiet hours, each written HH:MM-HH:MM.

    Raises:
        UsageError: One is written otherwise or has no length, or all together they leave no minute of a day.
    """
    ranges = []
    for text in texts:
        found = _RANGE.fullmatch(text.strip())
        begin, end = (
            (int(found[1]) * 60 + int(found[2]), int(found[3]) * 60 + int(found[4])) if found else (0, -1)
        )
        if found is None or end > DAY_MINUTES:
            raise UsageError(f"expected quiet hours as HH:MM-HH:MM, such as 22:00-08:00, got {text[:40]!r}")
        if begin == end:
            raise UsageError(f"expected quiet hours that end at another time than they begin, got {text!r}")
        ranges.append((begin, end))
    if ranges and all(any(_covers(span, minute) for span in ranges) for minute in range(DAY_MINUTES)):
        raise UsageError(f"the quiet hours {', '.join(texts)} cover the whole day: no reminder would come")
    return QuietHours(ranges=tuple(ranges))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderRules:
    """Occasions of a reminder.

    Attributes:
        on_wake: Whether one comes when the screen wakes, at most one in `WAKE_PAUSE`.
        after: Time without an episode after which one comes, again and again; None for none.
        quiet: Times of day without reminders.
    """

    on_wake: bool = False
    after: timedelta | None = None
    quiet: QuietHours = QuietHours()


def read_reminder_rules(occasions: Sequence[str], quiet: Sequence[str]) -> ReminderRules:
    """Parse the occasions of reminders, each "wake" or a number of hours such as "4h", and quiet hours.

    Raises:
        UsageError: One is written otherwise, or the quiet hours cannot be used.

    >>> read_reminder_rules(["wake", "1.5h"], []).after
    datetime.timedelta(seconds=5400)
    """
    after: list[timedelta] = []
    for occasion in occasions:
        found = _HOURS.fullmatch(occasion.strip())
        if occasion != "wake" and (found is None or not float(found[1])):
            raise UsageError(f"expected wake, or hours such as 4h, got {occasion[:40]!r}")
        if found is not None:
            after.append(timedelta(hours=float(found[1])))
    return ReminderRules(
        on_wake="wake" in occasions, after=min(after, default=None), quiet=read_quiet_hours(quiet)
    )


class Reminders:
    """Decides when a person is reminded, from what the phone tells now and then.

    Args:
        rules: Occasions.
        latest: Moment of the person's latest episode, or of the beginning if there is none.
    """

    def __init__(self, rules: ReminderRules, latest: datetime) -> None:
        self._rules = rules
        self._latest = self._reminded = latest
        self._awake: bool | None = None

    def count_episode(self, moment: datetime) -> None:
        """Note that an episode was recorded: the time until the next reminder begins anew."""
        self._latest = self._reminded = moment

    def find_reason(self, now: datetime, awake: bool | None) -> str:
        """Return why the person is reminded now, in words; "" for no reminder.

        Args:
            now: The present moment by the phone, in its time zone.
            awake: Whether its screen is on; None if it does not tell.
        """
        woken = self._awake is False and awake is True
        self._awake = self._awake if awake is None else awake
        if self._rules.quiet.contains(now.time()):
            return ""
        passed = now - self._reminded
        reason = ""
        if self._rules.after is not None and passed >= self._rules.after:
            reason = f"no episode for {_describe_hours(now - self._latest)}"
        elif self._rules.on_wake and woken and passed >= WAKE_PAUSE:
            reason = "the screen came on"
        if reason:
            self._reminded = now
        return reason


def _describe_hours(passed: timedelta) -> str:
    """Hours with one decimal.

    >>> _describe_hours(timedelta(hours=4, minutes=30)), _describe_hours(timedelta(hours=4, seconds=5))
    ('4.5 h', '4 h')
    """
    return f"{passed / timedelta(hours=1):.1f}".removesuffix(".0") + " h"


def read_awake(client: AdbClient) -> bool | None:
    """Whether the phone's screen is on; None if the phone does not tell.

    The phone itself searches the long output of `dumpsys power`, so that a poll sends one line.

    Raises:
        DeviceError: The phone cannot be reached.
    """
    done = client.run("shell", "dumpsys power | grep mWakefulness=")
    found = _WAKEFULNESS.search(done.stdout.decode(errors="replace"))
    return None if found is None else found[1] not in _ASLEEP


def post_notification(client: AdbClient, title: str, text: str) -> None:
    """Put a notification on the phone, in place of an earlier one; from Android 10 on.

    Raises:
        DeviceError: The phone cannot be reached, or does not take it.
    """
    try:
        reply = client.shell("cmd", "notification", "post", "-S", "bigtext", "-t", title, TAG, text)
    except DeviceError as error:
        raise DeviceError(f"the phone takes no notifications of a computer: {error.message}") from None
    if "posting:" not in reply:
        raise DeviceError(
            f"the phone takes no notifications of a computer, it said {' '.join(reply.split())[:120]!r}"
        )
