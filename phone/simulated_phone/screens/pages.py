"""Surfaces of an app (page, dialog over a page, sheet from the bottom) and their layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeAlias

from simulated_phone.language.language import gettext as _
from simulated_phone.screens.drawing import fonts
from simulated_phone.screens.layouts.layout import ColumnLayout, RowLayout, ScrollLayout
from simulated_phone.screens.layouts.lists import Banner, Tab, Tabs
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, Fill, Node, PixelBox, action_ref
from simulated_phone.screens.theme import BACKGROUND, GREY, INK, PAPER, WHITE, Exact, Theme

BACK = action_ref("android.back")
MOST_HEADER = 0.8
"""Largest height of a fixed header, as a fraction of the page; a higher one scrolls with the body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppPage:
    """Full screen of an app.

    Args:
        title: Text of the title bar; None for a page without a title bar.
        back: Whether the title bar has a back arrow.
        actions: Icons at the right of the title bar.
        header: Fixed widgets above the body (a search bar, tabs).
        body: Widgets of the scrolled body.
        footer: Fixed widgets below the body.
        tabs: Tabs at the bottom.
        gap: Space between the body's widgets, dp.
        pad: Space at the body's left and right, dp.
        background: Background colour, or two colours of a gradient from top to bottom.
        swipes: Actions by swipe direction ("left", "right", "up", "down"), where no list scrolls that way.
        secure: Whether screenshots are black while the fault `black_payment_screen` is on.
        bubble: A round button that floats over the body, in designs with pictures.
        dark: Whether title and status bar have white text, for a dark background.
    """

    title: str | None = None
    back: bool = True
    actions: Sequence[Icon] = ()
    header: Sequence[Widget] = ()
    body: Sequence[Widget] = ()
    footer: Sequence[Widget] = ()
    tabs: Sequence[Tab] = ()
    gap: float = 0
    pad: float = 0
    background: str | tuple[str, str] = BACKGROUND
    swipes: Mapping[str, ActionRef] = field(default_factory=lambda: MappingProxyType({}))
    secure: bool = False
    bubble: Icon | None = None
    dark: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialog:
    """A dialog over the page; back closes it. More than two buttons, or long ones, are stacked."""

    title: str = ""
    message: str = ""
    body: Sequence[Widget] = ()
    buttons: Sequence[Button] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A sheet at the bottom of the screen; back or a tap above it closes it."""

    title: str = ""
    body: Sequence[Widget] = ()
    footer: Sequence[Widget] = ()


Surface: TypeAlias = AppPage | Dialog | Sheet


def place_page(
    page: AppPage, frame: PixelBox, theme: Theme, *, keyboard: bool = False, status: int = 0
) -> Node:
    """Lay out a page in the frame; its background extends `status` px above, under the status bar."""
    if page.dark and isinstance(page.background, Exact):
        # a page that is always dark, such as that of a photo, has the dark design's buttons and chips
        theme = replace(theme, skin=theme.skin.at_night())
    # with the keyboard open, a low display has no space left for the title bar
    low = keyboard and frame.height < theme.px(330)
    top, nodes = frame.top, []
    if page.title is not None and not low:
        height = theme.px(54)
        nodes.append(_place_title_bar(page, PixelBox(frame.left, top, frame.right, top + height), theme))
        top += height
    bottom = frame.bottom
    if page.tabs and not keyboard:
        bar = Tabs(page.tabs)
        bottom -= bar.height(frame.width, theme)
        nodes.append(bar.place(PixelBox(frame.left, bottom, frame.right, frame.bottom), theme))
    if page.footer:
        nodes.append(_place_footer(page, frame._replace(bottom=bottom), theme))
        bottom = nodes[-1].box.top
    body_widgets = [part for part in page.body if theme.skin.pictures or not isinstance(part, Banner)]
    header = ColumnLayout(page.header)
    height = header.height(frame.width, theme) if page.header else 0
    if height > (bottom - top) * MOST_HEADER:
        body_widgets.insert(0, header)
    elif height:
        nodes.append(header.place(PixelBox(frame.left, top, frame.right, top + height), theme))
        top += height
    body = PixelBox(frame.left, top, frame.right, max(top, bottom))
    if body_widgets and not body.empty:
        content = ScrollLayout("content", body_widgets, gap=page.gap, pad=page.pad).place(body, theme)
        turns = not page.swipes.keys().isdisjoint(("left", "right"))
        nodes.append(replace(content, turns=True) if turns else content)
    if page.bubble and theme.skin.pictures and not keyboard:
        side, margin = theme.px(64), theme.px(6)
        spot = PixelBox(body.right - side, body.bottom - side, body.right, body.bottom)
        nodes.append(page.bubble.place(spot.inset(margin), theme))
    whole = PixelBox(frame.left, frame.top - status, frame.right, frame.bottom)
    grounds = [
        theme.skin.under_white(color) if page.dark else theme.plate(color)
        for color in ((page.background,) if isinstance(page.background, str) else page.background)
    ]
    background = Fill(box=whole, color=grounds[0], to=grounds[1] if grounds[1:] else None)
    return Node(box=whole, kind="android.widget.FrameLayout", marks=(background,), children=tuple(nodes))


def _place_footer(page: AppPage, frame: PixelBox, theme: Theme) -> Node:
    column = ColumnLayout(page.footer, pad=12)
    at = frame._replace(top=frame.bottom - column.height(frame.width, theme) - theme.px(16))
    pale = isinstance(page.background, str) and not page.dark
    plate = Fill(box=at, color=theme.plate(PAPER if pale else page_color(page)))
    inner = column.place(at.inset(0, theme.px(8)), theme)
    return Node(box=at, kind="android.widget.LinearLayout", marks=(plate,), children=(inner,))


def choose_page_ink(page: AppPage, theme: Theme) -> str:
    """Colour of the words on the page's title and status bar."""
    if page.dark:
        return WHITE
    if theme.skin.legible and isinstance(page.background, Exact):
        return Exact(theme.skin.ink_on(INK, page.background))
    return INK


