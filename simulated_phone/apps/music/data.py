"""The music app's data: artists, songs and playlists, and the state of a fresh phone."""

from __future__ import annotations

import random

from simulated_phone.app_definition import State

PACKAGE, LABEL, SEARCH = "com.netease.cloudmusic", "音乐", "搜索歌曲、歌手"
ARTISTS = {
    "周杰伦": "晴天 稻香 七里香 夜曲 青花瓷 告白气球",
    "邓丽君": "甜蜜蜜 月亮代表我的心 小城故事 我只在乎你",
    "陈奕迅": "十年 孤勇者 富士山下 好久不见",
    "王菲": "红豆 匆匆那年 容易受伤的女人 传奇",
    "林俊杰": "江南 修炼爱情 可惜没如果 一千年以后",
    "五月天": "倔强 突然好想你 后来的我们 知足",
    "刘德华": "忘情水 冰雨 笨小孩 今天",
    "李宗盛": "山丘 凡人歌 给自己的歌 鬼迷心窍",
    "凤凰传奇": "最炫民族风 荷塘月色 月亮之上 自由飞翔",
    "毛不易": "消愁 像我这样的人 平凡的一天 借",
    "孙燕姿": "遇见 天黑黑 我怀念的 绿光",
    "Taylor Swift": "Love Story|Blank Space|Shake It Off|Lover",
}
"""Artists -> their songs."""
SONGS: dict[str, str] = {
    song: artist
    for artist, songs in ARTISTS.items()
    for song in (songs.split("|") if "|" in songs else songs.split())
}
"""Songs -> their artist."""
THEMES = ("通勤路上", "深夜安静", "经典老歌", "跑步节奏", "睡前放松", "写作业", "华语金曲", "广场舞")
"""Playlists that the app offers."""
OWN_LISTS = ("我的最爱2024", "开车听", "妈妈爱听", "健身房", "怀旧", "学英语")
NEW_LISTS = ("周末歌单", "午休", "回忆", "早起听", "宝宝睡觉", "聚会")
SLEEP = (15, 30, 45, 60, 90)
"""Choices of the sleep timer, minutes."""

LIKED, DAILY, HEARD = "我喜欢的音乐", "每日推荐", "最近播放"
"""Names of the playlists that every phone has."""


def initial(rng: random.Random) -> State:
    """Draw liked songs, the person's playlists, and the song heard last."""
    songs = sorted(SONGS)
    own = rng.sample(OWN_LISTS, 2)
    heard = rng.sample(songs, 6)
    return {
        "song": heard[0],
        "on": False,
        "source": "最近播放",
        "liked": rng.sample(songs, 7),
        "heard": heard,
        "lists": {name: rng.sample(songs, 5) for name in own},
        "themes": {name: rng.sample(songs, 12) for name in rng.sample(THEMES, 6)},
        "daily": rng.sample(songs, 15),
        "sleep": 0,
        "mode": "顺序播放",
        "searched": rng.sample(songs, 3),
    }


def songs_of(state: State, name: str) -> list[str]:
    """The songs of a playlist: the person's, the app's, or those of an artist."""
    lists = {
        LIKED: state["liked"],
        DAILY: state["daily"],
        HEARD: state["heard"],
        **state["themes"],
        **state["lists"],
    }
    return list(lists[name]) if name in lists else [song for song, artist in SONGS.items() if artist == name]


def current_list(state: State) -> str:
    """The playlist that is being played; the recently heard songs if none is."""
    known = (LIKED, DAILY, HEARD, *state["themes"], *state["lists"], *ARTISTS)
    return state["source"] if state["source"] in known else HEARD
