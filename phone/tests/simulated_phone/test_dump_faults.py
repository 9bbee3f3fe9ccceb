"""Faults of `uiautomator dump`: what is printed around a tree, and what its file holds."""

from __future__ import annotations

import pytest
from lxml.etree import XMLSyntaxError, fromstring

from phone.tests.simulated_phone.conftest import LocalPhone
from simulated_phone.adb.commands.dump_faults import HUGE_CHARACTERS, PLACES, TRACE

DUMPED = "UI hierchary dumped to: /sdcard/a.xml\n"
LINE = "uiautomator dump /sdcard/a.xml"


def set_fault(local: LocalPhone, name: str) -> None:
    local.do(lambda phone: phone.set_fault(name, True))


def read_file(local: LocalPhone) -> str:
    return local.output("cat /sdcard/a.xml")


def test_a_vendors_words_come_before_behind_on_stderr_and_with_status_1(local: LocalPhone) -> None:
    tree = local.phone.tree()
    set_fault(local, "vendor_noise")
    answers = []
    for _ in PLACES:
        answers.append(local.shell(LINE))
        assert read_file(local) == tree
    assert answers == [
        (0, TRACE + DUMPED, ""),
        (0, DUMPED + TRACE, ""),
        (0, DUMPED, TRACE),
        (1, DUMPED, TRACE),
    ]


def test_a_tree_may_hold_what_xml_refuses(local: LocalPhone) -> None:
    set_fault(local, "emoji_references")
    local.output(LINE)
    tree = read_file(local)
    assert 'content-desc="&#55357;&#56832; &#55357; &#8;\ufffe"' in tree
    with pytest.raises(XMLSyntaxError):
        fromstring(tree.encode())


def test_the_first_dump_after_a_change_is_of_the_screen_before(local: LocalPhone) -> None:
    set_fault(local, "lagging_tree")
    before = local.phone.tree()
    local.output(LINE)
    assert read_file(local) == before
    local.do(lambda phone: phone.start("com.android.deskclock"))
    after = local.phone.tree()
    assert after != before
    local.output(LINE)
    assert read_file(local) == before
    local.output(LINE)
    assert read_file(local) == after


def test_a_tree_may_have_40_mb(local: LocalPhone) -> None:
    set_fault(local, "huge_tree")
    local.output(LINE)
    assert int(local.output("stat -c %s /sdcard/a.xml")) > HUGE_CHARACTERS - 3


def test_a_starting_app_has_the_focus_with_its_splash_screen(local: LocalPhone) -> None:
    set_fault(local, "slow_splash")
    local.do(lambda phone: phone.start("com.android.deskclock"))
    focus = "mCurrentFocus=Window{3f5d1c u0 Splash Screen com.android.deskclock}"
    assert focus in local.output("dumpsys window")
    local.do(lambda phone: phone.wait(5))
    assert focus not in local.output("dumpsys window")
