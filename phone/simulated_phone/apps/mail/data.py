"""The data of the mail app: the mails of a fresh phone, with attachments and invitations."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

from simulated_phone.goals.app_definition import State
from simulated_phone.language import formats
from simulated_phone.language.language import messages

from ...builders import other_apps
from ...builders.items import Items
from ...goals.acquaintances import people_of, unknown_number

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = other_apps.MAIL, _("邮件"), "#1f6feb"
SEARCH, SUBJECT, TEXT, REPLY, SIGNATURE = _("搜索邮件"), _("主题"), _("正文"), _("写回复"), _("输入签名")
INBOX, SENT = _("收件箱"), _("已发送")
FOLDERS = (_("归档"), _("工作"), _("账单"), _("旅行"))
"""Folders that a mail can be moved to."""
UNREAD = 3
"""The latest mails, which nobody has read yet."""
TOPICS = (
    _("周报"), _("请假申请"), _("报价单"), _("会议纪要"), _("合作方案"), _("简历投递"), _("活动报名"),
    _("问题反馈"), _("行程确认"), _("资料补充"),
)  # fmt: skip
"""Subjects of mails that people write."""
REPLIES = (
    _("收到，谢谢"),
    _("已确认"),
    _("稍后处理"),
    _("请再发一次附件"),
    _("时间没问题"),
    _("我会准时参加"),
)
SIGNATURES = (_("祝工作顺利"), _("此致敬礼"), _("来自我的手机"), _("谢谢您的来信"), _("期待您的回复"))
ATTACHED = {
    _("电子发票"): _("电子发票.pdf"), _("体检结果"): _("体检报告.pdf"), _("培训教材"): _("培训教材.zip"),
    _("装修报价"): _("装修报价.xlsx"),
}  # fmt: skip
"""Subject -> the file in the mail."""
INVITATIONS = {_("面试安排"): _("面试沟通"), _("发布会通知"): _("新品发布会"), _("校友会通知"): _("校友聚会")}
"""Subject -> title of the event that the mail invites to."""
STRANGERS = (_("招聘专员陈晨"), _("设计师老马"), _("房产顾问小罗"))
"""People who write from an address and sign with a number that is not among the contacts."""
_OTHERS = {_("账户安全提醒"): _("云帆银行"), _("会员周刊"): _("品牌特卖"), _("航班变动通知"): _("远航航空")}
ITEMS = Items(
    key="mails", name="subject", page="mail", choices={"folder": (_("移动到"), FOLDERS)}, saved=_("已完成")
)


def make_mail(sender: str, subject: str, text: str, folder: str = INBOX) -> dict[str, Any]:
    """The values of a mail; `event`, `phone` and `file` are what other apps can take from it."""
    words = {"sender": sender, "to": _("我"), "subject": subject, "text": text, "folder": folder}
    return {**words, "file": "", "event": None, "phone": "", "read": False, "starred": False}


def make_state(rng: random.Random) -> State:
    """Draw three mails with files, three invitations, two of strangers and three of firms."""
    people = [person.name for person in rng.sample(people_of(rng), 6)]
    mails = []
    for subject in rng.sample(sorted(ATTACHED), 3):
        text = _("您好，{attached}在附件中，请查收。").format(attached=ATTACHED[subject])
        mails.append(make_mail(people.pop(), subject, text) | {"file": ATTACHED[subject]})
    for subject, title in INVITATIONS.items():
        day = date(2025, 4, 12) + timedelta(days=rng.randrange(79))
        hour = rng.randrange(9, 18)
        text = _("诚邀您参加{title}，时间为{day}{hour}点，地点在创新大厦三层，期待您的到来。").format(
            title=title, day=formats.day_of_month(_, day), hour=hour
        )
        event = {"title": title, "day": day.isoformat(), "hour": hour}
        mails.append(make_mail(people.pop(), subject, text) | {"event": event})
    for name, subject in zip(rng.sample(STRANGERS, 2), (_("合作意向"), _("资料确认")), strict=True):
        number = unknown_number(rng)
        text = _("您好，我是{name}，想和您聊聊，方便时请致电 {number}。").format(name=name, number=number)
        mails.append(make_mail(name, subject, text) | {"phone": number})
    for subject, sender in _OTHERS.items():
        mails.append(
            make_mail(
                sender, subject, _("您有一条新的{subject}，详情请登录官网查看。").format(subject=subject)
            )
        )
    rng.shuffle(mails)
    for place, mail in enumerate(mails):
        mail["read"] = place >= UNREAD and rng.random() < 0.6
    kept = [{"id": number, **mail} for number, mail in enumerate(mails, 1)]
    return {"mails": kept, "signature": "", "next": len(kept) + 1}
