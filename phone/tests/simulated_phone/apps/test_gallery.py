"""The gallery: albums, the trash, and photos that are edited."""

from __future__ import annotations

from simulated_phone import GesturePlayer, Hold, Open, Phone, Tap, TypeText
from simulated_phone.apps.gallery.data import ALBUM_NAME, CARD, PACKAGE


def photo(phone: Phone, name: str) -> dict[str, object]:
    found: dict[str, object] = next(one for one in phone.state[PACKAGE]["photos"] if one["name"] == name)
    return found


def test_a_photo_can_be_moved_to_a_new_album(phone: Phone) -> None:
    play = GesturePlayer(phone).play
    steps = [Tap("相册集"), Tap("新建相册"), TypeText("老照片", into=ALBUM_NAME), Tap("创建")]
    play([Open(PACKAGE), *steps])
    play([Open(PACKAGE), Tap(CARD), Tap("更多"), Tap("移动到相册"), Tap("老照片")])
    assert photo(phone, CARD)["album"] == "老照片"


def test_a_filter_that_is_not_saved_changes_nothing(phone: Phone) -> None:
    play = GesturePlayer(phone).play
    play([Open(PACKAGE), Tap(CARD), Tap("编辑"), Tap("黑白")])
    phone.press_key("KEYCODE_BACK")
    assert photo(phone, CARD)["filter"] == "原图"


def test_a_hidden_photo_is_not_on_the_first_page(phone: Phone) -> None:
    GesturePlayer(phone).play([Open(PACKAGE), Hold(CARD), Tap("移入私密相册")])
    assert CARD not in {node.text for node in phone.screen().nodes()}
    assert photo(phone, CARD)["hidden"] is True
