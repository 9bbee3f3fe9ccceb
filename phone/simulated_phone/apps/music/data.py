"""The music app's data: artists, songs and playlists, and the state of a fresh phone."""

from __future__ import annotations

import random

from simulated_phone.goals.app_definition import State
from simulated_phone.language.formats import entries
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL, SEARCH = "com.netease.cloudmusic", _("音乐"), _("搜索歌曲、歌手")
ARTISTS = {
    _("周杰伦"): _("晴天 稻香 七里香 夜曲 青花瓷 告白气球"),
    _("邓丽君"): _("甜蜜蜜 月亮代表我的心 小城故事 我只在乎你"),
    _("陈奕迅"): _("十年 孤勇者 富士山下 好久不见"),
    _("王菲"): _("红豆 匆匆那年 容易受伤的女人 传奇"),
    _("林俊杰"): _("江南 修炼爱情 可惜没如果 一千年以后"),
    _("五月天"): _("倔强 突然好想你 后来的我们 知足"),
    _("刘德华"): _("忘情水 冰雨 笨小孩 今天"),
    _("李宗盛"): _("山丘 凡人歌 给自己的歌 鬼迷心窍"),
    _("凤凰传奇"): _("最炫民族风 荷塘月色 月亮之上 自由飞翔"),
    _("毛不易"): _("消愁 像我这样的人 平凡的一天 借"),
    _("孙燕姿"): _("遇见 天黑黑 我怀念的 绿光"),
    "Taylor Swift": "Love Story|Blank Space|Shake It Off|Lover",
}
"""Artists -> their songs."""
SONGS: dict[str, str] = {song: artist for artist, songs in ARTISTS.items() for song in entries(songs)}
"""Songs -> their artist."""
THEMES = (
    _("通勤路上"),
    _("深夜安静"),
    _("经典老歌"),
    _("跑步节奏"),
    _("睡前放松"),
    _("写作业"),
    _("华语金曲"),
    _("广场舞"),
)
"""Playlists that the app offers."""
OWN_LISTS = (_("我的最爱2024"), _("开车听"), _("妈妈爱听"), _("健身房"), _("怀旧"), _("学英语"))
NEW_LISTS = (_("周末歌单"), _("午休"), _("回忆"), _("早起听"), _("宝宝睡觉"), _("聚会"))
SLEEP = (15, 30, 45, 60, 90)
"""Choices of the sleep timer, minutes."""

LIKED, DAILY, HEARD = _("我喜欢的音乐"), _("每日推荐"), _("最近播放")
"""Names of the playlists that every phone has."""


def make_state(rng: random.Random) -> State:
    """Draw liked songs, the person's playlists, and the song heard last."""
    songs = sorted(SONGS)
    own = rng.sample(OWN_LISTS, 2)
    heard = rng.sample(songs, 6)
    return {
        "song": heard[0],
        "on": False,
        "source": _("最近播放"),
        "liked": rng.sample(songs, 7),
        "heard": heard,
        "lists": {name: rng.sample(songs, 5) for name in own},
        "themes": {name: rng.sample(songs, 12) for name in rng.sample(THEMES, 6)},
        "daily": rng.sample(songs, 15),
        "sleep": 0,
        "mode": _("顺序播放"),
        "searched": rng.sample(songs, 3),
    }


def list_songs(state: State, name: str) -> list[str]:
    """The songs of a playlist: the person's, the app's, or those of an artist."""
    lists = {
        LIKED: state["liked"],
        DAILY: state["daily"],
        HEARD: state["heard"],
        **state["themes"],
        **state["lists"],
    }
    return list(lists[name]) if name in lists else [song for song, artist in SONGS.items() if artist == name]


def find_current_list(state: State) -> str:
    """The playlist that is being played; the recently heard songs if none is."""
    known = (LIKED, DAILY, HEARD, *state["themes"], *state["lists"], *ARTISTS)
    return state["source"] if state["source"] in known else HEARD
