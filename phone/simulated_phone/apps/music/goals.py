"""The music app's goals: play a song or a playlist, like, add to a playlist, set the sleep timer."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, States
from simulated_phone.goals.steps import Hold, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, goal, list_each
from .data import LABEL, LIKED, NEW_LISTS, PACKAGE, SEARCH, SLEEP, SONGS, make_state

_ = messages(__name__)

MUSIC = GoalBuilder(PACKAGE, LABEL, make_state)


def _list_song_cases(seed: int) -> list[Arguments]:
    return [{"song": song, "artist": artist} for song, artist in SONGS.items()]


def _list_addable_cases(seed: int) -> list[Arguments]:
    return [
        {**case, "playlist": name}
        for name, songs in MUSIC.fresh(seed)["lists"].items()
        for case in _list_song_cases(seed)
        if case["song"] not in songs
    ]


def _is_playing(states: States, arguments: Arguments) -> bool:
    state = states[PACKAGE]
    return bool(state["on"] and state["song"] == arguments["song"])


def _is_playing_list(states: States, arguments: Arguments) -> bool:
    state = states[PACKAGE]
    return bool(state["on"] and state["source"] == arguments["playlist"])


_PILL = _("搜索歌曲、歌手、歌单")
_TYPED = TypeText("{song}", into=SEARCH)
_SEARCH, _BROWSE = (_PILL, _TYPED), (_("歌手"), "{artist}")
_NEW_LIST = (_("新建歌单"), TypeText("{playlist}", into=_("歌单名称")), _("创建"))

GOALS = (
    goal(
        "play_song",
        _("播放{artist}的{song}"),
        _("我想听{song}"),
        _("放一首{song}"),
        _("听{artist}唱的《{song}》"),
        MUSIC.way("search", *_SEARCH, "{song}"),
        MUSIC.way("browse", *_BROWSE, "{song}"),
        MUSIC.voice(_("播放{artist}的{song}")),
        MUSIC.shortcut(_("搜索歌曲"), _TYPED, "{song}"),
        cases=_list_song_cases,
        rule=_is_playing,
    ),
    goal(
        "like_song",
        _("收藏{song}"),
        _("把{song}加到我喜欢"),
        _("给{artist}的{song}点个红心"),
        _("喜欢{song}这首歌"),
        MUSIC.way("search", *_SEARCH, _("喜欢{song}")),
        MUSIC.way("browse", *_BROWSE, _("喜欢{song}")),
        MUSIC.way("player", *_SEARCH, "{song}", _("喜欢{song}")),
        **MUSIC.added("liked", "song", _list_song_cases),
    ),
    goal(
        "play_list",
        _("播放歌单{playlist}"),
        _("听{playlist}这个歌单"),
        _("放{playlist}"),
        _("打开{playlist}歌单听歌"),
        MUSIC.way("browse", "{playlist}", _("播放全部")),
        MUSIC.way("search", _PILL, TypeText("{playlist}", into=SEARCH), "{playlist}", _("播放全部")),
        MUSIC.voice(_("播放歌单{playlist}")),
        cases=MUSIC.listed("themes", "playlist"),
        rule=_is_playing_list,
    ),
    goal(
        "play_liked",
        _("播放我喜欢的音乐"),
        _("听听我收藏的歌"),
        _("放我喜欢的歌"),
        _("随便放点我红心的歌"),
        MUSIC.way("browse", _("我的"), LIKED, _("播放全部")),
        MUSIC.voice(_("播放我喜欢的音乐")),
        MUSIC.shortcut(LIKED, _("播放全部")),
        MUSIC.widget(_("播放我喜欢的音乐")),
        cases=list_each("playlist", [LIKED]),
        rule=_is_playing_list,
    ),
    goal(
        "resume",
        _("继续播放音乐"),
        _("接着放歌"),
        _("打开音乐继续听"),
        _("继续刚才的歌"),
        MUSIC.way("mini_player", _("播放")),
        MUSIC.way("player", _("打开播放页"), _("播放")),
        MUSIC.widget(_("继续播放")),
        cases=lambda seed: [{"song": MUSIC.fresh(seed)["song"]}],
        rule=_is_playing,
    ),
    goal(
        "create_list",
        _("新建一个歌单叫{playlist}"),
        _("建个{playlist}歌单"),
        _("创建歌单{playlist}"),
        _("做一个叫{playlist}的歌单"),
        MUSIC.way("mine", _("我的"), *_NEW_LIST),
        MUSIC.way("from_song", _("打开播放页"), _("收藏到歌单"), *_NEW_LIST),
        MUSIC.voice(_("新建歌单{playlist}")),
        **MUSIC.added("lists", "playlist", list_each("playlist", NEW_LISTS)),
    ),
    goal(
        "add_to_list",
        _("把{song}加到{playlist}"),
        _("{song}放进歌单{playlist}"),
        _("收藏{song}到{playlist}"),
        _("歌单{playlist}里加上{song}"),
        MUSIC.way("held", *_SEARCH, Hold("{song}"), _("收藏到歌单"), "{playlist}"),
        MUSIC.way("player", *_BROWSE, "{song}", _("收藏到歌单"), "{playlist}"),
        MUSIC.voice(_("把{song}加到{playlist}")),
        cases=_list_addable_cases,
        rule=lambda states, arguments: arguments["song"] in states[PACKAGE]["lists"][arguments["playlist"]],
    ),
    goal(
        "sleep_timer",
        _("{minutes}分钟后停止播放音乐"),
        _("定时{minutes}分钟关音乐"),
        _("音乐{minutes}分钟后关掉"),
        _("睡眠定时{minutes}分钟"),
        MUSIC.way("player", _("打开播放页"), _("定时关闭"), _("{minutes}分钟")),
        MUSIC.way("mine", _("我的"), _("定时关闭"), _("{minutes}分钟")),
        MUSIC.voice(_("{minutes}分钟后停止播放")),
        **MUSIC.chosen("sleep", "minutes", SLEEP),
    ),
)
