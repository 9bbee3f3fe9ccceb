"""The safety gate: allowed and denied actions, and confirmation by a person."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from execution_runner.devices.device import Observation
from execution_runner.safety.gate import Gate, GateDecision, Rules, judge
from fingertip_dataset.actions import Action, Click, LongClick, PressBack, Scroll, Type
from fingertip_dataset.errors import BlackFrameError

APP = "com.shop"
RULES = Rules.default()
BUTTON = """<node package="com.shop" bounds="[0,0][100,200]" text="商城">
  <node clickable="true" bounds="[10,10][90,50]">
    <node bounds="[10,10][30,50]" class="android.widget.ImageView"/>
    <node text="{}" bounds="[40,10][90,50]"/></node>
  <node text="我的支付记录说明" bounds="[10,60][90,90]"/>
  <node text="关于红包" bounds="[10,90][90,99]"/>{}</node>"""
ON_BUTTON = Click(x=20, y=20)


def seen(tree: str | None, package: str = APP, *, black: bool = False) -> Observation:
    problems = (BlackFrameError("expected a screen, got a black one"),) if black else ()
    return Observation(screenshot=b"", tree=tree, size=(100, 200), package=package, problems=problems)


def button(text: str, more: str = "") -> Observation:
    return seen(BUTTON.format(text, more))


def reply(action: Action, screen: Observation, app: str = APP) -> str:
    verdict = judge(RULES, action, screen, app)
    assert verdict.reason
    assert "\n" not in verdict.reason
    return f"{verdict.decision}: {verdict.reason}"


@pytest.mark.parametrize(("text", "decision"), [("立即支付", "deny"), ("发送", "confirm"), ("收藏", "allow")])
def test_rules_apply_to_the_touched_element_not_the_whole_screen(text: str, decision: str) -> None:
    for action in (ON_BUTTON, LongClick(x=20, y=20), Click(x=60, y=20, content="收藏")):
        assert reply(action, button(text)).startswith(decision)
    assert reply(Click(x=50, y=150), button(text)).startswith("allow")
    assert reply(PressBack(), button(text)).startswith("allow")
    assert reply(Scroll(x=20, y=20, direction="right"), button(text)).startswith(
        "deny" if decision == "deny" else "allow"
    )


def test_a_point_outside_counts_as_the_nearest_edge() -> None:
    edge = '<node text="商城" bounds="[0,0][100,200]"><node text="转账" bounds="[95,0][100,200]"/></node>'
    assert reply(Click(x=5000, y=50), seen(edge)).startswith("deny: '转账'")


def test_elements_below_the_top_one_count_too() -> None:
    cover = '<node bounds="[0,0][100,200]" clickable="false"/>'
    assert reply(ON_BUTTON, button("付款", cover)).startswith("deny: '付款'")


def test_a_clickable_page_is_not_a_button() -> None:
    rows = "".join(f'<node text="行{n}" bounds="[0,{n * 10}][100,{n * 10 + 10}]"/>' for n in range(12))
    rows += '<node text="充值" bounds="[0,150][100,160]"/>'
    page = f'<node clickable="true" bounds="[0,0][100,200]">{rows}</node>'
    assert reply(Click(x=5, y=5), seen(page)).startswith("allow")
    assert reply(Click(x=5, y=155), seen(page)).startswith("deny: '充值'")


def test_a_denied_word_in_a_long_text_asks_for_confirmation() -> None:
    article = "这是一篇很长的文章里面说到了用手机支付以及别的许多事情"
    for word in ("支付", "购买", "同意"):
        long = article.replace("支付", word)
        assert reply(ON_BUTTON, button(long)).startswith("allow")
        whole = (
            f'<node class="android.widget.Button" text="{long}" bounds="[0,0][100,200]" clickable="true"/>'
        )
        assert reply(ON_BUTTON, seen(whole)).startswith(f"confirm: '{word}' is in the long text")
    assert reply(ON_BUTTON, button(f"同意{article}")).startswith("confirm: ")


def test_the_agents_claims_can_only_make_the_verdict_stricter() -> None:
    claim = Click(x=50, y=150, content="立即支付")
    assert reply(claim, button("收藏")).startswith("confirm: the agent says that it touches '支付'")
    assert reply(Click(x=20, y=20, content="收藏"), button("支付")).startswith("deny")
    nodes = '<node text="a" bounds="[0,0][9,9]"/><node bounds="[10,10][90,50]"/>'
    silent = seen(f"<hierarchy>{nodes}</hierarchy>")
    assert "the screen says nothing there" in reply(Click(x=20, y=20, content="发送"), silent)


@pytest.mark.parametrize(
    ("package", "app", "decision"),
    [
        (APP, APP, "allow"),
        (APP, f"{APP}/.Main", "allow"),
        ("com.android.launcher3", APP, "allow"),
        ("com.android.systemui", APP, "allow"),
        ("com.android.adbkeyboard", APP, "allow"),
        ("com.google.android.permissioncontroller", APP, "confirm"),
        ("com.android.permissioncontroller", "com.android.permissioncontroller", "confirm"),
        ("com.elsewhere", APP, "confirm"),
        ("", "", "confirm"),
        ("com.miui.packageinstaller", APP, "deny"),
        ("com.google.android.dialer", APP, "deny"),
        ("com.android.mms", APP, "deny"),
        ("com.android.mms", "com.android.mms", "allow"),
    ],
)
def test_the_foreground_app_and_the_elements_app_decide(package: str, app: str, decision: str) -> None:
    tree = '<node text="收藏" bounds="[0,0][100,200]"/>'
    for action in (ON_BUTTON, LongClick(x=5, y=5), Type(text="a")):
        assert reply(action, seen(tree, package), app).startswith(decision)
    if decision != "allow":
        mixed = f'<node text="收藏" package="{package or "com.x"}" bounds="[0,0][100,200]"/>'
        assert reply(ON_BUTTON, seen(mixed), APP).startswith(decision)
    assert reply(PressBack(), seen(tree, package), app).startswith("allow")


def test_an_unknown_target_asks_for_confirmation() -> None:
    whole = BUTTON.format("收藏", "")
    for screen in (
        seen(None),
        seen("<node"),
        seen('<node bounds="[0,0][100,200]"/>'),
        seen(whole, black=True),
    ):
        for action in (ON_BUTTON, LongClick(x=5, y=5), Type(text="a")):
            assert reply(action, screen).startswith("confirm: ")
        assert reply(Scroll(x=5, y=5, direction="up"), screen).startswith("allow")
    assert reply(ON_BUTTON, seen(BUTTON.format("支付", ""), black=True)).startswith("deny")
    outside = '<node text="a" bounds="[0,0][9,9]"/>'
    assert reply(ON_BUTTON, seen(outside)).startswith("confirm: the point is outside of every element")


FIELD = '<node class="android.widget.EditText" bounds="[0,60][100,99]" {}/>'


@pytest.mark.parametrize(
    ("fields", "decision"),
    [
        (FIELD.format('focused="true" password="true"'), "deny"),
        (FIELD.format('focused="true" hint="请输入登录密码"'), "deny"),
        (FIELD.format('focused="true" resource-id="a:id/et_password"'), "deny"),
        (FIELD.format('password="true"'), "deny"),
        (FIELD.format('focused="true"') + FIELD.format('password="true"'), "confirm"),
        (FIELD.format('focused="true" text="密"'), "allow"),
        ("", "allow"),
    ],
)
def test_nothing_is_typed_into_a_password_field(fields: str, decision: str) -> None:
    screen = button("收藏", fields)
    assert reply(Type(text="hunter2"), screen).startswith(decision)
    key = '<node text="7" bounds="[0,100][50,150]" clickable="true"/>'
    assert reply(Click(x=5, y=120), button("收藏", fields + key)).startswith(decision)


SPOKEN = """<node package="com.shop" bounds="[0,30][100,170]">
  <node text="{heading}" bounds="[5,40][95,50]"/>
  <node class="android.widget.EditText" text="{entered}" hint="{hint}" clickable="true"
    bounds="[5,60][95,80]"/>
  <node class="android.widget.TextView" text="存一年定期2000元" clickable="true" bounds="[5,90][95,110]"/>
  <node class="android.widget.Button" text="取消" clickable="true" bounds="[5,130][45,150]"/>
  <node class="android.widget.Button" text="完成" clickable="true" bounds="[55,130][95,150]"/></node>"""


@pytest.mark.parametrize(
    ("heading", "entered", "hint", "decision"),
    [
        ("请说，我在听…", "储蓄卡限额5000元", "说出您的指令", "allow"),
        ("请说，我在听…", "5000元", "说出您的指令", "confirm"),
        ("请说，我在听…", "5000", "说出您的指令", "confirm"),
        ("请说，我在听…", "给小王5000元", "金额", "confirm"),
        ("共 200 元", "备注一下", "说点什么", "confirm"),
        ("转账", "给小王5000元", "说出您的指令", "confirm"),
    ],
)
def test_the_end_of_an_entry_is_asked_about_where_an_amount_is_entered(
    heading: str, entered: str, hint: str, decision: str
) -> None:
    screen = seen(SPOKEN.format(heading=heading, entered=entered, hint=hint))
    assert reply(Click(x=75, y=140), screen).startswith(decision)


@pytest.mark.parametrize(
    ("heading", "label", "decision"),
    [
        ("理发店会员余额 320 元", "置顶", "allow"),
        ("Dinner 20.00", "Pin to top", "allow"),
        ("置顶 3 天 9.90 元", "置顶", "confirm"),
        ("增加曝光 ¥9", "置顶", "confirm"),
        ("Promote your ad $9", "Pin", "confirm"),
        ("理发店会员余额 320 元", "置顶推广", "confirm"),
    ],
)
def test_a_pinned_note_costs_nothing_and_a_pinned_advertisement_does(
    heading: str, label: str, decision: str
) -> None:
    sheet = f"""<node package="com.shop" resource-id="com.shop:id/touch_outside" bounds="[0,0][100,100]"/>
      <node package="com.shop" resource-id="com.shop:id/design_bottom_sheet" bounds="[0,100][100,190]">
      <node text="{heading}" bounds="[5,110][95,120]"/>
      <node class="android.widget.LinearLayout" clickable="true" bounds="[0,130][100,150]">
      <node text="{label}" bounds="[10,135][90,145]"/></node></node>"""
    assert reply(Click(x=50, y=140), seen(f"<hierarchy>{sheet}</hierarchy>")).startswith(decision)


def test_enter_is_treated_as_sending() -> None:
    assert reply(Type(text="你好\n"), button("收藏")).startswith("confirm: a newline")


def test_an_app_name_on_the_home_screen_is_not_a_payment() -> None:
    icon = '<node text="支付宝" bounds="[0,0][100,200]"/>'
    home = "com.android.launcher3"
    assert reply(ON_BUTTON, seen(icon, home)).startswith("allow")
    pays = icon.replace("/>", ' clickable="true"/>').replace("支付宝", "支付宝付款码")
    assert reply(ON_BUTTON, seen(pays, home)).startswith("deny")
    checkout = '<hierarchy><node text="收银台" bounds="[0,0][100,9]"/>{}</hierarchy>'
    way = '<node text="支付宝" bounds="[0,10][100,200]" clickable="true"/>'
    assert reply(ON_BUTTON, seen(checkout.format(way), APP)).startswith("confirm")


# ---- the gate


def test_without_confirmation_actions_are_denied_and_agreement_is_remembered() -> None:
    query: list[tuple[Action, GateDecision, str]] = []

    def person(action: Action, verdict: GateDecision, screen: Observation, intent: str = "") -> bool:
        query.append((action, verdict, intent))
        return len(query) == 1

    screen = button("发送")
    gate = Gate(RULES, person)
    assert gate.check(ON_BUTTON, screen, APP, intent="问好").decision == "confirm"
    refused = gate.check(ON_BUTTON, screen, APP)
    assert refused == GateDecision(
        decision="deny", reason="'发送' is in the label '发送'; the person did not agree"
    )
    alone = Gate(RULES, None).check(ON_BUTTON, screen, APP)
    assert alone.decision == "deny"
    assert alone.reason.endswith("nobody is there to agree")
    gate.check(ON_BUTTON, button("支付"), APP)
    gate.check(ON_BUTTON, button("收藏"), APP)
    assert [(verdict.decision, intent) for _, verdict, intent in query] == [
        ("confirm", "问好"),
        ("confirm", ""),
    ]


ASKING = """
from execution_runner.devices.device import Observation
from execution_runner.safety.gate import GateDecision, ask_on_terminal
from fingertip_dataset.actions import Click
seen = Observation(screenshot=b"", tree=None, size=(1, 1), package="com.shop")
verdict = GateDecision(decision="confirm", reason="there is no tree")
print(ask_on_terminal(Click(x=1, y=2, content="发送\\x1b[2J"), verdict, seen, intent="问好"))
"""


@pytest.mark.parametrize(
    ("answer", "word"), [(b"y\n", "True"), (b"YES\n", "True"), (b"\n", "False"), (b"n\n", "False")]
)
def test_confirmation_is_requested_on_the_terminal(answer: bytes, word: str) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", ASKING], stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, text=True
    ) as asking:
        os.close(theirs)
        os.write(ours, answer)
        assert asking.stdout.read().strip() == word
        shown = ""
        while "[y/N]" not in shown:  # a terminal hands over a part at a time
            shown += os.read(ours, 4096).decode(errors="replace")
    os.close(ours)
    for words in (
        "问好",
        "com.shop",
        "click(coordinates=(1, 2), content='发送\\x1b[2J')",
        "no tree",
        "[y/N]",
    ):
        assert words in shown
    assert "\x1b" not in shown


def test_without_a_terminal_nothing_is_confirmed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASKING], input="y\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
