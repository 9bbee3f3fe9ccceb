"""The music app: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import counted_messages, messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import Banner, Cover, Heading, ListRow, ProgressBar
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY, INK, PALE, PAPER, RED, WELL, WHITE, Exact

from ... import voice
from ...builders import dialogs, tables
from ...builders.likes import flipping, heart
from ...builders.list_parts import empty, suggestions
from ...builders.records import latest
from ...builders.search import MICROPHONE, search_page, search_pill
from ...builders.tabs import bottom_tabs
from ...builders.taps import go
from . import data
from .data import ARTISTS, DAILY, HEARD, LIKED, SONGS, find_current_list, list_songs
from .goals import GOALS

_ = messages(__name__)
_n = counted_messages(__name__)

MODES = {_("顺序播放"): "list", _("随机播放"): "shuffle", _("单曲循环"): "refresh"}
"""Playing orders and their icons."""
INK_BLUE = ("#3d4a66", "#151a26")
TABS = bottom_tabs(("home", _("发现"), "compass"), ("mine", _("我的"), "person"))
SLEEP_TIMER, OFF, NEW_LIST, KEEP = _("定时关闭"), _("未开启"), _("新建歌单"), _("收藏到歌单")


def _list(name: str) -> ActionRef:
    return go("list", name=name)


def _count(songs: Sequence[str]) -> str:
    return _n("{count}首", len(songs)).format(count=len(songs))


def _build_play_icon(view: PageView) -> tuple[str, str]:
    return ("pause", _("暂停")) if view.state["on"] else ("play", _("播放"))


def _song_words(song: str, color: str, ink: str = INK) -> ColumnLayout:
    return ColumnLayout([Text(song, size=15, bold=True, color=ink), Text(SONGS[song], size=12, color=color)])


def _build_mini_player(view: PageView) -> list[Widget]:
    song = view.state["song"]
    parts = [Cover(song, room=40, radius=20, subject="record"), _song_words(song, GREY)]
    opener = RowLayout(parts, [40, None], tap=go("player"), description=_("打开播放页"))
    return [RowLayout([opener, Icon(*_build_play_icon(view), action_ref("flip"), color=RED)], [None, 48])]


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    pill = search_pill(_("搜索歌曲、歌手、歌单"), go("search"), size=14, pad=6, lead=24, room=24)
    shortcuts = (
        (DAILY, "calendar", _list(DAILY)),
        (_("歌手"), "mic", go("artists")),
        (HEARD, "history", _list(HEARD)),
    )
    themes = [
        Card(
            [Cover(name, glyph="music", room=104, radius=12, subject="record"), Text(name, size=14)],
            pad=0,
            color=WELL,
            tap=_list(name),
        )
        for name in view.state["themes"]
    ]
    offers = [(name, _list(name)) for name in list(view.state["themes"])[:3]]
    body: list[Widget] = [
        Banner(offers, "record", view.minute.minute, pad=16),
        RowLayout([_build_shortcut_card(*shortcut) for shortcut in shortcuts], pad=8),
        Heading(_("推荐歌单")),
        GridLayout(themes, 3, gap=12, pad=16),
        Heading(_("为你推荐"), _("查看全部"), _list(DAILY)),
        *(_build_song_row(view, song, DAILY) for song in view.state["daily"][:6]),
    ]
    header = [Space(6), RowLayout([pill, MICROPHONE], [None, 44], pad=12)]
    return AppPage(header=header, body=body, footer=_build_mini_player(view), tabs=TABS("home"))


def _build_shortcut_card(words: str, glyph: str, tap: ActionRef) -> Widget:
    icon = Icon(glyph, size=24, color=WHITE, plate=RED, room=52)
    return Card([icon, Text(words, size=13, align="center")], pad=6, color=WELL, tap=tap)


def _build_song_row(view: PageView, song: str, source: str) -> Widget:
    playing = view.state["on"] and view.state["song"] == song
    return ListRow(
        song,
        SONGS[song],
        leading=Cover(song, room=44, subject="record"),
        trailing=_build_heart(view, song, GREY),
        trail=44,
        color=RED if playing else INK,
        tap=action_ref("play", song=song, source=source),
        hold=go("song", song=song),
    )


def _build_list_page(view: PageView) -> AppPage:
    name = view.arguments["name"]
    songs = list_songs(view.state, name)
    words = ColumnLayout([Text(name, size=19, bold=True, lines=2), Text(_count(songs), color=GREY)])
    head = RowLayout(
        [Cover(name, glyph="music", room=96, radius=12, subject="record"), words], [96, None], gap=14, pad=16
    )
    play = Button(_("播放全部"), action_ref("play_all", name=name), glyph="play", style="danger")
    rows = [_build_song_row(view, song, name) for song in songs]
    body = [head, Space(8), RowLayout([play], pad=16), *rows]
    return AppPage(title=_("歌单"), body=body, footer=_build_mini_player(view))


def _find(view: PageView, word: str) -> Sequence[Widget]:
    word = word.casefold()
    lists = [
        ListRow(
            name,
            _("歌手") if name in ARTISTS else _("歌单"),
            leading=Cover(name, room=44, subject="record"),
            trailing="›",
            tap=_list(name),
        )
        for name in (*view.state["themes"], *view.state["lists"], *ARTISTS)
        if word in name.casefold()
    ]
    songs = [song for song, artist in SONGS.items() if word in f"{song} {artist}".casefold()]
    return [*lists, *(_build_song_row(view, song, _("搜索")) for song in songs)]


def _list_old_searches(view: PageView) -> Sequence[Widget]:
    again = suggestions(view.state["searched"], lambda word: action_ref("again", word=word))
    return [Heading(_("搜索历史")), again]


def _build_player_page(view: PageView) -> AppPage:
    song, since = view.state["song"], view.state.get("since", 0)
    share = (round(view.now.timestamp()) - since) // 10 % 24 / 24 if view.state["on"] else 0.3
    small = [
        _build_heart(view, song, WHITE),
        Icon("timer", SLEEP_TIMER, go("sleep"), color=WHITE),
        Icon("folder", KEEP, go("choose", song=song), color=WHITE),
        Icon("more", _("更多"), go("song", song=song), color=WHITE),
    ]
    words = [Text(song, size=24, bold=True, color=WHITE), Text(SONGS[song], size=15, color=PALE)]
    body: list[Widget] = [
        Space(20),
        Cover(song, room=300, radius=20, subject="record"),
        Space(20),
        *words,
        Space(8),
    ]
    body += [RowLayout(small), ProgressBar(share, pad=0), Space(6), RowLayout(_build_player_keys(view))]
    return AppPage(title=_("正在播放"), body=body, pad=28, background=INK_BLUE, dark=True)


def _build_player_keys(view: PageView) -> list[Icon]:
    mode = view.state["mode"]
    return [
        Icon(MODES[mode], mode, action_ref("mode"), color=WHITE),
        Icon("previous", _("上一首"), action_ref("step", by=-1), size=30, color=WHITE),
        Icon(
            *_build_play_icon(view), action_ref("flip"), size=34, color=Exact("#232a3a"), plate=WHITE, room=76
        ),
        Icon("next", _("下一首"), action_ref("step", by=1), size=30, color=WHITE),
        Icon("list", _("播放列表"), _list(find_current_list(view.state)), color=WHITE),
    ]


def _build_heart(view: PageView, song: str, color: str) -> Icon:
    liked = song in view.state["liked"]
    return heart(
        liked,
        action_ref("like", song=song),
        _("喜欢{song}").format(song=song),
        size=22,
        color=RED if liked else color,
    )


def _build_mine_page(view: PageView) -> AppPage:
    state, minutes = view.state, view.state["sleep"]
    lines = (
        (LIKED, _count(state["liked"]), "heart", _list(LIKED)),
        (HEARD, _count(state["heard"]), "history", _list(HEARD)),
        (SLEEP_TIMER, _("{minutes}分钟后").format(minutes=minutes) if minutes else OFF, "timer", go("sleep")),
    )
    body: list[Widget] = [
        ListRow(name, words, leading=Icon(glyph, size=22, color=WHITE, plate=RED), trailing="›", tap=tap)
        for name, words, glyph, tap in lines
    ]
    body.append(Heading(_("我的歌单"), NEW_LIST, go("new_list")))
    for name, songs in state["lists"].items():
        cover = Cover(name, glyph="music", subject="record")
        body.append(ListRow(name, _count(songs), leading=cover, trailing="›", tap=_list(name)))
    return AppPage(
        title=_("我的"),
        back=False,
        actions=[MICROPHONE],
        body=body,
        footer=_build_mini_player(view),
        tabs=TABS("mine"),
    )


def _build_artists_page(view: PageView) -> AppPage:
    rows = [
        ListRow(
            artist,
            _count(list_songs(view.state, artist)),
            leading=Cover(artist, radius=24, subject="face"),
            trailing="›",
            tap=_list(artist),
        )
        for artist in sorted(ARTISTS, key=lambda artist: artist.encode("gbk"))
    ]
    return AppPage(title=_("歌手"), body=rows, background=PAPER)


def _build_song_sheet(view: PageView) -> Sheet:
    song = view.arguments["song"]
    lines = (
        (_("播放"), "play", action_ref("play", song=song, source=_("搜索"))),
        (_("取消喜欢") if song in view.state["liked"] else _("喜欢"), "heart", action_ref("like", song=song)),
        (KEEP, "folder", go("choose", song=song)),
        (_("歌手：{songs}").format(songs=SONGS[song]), "person", _list(SONGS[song])),
    )
    rows = [ListRow(words, leading=Icon(glyph, size=20, room=32), tap=tap) for words, glyph, tap in lines]
    return Sheet(title=song, body=rows)


def _build_choose_sheet(view: PageView) -> Sheet:
    rows = [ListRow(NEW_LIST, leading=Icon("add", room=40), tap=go("new_list"))]
    for name, songs in view.state["lists"].items():
        add = action_ref("add", song=view.arguments["song"], name=name)
        cover = Cover(name, glyph="music", room=40, subject="record")
        rows.append(ListRow(name, _count(songs), leading=cover, tap=add))
    return Sheet(title=KEEP, body=rows)


def _build_new_list_dialog(view: PageView) -> Dialog:
    return dialogs.ask_text(NEW_LIST, "name", _("歌单名称"), _("创建"), action_ref("create"))


def _build_sleep_sheet(view: PageView) -> Sheet:
    times = {_("{minutes}分钟").format(minutes=minutes): minutes for minutes in data.SLEEP}
    return dialogs.choices(
        SLEEP_TIMER,
        {_("不开启"): 0, **times},
        view.state["sleep"],
        lambda minutes: action_ref("sleep", minutes=minutes),
    )


def _build_home_widget(view: PageView) -> Widget:
    song, (glyph, _unused) = view.state["song"], _build_play_icon(view)
    words = _("暂停播放") if view.state["on"] else _("继续播放")
    play = Icon(glyph, words, action_ref("flip"), color=WHITE)
    liked = Icon("heart", _("播放我喜欢的音乐"), action_ref("play_all", name=LIKED), color=WHITE)
    parts = [Cover(song, room=44, radius=10, subject="record"), _song_words(song, PALE, WHITE), play, liked]
    return RowLayout(parts, [44, None, 44, 44])


# ---- handlers of taps

_like = flipping("liked", "song", "liked", on=_("已添加到我喜欢的音乐"), off=_("已取消喜欢"), first=True)


def _play_song(context: HandlerContext, song: str, source: str) -> None:
    heard, since = latest(song, context.state["heard"], 20), round(context.now.timestamp())
    context.state.update(song=song, on=True, source=source, heard=heard, since=since)
    context.fact("playing", song=song, source=source)


def _play(context: HandlerContext, song: str, source: str) -> None:
    _play_song(context, song, source)
    context.replace("player") if context.page == "song" else context.go("player")


def _play_all(context: HandlerContext, name: str) -> None:
    songs = list_songs(context.state, name)
    if songs:
        _play_song(context, songs[0], name)
    context.toast(_("正在播放 {name}").format(name=name) if songs else _("歌单里还没有歌曲"))


def _flip(context: HandlerContext) -> None:
    if context.state["on"]:
        context.state["on"] = False
        context.fact("paused", song=context.state["song"])
    else:
        _play_song(context, context.state["song"], context.state["source"])


def _step(context: HandlerContext, by: int) -> None:
    songs = list_songs(context.state, find_current_list(context.state)) or context.state["heard"]
    song = context.state["song"]
    place = songs.index(song) + by if song in songs else 0
    _play_song(context, songs[place % len(songs)], context.state["source"])


def _mode(context: HandlerContext) -> None:
    modes = list(MODES)
    context.state["mode"] = modes[(modes.index(context.state["mode"]) + 1) % len(modes)]
    context.toast(context.state["mode"])


def _searched(context: HandlerContext) -> None:
    if word := context.field("query").strip():
        context.state["searched"] = latest(word, context.state["searched"], 8)


def _again(context: HandlerContext, word: str) -> None:
    context.fill("query", word)


def _create(context: HandlerContext) -> None:
    if _new_list(context, context.field("name").strip()):
        context.back()


def _new_list(context: HandlerContext, name: str) -> bool:
    free = bool(name) and name not in context.state["lists"]
    if free:
        context.state["lists"][name] = []
        context.fact("list_created", name=name)
    else:
        context.toast(_("请换一个歌单名称"))
    return free


def _add(context: HandlerContext, song: str, name: str) -> None:
    context.close("choose")
    if song not in context.state["lists"][name]:
        context.state["lists"][name].append(song)
        context.fact("added_to_list", song=song, name=name)
    context.toast(_("已收藏到{name}").format(name=name))


def _sleep(context: HandlerContext, minutes: int) -> None:
    context.state["sleep"] = minutes
    context.fact("sleep_timer", minutes=minutes)
    context.back()
    context.toast(_("{minutes}分钟后停止播放").format(minutes=minutes) if minutes else _("定时已关闭"))


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: the sleep timer ("30分钟后停止播放"), a new list, a song for it, or what to play."""
    if minutes := re.search(_(r"(\d+)分钟"), voice.write_digits(phrase)):
        context.state["sleep"] = int(minutes[1])
        context.toast(_("{minutes}分钟后停止播放").format(minutes=minutes[1]))
        return True
    own = list(context.state["lists"])
    if (new := re.search(_("新建歌单(.+)"), phrase, re.IGNORECASE)) and _new_list(context, new[1].strip()):
        context.toast(_("歌单已创建"))
        return True
    name, song = voice.find_name(phrase, own), voice.find_name(phrase, list(SONGS))
    if name and song:
        _add(context, song, name)
        return True
    lists = [LIKED, DAILY, HEARD, *context.state["themes"], *own]
    if name := voice.find_name(phrase, lists):
        _play_all(context, name)
    elif song:
        _play_song(context, song, _("语音"))
        context.go("player")
    elif artist := voice.find_name(phrase, list(ARTISTS)):
        _play_all(context, artist)
    else:
        return False
    return True


MUSIC = App(
    package=data.PACKAGE,
    activity=".activity.MainActivity",
    label=data.LABEL,
    english="Music",
    glyph="music",
    color="#d8343b",
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        "search": search_page(
            data.SEARCH, _find, empty(_("没有找到")), _list_old_searches, submit=action_ref("searched")
        ),
        "voice": voice.page(_("播放周杰伦的晴天"), _("播放我喜欢的音乐"), _("30分钟后停止播放")),
    },
    handlers={
        **tables.handlers(_play, _play_all, _flip, _step, _mode, _searched, _again, _create, _add, _sleep),
        "like": _like,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("搜索歌曲"), glyph="search", tap=go("search")),
        Shortcut(text=LIKED, glyph="heart", tap=_list(LIKED)),
    ),
    widget=_build_home_widget,
    goals=GOALS,
    position=2,
    hours=(8, 12, 18, 22),
    seen=("heard", "searched", "source"),
    times=("since",),
)
