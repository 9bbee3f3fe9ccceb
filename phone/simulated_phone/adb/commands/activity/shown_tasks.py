"""Tasks of Android: one for each opened app, with an id that it keeps; the shown one comes first."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulated_phone.adb.commands.activity.intents import full_name

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

_FIRST_ID, _IDS = 100, 900


@dataclass(frozen=True, slots=True, kw_only=True)
class AndroidTask:
    """A task of an app.

    Attributes:
        number: Its id, a function of the package.
        package: Package of its app.
        activity: The activity on its top, as in a component: "com.a.b" or ".B".
        visible: Whether it is shown.
    """

    number: int
    package: str
    activity: str
    visible: bool

    @property
    def component(self) -> str:
        """`package/activity`."""
        return f"{self.package}/{self.activity}"

    @property
    def full_component(self) -> str:
        """`package/activity` with the activity's whole name."""
        return f"{self.package}/{full_name(self.package, self.activity)}"

    @property
    def record(self) -> str:
        """The record of its activity, as `dumpsys activity` prints it."""
        return f"ActivityRecord{{5c0ffee u0 {self.component} t{self.number}}}"


def list_tasks(phone: Phone) -> list[AndroidTask]:
    """The tasks, the shown one first; the panel of the system and a permission dialog count as shown."""
    package, activity = phone.foreground
    names = dict.fromkeys((package, *(task["package"] for task in phone.data["tasks"])))
    return [
        AndroidTask(
            number=_FIRST_ID + zlib.crc32(name.encode()) % _IDS,
            package=name,
            activity=activity if name == package else phone.activity_of(name) or activity,
            visible=name == package,
        )
        for name in names
    ]
