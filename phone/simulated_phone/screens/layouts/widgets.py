"""Basic widgets of pages: records that compute their height and place themselves in a box.

Lengths of widgets are in dp, boxes of placed nodes in pixels. Every widget becomes one `Node`, from which
picture and accessibility tree are both derived.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Protocol

from simulated_phone.language.language import gettext
from simulated_phone.screens.drawing import fonts
from simulated_phone.screens.nodes import ActionRef, Fill, Glyph, Mark, Node, PixelBox, TextEntry, Words
from simulated_phone.screens.skin import AA_LARGE
from simulated_phone.screens.theme import FAINT, GREY, INK, LINE, PAPER, RED, WHITE, Theme, mix_colors

LAYOUT = "android.widget.LinearLayout"
TEXT = "android.widget.TextView"
BUTTON = "android.widget.Button"
IMAGE = "android.widget.ImageView"
IMAGE_BUTTON = "android.widget.ImageButton"
EDIT = "android.widget.EditText"


class Widget(Protocol):
    """Protocol of widgets; widgets subclass it (`class Text(Widget)`)."""

    __slots__ = ()

    def height(self, width: int, theme: Theme) -> int:
        """Height in px that it needs at a width of `width` px."""
        ...

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Lay it out in the box."""
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

    def height(self, width: int, theme: Theme) -> int:
        """Height of the wrapped lines."""
        size = theme.px(self.size)
        count = 1 if self.lines == 1 else len(fonts.wrap(self.text, size, width, self.lines))
        return count * fonts.line_height(size)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the text."""
        words = Words(
            box=box,
            text=self.text,
            size=theme.px(self.size),
            color=theme.ink(self.color),
            align=self.align,
            bold=self.bold,
            lines=self.lines,
        )
        return Node(box=box, kind=TEXT, text=self.text, view_id=self.view_id, tap=self.tap, marks=(words,))


@dataclass(frozen=True, slots=True)
class Space(Widget):
    """Empty space, `dp` high."""

    dp: float = 8

    def height(self, width: int, theme: Theme) -> int:
        """Height of the space: its `dp` in px."""
        return theme.px(self.dp)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place an empty box."""
        return Node(box=box, kind="android.widget.Space")


