"""The goals of the mail app: write, answer, sort; take files, events and senders to other apps."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, PageView, States, generator
from simulated_phone.goals.steps import Hold, Open, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, goal, in_turn
from ...builders.item_goals import ItemGoals
from ...builders.records import record
from ...goals.acquaintances import people
from ..calendar.goals import ADD_EVENT, day_arguments, has_event
from ..contacts import data as contacts
from ..contacts.goals import NEW_CONTACT
from ..files.goals import FILE, FILES, is_in_chat
from ..phone.goals import KEYPAD, PHONE
from . import data
from .data import ITEMS, LABEL, PACKAGE, SEARCH, SUBJECT, TEXT, make_state

_ = messages(__name__)

MAIL = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)
MESSAGE = ItemGoals(MAIL, ITEMS, "subject")
_WITH_FILE = MESSAGE.each(lambda mail: bool(mail["file"]), file="file")
_WITH_NUMBER = MESSAGE.each(lambda mail: bool(mail["phone"]), name="sender", phone="phone")


def _list_write_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:write", seed)
    return [
        {"contact": one.name, "topic": topic} for one in people(seed) for topic in rng.sample(data.TOPICS, 3)
    ]


def _list_reply_cases(seed: int) -> list[Arguments]:
    mails = MAIL.fresh(seed)["mails"]
    return [{"subject": mail["subject"], "text": text} for mail in mails for text in data.REPLIES]


def _list_event_cases(seed: int) -> list[Arguments]:
    return [
        {"subject": mail["subject"], "title": mail["event"]["title"], "hour": mail["event"]["hour"]}
        | day_arguments(mail["event"]["day"])
        for mail in MAIL.fresh(seed)["mails"]
        if mail["event"]
    ]


def _list_sent_file_cases(seed: int) -> list[Arguments]:
    return [{**case, "friend": one.name} for case in _WITH_FILE(seed) for one in people(seed)]


def _invited_at(view: PageView) -> str:
    return f"{record(view.state['mails'], view.arguments['subject'], 'subject')['event']['hour']}:00"


def _is_sent(states: States, **values: object) -> bool:
    return any(
        values.items() <= mail.items() for mail in states[PACKAGE]["mails"] if mail["folder"] == data.SENT
    )


def _is_forwarded(states: States, arguments: Arguments) -> bool:
    return _is_sent(
        states, to=arguments["contact"], subject=_("转发：{subject}").format(subject=arguments["subject"])
    )


def _is_answered(states: States, arguments: Arguments) -> bool:
    return _is_sent(
        states, subject=_("回复：{subject}").format(subject=arguments["subject"]), text=arguments["text"]
    )


def _is_saved(states: States, arguments: Arguments) -> bool:
    person = {"name": arguments["name"], "phone": arguments["phone"]}
    return any(person.items() <= one.items() for one in states[contacts.PACKAGE]["people"])


READ = (MAIL.way("read", "{subject}"),)
_TOPIC = (TypeText("{topic}", into=SUBJECT), TypeText(_("请见正文"), into=TEXT), _("发送"))
_SIGN = (TypeText("{signature}", into=data.SIGNATURE), _("保存签名"))

GOALS = (
    goal(
        "send_mail",
        _("给{contact}发封邮件，主题{topic}"),
        _("写邮件给{contact}，主题是{topic}"),
        _("发一封{topic}的邮件给{contact}"),
        _("用邮件把{topic}发给{contact}"),
        MAIL.way("button", _("写邮件"), "{contact}", *_TOPIC),
        MAIL.shortcut(_("写邮件"), "{contact}", *_TOPIC),
        MAIL.outside("contacts", Open(contacts.PACKAGE), "{contact}", _("写邮件"), *_TOPIC),
        MAIL.voice(_("给{contact}写邮件{topic}")),
        cases=_list_write_cases,
        rule=lambda states, arguments: _is_sent(states, to=arguments["contact"], subject=arguments["topic"]),
    ),
    goal(
        "reply_mail",
        _("回复邮件《{subject}》：{text}"),
        _("给{subject}那封邮件回{text}"),
        _("{subject}这封邮件，回复{text}"),
        _("回一下{subject}的邮件，说{text}"),
        MAIL.way("held", Hold("{subject}"), _("回复"), TypeText("{text}", into=data.REPLY), _("发送")),
        *MESSAGE.page_ways(
            "opened", _("回复{subject}：{text}"), TypeText("{text}", into=data.REPLY), _("发送")
        ),
        cases=_list_reply_cases,
        rule=_is_answered,
    ),
    goal(
        "forward_mail",
        _("把{subject}这封邮件转发给{contact}"),
        _("转发邮件{subject}给{contact}"),
        _("{contact}要看{subject}的邮件，转给他"),
        _("邮件{subject}转给{contact}"),
        *MESSAGE.menu_ways(_("把{subject}转发给{contact}"), _("转发"), "{contact}"),
        cases=MESSAGE.with_people("contact"),
        rule=_is_forwarded,
    ),
    goal(
        "star_mail",
        _("给邮件{subject}加星标"),
        _("把{subject}那封邮件标星"),
        _("收藏邮件{subject}"),
        _("{subject}的邮件加个星"),
        MAIL.way("held", Hold("{subject}"), _("加星标")),
        *MESSAGE.page_ways("opened", _("{subject}加星标"), _("加星标")),
        **MESSAGE.marked(starred=True),
    ),
    goal(
        "move_mail",
        _("把邮件{subject}移到{folder}"),
        _("{subject}那封邮件归到{folder}文件夹"),
        _("邮件{subject}放进{folder}"),
        _("将{subject}的邮件移动到{folder}"),
        *MESSAGE.menu_ways(_("{subject}移到{folder}"), _("移动到"), "{folder}"),
        **MESSAGE.moved("folder", data.FOLDERS),
    ),
    goal(
        "delete_mail",
        _("删除邮件{subject}"),
        _("把{subject}那封邮件删了"),
        _("{subject}的邮件不要了"),
        _("删掉主题为{subject}的邮件"),
        *MESSAGE.menu_ways(_("删除{subject}"), _("删除邮件"), _("删除")),
        **MESSAGE.deleted(),
    ),
    goal(
        "set_signature",
        _("把邮件签名改成{signature}"),
        _("邮件签名设为{signature}"),
        _("以后邮件结尾都写{signature}"),
        _("设置邮件签名“{signature}”"),
        MAIL.way("folders", _("文件夹"), _("签名"), *_SIGN),
        MAIL.shortcut(_("邮件签名"), *_SIGN),
        MAIL.voice(_("签名改成{signature}")),
        **MAIL.chosen("signature", "signature", data.SIGNATURES),
    ),
    goal(
        "save_attachment",
        _("把邮件{subject}的附件存到手机"),
        _("保存{subject}邮件里的附件"),
        _("下载{subject}那封邮件的附件"),
        _("{subject}的附件存进文件"),
        MAIL.way("held", Hold("{subject}"), _("保存附件")),
        *MESSAGE.page_ways("opened", _("保存{subject}的附件"), _("保存附件")),
        MAIL.way("shared", "{subject}", _("分享附件"), _("文件"), _("工作")),
        cases=_WITH_FILE,
        rule=FILES.has("files", name="file"),
    ),
    goal(
        "send_attachment",
        _("把{subject}邮件的附件用聊天发给{friend}"),
        _("邮件{subject}里的附件转给{friend}聊天里"),
        _("聊天发给{friend}：{subject}邮件的附件"),
        _("{friend}要{subject}的附件，聊天发他"),
        *MESSAGE.page_ways(
            "opened", _("把{subject}的附件发给{friend}"), _("分享附件"), _("聊天"), "{friend}"
        ),
        MAIL.way("held", Hold("{subject}"), _("分享附件"), _("聊天"), "{friend}"),
        cases=_list_sent_file_cases,
        rule=lambda states, arguments: is_in_chat(
            states, arguments["friend"], _("[文件] {file}").format(file=arguments["file"])
        ),
    ),
    goal(
        "event_to_calendar",
        _("把邮件{subject}里的时间加到日历"),
        _("看{subject}邮件，把{title}记到日历"),
        _("日历里添加{subject}邮件的日程"),
        _("{subject}那封邮件的活动存进日历"),
        *MESSAGE.page_ways("opened", _("{subject}加到日历"), _("加到日历")),
        *in_turn(READ, ADD_EVENT),
        cases=_list_event_cases,
        rule=lambda states, arguments: has_event(
            states, title=arguments["title"], day=arguments["date"], hour=arguments["hour"]
        ),
    ),
    goal(
        "save_sender",
        _("把邮件{subject}的发件人存到联系人"),
        _("{name}发了邮件{subject}，存下他的电话"),
        _("联系人里加上{subject}邮件里的{name}"),
        _("按{subject}那封邮件新建联系人{name}"),
        *MESSAGE.page_ways("opened", _("保存{subject}的发件人"), _("存为联系人")),
        MAIL.way("copied", "{subject}", Open(contacts.PACKAGE), *NEW_CONTACT),
        cases=_WITH_NUMBER,
        rule=_is_saved,
    ),
    goal(
        "call_sender",
        _("给邮件{subject}里留的号码打电话"),
        _("拨打{subject}邮件中的电话"),
        _("{name}在邮件{subject}里留了电话，打过去"),
        _("按{subject}那封邮件打电话给{name}"),
        *MESSAGE.page_ways("opened", _("拨打{subject}里的电话"), _("拨打电话")),
        *in_turn(READ, [KEYPAD]),
        **PHONE.added("dialed", "phone", _WITH_NUMBER),
    ),
    goal(
        "mail_file",
        _("把手机里的文件{file}用邮件发给{contact}"),
        _("邮件给{contact}发文件{file}"),
        _("将{file}作为邮件附件发给{contact}"),
        _("给{contact}写邮件，附上{file}"),
        FILES.way("opened", "{file}", _("更多"), _("分享"), _("邮件"), "{contact}", _("发送")),
        FILES.way("held", Hold("{file}"), _("分享"), _("邮件"), "{contact}", _("发送")),
        FILES.search("{file}", _("更多"), _("分享"), _("邮件"), "{contact}", _("发送")),
        cases=FILE.with_people("contact", 6),
        rule=lambda states, arguments: _is_sent(states, to=arguments["contact"], file=arguments["file"]),
    ),
    goal(
        "star_and_ask_hour",
        _("给邮件{subject}加星标，再告诉我约在几点"),
        _("把{subject}那封邮件标星，看看是几点"),
        _("收藏邮件{subject}，几点开始也说一下"),
        _("{subject}的邮件加个星，里面定的是几点"),
        *MESSAGE.page_ways("opened", _("{subject}加星标"), _("加星标"))[:2],
        MAIL.way("held", Hold("{subject}"), _("加星标"), "{subject}"),
        cases=_list_event_cases,
        rule=MAIL.marked("mails", "subject", "subject", starred=True),
        question=asks("time", _invited_at),
    ),
    goal(
        "ask_hour",
        _("{subject}的邮件约在几点"),
        _("看看邮件{subject}，几点开始"),
        _("{subject}那封邮件里写的是几点"),
        _("查一下邮件{subject}定的时间是几点"),
        *MESSAGE.page_ways("opened", _("看看{subject}")),
        cases=_list_event_cases,
        question=asks("time", _invited_at),
    ),
)
