"""A panel with rows of text, a portrait or a QR code, drawn over a recorded screen and into its tree."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lxml import etree
from PIL import Image, ImageDraw, ImageOps

from fingertip_dataset.errors import MissingExtraError
from fingertip_dataset.pictures import open_screenshot
from fingertip_privacy.planted.known_secrets import OVERLAY
from fingertip_privacy.planted.planted_rows import PlantedRow
from fingertip_privacy.scan.scanned_texts import Box

QUALITY = 90
"""JPEG quality of the changed screenshots."""

_MARGIN, _INNER = 0.04, 0.05
"""Space beside the panel and inside it, as a share of the screen's width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRow:
    """A row on the panel.

    Attributes:
        row: Text of the row.
        box: Box of its node, px.
        value_box: Box of the drawn value, px; None for a harmless row.
        text_area: Area of the value's lines, px.
        node: Path of its node in the changed tree.
    """

    row: PlantedRow
    box: Box
    value_box: Box | None
    text_area: int
    node: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPanel:
    """A changed screen.

    Attributes:
        screenshot: The JPEG file.
        tree: The changed tree.
        rows: Rows on it.
        picture: Box of the portrait or QR code, px; None without one.
    """

    screenshot: bytes
    tree: bytes
    rows: tuple[DrawnRow, ...]
    picture: Box | None


