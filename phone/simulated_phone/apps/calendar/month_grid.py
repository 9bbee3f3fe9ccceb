"""Widgets that show the calendar's months, one cell per day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from simulated_phone.goals.app_definition import PageView
from simulated_phone.language.formats import month_of_year, weekday_letter
from simulated_phone.language.language import messages
from simulated_phone.screens.layouts.layout import GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import Heading
from simulated_phone.screens.layouts.widgets import TEXT, Text, Widget
from simulated_phone.screens.nodes import ActionRef, Fill, Mark, Node, PixelBox, Words, action_ref
from simulated_phone.screens.theme import GREY, INK, RED, WHITE, Theme

from .data import MONTHS, day_words

_ = messages(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCell:
    """A day of a month: its number, a disc if it is today or chosen, a dot if it has events."""

    day: date | None
    tap: ActionRef | None = None
    busy: bool = False
    today: bool = False
    chosen: bool = False

    def height(self, width: int, look: Theme) -> int:
        """Height in px of a cell that is large enough to tap."""
        return look.px(50)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Lay out the number above the dot; an empty node before the first of the month."""
        if self.day is None:
            return Node(box=box, kind="android.view.View")
        disc = PixelBox(box.left, box.top + look.px(3), box.right, box.top + look.px(37))
        disc = disc.middle(disc.height, disc.height)
        weekend = GREY if self.day.weekday() > 4 else INK
        color = WHITE if self.today else look.ink(look.accent if self.chosen else weekend)
        marks: list[Mark] = []
        if self.today or self.chosen:
            plate = look.plate(look.accent) if self.today else look.tint(look.accent)
            marks.append(Fill(box=disc, color=plate, radius=disc.height // 2))
        size = look.px(17)
        marks.append(
            Words(box=disc, text=str(self.day.day), size=size, color=color, align="center", bold=self.today)
        )
        if self.busy:
            low = PixelBox(box.left, disc.bottom, box.right, disc.bottom + look.px(8)).middle(
                look.px(5), look.px(5)
            )
            marks.append(Fill(box=low, color=look.ink(RED), radius=low.height // 2))
        words = day_words(self.day)
        text = str(self.day.day)
        return Node(box=box, kind=TEXT, text=text, description=words, tap=self.tap, marks=tuple(marks))


def list_months(view: PageView, name: str, chosen: str = "") -> list[Widget]:
    """Widgets of the months from the current one on; a tap on a day calls the handler `name` with `day`."""
    busy = {event["day"] for event in view.state["events"]}
    first, today = view.minute.date().replace(day=1), view.minute.date()
    parts: list[Widget] = []
    for _unused in range(MONTHS):
        after = (first + timedelta(days=32)).replace(day=1)
        days = [first + timedelta(days=ahead) for ahead in range((after - first).days)]
        cells = [DayCell(day=None)] * first.weekday()
        cells += [
            DayCell(
                day=day,
                tap=action_ref(name, day=day.isoformat()),
                busy=day.isoformat() in busy,
                today=day == today,
                chosen=day.isoformat() == chosen,
            )
            for day in days
        ]
        parts += [Heading(month_of_year(_, first)), GridLayout(cells, 7, gap=0, pad=8)]
        first = after
    return parts


def weekdays() -> RowLayout:
    """The weekday names above a month's columns."""
    weekdays = [weekday_letter(_, day) for day in range(7)]
    names: Sequence[Widget] = [Text(name, size=13, color=GREY, align="center") for name in weekdays]
    return RowLayout(names, gap=0, pad=8)
