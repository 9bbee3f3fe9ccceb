"""The drawn map: streets, blocks, a river, places with their names, and a route to one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulated_phone.language.language import messages
from simulated_phone.screens.drawing import fonts
from simulated_phone.screens.layouts.widgets import LAYOUT
from simulated_phone.screens.nodes import ActionRef, Fill, Glyph, Mark, Node, PixelBox, Words
from simulated_phone.screens.theme import INK, PAPER, RED, WHITE, Theme

from .data import Place

_ = messages(__name__)

STREET = 600
"""Metres between two streets; every third street is wide."""
LAND, PARK, HOUSES, WATER = "#f0ede6", "#cfe8c6", "#e6e0d4", "#b7d7f2"
WAY, MARKER = "#2f6fed", "#3f7d58"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """A place on the map: its name, its position, and the action of a tap on it."""

    name: str
    x: int
    y: int
    tap: ActionRef | None = None
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """A section of the map.

    Args:
        seed: Seed of the phone, which determines the town.
        x: East coordinate of the centre, metres from the phone.
        y: South coordinate of the centre, metres from the phone.
        metres: Width of the shown section.
        pins: Places to draw; one whose name would cover another's is left out.
        way: Destination of the route drawn from the phone, (x, y) in metres; None draws no route.
        room: Height, dp.
    """

    seed: int
    x: int = 0
    y: int = 0
    metres: int = 4000
    pins: Sequence[Pin] = ()
    way: tuple[int, int] | None = None
    room: float = 300

    def height(self, width: int, look: Theme) -> int:
        """Height in px."""
        return look.px(self.room)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Lay out the land, streets, the route, the phone's own dot and the places."""
        marks: list[Mark] = [
            Fill(box=box, color=look.plate(LAND)),
            *self._blocks(box, look),
            *self._streets(box, look),
        ]
        if self.way:
            marks += self._route(box, look, *self.way)
        x, y = self._to_pixel(box, 0, 0)
        for radius, color in ((11, WHITE), (8, WAY)):
            side = look.px(radius)
            dot = PixelBox(x - side, y - side, x + side, y + side)
            if dot.clip(box) == dot:
                marks.append(Fill(box=dot, color=color, radius=side))
        return Node(
            box=box,
            kind=LAYOUT,
            description=_("地图"),
            view_id="map",
            marks=tuple(marks),
            children=tuple(self._pins(box, look)),
        )

    def _to_pixel(self, box: PixelBox, x: int, y: int) -> tuple[int, int]:
        """The pixel of a point given in metres."""
        middle_x, middle_y = box.centre
        return (
            middle_x + (x - self.x) * box.width // self.metres,
            middle_y + (y - self.y) * box.width // self.metres,
        )

    def _cells(self, box: PixelBox) -> list[tuple[int, int, PixelBox]]:
        across, down = self.metres // 2, self.metres * box.height // box.width // 2
        columns = range((self.x - across) // STREET, (self.x + across) // STREET + 1)
        rows = range((self.y - down) // STREET, (self.y + down) // STREET + 1)
        found = []
        for column in columns:
            for row in rows:
                left, top = self._to_pixel(box, column * STREET, row * STREET)
                right, bottom = self._to_pixel(box, (column + 1) * STREET, (row + 1) * STREET)
                found.append((column, row, PixelBox(left, top, right, bottom).clip(box)))
        return found

    def _blocks(self, box: PixelBox, look: Theme) -> list[Mark]:
        marks: list[Mark] = []
        river = 2 + self.seed % 3
        for column, row, cell in self._cells(box):
            kind = (column * 7349 + row * 1933 + self.seed * 8363) % 11
            color = WATER if row == river else PARK if kind == 0 else HOUSES if kind < 4 else ""
            if color and not cell.empty:
                marks.append(Fill(box=cell, color=look.plate(color)))
        return marks

    def _streets(self, box: PixelBox, look: Theme) -> list[Mark]:
        marks: list[Mark] = []
        for column, row, _unused in self._cells(box):
            left, top = self._to_pixel(box, column * STREET, row * STREET)
            for street in (
                self._street(PixelBox(left, box.top, left, box.bottom), column, look),
                self._street(PixelBox(box.left, top, box.right, top), row, look),
            ):
                shown = Fill(box=street.clip(box), color=look.plate(PAPER))
                if shown not in marks and not shown.box.empty:
                    marks.append(shown)
        return marks

    def _street(self, line: PixelBox, number: int, look: Theme) -> PixelBox:
        half = look.px(4 if number % 3 == 0 else 2)
        return line.inset(-half)

    def _route(self, box: PixelBox, look: Theme, x: int, y: int) -> list[Mark]:
        """Mark the route: along one street and then along another."""
        here, there = self._to_pixel(box, 0, 0), self._to_pixel(box, x, y)
        half = look.px(3)
        legs = ((here, (there[0], here[1])), ((there[0], here[1]), there))
        return [
            Fill(
                box=PixelBox(
                    min(start[0], end[0]) - half,
                    min(start[1], end[1]) - half,
                    max(start[0], end[0]) + half,
                    max(start[1], end[1]) + half,
                ).clip(box),
                color=WAY,
                radius=half,
            )
            for start, end in legs
        ]

    def _pins(self, box: PixelBox, look: Theme) -> list[Node]:
        nodes: list[Node] = []
        for pin in self.pins:
            node = self._pin(box, look, pin)
            apart = all(node.box.inset(-4).clip(other.box).empty for other in nodes)
            if apart and node.box.clip(box) == node.box:
                nodes.append(node)
        return nodes

    def _pin(self, box: PixelBox, look: Theme, pin: Pin) -> Node:
        size, side = look.px(12), look.px(26 if pin.chosen else 20)
        wide = max(side, fonts.text_width(pin.name, size) + look.px(6))
        x, y = self._to_pixel(box, pin.x, pin.y)
        high = side + fonts.line_height(size)
        at = PixelBox(x - wide // 2, y - side, x - wide // 2 + wide, y - side + high)
        mark = PixelBox(x - side // 2, at.top, x - side // 2 + side, at.top + side)
        name = at._replace(top=mark.bottom)
        color = look.ink(RED if pin.chosen else MARKER)
        marks: list[Mark] = [Glyph(box=mark, name="location", color=color)]
        if pin.chosen:
            marks.append(Fill(box=name, color=look.plate(PAPER), radius=look.px(4)))
        marks.append(Words(box=name, text=pin.name, size=size, color=look.ink(INK), align="center"))
        return Node(
            box=at,
            kind="android.view.View",
            description=pin.name,
            view_id="marker",
            tap=pin.tap,
            marks=tuple(marks),
        )


def find_way(seed: int, place: Place, room: float, *, tall: float = 2.6) -> Canvas:
    """The map with the way to a place; `tall` times its distance to the north or south fits the width."""
    metres = round(max(abs(place.x) * 1.7, abs(place.y) * tall, 1200))
    pin, way = Pin(name=place.name, x=place.x, y=place.y, chosen=True), (place.x, place.y)
    return Canvas(seed=seed, x=place.x // 2, y=place.y // 2, metres=metres, pins=[pin], way=way, room=room)
