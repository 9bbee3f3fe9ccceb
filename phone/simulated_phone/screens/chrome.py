"""System elements around an app: status bar, keyboard, navigation bar, toast."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType

from simulated_phone.language.language import gettext as _
from simulated_phone.language.language import spoken
from simulated_phone.screens.drawing import fonts
from simulated_phone.screens.layouts.widgets import IMAGE, IMAGE_BUTTON, TEXT
from simulated_phone.screens.nodes import Fill, Glyph, Mark, Node, PixelBox, TextEntry, Words, action_ref
from simulated_phone.screens.skin import Skin
from simulated_phone.screens.theme import INK, WHITE, Theme
from simulated_phone.touch.pinyin import Typing

KEY_ROWS = ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")
MODES: Mapping[str, str] = MappingProxyType({"pinyin": "中", "latin": "英"})
"""Mode of a pinyin keyboard -> the label of the key that changes it."""
_ASCII: Mapping[str, str] = MappingProxyType({"，": ",", "。": "."})
"""Label of a key -> what it types, where they differ."""
CANDIDATES_DP = 64
"""Height of what is composed and its candidates above the keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """Values that the status bar shows."""

    time: str
    battery: int
    wifi: bool
    airplane: bool
    silent: bool

    @classmethod
    def at(cls, now: datetime, settings: Mapping[str, str]) -> Signals:
        """The values at a time of day, with the global settings."""
        return cls(
            time=f"{now:%H:%M}",
            battery=100 - (now.hour * 60 + now.minute) * 70 // 1440,
            wifi=settings["wifi_on"] == "1",
            airplane=settings["airplane_mode_on"] == "1",
            silent=settings["zen_mode"] == "1",
        )


def status_bar(box: PixelBox, signals: Signals, theme: Theme, *, ink: str) -> Node:
    """Lay out the status bar: clock at the left; silent mode, network and battery at the right.

    Args:
        box: Where it is.
        signals: What it shows.
        theme: The phone's design.
        ink: Colour or token of its words and icons.
    """
    return _place_status_bar(box, signals, theme.density, theme.ink(ink), spoken())


@lru_cache(maxsize=512)
def _place_status_bar(box: PixelBox, signals: Signals, density: int, ink: str, locale: str) -> Node:
    """Cached layout; the locale is that of the texts."""
    theme = Theme(density=density)
    size, side = theme.px(13), theme.px(15)
    room = box.inset(theme.px(20), 0)
    clock = PixelBox(room.left, box.top, room.left + theme.px(60), box.bottom)
    words = Words(box=clock, text=signals.time, size=theme.px(14), color=ink, bold=True)
    nodes = [Node(box=clock, kind=TEXT, text=signals.time, view_id="clock", marks=(words,))]
    charge = f"{signals.battery}%"
    wide = fonts.text_width(charge, size) + 2
    at = PixelBox(room.right - wide, box.top, room.right, box.bottom)
    words = Words(box=at, text=charge, size=size, color=ink)
    nodes.append(Node(box=at, kind=TEXT, text=charge, view_id="battery_percentage", marks=(words,)))
    icons = [("battery", _("电量 {charge}").format(charge=charge))]
    icons += [("airplane", _("飞行模式"))] if signals.airplane else []
    icons += (
        [("wifi", _("WLAN 已连接"))]
        if signals.wifi
        else [("data", _("移动数据"))]
        if not signals.airplane
        else []
    )
    icons += [("moon", _("静音"))] if signals.silent else []
    right = at.left - theme.px(4)
    for glyph, description in icons:
        spot = PixelBox(right - side, box.top, right, box.bottom)
        mark = Glyph(box=spot.middle(side, side), name=glyph, color=ink)
        nodes.append(Node(box=spot, kind=IMAGE, description=description, marks=(mark,)))
        right -= side + theme.px(6)
    return Node(box=box, kind="android.widget.FrameLayout", view_id="status_bar", children=tuple(nodes))


def navigation_bar(box: PixelBox, color: str, theme: Theme, *, dark: bool) -> Node:
    """Lay out the navigation bar: back, home and recent apps, or the pill of gesture navigation."""
    return _place_navigation_bar(box, color, theme.density, theme.skin, dark, spoken())


