"""The widgets of pages: records that say how high they are and place themselves in a box.

Lengths in widgets are dp; a placed node's box is in pixels. Only the parts of a page differ: every widget
gives one `Node`, from which the picture and the accessibility tree are both made.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Protocol

from simulated_phone.screens import fonts
from simulated_phone.screens.nodes import ActionRef, Fill, Glyph, Mark, Node, PixelBox, TextEntry, Words
from simulated_phone.screens.theme import FAINT, GREY, INK, LINE, PAPER, Theme, mix, tint

LAYOUT = "android.widget.LinearLayout"
TEXT = "android.widget.TextView"
BUTTON = "android.widget.Button"
IMAGE = "android.widget.ImageView"
IMAGE_BUTTON = "android.widget.ImageButton"
EDIT = "android.widget.EditText"


class Widget(Protocol):
    """Something that can be laid out. Widgets say that they are one (`class Text(Widget)`)."""

    __slots__ = ()

    def height(self, width: int, look: Theme) -> int:
        """Pixels it needs when it gets `width` pixels."""
        ...

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Itself inside the box."""
        ...


@dataclass(frozen=True, slots=True)
class Text(Widget):
    """Plain text of up to `lines` lines; `size` in dp."""

    text: str
    _: KW_ONLY
    size: int = 15
    color: str = INK
    align: str = "left"
    bold: bool = False
    lines: int = 1
    tap: ActionRef | None = None
    view_id: str = ""

    def height(self, width: int, look: Theme) -> int:
        """The lines it wraps into."""
        size = look.px(self.size)
        count = 1 if self.lines == 1 else len(fonts.wrap(self.text, size, width, self.lines))
        return count * fonts.line_height(size)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """The words."""
        words = Words(
            box=box,
            text=self.text,
            size=look.px(self.size),
            color=self.color,
            align=self.align,
            bold=self.bold,
            lines=self.lines,
        )
        return Node(box=box, kind=TEXT, text=self.text, view_id=self.view_id, tap=self.tap, marks=(words,))


@dataclass(frozen=True, slots=True)
class Space(Widget):
    """Nothing, `dp` high."""

    dp: float = 8

    def height(self, width: int, look: Theme) -> int:
        """Its dp."""
        return look.px(self.dp)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """An empty box."""
        return Node(box=box, kind="android.widget.Space")


@dataclass(frozen=True, slots=True)
class Divider(Widget):
    """A thin line."""

    def height(self, width: int, look: Theme) -> int:
        """One dp."""
        return max(1, look.px(1))

    def place(self, box: PixelBox, look: Theme) -> Node:
        """The line."""
        return Node(box=box, kind="android.view.View", marks=(Fill(box=box, color=LINE),))