@dataclass(frozen=True, slots=True)
class Divider(Widget):
    """A horizontal line."""

    def height(self, width: int, theme: Theme) -> int:
        """Height of the line: 1 dp, at least 1 px."""
        return max(1, theme.px(1))

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the line."""
        return Node(box=box, kind="android.view.View", marks=(Fill(box=box, color=theme.plate(LINE)),))


@dataclass(frozen=True, slots=True)
class Icon(Widget):
    """An icon, on a round or square plate of the colour `plate` if given; with `tap` an image button."""

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

    def height(self, width: int, theme: Theme) -> int:
        """Height of the widget: its `room` in px."""
        return theme.px(self.room)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the icon in the centre of the box."""
        size = theme.px(self.size)
        color = self.color if self.enabled else FAINT
        marks: list[Mark] = []
        if self.plate:
            side = round(size * 1.65)
            plate = box.middle(side, side)
            marks.append(
                Fill(
                    box=plate,
                    color=theme.plate(self.plate, AA_LARGE),
                    radius=side * 28 // 100 if self.square else side // 2,
                )
            )
        marks.append(Glyph(box=box.middle(size, size), name=self.glyph, color=theme.ink(color)))
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
    """A button with text; `style` is "filled", "tonal", "outline", "plain" or "danger"."""

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

    def height(self, width: int, theme: Theme) -> int:
        """Height of the widget: its `room` in px."""
        return theme.px(self.room)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place a rounded plate with the text in its centre."""
        ink, plate, edge = self._choose_colors(theme)
        body = box.inset(0, min(theme.px(3), box.height // 8))
        marks: list[Mark] = []
        radius = min(theme.px(theme.skin.button), body.height // 2)
        if edge:
            marks.append(Fill(box=body, color=edge, radius=radius))
            inner = body.inset(max(1, theme.px(1.2)))
            marks.append(Fill(box=inner, color=theme.plate(PAPER), radius=radius - 1))
        elif plate:
            marks.append(Fill(box=body, color=plate, radius=radius))
        size = theme.px(self.size)
        room = body.inset(theme.px(6), 0)
        if self.glyph:
            side = theme.px(self.size + 4)
            text = min(fonts.text_width(self.text, size), room.width - side)
            start = room.left + (room.width - text - side - theme.px(6)) // 2
            marks.append(
                Glyph(
                    box=PixelBox(start, body.top, start + side, body.bottom).middle(side, side),
                    name=self.glyph,
                    color=ink,
                )
            )
            room = PixelBox(start + side + theme.px(6), room.top, room.right, room.bottom)
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

    def _choose_colors(self, theme: Theme) -> tuple[str, str | None, str | None]:
        if not self.enabled:
            return theme.ink("disabled_ink"), theme.plate("disabled"), None
        ink = theme.ink(theme.accent)
        if self.style == "tonal":
            plate = theme.tint(theme.accent)
            return theme.skin.ink_on(mix_colors(theme.accent, theme.ink(INK), 0.15), plate), plate, None
        return {
            "filled": (WHITE, theme.plate(theme.accent), None),
            "outline": (ink, None, mix_colors(ink, theme.plate(PAPER), 0.35)),
            "plain": (ink, None, None),
            "danger": (WHITE, theme.plate(RED), None),
        }[self.style]


@dataclass(frozen=True, slots=True)
class Field(Widget):
    """A text field; a tap opens the keyboard, whose Enter key is labelled `enter` and does `submit`."""

    name: str
    hint: str
    _: KW_ONLY
    submit: ActionRef | None = None
    enter: str = ""
    glyph: str | None = None
    start: str = ""
    password: bool = False
    room: float = 44
    view_id: str = ""

    def height(self, width: int, theme: Theme) -> int:
        """Height of the widget: its `room` in px."""
        return theme.px(self.room)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place a pill with the typed text or the hint."""
        text = theme.fields.get(self.name, self.start)
        focused = theme.focus == self.name
        shown = "•" * len(text) if self.password else text
        body = box.inset(0, theme.px(2))
        radius = min(body.height // 2, theme.px(min(22, theme.skin.field)))
        plate = theme.plate(PAPER if focused else "field")
        edge = theme.ink(theme.accent) if focused else theme.plate("field_edge")
        line = max(1, theme.px(1.5))
        marks: list[Mark] = [
            Fill(box=body, color=edge, radius=radius),
            Fill(box=body.inset(line), color=plate, radius=radius - line),
        ]
        left = body.left + theme.px(14)
        if self.glyph:
            side = theme.px(18)
            at = PixelBox(left, body.top, left + side, body.bottom)
            marks.append(Glyph(box=at.middle(side, side), name=self.glyph, color=theme.ink(GREY)))
            left += side + theme.px(8)
        size = theme.px(15)
        room = PixelBox(left, body.top, max(left, body.right - theme.px(12)), body.bottom)
        ink = theme.ink(INK if shown else "hint")
        marks.append(Words(box=room, text=shown or self.hint, size=size, color=ink))
        if focused:
            x = (
                left + min(fonts.text_width(shown, size), max(0, room.width - line)) + line
                if shown
                else left - line * 2
            )
            middle = room.middle(room.width, theme.px(20))
            at = PixelBox(x, middle.top, x + line, middle.bottom)
            marks.append(Fill(box=at, color=theme.ink(theme.accent)))
        return Node(
            box=box,
            kind=EDIT,
            text=text,
            hint=self.hint,
            view_id=self.view_id or self.name,
            entry=TextEntry(name=self.name, submit=self.submit, enter=self.enter or gettext("完成")),
            focused=focused,
            password=self.password,
            marks=tuple(marks),
        )


@dataclass(frozen=True, slots=True)
class Switch(Widget):
    """An on-off switch; without `tap` it only shows a state, and the row around it takes the tap."""

    on: bool
    tap: ActionRef | None = None
    description: str = ""
    view_id: str = "switch_widget"

    def height(self, width: int, theme: Theme) -> int:
        """A touchable height."""
        return theme.px(48)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place the track and the thumb."""
        width, height, gap = theme.skin.switch
        track = box.middle(theme.px(width), theme.px(height))
        side = track.height
        thumb = PixelBox(track.right - side, track.top, track.right, track.bottom)
        if not self.on:
            thumb = PixelBox(track.left, track.top, track.left + side, track.bottom)
        inner = thumb.inset(theme.px(gap))
        color = theme.plate(theme.accent) if self.on else theme.plate("off")
        knob: str = WHITE
        if theme.skin.thin_switch:
            track, knob = track.inset(theme.px(2), track.height // 4), theme.plate(theme.accent)
            color = theme.tint(theme.accent) if self.on else color
            knob = knob if self.on else theme.plate("hint")
        return Node(
            box=box,
            kind="android.widget.Switch",
            text=gettext("开启", "switch") if self.on else gettext("关闭", "switch"),
            description=self.description,
            view_id=self.view_id,
            tap=self.tap,
            checkable=True,
            checked=self.on,
            marks=(
                Fill(box=track, color=color, radius=track.height // 2),
                Fill(box=inner, color=knob, radius=inner.height // 2),
            ),
        )


@dataclass(frozen=True, slots=True)
class CheckMark(Widget):
    """A radio button (`round`) or a check box."""

    on: bool
    round: bool = True

    def height(self, width: int, theme: Theme) -> int:
        """A touchable height."""
        return theme.px(44)

    def place(self, box: PixelBox, theme: Theme) -> Node:
        """Place a ring or a tick."""
        at = box.middle(theme.px(22), theme.px(22))
        if self.round:
            marks = (
                Glyph(
                    box=at,
                    name="radio_on" if self.on else "radio",
                    color=theme.ink(theme.accent if self.on else FAINT),
                ),
            )
        else:
            color = theme.plate(theme.accent if self.on else "off", AA_LARGE)
            plate = Fill(box=at, color=color, radius=min(theme.px(5), theme.px(theme.skin.card)))
            inner = at.inset(theme.px(3))
            marks = (plate, Glyph(box=inner, name="check", color=WHITE))  # type: ignore[assignment]
        kind = "android.widget.RadioButton" if self.round else "android.widget.CheckBox"
        return Node(box=box, kind=kind, checkable=True, checked=self.on, marks=marks)
