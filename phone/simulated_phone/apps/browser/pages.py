"""The browser: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

from collections.abc import Sequence

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import counted_messages, messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import Cover, Heading, ListRow
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import FAINT, GREY, PAPER, WELL

from ... import voice
from ...builders import dialogs, likes, other_apps, tables
from ...builders.account import build_account_page
from ...builders.likes import heart
from ...builders.list_parts import build_picks, empty, panel, panel_or_empty, suggestions
from ...builders.records import latest
from ...builders.search import OPEN_SEARCH, search_page, wide_pill
from ...builders.shop_front import build_service_grid
from ...builders.tabs import bottom_tabs, tab_over, top_tabs
from ...builders.taps import change, go
from . import data
from .data import ACCENT, SITES, WEB, WebPage, pages_of
from .goals import GOALS

_ = messages(__name__)
_n = counted_messages(__name__)

EVERYTHING, MARK = _("全部"), _("加入书签")
TABS = bottom_tabs(
    ("home", _("主页"), "home"),
    ("bookmarks", _("书签"), "star"),
    ("windows", _("标签页"), "grid"),
    ("mine", _("我的"), "person"),
)


def _open(title: str) -> ActionRef:
    return action_ref("open", title=title)


def _build_row(page: WebPage, hold: ActionRef | None = None) -> ListRow:
    cover = Cover(page.title, room=48, color=SITES[page.site][2], subject="scene")
    words = f"{page.site} · {page.section}" if page.section else f"{page.site} · {SITES[page.site][0]}"
    return ListRow(
        page.title, words, leading=cover, tap=_open(page.title), hold=hold or go("menu", title=page.title)
    )


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    sites = [(site, glyph, go("site", site=site)) for site, (_unused, glyph, _unused) in SITES.items()]
    news = [_build_row(page) for page in pages_of(data.NEWS)[::2]]
    body = [Space(2), build_service_grid(sites, ACCENT), Heading(_("今日热点")), panel(*news)]
    return AppPage(header=[Space(6), wide_pill(data.SEARCH, ACCENT)], body=body, gap=6, tabs=TABS("home"))


def _idle(view: PageView) -> Sequence[Widget]:
    return [Heading(_("搜索历史")), suggestions(view.state["history"][:5], _open)]


def _find(view: PageView, word: str) -> Sequence[Widget]:
    return [
        _build_row(page)
        for page in WEB.values()
        if any(word in text for text in (page.title, page.site, page.file))
    ]


def _build_site_page(view: PageView) -> AppPage:
    site, section = view.arguments["site"], view.arguments.get("section", EVERYTHING)
    sections = (EVERYTHING, *dict.fromkeys(page.section for page in pages_of(site) if page.section))
    rows = [_build_row(page) for page in pages_of(site) if section in (EVERYTHING, page.section)]
    address = RowLayout(
        [Icon("lock", size=14, color=GREY, room=24), Text(SITES[site][0], size=13, color=GREY)],
        [18, None],
        pad=16,
    )
    bar = top_tabs(sections, section, lambda name: change(section=name))
    return AppPage(title=site, header=[address, bar], body=rows, background=PAPER)


def _build_web_page(view: PageView) -> AppPage:
    page = WEB[view.arguments["title"]]
    icons = [
        heart(page.title in view.state["bookmarks"], action_ref("mark", title=page.title), MARK),
        Icon("share", other_apps.SHARE, other_apps.share(_("[网页] {title}").format(title=page.title))),
        Icon("more", _("更多"), go("page_menu", title=page.title)),
    ]
    address, _unused, color = SITES[page.site]
    bar = RowLayout(
        [
            Icon("lock", size=14, color=GREY, room=24),
            Text(f"{address}/{len(page.text)}", size=13, color=GREY),
        ],
        [18, None],
        pad=16,
    )
    body: list[Widget] = [
        Cover(page.title, room=130, radius=10, color=color, subject="scene"),
        Space(4),
        Text(page.title, size=23, bold=True, lines=2),
        Text(f"{page.site} {page.section}", size=13, color=GREY),
        Text(page.text, size=17, lines=8),
    ]
    if page.facts:
        body.append(
            Card([ListRow(key, trailing=value, pad=4) for key, value in page.facts.items()], color=WELL)
        )
    if page.file:
        body.append(
            Card(
                [
                    ListRow(
                        page.file, _("1.2 MB · 安全文件"), leading=Icon("note", color=ACCENT, room=40), pad=4
                    )
                ],
                color=WELL,
            )
        )
        body.append(Button(_("下载文件"), action_ref("download", file=page.file), glyph="download"))
    if page.form:
        body += _form(view)
    others = [_build_row(other) for other in pages_of(page.site) if other is not page][:3]
    body += [] if page.form else [Heading(_("相关推荐"), pad=0), *others]
    return AppPage(title=page.site, actions=icons, header=[bar], body=body, pad=16, gap=8, background=PAPER)


def _form(view: PageView) -> list[Widget]:
    days = build_picks("day", data.FORM_DAYS, view.arguments.get("day", ""), pad=0)
    fields: list[Widget] = [Field("name", data.NAME, enter=_("下一项")), Field("phone", data.PHONE)]
    return [
        Text(_("选择日期"), bold=True),
        days,
        Text(_("填写信息"), bold=True),
        *fields,
        Button(_("提交"), action_ref("submit")),
    ]


def _build_menu_sheet(view: PageView) -> Sheet:
    title = view.arguments["title"]
    lines = [(_("新标签页打开"), "add", action_ref("open_beside", title=title))]
    lines.append((_("存为书签"), "star", action_ref("keep", title=title)))
    return dialogs.menu(title, *lines)


def _build_page_menu_sheet(view: PageView) -> Sheet:
    title = view.arguments["title"]
    return dialogs.menu(
        title,
        (_("关闭标签页"), "close", action_ref("close", title=title)),
        (_("刷新"), "refresh", action_ref("back")),
    )


def _build_bookmarks_page(view: PageView) -> AppPage:
    rows = [_build_row(WEB[title], go("bookmark_menu", title=title)) for title in view.state["bookmarks"]]
    return AppPage(
        title=_("书签"), back=False, body=panel_or_empty(rows, _("还没有书签")), tabs=TABS("bookmarks")
    )


def _build_bookmark_menu_sheet(view: PageView) -> Sheet:
    return dialogs.menu(
        view.arguments["title"],
        (_("删除书签"), "delete", action_ref("unmark", title=view.arguments["title"])),
    )


def _build_windows_page(view: PageView) -> AppPage:
    cards = []
    for place, title in enumerate(view.state["tabs"]):
        close = Icon(
            "close",
            _("关闭{value}").format(value=title or _("空白页")),
            action_ref("close_place", place=place),
            size=16,
            room=36,
        )
        color = SITES[WEB[title].site][2] if title else FAINT
        head = RowLayout(
            [Text(title or _("空白页"), size=14, bold=place == view.state["current"]), close],
            [None, 36],
            gap=0,
        )
        cards.append(
            Card(
                [head, Cover(title or _("空"), room=120, color=color)],
                pad=8,
                tap=action_ref("switch", place=place),
            )
        )
    new = Button(_("新建标签页"), action_ref("new_tab"), glyph="add")
    return AppPage(
        title=_("标签页（{count}）").format(count=len(cards)),
        back=False,
        body=[Space(4), GridLayout(cards, 2, gap=10, pad=12)],
        footer=[new],
        tabs=TABS("windows"),
    )


def _build_mine_page(view: PageView) -> AppPage:
    history, files, forms = (len(view.state[key]) for key in ("history", "downloads", "forms"))
    lines = [
        (_("历史记录"), "history", _n("{count}条›", history).format(count=history), go("history")),
        (_("下载管理"), "download", _("{count}个›").format(count=files), go("downloads")),
        (_("已提交的表单"), "list", _n("{count}份›", forms).format(count=forms), go("forms")),
    ]
    return build_account_page(*lines, color=ACCENT, tabs=TABS("mine"))


def _build_history_page(view: PageView) -> AppPage:
    rows = [_build_row(WEB[title]) for title in view.state["history"]]
    clear = Icon("delete", _("清空"), go("ask_clear"))
    return AppPage(
        title=_("历史记录"), actions=[clear], body=rows or empty(_("没有浏览记录")), background=PAPER
    )


def _build_ask_clear_dialog(view: PageView) -> Dialog:
    return dialogs.ask(
        _("清空历史记录"), _("确定清空"), action_ref("clear"), message=_("清空后不能恢复。"), style="danger"
    )


def _build_downloads_page(view: PageView) -> AppPage:
    rows = [
        ListRow(
            file,
            _("1.2 MB · 已完成"),
            leading=Icon("note", color=ACCENT, room=40),
            hold=go("file_menu", file=file),
            trailing=Icon(
                "delete",
                _("移除{file}").format(file=file),
                action_ref("delete", file=file),
                size=20,
                color=GREY,
            ),
            trail=44,
        )
        for file in view.state["downloads"]
    ]
    return AppPage(title=_("下载管理"), body=panel_or_empty(rows, _("没有下载的文件")))


def _build_file_menu_sheet(view: PageView) -> Sheet:
    file = view.arguments["file"]
    return dialogs.menu(file, (_("删除文件"), "delete", action_ref("delete", file=file)))


def _build_forms_page(view: PageView) -> AppPage:
    rows = [
        ListRow(one["form"], f"{one['day']} · {one['name']}", trailing=_("已提交"))
        for one in view.state["forms"]
    ]
    return AppPage(title=_("已提交的表单"), body=panel_or_empty(rows, _("没有提交过表单")))


# ---- handlers of taps

_tab = tab_over("home")


def _show(context: HandlerContext, title: str) -> None:
    """Open a page in the current tab."""
    state = context.state
    context.unfocus()
    state["tabs"][state["current"]] = title
    state["history"] = latest(title, state["history"], 20)
    context.fact("page_opened", title=title)
    context.go("web", title=title)


def _add_tab(context: HandlerContext) -> None:
    context.state["tabs"].append("")
    context.state["current"] = len(context.state["tabs"]) - 1


def _new_tab(context: HandlerContext) -> None:
    _add_tab(context)
    context.root("home")
    context.go("search")
    context.focus("query")


def _open_beside(context: HandlerContext, title: str) -> None:
    context.back()
    _add_tab(context)
    _show(context, title)


def _switch(context: HandlerContext, place: int) -> None:
    context.state["current"] = place
    if title := context.state["tabs"][place]:
        _show(context, title)
    else:
        context.root("home")


def _close_place(context: HandlerContext, place: int) -> None:
    """Close a tab; the last one becomes empty."""
    tabs = context.state["tabs"]
    context.fact("tab_closed", title=tabs.pop(place))
    tabs[:] = tabs or [""]
    context.state["current"] = max(
        0, min(context.state["current"] - (place < context.state["current"]), len(tabs) - 1)
    )
    _tab(context, "windows")


def _close(context: HandlerContext, title: str) -> None:
    if title in context.state["tabs"]:
        _close_place(context, context.state["tabs"].index(title))
    else:
        context.back(2)


def _keep(context: HandlerContext, title: str) -> None:
    context.back()
    likes.put(context, "bookmarks", "page_marked", title=title)


def _unmark(context: HandlerContext, title: str) -> None:
    context.back()
    likes.take(context, "bookmarks", "page_unmarked", title=title)


def _download(context: HandlerContext, file: str) -> None:
    likes.put(context, "downloads", "file_downloaded", first=True, file=file)
    context.toast(_("下载完成"))


def _delete(context: HandlerContext, file: str) -> None:
    context.close("file_menu")
    likes.take(context, "downloads", "file_deleted", file=file)
    context.toast(_("已删除"))


def _submit(context: HandlerContext) -> None:
    name, day = context.field("name").strip(), context.arguments.get("day", "")
    if not name or not day:
        context.toast(_("请选择日期并填写姓名"))
        return
    context.state["forms"].insert(0, {"form": context.arguments["title"], "day": day, "name": name})
    context.fact("form_sent", form=context.arguments["title"], day=day, name=name)
    _tab(context, "mine")
    context.go("forms")
    context.toast(_("提交成功"))


def _clear(context: HandlerContext) -> None:
    context.back()
    context.state["history"] = []
    context.fact("history_cleared")


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: open, keep, close or share a title, download its file, clear the history."""
    title = voice.find_name(phrase, list(WEB))
    if voice.says(phrase, _("清空", "said")):
        context.go("history")
        context.go("ask_clear")
    elif title is None:
        return False
    elif voice.says(phrase, _("书签", "said")):
        likes.put(context, "bookmarks", "page_marked", title=title)
    elif voice.says(phrase, _("关闭", "said")):
        _close(context, title)
    elif voice.says(phrase, _("下载", "said")) and WEB[title].file:
        _download(context, WEB[title].file)
    else:
        if voice.says(phrase, _("新标签", "said")):
            _add_tab(context)
        _show(context, title)
        if voice.says(phrase, _("分享", "said")):
            context.go("share_with", what=_("[网页] {title}").format(title=title))
    return True


BROWSER = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="Browser",
    glyph="compass",
    color=ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **other_apps.PAGES,
        "search": search_page(data.SEARCH, _find, empty(_("没有找到相关网页")), _idle),
        "voice": voice.page(_("查一下大熊猫"), _("清空历史记录")),
    },
    handlers={
        **tables.handlers(_new_tab, _open_beside, _switch, _close_place, _close, _keep, _unmark, _download),
        **tables.handlers(_delete, _submit, _clear),
        **other_apps.HANDLERS,
        "open": _show,
        "mark": likes.flipping("bookmarks", "title", "page_marked", on=_("已加入书签"), off=_("已取消书签")),
        "tab": _tab,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("搜索网页"), glyph="search", tap=OPEN_SEARCH),
        Shortcut(text=_("历史记录"), glyph="history", tap=go("history")),
        Shortcut(text=_("下载管理"), glyph="download", tap=go("downloads")),
    ),
    goals=GOALS,
    hours=(10, 13, 16, 21),
    seen=("history", "current"),
)
