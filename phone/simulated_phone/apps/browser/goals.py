"""The browser's goals: pages, tabs, bookmarks, files, forms; some with notes, calendar and chat."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, States, generator
from simulated_phone.goals.steps import Hold, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, by_ways, goal, in_turn, list_each
from ..calendar.goals import ADD_EVENT, day_arguments, has_event
from ..chat.goals import has_sent, people
from ..notes.goals import WRITE_NOTE, has_note
from . import data
from .data import LABEL, PACKAGE, SEARCH, WEB, make_state, pages_of

_ = messages(__name__)

BROWSER = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)


def _build_page(title: str) -> dict[str, str]:
    page = WEB[title]
    return {"page": title, "site": page.site, "section": page.section or _("全部")}


def _unopened(seed: int, site: str = "") -> list[Arguments]:
    tabs = BROWSER.fresh(seed)["tabs"]
    return [
        _build_page(title)
        for title in WEB
        if title not in tabs and WEB[title].site == (site or WEB[title].site)
    ]


def _marked(seed: int) -> list[Arguments]:
    return [_build_page(title) for title in BROWSER.fresh(seed)["bookmarks"]]


def _list_file_cases(seed: int) -> list[Arguments]:
    have = BROWSER.fresh(seed)["downloads"]
    return [
        {**_build_page(page.title), "file": page.file}
        for page in pages_of(data.STUDY)
        if page.file not in have
    ]


def _list_form_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:forms", seed)
    return [
        {**_build_page(page.title), "day": day, "name": rng.choice(people(seed))}
        for page in pages_of(data.OFFICE)
        for day in data.FORM_DAYS
    ]


def _list_fact_cases(seed: int) -> list[Arguments]:
    return [
        {**_build_page(page.title), "fact": fact, "value": value, "text": f"{page.title}{fact}{value}"}
        for page in pages_of(data.WIKI)
        for fact, value in page.facts.items()
    ]


def _list_sent_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:sent", seed)
    return [
        {**_build_page(page.title), "contact": contact}
        for page in pages_of(data.NEWS)
        for contact in rng.sample(people(seed), 3)
    ]


def _list_event_cases(seed: int) -> list[Arguments]:
    return [
        {**_build_page(page.title), "title": page.title, "hour": page.hour, **day_arguments(page.day)}
        for page in pages_of(data.CITY)
        if page.day
    ]


def _shows(states: States, arguments: Arguments) -> bool:
    state = states[PACKAGE]
    return bool(state["tabs"][state["current"]] == arguments["page"])


def _opened_beside(states: States, arguments: Arguments) -> bool:
    """Whether the page is in a tab of its own beside those that were open."""
    tabs = states[PACKAGE]["tabs"]
    return arguments["page"] in tabs[3:] and len(tabs) > 3


_OPEN = (BROWSER.way("browse", "{site}", "{section}", "{page}"), BROWSER.search("{page}"))
_KNOWN = (BROWSER.way("browse", "{site}", "{page}"), BROWSER.search("{page}"))

GOALS = (
    goal(
        "read_news",
        _("看看新闻《{page}》"),
        _("打开新闻{page}"),
        _("{page}，这条新闻给我看看"),
        _("读一下{page}的报道"),
        *_OPEN,
        BROWSER.voice(_("打开{page}")),
        cases=lambda seed: _unopened(seed, data.NEWS),
        rule=_shows,
    ),
    goal(
        "look_up",
        _("百科查一下{page}"),
        _("{page}的百科打开看看"),
        _("上网查{page}是什么"),
        _("搜一下{page}的百科词条"),
        *_KNOWN,
        BROWSER.shortcut(_("搜索网页"), TypeText("{page}", into=SEARCH), "{page}"),
        BROWSER.voice(_("查一下{page}")),
        cases=lambda seed: _unopened(seed, data.WIKI),
        rule=_shows,
    ),
    goal(
        "add_bookmark",
        _("把网页{page}加到书签"),
        _("{page}这个网页存书签"),
        _("浏览器书签里加上{page}"),
        _("给{page}的网页加个书签"),
        *by_ways(_OPEN, _("加入书签")),
        BROWSER.way("held", "{site}", "{section}", Hold("{page}"), _("存为书签")),
        BROWSER.voice(_("{page}加入书签")),
        **BROWSER.added("bookmarks", "page", [_build_page(title) for title in WEB]),
    ),
    goal(
        "remove_bookmark",
        _("把书签{page}删了"),
        _("书签里的{page}不要了"),
        _("去掉{page}的书签"),
        _("浏览器书签{page}移除"),
        BROWSER.way("held", _("书签"), Hold("{page}"), _("删除书签")),
        BROWSER.way("opened", _("书签"), "{page}", _("取消加入书签")),
        BROWSER.search("{page}", _("取消加入书签")),
        **BROWSER.removed("bookmarks", "page", _marked),
    ),
    goal(
        "open_new_tab",
        _("新开一个标签页看{page}"),
        _("{page}用新标签页打开"),
        _("另开一页看{page}，原来的网页留着"),
        _("在新标签页里打开{page}"),
        BROWSER.way("tabs", _("标签页"), _("新建标签页"), TypeText("{page}", into=SEARCH), "{page}"),
        BROWSER.way("held", "{site}", "{section}", Hold("{page}"), _("新标签页打开")),
        BROWSER.voice(_("新标签页打开{page}")),
        cases=_unopened,
        rule=_opened_beside,
    ),
    goal(
        "close_tab",
        _("关掉{page}那个标签页"),
        _("标签页{page}关了吧"),
        _("{page}的标签页不用了，关掉"),
        _("浏览器里关闭{page}这一页"),
        BROWSER.way("tabs", _("标签页"), _("关闭{page}")),
        BROWSER.way("opened", _("标签页"), "{page}", _("更多"), _("关闭标签页")),
        BROWSER.voice(_("关闭标签页{page}")),
        **BROWSER.removed(
            "tabs", "page", lambda seed: [_build_page(title) for title in BROWSER.fresh(seed)["tabs"]]
        ),
    ),
    goal(
        "clear_history",
        _("清空浏览记录"),
        _("浏览器的历史记录全删掉"),
        _("把上网记录清了"),
        _("不留浏览历史，全部清除"),
        BROWSER.way("menu", _("我的"), "{what}", _("清空"), _("确定清空")),
        BROWSER.shortcut("{what}", _("清空"), _("确定清空")),
        BROWSER.voice(_("清空{what}"), _("确定清空")),
        cases=list_each("what", (_("历史记录"),)),
        rule=lambda states, arguments: not states[PACKAGE]["history"],
    ),
    goal(
        "download_file",
        _("下载{file}"),
        _("上网下一份{page}的文件"),
        _("把{page}那个文件下载下来"),
        _("从学习资料里下载{file}"),
        *by_ways(_KNOWN, _("下载文件")),
        BROWSER.voice(_("下载{page}")),
        **BROWSER.added("downloads", "file", _list_file_cases),
    ),
    goal(
        "delete_download",
        _("删掉下载的{file}"),
        _("浏览器下载里的{file}不要了"),
        _("把下载好的{file}删除"),
        _("清掉下载文件{file}"),
        BROWSER.way("menu", _("我的"), _("下载管理"), Hold("{file}"), _("删除文件")),
        BROWSER.way("icon", _("我的"), _("下载管理"), _("移除{file}")),
        BROWSER.shortcut(_("下载管理"), _("移除{file}")),
        **BROWSER.removed("downloads", "file"),
    ),
    goal(
        "send_form",
        _("网上办{page}，{day}，姓名填{name}"),
        _("在办事大厅提交{page}，名字{name}，选{day}"),
        _("帮{name}网上办一下{page}，时间{day}"),
        _("{page}选{day}，用{name}的名字提交"),
        *by_ways(_KNOWN, "{day}", TypeText("{name}", into=data.NAME), _("提交")),
        BROWSER.voice(_("打开{page}"), "{day}", TypeText("{name}", into=data.NAME), _("提交")),
        cases=_list_form_cases,
        rule=BROWSER.has("forms", form="page", day="day", name="name"),
    ),
    goal(
        "note_fact",
        _("查百科里{page}的{fact}，记到便签"),
        _("{page}的{fact}是多少，写进便签"),
        _("便签里记下{page}的{fact}，上网查"),
        _("上百科看{page}的{fact}，记便签"),
        *in_turn(_KNOWN, WRITE_NOTE[:2]),
        cases=_list_fact_cases,
        rule=lambda states, arguments: has_note(states, str(arguments["value"])),
    ),
    goal(
        "share_news",
        _("把新闻《{page}》分享给{contact}"),
        _("{page}这条新闻发给{contact}看"),
        _("转发新闻{page}给{contact}"),
        _("让{contact}也看看新闻{page}，聊天里发过去"),
        *by_ways(_OPEN, _("分享"), _("聊天"), "{contact}"),
        BROWSER.voice(_("分享{page}"), _("聊天"), "{contact}"),
        cases=_list_sent_cases,
        rule=lambda states, arguments: has_sent(states, arguments["contact"], str(arguments["page"])),
    ),
    goal(
        "event_into_calendar",
        _("上网看{page}是哪天，加进日历"),
        _("把同城活动{page}的时间记到日历"),
        _("网页上{page}几号几点，日历里建个日程"),
        _("查{page}的活动时间，写进日历"),
        *in_turn(_KNOWN, ADD_EVENT[:2]),
        cases=_list_event_cases,
        rule=lambda states, arguments: has_event(
            states, title=arguments["title"], day=arguments["date"], hour=arguments["hour"]
        ),
    ),
)
