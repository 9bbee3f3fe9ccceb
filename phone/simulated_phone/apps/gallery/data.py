"""The data of the gallery: the photos and albums of a fresh phone."""

from __future__ import annotations

import random
from typing import Any

from simulated_phone.goals.app_definition import State
from simulated_phone.language.language import messages

from ...builders import other_apps
from ...builders.items import Items
from ...goals.acquaintances import unknown_number

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = other_apps.GALLERY, _("相册"), "#7a4fd0"
SEARCH, ALBUM_NAME = _("搜索照片"), _("相册名称")
ALBUMS = (_("相机"), _("旅行"), _("家人"), _("截屏"))
NEW_ALBUMS = (
    _("宝宝成长"),
    _("美食记录"),
    _("健身打卡"),
    _("装修进度"),
    _("毕业季"),
    _("宠物日常"),
    _("老照片"),
    _("证件备份"),
)
FILTERS = (_("原图"), _("黑白"), _("复古"), _("清新"), _("胶片"), _("暖阳"))
SCENES = {
    _("湖边日落"): "sun", _("雪山合影"): "snow", _("生日蛋糕"): "food", _("小猫打盹"): "heart",
    _("会议白板"): "edit", _("古镇小巷"): "home", _("海滩日出"): "sun", _("樱花树下"): "star",
    _("夜市小吃"): "food", _("全家福"): "person", _("登机口"): "airplane", _("书店一角"): "book",
    _("公园跑步"): "map", _("阳台绿植"): "flag",
}  # fmt: skip
"""Names of photos -> the icon that stands for what is on them."""
CARD, PARKING = _("名片照片"), _("停车位照片")
"""Photos with something written on them."""
OWNERS = (_("汽修孙师傅"), _("花店小何"), _("律师高先生"), _("摄影师老胡"))
"""People on name cards, who are not among the contacts."""
PLACES = (_("杭州西湖"), _("家里"), _("公司"), _("苏州平江路"), _("青岛"))
PHOTO, VIDEO = _("照片"), _("视频")
ITEMS = Items(
    key="photos", name="name", page="photo", choices={"album": (_("移动到相册"), "albums")}, saved=_("已完成")
)


def make_photo(name: str, album: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """The values of a photo; one that the camera took says with which mode, lens and timer."""
    plain = {"name": name, "album": album, "day": _("今天"), "place": PLACES[1], "kind": PHOTO, "text": ""}
    marks = {"starred": False, "hidden": False, "filter": FILTERS[0], "who": "", "number": ""}
    return {**plain, **marks, "mode": "", "lens": "", "timer": "", **more}


def make_state(rng: random.Random) -> State:
    """Draw fourteen photos, two of them with words on them, and two in the trash."""
    photos = [make_photo(name, rng.choice(ALBUMS[:3])) for name in rng.sample(sorted(SCENES), 12)]
    who, number = rng.choice(OWNERS), unknown_number(rng)
    photos.append(make_photo(CARD, ALBUMS[0], text=f"{who} {number}", who=who, number=number))
    spot = _("{choice}{randrange} 区 {randrange_2} 号").format(
        choice=rng.choice("ABCD"), randrange=rng.randrange(1, 4), randrange_2=rng.randrange(100, 400)
    )
    photos.append(make_photo(PARKING, ALBUMS[0], text=spot))
    rng.shuffle(photos)
    for place, photo in enumerate(photos):
        photo |= {
            "id": place + 1,
            "place": PLACES[place // 4],
            "day": _("3月{value}日").format(value=1 + place // 8),
        }
    lost = [photo for photo in photos if not photo["text"]][:2]
    kept = [photo for photo in photos if photo not in lost]
    return {"photos": kept, "trash": lost, "albums": list(ALBUMS), "next": len(photos) + 1}
