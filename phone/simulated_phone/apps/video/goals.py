"""The video app's goals: play, resume and save videos, follow and unfollow authors."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, States, Strategy
from simulated_phone.goals.steps import Hold, Step
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, goal
from .data import AUTHORS, LABEL, PACKAGE, SEARCH, VIDEOS, make_state

_ = messages(__name__)

VIDEO = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)


def _video_arguments(title: str) -> Arguments:
    video = VIDEOS[title]
    return {"title": title, "author": video.author, "channel": video.channel}


EVERY_VIDEO = [_video_arguments(title) for title in VIDEOS]


def _started_titles(seed: int) -> list[str]:
    return [seen["title"] for seen in VIDEO.fresh(seed)["history"]]


def _list_unseen_cases(seed: int) -> list[Arguments]:
    return [_video_arguments(title) for title in VIDEOS if title not in _started_titles(seed)]


def _list_followed_author_cases(seed: int) -> list[Arguments]:
    return [{"author": author, "channel": AUTHORS[author]} for author in VIDEO.fresh(seed)["follows"]]


def _is_playing(states: States, arguments: Arguments) -> bool:
    playing = states[PACKAGE]["playing"]
    return playing["title"] == arguments["title"] and playing["since"] is not None


def _is_resumed(states: States, arguments: Arguments) -> bool:
    return _is_playing(states, arguments) and states[PACKAGE]["playing"]["position"] > 0


def _browse_strategy(*then: Step | str, name: str = "browse") -> Strategy:
    return VIDEO.way(name, "{channel}", *then)


GOALS = (
    goal(
        "play_video",
        _("看{title}"),
        _("放一下{author}的{title}"),
        _("我想看{title}那个视频"),
        _("打开视频看{title}"),
        VIDEO.search("{title}"),
        _browse_strategy("{title}"),
        VIDEO.search("{author}", "{title}", name="author"),
        VIDEO.voice(_("播放{title}")),
        cases=_list_unseen_cases,
        rule=_is_playing,
    ),
    goal(
        "follow_author",
        _("关注{author}"),
        _("关注一下{author}这个博主"),
        _("把拍{title}的作者关注了"),
        _("以后想看{author}的更新，关注他"),
        VIDEO.search("{author}", _("关注")),
        _browse_strategy("{title}", _("关注")),
        VIDEO.search("{title}", _("关注"), name="video"),
        VIDEO.voice(_("关注{author}")),
        **VIDEO.added("follows", "author", EVERY_VIDEO),
    ),
    goal(
        "unfollow_author",
        _("取消关注{author}"),
        _("不想看{author}了，取关"),
        _("把{author}取关"),
        _("别再给我推{author}"),
        VIDEO.search("{author}", _("已关注"), _("取消关注")),
        VIDEO.way("list", _("关注"), "{author}", _("已关注"), _("取消关注")),
        VIDEO.voice(_("取消关注{author}")),
        **VIDEO.removed("follows", "author", _list_followed_author_cases),
    ),
    goal(
        "continue_watching",
        _("接着看{title}"),
        _("继续看上次没看完的{title}"),
        _("{title}还没看完，继续放"),
        _("从上次的地方看{title}"),
        VIDEO.way("history", _("我的"), _("观看历史"), "{title}"),
        VIDEO.shortcut(_("观看历史"), "{title}"),
        VIDEO.search("{title}"),
        VIDEO.voice(_("继续看{title}")),
        cases=lambda seed: [_video_arguments(title) for title in _started_titles(seed)],
        rule=_is_resumed,
    ),
    goal(
        "save_video",
        _("收藏{title}"),
        _("把{title}收藏起来以后看"),
        _("{title}存到收藏夹"),
        _("收藏{author}的{title}"),
        VIDEO.search("{title}", _("收藏")),
        _browse_strategy(Hold("{title}"), _("收藏视频"), name="held"),
        _browse_strategy("{title}", _("收藏")),
        VIDEO.voice(_("收藏{title}")),
        **VIDEO.added("saved", "title", EVERY_VIDEO),
    ),
)
