"""Wheel pickers for a time, a date or a number: columns whose values are arguments of the page.

A page shows `time_picker(chosen(view, TIME))`, a handler reads `picked(context, TIME)`: both know a value
that was typed into a wheel. Turns change the page's arguments of the wheels' names.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from simulated_phone.goals.app_definition import PageView
from simulated_phone.language.formats import months
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.wheel_column import WheelColumn, WheelRow, field_of

_ = messages(__name__)

HOUR, MINUTE, MONTH, DAY = _("小时"), _("分钟"), _("月份"), _("日期")
"""Titles of wheels, by which strategies turn them (`SetWheel`)."""
HALF = _("上午/下午")
FORENOON, AFTERNOON = _("上午", "clock"), _("下午", "clock")
TWELVE = _("24小时制", "clock").startswith("12")
"""Whether the language's clocks have twelve hours, and a wheel for the half of the day."""
LEAP_YEAR = 2024


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """The values of a wheel.

    Args:
        name: The page's argument that has the chosen value.
        title: Its description.
        values: The values, in order.
        labels: What is shown for each.
        cycle: Labels come again after that many values; a typed one is then that of the same cycle.
        view_id: Resource id; that of the system's picker without one.
        room: Width, dp.
    """

    name: str
    title: str
    values: tuple[int, ...]
    labels: tuple[str, ...]
    cycle: int = 0
    view_id: str = ""
    room: float = 76

    def nearest(self, value: int) -> int:
        """The value nearest to a number."""
        return min(self.values, key=lambda one: abs(one - value))

    def typed(self, text: str, now: int) -> int:
        """The value that a text means: a label, or a number ("7", "07"); `now` for one that means none."""
        clean = text.strip().casefold()
        plain = clean.lstrip("0") or "0"
        found = [
            value
            for value, label in zip(self.values, self.labels, strict=True)
            if clean and (label.casefold() == clean or plain == (label.lstrip("0") or "0"))
        ]
        if not found and not self.cycle:
            found = [value for value in self.values if clean and str(value) == plain]
        same = [value for value in found if self.cycle and value // self.cycle == now // self.cycle]
        return next(iter(same or found), now)

    def column(self, chosen: int) -> WheelColumn:
        """The wheel at a value."""
        return WheelColumn(
            self.name,
            title=self.title,
            values=self.values,
            labels=self.labels,
            chosen=self.values.index(chosen),
            # as Android's, which wraps if it has at least as many values as it shows
            wraps=len(self.values) >= 3,
            view_id=self.view_id or f"android:id/{self.name}",
            room=self.room,
        )


def make_number_wheel(
    name: str, title: str, values: Sequence[int], label: Callable[[int], str] = str, view_id: str = ""
) -> Wheel:
    """A wheel of numbers."""
    labels = tuple(label(value) for value in values)
    return Wheel(name=name, title=title, values=tuple(values), labels=labels, view_id=view_id)


def make_hour_wheel(hours: Sequence[int] = range(24)) -> Wheel:
    """The wheel "hour": 0-23, shown as the language's clocks show it."""
    if TWELVE:
        return replace(make_number_wheel("hour", HOUR, hours, lambda hour: str(hour % 12 or 12)), cycle=12)
    return make_number_wheel("hour", HOUR, hours, "{:02d}".format)


TIME = (make_hour_wheel(), make_number_wheel("minute", MINUTE, range(60), "{:02d}".format))
"""The wheels "hour" and "minute"."""


def make_date_wheels(month: int) -> tuple[Wheel, Wheel]:
    """The wheels "month" and "day" for a month, 1-12, which has as many days as in a leap year."""
    days = range(1, monthrange(LEAP_YEAR, month)[1] + 1)
    names = months(_)
    return (
        replace(make_number_wheel("month", MONTH, range(1, 13), lambda number: names[number - 1]), room=120),
        make_number_wheel("day", DAY, days),
    )


def chosen(view: PageView, wheels: Sequence[Wheel], **start: int) -> dict[str, int]:
    """The values of a page's wheels; `start` has those of arguments that the page was not opened with."""
    return _read_values({**start, **view.arguments}, lambda name: view.fields.get(name, ""), wheels)


def picked(context: HandlerContext, wheels: Sequence[Wheel], **start: int) -> dict[str, int]:
    """The values of the shown page's wheels, for a handler; arguments as of `chosen`."""
    return _read_values({**start, **context.arguments}, context.field, wheels)


def keep(context: HandlerContext, wheels: Sequence[Wheel], **start: int) -> None:
    """Make what was typed into the shown page's wheels its arguments; arguments as of `chosen`."""
    context.set(**picked(context, wheels, **start))
    for wheel in wheels:
        context.clear(field_of(wheel.name))


def chosen_date(view: PageView, start: date) -> dict[str, int]:
    """The values of a page's wheels of a date; `start` is what they begin at."""
    return _read_date(view.arguments, lambda name: view.fields.get(name, ""), start)


def picked_date(context: HandlerContext, start: date) -> dict[str, int]:
    """The values of the shown page's wheels of a date, for a handler; `start` is what they begin at."""
    return _read_date(context.arguments, context.field, start)


def _read_date(arguments: Mapping[str, Any], field: Callable[[str], str], start: date) -> dict[str, int]:
    arguments = {"month": start.month, "day": start.day, **arguments}
    month = _read_values(arguments, field, make_date_wheels(start.month)[:1])["month"]
    # a shorter month ends before the day that was chosen in a longer one
    return _read_values(arguments, field, make_date_wheels(month))


def _read_values(
    arguments: Mapping[str, Any], field: Callable[[str], str], wheels: Sequence[Wheel]
) -> dict[str, int]:
    values = {}
    for wheel in wheels:
        now = wheel.nearest(arguments[wheel.name])
        values[wheel.name] = wheel.typed(field(field_of(wheel.name)), now)
    return values


def build_time_picker(values: Mapping[str, int], wheels: Sequence[Wheel] = TIME) -> WheelRow:
    """The wheels of a time at their values, one of them for the half of the day if clocks have 12 hours."""
    columns = [wheel.column(values[wheel.name]) for wheel in wheels]
    if TWELVE:
        hours = wheels[0].values
        halves = [half for half in (0, 12) if values["hour"] % 12 + half in hours]
        columns.append(
            WheelColumn(
                "hour",
                title=HALF,
                values=[values["hour"] % 12 + half for half in halves],
                labels=[AFTERNOON if half else FORENOON for half in halves],
                chosen=halves.index(values["hour"] // 12 * 12),
                wraps=False,
                typed=False,
                view_id="android:id/amPm",
            )
        )
    between = ":" if len(wheels) > 1 else ""
    return WheelRow(columns, kind="android.widget.TimePicker", view_id="time_picker", between=between)


def build_date_picker(values: Mapping[str, int]) -> WheelRow:
    """The wheels of a date at their values."""
    columns = [wheel.column(values[wheel.name]) for wheel in make_date_wheels(values["month"])]
    return WheelRow(columns, kind="android.widget.DatePicker", view_id="date_picker")
