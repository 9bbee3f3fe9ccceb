"""The chat's world: contacts, groups and what was said, and what people want of it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import LISTENS

PACKAGE = "com.simulated.liaotian"
SEARCH, MESSAGE, AMOUNT, MOMENT = "搜索联系人和群聊", "输入消息", "请输入金额（元）", "这一刻的想法…"

_FAMILY = ("妈妈", "爸爸", "姐姐", "弟弟", "奶奶", "表哥")
_GROUPS = (
    "相亲相爱一家人",
    "项目攻坚小组",
    "周末羽毛球",
    "三年二班家长群",
    "大学室友",
    "业主交流群",
    "美食探店团",
)
_SURNAMES = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗"
_GIVEN = (
    "伟",
    "静",
    "敏",
    "丽",
    "强",
    "磊",
    "洋",
    "勇",
    "艳",
    "杰",
    "娜",
    "涛",
    "明轩",
    "子涵",
    "雨欣",
    "浩然",
    "思远",
    "晓燕",
    "建国",
    "志强",
    "佳怡",
    "文博",
    "雅婷",
    "俊杰",
)
_SAID = (
    "好的，收到",
    "哈哈哈哈",
    "你到家了吗",
    "文件我晚点发你",
    "周末一起吃饭吧",
    "今天降温，多穿点",
    "那个方案改好了吗",
    "我在路上，堵车了",
    "照片发我一份",
    "行，就这么定了",
    "晚上有空吗",
    "谢谢啦",
    "记得按时吃药",
    "明天见",
)
_TEXTS = (
    "我晚上不回家吃饭了",
    "我到了，你在哪",
    "路上堵车，晚到十分钟",
    "明天早上九点开会",
    "生日快乐",
    "周末一起去爬山吗",
    "帮我带一杯咖啡",
    "今天辛苦了，早点休息",
    "合同已经发你邮箱了",
    "晚上七点老地方见",
    "孩子我已经接到了",
    "下班一起吃火锅吧",
    "记得带身份证",
    "我忘带钥匙了",
    "新年快乐，万事如意",
    "明天天气不好，记得带伞",
    "快递到了，帮我取一下",
    "在忙吗，有事想请教你",
    "电影票买好了，八点的",
    "我今天请假，有事打电话",
    "周三的会改到周四下午",
    "到家给我发个消息",
    "这周末我去看你们",
    "恭喜恭喜，太棒了",
)
_MOMENTS = (
    "今天的晚霞真好看",
    "终于跑完了十公里",
    "周末愉快",
    "自己做的红烧肉，味道不错",
    "加班到现在，给自己点个赞",
    "春天来了，花都开了",
    "猫咪今天格外黏人",
    "搬新家啦",
    "第一次滑雪，摔得很开心",
    "读完一本好书",
    "下雨天适合在家看电影",
    "孩子拿了作文比赛一等奖",
    "打卡这家新开的面馆",
    "早起的一天，空气真好",
    "毕业十年，再聚首",
    "早安，新的一周",
)
_YUAN = (6, 20, 50, 66, 88, 100, 168, 200, 300, 500, 888, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A person or a group, by the name that the phone's owner gave it."""

    name: str
    group: bool
    number: str


def _draw_contacts(rng: random.Random) -> tuple[Contact, ...]:
    friends: set[str] = set()
    while len(friends) < 14:
        friends.add(rng.choice(_SURNAMES) + rng.choice(_GIVEN))
    people = [*rng.sample(_FAMILY, 4), *sorted(friends)]
    names = [(name, False) for name in people] + [(name, True) for name in rng.sample(_GROUPS, 4)]
    return tuple(
        Contact(name=name, group=group, number=f"id_{rng.randrange(10**6):06d}") for name, group in names
    )


@lru_cache(maxsize=64)
def contacts(seed: int) -> tuple[Contact, ...]:
    """People, family first, then groups."""
    return _draw_contacts(generator(PACKAGE, seed))


def initial(rng: random.Random) -> State:
    """A talk with everyone, one of them pinned, one muted; the latest talk first."""
    everyone = list(_draw_contacts(rng))
    rng.shuffle(everyone)
    talks: list[dict[str, Any]] = []
    for contact in everyone:
        lines = rng.sample(_SAID, rng.randrange(1, 5))
        messages = [{"mine": rng.random() < 0.4, "text": line, "fen": 0} for line in lines]
        talks.append({"name": contact.name, "said": messages, "pinned": False, "muted": False})
    talks[rng.randrange(5)]["pinned"] = True
    talks[rng.randrange(5)]["muted"] = True
    people = [talk["name"] for talk in talks if talk["name"] not in _GROUPS][:4]
    moments = [{"name": name, "text": rng.choice(_MOMENTS), "liked": False} for name in people]
    return {"talks": talks, "moments": moments}


# ---- goals