@lru_cache(maxsize=64)
def _place_navigation_bar(
    box: PixelBox, color: str, density: int, skin: Skin, dark: bool, locale: str
) -> Node:
    """Cached layout; the locale is that of the texts."""
    theme = Theme(density=density, skin=skin)
    ink = "#f2f3f5" if dark else theme.ink("bar")
    plate = Fill(box=box, color=color)
    if not skin.keys:
        pill = box.middle(theme.px(120), theme.px(4))
        marks = (plate, Fill(box=pill, color=ink, radius=pill.height // 2))
        return Node(box=box, kind="android.widget.FrameLayout", marks=marks)
    keys = {
        "back": (_("返回"), "back", "android.back"),
        "home": (_("主屏幕"), "home", "android.home"),
        "recents": (_("最近任务"), "recent_apps", "android.recents"),
    }
    nodes = []
    for number, (name, glyph) in enumerate(zip(skin.keys, skin.key_shapes, strict=True)):
        description, view_id, action = keys[name]
        left = box.left + box.width * number // 3
        at = PixelBox(left, box.top, box.left + box.width * (number + 1) // 3, box.bottom)
        mark = Glyph(box=at.middle(theme.px(20), theme.px(20)), name=glyph, color=ink)
        nodes.append(
            Node(
                box=at,
                kind=IMAGE_BUTTON,
                description=description,
                view_id=view_id,
                tap=action_ref(action),
                marks=(mark,),
            )
        )
    return Node(box=box, kind="android.widget.FrameLayout", marks=(plate,), children=tuple(nodes))


def keyboard_height(frame: PixelBox, theme: Theme, *, candidates: bool = False) -> int:
    """Height of the keyboard in px: five rows of keys, at most half of the frame, and the candidates."""
    return min(theme.px(5 * 48 + 8), frame.height // 2) + candidates * theme.px(CANDIDATES_DP)


def place_keyboard(
    box: PixelBox, entry: TextEntry, theme: Theme, *, shifted: bool, typed: Typing | None = None
) -> Node:
    """Lay out the keyboard: digits, letters, and a row with hide, comma, space, full stop and Enter.

    Args:
        box: Where it is.
        entry: The field that it types into.
        theme: The app's theme.
        shifted: Whether letters are capitals.
        typed: What a pinyin keyboard shows; it has a key that changes between Chinese and English, and above
            the others what is composed, with its candidates. None for another keyboard.
    """
    mode = "" if typed is None else "latin" if typed.latin else "pinyin"
    keys = box
    if typed is not None and typed.letters:
        keys = box._replace(top=box.top + theme.px(CANDIDATES_DP))
    look = (theme.density, theme.skin)
    root = _place_keyboard(keys, entry.enter, look, theme.accent, (shifted, mode), spoken())
    if typed is None or keys == box:
        return root
    bar = place_candidate_bar(box._replace(bottom=keys.top), typed, theme)
    return replace(root, box=box, children=(bar, *root.children))


@lru_cache(maxsize=64)
def _place_keyboard(
    box: PixelBox, enter: str, look: tuple[int, Skin], accent: str, keys: tuple[bool, str], locale: str
) -> Node:
    """Cached layout: most screens with a keyboard have the same one."""
    theme = Theme(density=look[0], skin=look[1], accent=accent)
    shifted, mode = keys
    room = box.inset(theme.px(5))
    high = room.height // 5
    rows = [
        PixelBox(room.left, top, room.right, top + high) for top in range(room.top, room.top + 5 * high, high)
    ][:5]
    nodes = []
    for row, letters in zip(rows, KEY_ROWS, strict=False):
        unit = row.width / 10
        start = row.left + (10 - len(letters)) * unit / 2
        for place, letter in enumerate(letters.upper() if shifted else letters):
            at = row._replace(left=round(start + place * unit), right=round(start + (place + 1) * unit))
            nodes.append(_place_key(at, letter, theme, action=("key", letter)))
    wide = round(room.width * 0.145)
    left, right = rows[3]._replace(right=room.left + wide), rows[3]._replace(left=room.right - wide)
    nodes.append(_place_key(left, "", theme, "shift", _("大写"), action=("shift", "")))
    nodes.append(_place_key(right, "", theme, "back", _("删除"), action=("delete", "")))
    nodes += _place_last_row(rows[4], enter, theme, mode)
    plate = Fill(box=box, color=theme.plate("keyboard"))
    return Node(box=box, kind="android.inputmethodservice.Keyboard", marks=(plate,), children=tuple(nodes))


def _place_last_row(row: PixelBox, enter: str, theme: Theme, mode: str) -> list[Node]:
    keys = [
        ("", "keyboard", _("收起键盘"), "hide", 15),
        (",", "", "", "key", 10),
        (" ", "", _("空格"), "key", 40),
        (".", "", "", "key", 10),
        (enter, "", "", "enter", 25),
    ]
    if mode == "pinyin":
        keys[1], keys[3] = ("，", "", "", "key", 10), ("。", "", "", "key", 10)
    if mode:
        # the key shows the mode that is on
        keys[2:3] = [(" ", "", _("空格"), "key", 28), (MODES[mode], "", _("切换中英文"), "mode", 12)]
    nodes, x = [], float(row.left)
    for label, glyph, description, kind, share in keys:
        after = x + row.width * share / 100
        at = row._replace(left=round(x), right=round(after))
        value = _ASCII.get(label, label)
        nodes.append(_place_key(at, label, theme, glyph, description, action=(kind, value)))
        x = after
    return nodes


def _place_key(
    box: PixelBox, text: str, theme: Theme, glyph: str = "", description: str = "", *, action: tuple[str, str]
) -> Node:
    kind, value = action
    box = box.inset(theme.px(5) // 2)
    enter = kind == "enter"
    character = kind == "key"
    plate = theme.plate(theme.accent if enter else "key" if character else "special_key")
    marks: list[Mark] = [Fill(box=box, color=plate, radius=min(theme.px(theme.skin.key), box.height // 4))]
    size = min(theme.px(15 if enter else 20), box.height * 6 // 10)
    if glyph:
        side = min(theme.px(20), box.height * 7 // 10)
        marks.append(Glyph(box=box.middle(side, side), name=glyph, color=theme.ink(INK)))
    else:
        ink = WHITE if enter else theme.ink(INK)
        marks.append(Words(box=box, text=text.strip(), size=size, color=ink, align="center"))
    tap = action_ref("android.type", text=value) if character else action_ref(f"android.{kind}_key")
    label = text.strip()
    return Node(box=box, kind=TEXT, text=label, description=description or label, tap=tap, marks=tuple(marks))


def place_candidate_bar(box: PixelBox, typed: Typing, theme: Theme) -> Node:
    """Lay out what is composed, and below it its candidates between keys that turn their pages."""
    side, size = theme.px(40), theme.px(18)
    line = box._replace(bottom=box.top + theme.px(22))
    row = box._replace(top=line.bottom)
    letters = line.inset(theme.px(14), 0)
    words = Words(box=letters, text=typed.shown_letters, size=theme.px(14), color=theme.ink(INK))
    nodes = [Node(box=letters, kind=TEXT, text=typed.shown_letters, view_id="composing", marks=(words,))]
    room = row._replace(left=row.left + side * (typed.page > 0), right=row.right - side)
    wide = [fonts.text_width(one.text, size) + theme.px(24) for one in typed.shown]
    share, x = min(1.0, room.width / sum(wide)), float(room.left)
    for place, one in enumerate(typed.shown):
        at = room._replace(left=round(x), right=round(x + wide[place] * share))
        mark = Words(box=at, text=one.text, size=size, color=theme.ink(INK), align="center", bold=not place)
        tap = action_ref("android.candidate", index=typed.first + place)
        nodes.append(Node(box=at, kind=TEXT, text=one.text, view_id="candidate", tap=tap, marks=(mark,)))
        x += wide[place] * share
    if typed.page:
        nodes.append(_turn(row._replace(right=row.left + side), -1, theme))
    if not typed.last_page:
        nodes.append(_turn(row._replace(left=row.right - side), 1, theme))
    plate = Fill(box=box, color=theme.plate("keyboard"))
    kind = "android.widget.LinearLayout"
    return Node(box=box, kind=kind, view_id="candidates", marks=(plate,), children=tuple(nodes))


def _turn(box: PixelBox, pages: int, theme: Theme) -> Node:
    words, arrow = (_("更多候选词"), "›") if pages > 0 else (_("前面的候选词"), "‹")
    mark = Words(box=box, text=arrow, size=theme.px(20), color=theme.ink(INK), align="center")
    tap = action_ref("android.candidates", pages=pages)
    return Node(box=box, kind=IMAGE_BUTTON, description=words, tap=tap, marks=(mark,))


def place_toast(frame: PixelBox, text: str, theme: Theme) -> Node:
    """Lay out a toast: light text on a dark plate at the bottom of the frame."""
    size = theme.px(14)
    wide = min(fonts.text_width(text, size) + theme.px(40), frame.width - theme.px(40))
    low = frame.bottom - theme.px(70)
    box = PixelBox(frame.left, low - theme.px(42), frame.right, low).middle(wide, theme.px(42))
    marks = (
        Fill(box=box, color=theme.plate("toast"), radius=min(box.height // 2, theme.px(theme.skin.toast))),
        Words(box=box.inset(theme.px(14), 0), text=text, size=size, color=WHITE, align="center"),
    )
    return Node(box=box, kind="android.widget.Toast", text=text, view_id="message", marks=marks)
