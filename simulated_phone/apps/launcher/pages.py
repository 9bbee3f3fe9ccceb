"""The launcher's pages, their widgets, and the handlers of their taps."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from simulated_phone import voice
from simulated_phone.app_definition import App, Handler, PageFunction, PageView, State, choose
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, GridLayout, RowLayout
from simulated_phone.screens.lists import ListRow, SearchBar
from simulated_phone.screens.nodes import ActionRef, Fill, Glyph, Mark, Node, PixelBox, Words, action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, INK, PAPER, Theme
from simulated_phone.screens.widgets import TEXT, Field, Icon, Space, Text, Widget

PACKAGE = "com.android.launcher3"
SETTINGS = "com.android.settings"
DOCK, FIRST, COLUMNS, WIDGETS = 4, 4, 4, 3
WALLPAPERS = (("#4a7bd0", "#1d2b53"), ("#3d9a8b", "#173a4a"), ("#c77b58", "#4b2440"), ("#7a6bc8", "#25205a"))


@dataclass(frozen=True, slots=True)
class AppIcon(Widget):
    """An app's icon with its name under it."""

    app: App
    tap: ActionRef
    hold: ActionRef | None = None
    color: str = PAPER

    def height(self, width: int, look: Theme) -> int:
        """Height in px of icon and name."""
        return look.px(92)

    def place(self, box: PixelBox, look: Theme) -> Node:
        """Lay out a coloured plate with the app's glyph, and the name."""
        side, glyph = look.px(56), look.px(32)
        plate = PixelBox(box.left, box.top + look.px(4), box.right, box.top + look.px(60)).middle(side, side)
        name = PixelBox(box.left, plate.bottom + look.px(4), box.right, box.bottom)
        marks: tuple[Mark, ...] = (
            Fill(box=plate, color=self.app.color, radius=look.px(16)),
            Glyph(box=plate.middle(glyph, glyph), name=self.app.glyph, color=PAPER),
            Words(box=name, text=self.app.label, size=look.px(13), color=self.color, align="center"),
        )
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


def initial(rng: random.Random) -> State:
    """Draw the order of the icons and the wallpaper."""
    return {"order": rng.randrange(10**6), "wallpaper": rng.randrange(len(WALLPAPERS))}


def _icon_order(view: PageView) -> list[App]:
    salt = view.state["order"]
    apps = [app for app in view.apps if app.package != PACKAGE]
    return sorted(apps, key=lambda app: hashlib.sha256(f"{salt}{app.package}".encode()).digest())


def _icon(app: App, color: str = PAPER) -> AppIcon:
    menu = action_ref("menu", package=app.package)
    return AppIcon(app, action_ref("android.open", package=app.package), menu, color)


def home_page(view: PageView) -> AppPage:
    """A home page: widgets and a few icons on the first, the other icons on the following ones."""
    number = view.arguments.get("number", 0)
    apps = _icon_order(view)
    widgets = [_widget_card(view, app, app.widget) for app in view.apps if app.widget is not None]
    dock, rest = apps[:DOCK], apps[DOCK:]
    pages = [rest[:FIRST], rest[FIRST:]] if rest[FIRST:] or widgets[WIDGETS:] else [rest]
    body: list[Widget] = [Space(6)]
    body += [_search_pill(), Space(10)] if number == 0 else [Space(18)]
    for card in widgets[:WIDGETS] if number == 0 else widgets[WIDGETS:]:
        body += [card, Space(10)]
    if pages[number]:
        body.append(GridLayout([_icon(app) for app in pages[number]], COLUMNS, gap=6))
    dots = " ".join("●" if place == number else "○" for place in range(len(pages)))
    footer: list[Widget] = [Text(dots, size=10, color=PAPER, align="center"), Space(6)]
    footer += [RowLayout([_icon(app) for app in dock], gap=6)] if dock else []
    swipes = {"down": action_ref("go", page="search")}
    if number + 1 < len(pages):
        swipes["left"] = action_ref("turn_page", number=number + 1)
    if number:
        swipes["right"] = action_ref("turn_page", number=number - 1)
    background = WALLPAPERS[view.state["wallpaper"]]
    return AppPage(body=body, footer=footer, pad=16, background=background, dark=True, swipes=swipes)


