"""The pinyin keyboard: composing by taps, keys and `input text` over adb, and when it does not compose."""

from __future__ import annotations

from phone.tests.simulated_phone.conftest import Rig
from phone.tests.simulated_phone.random_use import small, touch
from simulated_phone.apps.clock import CLOCK
from simulated_phone.machine.state import PINYIN_IME
from simulated_phone.phone import Phone
from simulated_phone.watched_phone import PhoneInput, WatchedPhone

SEARCH = "com.android.deskclock"


def open_search(phone: Phone) -> None:
    """Opens the clock's search for a city with the keyboard."""
    phone.start(SEARCH)
    phone.tasks.push("add_city", {})
    phone.tap(*next(found for found in phone.screen().nodes() if found.entry).box.centre)


def text(phone: Phone) -> str:
    focus = phone.shown().focus
    assert focus is not None
    return focus.text


def labels(phone: Phone, view_id: str) -> list[str]:
    return [found.text for found in phone.screen().nodes() if found.view_id == view_id]


def tap_label(rig: Rig, label: str) -> None:
    # the last one, as the keyboard lies over the app
    x, y = rig.server.do(
        lambda phone: [found for found in phone.screen().nodes() if found.text == label][-1].box.centre
    )
    rig.output(f"input tap {x} {y}")


def keys(phone: Phone, letters: str) -> None:
    for letter in letters:
        touch(phone, letter)


def test_input_text_reaches_the_field_unless_something_is_composed(rig: Rig) -> None:
    rig.server.do(open_search)
    rig.output("input text Paris%s7,")
    rig.output("input keyevent KEYCODE_A")
    assert rig.server.do(text) == "Paris 7,a"
    tap_label(rig, "n")
    rig.output("input text i")
    assert rig.server.do(lambda phone: labels(phone, "composing")) == ["ni"]
    rig.output("input text 1")
    assert rig.server.do(text) == "Paris 7,a" + rig.server.do(lambda phone: text(phone)[-1])
    assert rig.server.do(lambda phone: "\u4e00" <= text(phone)[-1] <= "\u9fff")


def test_other_keyboards_do_not_compose(rig: Rig) -> None:
    rig.server.do(open_search)
    tap_label(rig, "n")
    rig.output("ime set com.android.adbkeyboard/.AdbIME")
    assert rig.server.do(lambda phone: labels(phone, "candidate")) == []
    tap_label(rig, "o")
    rig.output("am broadcast -a ADB_INPUT_TEXT --es msg 巴黎")
    assert rig.server.do(text) == "o巴黎"
    rig.output(f"ime set {PINYIN_IME}")
    assert rig.server.do(lambda phone: labels(phone, "composing")) == []


def test_space_and_digits_choose_and_pages_turn() -> None:
    phone = small()
    open_search(phone)
    keys(phone, "ni")
    first = labels(phone, "candidate")
    assert len(first) == 6
    touch(phone, "更多候选词")
    second = labels(phone, "candidate")
    assert not set(first) & set(second)
    touch(phone, "2")
    touch(phone, "n")
    touch(phone, "i")
    touch(phone, "更多候选词")
    touch(phone, "前面的候选词")
    touch(phone, "空格")
    assert text(phone) == second[1] + first[0]
    touch(phone, "空格")
    touch(phone, "7")
    assert text(phone) == second[1] + first[0] + " 7"


def test_the_keys_delete_and_enter_act_on_what_is_composed() -> None:
    phone = small()
    open_search(phone)
    keys(phone, "bali")
    phone.press_key("KEYCODE_DEL")
    assert (text(phone), labels(phone, "composing")) == ("", ["ba'l"])
    phone.press_key("KEYCODE_ENTER")
    assert text(phone) == "bal"


def test_an_english_phone_has_a_latin_keyboard() -> None:
    phone = Phone(size=(540, 1200), density=210, locale="en")
    open_search(phone)
    keys(phone, "slo")
    phone.type_keys(",x")
    assert (text(phone), labels(phone, "candidate")) == ("slo,x", [])
    assert "中" not in phone.tree()


def test_a_choice_leaves_the_rest_composed_and_punctuation_takes_all() -> None:
    phone = small()
    open_search(phone)
    keys(phone, "bali")
    touch(phone, "把")
    assert (text(phone), labels(phone, "composing")) == ("把", ["li"])
    touch(phone, "，")
    assert text(phone).endswith("，")
    assert len(text(phone)) == 3
    keys(phone, "3")
    touch(phone, "。")
    assert text(phone).endswith("3.")


def test_the_mode_key_commits_letters_and_types_latin() -> None:
    phone = small()
    open_search(phone)
    keys(phone, "bali")
    touch(phone, "切换中英文")
    assert (text(phone), labels(phone, "composing")) == ("bali", [])
    keys(phone, "ok")
    touch(phone, ".")
    assert text(phone) == "baliok."
    touch(phone, "切换中英文")
    touch(phone, "n")
    assert labels(phone, "composing") == ["n"]


def test_what_is_composed_goes_with_the_keyboard_and_leaves_no_trace() -> None:
    phone = small()
    open_search(phone)
    before = dict(phone.shown().entry)
    touch(phone, "n")
    assert phone.shown().entry != before
    touch(phone, "删除")
    assert phone.shown().entry == before
    touch(phone, "n")
    phone.press_key("KEYCODE_BACK")
    assert "typing" not in phone.shown().entry
    phone.tap(*next(found for found in phone.screen().nodes() if found.entry).box.centre)
    touch(phone, "n")
    phone.type_text("巴黎")
    assert (text(phone), labels(phone, "composing")) == ("巴黎", [])


def test_the_field_stays_in_sight_above_the_candidates() -> None:
    phone = small()
    open_search(phone)
    keys(phone, "n")
    bar = next(found for found in phone.screen().nodes() if found.view_id == "candidates")
    assert phone.shown().root is not None
    assert phone.shown().root.box.bottom == bar.box.top  # type: ignore[union-attr]
    field = phone.shown().focus
    assert field is not None
    assert field.box.bottom <= bar.box.top


def test_a_watched_phone_reports_composed_keys_as_no_text() -> None:
    phone = WatchedPhone(size=(540, 1200), density=210, apps=[CLOCK], faults=["pinyin_keyboard"])
    open_search(phone)
    inputs: list[PhoneInput] = []
    phone.watch(inputs.append)
    phone.type_keys("ni")
    phone.press_key("KEYCODE_H")
    phone.press_key("KEYCODE_DEL")
    phone.type_text("好")
    assert [(one.kind, one.text) for one in inputs] == [("other", "")] * 3 + [("text", "好")]
    assert text(phone) == "好"
