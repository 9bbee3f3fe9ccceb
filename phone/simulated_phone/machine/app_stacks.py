"""Navigation: apps and their back stacks, home, recent apps, and overlays over an app."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from simulated_phone.goals.app_definition import App
from simulated_phone.machine.faults import NOTIFICATION, OVERLAYS, SIGNED_IN, SLOW_LOADING, SLOW_SPLASH
from simulated_phone.machine.state import Data, new_entry
from simulated_phone.screens.nodes import ActionValue

SYSTEM_UI = "com.android.systemui"
PERMISSION_CONTROLLER = "com.android.permissioncontroller"
SYSTEM_ACTIVITIES: Mapping[str, str] = MappingProxyType(
    {SYSTEM_UI: ".SystemUI", PERMISSION_CONTROLLER: ".permission.ui.GrantPermissionsActivity"}
)
"""Activity of each of the system's own windows, by package."""

MAX_NOTICES = 4
"""Number of notifications that the shade keeps."""

MAX_POSTED = 4
"""Number of notifications from a host that the shade keeps."""

LOADING_MS = 3000
MAX_PAGES = 12
"""Largest number of pages on an app's stack; beyond it the oldest page above the first is dropped."""

_PERMISSION_PAGES = frozenset(overlay.page for overlay in OVERLAYS.values() if overlay.permission)
_REQUIRED_PAGES = frozenset(overlay.page for overlay in OVERLAYS.values() if overlay.required)


class StackOwner(Protocol):
    """Phone as its back stacks see it.

    `Machine` has all of it; a protocol, because `Machine` imports this module.
    """

    apps: Mapping[str, App]
    launcher: App
    data: Data

    @property
    def faults(self) -> frozenset[str]:
        """Names of the faults that are on."""

    def fault_seconds(self, name: str) -> float:
        """Seconds of a fault that is on; 0 for one that is off or without a duration."""

    def log_fact(self, app: str, name: str, arguments: Mapping[str, ActionValue]) -> None:
        """Record that something happened."""