@lru_cache(maxsize=64)
def _fresh(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _messages(seed: int) -> list[Arguments]:
    rng = random.Random(seed)  # noqa: S311 - a world, not a secret
    return [{"contact": one.name, "text": text} for one in contacts(seed) for text in rng.sample(_TEXTS, 5)]


def _transfers(seed: int) -> list[Arguments]:
    rng = random.Random(seed)  # noqa: S311 - a world, not a secret
    people = [one.name for one in contacts(seed) if not one.group]
    return [{"contact": name, "yuan": yuan} for name in people for yuan in rng.sample(_YUAN, 3)]


def _without(seed: int, mark: str) -> list[Arguments]:
    return [{"contact": talk["name"]} for talk in _fresh(seed)["talks"] if not talk[mark]]


def _talk(states: States, arguments: Arguments) -> dict[str, Any]:
    talks: list[dict[str, Any]] = states[PACKAGE]["talks"]
    return next(talk for talk in talks if talk["name"] == arguments["contact"])


def _is_sent(states: States, arguments: Arguments) -> bool:
    return any(
        line["mine"] and not line["fen"] and line["text"] == arguments["text"]
        for line in _talk(states, arguments)["said"]
    )


def _is_paid(states: States, arguments: Arguments) -> bool:
    fen = 100 * int(str(arguments["yuan"]))
    return any(line["mine"] and line["fen"] == fen for line in _talk(states, arguments)["said"])


def _is_posted(states: States, arguments: Arguments) -> bool:
    return any(
        moment["name"] == "我" and moment["text"] == arguments["text"]
        for moment in states[PACKAGE]["moments"]
    )


_LIST: tuple[Step, ...] = (Open(PACKAGE), Tap("{contact}"))
_SEARCHED: tuple[Step, ...] = (
    Open(PACKAGE),
    Tap("搜索"),
    TypeText("{contact}", into=SEARCH),
    Tap("{contact}"),
)
_BOOK: tuple[Step, ...] = (Open(PACKAGE), Tap("通讯录"), Tap("{contact}"))


def _voice(spoken: str, *finish: Step) -> Strategy:
    return Strategy(
        "voice", (Open(PACKAGE), Tap("语音"), TypeText(spoken, into=LISTENS), Tap("完成"), *finish)
    )


def _marked(mark: str) -> tuple[Strategy, ...]:
    switch = (Tap("聊天信息"), Tap(mark))
    return (
        Strategy("held", (Open(PACKAGE), Hold("{contact}"), Tap(mark))),
        Strategy("opened", (*_LIST, *switch)),
        Strategy("search", (*_SEARCHED, *switch)),
        Strategy("contacts", (*_BOOK, Tap("发消息"), *switch)),
    )


_SEND = (TypeText("{text}", into=MESSAGE), Tap("发送"))
_MORE = (Tap("更多功能"), Tap("转账"))
_GIVE = (TypeText("{yuan}", into=AMOUNT), Tap("下一步"), Tap("确认付款"))
_POST = (TypeText("{text}", into=MOMENT), Tap("发表"))

GOALS = (
    Goal(
        name="send_text",
        words=(
            "给{contact}发消息说{text}",
            "告诉{contact}{text}",
            "发给{contact}：{text}",
            "跟{contact}说一声{text}",
            "给{contact}发“{text}”",
        ),
        cases=_messages,
        rule=_is_sent,
        ways=(
            Strategy("list", (*_LIST, *_SEND)),
            Strategy("search", (*_SEARCHED, *_SEND)),
            Strategy("contacts", (*_BOOK, Tap("发消息"), *_SEND)),
            Strategy(
                "shortcut",
                (
                    Press("home"),
                    Hold("聊天"),
                    Tap("搜索"),
                    TypeText("{contact}", into=SEARCH),
                    Tap("{contact}"),
                    *_SEND,
                ),
            ),
            _voice("给{contact}发{text}"),
        ),
    ),
    Goal(
        name="transfer",
        words=(
            "给{contact}转{yuan}块钱",
            "转{yuan}元给{contact}",
            "给{contact}转账{yuan}元",
            "把{yuan}块钱转给{contact}",
        ),
        cases=_transfers,
        rule=_is_paid,
        ways=(
            Strategy("list", (*_LIST, *_MORE, *_GIVE)),
            Strategy("search", (*_SEARCHED, *_MORE, *_GIVE)),
            Strategy("contacts", (*_BOOK, Tap("转账"), *_GIVE)),
            _voice("给{contact}转{yuan}元", Tap("确认付款")),
        ),
    ),
    Goal(
        name="pin_chat",
        words=(
            "把{contact}的聊天置顶",
            "置顶{contact}",
            "聊天里把{contact}放最上面",
            "{contact}设为置顶聊天",
        ),
        cases=lambda seed: _without(seed, "pinned"),
        rule=lambda states, arguments: bool(_talk(states, arguments)["pinned"]),
        ways=(*_marked("置顶聊天"), _voice("置顶{contact}")),
    ),
    Goal(
        name="mute_chat",
        words=(
            "把{contact}设成免打扰",
            "{contact}的消息不要提醒",
            "屏蔽{contact}的消息提醒",
            "给{contact}开消息免打扰",
        ),
        cases=lambda seed: _without(seed, "muted"),
        rule=lambda states, arguments: bool(_talk(states, arguments)["muted"]),
        ways=(*_marked("消息免打扰"), _voice("{contact}消息免打扰")),
    ),
    Goal(
        name="post_moment",
        words=("发条动态：{text}", "朋友圈发一条{text}", "发个朋友圈，内容是{text}", "在朋友圈说{text}"),
        cases=lambda seed: [{"text": text} for text in _MOMENTS],
        rule=_is_posted,
        ways=(
            Strategy("moments", (Open(PACKAGE), Tap("发现"), Tap("朋友圈"), Tap("发动态"), *_POST)),
            Strategy("shortcut", (Press("home"), Hold("聊天"), Tap("发动态"), *_POST)),
            _voice("发朋友圈{text}"),
        ),
    ),
)
