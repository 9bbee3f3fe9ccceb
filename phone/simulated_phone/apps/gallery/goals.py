"""The goals of the gallery: like, sort, edit, delete and restore photos, share them, note what is on them."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, States
from simulated_phone.goals.steps import Open, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, goal, in_turn, list_each
from ...builders.item_goals import ItemGoals
from ..contacts import data as contacts
from ..contacts.goals import NEW_CONTACT
from ..files import data as files
from ..files.goals import is_in_chat
from ..mail import data as mail
from ..notes.goals import WRITE_NOTE, has_note
from . import data
from .data import ITEMS, LABEL, PACKAGE, SEARCH, make_state

_ = messages(__name__)

GALLERY = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)
PHOTO = ItemGoals(GALLERY, ITEMS, "photo")


def _list_folder_cases(seed: int) -> list[Arguments]:
    return [
        {"photo": one["name"], "file": f"{one['name']}.jpg", "folder": folder}
        for one in GALLERY.fresh(seed)["photos"]
        for folder in files.FOLDERS
    ]


def _is_mailed(states: States, arguments: Arguments) -> bool:
    wanted = {"folder": mail.SENT, "to": arguments["contact"], "file": arguments["photo"]}
    return any(wanted.items() <= one.items() for one in states[mail.PACKAGE]["mails"])


def _is_filed(states: States, arguments: Arguments) -> bool:
    wanted = {"name": arguments["file"], "folder": arguments["folder"]}
    return any(wanted.items() <= one.items() for one in states[files.PACKAGE]["files"])


def _is_saved(states: States, arguments: Arguments) -> bool:
    person = {"name": arguments["name"], "phone": arguments["phone"]}
    return any(person.items() <= one.items() for one in states[contacts.PACKAGE]["people"])


READ = (GALLERY.way("read", "{photo}"),)
_ALBUM = (TypeText("{album}", into=data.ALBUM_NAME), _("创建"))

GOALS = (
    goal(
        "like_photo",
        _("收藏照片{photo}"),
        _("给{photo}那张照片点个收藏"),
        _("把照片{photo}标为喜欢"),
        _("相册里收藏{photo}"),
        *PHOTO.page_ways("opened", _("收藏{photo}"), _("收藏"), held=True),
        **PHOTO.marked(starred=True),
    ),
    goal(
        "delete_photo",
        _("删除照片{photo}"),
        _("把{photo}那张照片删了"),
        _("照片{photo}不要了"),
        _("相册里删掉{photo}"),
        *PHOTO.menu_ways(_("删除{photo}"), _("删除照片"), _("删除")),
        **PHOTO.deleted(),
    ),
    goal(
        "restore_photo",
        _("恢复删掉的照片{photo}"),
        _("把{photo}从最近删除里恢复"),
        _("照片{photo}误删了，找回来"),
        _("还原照片{photo}"),
        GALLERY.way("tapped", _("最近删除"), "{photo}", _("恢复")),
        GALLERY.shortcut(_("最近删除"), "{photo}", _("恢复")),
        GALLERY.way("all", _("最近删除"), _("全部恢复")),
        GALLERY.voice(_("恢复{photo}")),
        **PHOTO.restored(),
    ),
    goal(
        "move_photo",
        _("把照片{photo}移到{album}相册"),
        _("{photo}那张照片放进{album}相册"),
        _("照片{photo}归到{album}"),
        _("将{photo}移入相册{album}"),
        *PHOTO.menu_ways(_("把{photo}移到{album}"), _("移动到相册"), "{album}"),
        **PHOTO.moved("album", data.ALBUMS),
    ),
    goal(
        "hide_photo",
        _("把照片{photo}移入私密相册"),
        _("隐藏照片{photo}"),
        _("{photo}那张照片不想让别人看到"),
        _("将照片{photo}设为私密"),
        *PHOTO.menu_ways(_("隐藏{photo}"), _("移入私密相册")),
        **PHOTO.marked(hidden=True),
    ),
    goal(
        "filter_photo",
        _("给照片{photo}加{filter}滤镜"),
        _("把{photo}修成{filter}效果"),
        _("照片{photo}用{filter}滤镜"),
        _("{photo}那张照片调成{filter}"),
        *PHOTO.page_ways("opened", _("{photo}加{filter}滤镜"), _("编辑"), "{filter}", _("保存"), held=True),
        **PHOTO.moved("filter", data.FILTERS[1:]),
    ),
    goal(
        "new_album",
        _("新建相册{album}"),
        _("相册里建一个{album}"),
        _("创建名为{album}的相册"),
        _("加个新相册{album}"),
        GALLERY.way("plus", _("相册集"), _("新建相册"), *_ALBUM),
        GALLERY.shortcut(_("新建相册"), *_ALBUM),
        GALLERY.voice(_("新建相册{album}")),
        **GALLERY.added("albums", "album", list_each("album", data.NEW_ALBUMS)),
    ),
    goal(
        "send_photo",
        _("把照片{photo}发给{friend}"),
        _("用聊天给{friend}发{photo}那张照片"),
        _("{friend}要照片{photo}，发过去"),
        _("将照片{photo}分享给{friend}"),
        *PHOTO.page_ways("opened", _("把{photo}发给{friend}"), _("分享"), _("聊天"), "{friend}", held=True),
        cases=PHOTO.with_people("friend"),
        rule=lambda states, arguments: is_in_chat(
            states, arguments["friend"], _("[图片] {photo}").format(photo=arguments["photo"])
        ),
    ),
    goal(
        "mail_photo",
        _("把照片{photo}用邮件发给{contact}"),
        _("发邮件给{contact}，附上照片{photo}"),
        _("邮件发照片{photo}给{contact}"),
        _("将{photo}这张照片邮件传给{contact}"),
        *PHOTO.page_ways("opened", "", _("分享"), _("邮件"), "{contact}", _("发送"), held=True)[:3],
        cases=PHOTO.with_people("contact"),
        rule=_is_mailed,
    ),
    goal(
        "photo_to_files",
        _("把照片{photo}存到文件的{folder}里"),
        _("照片{photo}保存进{folder}文件夹"),
        _("将{photo}另存到文件{folder}"),
        _("文件夹{folder}里存一份照片{photo}"),
        *PHOTO.page_ways("opened", "", _("分享"), _("文件"), "{folder}", held=True)[:3],
        cases=_list_folder_cases,
        rule=_is_filed,
    ),
    goal(
        "card_to_contacts",
        _("把{photo}上的电话存到联系人"),
        _("照着{photo}新建联系人"),
        _("{photo}里那个人加到通讯录"),
        _("看{photo}，把{name}存进联系人"),
        GALLERY.way("button", "{photo}", _("存为联系人")),
        GALLERY.search("{photo}", _("存为联系人")),
        GALLERY.way("copied", "{photo}", Open(contacts.PACKAGE), *NEW_CONTACT),
        GALLERY.voice(_("{photo}存为联系人")),
        cases=PHOTO.each(lambda one: bool(one["who"]), name="who", phone="number"),
        rule=_is_saved,
    ),
    goal(
        "spot_to_note",
        _("把{photo}上的车位号记到便签"),
        _("看{photo}，车位写进便签"),
        _("便签里记下{photo}的车位号"),
        _("{photo}里的车位存到便签"),
        *PHOTO.page_ways("button", _("{photo}记到便签"), _("记到便签")),
        *in_turn(READ, WRITE_NOTE[:2]),
        cases=PHOTO.each(lambda one: one["name"] == data.PARKING, text="text"),
        rule=lambda states, arguments: has_note(states, str(arguments["text"])),
    ),
)
