"""Composition of a phone's screen from its state: the top surface, the bars, keyboard and toast."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simulated_phone import system
from simulated_phone.machine.app_stacks import SYSTEM_UI
from simulated_phone.machine.fault_overlays import build_notification
from simulated_phone.machine.faults import BLACK_PAYMENT_SCREEN
from simulated_phone.machine.machine import Machine
from simulated_phone.machine.state import MINUTE_MS
from simulated_phone.screens import chrome
from simulated_phone.screens.layouts.feed import loading_until, scroll_at
from simulated_phone.screens.layouts.kept_layouts import KeptLayouts
from simulated_phone.screens.nodes import Node, PixelBox
from simulated_phone.screens.pages import (
    AppPage,
    Dialog,
    Surface,
    choose_page_ink,
    page_color,
    place_dialog,
    place_page,
    place_sheet,
)
from simulated_phone.screens.screen import DisplayedScreen, Window
from simulated_phone.screens.shown import Shown
from simulated_phone.screens.theme import PAPER, WHITE, Theme, mix_colors
from simulated_phone.touch.composing import find_typing
from simulated_phone.touch.pinyin import Typing


def compose(phone: Machine, layouts: KeptLayouts | None = None) -> Shown:
    """Lay out the phone's current screen.

    Args:
        phone: The phone.
        layouts: Pages laid out before; what is equal on them is not laid out again.
    """
    layouts = KeptLayouts() if layouts is None else layouts
    layers = phone.tasks.layers()
    package, entry = layers[-1]
    since, phone.time_read = phone.data["now"], False
    surface = system.surface(phone, package, entry)
    if not phone.screen_on:
        dark = DisplayedScreen(size=phone.size, rotation=phone.rotation, windows=(), black=True)
        return Shown(
            screen=dark,
            surface=surface,
            package=package,
            entry=entry,
            focus=None,
            root=None,
            since=since,
            until=_find_end(phone, entry),
        )
    theme = _make_theme(phone, package, entry)
    frame, inner = PixelBox(0, 0, *phone.size), _find_inner(phone)
    room = inner
    typed = find_typing(phone, entry) if entry["focus"] is not None else None
    if entry["focus"] is not None:
        high = chrome.keyboard_height(inner, theme, candidates=bool(typed and typed.letters))
        room = inner._replace(bottom=inner.bottom - high)
    top = _place_kept(layouts, (package, entry["page"]), surface, room, theme, keyboard=room != inner)
    focus = None
    if entry["focus"] is not None:
        focus = next((node for node in top.walk() if node.focused), None)
    windows, page = _place_behind(phone, layers, surface, inner, layouts)
    secure = page.secure and BLACK_PAYMENT_SCREEN in phone.faults
    # a dialog over such a page is a window of its own, and not protected
    windows = [replace(window, protected=secure) for window in windows]
    windows.append(Window(package=package, root=top, protected=secure and not windows))
    if focus and focus.entry:
        windows.append(_place_keyboard(phone, focus, inner._replace(top=room.bottom), theme, typed))
    windows += _place_bars(phone, frame, surface, page, keyboard=focus is not None)
    if phone.tasks.notified:
        windows.append(Window(package=SYSTEM_UI, root=_place_notification(phone, inner), chrome=True))
    if phone.toast:
        message = chrome.place_toast(room, phone.toast, theme)
        windows.append(Window(package=package, root=message, passing=True))
    screen = DisplayedScreen(size=phone.size, rotation=phone.rotation, windows=tuple(windows))
    return Shown(
        screen=screen,
        surface=surface,
        package=package,
        entry=entry,
        focus=focus,
        root=top,
        since=since,
        until=_find_end(phone, entry),
    )


def _find_end(phone: Machine, entry: dict[str, Any]) -> int:
    """The simulated time, ms, at which the screen may change by itself."""
    now: int = phone.data["now"]
    passing = (phone.data.get(name, 0) > now for name in ("loading_until", "splash_until", "notified_until"))
    if phone.time_read or phone.faults or any(passing):
        return now
    ends: list[int] = [phone.data["toast"]["until"]] if phone.data["toast"] else []
    # the status bar shows minutes
    ends.append((now // MINUTE_MS + 1) * MINUTE_MS)
    ends += loading_until(entry["scroll"], now)
    return min(end for end in ends if end > now)


def _find_inner(phone: Machine) -> PixelBox:
    """The display between the bars."""
    frame, theme = PixelBox(0, 0, *phone.size), Theme(density=phone.density)
    skin = phone.skin
    return frame._replace(top=theme.px(skin.status), bottom=frame.bottom - theme.px(skin.navigation))


def _make_theme(phone: Machine, package: str, entry: dict[str, Any]) -> Theme:
    app = phone.apps.get(package)
    return Theme(
        density=phone.density,
        accent=app.color if app else "#2f6fed",
        skin=phone.skin,
        fields=entry["fields"],
        focus=entry["focus"],
        scroll=scroll_at(entry["scroll"], phone.data["now"]),
    )


def _place_kept(
    layouts: KeptLayouts,
    name: tuple[str, str],
    surface: Surface,
    room: PixelBox,
    theme: Theme,
    *,
    keyboard: bool,
) -> Node:
    root = layouts.find(name, surface, room, theme)
    if root is None:
        theme = layouts.prepare(name, theme)
        root = _place(surface, room, theme, keyboard=keyboard)
        layouts.keep(name, surface, room, theme, root)
    return root


def _place(surface: Surface, room: PixelBox, theme: Theme, *, keyboard: bool) -> Node:
    if isinstance(surface, AppPage):
        return place_page(surface, room, theme, keyboard=keyboard, status=room.top)
    if isinstance(surface, Dialog):
        return place_dialog(surface, room, theme)
    return place_sheet(surface, room, theme)


def _place_behind(
    phone: Machine,
    layers: list[tuple[str, dict[str, Any]]],
    surface: Surface,
    inner: PixelBox,
    layouts: KeptLayouts,
) -> tuple[list[Window], AppPage]:
    """The window of the page under a dialog or sheet, and the page that sets the colours of the bars."""
    if isinstance(surface, AppPage):
        return [], surface
    found = _place_page_below(phone, layers, inner, layouts)
    if found is None:
        return [], AppPage()
    package, below, root = found
    return [Window(package=package, root=root, behind=True)], below


def _place_page_below(
    phone: Machine, layers: list[tuple[str, dict[str, Any]]], inner: PixelBox, layouts: KeptLayouts
) -> tuple[str, AppPage, Node] | None:
    """Package, surface and laid-out root of the topmost page under the top layer; None if there is none."""
    for package, entry in reversed(layers[:-1]):
        below = system.surface(phone, package, entry)
        if isinstance(below, AppPage):
            theme = _make_theme(phone, package, entry | {"focus": None})
            name = (package, f"{entry['page']} behind")
            root = _place_kept(layouts, name, below, inner, theme, keyboard=False)
            return package, below, root
    return None


def place_covered_page(phone: Machine, layouts: KeptLayouts) -> Node | None:
    """The laid-out page under the shown one, if both are pages of one app."""
    layers = phone.tasks.layers()
    if len({package for package, _ in layers}) > 1 or not isinstance(phone.shown().surface, AppPage):
        return None
    found = _place_page_below(phone, layers, _find_inner(phone), layouts)
    return found[2] if found else None


def _place_notification(phone: Machine, inner: PixelBox) -> Node:
    theme = Theme(density=phone.density, skin=phone.skin)
    card = build_notification(phone)
    side = theme.px(8)
    width = inner.width - 2 * side
    left, top = inner.left + side, inner.top + theme.px(4)
    return card.place(PixelBox(left, top, left + width, top + card.height(width, theme)), theme)


def _place_keyboard(phone: Machine, focus: Node, box: PixelBox, theme: Theme, typed: Typing | None) -> Window:
    assert focus.entry is not None  # noqa: S101 - it is a text field
    if typed is not None and focus.password:
        typed = Typing(latin=True)
    root = chrome.place_keyboard(box, focus.entry, theme, shifted=phone.data["shift"], typed=typed)
    return Window(package=phone.current_ime.partition("/")[0], root=root, chrome=True)


def _place_bars(
    phone: Machine, frame: PixelBox, surface: Surface, page: AppPage, *, keyboard: bool
) -> list[Window]:
    skin = phone.skin
    theme = Theme(density=phone.density, skin=skin)
    top = frame._replace(bottom=theme.px(skin.status))
    low = frame._replace(top=frame.bottom - theme.px(skin.navigation))
    over = not isinstance(surface, AppPage)
    color, dark = theme.plate(page_color(page)), page.dark
    if (page.tabs or page.footer) and isinstance(page.background, str) and not dark:
        color = theme.plate(PAPER)
    if over:
        dark = isinstance(surface, Dialog)
        color = mix_colors(color, "#000000", 0.55) if dark else theme.plate(PAPER)
    if keyboard:
        color, dark = theme.plate("keyboard"), False
    status = chrome.status_bar(top, phone.signals, theme, ink=WHITE if over else choose_page_ink(page, theme))
    navigation = chrome.navigation_bar(low, color, theme, dark=dark)
    return [Window(package=SYSTEM_UI, root=root, chrome=True) for root in (status, navigation)]
