"""The music app: recommended lists, singers, search, a player, and one's own lists."""

from __future__ import annotations

import re

from simulated_phone import voice
from simulated_phone.app_definition import App, Shortcut, choose
from simulated_phone.apps.music_pages import MODES, PAGES, widget
from simulated_phone.apps.music_world import (
    ARTISTS,
    DAILY,
    GOALS,
    HEARD,
    LIKED,
    PACKAGE,
    SONGS,
    initial,
    known_list,
    songs_of,
)
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.nodes import action_ref


def _start(context: HandlerContext, song: str, source: str) -> None:
    heard = [song, *(other for other in context.state["heard"] if other != song)]
    context.state.update(
        song=song, on=True, source=source, heard=heard[:20], since=round(context.now.timestamp())
    )
    context.fact("playing", song=song, source=source)


def _play(context: HandlerContext, song: str, source: str) -> None:
    _start(context, song, source)
    context.replace("player") if context.page == "song" else context.go("player")


def _play_all(context: HandlerContext, name: str) -> None:
    songs = songs_of(context.state, name)
    if songs:
        _start(context, songs[0], name)
    context.toast(f"正在播放 {name}" if songs else "歌单里还没有歌曲")


def _flip(context: HandlerContext) -> None:
    if context.state["on"]:
        context.state["on"] = False
        context.fact("paused", song=context.state["song"])
    else:
        _start(context, context.state["song"], context.state["source"])


def _step(context: HandlerContext, by: int) -> None:
    songs = songs_of(context.state, known_list(context.state)) or context.state["heard"]
    song = context.state["song"]
    place = songs.index(song) + by if song in songs else 0
    _start(context, songs[place % len(songs)], context.state["source"])


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
    """A time to stop at ("30分钟后停止播放"), a list, a song, a singer."""
    if minutes := re.search(r"(\d+)分钟", voice.with_digits(phrase)):
        context.state["sleep"] = int(minutes[1])
        context.toast(f"{minutes[1]}分钟后停止播放")
        return True
    lists = [LIKED, DAILY, HEARD, *context.state["themes"], *context.state["lists"]]
    name, song, artist = choose(phrase, lists), choose(phrase, list(SONGS)), choose(phrase, list(ARTISTS))
    if name and name in phrase:
        _play_all(context, name)
    elif song and song in phrase:
        _start(context, song, "语音")
        context.go("player")
    elif artist and artist in phrase:
        _play_all(context, artist)
    else:
        return False
    return True


MUSIC = App(
    package=PACKAGE,
    activity=".activity.MainActivity",
    label="音乐",
    english="Music",
    glyph="music",
    color="#d8343b",
    initial=initial,
    home="home",
    pages=PAGES,
    handlers={
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
    },
    shortcuts=(
        Shortcut(text="搜索歌曲", glyph="search", tap=action_ref("go", page="search")),
        Shortcut(text=LIKED, glyph="heart", tap=action_ref("go", page="list", name=LIKED)),
    ),
    widget=widget,
    goals=GOALS,
)
