"""The app store: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

from collections.abc import Sequence

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, RowLayout
from simulated_phone.screens.layouts.lists import Cover, Heading, ListRow, Tab, switch_row
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY

from ... import voice
from ...builders import dialogs, likes, list_parts, other_apps, tables
from ...builders.account import build_account_page
from ...builders.list_parts import empty, panel, panel_or_empty
from ...builders.search import OPEN_SEARCH, search_page, wide_pill
from ...builders.shop_front import build_service_grid
from ...builders.tabs import bottom_tabs, tab_over
from ...builders.taps import go, tab, visit
from ..calendar.data import day_words
from . import data
from .data import ACCENT, CATALOGUE, GAMES_TO_COME, KINDS, StoreApp, of_kind
from .goals import GOALS

_ = messages(__name__)

TABS = bottom_tabs(
    ("home", _("推荐"), "star"),
    ("rankings", _("排行榜"), "list"),
    ("updates", _("应用更新"), "refresh"),
    ("mine", _("我的"), "person"),
)
GLYPHS = dict(
    zip((*KINDS, GAMES_TO_COME), ("gear", "film", "book", "home", "flag", "play", "bell"), strict=True)
)


# ---- parts of pages


def _build_button(view: PageView, app: StoreApp) -> Button:
    """Button of an app in a list: install, update or open."""
    name = app.name
    if app.day:
        booked = name in view.state["booked"]
        return Button(
            _("已预约") if booked else _("预约"),
            action_ref("book", app=name),
            style="tonal",
            room=40,
            size=13,
        )
    if name in view.state["updates"]:
        return Button(_("更新"), action_ref("update", app=name), room=40, size=13)
    if name in view.state["installed"]:
        return Button(_("打开"), action_ref("launch", app=name), style="tonal", room=40, size=13)
    return Button(_("安装"), action_ref("install", app=name), style="tonal", room=40, size=13)


def _build_row(view: PageView, app: StoreApp) -> ListRow:
    words = (
        _("{day_words}上线 · {slogan}").format(day_words=day_words(app.day), slogan=app.slogan)
        if app.day
        else _("{score}分 · {slogan}").format(score=app.score, slogan=app.slogan)
    )
    cover = Cover(app.name, room=52, radius=13)
    return ListRow(
        app.name,
        words,
        leading=cover,
        trailing=_build_button(view, app),
        trail=72,
        tap=visit("app", app=app.name),
    )


def _tabs(view: PageView, page: str) -> list[Tab]:
    return TABS(page, updates=len(view.state["updates"]))


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    kinds = build_service_grid(
        [(kind, glyph, go("kind", kind=kind)) for kind, glyph in GLYPHS.items()], ACCENT, 4
    )
    best = [of_kind(kind)[0] for kind in KINDS]
    gear = Icon("gear", _("商店设置"), go("settings"), color=GREY)
    header = RowLayout([wide_pill(data.SEARCH, ACCENT), gear], [None, 48], gap=0)
    body = [Space(2), kinds, Heading(_("编辑推荐")), panel(*(_build_row(view, app) for app in best))]
    return AppPage(header=[Space(6), header], body=body, gap=6, tabs=_tabs(view, "home"))


def _find(view: PageView, word: str) -> Sequence[Widget]:
    kinds = [
        ListRow(
            kind,
            _("分类排行"),
            leading=Icon(GLYPHS[kind], size=20, color=ACCENT, room=40),
            trailing="›",
            tap=action_ref("rank", kind=kind),
        )
        for kind in KINDS
        if word in kind
    ]
    return [*kinds, *(_build_row(view, app) for app in CATALOGUE.values() if word in app.name)]


def _build_kind_page(view: PageView) -> AppPage:
    kind = view.arguments["kind"]
    rows = [_build_row(view, app) for app in of_kind(kind)]
    return AppPage(title=kind, body=[Space(4), panel(*rows)])


def _build_rankings_page(view: PageView) -> AppPage:
    rows = [
        ListRow(
            kind,
            _("、").join(app.name for app in of_kind(kind)[:3]),
            leading=Icon(GLYPHS[kind], size=20, color=ACCENT, room=40),
            trailing="›",
            tap=action_ref("rank", kind=kind),
        )
        for kind in KINDS
    ]
    return AppPage(title=_("排行榜"), back=False, body=[Space(4), panel(*rows)], tabs=_tabs(view, "rankings"))


def _build_ranking_page(view: PageView) -> AppPage:
    kind = view.arguments["kind"]
    rows = [
        RowLayout(
            [Text(str(place), size=18, bold=True, color=ACCENT, align="center"), _build_row(view, app)],
            [28, None],
            gap=0,
        )
        for place, app in enumerate(of_kind(kind), 1)
    ]
    return AppPage(title=_("{kind}排行").format(kind=kind), body=[Space(4), panel(*rows)])


def _build_app_page(view: PageView) -> AppPage:
    app = CATALOGUE[view.arguments["app"]]
    name, state = app.name, view.state
    head = RowLayout(
        [
            Cover(name, room=84, radius=20),
            ColumnLayout(
                [
                    Text(name, size=21, bold=True),
                    Text(app.slogan, size=13, color=GREY, lines=2),
                    Text(app.kind, size=13, color=ACCENT),
                ],
                gap=4,
            ),
        ],
        [84, None],
        gap=14,
        pad=16,
    )
    facts = [
        (_("大小"), f"{view.state['sizes'][app.name]}MB"),
        (_("上线时间"), day_words(app.day))
        if app.day
        else (_("评分"), _("{score}分").format(score=app.score)),
        (_("适合年龄"), _("4岁以上")),
    ]
    body: list[Widget] = [Space(8), head, list_parts.facts(*facts)]
    if name in state["installed"]:
        given = state["reviews"].get(name, 0)
        stars = likes.stars(
            data.STARS, given, lambda count: action_ref("rate", app=name, stars=count), color=ACCENT
        )
        body.append(Card([Text(_("给应用评分"), bold=True), stars], margin=12))
    body += [
        Heading(_("应用截图")),
        RowLayout(
            [Cover(f"{name}{number}", room=190, radius=10, subject="scene") for number in range(3)], pad=14
        ),
    ]
    share = Icon("share", other_apps.SHARE, other_apps.share(_("[应用] {name}").format(name=name)))
    return AppPage(title=_("应用详情"), actions=[share], body=body, gap=8, footer=_list_buttons(view, app))


def _list_buttons(view: PageView, app: StoreApp) -> list[Widget]:
    name, state = app.name, view.state
    if app.day:
        return [Button(_("已预约") if name in state["booked"] else _("预约"), action_ref("book", app=name))]
    if name not in state["installed"]:
        later = Button(
            _("移出心愿单") if name in state["wishes"] else _("加入心愿单"),
            action_ref("wish", app=name),
            style="outline",
        )
        return [RowLayout([later, Button(_("安装"), action_ref("install", app=name))])]
    remove = Button(_("卸载"), go("ask_remove", app=name), style="outline")
    if name in state["updates"]:
        return [RowLayout([remove, Button(_("更新应用"), action_ref("update", app=name))])]
    return [RowLayout([remove, Button(_("打开"), action_ref("launch", app=name))])]


def _build_updates_page(view: PageView) -> AppPage:
    rows = [_build_row(view, CATALOGUE[name]) for name in view.state["updates"]]
    if not rows:
        return AppPage(
            title=_("应用更新"), back=False, body=empty(_("应用都是最新版本")), tabs=_tabs(view, "updates")
        )
    every = Button(_("全部更新"), action_ref("update_all"))
    return AppPage(
        title=_("应用更新"),
        back=False,
        body=[Space(4), panel(*rows)],
        footer=[every],
        tabs=_tabs(view, "updates"),
    )


def _build_mine_page(view: PageView) -> AppPage:
    state = view.state
    lines = [
        (_("已安装应用"), "grid", _("{count}个›").format(count=len(state["installed"])), go("installed")),
        (_("心愿单"), "heart", _("{count}个›").format(count=len(state["wishes"])), go("wishes")),
        (_("设置"), "gear", "›", go("settings")),
    ]
    return build_account_page(*lines, color=ACCENT, tabs=_tabs(view, "mine"))


def _build_installed_page(view: PageView) -> AppPage:
    rows = [
        ListRow(
            name,
            f"{view.state['sizes'][name]}MB",
            leading=Cover(name, room=48, radius=12),
            trailing="›",
            tap=go("app", app=name),
            hold=go("menu", app=name),
        )
        for name in view.state["installed"]
    ]
    return AppPage(title=_("已安装应用"), body=panel_or_empty(rows, _("没有安装应用")))


def _build_wishes_page(view: PageView) -> AppPage:
    rows = [_build_row(view, CATALOGUE[name]) for name in view.state["wishes"]]
    return AppPage(title=_("心愿单"), body=panel_or_empty(rows, _("心愿单是空的")))


def _build_menu_sheet(view: PageView) -> Sheet:
    name = view.arguments["app"]
    return dialogs.menu(name, (_("卸载应用"), "delete", go("ask_remove", app=name)))


def _build_ask_remove_dialog(view: PageView) -> Dialog:
    name = view.arguments["app"]
    message = _("要卸载“{name}”吗？它的数据也会删除。").format(name=name)
    return dialogs.ask(
        _("卸载应用"), _("确定卸载"), action_ref("remove", app=name), message=message, style="danger"
    )


def _build_settings_page(view: PageView) -> AppPage:
    rows = [
        switch_row(name, on=name in view.state["on"], tap=action_ref("switch", switch=name))
        for name in data.SWITCHES
    ]
    return AppPage(title=_("商店设置"), body=[Space(6), panel(*rows)])


# ---- handlers of taps

_tab = tab_over("home")


def _install(context: HandlerContext, app: str) -> None:
    likes.put(context, "installed", "app_installed", first=True, app=app)
    likes.take(context, "wishes", "wish_fulfilled", app=app)
    context.toast(_("安装完成"))


def _update(context: HandlerContext, app: str) -> None:
    likes.take(context, "updates", "app_updated", app=app)
    context.toast(_("已更新到最新版本"))


def _update_all(context: HandlerContext) -> None:
    for name in list(context.state["updates"]):
        _update(context, name)


def _remove(context: HandlerContext, app: str) -> None:
    likes.take(context, "installed", "app_removed", app=app)
    likes.take(context, "updates", "update_dropped", app=app)
    _tab(context, "mine")
    context.go("installed")
    context.toast(_("已卸载"))


def _launch(context: HandlerContext, app: str) -> None:
    context.toast(_("{app}不能在这台手机上打开").format(app=app))


def _rate(context: HandlerContext, app: str, stars: int) -> None:
    context.state["reviews"][app] = stars
    context.fact("app_rated", app=app, stars=stars)
    context.toast(_("感谢评价"))


def _rank(context: HandlerContext, kind: str) -> None:
    context.unfocus()
    context.state["viewed"] = kind
    context.fact("ranking_viewed", kind=kind)
    context.go("ranking", kind=kind)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: install, update, remove, rate, book or share an app, a ranking, a switch."""
    app, kind = voice.find_name(phrase, list(CATALOGUE)), voice.find_name(phrase, KINDS)
    switch, stars = voice.find_name(phrase, data.SWITCHES), voice.find_number(phrase)
    here = app in context.state["installed"]
    if switch:
        likes.put(context, "on", "switched_on", switch=switch)
    elif voice.says(phrase, _("全部更新", "said")):
        _update_all(context)
    elif app and here and voice.says(phrase, _("更新", "said")):
        _update(context, app)
    elif app and here and voice.says(phrase, _("卸载", "said")):
        context.go("ask_remove", app=app)
    elif app and here and voice.says(phrase, _("星", "said")) and stars in data.STARS:
        _rate(context, app, stars)
    elif app and voice.says(phrase, _("心愿单", "said")):
        likes.put(context, "wishes", "app_wished", app=app)
    elif app and voice.says(phrase, _("预约", "said")) and CATALOGUE[app].day:
        likes.put(context, "booked", "game_booked", app=app)
    elif app and voice.says(phrase, _("分享", "said")):
        context.go("app", app=app)
        context.go("share_with", what=_("[应用] {app}").format(app=app))
    elif app and voice.says(phrase, _("安装", "said")) and not CATALOGUE[app].day:
        _install(context, app)
    elif app:
        context.go("app", app=app)
    elif kind:
        _rank(context, kind)
    else:
        return False
    return True


STORE = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="App Store",
    glyph="bag",
    color=ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **other_apps.PAGES,
        "search": search_page(data.SEARCH, _find, empty(_("没有找到应用"))),
        "voice": voice.page(_("安装诗词日历"), _("全部更新")),
    },
    handlers={
        **tables.handlers(_install, _update, _update_all, _remove, _launch, _rate, _rank),
        **other_apps.HANDLERS,
        "wish": likes.flipping("wishes", "app", "app_wished", on=_("已加入心愿单"), off=_("已移出心愿单")),
        "book": likes.flipping("booked", "app", "game_booked", on=_("预约成功"), off=_("已取消预约")),
        "switch": likes.flipping("on", "switch", "switched_on", on=""),
        "tab": _tab,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("搜应用"), glyph="search", tap=OPEN_SEARCH),
        Shortcut(text=_("应用更新"), glyph="refresh", tap=tab("updates")),
    ),
    goals=GOALS,
    hours=(11, 15, 20, 22),
    seen=("viewed",),
)
