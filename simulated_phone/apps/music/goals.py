"""The music app's goals: play a song or a playlist, like, add to a playlist, set the sleep timer."""

from __future__ import annotations

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.apps.music.data import NEW_LISTS, PACKAGE, SLEEP, SONGS, initial
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import voice_strategy


def _fresh_state(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _song_cases(seed: int) -> list[Arguments]:
    return [{"song": song, "artist": artist} for song, artist in SONGS.items()]


def _unliked_cases(seed: int) -> list[Arguments]:
    liked = _fresh_state(seed)["liked"]
    return [case for case in _song_cases(seed) if case["song"] not in liked]


def _addable_cases(seed: int) -> list[Arguments]:
    lists = _fresh_state(seed)["lists"]
    return [
        {**case, "playlist": name}
        for name, songs in lists.items()
        for case in _song_cases(seed)
        if case["song"] not in songs
    ]


def _is_playing(states: States, arguments: Arguments) -> bool:
    state = states[PACKAGE]
    return bool(state["on"] and state["song"] == arguments["song"])


def _is_playing_list(states: States, arguments: Arguments) -> bool:
    state = states[PACKAGE]
    return bool(state["on"] and state["source"] == arguments["playlist"])


SEARCH: tuple[Step, ...] = (Tap("搜索歌曲、歌手、歌单"), TypeText("{song}", into="搜索歌曲、歌手"))
BROWSE: tuple[Step, ...] = (Tap("歌手"), Tap("{artist}"))

GOALS = (
    Goal(
        name="play_song",
        words=("播放{artist}的{song}", "我想听{song}", "放一首{song}", "听{artist}唱的《{song}》"),
        cases=_song_cases,
        rule=_is_playing,
        strategies=(
            Strategy("search", (Open(PACKAGE), *SEARCH, Tap("{song}"))),
            Strategy("browse", (Open(PACKAGE), *BROWSE, Tap("{song}"))),
            voice_strategy(PACKAGE, "播放{artist}的{song}"),
            Strategy("shortcut", (Press("home"), Hold("音乐"), Tap("搜索歌曲"), *SEARCH[1:], Tap("{song}"))),
        ),
    ),
    Goal(
        name="like_song",
        words=("收藏{song}", "把{song}加到我喜欢", "给{artist}的{song}点个红心", "喜欢{song}这首歌"),
        cases=_unliked_cases,
        rule=lambda states, arguments: arguments["song"] in states[PACKAGE]["liked"],
        strategies=(
            Strategy("search", (Open(PACKAGE), *SEARCH, Tap("喜欢{song}"))),
            Strategy("browse", (Open(PACKAGE), *BROWSE, Tap("喜欢{song}"))),
            Strategy("player", (Open(PACKAGE), *SEARCH, Tap("{song}"), Tap("喜欢{song}"))),
        ),
    ),
    Goal(
        name="play_list",
        words=("播放歌单{playlist}", "听{playlist}这个歌单", "放{playlist}", "打开{playlist}歌单听歌"),
        cases=lambda seed: [{"playlist": name} for name in _fresh_state(seed)["themes"]],
        rule=_is_playing_list,
        strategies=(
            Strategy("browse", (Open(PACKAGE), Tap("{playlist}"), Tap("播放全部"))),
            Strategy(
                "search",
                (
                    Open(PACKAGE),
                    SEARCH[0],
                    TypeText("{playlist}", into="搜索歌曲、歌手"),
                    Tap("{playlist}"),
                    Tap("播放全部"),
                ),
            ),
            voice_strategy(PACKAGE, "播放歌单{playlist}"),
        ),
    ),
    Goal(
        name="play_liked",
        words=("播放我喜欢的音乐", "听听我收藏的歌", "放我喜欢的歌", "随便放点我红心的歌"),
        cases=lambda seed: [{"playlist": "我喜欢的音乐"}],
        rule=_is_playing_list,
        strategies=(
            Strategy("browse", (Open(PACKAGE), Tap("我的"), Tap("我喜欢的音乐"), Tap("播放全部"))),
            voice_strategy(PACKAGE, "播放我喜欢的音乐"),
            Strategy("shortcut", (Press("home"), Hold("音乐"), Tap("我喜欢的音乐"), Tap("播放全部"))),
            Strategy("widget", (Press("home"), Tap("播放我喜欢的音乐"))),
        ),
    ),
    Goal(
        name="resume",
        words=("继续播放音乐", "接着放歌", "打开音乐继续听", "继续刚才的歌"),
        cases=lambda seed: [{"song": _fresh_state(seed)["song"]}],
        rule=_is_playing,
        strategies=(
            Strategy("mini_player", (Open(PACKAGE), Tap("播放"))),
            Strategy("player", (Open(PACKAGE), Tap("打开播放页"), Tap("播放"))),
            Strategy("widget", (Press("home"), Tap("继续播放"))),
        ),
    ),
    Goal(
        name="create_list",
        words=(
            "新建一个歌单叫{playlist}",
            "建个{playlist}歌单",
            "创建歌单{playlist}",
            "做一个叫{playlist}的歌单",
        ),
        cases=lambda seed: [{"playlist": name} for name in NEW_LISTS],
        rule=lambda states, arguments: arguments["playlist"] in states[PACKAGE]["lists"],
        strategies=(
            Strategy(
                "mine",
                (
                    Open(PACKAGE),
                    Tap("我的"),
                    Tap("新建歌单"),
                    TypeText("{playlist}", into="歌单名称"),
                    Tap("创建"),
                ),
            ),
            Strategy(
                "from_song",
                (
                    Open(PACKAGE),
                    Tap("打开播放页"),
                    Tap("收藏到歌单"),
                    Tap("新建歌单"),
                    TypeText("{playlist}", into="歌单名称"),
                    Tap("创建"),
                ),
            ),
        ),
    ),
    Goal(
        name="add_to_list",
        words=(
            "把{song}加到{playlist}",
            "{song}放进歌单{playlist}",
            "收藏{song}到{playlist}",
            "歌单{playlist}里加上{song}",
        ),
        cases=_addable_cases,
        rule=lambda states, arguments: arguments["song"] in states[PACKAGE]["lists"][arguments["playlist"]],
        strategies=(
            Strategy("held", (Open(PACKAGE), *SEARCH, Hold("{song}"), Tap("收藏到歌单"), Tap("{playlist}"))),
            Strategy("player", (Open(PACKAGE), *BROWSE, Tap("{song}"), Tap("收藏到歌单"), Tap("{playlist}"))),
        ),
    ),
    Goal(
        name="sleep_timer",
        words=(
            "{minutes}分钟后停止播放音乐",
            "定时{minutes}分钟关音乐",
            "音乐{minutes}分钟后关掉",
            "睡眠定时{minutes}分钟",
        ),
        cases=lambda seed: [{"minutes": minutes} for minutes in SLEEP],
        rule=lambda states, arguments: states[PACKAGE]["sleep"] == arguments["minutes"],
        strategies=(
            Strategy("player", (Open(PACKAGE), Tap("打开播放页"), Tap("定时关闭"), Tap("{minutes}分钟"))),
            Strategy("mine", (Open(PACKAGE), Tap("我的"), Tap("定时关闭"), Tap("{minutes}分钟"))),
            voice_strategy(PACKAGE, "{minutes}分钟后停止播放"),
        ),
    ),
)
