"""Random steps that try to bypass the gate, held to an oracle's lower bound; ten thousand in `make soak`."""

from __future__ import annotations

import random
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest

from execution_runner.devices.device import Observation
from execution_runner.devices.in_process_device import InProcessDevice
from execution_runner.devices.perform import perform
from execution_runner.safety.gate import Gate, GateDecision, Rules, judge
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
)
from fingertip_dataset.errors import BlackFrameError, NoTreeError
from tests.examples import examples
from tests.execution_runner.safety.oracle import HEIGHT, LEVELS, WIDTH, WORDS, Oracle

STEPS_A_TREE = 4
SIZE = (WIDTH, HEIGHT)
APPS = (
    "com.shop", "com.shop", "com.shop", "com.other", "com.android.mms", "com.google.android.dialer",
    "com.miui.packageinstaller", "com.android.permissioncontroller", "com.android.launcher3",
    "com.android.systemui", "com.android.inputmethod.latin", "",
)  # fmt: skip
HARMLESS = (
    "搜索",
    "天气",
    "我的",
    "¥18.50",
    "1",
    "支",
    "付",
    "收支付",
    "支付宝",
    "确定",
    "Pay",
    "转 角",
    "首页",
    "账",
)
NOISE = (
    "\u200b",
    "\u2060",
    "\u00ad",
    " ",
    "\u3000",
    "\u115f",
    "\u3164",
    "\ufe0f",
    "\u0301",
    "\u202e",
    ".",
    "·",
    "\n",
)
CLASSES = ("android.widget.EditText", "android.widget.TextView", "android.view.View", "")


class Recorder(InProcessDevice):
    """A phone that records the inputs that reach it, and does nothing."""

    def __init__(self) -> None:
        self.arrived: list[str] = []

    def size(self) -> tuple[int, int]:
        return SIZE

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - a method of `Device`
        if name in ("tap", "long_press", "swipe", "type_text", "press_key", "start_app"):
            return lambda *arguments, **_: self.arrived.append(f"{name} {arguments}")
        return super().__getattribute__(name)


# ---- generated screens and actions


def disguised(rng: random.Random, word: str) -> str:
    """The word in a spelling that a plain text search does not find."""
    if rng.random() < 0.3:
        word = word.replace("支", "\u2f40")
    if rng.random() < 0.5:
        word = "".join(letter + rng.choice(NOISE) * rng.randrange(3) for letter in word)
    ways = (word, f"立即{word}", f"{word}（{rng.randrange(90)}）", f"{word}{'很长的一段文字' * 5}")
    return rng.choice(ways)


def some_words(rng: random.Random) -> str:
    if rng.random() < 0.5:
        return ""
    chance = rng.random()
    if chance < 0.6:
        return rng.choice(HARMLESS)
    level = 2 if chance < 0.8 else 1
    return disguised(rng, rng.choice([word for word in WORDS if WORDS[word] == level]))


def some_box(rng: random.Random) -> str:
    if rng.random() < 0.1:
        return rng.choice(["", "[0,0][0,0]", "[90,90][10,10]", "[-50,-50][-10,-10]", "[a,b]"])
    left, top = rng.randrange(SIZE[0]), rng.randrange(SIZE[1])
    return f"[{left},{top}][{left + rng.randrange(1, 160)},{top + rng.randrange(1, 300)}]"


