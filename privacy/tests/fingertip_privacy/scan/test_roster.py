"""Rosters: names come from pages of people and words for people, not from pages of songs."""

from __future__ import annotations

from collections import Counter

from fingertip_privacy.recognisers.recognised_span import TextInput
from fingertip_privacy.scan.roster import find_roster_names, make_roster


def page(package: str, *lines: str) -> list[TextInput]:
    return [TextInput(text=line, package=package) for line in lines]


def test_a_contact_list_gives_its_names_and_no_words() -> None:
    names = find_roster_names(
        page("com.android.contacts", "联系人", "严建军", "王芳", "相机", "全部已读", "Kate Mercer")
    )
    assert set(names) == {"严建军", "王芳", "Kate Mercer"}


def test_authors_and_singers_are_nobodys_acquaintances() -> None:
    assert not find_roster_names(page("com.netease.cloudmusic", "李明华", "王小雨", "张天一", "陈一鸣"))
    assert not find_roster_names(page("com.android.contacts", "周杰伦"))


def test_several_names_make_a_page_of_people_and_one_does_not() -> None:
    assert set(find_roster_names(page("com.example.app", "李明", "王芳", "张伟"))) == {"李明", "王芳", "张伟"}
    assert not find_roster_names(page("com.example.app", "李明", "设置"))


def test_senders_of_mails_and_people_of_calls_are_names() -> None:
    mails = page("com.android.email", "吴强：您好，报价在附件中", "罗洋图片", "提示：请查收")
    assert set(find_roster_names(mails)) == {"吴强", "罗洋"}
    calls = page("com.android.dialer", "Recent Calls", "All", "Xiomara Quill", "212 555 0142", "Add Contact")
    assert set(find_roster_names(calls)) == {"Xiomara Quill"}


def test_a_roster_is_found_within_sentences_by_whole_words() -> None:
    roster = make_roster(Counter({"王芳": 2, "王芳芳": 1, "Ann Lee": 1}))
    text = "叫王芳芳和王芳来; Ann Lee, Ann Leeson"
    assert [text[span.start : span.end] for span in roster.find(TextInput(text=text))] == [
        "王芳芳",
        "王芳",
        "Ann Lee",
    ]
