"""Rows, headings, tabs, chips, covers and bars: the compound widgets that most pages are made of."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from simulated_phone.screens import fonts
from simulated_phone.screens.nodes import ActionRef, Fill, Glyph, Mark, Node, PixelBox, Words
from simulated_phone.screens.rows import ListRow
from simulated_phone.screens.theme import GREY, INK, LINE, PAPER, Theme, mix, tint
from simulated_phone.screens.widgets import IMAGE, LAYOUT, TEXT, Field, Icon, Switch, Widget

__all__ = ["Chips", "Cover", "Heading", "ListRow", "ProgressBar", "SearchBar", "Tab", "Tabs", "switch_row"]

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
    """A drawn picture in place of a photo or record cover: colours and a mark that follow from its name."""

    name: str
    _: KW_ONLY
    glyph: str | None = None
    room: float = 48
    radius: float = 8
    color: str | None = None

    def height(self, width: int, look: Theme) -> int:
        """Its room."""
        return look.px(self.room)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """A gradient with a pale shape, and an icon or the name's first character."""
        digest = hashlib.sha256(self.name.encode()).digest()
        color = self.color or COVERS[digest[0] % len(COVERS)]
        radius = look.px(self.radius)
        side = max(2, min(box.width, box.height) * 11 // 24)
        marks: list[Mark] = [
            Fill(box=box, color=mix(color, "#ffffff", 0.25), to=mix(color, "#000000", 0.15), radius=radius)
        ]
        disc = min(box.width, box.height) * (44 + digest[1] % 40) // 100
        x = box.left + digest[2] * max(0, box.width - disc) // 255
        y = box.top + digest[3] * max(0, box.height - disc) // 255
        marks.append(
            Fill(box=PixelBox(x, y, x + disc, y + disc), color=mix(color, "#ffffff", 0.38), radius=disc // 2)
        )
        if self.glyph:
            marks.append(Glyph(box=box.middle(side, side), name=self.glyph, color=PAPER))
        else:
            first = Words(box=box, text=self.name[:1], size=side, color=PAPER, align="center", bold=True)
            marks.append(first)
        return Node(box=box, kind=IMAGE, description=f"{self.name}图片", marks=tuple(marks))


def switch_row(
    title: str, subtitle: str = "", *, on: bool, tap: ActionRef, glyph: str | None = None
) -> ListRow:
    """A setting with a switch: the whole row flips it."""
    leading = Icon(glyph, size=20, color=GREY, room=36) if glyph else None
    return ListRow(title, subtitle, leading=leading, lead=28, trailing=Switch(on, description=title), tap=tap)


@dataclass(frozen=True, slots=True)
class Heading(Widget):
    """A section's name, with a small text button at the right if given."""

    text: str
    more: str = ""
    tap: ActionRef | None = None
    pad: float = 16

    def height(self, width: int, look: Theme) -> int:
        """One line with air."""
        return look.px(44)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """The words."""
        size, small = look.px(17), look.px(13)
        room = box.inset(look.px(self.pad), 0)
        width = fonts.text_width(self.more, small) + look.px(16) if self.more else 0
        at = PixelBox(room.left, box.top, room.right - width, box.bottom)
        words = Words(box=at, text=self.text, size=size, color=INK, bold=True)
        nodes = [Node(box=at, kind=TEXT, text=self.text, marks=(words,))]
        if self.more:
            side = PixelBox(room.right - width, box.top, room.right, box.bottom)
            link = Words(box=side, text=self.more, size=small, color=look.accent, align="right")
            nodes.append(Node(box=side, kind=TEXT, text=self.more, tap=self.tap, marks=(link,)))
        return Node(box=box, kind=LAYOUT, children=tuple(nodes))


@dataclass(frozen=True, slots=True)
class Chips(Widget):
    """Short choices that wrap into lines: (words, what a tap does, chosen)."""

    items: Sequence[tuple[str, ActionRef, bool]]
    _: KW_ONLY
    pad: float = 16

    def _boxes(self, left: int, top: int, width: int, look: Theme) -> list[PixelBox]:
        size, gap, high = look.px(14), look.px(8), look.px(36)
        x, y, room = left, top, max(1, width)
        boxes = []
        for words, _, _ in self.items:
            wide = min(fonts.text_width(words, size) + look.px(28), room)
            if x > left and x + wide > left + room:
                x, y = left, y + high + gap
            boxes.append(PixelBox(x, y, x + wide, y + high))
            x += wide + gap
        return boxes

    def height(self, width: int, look: Theme) -> int:
        """The lines they wrap into."""
        boxes = self._boxes(0, 0, width - 2 * look.px(self.pad), look)
        return (boxes[-1].bottom if boxes else 0) + look.px(8)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """A pill each; chosen ones are coloured."""
        pad = look.px(self.pad)
        nodes = []
        places = self._boxes(box.left + pad, box.top + look.px(4), box.width - 2 * pad, look)
        for at, (words, tap, chosen) in zip(places, self.items, strict=True):
            plate = look.accent if chosen else "#e9ebf0"
            marks = (
                Fill(box=at, color=plate, radius=at.height // 2),
                Words(
                    box=at.inset(look.px(4), 0),
                    text=words,
                    size=look.px(14),
                    color=PAPER if chosen else INK,
                    align="center",
                ),
            )
            nodes.append(Node(box=at, kind=TEXT, text=words, tap=tap, selected=chosen, marks=marks))
        return Node(box=box, kind=LAYOUT, children=tuple(nodes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """One tab: words, an icon (none in tabs at the top), what a tap does."""

    text: str
    tap: ActionRef
    chosen: bool = False
    glyph: str | None = None


@dataclass(frozen=True, slots=True)
class Tabs(Widget):
    """Tabs side by side: with icons for the bottom of a page, words with a line under them for its top."""

    tabs: Sequence[Tab]

    def height(self, width: int, look: Theme) -> int:
        """A bar's height."""
        return look.px(58 if any(tab.glyph for tab in self.tabs) else 46)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Equal shares of the width."""
        nodes = []
        for number, tab in enumerate(self.tabs):
            left = box.left + box.width * number // len(self.tabs)
            right = box.left + box.width * (number + 1) // len(self.tabs)
            nodes.append(self._tab(tab, PixelBox(left, box.top, right, box.bottom), look))
        edge = PixelBox(box.left, box.top, box.right, box.top + 1)
        if not any(tab.glyph for tab in self.tabs):
            edge = PixelBox(box.left, box.bottom - 1, box.right, box.bottom)
        marks = (Fill(box=box, color=PAPER), Fill(box=edge, color=LINE))
        return Node(box=box, kind="android.widget.TabWidget", marks=marks, children=tuple(nodes))

    def _tab(self, tab: Tab, box: PixelBox, look: Theme) -> Node:
        color = look.accent if tab.chosen else GREY
        marks: list[Mark] = []
        if tab.glyph:
            top = box.top + look.px(6)
            icon = PixelBox(box.left, top, box.right, top + look.px(26))
            if tab.chosen:
                marks.append(
                    Fill(
                        box=icon.middle(look.px(52), look.px(28)), color=tint(look.accent), radius=look.px(14)
                    )
                )
            marks.append(Glyph(box=icon.middle(look.px(22), look.px(22)), name=tab.glyph, color=color))
            words = PixelBox(box.left, icon.bottom + look.px(2), box.right, box.bottom - look.px(4))
            size = look.px(11)
        else:
            words, size = box, look.px(15)
            if tab.chosen:
                line = PixelBox(box.left, box.bottom - look.px(6), box.right, box.bottom - look.px(3))
                marks.append(
                    Fill(
                        box=line.middle(look.px(28), line.height), color=look.accent, radius=line.height // 2
                    )
                )
        marks.append(Words(box=words, text=tab.text, size=size, color=color, align="center", bold=tab.chosen))
        return Node(box=box, kind=TEXT, text=tab.text, tap=tab.tap, selected=tab.chosen, marks=tuple(marks))


@dataclass(frozen=True, slots=True)
class SearchBar(Widget):
    """A search field that looks like one; with `voice` a microphone at its right end."""

    field: Field
    voice: ActionRef | None = None
    button: ActionRef | None = None

    def height(self, width: int, look: Theme) -> int:
        """A bar's height."""
        return look.px(56)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Field, microphone, button."""
        room = box.inset(look.px(12), look.px(5))
        end, nodes = room.right, []
        if self.button:
            at = PixelBox(end - look.px(56), room.top, end, room.bottom)
            words = Words(box=at, text="搜索", size=look.px(15), color=look.accent, align="center", bold=True)
            nodes.append(
                Node(
                    box=at,
                    kind=TEXT,
                    text="搜索",
                    view_id="search_button",
                    tap=self.button,
                    marks=(words,),
                )
            )
            end = at.left
        if self.voice:
            at = PixelBox(end - look.px(44), room.top, end, room.bottom)
            nodes.append(Icon("mic", "语音", self.voice, size=20, color=look.accent).place(at, look))
            end = at.left
        nodes.insert(0, self.field.place(PixelBox(room.left, room.top, end, room.bottom), look))
        return Node(box=box, kind=LAYOUT, children=tuple(nodes))


@dataclass(frozen=True, slots=True)
class ProgressBar(Widget):
    """How much of something is done, 0-1."""

    share: float
    _: KW_ONLY
    pad: float = 16

    def height(self, width: int, look: Theme) -> int:
        """A thin bar with air."""
        return look.px(20)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """The bar and its filled part."""
        bar = box.inset(look.px(self.pad), 0).middle(box.width - 2 * look.px(self.pad), look.px(4))
        done = PixelBox(
            bar.left, bar.top, bar.left + round(bar.width * min(1.0, max(0.0, self.share))), bar.bottom
        )
        marks = (
            Fill(box=bar, color="#dcdee4", radius=bar.height // 2),
            Fill(box=done, color=look.accent, radius=bar.height // 2),
        )
        return Node(box=box, kind="android.widget.ProgressBar", marks=marks)
