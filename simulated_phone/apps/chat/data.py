"""The chat app's data: messages and moments, and the state of a fresh phone."""

from __future__ import annotations

import random
from typing import Any

from simulated_phone.acquaintances import CHAT, GROUPS, draw_contacts
from simulated_phone.app_definition import State
from simulated_phone.apps.maps.data import NAMES

PACKAGE, LABEL, ACCENT = CHAT, "聊天", "#1aa260"
SEARCH, MESSAGE, AMOUNT, MOMENT = "搜索联系人和群聊", "输入消息", "请输入金额（元）", "这一刻的想法…"

_SAID = (
    "好的，收到", "哈哈哈哈", "你到家了吗", "文件我晚点发你", "周末一起吃饭吧", "今天降温，多穿点",
    "那个方案改好了吗", "我在路上，堵车了", "照片发我一份", "行，就这么定了", "晚上有空吗", "谢谢啦",
    "记得按时吃药", "明天见",
)  # fmt: skip
MESSAGES = (
    "我晚上不回家吃饭了", "我到了，你在哪", "路上堵车，晚到十分钟", "明天早上九点开会", "生日快乐",
    "周末一起去爬山吗", "帮我带一杯咖啡", "今天辛苦了，早点休息", "合同已经发你邮箱了", "晚上七点老地方见",
    "孩子我已经接到了", "下班一起吃火锅吧", "记得带身份证", "我忘带钥匙了", "新年快乐，万事如意",
    "明天天气不好，记得带伞", "快递到了，帮我取一下", "在忙吗，有事想请教你", "电影票买好了，八点的",
    "我今天请假，有事打电话", "周三的会改到周四下午", "到家给我发个消息", "这周末我去看你们",
    "恭喜恭喜，太棒了",
)  # fmt: skip
MOMENTS = (
    "今天的晚霞真好看", "终于跑完了十公里", "周末愉快", "自己做的红烧肉，味道不错",
    "加班到现在，给自己点个赞", "春天来了，花都开了", "猫咪今天格外黏人", "搬新家啦",
    "第一次滑雪，摔得很开心", "读完一本好书", "下雨天适合在家看电影", "孩子拿了作文比赛一等奖",
    "打卡这家新开的面馆", "早起的一天，空气真好", "毕业十年，再聚首", "早安，新的一周",
)  # fmt: skip
MONEY_ASKED, PLACE_ASKED = "上次聚餐每人{}元，转我一下就行", "我在{}等你，打车过来吧"
"""What friends ask for: money, or to come to a place."""
ASKING = 3
"""Friends who ask for money, and friends who ask to come."""
AMOUNTS = (6, 20, 50, 66, 88, 100, 168, 200, 300, 500, 888, 1000)


def initial(rng: random.Random) -> State:
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
    texts = [MONEY_ASKED.format(rng.randrange(31, 199)) for _ in range(ASKING)]
    texts += [PLACE_ASKED.format(place) for place in rng.sample(places, ASKING)]
    for talk, text in zip(rng.sample(friends, len(texts)), texts, strict=True):
        talk["said"].append({"mine": False, "text": text, "fen": 0})
    return {"talks": talks, "moments": moments}
