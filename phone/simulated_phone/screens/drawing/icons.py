"""Icons as shapes on a 24 x 24 grid, drawn with smooth edges at any size.

A shape is a letter and numbers: `l` a line through points, `p` a filled polygon, `c` a circle and `d` a disc
(x y r), `r` a rounded outline and `b` a filled rounded rectangle (x y x y radius), `a` an arc (x y r from to,
degrees clockwise). A `-` before the letter erases the shape. Lines are 2 units wide.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from PIL import Image, ImageDraw

GRID = 24
SMOOTH = 4  # oversampling factor: icons are drawn larger by it and scaled down

GLYPHS: Mapping[str, str] = MappingProxyType(
    {
        "add": "l 12 5 12 19; l 5 12 19 12",
        "airplane": (
            "p 12 2 13.5 4 13.5 9 21 14 21 16 13.5 13.5 13.5 18.5 16 20.5 16 22 12 21 8 22 8 20.5 "
            "10.5 18.5 10.5 13.5 3 16 3 14 10.5 9 10.5 4"
        ),
        "back": "l 20 12 5 12; l 11 5.5 4.5 12 11 18.5",
        "bag": "r 4 8 20 21 2; a 12 8 4 180 360",
        "bank": (
            "p 12 2 22 8.5 2 8.5; b 3 18.5 21 21.5 0; b 4.5 10 7.5 17.5 0; b 10.5 10 13.5 17.5 0; "
            "b 16.5 10 19.5 17.5 0"
        ),
        "battery": "r 2 7 20 17 2; b 21 10 23 14 1",
        "bell": "p 12 3 16 5 18 9 18 15 20 18 4 18 6 15 6 9 8 5; d 12 20 2",
        "bluetooth": "l 6.5 7.5 17 16.5 12 21 12 3 17 7.5 6.5 16.5",
        "book": "r 3 4 12 19 1; r 12 4 21 19 1; b 11 4 13 20 0",
        "brightness": (
            "d 12 12 5; l 12 1.5 12 4; l 12 20 12 22.5; l 1.5 12 4 12; l 20 12 22.5 12; l 4.6 4.6 6.3 "
            "6.3; l 17.7 17.7 19.4 19.4; l 4.6 19.4 6.3 17.7; l 17.7 6.3 19.4 4.6"
        ),
        "calendar": (
            "r 3 5 21 21 2; b 3 5 21 10 2; l 8 2.5 8 6; l 16 2.5 16 6; b 7 13 10 16 0; b 14 13 17 16 0"
        ),
        "call": (
            "p 4 3 8.5 3 10 8.2 7.6 10 9.5 13 11.8 15.2 14 16.4 15.8 14 21 15.5 21 20 18.5 21.2 12 19 7 "
            "15.5 4.3 11.5 2.8 6"
        ),
        "camera": "b 2 7 22 20 3; b 8 4 16 9 2; -d 12 13.5 4.5; d 12 13.5 2.5",
        "car": (
            "p 6 6 18 6 20.5 11.5 3.5 11.5; b 2 11 22 18 2; b 4 17 7.5 20.5 1; b 16.5 17 20 20.5 1; "
            "-d 6 14.3 1.4; -d 18 14.3 1.4"
        ),
        "cart": "l 2 4 5 4 8 15 18 15 21 7 6 7; d 9 19.5 1.8; d 17 19.5 1.8",
        "chat": "b 2 4 22 17 4; p 6 16 6 21.5 12 16; -d 8 10.5 1.4; -d 12 10.5 1.4; -d 16 10.5 1.4",
        "check": "l 4.5 12.5 10 18 20 6.5",
        "chevron": "l 9 5 16 12 9 19",
        "chevron_down": "l 5 9 12 16 19 9",
        "clock": "c 12 12 10; l 12 6.5 12 12 16 14.5",
        "close": "l 5.5 5.5 18.5 18.5; l 18.5 5.5 5.5 18.5",
        "cloud": "d 7.5 15 4.5; d 12.5 11 5.5; d 17.5 15 4; b 7 13 18 19.3 2",
        "compass": "c 12 12 10; p 16.5 7.5 13.5 13.5 7.5 16.5 10.5 10.5",
        "data": "l 8 20 8 5; l 4 9 8 4.5 12 9; l 16 4 16 19; l 12 15 16 19.5 20 15",
        "delete": (
            "b 6 8 18 21.5 2; b 4 4.5 20 6.5 1; b 9 2.5 15 5 1; -b 9.3 10.5 10.8 19 0; -b 13.2 10.5 14.7 19 0"
        ),
        "display": "r 3 4 21 17 2; l 8 21 16 21; l 12 17 12 21",
        "download": "l 12 3 12 15; l 6.5 10 12 15.5 17.5 10; l 4 20.5 20 20.5",
        "edit": "p 4 16 15.5 4.5 19.5 8.5 8 20 3.5 20.5; -l 13.2 7.2 16.8 10.8",
        "eye": "c 12 12 3.4; a 12 17 10.5 215 325; a 12 7 10.5 35 145",
        "film": "b 2.5 4 21.5 20 3; -p 10 8 16.5 12 10 16",
        "flag": "l 5 3 5 21.5; p 5 4 19 4 16 8.5 19 13 5 13",
        "flash": "p 13.5 1.5 4 14 11 14 10 22.5 20 9.5 12.5 9.5",
        "flashlight": (
            "b 7 2.5 17 5.5 1; p 7 7 17 7 14.5 11.5 14.5 21.5 9.5 21.5 9.5 11.5; -b 11.2 12.5 12.8 16 0"
        ),
        "folder": "b 2.5 6.5 21.5 20 2; b 2.5 4 11 10 2",
        "food": (
            "l 6 2.5 6 21; a 6 6 3.2 0 180; l 2.8 2.5 2.8 6; l 9.2 2.5 9.2 6; p 15 2.5 19 5 19 13 15 "
            "13; l 16 12 16 21"
        ),
        "gear": (
            "d 12 12 7; b 10 1.5 14 22.5 1; b 1.5 10 22.5 14 1; p 3.2 6 6 3.2 20.8 18 18 20.8; p 18 "
            "3.2 20.8 6 6 20.8 3.2 18; -d 12 12 3.3"
        ),
        "grid": "b 3 3 10.5 10.5 2; b 13.5 3 21 10.5 2; b 3 13.5 10.5 21 2; b 13.5 13.5 21 21 2",
        "heart": "d 7.6 8.6 5.1; d 16.4 8.6 5.1; p 3 11 12 8 21 11 12 21.5",
        "heart_line": "a 7.5 8.7 4.7 150 325; a 16.5 8.7 4.7 215 390; l 3.4 11 12 20.5 20.6 11",
        "history": "a 13 12 9 -150 150; l 13 7 13 12 16.5 14; p 1.5 8 8.5 8 5 13",
        "home": "p 12 2.5 22 11.5 19.5 11.5 19.5 21 4.5 21 4.5 11.5 2 11.5; -b 9.7 14 14.3 21 0",
        "image": "r 3 4 21 20 2; d 8.5 9.5 1.9; p 4 19 10 12 14 16 17 13 20.5 19",
        "keyboard": (
            "r 1.5 5 22.5 19 2; l 7 15 17 15; d 6 9 1; d 10 9 1; d 14 9 1; d 18 9 1; d 6 12 1; d 10 "
            "12 1; d 14 12 1; d 18 12 1"
        ),
        "language": "c 12 12 10; l 2 12 22 12; a 4.2 12 10 -52 52; a 19.8 12 10 128 232",
        "list": "l 8 6 21 6; l 8 12 21 12; l 8 18 21 18; d 4 6 1.5; d 4 12 1.5; d 4 18 1.5",
        "location": "d 12 9.5 7; p 5.9 13 18.1 13 12 22.5; -d 12 9.5 2.6",
        "lock": (
            "b 4.5 10.5 19.5 21.5 2; a 12 8 4.3 180 360; l 7.7 8 7.7 12; l 16.3 8 16.3 12; -d 12 16 1.7"
        ),
        "mail": "b 2.5 5 21.5 19 2; -l 3.5 7 12 13.5 20.5 7",
        "map": (
            "p 3 5.5 9 3 9 18.5 3 21; p 10 3 14.5 5.3 14.5 20.8 10 18.5; p 15.5 5.3 21 3 21 18.5 15.5 20.8"
        ),
        "mic": "b 8.7 2.5 15.3 14 3.3; a 12 11.5 6.6 0 180; l 12 18 12 21.5; l 8 21.5 16 21.5",
        "minus": "l 5 12 19 12",
        "moon": "d 11 12 9; -d 15.5 9.5 7.5",
        "more": "d 12 5 2; d 12 12 2; d 12 19 2",
        "music": "d 6.5 18 3.5; d 17.5 16 3.5; l 9 18 9 5.5; l 20 16 20 3.5; p 8 4.9 21 2.3 21 6.3 8 8.9",
        "nav_angle": "l 15 5 8 12 15 19",
        "nav_back": "p 17.5 4.5 17.5 19.5 5 12",
        "nav_dot": "d 12 12 7",
        "nav_home": "c 12 12 7.5",
        "nav_lines": "l 6.5 5 6.5 19; l 12 5 12 19; l 17.5 5 17.5 19",
        "nav_recents": "r 5 5 19 19 2",
        "nav_square": "r 5.5 5.5 18.5 18.5 5",
        "next": "p 4 4.5 15 12 4 19.5; b 16.5 4.5 19.5 19.5 1",
        "note": "b 4 2.5 20 21.5 2; -b 7.5 7 16.5 8.7 0; -b 7.5 11 16.5 12.7 0; -b 7.5 15 13 16.7 0",
        "pause": "b 5.5 4 9.8 20 1; b 14.2 4 18.5 20 1",
        "person": "d 12 7.5 4.7; p 3.5 21 4 17.5 7.5 14.5 16.5 14.5 20 17.5 20.5 21",
        "phone": "r 6.5 2 17.5 22 2; l 10.5 19 13.5 19",
        "play": "p 6 3.5 20.5 12 6 20.5",
        "previous": "p 20 4.5 9 12 20 19.5; b 4.5 4.5 7.5 19.5 1",
        "radio": "c 12 12 9.5",
        "radio_on": "c 12 12 9.5; d 12 12 5",
        "rain": (
            "d 7.5 11 4; d 12.5 8 5; d 17 11 3.8; b 7 9.5 17.5 15 2; l 8 17.5 7 21; l 12.5 17.5 11.5 "
            "21; l 17 17.5 16 21"
        ),
        "refresh": "a 12 12 8.2 -30 250; p 22.5 5 22 12.5 15.5 9.5",
        "search": "c 10.5 10.5 7; l 15.7 15.7 21 21",
        "send": "p 2 3 22.5 12 2 21 5 13 14 12 5 11",
        "share": "d 18 5 2.8; d 6 12 2.8; d 18 19 2.8; l 18 5 6 12 18 19",
        "seat": "b 5.5 3 18.5 14 3; b 2.5 9 6 19 1; b 18 9 21.5 19 1; b 5 15.5 19 19.5 1",
        "shift": "p 12 3 21 12.5 16 12.5 16 20 8 20 8 12.5 3 12.5",
        "shop": "b 3.5 9.5 20.5 21 1; p 4 3 20 3 22 9.5 2 9.5; -b 9 13.5 15 21 0",
        "shuffle": (
            "l 2 7 6 7 16 17 20 17; l 2 17 6 17 9 14; l 13 10 16 7 20 7; p 18 3.5 23 7 18 10.5; p 18 "
            "13.5 23 17 18 20.5"
        ),
        "snow": "l 12 2 12 22; l 3.3 7 20.7 17; l 3.3 17 20.7 7",
        "sound": (
            "p 2.5 8.5 7 8.5 12.5 3.5 12.5 20.5 7 15.5 2.5 15.5; a 12.5 12 4.5 -50 50; a 12.5 12 8.5 -50 50"
        ),
        "star": "p 12 2 15 8.8 22.2 9.5 16.7 14.3 18.4 21.5 12 17.7 5.6 21.5 7.3 14.3 1.8 9.5 9 8.8",
        "star_line": ("l 12 3 14.7 9.2 21 9.8 16.2 14 17.7 20.4 12 17 6.3 20.4 7.8 14 3 9.8 9.3 9.2 12 3"),
        "stopwatch": "c 12 13.5 8.5; l 12 13.5 12 9; b 9 1.5 15 3.7 1; l 18.5 6 20.5 8",
        "storage": "b 3 4 21 10.5 2; b 3 13.5 21 20 2; -d 7 7.2 1.3; -d 7 16.7 1.3",
        "sun": (
            "d 12 12 5; l 12 1.5 12 4; l 12 20 12 22.5; l 1.5 12 4 12; l 20 12 22.5 12; l 4.6 4.6 6.3 "
            "6.3; l 17.7 17.7 19.4 19.4; l 4.6 19.4 6.3 17.7; l 17.7 6.3 19.4 4.6"
        ),
        "ticket": (
            "b 2 5 22 19 2; -d 2 12 2.4; -d 22 12 2.4; -b 14 7 15 10 0; -b 14 11 15 13 0; -b 14 14 15 17 0"
        ),
        "timer": (
            "l 6 2.5 18 2.5; l 6 21.5 18 21.5; p 7 3 17 3 17 7 12.8 12 17 17 17 21 7 21 7 17 11.2 12 7 7"
        ),
        "train": (
            "b 5 2.5 19 18 4; -b 7.5 6 16.5 11 1; -d 8.8 14.5 1.3; -d 15.2 14.5 1.3; "
            "l 8 18.5 5.5 22; l 16 18.5 18.5 22"
        ),
        "truck": (
            "b 1.5 5 14.5 17 1; p 15.5 8.5 19.5 8.5 22.5 13 22.5 17 15.5 17; d 6.5 18.5 2.6; d 18 "
            "18.5 2.6; -d 6.5 18.5 1; -d 18 18.5 1"
        ),
        "wallet": "b 2.5 5.5 21.5 19.5 2; -b 14 10.5 21.5 14.5 1; d 17 12.5 1.2",
        "weather": (
            "d 15.5 8 4.5; l 15.5 0.5 15.5 2.5; l 21 3 22.2 1.8; l 21.5 8 23.5 8; d 7 16 4.2; d 12 "
            "13.5 4.6; d 17 16.5 3.7; b 7 15 17 20.2 1"
        ),
        "wifi": "d 12 19 2.2; a 12 19 7 -135 -45; a 12 19 12 -135 -45; a 12 19 16.5 -133 -47",
    }
)


@lru_cache(maxsize=1024)
def mask(name: str, size: int) -> Image.Image:
    """Draw the icon as a greyscale mask of size x size px."""
    scale = size * SMOOTH / GRID
    big = Image.new("L", (size * SMOOTH, size * SMOOTH))
    draw = ImageDraw.Draw(big)
    for shape in GLYPHS[name].split(";"):
        letter, *numbers = shape.split()
        color = 0 if letter.startswith("-") else 255
        _draw_shape(draw, letter[-1], [float(number) * scale for number in numbers], color, scale)
    return big.resize((size, size), Image.Resampling.BOX)


def _draw_shape(draw: ImageDraw.ImageDraw, letter: str, at: list[float], color: int, scale: float) -> None:
    width = round(2 * scale)
    if letter == "l":
        draw.line(at, fill=color, width=width, joint="curve")
        for x, y in (at[:2], at[-2:]):
            draw.ellipse((x - scale, y - scale, x + scale, y + scale), fill=color)
    elif letter == "p":
        draw.polygon(at, fill=color)
    elif letter == "r":
        draw.rounded_rectangle(at[:4], at[4], outline=color, width=width)
    elif letter == "b":
        draw.rounded_rectangle(at[:4], at[4], fill=color)
    else:
        x, y, radius = at[:3]
        ring = (x - radius, y - radius, x + radius, y + radius)
        if letter == "c":
            draw.ellipse(ring, outline=color, width=width)
        elif letter == "d":
            draw.ellipse(ring, fill=color)
        else:
            draw.arc(ring, at[3] / scale, at[4] / scale, fill=color, width=width)
