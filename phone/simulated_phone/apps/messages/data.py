"""The data of the messages app: the conversations of a fresh phone, with people and with services."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

from simulated_phone.goals.app_definition import State
from simulated_phone.language import formats
from simulated_phone.language.language import messages

from ...builders import other_apps
from ...builders.items import Items
from ...goals.acquaintances import people_of, spaced, unknown_number
from ..contacts.data import STRANGERS

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = other_apps.MESSAGES, _("短信"), "#1f9d55"
SEARCH, TEXT = _("搜索短信"), _("输入短信内容")
RAILWAY, PARCELS, BILL = _("铁路出行"), _("快递驿站"), _("话费提醒")
ADVERTISERS = (_("品牌特卖"), _("贷款快讯"), _("网游推广"))
PLACES = (_("市口腔医院"), _("社区服务站"), _("车管所"))
APPOINTMENTS = {_("市口腔医院"): _("洗牙预约"), _("社区服务站"): _("居民会议"), _("车管所"): _("车辆年检")}
"""Who sends appointments, and for what."""
TEXTS = (
    _("我到楼下了"), _("晚上一起吃饭"), _("会议改到三点"), _("快递帮我收一下"), _("路上小心"), _("生日快乐"),
    _("到了给我回个信"), _("资料已经寄出"), _("今天辛苦了"), _("周末回家看你"),
)  # fmt: skip
REPLIES = (_("好的"), _("收到，谢谢"), _("马上到"), _("稍后联系你"), _("不方便，改天吧"))
UNREAD = 3
"""The latest conversations, which nobody has read yet."""
MINUTES = (5, 20, 25, 35, 50, 55)
"""Minutes of departure: at none of them rings an alarm of a fresh phone."""
_SAID = (
    _("钥匙在门口的花盆下面"),
    _("明天记得带身份证"),
    _("到家了吗"),
    _("车位费我先垫上了"),
    _("周六聚餐别忘了"),
)
_ADS = (_("全场五折起，退订回T"), _("低息借款，秒到账，退订回T"), _("新服开启，登录领好礼，退订回T"))
_STATIONS = (_("杭州东"), _("上海虹桥"), _("南京南"), _("苏州北"), _("合肥南"), _("武汉"))
ITEMS = Items(key="threads", name="sender", page="thread")


def sms(text: str, *, mine: bool = False, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """A message; what it is about, such as a train, is stored with its text."""
    return {"mine": mine, "text": text, **more}


def _draw_services(rng: random.Random) -> list[tuple[str, str, list[dict[str, Any]]]]:
    """Sender, number and messages of the services."""
    trains = []
    for number in rng.sample(range(100, 999), 2):
        hour, minute = rng.randrange(6, 22), rng.choice(MINUTES)
        start, end = rng.sample(_STATIONS, 2)
        seat = _("{car}车{seat}A号").format(car=rng.randrange(1, 16), seat=rng.randrange(1, 18))
        text = _(
            "您已购G{number}次 {start}—{end}，{hour:02d}:{minute:02d}开，{seat}。请携带证件乘车。"
        ).format(number=number, start=start, end=end, hour=hour, minute=minute, seat=seat)
        trains.append(sms(text, train=f"G{number}", hour=hour, minute=minute))
    code, courier = f"{rng.randrange(10, 99)}-{rng.randrange(1000, 9999)}", unknown_number(rng)
    parcel = sms(
        _("您的包裹已到快递驿站，取件码 {code}，有问题请致电 {courier}。").format(code=code, courier=courier),
        code=code,
        phone=courier,
    )
    bill = sms(
        _("您的话费余额为 {yuan}.{fen} 元，请及时充值。").format(
            yuan=rng.randrange(3, 30), fen=rng.randrange(10, 99)
        )
    )
    found = [(RAILWAY, "12306900", trains), (PARCELS, "10690055", [parcel]), (BILL, "10690086", [bill])]
    for place, title in APPOINTMENTS.items():
        day = date(2025, 4, 12) + timedelta(days=rng.randrange(79))
        hour = rng.randrange(8, 18)
        text = _("您已预约{day}{hour}点的{title}，请准时到场，如需取消请提前一天来电。").format(
            day=formats.day_of_month(_, day), hour=hour, title=title
        )
        event = {"title": title, "day": day.isoformat(), "hour": hour}
        found.append((place, f"1069{rng.randrange(10**4):04d}", [sms(text, event=event)]))
    for sender, text in zip(ADVERTISERS, _ADS, strict=True):
        found.append(
            (
                sender,
                f"1065{rng.randrange(10**4):04d}",
                [sms(_("【{sender}】{text}").format(sender=sender, text=text))],
            )
        )
    return found


def make_state(rng: random.Random) -> State:
    """Draw conversations with four people, a new number and the services; the latest comes first."""
    found = _draw_services(rng)
    for person in rng.sample(people_of(rng), 4):
        found.append((person.name, person.phone, [sms(text) for text in rng.sample(_SAID, 2)]))
    name, number = rng.choice(STRANGERS), unknown_number(rng)
    text = _("您好，我是{name}，这是我的新号码，请惠存。").format(name=name)
    found.append((spaced(number), number, [sms(text, name=name, phone=number)]))
    rng.shuffle(found)
    marks = {"pinned": False, "blocked": False}
    threads = [
        {
            "id": place,
            "sender": sender,
            "number": number,
            "said": lines,
            "read": place > UNREAD and rng.random() < 0.5,
            **marks,
        }
        for place, (sender, number, lines) in enumerate(found, 1)
    ]
    return {"threads": threads, "next": len(threads) + 1}