def some_node(rng: random.Random, depth: int) -> str:
    dialect = rng.random() < 0.5
    node = {
        "text": some_words(rng),
        "content_desc" if dialect else "content-desc": some_words(rng) if rng.random() < 0.3 else "",
        "hint": some_words(rng) if rng.random() < 0.1 else "",
        "view_id" if dialect else "resource-id": rng.choice(["", "a:id/b", "a:id/pass_word"]),
        "class": rng.choice(CLASSES),
        "package": rng.choice(APPS[:8]) if rng.random() < 0.2 else rng.choice(["", "com.shop"]),
        "bounds": "[0,0][200,400]" if rng.random() < 0.2 else some_box(rng),
        "clickable": rng.choice(["true", "false", ""]),
        "long-clickable": rng.choice(["true", "false", "false"]),
        "visible": rng.choice(["true", "true", "", "false"]),
        "focused": rng.choice(["true", "false", "false", "false", ""]),
        "password": rng.choice(["true", "false", "false", "false", "false", ""]),
    }
    words = "".join(
        f" {name}={quoteattr(value)}" for name, value in node.items() if value or rng.random() < 0.5
    )
    inner = "".join(some_node(rng, depth + 1) for _ in range(rng.randrange(4) if depth < 3 else 0))
    if rng.random() < 0.1:  # one word in several nodes
        inner += "".join(
            f'<node text="{letter}" bounds="{some_box(rng)}"/>' for letter in rng.choice(list(WORDS))
        )
    return f"<node{words}>{inner}</node>"


def some_screen(rng: random.Random) -> Observation:
    chance = rng.random()
    tree: str | None = (
        f"<hierarchy>{''.join(some_node(rng, 0) for _ in range(rng.randrange(1, 3)))}</hierarchy>"
    )
    problems: tuple[Any, ...] = ()
    if chance < 0.05:
        tree, problems = None, (NoTreeError("expected a tree, got none"),)
    elif chance < 0.1:
        tree = rng.choice(
            ["", "<hierarchy/>", "<node", '<node bounds="[0,0][200,400]"/>', "<!DOCTYPE a><node/>"]
        )
    elif chance < 0.2:
        problems = (BlackFrameError("expected a screen, got a black one"),)
    return Observation(screenshot=b"", tree=tree, size=SIZE, package=rng.choice(APPS), problems=problems)


def some_action(rng: random.Random) -> Action:
    x, y = rng.uniform(-30, 230), rng.uniform(-30, 430)
    reply = rng.choice([None, "", "搜索", some_words(rng), some_words(rng)])
    return rng.choice([
        Click(x=x, y=y, content=reply), Click(x=round(x), y=round(y), content=reply),
        LongClick(x=x, y=y, content=reply),
        Scroll(x=x, y=y, direction="up"), Type(text=rng.choice(["123456", "你好\n", "支付"])),
        rng.choice([PressBack(), PressHome(), PressRecent(), Wait(), Finished()]),
    ])  # fmt: skip


@pytest.mark.parametrize("trees", [200, pytest.param(2500, marks=pytest.mark.soak)])
def test_no_denied_action_reaches_the_phone(trees: int) -> None:
    rng = random.Random(4)  # noqa: S311 - steps, no secrets
    rules, bounds = Rules.default(), {"allow": 0, "confirm": 0, "deny": 0}
    for _ in range(trees):
        seen, app = some_screen(rng), rng.choice(["com.shop", "com.shop/.Main", "com.android.mms", ""])
        for _ in range(STEPS_A_TREE):
            action, agrees, queried = some_action(rng), rng.random() < 0.5, []

            def ask(action: Action, verdict: GateDecision, seen: Observation) -> bool:
                queried.append(verdict)  # noqa: B023 - called within this round
                return agrees  # noqa: B023

            phone = Recorder()
            verdict = Gate(rules, ask).check(action, seen, app)
            if verdict.decision != "deny":
                perform(phone, action, pause=lambda seconds: None)
            bound = Oracle(seen, app.split("/")[0]).at_least(action)
            bounds[bound] += 1
            found = "confirm" if queried else verdict.decision
            about = (bound, verdict, action, seen, app)
            assert LEVELS.index(found) >= LEVELS.index(bound), about
            if verdict.decision == "deny":
                assert phone.arrived == [], about
                assert found == "deny" or not agrees, about
            else:
                assert (found == "confirm") == (verdict.decision == "confirm"), about
                assert not queried or agrees, about
                assert phone.arrived or isinstance(action, Wait | Finished), about
    assert sum(bounds.values()) == trees * STEPS_A_TREE
    assert min(bounds.values()) > trees * STEPS_A_TREE / 20, bounds


