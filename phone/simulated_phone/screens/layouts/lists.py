"""Compound widgets: headings, tabs, chips, covers, search and progress bars."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace

from simulated_phone.language.language import gettext as _
from simulated_phone.screens.drawing import fonts
from simulated_phone.screens.layouts.rows import ListRow
from simulated_phone.screens.layouts.widgets import IMAGE, LAYOUT, TEXT, Field, Icon, Switch, Widget
from simulated_phone.screens.nodes import ActionRef, Fill, Glyph, Mark, Node, Picture, PixelBox, Words
from simulated_phone.screens.skin import AA_LARGE
from simulated_phone.screens.theme import CHIP, GREY, INK, LINE, PAPER, RED, WHITE, Theme, mix_colors

__all__ = [
    "Badged",
    "Banner",
    "Chips",
    "Cover",
    "Heading",
    "ListRow",
    "ProgressBar",
    "SearchBar",
    "Tab",
    "Tabs",
    "list_badge_marks",
    "switch_row",
]

COVERS = (
    "#e4572e",
    "#17a398",
    "#3b6fe0",
    "#8e5bd0",
    "#d6336c",
    "#2f9e44",
    "#e8890c",
    "#4a5a78",
    "#0c8599",
    "#a0522d",
)


@dataclass(frozen=True, slots=True)
class Cover(Widget):
    """A photo, portrait or record cover, which follows from its name.

    In a design with pictures it is a generated picture of its `subject`, one of `drawn_pictures.SUBJECTS`,
    under a filter of the colour `tint`. Without a subject, and in the plain design, it is a coloured box.
    """

    name: str
    _: KW_ONLY
    glyph: str | None = None
    room: float = 48
    radius: float = 8
    color: str | None = None
    subject: str = ""
    tint: str = ""

    def height(self, width: int, theme: Theme) -> int:
        """Height of the cover: its `room` in px."""
        return theme.px(self.room)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place a gradient with a pale disc, and an icon or the name's first character."""
        words = _("{name}图片").format(name=self.name)
        if self.subject and theme.skin.pictures:
            radius = theme.px(min(self.radius, self.room / 2))
            shown = Picture(box=box, subject=self.subject, name=self.name, radius=radius, tint=self.tint)
            marks: list[Mark] = [shown]
            if self.glyph == "play":
                side = max(2, min(box.width, box.height) * 2 // 5)
                plate = Fill(box=box.middle(side, side), color="#1b1c20", radius=side // 2)
                marks += [plate, Glyph(box=box.middle(side // 2, side // 2), name="play", color=WHITE)]
            return Node(box=box, kind=IMAGE, description=words, marks=tuple(marks))
        digest = hashlib.sha256(self.name.encode()).digest()
        named = self.color or COVERS[digest[0] % len(COVERS)]
        color = theme.skin.colors.get(named, named)
        radius = theme.px(self.radius)
        side = max(2, min(box.width, box.height) * 11 // 24)
        marks = [
            Fill(
                box=box,
                color=mix_colors(color, "#ffffff", 0.25),
                to=mix_colors(color, "#000000", 0.15),
                radius=radius,
            )
        ]
        disc = min(box.width, box.height) * (44 + digest[1] % 40) // 100
        x = box.left + digest[2] * max(0, box.width - disc) // 255
        y = box.top + digest[3] * max(0, box.height - disc) // 255
        marks.append(
            Fill(
                box=PixelBox(x, y, x + disc, y + disc),
                color=mix_colors(color, "#ffffff", 0.38),
                radius=disc // 2,
            )
        )
        if self.glyph:
            marks.append(Glyph(box=box.middle(side, side), name=self.glyph, color=WHITE))
        else:
            first = Words(box=box, text=self.name[:1], size=side, color=WHITE, align="center", bold=True)
            marks.append(first)
        return Node(box=box, kind=IMAGE, description=words, marks=tuple(marks))


@dataclass(frozen=True, slots=True)
class Banner(Widget):
    """A carousel of offers, of which one is shown: a picture with words in it, which the tree has not.

    Pages of the plain design leave it out.

    Args:
        offers: What each offer shows and opens.
        subject: Subject of its pictures, one of `drawn_pictures.SUBJECTS`.
        turn: Number of the offer that is shown; it wraps around.
    """

    offers: Sequence[tuple[str, ActionRef]]
    subject: str
    turn: int
    _: KW_ONLY
    pad: float = 0

    def height(self, width: int, theme: Theme) -> int:
        """A fixed 132 dp."""
        return theme.px(132)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the picture, its words on a dark strip, and a dot for each offer."""
        at = box.inset(theme.px(self.pad), theme.px(4))
        chosen = self.turn % len(self.offers)
        name, tap = self.offers[chosen]
        radius, strip = theme.px(theme.skin.card), theme.px(34)
        low = at._replace(top=at.bottom - strip)
        words = low._replace(left=low.left + theme.px(12), right=low.right - theme.px(60))
        marks: list[Mark] = [
            Picture(box=at, subject=self.subject, name=name, radius=radius),
            Fill(box=low, color="#1b1c20", radius=min(radius, strip // 2)),
            Words(box=words, text=name, size=theme.px(14), color=WHITE, bold=True),
        ]
        side, x = theme.px(5), low.right - theme.px(14)
        for place in reversed(range(len(self.offers))):
            dot = PixelBox(x - side, low.top, x, low.bottom).middle(side, side)
            color = WHITE if place == chosen else "#82858c"
            marks.append(Fill(box=dot, color=color, radius=side // 2))
            x -= 2 * side
        return Node(box=at, kind=IMAGE, view_id="banner", tap=tap, marks=tuple(marks))


def switch_row(
    title: str, subtitle: str = "", *, on: bool, tap: ActionRef, glyph: str | None = None
) -> ListRow:
    """A row with a switch; a tap anywhere on the row toggles it."""
    leading = Icon(glyph, size=20, color=GREY, room=36) if glyph else None
    return ListRow(title, subtitle, leading=leading, lead=28, trailing=Switch(on, description=title), tap=tap)


@dataclass(frozen=True, slots=True)
class Heading(Widget):
    """A section's heading, with an optional text button at the right."""

    text: str
    more: str = ""
    tap: ActionRef | None = None
    pad: float = 16

    def height(self, width: int, theme: Theme) -> int:
        """A fixed 44 dp."""
        return theme.px(44)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the heading and its text button."""
        size, small = theme.px(17), theme.px(13)
        room = box.inset(theme.px(self.pad), 0)
        width = fonts.text_width(self.more, small) + theme.px(16) if self.more else 0
        at = PixelBox(room.left, box.top, room.right - width, box.bottom)
        words = Words(box=at, text=self.text, size=size, color=theme.ink(INK), bold=True)
        nodes = [Node(box=at, kind=TEXT, text=self.text, marks=(words,))]
        if self.more:
            side = PixelBox(room.right - width, box.top, room.right, box.bottom)
            link = Words(box=side, text=self.more, size=small, color=theme.ink(theme.accent), align="right")
            nodes.append(Node(box=side, kind=TEXT, text=self.more, tap=self.tap, marks=(link,)))
        return Node(box=box, kind=LAYOUT, children=tuple(nodes))


@dataclass(frozen=True, slots=True)
class Chips(Widget):
    """Short choices that wrap into lines; an item is (text, action of a tap, whether it is chosen)."""

    items: Sequence[tuple[str, ActionRef, bool]]
    _: KW_ONLY
    pad: float = 16

    def _list_boxes(self, left: int, top: int, width: int, theme: Theme) -> list[PixelBox]:
        size, gap, high = theme.px(14), theme.px(8), theme.px(36)
        x, y, room = left, top, max(1, width)
        boxes = []
        for text, _tap, _chosen in self.items:
            wide = min(fonts.text_width(text, size) + theme.px(28), room)
            if x > left and x + wide > left + room:
                x, y = left, y + high + gap
            boxes.append(PixelBox(x, y, x + wide, y + high))
            x += wide + gap
        return boxes

    def height(self, width: int, theme: Theme) -> int:
        """Height of the wrapped lines."""
        boxes = self._list_boxes(0, 0, width - 2 * theme.px(self.pad), theme)
        return (boxes[-1].bottom if boxes else 0) + theme.px(8)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place a pill for each choice; chosen ones are coloured."""
        pad = theme.px(self.pad)
        nodes = []
        places = self._list_boxes(box.left + pad, box.top + theme.px(4), box.width - 2 * pad, theme)
        for at, (text, tap, chosen) in zip(places, self.items, strict=True):
            plate = theme.plate(theme.accent if chosen else CHIP)
            marks = (
                Fill(box=at, color=plate, radius=min(at.height // 2, theme.px(theme.skin.chip))),
                Words(
                    box=at.inset(theme.px(4), 0),
                    text=text,
                    size=theme.px(14),
                    color=WHITE if chosen else theme.ink(INK),
                    align="center",
                ),
            )
            nodes.append(Node(box=at, kind=TEXT, text=text, tap=tap, selected=chosen, marks=marks))
        return Node(box=box, kind=LAYOUT, children=tuple(nodes))


def list_badge_marks(x: int, y: int, count: int, theme: Theme) -> tuple[Mark, ...]:
    """A red disc with a number at the upper right corner (x, y) of an icon, in designs with pictures."""
    if not count or not theme.skin.pictures:
        return ()
    side = theme.px(20)
    left, top = x - side * 3 // 4, y - side // 4
    at = PixelBox(left, top, left + side, top + side)
    words = str(count) if count < 100 else "99"
    return (
        Fill(box=at, color=theme.plate(RED), radius=side // 2),
        Words(box=at, text=words, size=theme.px(11), color=WHITE, align="center", bold=True),
    )


@dataclass(frozen=True, slots=True)
class Badged(Widget):
    """A widget with the number of what is new at its corner."""

    inner: Widget
    count: int

    def height(self, width: int, theme: Theme) -> int:
        """Height of the widget."""
        return self.inner.height(width, theme)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the widget, and the number over it."""
        node = self.inner.place(box, theme)
        marks = list_badge_marks(node.box.right, node.box.top, self.count, theme)
        return replace(node, marks=node.marks + marks) if marks else node


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """Tab of a bar: text, icon and number of what is new (only for tabs at the bottom), action of a tap."""

    text: str
    tap: ActionRef
    chosen: bool = False
    glyph: str | None = None
    badge: int = 0


@dataclass(frozen=True, slots=True)
class Tabs(Widget):
    """A row of tabs: with icons for the bottom of a page, with underlined text for its top."""

    tabs: Sequence[Tab]

    def height(self, width: int, theme: Theme) -> int:
        """58 dp with icons, 46 dp without."""
        return theme.px(58 if any(tab.glyph for tab in self.tabs) else 46)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the tabs, each with an equal share of the width."""
        nodes = []
        for number, tab in enumerate(self.tabs):
            left = box.left + box.width * number // len(self.tabs)
            right = box.left + box.width * (number + 1) // len(self.tabs)
            nodes.append(self._place_tab(tab, PixelBox(left, box.top, right, box.bottom), theme))
        edge = PixelBox(box.left, box.top, box.right, box.top + 1)
        if not any(tab.glyph for tab in self.tabs):
            edge = PixelBox(box.left, box.bottom - 1, box.right, box.bottom)
        marks = (Fill(box=box, color=theme.plate(PAPER)), Fill(box=edge, color=theme.plate(LINE)))
        return Node(box=box, kind="android.widget.TabWidget", marks=marks, children=tuple(nodes))

    def _place_tab(self, tab: Tab, box: PixelBox, theme: Theme) -> Node:
        color = theme.ink(theme.accent if tab.chosen else GREY)
        marks: list[Mark] = []
        if tab.glyph:
            top = box.top + theme.px(6)
            icon = PixelBox(box.left, top, box.right, top + theme.px(26))
            if tab.chosen and theme.skin.tab == "line":
                line = PixelBox(box.left, box.top, box.right, box.top + theme.px(3))
                marks.append(Fill(box=line.middle(theme.px(36), line.height), color=color))
            elif tab.chosen and theme.skin.tab == "pill":
                marks.append(
                    Fill(
                        box=icon.middle(theme.px(52), theme.px(28)),
                        color=theme.tint(theme.accent),
                        radius=theme.px(14),
                    )
                )
            spot = icon.middle(theme.px(22), theme.px(22))
            marks.append(Glyph(box=spot, name=tab.glyph, color=color))
            marks += list_badge_marks(spot.right + theme.px(10), spot.top + theme.px(2), tab.badge, theme)
            text_box = PixelBox(box.left, icon.bottom + theme.px(2), box.right, box.bottom - theme.px(4))
            size = theme.px(11)
        else:
            text_box, size = box, theme.px(15)
            if tab.chosen:
                line = PixelBox(box.left, box.bottom - theme.px(6), box.right, box.bottom - theme.px(3))
                marks.append(
                    Fill(
                        box=line.middle(theme.px(28), line.height),
                        color=color,
                        radius=line.height // 2,
                    )
                )
        marks.append(
            Words(box=text_box, text=tab.text, size=size, color=color, align="center", bold=tab.chosen)
        )
        return Node(box=box, kind=TEXT, text=tab.text, tap=tab.tap, selected=tab.chosen, marks=tuple(marks))


@dataclass(frozen=True, slots=True)
class SearchBar(Widget):
    """A search field, with an optional microphone (`voice`) and search button at its right."""

    field: Field
    voice: ActionRef | None = None
    button: ActionRef | None = None

    def height(self, width: int, theme: Theme) -> int:
        """A fixed 56 dp."""
        return theme.px(56)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the field, the microphone and the button."""
        room = box.inset(theme.px(12), theme.px(5))
        end, nodes = room.right, []
        if self.button:
            at = PixelBox(end - theme.px(56), room.top, end, room.bottom)
            words = Words(
                box=at,
                text=_("搜索"),
                size=theme.px(15),
                color=theme.ink(theme.accent),
                align="center",
                bold=True,
            )
            nodes.append(
                Node(
                    box=at,
                    kind=TEXT,
                    text=_("搜索"),
                    view_id="search_button",
                    tap=self.button,
                    marks=(words,),
                )
            )
            end = at.left
        if self.voice:
            at = PixelBox(end - theme.px(44), room.top, end, room.bottom)
            nodes.append(Icon("mic", _("语音"), self.voice, size=20, color=theme.accent).place(at, theme))
            end = at.left
        nodes.insert(0, self.field.place(PixelBox(room.left, room.top, end, room.bottom), theme))
        return Node(box=box, kind=LAYOUT, children=tuple(nodes))


@dataclass(frozen=True, slots=True)
class ProgressBar(Widget):
    """A progress bar; `share` is 0-1."""

    share: float
    _: KW_ONLY
    pad: float = 16

    def height(self, width: int, theme: Theme) -> int:
        """A fixed 20 dp."""
        return theme.px(20)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the bar and its filled part."""
        bar = box.inset(theme.px(self.pad), 0).middle(box.width - 2 * theme.px(self.pad), theme.px(4))
        done = PixelBox(
            bar.left, bar.top, bar.left + round(bar.width * min(1.0, max(0.0, self.share))), bar.bottom
        )
        marks = (
            Fill(box=bar, color=theme.plate("track"), radius=bar.height // 2),
            Fill(box=done, color=theme.plate(theme.accent, AA_LARGE), radius=bar.height // 2),
        )
        return Node(box=box, kind="android.widget.ProgressBar", marks=marks)
