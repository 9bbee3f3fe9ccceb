"""The video app's data: videos by channel and author, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from simulated_phone.goals.app_definition import State
from simulated_phone.language.formats import entries
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL = "com.liuguang.video", _("视频")
SEARCH = _("搜索视频或作者")
"""Hint of the search field."""

_TITLES = {
    _("美食"): {
        _("灶台边的老徐"): _("十分钟番茄牛腩 外婆的红烧肉 一碗阳春面的讲究 砂锅粥怎么熬 糖醋排骨不失败"),
        _("小满的早餐铺"): _("七天早餐不重样 葱油饼起酥秘诀 豆浆油条在家做 三明治五种包法 煎蛋的学问"),
    },
    _("科技"): {
        _("拆机阿木"): _("旧手机能做什么 充电器里有什么 路由器放哪最快 拆一台扫地机 键盘清洁全过程"),
        _("硬核实验室"): _("自制磁悬浮列车 无人机送快递 家用电表省电实测 造一台小望远镜 电池怕冷吗"),
    },
    _("旅行"): {
        _("背包大鱼"): _("独自走完环海公路 古城的清晨六点 坐慢火车去草原 海岛三天两夜 山顶等一场日出"),
        _("城市漫步者"): _("老街里的修表铺 雨天逛博物馆 江边骑行路线 夜市从头吃到尾 地铁沿线看城市"),
    },
    _("音乐"): {
        _("阿澈弹吉他"): _("零基础学吉他第一课 指弹小星星 四个和弦弹百首 换弦教程 扫弦节奏型讲解"),
        _("钢琴日记"): _("左手怎么练 雨夜钢琴一小时 识谱入门 考级曲目示范 即兴伴奏三步走"),
    },
    _("运动"): {
        _("跟着陈教练"): _("睡前拉伸十五分钟 新手跑步计划 在家练核心 肩颈放松操 深蹲的正确姿势"),
        _("羽球小课堂"): _("正手高远球 反手发力技巧 双打站位讲解 步法训练一百组 怎么选球拍"),
    },
    _("学习"): {
        _("历史下午茶"): _("一张古地图的秘密 瓷器的故事 古人怎么过夏天 丝绸之路十站 钱币上的王朝"),
        _("慢慢学英语"): _("每天十个常用词 机场英语怎么说 听懂天气预报 写一封英文邮件 点餐不再慌张"),
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """A video; `length` is in seconds."""

    title: str
    author: str
    channel: str
    length: int
    views: int


def _make_video(title: str, author: str, channel: str) -> Video:
    rng = random.Random(title)  # noqa: S311 - seeded data, not a secret
    return Video(
        title=title, author=author, channel=channel, length=rng.randint(180, 1500), views=rng.randint(1, 400)
    )


VIDEOS: Mapping[str, Video] = MappingProxyType(
    {
        title: _make_video(title, author, channel)
        for channel, authors in _TITLES.items()
        for author, titles in authors.items()
        for title in entries(titles)
    }
)
"""Videos by title."""
CHANNELS = tuple(_TITLES)
AUTHORS: Mapping[str, str] = MappingProxyType(
    {author: channel for channel, authors in _TITLES.items() for author in authors}
)
"""Authors -> their channel."""


def length_words(seconds: int) -> str:
    """A length in minutes and seconds.

    >>> length_words(185)
    '03:05'
    """
    return f"{seconds // 60:02d}:{seconds % 60:02d}"


def find_position(playing: Mapping[str, Any], now: datetime) -> int:
    """Position of the playing video at this time, seconds."""
    if not playing["title"]:
        return 0
    run = 0 if playing["since"] is None else round(now.timestamp()) - playing["since"]
    return min(VIDEOS[playing["title"]].length, int(playing["position"]) + run)


def make_state(rng: random.Random) -> State:
    """Draw followed authors, started videos, saved videos and recommendations."""
    watched = rng.sample(sorted(VIDEOS), 6)
    return {
        "follows": rng.sample(sorted(AUTHORS), 3),
        "history": [{"title": t, "position": rng.randint(30, VIDEOS[t].length // 2)} for t in watched],
        "saved": rng.sample(sorted(VIDEOS), 4),
        "liked": rng.sample(sorted(VIDEOS), 5),
        "offered": rng.sample(sorted(VIDEOS), 20),
        "playing": {"title": "", "position": 0, "since": None},
    }
