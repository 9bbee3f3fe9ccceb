"""The notes app's data: texts, checklists and folders, and the state of a fresh phone."""

from __future__ import annotations

import random
from typing import Any

from simulated_phone.goals.app_definition import State
from simulated_phone.language.formats import entries
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL = "com.simulated.bianqian", _("便签")
SEARCH, WRITE, ADD_ITEM = _("搜索便签"), _("记点什么…"), _("添加事项")
FOLDERS = (_("生活"), _("工作"), _("学习"))
OLD_NOTES = 9

_TEXTS = (
    _("家里网络密码 sunny2024"),
    _("车位在 B2 层 137 号"),
    _("物业电话 6688 1234"),
    _("妈妈生日 农历八月初六"),
    _("衣柜尺寸 180×60×220"),
    _("体检预约 周四上午九点"),
    _("孩子身高 128 厘米"),
    _("理发店会员余额 320 元"),
    _("读后感：慢就是快"),
    _("会议要点：先定目标再分工"),
    _("洗衣机报修单号 88213"),
    _("英语单词 resilient 有韧性的"),
    _("公式：速度等于路程除以时间"),
    _("周报模板：进展、问题、计划"),
    _("想看的电影：海上钢琴师"),
    _("健身房储物柜密码 4702"),
)
LISTS = {
    _("购物清单"): _("牛奶 鸡蛋 面包 洗衣液 抽纸 苹果 西红柿 酱油 牙膏 大米 酸奶 垃圾袋"),
    _("周末计划"): _("洗车 打扫厨房 看电影 给妈妈打电话 健身 换床单 逛公园 修自行车 学做红烧肉 剪头发"),
    _("旅行打包"): _("身份证 充电器 雨伞 防晒霜 拖鞋 洗漱包 感冒药 外套 相机 耳机 水杯"),
    _("搬家清单"): _("打包衣服 约搬家公司 退网络 改地址 扔旧家具 擦窗户 换门锁 交水电费 买纸箱"),
    _("本周工作"): _("写周报 订会议室 回复客户 整理合同 更新表格 做培训材料 报销差旅 约面试"),
    _("读书清单"): _("活着 平凡的世界 三体 围城 小王子 百年孤独 红楼梦 边城 月亮与六便士"),
}
DAYS = (_("今天"), _("明天"), _("周三"), _("周五"), _("周六"), _("周日"), _("下周一"), _("月底"))
_TASKS = _(
    "交房租 取快递 开家长会 还信用卡 看牙医 交水费 给车做保养 接姐姐下飞机 "
    "拿干洗的衣服 续健身卡 给花浇水 买生日礼物 带猫打疫苗 交电费 约老同学吃饭 换滤芯 "
    "预约体检 还图书馆的书 订火车票 给爸爸买药 换驾照 交物业费 拍证件照 修手机屏"
)
TASKS = entries(_TASKS)


def make_state(rng: random.Random) -> State:
    """Draw six notes and three checklists, the newest last."""
    notes: list[dict[str, Any]] = [
        {"text": text, "items": None, "folder": rng.choice(FOLDERS)} for text in rng.sample(_TEXTS, 6)
    ]
    for name in rng.sample(sorted(LISTS), 3):
        items = rng.sample(entries(LISTS[name]), 5)
        ticked = [{"text": item, "done": number % 3 == 2} for number, item in enumerate(items)]
        notes.append({"text": name, "items": ticked, "folder": rng.choice(FOLDERS)})
    rng.shuffle(notes)
    numbered = [{"id": number, "pinned": False, **note} for number, note in enumerate(notes, 1)]
    return {"notes": numbered, "next": OLD_NOTES + 1}
