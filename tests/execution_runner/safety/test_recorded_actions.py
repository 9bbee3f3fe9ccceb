"""The gate on recorded actions: people's on real phones, and simulated people's on simulated phones.

What a careful person wants to be asked about is told here without the gate: for the real recordings by hand,
action by action; for the simulated ones by the button's label in the apps that we wrote.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

from execution_runner.devices.device import Observation
from execution_runner.safety.gate import GateDecision, Rules, judge
from fingertip_dataset.actions import Action, Click, LongClick, Scroll, Type, parse_action
from fingertip_dataset.ui_tree.accessibility import BoxState, parse_tree
from fingertip_dataset.ui_tree.touched import words
from tests.shared_datasets import simulated_people

RULES = Rules.default()
CONSENTS = {
    "1637631891714.jpg": "grants a permission",
    "1637635851716.jpg": "touches the dialog of a permission",
    "1637635855289.jpg": "grants a permission",
    "1637636338985.jpg": "agrees to a licence",
}
"""Pictures of the real release on which a careful person wants to be asked, and why."""

ACTING = frozenset(
    [
        "确认付款",
        "提交订单",
        "去结算",
        "立即购买",
        "再来一单",
        "确认收货",
        "转账",
        "删除",
        "确定删除",
        "发送",
        "发布",
        "发表",
        "删除闹钟",
        "删除日程",
        "删除城市",
        "删除联系人",
        "清空",
        "拨打",
        "拨打电话",
        "打电话",
        "呼叫",
        "回复",
        "转发",
        "加入黑名单",
        "允许",
        "允许通知",
        "卸载",
        "重置",
        "退出登录",
        "安装",
        "取消关注",
        "立即充值",  # leads to the payment
        "确认呼叫",  # orders a ride
        "取消预约",
        "确定取消",  # ends a booking
        "改签",
        "确定改签",  # another ticket, which may cost more
        "确认开票",  # sends for an invoice
        "确定卸载",
        "仅在使用中允许",  # permits, if only for now
        "全部清除",  # ends every running app, navigation and recordings among them; dismisses unread notices
    ]
)
"""Labels in the simulated apps whose touch pays, orders, cancels, sends, deletes, permits or unfollows."""
SHARED = "分享到"
"""Title of the sheet where a touch hands something to another app."""
STEPS_OF_MONEY = ("转账", "确认收货", "红包", "确认付款")
"""Texts of a simulated screen on which the next step, its OK, or typing is a part of such an act."""
AMOUNTS_OF_MONEY = ("充值金额", "每日限额")
"""Texts of a simulated screen on which an amount is what is paid next, or may be paid a day from now on."""
CODE, CODE_OF_MESSAGE = "短信验证码", "来自短信"
"""A field whose code signs the person in, and the beginning of what fills it in."""
SEARCHED = "搜索"
"""A word of what says what a field searches for."""


@dataclass(frozen=True, kw_only=True)
class RecordedAction:
    """One action of a raw release; `package` is the app in front as far as it is known."""

    picture: Path
    action: Action
    package: str
    tree: str | None

    @property
    def readable(self) -> bool:
        """Whether there is a tree with a text."""
        return self.tree is not None and any(map(words, parse_tree(self.tree).elements))

    def decision(self) -> GateDecision:
        size = (1080, 2400)  # some pictures and trees are missing in the release
        if self.picture.exists():
            with Image.open(self.picture) as image:
                size = image.size
        screen = Observation(screenshot=b"", tree=self.tree, size=size, package=self.package)
        return judge(RULES, self.action, screen, self.package)


def recorded_actions(release: Path) -> Iterator[RecordedAction]:
    for file in sorted(release.glob("raw/**/action.jsonl")):
        survey = json.loads((file.parent / "survey_result.json").read_text(encoding="utf-8"))
        for line in file.read_text(encoding="utf-8").splitlines():
            for name, text in json.loads(line or "{}").items():
                tree = file.parent / "Screenshots" / f"tree_{name.partition('.')[0]}.xml"
                xml = tree.read_text(encoding="utf-8") if tree.exists() else None
                packages = [e.package for e in parse_tree(xml).elements if e.package] if xml else []
                yield RecordedAction(
                    picture=file.parent / "Screenshots" / name,
                    action=parse_action(text),
                    package=packages[0] if packages else survey["app"],
                    tree=xml,
                )


def acts(recorded: RecordedAction) -> bool:
    """Whether a simulated action pays, orders, sends, deletes or permits, or is a step of that."""
    action = recorded.action
    if not isinstance(action, Click | LongClick | Type):
        return False
    tree = parse_tree(recorded.tree or "")
    texts = {text for element in tree.elements for text in words(element)}
    if isinstance(action, Type):
        fields = [words(element) for element in tree.elements if element.editable]
        if fields and all(any(SEARCHED in text for text in field) for field in fields):
            return False
        return not texts.isdisjoint((*STEPS_OF_MONEY, CODE))
    touched = tree.hit(action.x, action.y)
    if touched is not None and ".inputmethod." in touched.package:
        return False
    label = action.content or ""
    on_money = not texts.isdisjoint(STEPS_OF_MONEY) and label in ("下一步", "确定", "完成")
    on_money |= not texts.isdisjoint(AMOUNTS_OF_MONEY) and label.endswith("元")
    acting = label in ACTING or label.startswith(("删除", "移除", CODE_OF_MESSAGE))
    return acting or SHARED in texts or on_money


# ---- real phones


def test_every_recorded_real_action_is_decided_as_a_careful_person_would(real_release: Path) -> None:
    """142 actions: 114 harmless ones allowed, 4 consents asked about, 24 on screens that cannot be read."""
    counts: Counter[tuple[str, str]] = Counter()
    for recorded in recorded_actions(real_release):
        kind = "consent" if recorded.picture.name in CONSENTS else "harmless"
        verdict = recorded.decision()
        counts[kind if recorded.readable else "unreadable", verdict.decision] += 1
        assert kind == "harmless" or verdict.decision == "confirm", recorded.picture
        if not recorded.readable:
            touches = isinstance(recorded.action, Click | LongClick | Type)
            assert (verdict.decision == "confirm") == touches, recorded.picture
    assert counts == {
        ("harmless", "allow"): 114,
        ("consent", "confirm"): 4,
        ("unreadable", "confirm"): 14,
        ("unreadable", "allow"): 10,
    }


def test_real_clickable_elements_seldom_need_confirmation_and_are_never_denied(real_release: Path) -> None:
    """In the whole set 60 of 1,885: purchases, consents, permissions, sharing with people; bare frames."""
    counts: Counter[str] = Counter()
    for file in sorted(real_release.glob("raw/**/tree_*.xml"))[::8]:
        xml = file.read_text(encoding="utf-8")
        with Image.open(file.with_name(f"{file.stem.removeprefix('tree_')}.jpg")) as image:
            size = image.size
        tree = parse_tree(xml, screen=size)
        package = next((e.package for e in tree.elements if e.package), "")
        screen = Observation(screenshot=b"", tree=xml, size=size, package=package)
        for element in tree.elements:
            if element.clickable and element.box and element.box_state is BoxState.PROPER:
                x, y = element.box.center
                counts[judge(RULES, Click(x=x, y=y), screen, package).decision] += 1
    assert counts["deny"] == 0
    assert counts.total() > 200
    assert counts["confirm"] <= 0.04 * counts.total()


# ---- simulated phones


@pytest.fixture(
    scope="module",
    params=[(2, 8, 3, (270, 600)), pytest.param((12, 40, 7, (540, 1200)), marks=pytest.mark.soak)],
    ids=["2 people", "12 people"],
)
def simulated(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[RecordedAction]:
    users, episodes, seed, size = request.param
    made = simulated_people(tmp_path_factory, users=users, episodes=episodes, seed=seed, size=size)
    found = list(recorded_actions(made / "sample"))
    assert len(found) >= (2400 if users == 12 else 80)
    return found


def test_of_simulated_actions_what_acts_is_asked_about_and_the_rest_is_not(
    simulated: list[RecordedAction], real_release: Path
) -> None:
    counts: Counter[tuple[bool, bool]] = Counter()
    wrong = []
    for recorded in simulated:
        stopped = recorded.decision().decision != "allow"
        counts[acts(recorded), stopped] += 1
        if stopped != acts(recorded):
            wrong.append((recorded.action, recorded.package, recorded.decision().reason))
    harmless = counts[False, False] + counts[False, True]
    assert counts[True, False] == 0, wrong
    assert harmless > 80
    # one of a hundred, or two if there are few
    assert counts[False, True] <= max(2, 0.01 * harmless), wrong
    if len(simulated) >= 2400:  # with the real ones, and with all of those on screens that cannot be read
        real = [r for r in recorded_actions(real_release) if r.picture.name not in CONSENTS]
        stopped = counts[False, True] + sum(r.decision().decision != "allow" for r in real)
        assert stopped < 0.01 * (harmless + len(real)), wrong


def test_swipes_and_the_keys_of_the_phone_are_never_asked_about(simulated: list[RecordedAction]) -> None:
    others = [r for r in simulated if not isinstance(r.action, Click | LongClick | Type)]
    assert others
    assert any(isinstance(r.action, Scroll) for r in others)
    assert {r.decision().decision for r in others} == {"allow"}
