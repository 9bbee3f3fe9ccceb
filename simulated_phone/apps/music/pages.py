"""The music app's pages and the handlers of their taps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from simulated_phone import voice
from simulated_phone.app_definition import Handler, PageFunction, PageView, choose
from simulated_phone.apps.music.data import ARTISTS, DAILY, HEARD, LIKED, SLEEP, SONGS, current_list, songs_of
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, ColumnLayout, GridLayout, RowLayout
from simulated_phone.screens.lists import Chips, Cover, Heading, ListRow, ProgressBar, SearchBar, Tab
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import BACK, AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY, PAPER, RED
from simulated_phone.screens.widgets import Button, CheckMark, Field, Icon, Space, Text, Widget

MODES = {"顺序播放": "list", "随机播放": "shuffle", "单曲循环": "refresh"}
"""Playing orders and their icons."""
INK_BLUE = ("#3d4a66", "#151a26")


def _tabs(chosen: str) -> list[Tab]:
    tabs = (("home", "发现", "compass"), ("mine", "我的", "person"))
    return [
        Tab(text=text, glyph=glyph, tap=action_ref("tab", page=page), chosen=page == chosen)
        for page, text, glyph in tabs
    ]


def _mini_player(view: PageView) -> list[Widget]:
    song = view.state["song"]
    button = Icon(
        "pause" if view.state["on"] else "play",
        "暂停" if view.state["on"] else "播放",
        action_ref("flip"),
        color=RED,
    )
    words = ColumnLayout([Text(song, size=15, bold=True), Text(SONGS[song], size=12, color=GREY)])
    opener = RowLayout(
        [Cover(song, room=40, radius=20), words],
        [40, None],
        tap=action_ref("go", page="player"),
        description="打开播放页",
    )
    return [RowLayout([opener, button], [None, 48])]


def _home_page(view: PageView) -> AppPage:
    bar = Card(
        [
            ListRow(
                "搜索歌曲、歌手、歌单",
                leading=Icon("search", size=18, color=GREY, room=24),
                lead=24,
                color=GREY,
                size=14,
                pad=6,
            )
        ],
        color="#eceef2",
        pad=0,
        radius=26,
        tap=action_ref("go", page="search"),
    )
    head = RowLayout([bar, Icon("mic", "语音", voice.LISTEN)], [None, 44], pad=12)
    shortcuts = (("每日推荐", "calendar", DAILY), ("歌手", "mic", ""), ("最近播放", "history", HEARD))
    icons: list[Widget] = [_shortcut_card(words, glyph, name) for words, glyph, name in shortcuts]
    themes: list[Widget] = [
        Card(
            [Cover(name, glyph="music", room=104, radius=12), Text(name, size=14, lines=1)],
            pad=0,
            color="#f4f5f8",
            tap=action_ref("go", page="list", name=name),
        )
        for name in view.state["themes"]
    ]
    rows = [_song_row(view, song, DAILY) for song in view.state["daily"][:6]]
    more = Heading("为你推荐", "查看全部", action_ref("go", page="list", name=DAILY))
    body: list[Widget] = [
        RowLayout(icons, pad=8),
        Heading("推荐歌单"),
        GridLayout(themes, 3, gap=12, pad=16),
        more,
        *rows,
    ]
    return AppPage(header=[Space(6), head], body=body, footer=_mini_player(view), tabs=_tabs("home"))


def _shortcut_card(words: str, glyph: str, name: str) -> Widget:
    tap = action_ref("go", page="list", name=name) if name else action_ref("go", page="artists")
    icon = Icon(glyph, size=24, color=PAPER, plate="#e5484d", room=52)
    return Card([icon, Text(words, size=13, align="center")], pad=6, color="#f4f5f8", tap=tap)


def _song_row(view: PageView, song: str, source: str) -> Widget:
    playing = view.state["on"] and view.state["song"] == song
    return ListRow(
        song,
        SONGS[song],
        leading=Cover(song, room=44),
        lead=44,
        trailing=_heart(view, song, GREY),
        trail=44,
        color=RED if playing else "#1c1d21",
        tap=action_ref("play", song=song, source=source),
        hold=action_ref("go", page="song", song=song),
    )


def _list_page(view: PageView) -> AppPage:
    name = view.arguments["name"]
    songs = songs_of(view.state, name)
    head = RowLayout(
        [
            Cover(name, glyph="music", room=96, radius=12),
            ColumnLayout([Text(name, size=19, bold=True, lines=2), Text(f"{len(songs)}首", color=GREY)]),
        ],
        [96, None],
        gap=14,
        pad=16,
    )
    play = RowLayout(
        [Button("播放全部", action_ref("play_all", name=name), glyph="play", style="danger")], pad=16
    )
    rows = [_song_row(view, song, name) for song in songs]
    return AppPage(title="歌单", body=[head, Space(8), play, *rows], footer=_mini_player(view))


def _artists_page(view: PageView) -> AppPage:
    rows: list[Widget] = [
        ListRow(
            artist,
            f"{len(songs_of(view.state, artist))}首",
            leading=Cover(artist, radius=24),
            trailing="›",
            tap=action_ref("go", page="list", name=artist),
        )
        for artist in sorted(ARTISTS, key=lambda artist: artist.encode("gbk"))
    ]
    return AppPage(title="歌手", body=rows, background=PAPER)


def _search_page(view: PageView) -> AppPage:
    word = view.fields.get("query", "").strip().casefold()
    bar = SearchBar(
        Field("query", "搜索歌曲、歌手", glyph="search", enter="搜索", submit=action_ref("searched")),
        voice.LISTEN,
    )
    if not word:
        old = [(song, action_ref("again", word=song), False) for song in view.state["searched"]]
        return AppPage(title="搜索", header=[bar], body=[Heading("搜索历史"), Chips(old)], background=PAPER)
    names = [*view.state["themes"], *view.state["lists"], *ARTISTS]
    rows: list[Widget] = [
        ListRow(
            name,
            "歌手" if name in ARTISTS else "歌单",
            leading=Cover(name, room=44),
            lead=44,
            trailing="›",
            tap=action_ref("go", page="list", name=name),
        )
        for name in names
        if word in name.casefold()
    ]
    rows += [
        _song_row(view, song, "搜索")
        for song, artist in SONGS.items()
        if word in f"{song} {artist}".casefold()
    ]
    return AppPage(
        title="搜索",
        header=[bar],
        body=rows or [Space(80), Text("没有找到", color=GREY, align="center")],
        background=PAPER,
    )


def _player_page(view: PageView) -> AppPage:
    song, since = view.state["song"], view.state.get("since", 0)
    share = (round(view.now.timestamp()) - since) // 10 % 24 / 24 if view.state["on"] else 0.3
    small = [
        _heart(view, song, PAPER),
        Icon("timer", "定时关闭", action_ref("go", page="sleep"), color=PAPER),
        Icon("folder", "收藏到歌单", action_ref("go", page="choose", song=song), color=PAPER),
        Icon("more", "更多", action_ref("go", page="song", song=song), color=PAPER),
    ]
    words = [Text(song, size=24, bold=True, color=PAPER), Text(SONGS[song], size=15, color="#c3c9d6")]
    body: list[Widget] = [Space(20), Cover(song, room=300, radius=20), Space(20), *words, Space(8)]
    body += [RowLayout(small), ProgressBar(share, pad=0), Space(6), RowLayout(_player_keys(view))]
    return AppPage(title="正在播放", body=body, pad=28, background=INK_BLUE, dark=True)


def _player_keys(view: PageView) -> list[Icon]:
    mode, on = view.state["mode"], view.state["on"]
    glyph, words = ("pause", "暂停") if on else ("play", "播放")
    return [
        Icon(MODES[mode], mode, action_ref("mode"), color=PAPER),
        Icon("previous", "上一首", action_ref("step", by=-1), size=30, color=PAPER),
        Icon(glyph, words, action_ref("flip"), size=34, color="#232a3a", plate=PAPER, room=76),
        Icon("next", "下一首", action_ref("step", by=1), size=30, color=PAPER),
        Icon("list", "播放列表", action_ref("go", page="list", name=current_list(view.state)), color=PAPER),
    ]


def _heart(view: PageView, song: str, color: str) -> Icon:
    liked = song in view.state["liked"]
    words = f"取消喜欢{song}" if liked else f"喜欢{song}"
    glyph = "heart" if liked else "heart_line"
    return Icon(glyph, words, action_ref("like", song=song), size=22, color=RED if liked else color)


def _mine_page(view: PageView) -> AppPage:
    rows = [
        (LIKED, f"{len(view.state['liked'])}首", "heart", action_ref("go", page="list", name=LIKED)),
        (HEARD, f"{len(view.state['heard'])}首", "history", action_ref("go", page="list", name=HEARD)),
        (
            "定时关闭",
            f"{view.state['sleep']}分钟后" if view.state["sleep"] else "未开启",
            "timer",
            action_ref("go", page="sleep"),
        ),
    ]
    body: list[Widget] = [
        ListRow(
            name, words, leading=Icon(glyph, size=22, color=PAPER, plate=RED, room=48), trailing="›", tap=tap
        )
        for name, words, glyph, tap in rows
    ]
    body.append(Heading("我的歌单", "新建歌单", action_ref("go", page="new_list")))
    for name, songs in view.state["lists"].items():
        body.append(
            ListRow(
                name,
                f"{len(songs)}首",
                leading=Cover(name, glyph="music"),
                trailing="›",
                tap=action_ref("go", page="list", name=name),
            )
        )
    return AppPage(
        title="我的",
        back=False,
        actions=[Icon("mic", "语音", voice.LISTEN)],
        body=body,
        footer=_mini_player(view),
        tabs=_tabs("mine"),
    )


def _song_sheet(view: PageView) -> Sheet:
    song = view.arguments["song"]
    liked = song in view.state["liked"]
    rows = (
        ("播放", "play", action_ref("play", song=song, source="搜索")),
        ("取消喜欢" if liked else "喜欢", "heart", action_ref("like", song=song)),
        ("收藏到歌单", "folder", action_ref("go", page="choose", song=song)),
        (f"歌手：{SONGS[song]}", "person", action_ref("go", page="list", name=SONGS[song])),
    )
    body = [
        ListRow(words, leading=Icon(glyph, size=20, room=32), lead=32, tap=tap) for words, glyph, tap in rows
    ]
    return Sheet(title=song, body=body)


def _choose_sheet(view: PageView) -> Sheet:
    song = view.arguments["song"]
    rows: list[Widget] = [
        ListRow("新建歌单", leading=Icon("add", room=40), lead=40, tap=action_ref("go", page="new_list"))
    ]
    for name, songs in view.state["lists"].items():
        rows.append(
            ListRow(
                name,
                f"{len(songs)}首",
                leading=Cover(name, glyph="music", room=40),
                lead=40,
                tap=action_ref("add", song=song, name=name),
            )
        )
    return Sheet(title="收藏到歌单", body=rows)


def _new_list_dialog(view: PageView) -> Dialog:
    field = Field("name", "歌单名称", submit=action_ref("create"))
    return Dialog(
        title="新建歌单",
        body=[field],
        buttons=[Button("取消", BACK, style="tonal"), Button("创建", action_ref("create"))],
    )


def _sleep_sheet(view: PageView) -> Sheet:
    choices = [(0, "不开启"), *((minutes, f"{minutes}分钟") for minutes in SLEEP)]
    rows = [
        ListRow(
            words,
            trailing=CheckMark(view.state["sleep"] == minutes),
            trail=32,
            tap=action_ref("sleep", minutes=minutes),
        )
        for minutes, words in choices
    ]
    return Sheet(title="定时关闭", body=rows)


def home_widget(view: PageView) -> Widget:
    """The song, a play button, and a button that plays the liked songs."""
    song, on = view.state["song"], view.state["on"]
    words = ColumnLayout(
        [Text(song, size=15, bold=True, color=PAPER), Text(SONGS[song], size=12, color="#d5dcea")]
    )
    play = Icon("pause" if on else "play", "暂停播放" if on else "继续播放", action_ref("flip"), color=PAPER)
    heart = Icon("heart", "播放我喜欢的音乐", action_ref("play_all", name=LIKED), color=PAPER)
    return RowLayout([Cover(song, room=44, radius=10), words, play, heart], [44, None, 44, 44])


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "home": _home_page,
        "list": _list_page,
        "artists": _artists_page,
        "search": _search_page,
        "player": _player_page,
        "mine": _mine_page,
        "song": _song_sheet,
        "choose": _choose_sheet,
        "new_list": _new_list_dialog,
        "sleep": _sleep_sheet,
        "voice": voice.page("播放周杰伦的晴天", "播放我喜欢的音乐", "30分钟后停止播放"),
    }
)


# ---- handlers of taps


def _play_song(context: HandlerContext, song: str, source: str) -> None:
    heard = [song, *(other for other in context.state["heard"] if other != song)]
    context.state.update(
        song=song, on=True, source=source, heard=heard[:20], since=round(context.now.timestamp())
    )
    context.fact("playing", song=song, source=source)


def _play(context: HandlerContext, song: str, source: str) -> None:
    _play_song(context, song, source)
    context.replace("player") if context.page == "song" else context.go("player")


def _play_all(context: HandlerContext, name: str) -> None:
    songs = songs_of(context.state, name)
    if songs:
        _play_song(context, songs[0], name)
    context.toast(f"正在播放 {name}" if songs else "歌单里还没有歌曲")


def _flip(context: HandlerContext) -> None:
    if context.state["on"]:
        context.state["on"] = False
        context.fact("paused", song=context.state["song"])
    else:
        _play_song(context, context.state["song"], context.state["source"])


def _step(context: HandlerContext, by: int) -> None:
    songs = songs_of(context.state, current_list(context.state)) or context.state["heard"]
    song = context.state["song"]
    place = songs.index(song) + by if song in songs else 0
    _play_song(context, songs[place % len(songs)], context.state["source"])


def _like(context: HandlerContext, song: str) -> None:
    liked: list[str] = context.state["liked"]
    if song in liked:
        liked.remove(song)
    else:
        liked.insert(0, song)
    context.fact("liked", song=song, on=song in liked)
    context.toast("已添加到我喜欢的音乐" if song in liked else "已取消喜欢")


def _mode(context: HandlerContext) -> None:
    modes = list(MODES)
    context.state["mode"] = modes[(modes.index(context.state["mode"]) + 1) % len(modes)]
    context.toast(context.state["mode"])


def _searched(context: HandlerContext) -> None:
    word = context.field("query").strip()
    if word:
        context.state["searched"] = [word, *(old for old in context.state["searched"] if old != word)][:8]


def _again(context: HandlerContext, word: str) -> None:
    context.fill("query", word)


def _create(context: HandlerContext) -> None:
    name = context.field("name").strip()
    if not name or name in context.state["lists"]:
        context.toast("请换一个歌单名称")
        return
    context.state["lists"][name] = []
    context.fact("list_created", name=name)
    context.back()


def _add(context: HandlerContext, song: str, name: str) -> None:
    if song not in context.state["lists"][name]:
        context.state["lists"][name].append(song)
        context.fact("added_to_list", song=song, name=name)
    context.back()
    context.toast(f"已收藏到{name}")


def _sleep(context: HandlerContext, minutes: int) -> None:
    context.state["sleep"] = minutes
    context.fact("sleep_timer", minutes=minutes)
    context.back()
    context.toast(f"{minutes}分钟后停止播放" if minutes else "定时已关闭")


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: set the sleep timer ("30分钟后停止播放"), or play a list, a song or an artist."""
    if minutes := re.search(r"(\d+)分钟", voice.with_digits(phrase)):
        context.state["sleep"] = int(minutes[1])
        context.toast(f"{minutes[1]}分钟后停止播放")
        return True
    lists = [LIKED, DAILY, HEARD, *context.state["themes"], *context.state["lists"]]
    name, song, artist = choose(phrase, lists), choose(phrase, list(SONGS)), choose(phrase, list(ARTISTS))
    if name and name in phrase:
        _play_all(context, name)
    elif song and song in phrase:
        _play_song(context, song, "语音")
        context.go("player")
    elif artist and artist in phrase:
        _play_all(context, artist)
    else:
        return False
    return True


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "play": _play,
        "play_all": _play_all,
        "flip": _flip,
        "step": _step,
        "like": _like,
        "mode": _mode,
        "searched": _searched,
        "again": _again,
        "create": _create,
        "add": _add,
        "sleep": _sleep,
        **voice.handlers(_understand),
    }
)
