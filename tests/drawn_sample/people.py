"""Who the drawn sample shows: four made-up people, what they want at which hour, and their way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Strategy = Literal["search", "browse"]

APPS = {
    "音乐": "com.sample.music",
    "外卖": "com.sample.food",
    "地图": "com.sample.maps",
    "天气": "com.sample.weather",
    "阅读": "com.sample.reader",
    "聊天": "com.sample.chat",
    "购物": "com.sample.shop",
}
"""Label on the home screen -> package name."""

CATEGORIES = {
    "音乐": "音乐/音频",
    "外卖": "外卖/点餐",
    "地图": "出行/导航",
    "天气": "天气",
    "阅读": "阅读",
    "聊天": "社交/聊天",
    "购物": "购物",
}
"""Label -> intent category."""

SECTIONS = {
    "音乐": ("我的歌单", "排行榜", "电台"),
    "外卖": ("常点的店", "附近美食", "优惠"),
    "地图": ("收藏的地点", "公交地铁", "打车"),
    "天气": ("今天", "未来七天", "空气质量"),
    "阅读": ("书架", "新闻", "分类"),
    "聊天": ("置顶的人", "通讯录", "群聊"),
    "购物": ("购物车", "常买清单", "分类"),
}
"""Label -> the rows on the app's first page; browsing begins with the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """Something a person does at about the same hour and place.

    Attributes:
        clock: Beijing time, HHMM.
        items: What it is done with; the wanted thing of a day is one of them.
        wordings: How the person says it; {} is the item.
    """

    clock: str
    scenario: str
    app: str
    items: tuple[str, ...]
    wordings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A made-up person of the sample."""

    user_id: str
    sex: str
    age: int
    occupation: str
    address: str
    family: str
    phone_brand: str
    way: Strategy
    habits: tuple[Habit, ...]


PEOPLE = (
    Person(
        user_id="101",
        sex="女",
        age=20,
        occupation="学生",
        address="北京市",
        family="未婚",
        phone_brand="小米",
        way="search",
        habits=(
            Habit(
                clock="0710",
                scenario="学校",
                app="天气",
                items=("北京", "海淀"),
                wordings=("看看{}今天的天气", "查一下{}天气，要不要带伞"),
            ),
            Habit(
                clock="1150",
                scenario="餐饮场所",
                app="外卖",
                items=("麻辣烫", "黄焖鸡"),
                wordings=("点一份{}外卖", "中午想吃{}，下单一份"),
            ),
            Habit(
                clock="2220",
                scenario="住所",
                app="音乐",
                items=("晴天", "稻香"),
                wordings=("打开音乐播放{}", "睡前听一首{}"),
            ),
        ),
    ),
    Person(
        user_id="102",
        sex="男",
        age=27,
        occupation="程序员",
        address="上海市",
        family="未婚",
        phone_brand="华为",
        way="search",
        habits=(
            Habit(
                clock="0840",
                scenario="交通工具",
                app="阅读",
                items=("三体", "科技早报"),
                wordings=("地铁上看{}", "打开阅读继续看{}"),
            ),
            Habit(
                clock="1215",
                scenario="办公场所",
                app="外卖",
                items=("牛肉面", "轻食沙拉"),
                wordings=("点{}送到公司", "外卖点一份{}"),
            ),
            Habit(
                clock="1930",
                scenario="城市街道",
                app="地图",
                items=("健身房", "家"),
                wordings=("导航去{}", "查一下到{}怎么走"),
            ),
        ),
    ),
    Person(
        user_id="103",
        sex="男",
        age=52,
        occupation="教师",
        address="四川省成都市",
        family="已婚",
        phone_brand="vivo",
        way="browse",
        habits=(
            Habit(
                clock="0650",
                scenario="住所",
                app="天气",
                items=("成都", "青城山"),
                wordings=("看{}的天气预报", "查{}今天天气"),
            ),
            Habit(
                clock="1240",
                scenario="学校",
                app="阅读",
                items=("时事新闻", "史记"),
                wordings=("午休读{}", "打开阅读看{}"),
            ),
            Habit(
                clock="1810",
                scenario="交通工具",
                app="音乐",
                items=("成都", "一剪梅"),
                wordings=("播放歌曲{}", "路上听{}"),
            ),
        ),
    ),
    Person(
        user_id="104",
        sex="女",
        age=66,
        occupation="退休",
        address="天津市",
        family="已婚",
        phone_brand="华为",
        way="browse",
        habits=(
            Habit(
                clock="0730",
                scenario="自然户外",
                app="音乐",
                items=("茉莉花", "最炫民族风"),
                wordings=("放{}跳广场舞", "打开音乐放{}"),
            ),
            Habit(
                clock="0950",
                scenario="商场",
                app="聊天",
                items=("女儿", "老姐妹"),
                wordings=("给{}发微信说在买菜", "找{}视频聊天"),
            ),
            Habit(
                clock="1620",
                scenario="住所",
                app="购物",
                items=("大米", "降压药"),
                wordings=("看看{}的价格", "把{}放进购物车"),
            ),
        ),
    ),
)
