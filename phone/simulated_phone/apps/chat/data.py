"""The chat app's data: messages and moments, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from simulated_phone.goals.app_definition import State
from simulated_phone.language.language import messages

from ...goals.acquaintances import CHAT, GROUPS, draw_contacts
from ..maps.data import NAMES

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = CHAT, _("聊天"), "#1aa260"
SEARCH, MESSAGE, AMOUNT, MOMENT = (
    _("搜索联系人和群聊"),
    _("输入消息"),
    _("请输入金额（元）"),
    _("这一刻的想法…"),
)

_SAID = (
    _("好的，收到"), _("哈哈哈哈"), _("你到家了吗"), _("文件我晚点发你"), _("周末一起吃饭吧"),
    _("今天降温，多穿点"), _("那个方案改好了吗"), _("我在路上，堵车了"), _("照片发我一份"),
    _("行，就这么定了"), _("晚上有空吗"), _("谢谢啦"), _("记得按时吃药"), _("明天见"),
)  # fmt: skip
MESSAGES = (
    _("我晚上不回家吃饭了"), _("我到了，你在哪"), _("路上堵车，晚到十分钟"), _("明天早上九点开会"),
    _("生日快乐"), _("周末一起去爬山吗"), _("帮我带一杯咖啡"), _("今天辛苦了，早点休息"),
    _("合同已经发你邮箱了"), _("晚上七点老地方见"), _("孩子我已经接到了"), _("下班一起吃火锅吧"),
    _("记得带身份证"), _("我忘带钥匙了"), _("新年快乐，万事如意"), _("明天天气不好，记得带伞"),
    _("快递到了，帮我取一下"), _("在忙吗，有事想请教你"), _("电影票买好了，八点的"),
    _("我今天请假，有事打电话"), _("周三的会改到周四下午"), _("到家给我发个消息"), _("这周末我去看你们"),
    _("恭喜恭喜，太棒了"),
)  # fmt: skip
MOMENTS = (
    _("今天的晚霞真好看"), _("终于跑完了十公里"), _("周末愉快"), _("自己做的红烧肉，味道不错"),
    _("加班到现在，给自己点个赞"), _("春天来了，花都开了"), _("猫咪今天格外黏人"), _("搬新家啦"),
    _("第一次滑雪，摔得很开心"), _("读完一本好书"), _("下雨天适合在家看电影"), _("孩子拿了作文比赛一等奖"),
    _("打卡这家新开的面馆"), _("早起的一天，空气真好"), _("毕业十年，再聚首"), _("早安，新的一周"),
)  # fmt: skip
MONEY_ASKED, PLACE_ASKED = _("上次聚餐每人{}元，转我一下就行"), _("我在{}等你，打车过来吧")
"""What friends ask for: money, or to come to a place."""
ASKING = 3
"""Friends who ask for money, and friends who ask to come."""
LATEST_TALKS = 4
"""Number of the conversations that may have unread messages on a fresh phone."""
AMOUNTS = (6, 20, 50, 66, 88, 100, 168, 200, 300, 500, 888, 1000)


def make_state(rng: random.Random) -> State:
    """Draw a conversation with each contact, one pinned and one muted; the latest comes first."""
    everyone = list(draw_contacts(rng))
    rng.shuffle(everyone)
    talks: list[dict[str, Any]] = []
    for contact in everyone:
        lines = rng.sample(_SAID, rng.randrange(1, 5))
        messages = [{"mine": rng.random() < 0.4, "text": line, "fen": 0} for line in lines]
        talks.append({"name": contact.name, "said": messages, "pinned": False, "muted": False})
    talks[rng.randrange(5)]["pinned"] = True
    talks[rng.randrange(5)]["muted"] = True
    people = [talk["name"] for talk in talks if talk["name"] not in GROUPS][:4]
    moments = [{"name": name, "text": rng.choice(MOMENTS), "liked": False} for name in people]
    friends = [talk for talk in talks if talk["name"] not in GROUPS]
    places = [name for names in NAMES.values() for name in names]
    texts = [MONEY_ASKED.format(rng.randrange(31, 199)) for _unused in range(ASKING)]
    texts += [PLACE_ASKED.format(place) for place in rng.sample(places, ASKING)]
    for talk, text in zip(rng.sample(friends, len(texts)), texts, strict=True):
        talk["said"].append({"mine": False, "text": text, "fen": 0})
    return {"talks": talks, "moments": moments, "unread": _count_unread(talks)}


def _count_unread(talks: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Name -> number of unread messages: what others said last in the latest conversations that are heard."""
    found = {}
    for talk in talks[:LATEST_TALKS]:
        last = [*takewhile(lambda line: not line["mine"], reversed(talk["said"]))]
        if last and not talk["muted"]:
            found[talk["name"]] = len(last)
    return found