def page_color(page: AppPage) -> str:
    """Colour of the page's bottom edge."""
    return page.background if isinstance(page.background, str) else page.background[1]


def _place_title_bar(page: AppPage, box: PixelBox, theme: Theme) -> Node:
    ink = choose_page_ink(page, theme)
    icons = [replace(icon, color=ink if icon.color == INK else icon.color) for icon in page.actions]
    skin = theme.skin
    align = "center" if skin.centred_title else "left"
    title = Text(page.title or "", size=round(skin.title), bold=True, color=ink, align=align)
    parts: list[Widget] = [title, *icons]
    widths: list[float | None] = [None, *[48.0] * len(icons)]
    if page.back:
        parts.insert(0, Icon("back", _("返回"), BACK, color=ink, view_id="back"))
        widths.insert(0, 48)
    if skin.centred_title and (spare := len(icons) - page.back):
        # as much space at the other side, so that the title is in the middle
        place = int(page.back) if spare > 0 else len(parts)
        parts.insert(place, Space())
        widths.insert(place, 48.0 * abs(spare))
    node = RowLayout(parts, widths, gap=0).place(box.inset(theme.px(4 if page.back else 16), 0), theme)
    return replace(node, box=box, view_id="title_bar")


def place_dialog(dialog: Dialog, frame: PixelBox, theme: Theme) -> Node:
    """Lay out a dialog in the centre of the frame; a body that is too high scrolls."""
    width = min(theme.px(328), frame.width - theme.px(32))
    pad = theme.px(22)
    inner = width - 2 * pad
    head: list[Widget] = []
    if dialog.title:
        head += [Text(dialog.title, size=19, bold=True, lines=2), Space(8)]
    if dialog.message:
        head += [Text(dialog.message, size=15, color=GREY, lines=6), Space(4)]
    foot = _build_dialog_buttons(dialog.buttons, inner, theme)
    content = ScrollLayout("dialog", [*head, *dialog.body], bottom=8)
    room = frame.height - theme.px(24) - 2 * pad
    below = foot.height(inner, theme) if foot else 0
    high = min(content.height(inner, theme), max(0, room - below))
    box = frame.middle(width, high + below + 2 * pad)
    if theme.skin.low_dialog:
        down = frame.bottom - theme.px(16) - box.bottom
        box = box._replace(top=box.top + down, bottom=box.bottom + down)
    at = box.inset(pad)
    children = [content.place(PixelBox(at.left, at.top, at.right, at.top + high), theme)] if high else []
    if foot:
        children.append(foot.place(PixelBox(at.left, at.bottom - below, at.right, at.bottom), theme))
    plate = Fill(box=box, color=theme.plate(PAPER), radius=theme.px(theme.skin.dialog))
    return Node(box=box, kind="android.widget.FrameLayout", marks=(plate,), children=tuple(children))


def _build_dialog_buttons(buttons: Sequence[Button], width: int, theme: Theme) -> Widget | None:
    if not buttons:
        return None
    share = width // len(buttons) - theme.px(24)
    fit = all(fonts.text_width(button.text, theme.px(button.size)) <= share for button in buttons)
    stacked = len(buttons) > 2 or not fit
    return ColumnLayout(
        [Space(8), ColumnLayout(buttons, gap=6) if stacked else RowLayout(list(buttons), gap=10)]
    )


def place_sheet(sheet: Sheet, frame: PixelBox, theme: Theme) -> Node:
    """Lay out a sheet at the frame's bottom, at most three quarters as high; a tap above it closes it."""
    pad = theme.px(8)
    body: list[Widget] = [*sheet.body]
    if sheet.title:
        body.insert(0, ColumnLayout([Text(sheet.title, size=18, bold=True), Space(6)], pad=16))
    content = ScrollLayout("sheet", body, bottom=8)
    foot = ColumnLayout(list(sheet.footer), gap=6, pad=16)
    below = foot.height(frame.width, theme) + (pad if sheet.footer else 0)
    room = frame.height * 3 // 4 - below - 2 * pad
    high = max(0, min(content.height(frame.width, theme), room))
    box = PixelBox(frame.left, frame.bottom - high - below - 2 * pad, frame.right, frame.bottom)
    round_, paper = theme.px(theme.skin.sheet), theme.plate(PAPER)
    plates = (
        Fill(box=box, color=paper, radius=round_),
        Fill(box=PixelBox(box.left, box.bottom - round_, box.right, box.bottom), color=paper),
    )
    children = []
    if high:
        children.append(
            content.place(PixelBox(box.left, box.top + pad, box.right, box.top + pad + high), theme)
        )
    if sheet.footer:
        at = PixelBox(box.left, box.bottom - pad - below, box.right, box.bottom - pad)
        children.append(foot.place(at, theme))
    panel = Node(box=box, kind="android.widget.FrameLayout", marks=plates, children=tuple(children))
    above = PixelBox(frame.left, frame.top, frame.right, box.top)
    outside = Node(
        box=above, kind="android.view.View", view_id="touch_outside", description=_("关闭"), tap=BACK
    )
    return Node(box=frame, kind="android.widget.FrameLayout", children=(outside, panel))
