"""The bank's data: cards, bills, records of payments, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType

from simulated_phone.goals.app_definition import State
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = "com.simulated.yinhang", _("银行"), "#b5343c"
SEARCH, AMOUNT = _("搜索账单、收款人或交易"), _("请输入转账金额（元）")
SAVINGS, CREDIT = _("储蓄卡"), _("信用卡")
NUMBERS: Mapping[str, str] = MappingProxyType({SAVINGS: "6217", CREDIT: "4096"})
"""Cards and the last digits of their numbers."""
BILLS: Mapping[str, str] = MappingProxyType(
    {
        _("电费"): _("城市供电公司"),
        _("水费"): _("城市自来水公司"),
        _("燃气费"): _("城市燃气公司"),
        _("宽带费"): _("畅通宽带"),
        _("物业费"): _("翠园物业中心"),
        _("供暖费"): _("城北热力公司"),
        _("有线电视费"): _("广电网络"),
        _("车位费"): _("翠园物业停车场"),
    }
)
"""Bills and who they are paid to."""
MERCHANTS = (
    _("万家惠超市"), _("城北加油站"), _("半山咖啡"), _("云栖酒店"), _("老灶火锅城"), _("市民书店"),
    _("安心大药房"), _("星光影院"), _("快达便利店"), _("同城家电"), _("果园鲜生"), _("悦动健身"),
)  # fmt: skip
LIMITS = (1000, 3000, 5000, 20000, 50000, 100000)
"""Daily limits of a card that can be chosen, yuan."""
TOPUPS = (10, 20, 30, 50, 100, 200, 300, 500)
DEPOSITS = (1000, 2000, 3000, 5000, 8000)
TERMS: Mapping[str, str] = MappingProxyType(
    {_("三个月"): "0.80%", _("六个月"): "1.00%", _("一年"): "1.10%", _("两年"): "1.20%", _("三年"): "1.50%"}
)
"""Terms of deposits and their interest a year."""


def make_state(rng: random.Random) -> State:
    """Draw what is on the cards, the bills of this month and the latest payments."""
    bills = [
        {"name": name, "fen": rng.randrange(1800, 42000, 10), "due": f"2025-04-{rng.randrange(13, 30)}"}
        for name in rng.sample(sorted(BILLS), 6)
    ]
    records = [
        {
            "shop": shop,
            "fen": rng.randrange(650, 38000, 10),
            "day": _("3月{value}日").format(value=9 - number // 2),
        }
        for number, shop in enumerate(rng.sample(MERCHANTS, 8))
    ]
    cards = {
        SAVINGS: {"fen": rng.randrange(1_200_000, 6_000_000), "limit": 10000, "locked": False},
        CREDIT: {"fen": rng.randrange(80_000, 900_000), "limit": 8000, "locked": False},
    }
    automatic = [bill["name"] for bill in rng.sample(bills, 1)]
    return {
        "cards": cards,
        "default": rng.choice((SAVINGS, CREDIT)),
        "bills": sorted(bills, key=lambda bill: str(bill["due"])),
        "automatic": automatic,
        "records": records,
        "payments": [],
        "viewed": "",
    }
