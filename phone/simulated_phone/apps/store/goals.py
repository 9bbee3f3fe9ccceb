"""The app store's goals: install, update, remove, rate; some with chat, notes and the calendar."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, generator
from simulated_phone.goals.steps import Hold, Tap, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, by_ways, goal, in_turn, list_each
from ..calendar.goals import ADD_EVENT, day_arguments, has_event
from ..chat.goals import has_sent, people
from ..notes.goals import WRITE_NOTE, has_note
from .data import CATALOGUE, GAMES_TO_COME, KINDS, LABEL, PACKAGE, SEARCH, STARS, SWITCHES, make_state

_ = messages(__name__)

STORE = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)
_APPS = [{"app": name, "kind": app.kind} for name, app in CATALOGUE.items() if not app.day]
_COMING = [{"app": name, "kind": GAMES_TO_COME} for name, app in CATALOGUE.items() if app.day]


def _installed(seed: int, key: str = "installed") -> list[Arguments]:
    return [{"app": name, "kind": CATALOGUE[name].kind} for name in STORE.fresh(seed)[key]]


def _list_rated_cases(seed: int) -> list[Arguments]:
    return [{**case, "stars": stars} for case in _installed(seed) for stars in STARS]


def _list_shared_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:shared", seed)
    return [{**app, "contact": contact} for app in _APPS for contact in rng.sample(people(seed), 2)]


def _list_size_cases(seed: int) -> list[Arguments]:
    sizes = STORE.fresh(seed)["sizes"]
    return [{**app, "size": sizes[app["app"]], "text": f"{app['app']}{sizes[app['app']]}MB"} for app in _APPS]


def _list_event_cases(seed: int) -> list[Arguments]:
    days = [(app, CATALOGUE[app["app"]].day) for app in _COMING]
    return [
        {**app, "title": _("{app}上线").format(app=app["app"]), "hour": 10, **day_arguments(day)}
        for app, day in days
        if day
    ]


_OPEN = (
    STORE.search("{app}"),
    STORE.way("browse", "{kind}", "{app}"),
    STORE.shortcut(_("搜应用"), TypeText("{app}", into=SEARCH), "{app}"),
)
_SETTINGS = (STORE.way("mine", _("我的"), _("设置")), STORE.way("icon", _("商店设置")))

GOALS = (
    goal(
        "install_app",
        _("下载安装{app}"),
        _("应用商店里装一个{app}"),
        _("给手机装上{app}"),
        _("安装{app}这个应用"),
        *by_ways(_OPEN, _("安装")),
        STORE.voice(_("安装{app}")),
        **STORE.added("installed", "app", _APPS),
    ),
    goal(
        "update_app",
        _("更新一下{app}"),
        _("把{app}升级到新版本"),
        _("{app}有新版本，更新"),
        _("应用商店更新{app}"),
        STORE.way("list", _("应用更新"), Tap(_("更新"), within="{app}")),
        STORE.search("{app}", _("更新应用")),
        STORE.shortcut(_("应用更新"), Tap(_("更新"), within="{app}")),
        STORE.voice(_("更新{app}")),
        **STORE.removed("updates", "app", lambda seed: _installed(seed, "updates")),
    ),
    goal(
        "update_all",
        _("把所有应用都更新了"),
        _("应用全部更新一遍"),
        _("有更新的应用统统升级"),
        _("一次更新全部应用"),
        STORE.way("list", _("应用更新"), "{what}"),
        STORE.shortcut(_("应用更新"), "{what}"),
        STORE.voice("{what}"),
        cases=list_each("what", (_("全部更新"),)),
        rule=lambda states, arguments: not states[PACKAGE]["updates"],
    ),
    goal(
        "remove_app",
        _("卸载{app}"),
        _("把{app}从手机上卸掉"),
        _("{app}不用了，卸载"),
        _("手机里的{app}删掉，卸载吧"),
        STORE.way("held", _("我的"), _("已安装应用"), Hold("{app}"), _("卸载应用"), _("确定卸载")),
        STORE.way("list", _("我的"), _("已安装应用"), "{app}", _("卸载"), _("确定卸载")),
        STORE.search("{app}", _("卸载"), _("确定卸载")),
        STORE.voice(_("卸载{app}"), _("确定卸载")),
        **STORE.removed("installed", "app", _installed),
    ),
    goal(
        "rate_app",
        _("给应用{app}打{stars}星"),
        _("应用商店里评价{app}，{stars}颗星"),
        _("{app}这个应用给{stars}星"),
        _("评分{app}，{stars}星"),
        *by_ways(_OPEN[:2], _("{stars}星")),
        STORE.way("list", _("我的"), _("已安装应用"), "{app}", _("{stars}星")),
        STORE.voice(_("给{app}打{stars}星")),
        cases=_list_rated_cases,
        rule=lambda states, arguments: bool(
            states[PACKAGE]["reviews"].get(arguments["app"]) == arguments["stars"]
        ),
    ),
    goal(
        "wish_app",
        _("把应用{app}加到心愿单"),
        _("心愿单里加上{app}"),
        _("{app}先不装，放进心愿单"),
        _("以后再装{app}，加心愿单"),
        *by_ways(_OPEN, _("加入心愿单")),
        STORE.voice(_("{app}加入心愿单")),
        **STORE.added("wishes", "app", STORE.lacking("installed", "app", _APPS)),
    ),
    goal(
        "book_game",
        _("预约新游戏{app}"),
        _("{app}上线提醒我，先预约"),
        _("新游{app}点个预约"),
        _("应用商店预约{app}"),
        *by_ways(_OPEN, _("预约")),
        STORE.voice(_("预约{app}")),
        **STORE.added("booked", "app", lambda seed: _COMING),
    ),
    goal(
        "switch_on",
        _("商店的{switch}开一下"),
        _("应用商店里{switch}要开启"),
        _("商店设置里把{switch}打开"),
        _("让应用商店{switch}"),
        *by_ways(_SETTINGS, "{switch}"),
        STORE.voice(_("打开{switch}")),
        **STORE.added("on", "switch", [{"switch": switch} for switch in SWITCHES]),
    ),
    goal(
        "see_ranking",
        _("看看{kind}类应用的排行"),
        _("{kind}应用排行榜打开看看"),
        _("应用商店里{kind}哪个最好"),
        _("查{kind}类应用排名"),
        STORE.way("tab", _("排行榜"), "{kind}"),
        STORE.search("{kind}"),
        STORE.voice(_("{kind}排行")),
        **STORE.chosen("viewed", "kind", KINDS),
    ),
    goal(
        "share_app",
        _("把应用{app}推荐给{contact}"),
        _("应用{app}分享给{contact}"),
        _("给{contact}发一下应用{app}的链接"),
        _("让{contact}也装{app}，聊天里分享过去"),
        *by_ways(_OPEN[:2], _("分享"), _("聊天"), "{contact}"),
        STORE.voice(_("分享{app}"), _("聊天"), "{contact}"),
        cases=_list_shared_cases,
        rule=lambda states, arguments: has_sent(states, arguments["contact"], str(arguments["app"])),
    ),
    goal(
        "note_size",
        _("查应用{app}有多大，记到便签"),
        _("便签里记下{app}的安装包大小"),
        _("{app}要占多少空间，写进便签"),
        _("看应用商店里{app}的大小，记便签"),
        *in_turn(_OPEN[:2], WRITE_NOTE[:2]),
        cases=_list_size_cases,
        rule=lambda states, arguments: has_note(states, f"{arguments['size']}MB"),
    ),
    goal(
        "release_into_calendar",
        _("新游{app}哪天上线，日历里记上，10点"),
        _("把{app}的上线日加到日历，10点"),
        _("日历上记一下{app}上线，日期在应用商店，10点"),
        _("{app}上线那天10点，日历里建个日程"),
        *in_turn(_OPEN[:2], ADD_EVENT[:2]),
        cases=_list_event_cases,
        rule=lambda states, arguments: has_event(
            states, title=arguments["title"], day=arguments["date"], hour=arguments["hour"]
        ),
    ),
    goal(
        "ask_size",
        _("{app}这个应用有多大"),
        _("下载{app}要多少MB"),
        _("查一下应用商店里{app}的大小"),
        _("{app}占多少空间，几兆"),
        *_OPEN,
        STORE.voice(_("看看{app}")),
        cases=lambda seed: _APPS,
        question=asks("number", lambda view: view.state["sizes"][view.arguments["app"]], "MB"),
    ),
)
