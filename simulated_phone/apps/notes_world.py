"""The notes' world: what is written down on a fresh phone, and what people want of it."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import LISTENS

PACKAGE = "com.simulated.bianqian"
SEARCH, WRITE, ADD_ITEM = "搜索便签", "记点什么…", "添加事项"
FOLDERS = ("生活", "工作", "学习")
OLD_NOTES = 9

_TEXTS = (
    "家里网络密码 sunny2024",
    "车位在 B2 层 137 号",
    "物业电话 6688 1234",
    "妈妈生日 农历八月初六",
    "衣柜尺寸 180×60×220",
    "体检预约 周四上午九点",
    "孩子身高 128 厘米",
    "理发店会员余额 320 元",
    "读后感：慢就是快",
    "会议要点：先定目标再分工",
    "洗衣机报修单号 88213",
    "英语单词 resilient 有韧性的",
    "公式：速度等于路程除以时间",
    "周报模板：进展、问题、计划",
    "想看的电影：海上钢琴师",
    "健身房储物柜密码 4702",
)
_LISTS = {
    "购物清单": "牛奶 鸡蛋 面包 洗衣液 抽纸 苹果 西红柿 酱油 牙膏 大米 酸奶 垃圾袋",
    "周末计划": "洗车 打扫厨房 看电影 给妈妈打电话 健身 换床单 逛公园 修自行车 学做红烧肉 剪头发",
    "旅行打包": "身份证 充电器 雨伞 防晒霜 拖鞋 洗漱包 感冒药 外套 相机 耳机 水杯",
    "搬家清单": "打包衣服 约搬家公司 退网络 改地址 扔旧家具 擦窗户 换门锁 交水电费 买纸箱",
    "本周工作": "写周报 订会议室 回复客户 整理合同 更新表格 做培训材料 报销差旅 约面试",
    "读书清单": "活着 平凡的世界 三体 围城 小王子 百年孤独 红楼梦 边城 月亮与六便士",
}
_DAYS = ("今天", "明天", "周三", "周五", "周六", "周日", "下周一", "月底")
_THINGS = (
    "交房租",
    "取快递",
    "开家长会",
    "还信用卡",
    "看牙医",
    "交水费",
    "给车做保养",
    "接姐姐下飞机",
    "拿干洗的衣服",
    "续健身卡",
    "给花浇水",
    "买生日礼物",
    "带猫打疫苗",
    "交电费",
    "约老同学吃饭",
    "换滤芯",
    "预约体检",
    "还图书馆的书",
    "订火车票",
    "给爸爸买药",
    "换驾照",
    "交物业费",
    "拍证件照",
    "修手机屏",
)


def initial(rng: random.Random) -> State:
    """Six notes and three lists, the newest last."""
    notes: list[dict[str, Any]] = [
        {"text": text, "items": None, "folder": rng.choice(FOLDERS)} for text in rng.sample(_TEXTS, 6)
    ]
    for name in rng.sample(sorted(_LISTS), 3):
        items = rng.sample(_LISTS[name].split(), 5)
        ticked = [{"text": item, "done": number % 3 == 2} for number, item in enumerate(items)]
        notes.append({"text": name, "items": ticked, "folder": rng.choice(FOLDERS)})
    rng.shuffle(notes)
    numbered = [{"id": number, "pinned": False, **note} for number, note in enumerate(notes, 1)]
    return {"notes": numbered, "next": OLD_NOTES + 1}


# ---- goals


@lru_cache(maxsize=64)
def _fresh(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _lists(notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [note for note in notes if note["items"] is not None]


def _new_texts(seed: int) -> list[Arguments]:
    rng = random.Random(seed)  # noqa: S311 - a world, not a secret
    texts = [f"{day}{thing}" for day in _DAYS for thing in rng.sample(_THINGS, 6)]
    codes = [f"取件码 {rng.randrange(10, 99)}-{rng.randrange(1000, 9999)}" for _ in range(6)]
    return [{"text": text} for text in texts + codes]


def _missing_items(seed: int) -> list[Arguments]:
    return [
        {"list": note["text"], "item": item}
        for note in _lists(_fresh(seed)["notes"])
        for item in _LISTS[note["text"]].split()
        if item not in {known["text"] for known in note["items"]}
    ]


def _open_items(seed: int) -> list[Arguments]:
    return [
        {"list": note["text"], "item": item["text"]}
        for note in _lists(_fresh(seed)["notes"])
        for item in note["items"]
        if not item["done"]
    ]


def _names(seed: int) -> list[Arguments]:
    return [{"note": note["text"]} for note in _fresh(seed)["notes"]]


def _has_item(states: States, arguments: Arguments, *, done: bool) -> bool:
    return any(
        note["text"] == arguments["list"] and item["text"] == arguments["item"] and item["done"] >= done
        for note in _lists(states[PACKAGE]["notes"])
        for item in note["items"]
    )


def _is_written(states: States, arguments: Arguments) -> bool:
    return any(
        note["id"] > OLD_NOTES and note["items"] is None and note["text"] == arguments["text"]
        for note in states[PACKAGE]["notes"]
    )


def _voice(spoken: str) -> Strategy:
    return Strategy("voice", (Open(PACKAGE), Tap("语音"), TypeText(spoken, into=LISTENS), Tap("完成")))


def _found(name: str) -> tuple[Step, ...]:
    return (Open(PACKAGE), Tap(SEARCH), TypeText(name, into=SEARCH), Tap(name))


_SAVE = (TypeText("{text}", into=WRITE), Tap("保存"))
_ADD = (TypeText("{item}", into=ADD_ITEM), Tap("添加"))

GOALS = (
    Goal(
        name="write_note",
        words=("记一下：{text}", "写个便签，{text}", "便签里记上{text}", "帮我记{text}", "备忘一下{text}"),
        cases=_new_texts,
        rule=_is_written,
        ways=(
            Strategy("button", (Open(PACKAGE), Tap("新建便签"), *_SAVE)),
            Strategy("shortcut", (Press("home"), Hold("便签"), Tap("新建便签"), *_SAVE)),
            Strategy("widget", (Press("home"), Tap("记便签"), *_SAVE)),
            _voice("记一下{text}"),
        ),
    ),
    Goal(
        name="add_item",
        words=(
            "{list}里加上{item}",
            "在{list}添一条{item}",
            "把{item}写进{list}",
            "{list}再加个{item}",
        ),
        cases=_missing_items,
        rule=lambda states, arguments: _has_item(states, arguments, done=False),
        ways=(
            Strategy("browse", (Open(PACKAGE), Tap("{list}"), *_ADD)),
            Strategy("filtered", (Open(PACKAGE), Tap("清单"), Tap("{list}"), *_ADD)),
            Strategy("search", (*_found("{list}"), *_ADD)),
            _voice("{list}加上{item}"),
        ),
    ),
    Goal(
        name="tick_item",
        words=(
            "把{list}里的{item}勾掉",
            "{list}的{item}完成了",
            "{list}里{item}打勾",
            "划掉{list}的{item}",
        ),
        cases=_open_items,
        rule=lambda states, arguments: _has_item(states, arguments, done=True),
        ways=(
            Strategy("browse", (Open(PACKAGE), Tap("{list}"), Tap("{item}"))),
            Strategy("filtered", (Open(PACKAGE), Tap("清单"), Tap("{list}"), Tap("{item}"))),
            Strategy("search", (*_found("{list}"), Tap("{item}"))),
            _voice("{list}的{item}完成了"),
        ),
    ),
    Goal(
        name="pin_note",
        words=("置顶便签“{note}”", "把“{note}”置顶", "“{note}”这条便签放最上面", "便签“{note}”设为置顶"),
        cases=_names,
        rule=lambda states, arguments: any(
            note["pinned"] and note["text"] == arguments["note"] for note in states[PACKAGE]["notes"]
        ),
        ways=(
            Strategy("held", (Open(PACKAGE), Hold("{note}"), Tap("置顶"))),
            Strategy("opened", (Open(PACKAGE), Tap("{note}"), Tap("更多"), Tap("置顶"))),
            Strategy("search", (*_found("{note}"), Tap("更多"), Tap("置顶"))),
            _voice("置顶{note}"),
        ),
    ),
    Goal(
        name="delete_note",
        words=("删掉便签“{note}”", "便签“{note}”不要了", "删除“{note}”这条便签", "把“{note}”的便签删了"),
        cases=_names,
        rule=lambda states, arguments: all(
            note["text"] != arguments["note"] for note in states[PACKAGE]["notes"]
        ),
        ways=(
            Strategy("held", (Open(PACKAGE), Hold("{note}"), Tap("删除"), Tap("确定删除"))),
            Strategy("opened", (Open(PACKAGE), Tap("{note}"), Tap("更多"), Tap("删除"), Tap("确定删除"))),
            Strategy("search", (*_found("{note}"), Tap("更多"), Tap("删除"), Tap("确定删除"))),
            _voice("删除便签{note}"),
        ),
    ),
)
