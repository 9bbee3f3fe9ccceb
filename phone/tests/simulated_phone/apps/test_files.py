"""The files app: names, the trash, and what other apps save in it."""

from __future__ import annotations

import pytest

from simulated_phone import GesturePlayer, Hold, Open, Phone, Tap, TypeText
from simulated_phone.apps.files.data import NEW_NAME, PACKAGE

CONTRACT = "租房合同.pdf"


def names(phone: Phone) -> list[str]:
    return [file["name"] for file in phone.state[PACKAGE]["files"]]


@pytest.mark.parametrize("name", ["", "车险保单.pdf"])
def test_a_file_gets_no_empty_or_taken_name(phone: Phone, name: str) -> None:
    before = names(phone)
    steps = [Tap("重命名"), Tap("清空"), TypeText(name, into=NEW_NAME), Tap("确定")]
    GesturePlayer(phone).play([Open(PACKAGE), Hold(CONTRACT), *steps])
    assert names(phone) == before


def test_a_deleted_file_lies_in_the_trash_and_comes_back_whole(phone: Phone) -> None:
    before = {file["name"]: file for file in phone.state[PACKAGE]["files"]}[CONTRACT]
    play = GesturePlayer(phone).play
    play([Open(PACKAGE), Hold(CONTRACT), Tap("删除文件"), Tap("删除")])
    assert CONTRACT not in names(phone)
    play([Open(PACKAGE), Tap("最近删除"), Tap(CONTRACT), Tap("恢复")])
    assert phone.state[PACKAGE]["files"][-1] == before


def test_a_card_that_is_shared_is_saved_in_a_folder(phone: Phone) -> None:
    play = GesturePlayer(phone).play
    play([Open("com.android.contacts"), Hold("妈妈"), Tap("分享名片"), Tap("文件"), Tap("工作")])
    saved = phone.state[PACKAGE]["files"][-1]
    assert (saved["name"], saved["folder"]) == ("妈妈", "工作")