def _widget_card(view: PageView, app: App, widget: Callable[[PageView], Widget]) -> Widget:
    inner = widget(replace(view, state=view.states[app.package]))
    return Card([AppWidget(app.package, inner)], color="#33507f", pad=12, radius=20)


def _search_pill() -> Widget:
    label = ListRow(
        "搜索应用", leading=Icon("search", size=18, color=GREY, room=30), lead=24, color=GREY, size=14, pad=8
    )
    pill = Card(
        [label],
        color="#eef1f7",
        pad=0,
        radius=26,
        tap=action_ref("go", page="search"),
        description="搜索应用",
    )
    return RowLayout([pill, Icon("mic", "语音助手", voice.LISTEN, color=PAPER, plate="#5b7db1")], [None, 52])


def menu_sheet(view: PageView) -> Sheet:
    """The menu of a long press on an icon."""
    app = next(app for app in view.apps if app.package == view.arguments["package"])
    rows: list[Widget] = []
    for number, shortcut in enumerate(app.shortcuts):
        leading = Icon(shortcut.glyph, size=20, color=app.color, room=40)
        rows.append(
            ListRow(
                shortcut.text,
                leading=leading,
                lead=36,
                tap=action_ref("shortcut", package=app.package, number=number),
            )
        )
    leading = Icon("play", size=18, color=INK, room=40)
    rows.append(
        ListRow("打开", leading=leading, lead=36, tap=action_ref("android.open", package=app.package))
    )
    if SETTINGS in {app.package for app in view.apps}:
        leading = Icon("gear", size=18, color=INK, room=40)
        rows.append(
            ListRow("应用信息", leading=leading, lead=36, tap=action_ref("info", package=app.package))
        )
    return Sheet(title=app.label, body=rows)


def search_page(view: PageView) -> AppPage:
    """All apps, filtered by the typed text (Chinese or English)."""
    word = view.fields.get("query", "").strip().casefold()
    found = [app for app in _icon_order(view) if word in app.label or word in app.english.casefold()]
    bar = SearchBar(Field("query", "搜索应用", glyph="search", enter="搜索", submit=action_ref("first")))
    icons = [_icon(app, INK) for app in found]
    body: list[Widget] = [Space(8), GridLayout(icons, COLUMNS, gap=6)]
    if not icons:
        body = [Space(100), Text("没有找到应用", color=GREY, align="center")]
    return AppPage(title="搜索", header=[bar], body=body, pad=16)


def first(context: HandlerContext) -> None:
    """Open the app that the search found, if it is the only one (Enter in the search field)."""
    word = context.field("query").strip().casefold()
    found = [app for app in context.apps if word in app.label or word in app.english.casefold()]
    if len(found) == 1:
        context.open_app(found[0].package)


def shortcut(context: HandlerContext, package: str, number: int) -> None:
    """Perform a shortcut of an icon's menu."""
    app = next(app for app in context.apps if app.package == package)
    context.open_app(package, app.home)
    context.act(package, app.shortcuts[number].tap)


def understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: open the named app ("打开…")."""
    name = choose(phrase, [app.label for app in context.apps if app.package != PACKAGE])
    if name is None:
        return False
    context.open_app(next(app.package for app in context.apps if app.label == name))
    return True


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "home": home_page,
        "menu": menu_sheet,
        "search": search_page,
        "voice": voice.page("打开时钟", "打开音乐", "打开设置"),
    }
)

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "turn_page": lambda context, number: context.root("home", number=number),
        "menu": lambda context, package: context.go("menu", package=package),
        "info": lambda context, package: context.open_app(SETTINGS, "app", package=package),
        "first": first,
        "shortcut": shortcut,
        **voice.handlers(understand),
    }
)