PLAIN = (
    "天气",
    "频道",
    "第一首歌",
    "杭州 12℃",
    "Chapter 3",
    "随机播放",
    "07:30",
    "音量",
    "云图",
    "播放列表",
    "Weather",
)


def plain_node(rng: random.Random, depth: int) -> str:
    reacts = rng.choice(["true", "false"])
    inner = "".join(plain_node(rng, depth + 1) for _ in range(rng.randrange(4) if depth < 4 else 0))
    return (
        f'<node package="com.shop" text={quoteattr(rng.choice((*PLAIN, "")))} clickable="{reacts}" '
        f'class="{rng.choice(["android.widget.Button", "android.widget.TextView", "android.view.View"])}" '
        f'bounds="{some_box(rng) if depth else "[0,0][200,400]"}">{inner}</node>'
    )


def test_nothing_is_asked_on_screens_without_any_word_of_the_rules() -> None:
    rng = random.Random(5)  # noqa: S311 - steps, no secrets
    rules, count = Rules.default(), 0
    while count < examples(1000):
        tree = f"<hierarchy>{plain_node(rng, 0)}</hierarchy>"
        if not any(word in tree for word in PLAIN):
            continue
        seen = Observation(screenshot=b"", tree=tree, size=SIZE, package="com.shop")
        x, y = rng.randrange(WIDTH), rng.randrange(HEIGHT)
        action = rng.choice([Click(x=x, y=y), LongClick(x=x, y=y), Scroll(x=x, y=y, direction="up")])
        verdict = judge(rules, action, seen, "com.shop")
        assert verdict.decision == "allow", (verdict, action, tree)
        count += 1


def test_the_answer_to_a_question_that_can_be_declined_is_asked_about() -> None:
    def decision(*nodes: str) -> str:
        tree = f"<hierarchy>{''.join(nodes)}</hierarchy>"
        seen = Observation(screenshot=b"", tree=tree, size=SIZE, package="com.shop")
        return judge(Rules.default(), Click(x=150, y=205), seen, "com.shop").decision

    small = (
        '<node text="Weather" class="android.widget.Button" clickable="true" bounds="[105,200][195,210]"/>'
    )
    title = '<node text="Chapter 3" bounds="[0,5][200,30]"/>'
    question = '<node text="Chapter 3" bounds="[0,150][200,190]"/>'
    other = '<node text="{}" clickable="true" bounds="[5,200][100,210]"/>'
    assert decision(title, small) == "allow"
    declined = f'<node bounds="[0,150][200,220]">{question}{small}{other.format("取消")}</node>'
    offered = f'<node bounds="[0,150][200,220]">{question}{small}{other.format("频道")}</node>'
    assert decision(declined) == "confirm"
    page = f'<node bounds="[0,0][200,400]">{title}{declined}</node>'
    assert decision(page) == "allow"  # no dialog: a page, whose buttons the rules of words judge
    assert decision(offered) == "allow"
    assert decision(declined.replace("Weather", "保存")) == "allow"


@pytest.mark.parametrize(
    "loosened", ["取消", "返回", "支付记录", "已支付", "怎么支付", "我的支付", "支付宝", "关闭", "查看更多"]
)
def test_a_harmless_label_excuses_no_other_element_under_the_finger(loosened: str) -> None:
    box = 'bounds="[0,0][200,60]" clickable="true"'
    both = (f'<node text="{loosened}" {box}/>', f'<node text="立即支付" {box}/>')
    for nodes in (both, both[::-1]):
        tree = f'<hierarchy>{"".join(nodes)}<node text="标题" bounds="[0,100][200,400]"/></hierarchy>'
        seen = Observation(screenshot=b"", tree=tree, size=SIZE, package="com.shop")
        assert judge(Rules.default(), Click(x=9, y=9), seen, "com.shop").decision == "deny"
