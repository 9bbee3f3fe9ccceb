"""A screen of the drawn sample: widgets, and from the same widgets its picture and its accessibility tree."""

from __future__ import annotations

import io
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import quoteattr

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

WIDTH, HEIGHT = 180, 390
"""Size in px: far below a phone's, so that the whole sample stays under 1 MB."""

Kind = Literal["bar", "search", "row", "button", "icon"]
COLOURS = ("#2f6fde", "#e0713a", "#2f9e63", "#b04ab0", "#c9a227", "#4a7f8c", "#c23b4b", "#5b5bd6")
CLASSES = {
    "bar": "android.widget.TextView",
    "search": "android.widget.EditText",
    "row": "android.widget.TextView",
    "button": "android.widget.Button",
    "icon": "android.widget.ImageView",
}
CLICKABLE = {"search", "row", "button", "icon"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """One thing on the screen; `box` is (left, top, right, bottom) in px."""

    kind: Kind
    label: str
    box: tuple[int, int, int, int]

    @property
    def centre(self) -> tuple[int, int]:
        """Where a finger would tap, in px."""
        left, top, right, bottom = self.box
        return (left + right) // 2, (top + bottom) // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What the phone shows at one moment."""

    package: str
    widgets: tuple[Widget, ...]

    def find(self, label: str) -> Widget:
        """The widget of that label.

        Raises:
            LookupError: There is none.
        """
        for widget in self.widgets:
            if widget.label == label:
                return widget
        raise LookupError(f"expected a widget {label!r}, got {[widget.label for widget in self.widgets]}")


def home(apps: dict[str, str]) -> Screen:
    """The home screen: four icons a row; `apps` is label -> package."""
    icons = [
        Widget(
            kind="icon",
            label=label,
            box=(8 + 42 * (i % 4), 68 + 62 * (i // 4), 46 + 42 * (i % 4), 118 + 62 * (i // 4)),
        )
        for i, label in enumerate(apps)
    ]
    return Screen(package="com.android.launcher", widgets=tuple(icons))


def page(package: str, title: str, rows: tuple[str, ...], *, search: str = "", button: str = "") -> Screen:
    """An app's page: its title, a search field, rows to tap and a button at the foot."""
    widgets = [Widget(kind="bar", label=title, box=(0, 14, WIDTH, 44))]
    top = 51
    if search:
        widgets.append(Widget(kind="search", label=search, box=(8, top, WIDTH - 8, top + 26)))
        top += 33
    for row in rows:
        widgets.append(Widget(kind="row", label=row, box=(8, top, WIDTH - 8, top + 34)))
        top += 39
    if button:
        widgets.append(Widget(kind="button", label=button, box=(22, HEIGHT - 50, WIDTH - 22, HEIGHT - 20)))
    return Screen(package=package, widgets=tuple(widgets))


def draw(screen: Screen) -> bytes:
    """The screen as JPEG bytes."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), "#e9eef6" if screen.package.endswith("launcher") else "white")
    pen = ImageDraw.Draw(image)
    for number, widget in enumerate(screen.widgets):
        _draw_widget(pen, widget, COLOURS[(number + len(screen.package)) % len(COLOURS)])
    pen.text((6, 1), "样本 SAMPLE", fill="#777777", font=_font(8))
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=22, optimize=True, progressive=True, subsampling=2)
    return stream.getvalue()


def tree(screen: Screen) -> str:
    """The screen's accessibility tree in the release's own dialect."""
    head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<hierarchy rotation=\"0\">\n"
    root = _node(
        screen, "", "android.widget.FrameLayout", (0, 0, WIDTH, HEIGHT), clickable=False, closed=False
    )
    nodes = [
        _node(screen, widget.label, CLASSES[widget.kind], widget.box, clickable=widget.kind in CLICKABLE)
        for widget in screen.widgets
    ]
    return head + root + "".join(nodes) + "</node>\n</hierarchy>\n"


def _node(
    screen: Screen,
    label: str,
    class_name: str,
    box: tuple[int, int, int, int],
    *,
    clickable: bool,
    closed: bool = True,
) -> str:
    left, top, right, bottom = box
    editable = class_name.endswith("EditText")
    text, hint = ("", label) if editable else (label, "")
    flags = f'clickable="{str(clickable).lower()}" enabled="true" visible="true" scrollable="false"'
    return (
        f'<node text={quoteattr(text)} content_desc="" hint={quoteattr(hint)} view_id="" '
        f'class="{class_name}" package="{screen.package}" bounds="[{left},{top}][{right},{bottom}]" {flags} '
        f'editable="{str(editable).lower()}"{"/" if closed else ""}>\n'
    )


def _font(size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(str(files("pylopdf_fonts_zh_cn") / "NotoSansSC-Regular.otf"), size)


def _draw_widget(pen: ImageDraw, widget: Widget, colour: str) -> None:
    left, top, right, bottom = widget.box
    middle = widget.centre
    if widget.kind == "bar":
        pen.rectangle(widget.box, fill="#33475b")
        pen.text((9, middle[1]), widget.label, fill="white", font=_font(12), anchor="lm")
    elif widget.kind == "search":
        pen.rounded_rectangle(widget.box, 12, outline="#9aa7b4", width=1)
        pen.text((left + 10, middle[1]), widget.label, fill="#6b7785", font=_font(11), anchor="lm")
    elif widget.kind == "icon":
        pen.rounded_rectangle((left + 4, top, right - 4, top + 30), 8, fill=colour)
        pen.text(((left + right) // 2, top + 15), widget.label[0], fill="white", font=_font(15), anchor="mm")
        pen.text(((left + right) // 2, bottom - 7), widget.label, fill="#222222", font=_font(9), anchor="mm")
    elif widget.kind == "button":
        pen.rounded_rectangle(widget.box, 6, fill="#2f6fde")
        pen.text(middle, widget.label, fill="white", font=_font(12), anchor="mm")
    else:
        pen.rectangle((left, top + 5, left + 22, top + 27), fill=colour)
        pen.text((left + 30, middle[1]), widget.label, fill="#222222", font=_font(11), anchor="lm")
        pen.line((left, bottom, right, bottom), fill="#dddddd")