class Tasks:
    """The open apps of a phone, the most recently used first; the launcher lies under them all."""

    def __init__(self, phone: StackOwner) -> None:
        self._phone = phone

    @property
    def _data(self) -> Data:
        return self._phone.data

    @property
    def stack(self) -> list[Data]:
        """The pages of the app in front, the shown one last."""
        if self._data["front"] == self._phone.launcher.package:
            found: list[Data] = self._data["home"]
            return found
        pages: list[Data] = self._data["tasks"][0]["stack"]
        return pages

    def layers(self) -> list[tuple[str, Data]]:
        """All layers as (package, page entry), the topmost last."""
        if self._data["locked"]:
            return [(SYSTEM_UI, new_entry("android.lock"))]
        if self._data["panel"] is not None:
            return [(SYSTEM_UI, self._data["panel"])]
        front = self._data["front"]
        found = [(front, entry) for entry in self.stack]
        for entry in self._data["overlays"]:
            asks = entry["page"] in _PERMISSION_PAGES
            found.append((PERMISSION_CONTROLLER if asks else front, entry))
        return found

    @property
    def loading(self) -> bool:
        """Whether the page in front is still loading."""
        return bool(self._data["now"] < self._data["loading_until"])

    @property
    def moving_ms(self) -> int:
        """Simulated time for which the screen still shows that its app starts or loads; 0 if covered."""
        data = self._data
        left: int = max(data["loading_until"], data.get("splash_until", 0)) - data["now"]
        return left if left > 0 and self.layers()[-1][1] is self.stack[-1] else 0

    @property
    def splash_seconds(self) -> int:
        """Whole seconds, rounded up, that the app in front still shows its splash screen; 0 for none."""
        left: int = self._data.get("splash_until", 0) - self._data["now"]
        return max(0, -(-left // 1000))

    @property
    def notified(self) -> bool:
        """Whether a notification covers the top of the screen."""
        shown: bool = self._data["now"] < self._data.get("notified_until", 0)
        return shown and not self._data["locked"] and self._data["panel"] is None

    @property
    def notices(self) -> list[str]:
        """Packages of the apps over which a notification came that is still in the shade."""
        found: list[str] = self._data.get("notices", [])
        return found

    def clear_notices(self, package: str = "") -> None:
        """Remove from the shade what came over an app, or all."""
        left = [name for name in self.notices if package and name != package]
        self._data.pop("notices", None)
        if left:
            self._data["notices"] = left

    @property
    def posted(self) -> dict[str, list[str]]:
        """Tag -> title and text of the notifications that a host has posted and nobody has cleared."""
        found: dict[str, list[str]] = self._data.get("posted", {})
        return found

    def post_notification(self, tag: str, title: str, text: str) -> None:
        """Put a notification into the shade, in place of an earlier one of the same tag."""
        kept = [(name, words) for name, words in self.posted.items() if name != tag]
        self._data["posted"] = {**dict(kept[-(MAX_POSTED - 1) :]), tag: [title, text]}

    def clear_posted(self) -> None:
        """Remove from the shade all that a host has posted."""
        self._data.pop("posted", None)

    def dismiss_notification(self) -> None:
        """Take the notification from the top of the screen."""
        self._data.pop("notified_until", None)

    @property
    def depth(self) -> int:
        """Number of pages on the stack of the app in front."""
        return len(self.stack)

    def push(self, page: str, arguments: Mapping[str, ActionValue]) -> None:
        """Open a page of the app in front over the shown one."""
        self.stack.append(new_entry(page, arguments))
        if len(self.stack) > MAX_PAGES:
            # the first page stays, so that back still ends at the app's home page
            del self.stack[1]
        self._load()

    def pop(self) -> None:
        """Close the shown page of the app in front, unless it is its only one."""
        if len(self.stack) > 1:
            self.stack.pop()

    def root(self, page: str, arguments: Mapping[str, ActionValue]) -> None:
        """Replace the stack of the app in front by one page."""
        self.stack[:] = [new_entry(page, arguments)]
        self._load()

    def _load(self) -> None:
        slow = SLOW_LOADING in self._phone.faults and self._data["front"] != self._phone.launcher.package
        self._data["loading_until"] = self._data["now"] + LOADING_MS if slow else 0

    def back(self) -> None:
        """The back key: close the keyboard, else the topmost layer, else leave the app."""
        top = self.layers()[-1][1]
        if self._data["locked"]:
            return
        # as on Android, back closes the keyboard first
        if top["focus"] is not None:
            top["focus"] = None
            top.pop("typing", None)
        elif self._data["panel"] is not None:
            self._data["panel"] = None
        elif self._data["overlays"]:
            if self._data["overlays"][-1]["page"] in _REQUIRED_PAGES:
                self.home()
            else:
                self._data["overlays"].pop()
        elif len(self.stack) > 1:
            self.stack.pop()
            # the page below has been loaded before
            self._data["loading_until"] = 0
        else:
            self.home()

    def home(self) -> None:
        """The home key: the launcher's first page."""
        if not self._data["locked"]:
            self._show_launcher()

    def _show_launcher(self) -> None:
        launcher = self._phone.launcher
        self._data.update(panel=None, overlays=[], front=launcher.package, loading_until=0)
        self._data.pop("splash_until", None)
        self._data["home"] = [new_entry(launcher.home)]

    def show_panel(self, name: str) -> None:
        """Open "recents" or "quick" over everything; recents again closes it."""
        page = f"android.{name}"
        if self._data["locked"]:
            return
        shown = self._data["panel"]
        self._data["panel"] = None if shown and shown["page"] == page else new_entry(page)

    def open(
        self, package: str, page: str | None = None, arguments: Mapping[str, ActionValue] | None = None
    ) -> None:
        """Bring an app to the front as it was left, or on a page of it with its first page below."""
        self._data["panel"], self._data["overlays"] = None, []
        if package == self._phone.launcher.package:
            self.home()
            return
        app = self._phone.apps[package]
        tasks = self._data["tasks"]
        task = next((task for task in tasks if task["package"] == package), None)
        self._data.pop("splash_until", None)
        if task is None:
            task = {"package": package, "stack": [new_entry(app.home)]}
            if SLOW_SPLASH in self._phone.faults:
                shown_ms = round(self._phone.fault_seconds(SLOW_SPLASH) * 1000)
                self._data["splash_until"] = self._data["now"] + shown_ms
        else:
            tasks.remove(task)
        if page is not None:
            task["stack"] = [new_entry(app.home)]
            if page != app.home or arguments:
                task["stack"].append(new_entry(page, arguments))
        tasks.insert(0, task)
        self._data["front"] = package
        self._add_overlays(package)
        if NOTIFICATION in self._phone.faults:
            shown_ms = round(self._phone.fault_seconds(NOTIFICATION) * 1000)
            self._data["notified_until"] = self._data["now"] + shown_ms
            # it stays in the shade, once an app, the latest first
            kept = [name for name in self.notices if name != package]
            self._data["notices"] = [package, *kept][:MAX_NOTICES]
        self._load()
        self._phone.log_fact("android", "opened", {"package": package})

    def _add_overlays(self, package: str) -> None:
        # the last one added is on top
        for fault, overlay in reversed(tuple(OVERLAYS.items())):
            mark = f"{overlay.page.removeprefix('android.')}:{package}"
            if overlay.required:
                mark = f"{SIGNED_IN}{package}"
            # a permission is asked for once an app, signing in until it is done, all else at every start
            if fault in self._phone.faults and mark not in self._data["asked"]:
                self._data["overlays"].append(new_entry(overlay.page))
                if overlay.permission:
                    self._data["asked"].append(mark)

    def close(self, package: str) -> None:
        """Remove an app from the recent ones; in front, it gives way to the launcher."""
        if self._data["front"] == package:
            panel = self._data["panel"]
            # under the lock screen too, where no key would lead home
            self._show_launcher()
            # closed from the recent apps, which stay open
            self._data["panel"] = panel
        self._data["tasks"] = [task for task in self._data["tasks"] if task["package"] != package]

    def close_all(self) -> None:
        """Remove all recent apps and show the launcher."""
        self._show_launcher()
        self._data["tasks"] = []

    def leave_open(self) -> None:
        """Open every app once, so that each is among the recent ones and one is in front."""
        for package in sorted(self._phone.apps.keys() - {self._phone.launcher.package}):
            home = new_entry(self._phone.apps[package].home)
            self._data["tasks"].insert(0, {"package": package, "stack": [home]})
            self._data["front"] = package
