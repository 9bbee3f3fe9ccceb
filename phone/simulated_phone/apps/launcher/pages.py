"""The launcher: its pages, their widgets, the handlers of their taps, and the app."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from simulated_phone.goals.app_definition import LAST_POSITION, App, PageView, State, choose
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import ListRow, list_badge_marks
from simulated_phone.screens.layouts.widgets import TEXT, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, Fill, Glyph, Mark, Node, PixelBox, Words, action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.skin import AA_LARGE
from simulated_phone.screens.theme import BLUE, FIELD, INK, PAPER, STEEL, WHITE, Exact, Theme

from ... import voice
from ...builders import tables
from ...builders.list_parts import empty
from ...builders.search import SEARCH, search_bar, search_pill
from ...builders.taps import go

_ = messages(__name__)

PACKAGE, SETTINGS = "com.android.launcher3", "com.android.settings"
HINT = _("搜索应用")
DOCK, FIRST, COLUMNS, WIDGETS = 4, 4, 4, 3
PAGE = 16
WIDGET = Exact("#33507f")
"""Number of icons on a home page after the first."""
WALLPAPERS = (("#4a7bd0", "#1d2b53"), ("#3d9a8b", "#173a4a"), ("#c77b58", "#4b2440"), ("#7a6bc8", "#25205a"))


@dataclass(frozen=True, slots=True)
class AppIcon(Widget):
    """An app's icon with its name under it."""

    app: App
    tap: ActionRef
    hold: ActionRef | None = None
    color: str = WHITE
    badge: int = 0

    def height(self, width: int, look: Theme) -> int:
        """Height in px of icon and name."""
        return look.px(92)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Lay out a coloured plate with the app's glyph, and the name."""
        skin = look.skin
        side, glyph = look.px(skin.icon_size), look.px(skin.icon_size * 4 / 7)
        plate = PixelBox(box.left, box.top + look.px(4), box.right, box.top + look.px(60)).middle(side, side)
        name = PixelBox(box.left, plate.bottom + look.px(4), box.right, box.bottom)
        ink = look.ink(self.color)
        color, shape = look.plate(self.app.color, AA_LARGE), str(WHITE)
        if skin.pale_icons:
            color, shape = (shape, color) if not skin.dark else (look.plate(PAPER), look.ink(self.app.color))
        marks: tuple[Mark, ...] = (
            Fill(box=plate, color=color, radius=look.px(skin.icon)),
            Glyph(box=plate.middle(glyph, glyph), name=self.app.glyph, color=shape),
            Words(box=name, text=self.app.label, size=look.px(13), color=ink, align="center"),
        )
        marks += list_badge_marks(plate.right, plate.top, self.badge, look)
        return Node(
            box=box,
            kind=TEXT,
            text=self.app.label,
            description=self.app.label,
            view_id="icon",
            tap=self.tap,
            hold=self.hold,
            marks=marks,
        )


