"""The mail app: what is sent, and what is not there to be taken."""

from __future__ import annotations

from simulated_phone import GesturePlayer, Open, Phone, Tap, TypeText
from simulated_phone.apps.mail.data import PACKAGE, REPLY, SENT, SUBJECT
from simulated_phone.voice import LISTENS


def sent(phone: Phone) -> list[tuple[str, str]]:
    return [(mail["to"], mail["subject"]) for mail in phone.state[PACKAGE]["mails"] if mail["folder"] == SENT]


def test_a_mail_without_a_subject_and_an_empty_reply_are_not_sent(phone: Phone) -> None:
    play = GesturePlayer(phone).play
    play([Open(PACKAGE), Tap("写邮件"), Tap("妈妈"), Tap("发送")])
    assert (phone.toast, sent(phone)) == ("请填写主题", [])
    play([TypeText("周报", into=SUBJECT), Tap("发送")])
    assert sent(phone) == [("妈妈", "周报")]
    play([Open(PACKAGE), Tap("校友会通知"), TypeText(" ", into=REPLY), Tap("发送")])
    assert (phone.toast, len(sent(phone))) == ("回复是空的", 1)


def test_a_mail_without_an_attachment_has_none_to_save(phone: Phone) -> None:
    files = phone.state["com.android.documentsui"]["files"]
    phrase = TypeText("保存校友会通知的附件", into=LISTENS)
    GesturePlayer(phone).play([Open(PACKAGE), Tap("语音"), phrase, Tap("完成")])
    assert phone.toast == "这封邮件里没有"
    assert phone.state["com.android.documentsui"]["files"] == files


def test_the_sent_mails_have_a_folder_of_their_own(phone: Phone) -> None:
    play = GesturePlayer(phone).play
    play([Open(PACKAGE), Tap("写邮件"), Tap("妈妈"), TypeText("周报", into=SUBJECT), Tap("发送")])
    play([Tap("文件夹"), Tap(SENT), Tap("周报")])
    assert phone.shown().entry["page"] == "mail"
