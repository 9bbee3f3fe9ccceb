"""The video app's goals: play, resume and save videos, follow and unfollow authors."""

from __future__ import annotations

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.apps.video.data import AUTHORS, PACKAGE, SEARCH, VIDEOS, initial
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import voice_strategy


def _fresh_state(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _video_arguments(title: str) -> Arguments:
    video = VIDEOS[title]
    return {"title": title, "author": video.author, "channel": video.channel}


def _started_titles(seed: int) -> list[str]:
    return [seen["title"] for seen in _fresh_state(seed)["history"]]


def _unseen_cases(seed: int) -> list[Arguments]:
    return [_video_arguments(title) for title in VIDEOS if title not in _started_titles(seed)]


def _unsaved_cases(seed: int) -> list[Arguments]:
    return [_video_arguments(title) for title in VIDEOS if title not in _fresh_state(seed)["saved"]]


def _unfollowed_author_cases(seed: int) -> list[Arguments]:
    return [
        _video_arguments(t)
        for t, video in VIDEOS.items()
        if video.author not in _fresh_state(seed)["follows"]
    ]


def _followed_author_cases(seed: int) -> list[Arguments]:
    return [{"author": author, "channel": AUTHORS[author]} for author in _fresh_state(seed)["follows"]]


def _is_playing(states: States, arguments: Arguments) -> bool:
    playing = states[PACKAGE]["playing"]
    return playing["title"] == arguments["title"] and playing["since"] is not None


def _is_resumed(states: States, arguments: Arguments) -> bool:
    return _is_playing(states, arguments) and states[PACKAGE]["playing"]["position"] > 0


def _is_followed(states: States, arguments: Arguments) -> bool:
    return arguments["author"] in states[PACKAGE]["follows"]


def _search_strategy(words: str, *then: Step) -> Strategy:
    return Strategy("search", (Open(PACKAGE), Tap(SEARCH), TypeText(words, into=SEARCH), Tap(words), *then))


def _browse_strategy(*then: Step) -> Strategy:
    return Strategy("browse", (Open(PACKAGE), Tap("{channel}"), *then))


_TITLE, _FOLLOW = Tap("{title}"), Tap("关注")

GOALS = (
    Goal(
        name="play_video",
        words=("看{title}", "放一下{author}的{title}", "我想看{title}那个视频", "打开视频看{title}"),
        cases=_unseen_cases,
        rule=_is_playing,
        strategies=(
            _search_strategy("{title}"),
            _browse_strategy(_TITLE),
            Strategy("author", (*_search_strategy("{author}").script, _TITLE)),
            voice_strategy(PACKAGE, "播放{title}"),
        ),
    ),
    Goal(
        name="follow_author",
        words=(
            "关注{author}",
            "关注一下{author}这个博主",
            "把拍{title}的作者关注了",
            "以后想看{author}的更新，关注他",
        ),
        cases=_unfollowed_author_cases,
        rule=_is_followed,
        strategies=(
            _search_strategy("{author}", _FOLLOW),
            _browse_strategy(_TITLE, _FOLLOW),
            Strategy("video", (*_search_strategy("{title}").script, _FOLLOW)),
            voice_strategy(PACKAGE, "关注{author}"),
        ),
    ),
    Goal(
        name="unfollow_author",
        words=("取消关注{author}", "不想看{author}了，取关", "把{author}取关", "别再给我推{author}"),
        cases=_followed_author_cases,
        rule=lambda states, arguments: not _is_followed(states, arguments),
        strategies=(
            _search_strategy("{author}", Tap("已关注"), Tap("取消关注")),
            Strategy("list", (Open(PACKAGE), Tap("关注"), Tap("{author}"), Tap("已关注"), Tap("取消关注"))),
            voice_strategy(PACKAGE, "取消关注{author}"),
        ),
    ),
    Goal(
        name="continue_watching",
        words=(
            "接着看{title}",
            "继续看上次没看完的{title}",
            "{title}还没看完，继续放",
            "从上次的地方看{title}",
        ),
        cases=lambda seed: [_video_arguments(title) for title in _started_titles(seed)],
        rule=_is_resumed,
        strategies=(
            Strategy("history", (Open(PACKAGE), Tap("我的"), Tap("观看历史"), _TITLE)),
            Strategy("shortcut", (Press("home"), Hold("视频"), Tap("观看历史"), _TITLE)),
            _search_strategy("{title}"),
            voice_strategy(PACKAGE, "继续看{title}"),
        ),
    ),
    Goal(
        name="save_video",
        words=("收藏{title}", "把{title}收藏起来以后看", "{title}存到收藏夹", "收藏{author}的{title}"),
        cases=_unsaved_cases,
        rule=lambda states, arguments: arguments["title"] in states[PACKAGE]["saved"],
        strategies=(
            _search_strategy("{title}", Tap("收藏")),
            Strategy("held", (*_browse_strategy(Hold("{title}")).script, Tap("收藏视频"))),
            _browse_strategy(_TITLE, Tap("收藏")),
            voice_strategy(PACKAGE, "收藏{title}"),
        ),
    ),
)