def draw_panel(
    screenshot: bytes,
    tree: bytes,
    rows: Sequence[PlantedRow],
    picture: Image.Image | None,
    rng: random.Random,
) -> DrawnPanel:
    """Draw a panel over a screen and add its nodes to the tree.

    Args:
        screenshot: The recorded picture.
        tree: The recorded tree.
        rows: Rows from top to bottom.
        picture: Portrait or QR code below the rows.
        rng: Draws colours and the panel's height.
    """
    from simulated_phone.screens.drawing.fonts import line_height, load_font

    image = open_screenshot(screenshot)
    width, height = image.size
    dark = rng.random() < 0.3
    ground, ink = ((34, 36, 40), (232, 232, 232)) if dark else ((255, 255, 255), (24, 24, 24))
    size = round(width * rng.choice((0.033, 0.037, 0.041)))
    left, right = round(width * _MARGIN), round(width * (1 - _MARGIN))
    inner, step = left + round(width * _INNER), round(line_height(size) * 1.7)
    lines = [_wrap_row(row, right - inner - 2 * (inner - left), load_font(size)) for row in rows]
    total = sum(map(len, lines)) * step + (0 if picture is None else picture.height + step)
    top = rng.randrange(
        round(height * 0.06), max(round(height * 0.06) + 1, round(height * 0.94) - total - step)
    )
    panel = (left, top, right, top + total + step)
    drawn = ImageDraw.Draw(image)
    drawn.rounded_rectangle(panel, radius=size // 2, fill=ground)
    found: list[DrawnRow] = []
    root = etree.fromstring(tree, etree.XMLParser(resolve_entities=False, no_network=True))
    holder = etree.SubElement(root, "node", _attributes("", OVERLAY, panel))
    place = len(root) - 1
    y = top + step // 2
    for number, (row, parts) in enumerate(zip(rows, lines, strict=True)):
        boxes = [
            _draw_line(drawn, row, part, (inner, y + at * step), load_font(size), ink)
            for at, part in enumerate(parts)
        ]
        box = (inner, y, right - (inner - left), y + len(parts) * step)
        etree.SubElement(holder, "node", _attributes(row.text, "android.widget.TextView", box))
        values = [one for one in boxes if one is not None]
        found.append(
            DrawnRow(
                row=row,
                box=box,
                value_box=_union(values),
                text_area=sum(map(_area, values)),
                node=f"{place}/{number}",
            )
        )
        y += len(parts) * step
    place_of_picture = _paste(image, picture, (inner, y + step // 4))
    return DrawnPanel(
        screenshot=_jpeg(image),
        tree=etree.tostring(root, encoding="UTF-8", xml_declaration=True),
        rows=tuple(found),
        picture=place_of_picture,
    )


def _paste(image: Image.Image, picture: Image.Image | None, at: tuple[int, int]) -> Box | None:
    """Paste a picture; returns its box."""
    if picture is None:
        return None
    image.paste(picture, at)
    return (*at, at[0] + picture.width, at[1] + picture.height)


def _wrap_row(row: PlantedRow, width: int, font: object) -> list[tuple[int, int]]:
    """First and last character of each line of a row."""
    length = font.getlength  # type: ignore[attr-defined]
    lines, start = [], 0
    for end in range(1, len(row.text) + 1):
        if length(row.text[start:end]) > width:
            lines.append((start, end - 1))
            start = end - 1
    return [*lines, (start, len(row.text))]


def _draw_line(
    drawn: ImageDraw.ImageDraw,
    row: PlantedRow,
    part: tuple[int, int],
    at: tuple[int, int],
    font: object,
    ink: tuple[int, int, int],
) -> Box | None:
    """Draw one line of a row; returns the box of the part of the value in it."""
    text = row.text[part[0] : part[1]]
    drawn.text(at, text, font=font, fill=ink)  # type: ignore[arg-type]
    start, end = max(row.start, part[0]) - part[0], min(row.end, part[1]) - part[0]
    if row.kind is None or start >= end:
        return None
    _, top, _, bottom = drawn.textbbox(at, text[start:end], font=font)  # type: ignore[arg-type]
    length = font.getlength  # type: ignore[attr-defined]
    return round(at[0] + length(text[:start])), round(top), round(at[0] + length(text[:end])), round(bottom)


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _union(boxes: Sequence[Box]) -> Box | None:
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _attributes(text: str, name: str, box: Box) -> dict[str, str]:
    bounds = f"[{box[0]},{box[1]}][{box[2]},{box[3]}]"
    flags = dict.fromkeys(("clickable", "scrollable", "editable"), "false")
    return {
        "text": text, "content_desc": "", "hint": "", "view_id": "", "class": name, "package": "",
        "bounds": bounds, "enabled": "true", "visible": "true", **flags,
    }  # fmt: skip


def _jpeg(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=QUALITY)
    return stream.getvalue()


def draw_qr_code(text: str, side: int) -> Image.Image:
    """A QR code of a text, `side` px wide with its quiet zone.

    Raises:
        MissingExtraError: zxing-cpp is not installed.
    """
    try:
        import zxingcpp
    except ImportError as error:
        raise MissingExtraError("zxing-cpp", "privacy") from error
    code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode)
    return (
        Image.fromarray(np.asarray(code.to_image(scale=8)))
        .convert("RGB")
        .resize((side, side), Image.Resampling.LANCZOS)
    )


def portraits() -> tuple[Path, ...]:
    """Portraits that come with installed packages: one, a photograph in the public domain.

    matplotlib's sample data have Grace Hopper's portrait by the U.S. Navy. Empty without matplotlib.
    """
    from importlib.util import find_spec

    spec = find_spec("matplotlib")
    folders = (spec.submodule_search_locations or ()) if spec else ()
    files = [Path(folder) / "mpl-data" / "sample_data" / "grace_hopper.jpg" for folder in folders]
    return tuple(file for file in files if file.is_file())


def draw_portrait(file: Path, side: int, rng: random.Random) -> Image.Image:
    """The head of a portrait, `side` px wide; mirrored, turned a little, darker or brighter at random."""
    with Image.open(file) as opened:
        image = opened.convert("RGB")
    width, height = image.size
    # the upper half of a standing portrait: head and shoulders
    image = image.crop((round(width * 0.12), 0, round(width * 0.82), round(height * 0.58)))
    image = image.rotate(rng.uniform(-12, 12), resample=Image.Resampling.BICUBIC, fillcolor=(128, 128, 128))
    if rng.random() < 0.5:
        image = ImageOps.mirror(image)
    image = image.point([min(255, round(level * rng.choice((0.7, 1.0, 1.25)))) for level in range(256)] * 3)
    return image.resize((side, side), Image.Resampling.LANCZOS)
