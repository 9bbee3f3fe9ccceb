"""The goals of the files app: rename, move, pack, delete, restore and share files, note what they say."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, States
from simulated_phone.goals.steps import TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, goal, in_turn, list_each
from ...builders.item_goals import ItemGoals
from ...goals.acquaintances import CHAT
from ..calendar.goals import ADD_EVENT, day_arguments, has_event
from . import data
from .data import ITEMS, LABEL, PACKAGE, SEARCH, ending, make_state, stem

_ = messages(__name__)

FILES = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)
FILE = ItemGoals(FILES, ITEMS, "file")


def _list_renamed_cases(seed: int) -> list[Arguments]:
    return [
        {"file": one["name"], "name": f"{stem(one['name'])}{name}.{ending(one['name'])}", "added": name}
        for one in FILES.fresh(seed)["files"]
        for name in data.NAMES
    ]


def _list_packed_cases(seed: int) -> list[Arguments]:
    files = [one["name"] for one in FILES.fresh(seed)["files"] if ending(one["name"]) != "zip"]
    return [{"file": name, "packed": f"{stem(name)}.zip"} for name in files]


def _list_contract_cases(seed: int) -> list[Arguments]:
    return [
        {"file": one["name"], "title": one["event"], "hour": 9} | day_arguments(one["ends"])
        for one in FILES.fresh(seed)["files"]
        if one["ends"]
    ]


def is_in_chat(states: States, friend: object, text: str) -> bool:
    """Whether the text was sent to somebody in chat."""
    line = {"mine": True, "text": text}
    return any(
        talk["name"] == friend and any(line.items() <= one.items() for one in talk["said"])
        for talk in states[CHAT]["talks"]
    )


READ = (FILES.way("read", "{file}"),)
_NAME = (_("重命名"), _("清空"), TypeText("{name}", into=data.NEW_NAME), _("确定"))
_FOLDER = (TypeText("{folder}", into=data.FOLDER_NAME), _("创建"))
_SHARE = (_("分享"), _("聊天"), "{friend}")

GOALS = (
    goal(
        "rename_file",
        _("把文件{file}改名为{name}"),
        _("{file}重命名成{name}"),
        _("文件{file}的名字改成{name}"),
        _("将{file}更名为{name}"),
        *FILE.menu_ways(_("把{file}重命名为{name}"), *_NAME),
        cases=_list_renamed_cases,
        rule=FILES.has("files", name="name"),
    ),
    goal(
        "move_file",
        _("把{file}移到{folder}文件夹"),
        _("将文件{file}放进{folder}"),
        _("{file}归到{folder}目录"),
        _("移动{file}到{folder}"),
        *FILE.menu_ways(_("把{file}移到{folder}"), _("移动到"), "{folder}"),
        **FILE.moved("folder", data.FOLDERS),
    ),
    goal(
        "delete_file",
        _("删除文件{file}"),
        _("把{file}这个文件删掉"),
        _("{file}不要了，删了它"),
        _("文件里的{file}可以删了"),
        *FILE.menu_ways(_("删除{file}"), _("删除文件"), _("删除")),
        **FILE.deleted(),
    ),
    goal(
        "restore_file",
        _("恢复删掉的{file}"),
        _("把{file}从最近删除里找回来"),
        _("还原文件{file}"),
        _("误删了{file}，恢复一下"),
        FILES.way("tapped", _("最近删除"), "{file}", _("恢复")),
        FILES.way("all", _("最近删除"), _("全部恢复")),
        FILES.shortcut(_("最近删除"), "{file}", _("恢复")),
        FILES.voice(_("恢复{file}")),
        **FILE.restored(),
    ),
    goal(
        "star_file",
        _("收藏文件{file}"),
        _("给{file}加个星标"),
        _("把{file}设为常用文件"),
        _("文件{file}点个收藏"),
        *FILE.page_ways("opened", _("收藏{file}"), _("收藏"), held=True),
        **FILE.marked(starred=True),
    ),
    goal(
        "lock_file",
        _("把{file}移入保险箱"),
        _("给文件{file}加密"),
        _("{file}放进保险箱"),
        _("将{file}锁起来不让别人看"),
        *FILE.menu_ways(_("{file}移入保险箱"), _("移入保险箱")),
        **FILE.marked(locked=True),
    ),
    goal(
        "pack_file",
        _("把{file}压缩一下"),
        _("将文件{file}打成压缩包"),
        _("压缩{file}"),
        _("给{file}做个zip"),
        *FILE.menu_ways(_("压缩{file}"), _("压缩")),
        cases=_list_packed_cases,
        rule=FILES.has("files", name="packed"),
    ),
    goal(
        "new_folder",
        _("新建文件夹{folder}"),
        _("文件里建一个叫{folder}的文件夹"),
        _("创建文件夹“{folder}”"),
        _("加个{folder}文件夹"),
        FILES.way("plus", _("文件夹"), _("新建文件夹"), *_FOLDER),
        FILES.shortcut(_("新建文件夹"), *_FOLDER),
        FILES.voice(_("新建文件夹{folder}")),
        **FILES.added("folders", "folder", list_each("folder", data.NEW_FOLDERS)),
    ),
    goal(
        "sort_files",
        _("文件{order}排列"),
        _("把文件列表改成{order}排序"),
        _("文件管理里{order}显示"),
        _("让文件{order}排"),
        FILES.way("icon", _("排序"), "{order}"),
        FILES.shortcut(_("排序方式"), "{order}"),
        FILES.voice(_("{order}排序")),
        **FILES.chosen("order", "order", data.ORDERS[1:]),
    ),
    goal(
        "send_file",
        _("把{file}发给{friend}"),
        _("用聊天把文件{file}传给{friend}"),
        _("给{friend}发一下{file}"),
        _("{friend}要{file}，发过去"),
        *FILE.menu_ways(_("把{file}发给{friend}"), *_SHARE),
        cases=FILE.with_people("friend", 8),
        rule=lambda states, arguments: is_in_chat(
            states, arguments["friend"], _("[文件] {file}").format(file=arguments["file"])
        ),
    ),
    goal(
        "end_to_calendar",
        _("看看{file}哪天到期，记到日历"),
        _("把{file}的到期日加进日历"),
        _("{file}里的到期日建个日程"),
        _("日历里提醒我{file}到期"),
        *FILE.page_ways("button", _("{file}的到期日加到日历"), _("到期日加到日历")),
        *in_turn(READ, ADD_EVENT),
        cases=_list_contract_cases,
        rule=lambda states, arguments: has_event(states, title=arguments["title"], day=arguments["date"]),
    ),
)
