"""The data of the files app: folders, the documents of a fresh phone, and what contracts say."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

from simulated_phone.goals.app_definition import State
from simulated_phone.language.language import messages

from ...builders import other_apps
from ...builders.items import Items

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = other_apps.FILES, _("文件"), "#f0a30a"
SEARCH, NEW_NAME, FOLDER_NAME = _("搜索文件"), _("新的文件名"), _("文件夹名称")
FOLDERS = (_("下载"), _("文档"), _("工作"), _("家庭"))
NEW_FOLDERS = (
    _("旅行计划"),
    _("孩子学习"),
    _("装修资料"),
    _("报销单据"),
    _("健身记录"),
    _("照片备份"),
    _("会议纪要"),
    _("证件扫描"),
)
ORDERS = (_("按时间"), _("按名称"), _("按大小"))
CONTRACTS = {
    _("租房合同.pdf"): _("租房到期"),
    _("车险保单.pdf"): _("车险到期"),
    _("健身卡协议.pdf"): _("健身卡到期"),
}
"""Documents that name a day, and what happens then."""
_NAMES = (
    _("年终总结.docx"), _("个人简历.docx"), _("家庭账本.xlsx"), _("旅行攻略.pdf"), _("户型图.png"),
    _("采访录音.mp3"), _("产品手册.pdf"), _("课程表.xlsx"), _("培训视频.mp4"), _("项目资料.zip"),
    _("读书笔记.txt"), _("食谱大全.pdf"), _("考勤记录.xlsx"), _("设计初稿.png"),
)  # fmt: skip
NAMES = (_("最终版"), _("重要资料"), _("备份一份"), _("待审核"), _("已签字"), _("二月更新"))
"""New names, to which the ending of the file is added."""
GLYPHS = {"pdf": ("note", "#e5484d"), "docx": ("note", "#2f6fed"), "xlsx": ("grid", "#2f9e44"),
          "png": ("image", "#17a398"), "jpg": ("image", "#17a398"), "mp3": ("music", "#d6336c"),
          "mp4": ("film", "#8e5bd0"), "zip": ("folder", "#a0522d"), "txt": ("note", "#4a5a78")}  # fmt: skip
"""Ending -> icon and its colour."""


def ending(name: str) -> str:
    """The ending of a file's name: "pdf"."""
    return name.rpartition(".")[2]


def stem(name: str) -> str:
    """A file's name without its ending.

    >>> stem("年终总结.docx"), ending("年终总结.docx")
    ('年终总结', 'docx')
    """
    return name.rpartition(".")[0] or name


ITEMS = Items(
    key="files", name="name", page="file", choices={"folder": (_("移动到"), "folders")}, saved=_("已完成")
)


def make_file(name: str, folder: str, kilobytes: int = 320) -> dict[str, Any]:
    """The values of a file that comes now; `event` is what happens on the day `ends` that it names."""
    place = {"name": name, "folder": folder, "size": kilobytes, "day": _("今天")}
    return {**place, "ends": "", "event": "", "starred": False, "locked": False}


def size_words(kilobytes: int) -> str:
    """A size as it is shown.

    >>> size_words(320), size_words(2500)
    ('320 KB', '2.5 MB')
    """
    return f"{kilobytes} KB" if kilobytes < 1000 else f"{kilobytes / 1000:.1f} MB"


def make_state(rng: random.Random) -> State:
    """Draw twelve files, three of which name a day on which something ends, and three in the trash."""
    names = [*CONTRACTS, *rng.sample(_NAMES, 12)]
    files = []
    for number, name in enumerate(names, 1):
        ends = date(2025, 4, 12) + timedelta(days=rng.randrange(79))
        values = make_file(name, rng.choice(FOLDERS), rng.randrange(40, 9000))
        values["day"] = _("2月{day}日").format(day=10 + number)
        if name in CONTRACTS:
            values |= {"ends": ends.isoformat(), "event": CONTRACTS[name]}
        files.append({"id": number, **values})
    kept = files[:12]
    rng.shuffle(kept)
    kept[rng.randrange(12)]["starred"] = True
    return {"files": kept, "trash": files[12:], "folders": list(FOLDERS), "order": ORDERS[0], "next": 16}
