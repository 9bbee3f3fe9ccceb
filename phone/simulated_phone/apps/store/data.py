"""The app store's data: apps by kind, games to come, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from simulated_phone.goals.app_definition import State
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = "com.simulated.shangdian", _("应用商店"), "#2b6de0"
SEARCH = _("搜索应用和游戏")
_KINDS = {
    _("实用工具"): (
        _("随手扫描:把纸质文件拍成清晰的电子版"),
        _("极速压缩:解压各种格式的文件"),
        _("量角尺:用摄像头量长度和角度"),
        _("密码管家:一处保管所有密码"),
    ),
    _("影音播放"): (
        _("轻听电台:全国电台在线收听"),
        _("全能播放器:什么格式都能放"),
        _("录音笔记:录音自动转成文字"),
        _("K歌房:手机就是麦克风"),
    ),
    _("学习教育"): (
        _("背单词吧:每天二十个新词"),
        _("口算小达人:小学口算天天练"),
        _("诗词日历:每天一首古诗"),
        _("编程乐园:孩子的第一门编程课"),
    ),
    _("生活服务"): (
        _("记账本子:三秒记一笔"),
        _("家政到家:保洁维修上门"),
        _("菜谱大王:一万道家常菜"),
        _("租房通:真实房源免中介"),
    ),
    _("运动旅行"): (
        _("户外助手:记录徒步轨迹"),
        _("跑步教练:陪你跑完五公里"),
        _("旅图:路线和攻略"),
        _("滑雪地图:全国雪场雪况"),
    ),
    _("休闲游戏"): (
        _("方块消消:三分钟一局"),
        _("农场物语:种菜养鸡盖房子"),
        _("象棋大师:残局与对战"),
        _("赛车风暴:一指漂移"),
    ),
}
_COMING = {
    _("星海远征"): (date(2025, 4, 18), _("建造飞船，探索银河")),
    _("山村来信"): (date(2025, 4, 25), _("替小镇邮差送信的故事")),
    _("猫咪茶馆"): (date(2025, 5, 9), _("开一家猫咪陪伴的茶馆")),
    _("古城谜案"): (date(2025, 5, 16), _("在古城里寻找线索破案")),
    _("节奏工厂"): (date(2025, 5, 30), _("跟着音乐开动流水线")),
}
GAMES_TO_COME = _("新游预约")
SWITCHES = (_("自动更新"), _("仅WLAN下载"), _("安装后通知"), _("个性化推荐"))
STARS = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreApp:
    """An app of the store: kind, slogan and score; `day` is when it appears, if not yet."""

    name: str
    kind: str
    slogan: str
    score: str
    day: date | None = None


def _store_app(name: str, kind: str, slogan: str, day: date | None = None) -> StoreApp:
    rng = random.Random(name)  # noqa: S311 - seeded data, not a secret
    return StoreApp(name=name, kind=kind, slogan=slogan, score=f"{rng.randrange(35, 50) / 10}", day=day)


CATALOGUE: Mapping[str, StoreApp] = MappingProxyType(
    {
        name: _store_app(name, kind, slogan)
        for kind, apps in _KINDS.items()
        for name, _colon, slogan in (app.partition(":") for app in apps)
    }
    | {name: _store_app(name, GAMES_TO_COME, slogan, day) for name, (day, slogan) in _COMING.items()}
)
"""Apps by name."""
KINDS = tuple(_KINDS)


def of_kind(kind: str) -> list[StoreApp]:
    """The apps of a kind, the best first."""
    return sorted(
        (app for app in CATALOGUE.values() if app.kind == kind),
        key=lambda app: (app.score, app.name),
        reverse=True,
    )


def make_state(rng: random.Random) -> State:
    """Draw which apps are installed, which can be updated, and each app's size in MB for this phone."""
    installed = rng.sample([name for name, app in CATALOGUE.items() if not app.day], 9)
    return {
        "installed": installed,
        "updates": rng.sample(installed, 4),
        "wishes": [],
        "booked": [],
        "reviews": {},
        "on": rng.sample(SWITCHES, 1),
        "viewed": "",
        "sizes": {name: rng.randrange(18, 900) for name in CATALOGUE},
    }
