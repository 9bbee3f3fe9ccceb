"""The video app's world: who makes what, what a person has watched, and what people want of it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import LISTENS

PACKAGE = "com.liuguang.video"
SEARCH = "搜索视频或作者"
"""The hint of the search field."""

_MADE = {
    "美食": {
        "灶台边的老徐": (
            "十分钟番茄牛腩",
            "外婆的红烧肉",
            "一碗阳春面的讲究",
            "砂锅粥怎么熬",
            "糖醋排骨不失败",
        ),
        "小满的早餐铺": (
            "七天早餐不重样",
            "葱油饼起酥秘诀",
            "豆浆油条在家做",
            "三明治五种包法",
            "煎蛋的学问",
        ),
    },
    "科技": {
        "拆机阿木": ("旧手机能做什么", "充电器里有什么", "路由器放哪最快", "拆一台扫地机", "键盘清洁全过程"),
        "硬核实验室": ("自制磁悬浮列车", "无人机送快递", "家用电表省电实测", "造一台小望远镜", "电池怕冷吗"),
    },
    "旅行": {
        "背包大鱼": (
            "独自走完环海公路",
            "古城的清晨六点",
            "坐慢火车去草原",
            "海岛三天两夜",
            "山顶等一场日出",
        ),
        "城市漫步者": ("老街里的修表铺", "雨天逛博物馆", "江边骑行路线", "夜市从头吃到尾", "地铁沿线看城市"),
    },
    "音乐": {
        "阿澈弹吉他": ("零基础学吉他第一课", "指弹小星星", "四个和弦弹百首", "换弦教程", "扫弦节奏型讲解"),
        "钢琴日记": ("左手怎么练", "雨夜钢琴一小时", "识谱入门", "考级曲目示范", "即兴伴奏三步走"),
    },
    "运动": {
        "跟着陈教练": ("睡前拉伸十五分钟", "新手跑步计划", "在家练核心", "肩颈放松操", "深蹲的正确姿势"),
        "羽球小课堂": ("正手高远球", "反手发力技巧", "双打站位讲解", "步法训练一百组", "怎么选球拍"),
    },
    "学习": {
        "历史下午茶": ("一张古地图的秘密", "瓷器的故事", "古人怎么过夏天", "丝绸之路十站", "钱币上的王朝"),
        "慢慢学英语": ("每天十个常用词", "机场英语怎么说", "听懂天气预报", "写一封英文邮件", "点餐不再慌张"),
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """One video; its length in seconds."""

    title: str
    author: str
    channel: str
    length: int
    views: int


def _video(title: str, author: str, channel: str) -> Video:
    rng = random.Random(title)  # noqa: S311 - a world, not a secret
    return Video(
        title=title, author=author, channel=channel, length=rng.randint(180, 1500), views=rng.randint(1, 400)
    )


VIDEOS: Mapping[str, Video] = MappingProxyType(
    {
        title: _video(title, author, channel)
        for channel, authors in _MADE.items()
        for author, titles in authors.items()
        for title in titles
    }
)
"""Every video by its title."""
CHANNELS = tuple(_MADE)
AUTHORS: Mapping[str, str] = MappingProxyType(
    {author: channel for channel, authors in _MADE.items() for author in authors}
)
"""The channel of every author."""


def length_words(seconds: int) -> str:
    """Minutes and seconds.

    >>> length_words(185)
    '03:05'
    """
    return f"{seconds // 60:02d}:{seconds % 60:02d}"


def position(playing: Mapping[str, Any], now: datetime) -> int:
    """Second of the video that is shown at this time."""
    if not playing["title"]:
        return 0
    run = 0 if playing["since"] is None else round(now.timestamp()) - playing["since"]
    return min(VIDEOS[playing["title"]].length, int(playing["position"]) + run)


def initial(rng: random.Random) -> State:
    """Whom one follows, what one has begun to watch, what one keeps, what is offered."""
    watched = rng.sample(sorted(VIDEOS), 6)
    return {
        "follows": rng.sample(sorted(AUTHORS), 3),
        "history": [{"title": t, "position": rng.randint(30, VIDEOS[t].length // 2)} for t in watched],
        "saved": rng.sample(sorted(VIDEOS), 4),
        "liked": rng.sample(sorted(VIDEOS), 5),
        "offered": rng.sample(sorted(VIDEOS), 20),
        "playing": {"title": "", "position": 0, "since": None},
    }


def _fresh(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _arguments(title: str) -> Arguments:
    video = VIDEOS[title]
    return {"title": title, "author": video.author, "channel": video.channel}


def _begun(seed: int) -> list[str]:
    return [seen["title"] for seen in _fresh(seed)["history"]]


def _unseen(seed: int) -> list[Arguments]:
    return [_arguments(title) for title in VIDEOS if title not in _begun(seed)]


def _unsaved(seed: int) -> list[Arguments]:
    return [_arguments(title) for title in VIDEOS if title not in _fresh(seed)["saved"]]


def _strangers(seed: int) -> list[Arguments]:
    return [_arguments(t) for t, video in VIDEOS.items() if video.author not in _fresh(seed)["follows"]]


def _friends(seed: int) -> list[Arguments]:
    return [{"author": author, "channel": AUTHORS[author]} for author in _fresh(seed)["follows"]]


def _plays(states: States, arguments: Arguments) -> bool:
    playing = states[PACKAGE]["playing"]
    return playing["title"] == arguments["title"] and playing["since"] is not None


def _resumed(states: States, arguments: Arguments) -> bool:
    return _plays(states, arguments) and states[PACKAGE]["playing"]["position"] > 0


def _is_followed(states: States, arguments: Arguments) -> bool:
    return arguments["author"] in states[PACKAGE]["follows"]


def _spoken(words: str) -> Strategy:
    return Strategy("voice", (Open(PACKAGE), Tap("语音"), TypeText(words, into=LISTENS), Tap("完成")))


def _search(words: str, *then: Step) -> Strategy:
    return Strategy("search", (Open(PACKAGE), Tap(SEARCH), TypeText(words, into=SEARCH), Tap(words), *then))


def _browse(*then: Step) -> Strategy:
    return Strategy("browse", (Open(PACKAGE), Tap("{channel}"), *then))


_TITLE, _FOLLOW = Tap("{title}"), Tap("关注")

GOALS = (
    Goal(
        name="play_video",
        words=("看{title}", "放一下{author}的{title}", "我想看{title}那个视频", "打开视频看{title}"),
        cases=_unseen,
        rule=_plays,
        ways=(
            _search("{title}"),
            _browse(_TITLE),
            Strategy("author", (*_search("{author}").script, _TITLE)),
            _spoken("播放{title}"),
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
        cases=_strangers,
        rule=_is_followed,
        ways=(
            _search("{author}", _FOLLOW),
            _browse(_TITLE, _FOLLOW),
            Strategy("video", (*_search("{title}").script, _FOLLOW)),
            _spoken("关注{author}"),
        ),
    ),
    Goal(
        name="unfollow_author",
        words=("取消关注{author}", "不想看{author}了，取关", "把{author}取关", "别再给我推{author}"),
        cases=_friends,
        rule=lambda states, arguments: not _is_followed(states, arguments),
        ways=(
            _search("{author}", Tap("已关注"), Tap("取消关注")),
            Strategy("list", (Open(PACKAGE), Tap("关注"), Tap("{author}"), Tap("已关注"), Tap("取消关注"))),
            _spoken("取消关注{author}"),
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
        cases=lambda seed: [_arguments(title) for title in _begun(seed)],
        rule=_resumed,
        ways=(
            Strategy("history", (Open(PACKAGE), Tap("我的"), Tap("观看历史"), _TITLE)),
            Strategy("shortcut", (Press("home"), Hold("视频"), Tap("观看历史"), _TITLE)),
            _search("{title}"),
            _spoken("继续看{title}"),
        ),
    ),
    Goal(
        name="save_video",
        words=("收藏{title}", "把{title}收藏起来以后看", "{title}存到收藏夹", "收藏{author}的{title}"),
        cases=_unsaved,
        rule=lambda states, arguments: arguments["title"] in states[PACKAGE]["saved"],
        ways=(
            _search("{title}", Tap("收藏")),
            Strategy("held", (*_browse(Hold("{title}")).script, Tap("收藏视频"))),
            _browse(_TITLE, Tap("收藏")),
            _spoken("收藏{title}"),
        ),
    ),
)