@dataclass(frozen=True, slots=True)
class Icon(Widget):
    """A drawn icon, on a round or square `plate` of colour if given; with `tap` an image button."""

    glyph: str
    description: str = ""
    tap: ActionRef | None = None
    _: KW_ONLY
    size: float = 24
    color: str = INK
    plate: str | None = None
    square: bool = False
    room: float = 48
    view_id: str = ""
    enabled: bool = True

    def height(self, width: int, look: Theme) -> int:
        """Its room."""
        return look.px(self.room)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """The icon in the middle of its box."""
        size = look.px(self.size)
        color = self.color if self.enabled else FAINT
        marks: list[Mark] = []
        if self.plate:
            side = round(size * 1.65)
            plate = box.middle(side, side)
            marks.append(
                Fill(box=plate, color=self.plate, radius=side * 28 // 100 if self.square else side // 2)
            )
        marks.append(Glyph(box=box.middle(size, size), name=self.glyph, color=color))
        return Node(
            box=box,
            kind=IMAGE_BUTTON if self.tap else IMAGE,
            description=self.description,
            view_id=self.view_id,
            tap=self.tap,
            enabled=self.enabled,
            marks=tuple(marks),
        )


@dataclass(frozen=True, slots=True)
class Button(Widget):
    """A button with words. `style` is "filled", "tonal", "outline", "plain" or "danger"."""

    text: str
    tap: ActionRef
    _: KW_ONLY
    style: str = "filled"
    glyph: str | None = None
    enabled: bool = True
    selected: bool = False
    room: float = 46
    size: int = 15
    view_id: str = ""

    def height(self, width: int, look: Theme) -> int:
        """Its room."""
        return look.px(self.room)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """A rounded plate and the words in its middle."""
        ink, plate, edge = self._colors(look)
        body = box.inset(0, min(look.px(3), box.height // 8))
        marks: list[Mark] = []
        radius = min(look.px(12), body.height // 2)
        if edge:
            marks.append(Fill(box=body, color=edge, radius=radius))
            marks.append(Fill(box=body.inset(max(1, look.px(1.2))), color=PAPER, radius=radius - 1))
        elif plate:
            marks.append(Fill(box=body, color=plate, radius=radius))
        size = look.px(self.size)
        room = body.inset(look.px(6), 0)
        if self.glyph:
            side = look.px(self.size + 4)
            text = min(fonts.text_width(self.text, size), room.width - side)
            start = room.left + (room.width - text - side - look.px(6)) // 2
            marks.append(
                Glyph(
                    box=PixelBox(start, body.top, start + side, body.bottom).middle(side, side),
                    name=self.glyph,
                    color=ink,
                )
            )
            room = PixelBox(start + side + look.px(6), room.top, room.right, room.bottom)
        align = "left" if self.glyph else "center"
        marks.append(Words(box=room, text=self.text, size=size, color=ink, align=align, bold=True))
        return Node(
            box=box,
            kind=BUTTON,
            text=self.text,
            view_id=self.view_id,
            tap=self.tap,
            enabled=self.enabled,
            selected=self.selected,
            marks=tuple(marks),
        )

    def _colors(self, look: Theme) -> tuple[str, str | None, str | None]:
        if not self.enabled:
            return "#9b9ea6", "#e6e7eb", None
        return {
            "filled": (PAPER, look.accent, None),
            "tonal": (mix(look.accent, INK, 0.15), tint(look.accent), None),
            "outline": (look.accent, None, mix(look.accent, PAPER, 0.35)),
            "plain": (look.accent, None, None),
            "danger": (PAPER, "#e5484d", None),
        }[self.style]


@dataclass(frozen=True, slots=True)
class Field(Widget):
    """A text field. A tap brings the keyboard up; its Enter key says `enter` and does `submit`."""

    name: str
    hint: str
    _: KW_ONLY
    submit: ActionRef | None = None
    enter: str = "完成"
    glyph: str | None = None
    start: str = ""
    password: bool = False
    room: float = 44
    view_id: str = ""

    def height(self, width: int, look: Theme) -> int:
        """Its room."""
        return look.px(self.room)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """A pill with the typed text or the hint."""
        text = look.fields.get(self.name, self.start)
        focused = look.focus == self.name
        shown = "•" * len(text) if self.password else text
        body = box.inset(0, look.px(2))
        radius = min(body.height // 2, look.px(22))
        plate = PAPER if focused else "#eceef2"
        edge = look.accent if focused else "#e2e4e9"
        line = max(1, look.px(1.5))
        marks: list[Mark] = [
            Fill(box=body, color=edge, radius=radius),
            Fill(box=body.inset(line), color=plate, radius=radius - line),
        ]
        left = body.left + look.px(14)
        if self.glyph:
            side = look.px(18)
            at = PixelBox(left, body.top, left + side, body.bottom)
            marks.append(Glyph(box=at.middle(side, side), name=self.glyph, color=GREY))
            left += side + look.px(8)
        size = look.px(15)
        room = PixelBox(left, body.top, max(left, body.right - look.px(12)), body.bottom)
        marks.append(Words(box=room, text=shown or self.hint, size=size, color=INK if shown else "#8f929a"))
        if focused:
            x = (
                left + min(fonts.text_width(shown, size), max(0, room.width - line)) + line
                if shown
                else left - line * 2
            )
            middle = room.middle(room.width, look.px(20))
            marks.append(Fill(box=PixelBox(x, middle.top, x + line, middle.bottom), color=look.accent))
        return Node(
            box=box,
            kind=EDIT,
            text=text,
            hint=self.hint,
            view_id=self.view_id or self.name,
            entry=TextEntry(name=self.name, submit=self.submit, enter=self.enter),
            focused=focused,
            password=self.password,
            marks=tuple(marks),
        )


@dataclass(frozen=True, slots=True)
class Switch(Widget):
    """An on-off switch; without `tap` it only shows (the row around it is tapped)."""

    on: bool
    tap: ActionRef | None = None
    description: str = ""
    view_id: str = "switch_widget"

    def height(self, width: int, look: Theme) -> int:
        """A touchable height."""
        return look.px(48)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """The track and the thumb."""
        track = box.middle(look.px(46), look.px(26))
        side = track.height
        thumb = PixelBox(track.right - side, track.top, track.right, track.bottom)
        if not self.on:
            thumb = PixelBox(track.left, track.top, track.left + side, track.bottom)
        inner = thumb.inset(look.px(3))
        return Node(
            box=box,
            kind="android.widget.Switch",
            text="开启" if self.on else "关闭",
            description=self.description,
            view_id=self.view_id,
            tap=self.tap,
            checkable=True,
            checked=self.on,
            marks=(
                Fill(box=track, color=look.accent if self.on else "#c9ccd3", radius=side // 2),
                Fill(box=inner, color=PAPER, radius=inner.height // 2),
            ),
        )


@dataclass(frozen=True, slots=True)
class CheckMark(Widget):
    """A check mark of a choice: `round` for one of several."""

    on: bool
    round: bool = True

    def height(self, width: int, look: Theme) -> int:
        """A touchable height."""
        return look.px(44)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """A ring or a tick."""
        at = box.middle(look.px(22), look.px(22))
        if self.round:
            marks = (
                Glyph(
                    box=at, name="radio_on" if self.on else "radio", color=look.accent if self.on else FAINT
                ),
            )
        else:
            plate = Fill(box=at, color=look.accent if self.on else "#d9dbe0", radius=look.px(5))
            inner = at.inset(look.px(3))
            marks = (plate, Glyph(box=inner, name="check", color=PAPER))  # type: ignore[assignment]
        kind = "android.widget.RadioButton" if self.round else "android.widget.CheckBox"
        return Node(box=box, kind=kind, checkable=True, checked=self.on, marks=marks)
