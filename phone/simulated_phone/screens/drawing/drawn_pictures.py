"""Generated pictures: portraits, scenes, dishes, goods, record covers, posters and shop fronts.

Each follows from its subject and a name alone, so equal names have equal pictures on every phone. They are
drawn at twice their size and kept, so that a picture that is shown again costs a copy.
"""

from __future__ import annotations

import colorsys
import math
import random
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

from PIL import Image, ImageDraw

SMOOTH = 2  # oversampling factor
KEPT = 256
"""Number of drawn pictures that are kept."""
SKINS = ("#f3d3b8", "#e8bd98", "#d9a57b", "#f6dcc6")
HAIRS = ("#1f1a17", "#3b2a20", "#2b2b33", "#5a3d28", "#8a8a8a")

Color = str
Canvas = ImageDraw.ImageDraw


def tone(hue: float, saturation: float, value: float) -> Color:
    """A colour of hue, saturation and value, each 0-1.

    >>> tone(0, 0, 1)
    '#ffffff'
    """
    return "#" + "".join(
        f"{round(255 * part):02x}" for part in colorsys.hsv_to_rgb(hue % 1, saturation, value)
    )


def _draw_gradient(canvas: Canvas, size: tuple[int, int], first: Color, last: Color) -> None:
    width, height = size
    one, other = (tuple(int(color[i : i + 2], 16) for i in (1, 3, 5)) for color in (first, last))
    bands = min(height, 48)
    for band in range(bands):
        share = band / max(1, bands - 1)
        color = tuple(round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
        canvas.rectangle((0, height * band // bands, width, height * (band + 1) // bands), fill=color)


def _draw_disc(canvas: Canvas, x: float, y: float, radius: float, color: Color, stretch: float = 1.0) -> None:
    canvas.ellipse((x - radius, y - radius * stretch, x + radius, y + radius * stretch), fill=color)


def _draw_face(canvas: Canvas, size: tuple[int, int], rng: random.Random) -> None:
    """A portrait, or for one in four a scene in its place, as people have."""
    if rng.random() < 0.25:
        _draw_scene(canvas, size, rng)
        return
    width, height = size
    hue, unit, middle = rng.random(), min(size), width / 2
    _draw_gradient(canvas, size, tone(hue, 0.25, 0.95), tone(hue, 0.4, 0.75))
    skin, hair = rng.choice(SKINS), rng.choice(HAIRS)
    head, top = unit * 0.21, height * 0.42
    long_hair = rng.random() < 0.5
    if long_hair:
        canvas.rounded_rectangle(
            (middle - head * 1.25, top - head, middle + head * 1.25, top + head * 1.9), head * 0.7, fill=hair
        )
    _draw_disc(canvas, middle, height + unit * 0.06, unit * 0.42, tone(rng.random(), 0.5, 0.65), 0.72)
    canvas.rectangle((middle - head * 0.35, top, middle + head * 0.35, top + head * 1.6), fill=skin)
    _draw_disc(canvas, middle, top - head * 0.25, head * 1.12, hair, 1.1)
    _draw_disc(canvas, middle, top + head * 0.12, head, skin, 1.12)
    fringe = (middle - head * 1.05, top - head * 1.15, middle + head * 1.05, top + head * 0.1)
    canvas.pieslice(fringe, 180 + rng.randint(0, 20), 360 - rng.randint(0, 20), fill=hair)
    glasses = rng.random() < 0.3
    for side in (-1, 1):
        _draw_disc(canvas, middle + side * head * 0.4, top + head * 0.2, head * 0.1, "#2a2220")
        if glasses:
            x = middle + side * head * 0.4
            ring = (x - head * 0.27, top - head * 0.07, x + head * 0.27, top + head * 0.47)
            canvas.ellipse(ring, outline="#3a3a3a", width=max(1, round(head * 0.07)))
    mouth = (middle - head * 0.3, top + head * 0.35, middle + head * 0.3, top + head * 0.8)
    canvas.arc(mouth, 20, 160, fill="#a2453f", width=max(1, round(head * 0.1)))


def _draw_scene(canvas: Canvas, size: tuple[int, int], rng: random.Random) -> None:
    """A landscape or a town, by day, at dusk or at night."""
    width, height = size
    hour = rng.choice(("day", "day", "dusk", "night"))
    first, last, far = {
        "day": ("#4f9be0", "#d7ecf8", 0.75),
        "dusk": ("#5b4a8a", "#f6a469", 0.45),
        "night": ("#0d1730", "#2f4470", 0.28),
    }[hour]
    _draw_gradient(canvas, size, first, last)
    light = {"day": "#fff3b8", "dusk": "#ffd27a", "night": "#eef2ff"}[hour]
    _draw_disc(
        canvas, width * rng.uniform(0.15, 0.85), height * rng.uniform(0.12, 0.3), min(size) * 0.09, light
    )
    if rng.random() < 0.35:
        _draw_town(canvas, size, rng, far)
        return
    hue = rng.choice((0.33, 0.38, 0.55, 0.6, 0.25))
    layers = rng.randint(2, 4)
    for layer in range(layers):
        share = (layer + 1) / layers
        base, high = height * (0.42 + 0.42 * share), height * (0.3 - 0.16 * share)
        peaks, phase = rng.uniform(1.2, 3.0), rng.uniform(0, 6)
        points = [(0.0, float(height))]
        for step in range(25):
            x = step / 24
            wave = math.sin(peaks * math.pi * x + phase) + 0.35 * math.sin(7 * x + phase * 2)
            points.append((x * width, base - high * wave))
        points.append((float(width), float(height)))
        canvas.polygon(points, fill=tone(hue, 0.25 + 0.4 * share, far * (1.05 - 0.45 * share)))
    if rng.random() < 0.4:
        water = tone(0.57, 0.45, far)
        canvas.rectangle((0, height * 0.84, width, height), fill=water)
        for _ in range(5):
            x, y = rng.uniform(0, width), rng.uniform(height * 0.86, height)
            canvas.line((x, y, x + width * 0.12, y), fill=tone(0.57, 0.2, min(1, far + 0.2)), width=SMOOTH)
    else:
        for _ in range(rng.randint(2, 7)):
            x, y, tall = (
                rng.uniform(0, width),
                height * rng.uniform(0.8, 0.98),
                height * rng.uniform(0.1, 0.2),
            )
            shape = [(x, y - tall), (x - tall * 0.32, y), (x + tall * 0.32, y)]
            canvas.polygon(shape, fill=tone(0.38, 0.55, far * 0.45))


def _draw_town(canvas: Canvas, size: tuple[int, int], rng: random.Random, far: float) -> None:
    width, height = size
    x = -width * 0.05
    while x < width:
        wide, tall = width * rng.uniform(0.1, 0.2), height * rng.uniform(0.25, 0.62)
        top = height * 0.92 - tall
        canvas.rectangle((x, top, x + wide, height), fill=tone(rng.uniform(0.55, 0.68), 0.22, far * 0.75))
        step = max(4.0, wide / 5)
        lit = "#ffe9a6" if far < 0.6 else "#e8f1f8"
        rows = min(12, int(tall / (step * 1.4)))
        for row in range(rows):
            for column in range(3):
                if rng.random() < 0.55:
                    left, up = x + step * (1 + 1.2 * column), top + step * (0.7 + 1.4 * row)
                    canvas.rectangle((left, up, left + step * 0.6, up + step * 0.7), fill=lit)
        x += wide * 1.08
    canvas.rectangle((0, height * 0.92, width, height), fill=tone(0.6, 0.1, far * 0.5))


def _draw_dish(canvas: Canvas, size: tuple[int, int], rng: random.Random) -> None:
    """A plate or bowl from above on a table."""
    width, height = size
    unit, x, y = min(size), width / 2, height / 2
    _draw_gradient(
        canvas, size, tone(0.08, 0.45, rng.uniform(0.4, 0.75)), tone(0.07, 0.5, rng.uniform(0.3, 0.5))
    )
    _draw_disc(canvas, x + unit * 0.02, y + unit * 0.04, unit * 0.43, "#3a281d")
    _draw_disc(canvas, x, y, unit * 0.42, rng.choice(("#fbfaf6", "#e9eef2", "#f3e7d3", "#34404a")))
    sauce = tone(rng.choice((0.03, 0.07, 0.1, 0.14, 0.28)), rng.uniform(0.5, 0.85), rng.uniform(0.5, 0.9))
    _draw_disc(canvas, x, y, unit * 0.32, sauce)
    hues = rng.sample((0.0, 0.06, 0.11, 0.15, 0.3, 0.36), 3)
    for _ in range(rng.randint(14, 26)):
        far, angle = unit * 0.26 * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
        at = (x + far * math.cos(angle), y + far * math.sin(angle))
        color = tone(rng.choice(hues), rng.uniform(0.45, 0.9), rng.uniform(0.45, 0.98))
        _draw_disc(canvas, *at, unit * rng.uniform(0.025, 0.07), color, rng.uniform(0.5, 1.0))
    for _ in range(5):
        far, angle = unit * rng.uniform(0, 0.24), rng.uniform(0, 2 * math.pi)
        _draw_disc(canvas, x + far * math.cos(angle), y + far * math.sin(angle), unit * 0.022, "#4f9a3a")


def _draw_goods(canvas: Canvas, size: tuple[int, int], rng: random.Random) -> None:
    """A thing for sale before a pale ground: a box, bottle, screen, cup, bag or ball."""
    width, height = size
    unit, x, y = min(size), width / 2, height * 0.52
    hue = rng.random()
    _draw_gradient(canvas, size, tone(hue, 0.06, 0.98), tone(hue, 0.16, 0.86))
    _draw_disc(canvas, x, y + unit * 0.33, unit * 0.33, tone(hue, 0.2, 0.72), 0.16)
    body, dark, pale = (tone(hue + 0.5, s, v) for s, v in ((0.6, 0.8), (0.65, 0.55), (0.25, 0.97)))
    kind = rng.randrange(6)

    def block(
        left: float, top: float, right: float, bottom: float, color: Color, radius: float = 0.04
    ) -> None:
        box = (x + unit * left, y + unit * top, x + unit * right, y + unit * bottom)
        canvas.rounded_rectangle(box, unit * radius, fill=color)

    if kind == 0:
        block(-0.26, -0.22, 0.26, 0.32, body)
        block(-0.26, -0.22, -0.1, 0.32, dark)
        block(-0.02, -0.06, 0.18, 0.08, pale, 0.02)
    elif kind == 1:
        block(-0.07, -0.36, 0.07, -0.2, dark, 0.02)
        block(-0.15, -0.24, 0.15, 0.33, body, 0.09)
        block(-0.15, -0.05, 0.15, 0.18, pale, 0)
    elif kind == 2:
        block(-0.19, -0.36, 0.19, 0.34, "#23262d", 0.06)
        block(-0.165, -0.32, 0.165, 0.3, body, 0.03)
        _draw_disc(canvas, x, y - unit * 0.02, unit * 0.1, pale)
    elif kind == 3:
        ring = (x + unit * 0.1, y - unit * 0.12, x + unit * 0.34, y + unit * 0.18)
        canvas.ellipse(ring, outline=dark, width=max(2, round(unit * 0.045)))
        block(-0.22, -0.24, 0.2, 0.32, body, 0.06)
        _draw_disc(canvas, x - unit * 0.01, y - unit * 0.23, unit * 0.205, pale, 0.2)
    elif kind == 4:
        ring = (x - unit * 0.14, y - unit * 0.38, x + unit * 0.14, y)
        canvas.arc(ring, 180, 360, fill=dark, width=max(2, round(unit * 0.04)))
        block(-0.26, -0.18, 0.26, 0.33, body, 0.05)
        block(-0.26, -0.02, 0.26, 0.04, dark, 0)
    else:
        _draw_disc(canvas, x, y + unit * 0.03, unit * 0.29, body)
        _draw_disc(canvas, x - unit * 0.09, y - unit * 0.08, unit * 0.1, pale)


def _draw_record(canvas: Canvas, size: tuple[int, int], rng: random.Random) -> None:
    """An abstract cover: rings, stripes, blocks, or a scene."""
    width, height = size
    hue, kind = rng.random(), rng.randrange(4)
    if kind == 3:
        _draw_scene(canvas, size, rng)
        return
    _draw_gradient(canvas, size, tone(hue, 0.55, 0.85), tone(hue + 0.12, 0.7, 0.45))
    if kind == 0:
        x, y = width * rng.uniform(0.3, 0.7), height * rng.uniform(0.3, 0.7)
        for ring in range(6, 0, -1):
            _draw_disc(
                canvas, x, y, min(size) * 0.08 * ring, tone(hue + 0.07 * ring, 0.5, 0.95 - 0.08 * ring)
            )
    elif kind == 1:
        step = max(6, width // rng.randint(5, 9))
        for place in range(-height // step, width // step + 1, 2):
            start = place * step
            shape = [(start, height), (start + height, 0), (start + height + step, 0), (start + step, height)]
            canvas.polygon(shape, fill=tone(hue + 0.45, 0.4, 0.95))
    else:
        for _ in range(7):
            left, top = rng.uniform(-0.2, 0.8) * width, rng.uniform(-0.2, 0.8) * height
            right, bottom = left + rng.uniform(0.2, 0.6) * width, top + rng.uniform(0.2, 0.6) * height
            color = tone(hue + rng.uniform(-0.1, 0.5), rng.uniform(0.3, 0.8), rng.uniform(0.5, 1))
            canvas.rectangle((left, top, right, bottom), fill=color)


def _draw_poster(canvas: Canvas, size: tuple[int, int], rng: random.Random) -> None:
    """A poster or book cover: a figure before a large moon, with lines for the title."""
    width, height = size
    hue = rng.random()
    _draw_gradient(canvas, size, tone(hue, 0.6, 0.32), tone(hue + 0.08, 0.55, 0.78))
    _draw_disc(
        canvas, width * rng.uniform(0.35, 0.65), height * 0.42, min(size) * 0.3, tone(hue + 0.1, 0.2, 0.98)
    )
    figure, x, unit = tone(hue, 0.6, 0.14), width * rng.uniform(0.4, 0.6), min(size)
    _draw_disc(canvas, x, height * 0.5, unit * 0.08, figure)
    canvas.polygon(
        [(x, height * 0.5), (x - unit * 0.17, height * 0.86), (x + unit * 0.17, height * 0.86)], fill=figure
    )
    canvas.rectangle((0, height * 0.84, width, height), fill=figure)
    for line, share in ((0.885, 0.5), (0.94, 0.3)):
        half, low = width * share / 2, height * line
        box = (width / 2 - half, low, width / 2 + half, low + height * 0.02)
        canvas.rectangle(box, fill=tone(hue, 0.1, 0.95))


def _draw_shop(canvas: Canvas, size: tuple[int, int], rng: random.Random) -> None:
    """The front of a shop: sign, striped awning, window and door."""
    width, height = size
    hue = rng.random()
    _draw_gradient(canvas, size, "#cfe3f2", "#e9ecee")
    canvas.rectangle((width * 0.06, height * 0.16, width * 0.94, height), fill=tone(hue, 0.2, 0.9))
    canvas.rectangle((width * 0.06, height * 0.16, width * 0.94, height * 0.34), fill=tone(hue, 0.7, 0.55))
    canvas.rectangle((width * 0.28, height * 0.22, width * 0.72, height * 0.28), fill="#fff6dc")
    for stripe in range(8):
        left = width * (0.04 + 0.115 * stripe)
        color = tone(hue + 0.5, 0.65, 0.85) if stripe % 2 else "#fbfaf7"
        shape = (left, height * 0.32, left + width * 0.115, height * 0.52)
        canvas.rounded_rectangle(shape, width * 0.05, fill=color)
    canvas.rectangle((width * 0.14, height * 0.56, width * 0.56, height * 0.88), fill="#ffe7a8")
    canvas.rectangle((width * 0.66, height * 0.56, width * 0.86, height), fill=tone(hue, 0.55, 0.4))


SUBJECTS: Mapping[str, Callable[[Canvas, tuple[int, int], random.Random], None]] = MappingProxyType(
    {
        "dish": _draw_dish,
        "face": _draw_face,
        "goods": _draw_goods,
        "poster": _draw_poster,
        "record": _draw_record,
        "scene": _draw_scene,
        "shop": _draw_shop,
    }
)
"""Subject -> what draws it."""


@lru_cache(maxsize=KEPT)
def draw_picture(subject: str, name: str, width: int, height: int, tint: str = "") -> Image.Image:
    """A picture of width x height px; the caller must not change it.

    Args:
        subject: One of `SUBJECTS`.
        name: What it shows; equal names have equal pictures.
        width: Its width, px.
        height: Its height, px.
        tint: Colour that is laid over it, as a filter does; "" for none.
    """
    rng = random.Random(f"{subject}/{name}")  # noqa: S311 - a picture, not a secret
    size = (width * SMOOTH, height * SMOOTH)
    big = Image.new("RGB", size)
    SUBJECTS[subject](ImageDraw.Draw(big), size, rng)
    small = big.reduce(SMOOTH)
    return Image.blend(small, Image.new("RGB", small.size, tint), 0.45) if tint else small