@dataclass(frozen=True, slots=True)
class AppWidget(Widget):
    """An app's widget on the home screen; taps on it are handled by the app."""

    package: str
    inner: Widget

    def height(self, width: int, look: Theme) -> int:
        """Height in px of the widget."""
        return self.inner.height(width, look)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Lay out the widget, with its actions addressed to its app."""
        return self._address_actions(self.inner.place(box, look))

    def _address_actions(self, node: Node) -> Node:
        if not node.tap and not node.children:
            return node
        tap = ActionRef(f"{self.package}/{node.tap.name}", node.tap.arguments) if node.tap else None
        return replace(node, tap=tap, children=tuple(self._address_actions(child) for child in node.children))


def make_state(rng: random.Random) -> State:
    """Draw the order of the icons and the wallpaper; no icon has been moved to the front."""
    return {"order": rng.randrange(10**6), "wallpaper": rng.randrange(len(WALLPAPERS)), "first": []}


def _order_icons(view: PageView) -> list[App]:
    """The apps in the order of their icons.

    First those moved to the front, then a shuffle of those that state a position, then one of the others.
    As on a real phone, an app that is installed later leaves the icons before it where they are.
    """
    first: list[str] = view.state["first"]

    def place(app: App) -> tuple[int, bool, bytes]:
        moved = first.index(app.package) if app.package in first else len(first)
        digest = hashlib.sha256(f"{view.state['order']}{app.package}".encode()).digest()
        return moved, app.position == LAST_POSITION, digest

    return sorted((app for app in view.apps if app.package != PACKAGE), key=place)


def _build_icon(view: PageView, app: App, color: str = WHITE) -> AppIcon:
    badge = app.badge(view.states[app.package]) if app.badge else 0
    tap, hold = action_ref("android.open", package=app.package), go("menu", package=app.package)
    return AppIcon(app, tap, hold, color, badge)


def _named(package: str, apps: Sequence[App]) -> App:
    return next(app for app in apps if app.package == package)


def _find_apps(word: str, apps: Sequence[App]) -> list[App]:
    word = word.strip().casefold()
    return [app for app in apps if word in app.label.casefold() or word in app.english.casefold()]


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    """A home page: widgets and a few icons on the first, the other icons on the following ones."""
    number = view.arguments.get("number", 0)
    apps = _order_icons(view)
    widgets = [(app, app.widget) for app in view.apps if app.widget is not None]
    dock, rest = apps[:DOCK], apps[DOCK:]
    pages = [rest[:FIRST], *(rest[at : at + PAGE] for at in range(FIRST, len(rest), PAGE))]
    if len(pages) == 1 and widgets[WIDGETS:]:
        pages.append([])
    shown = (widgets[:WIDGETS], widgets[WIDGETS:])[number] if number < 2 else []
    body: list[Widget] = [Space(6)]
    body += [_search_pill(), Space(10)] if number == 0 else [Space(18)]
    for app, widget in shown:
        body += [_build_widget_card(view, app, widget), Space(10)]
    if pages[number]:
        body.append(GridLayout([_build_icon(view, app) for app in pages[number]], COLUMNS, gap=6))
    dots = " ".join("●" if place == number else "○" for place in range(len(pages)))
    footer: list[Widget] = [Text(dots, size=10, color=WHITE, align="center"), Space(6)]
    footer += [RowLayout([_build_icon(view, app) for app in dock], gap=6)] if dock else []
    swipes = {"down": go("search")}
    if number + 1 < len(pages):
        swipes["left"] = action_ref("turn_page", number=number + 1)
    if number:
        swipes["right"] = action_ref("turn_page", number=number - 1)
    background = WALLPAPERS[view.state["wallpaper"]]
    return AppPage(body=body, footer=footer, pad=16, background=background, dark=True, swipes=swipes)


def _build_widget_card(view: PageView, app: App, widget: Callable[[PageView], Widget]) -> Widget:
    inner = widget(replace(view, state=view.states[app.package]))
    return Card([AppWidget(app.package, inner)], color=WIDGET, pad=12, radius=20)


def _search_pill() -> Widget:
    pill = search_pill(HINT, go("search"), size=14, lead=24, room=30, color=FIELD, description=HINT)
    return RowLayout([pill, Icon("mic", _("语音助手"), voice.LISTEN, color=WHITE, plate=STEEL)], [None, 52])


def _build_menu_sheet(view: PageView) -> Sheet:
    """The menu of a long press on an icon."""
    app = _named(view.arguments["package"], view.apps)
    lines = [
        (one.text, one.glyph, 20, app.color, action_ref("shortcut", package=app.package, number=number))
        for number, one in enumerate(app.shortcuts)
    ]
    lines.append((_("打开"), "play", 18, INK, action_ref("android.open", package=app.package)))
    if SETTINGS in {app.package for app in view.apps}:
        lines.append((_("应用信息"), "gear", 18, INK, action_ref("info", package=app.package)))
    rows = [
        ListRow(words, leading=Icon(glyph, size=size, color=color, room=40), lead=36, tap=tap)
        for words, glyph, size, color, tap in lines
    ]
    return Sheet(title=app.label, body=rows)


def _build_search_page(view: PageView) -> AppPage:
    """All apps, filtered by the typed text (Chinese or English)."""
    icons = [
        _build_icon(view, app, INK) for app in _find_apps(view.fields.get("query", ""), _order_icons(view))
    ]
    body = [Space(8), GridLayout(icons, COLUMNS, gap=6)] if icons else empty(_("没有找到应用"), space=100)
    bar = search_bar(HINT, submit=action_ref("first"), mic=False)
    return AppPage(title=SEARCH, header=[bar], body=body, pad=16)


# ---- handlers of taps


def _first(context: HandlerContext) -> None:
    """Open the app that the search found, if it is the only one (Enter in the search field)."""
    found = _find_apps(context.field("query"), context.apps)
    if len(found) == 1:
        context.open_app(found[0].package)


def _shortcut(context: HandlerContext, package: str, number: int) -> None:
    """Perform a shortcut of an icon's menu."""
    app = _named(package, context.apps)
    context.open_app(package, app.home)
    context.act(package, app.shortcuts[number].tap)


def _turn_page(context: HandlerContext, number: int) -> None:
    context.root("home", number=number)


def _info(context: HandlerContext, package: str) -> None:
    context.open_app(SETTINGS, "app", package=package)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: open the named app ("打开…")."""
    name = choose(phrase, [app.label for app in context.apps if app.package != PACKAGE])
    if name is None:
        return False
    context.open_app(next(app.package for app in context.apps if app.label == name))
    return True


LAUNCHER = App(
    package=PACKAGE,
    activity=".Launcher",
    label=_("桌面"),
    english="Launcher",
    glyph="home",
    color=BLUE,
    initial=make_state,
    pages={**tables.pages_of(__name__), "voice": voice.page(_("打开时钟"), _("打开音乐"), _("打开设置"))},
    handlers={**tables.handlers(_turn_page, _info, _first, _shortcut), **voice.handlers(_understand)},
    position=0,
)
