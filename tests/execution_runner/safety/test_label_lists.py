"""Lists of labels alone, judged by the gate, and labels that only seem to tell something."""

from __future__ import annotations

from hashlib import sha256

import pytest

from execution_runner.safety.gate import Gate, Rules
from tests.execution_runner.safety.gate_cases import GateCase
from tests.execution_runner.safety.label_lists import DRAWN, LabelList, find_wrong, make_cases, read_lists

SHA256 = {
    "mended": "769e6422170e400d731f7f26a81b3fed51b5206398df0a1d68909cc76ad8e67b",
    "kept": "0068b3261e59e8dca1756a2fdd68390756c74a61f34994f49f53351d4ae1b895",
    "third": "fb4a634c4aca0c1ecc6a18a07c0af9d137f4b6f055928021a110194491d189f1",
    "fourth": "c5c2204b7667542bf84aa956bbb94a20dd9e1075903137454ac31184dc449daf",
    "fifth": "5694b4f2b892dd0247f9ad54005135bd769f249259f605aa767a19bebef4f089",
    "sixth": "63fcfdb3402ba33deae76a6c086cfd59f85e0fe54b815d79ffbbc7ea60f1b685",
}
"""Hash of each list: none may change without being seen."""

HARMLESS_STOPPED = 0.04
"""Share of the harmless labels of a list that may at most be stopped."""


def hash_list(labels: LabelList) -> str:
    return sha256(labels.model_dump_json().encode()).hexdigest()


def test_the_lists_are_unchanged() -> None:
    assert {name: hash_list(labels) for name, labels in read_lists().items()} == SHA256


@pytest.mark.parametrize("name", SHA256)
def test_a_list_is_judged_as_a_careful_person_would(name: str) -> None:
    lists = read_lists()
    # each label in one of the ways, in turn; the command tries all of them
    cases = list(make_cases(lists[name]))
    turns = [group[turn % len(DRAWN)] for turn, group in enumerate(group_ways(cases))]
    wrong = find_wrong(turns, Rules.default())
    assert [label for label, ways in wrong["dangerous"].items() if ways] == []
    stopped = [label for label, ways in wrong["harmless"].items() if ways]
    assert len(stopped) <= HARMLESS_STOPPED * len(wrong["harmless"]), stopped


def group_ways(cases: list[GateCase]) -> list[list[GateCase]]:
    count = len(DRAWN)
    return [cases[start : start + count] for start in range(0, len(cases), count)]


LOOK_ALIKES = (
    *(
        "How to save: pay now",
        "Sponsored: buy now and save",
        "广告 立即下单享优惠",
        "不再关注",
        "View and pay",
    ),
    *("No thanks, pay full price", "Learn more and subscribe now", "分别发送", "打榜", "为偶像打榜"),
    *(
        "删除数据",
        "发送位置",
        "《立即支付》",
        "点《支付》",
        "按住说话",
        "邀请 3 人",
        "确认删除这些照片吗",
        "撤销授权",
    ),
    *("The offer ends now: buy", "Don't wait, buy now", "发布会议纪要", "Clear call history", "转账 200 元"),
    "发送方案",
)
"""Buttons that act, although they begin or end as what only tells something."""


@pytest.mark.parametrize("label", LOOK_ALIKES)
def test_a_button_that_only_looks_as_if_it_told_something_is_stopped(label: str) -> None:
    (case, *_) = make_cases(LabelList(harmless={}, dangerous={"disguised": (label,)}))
    assert find_wrong([case], Rules.default())["dangerous"][label] == []


def test_rules_without_the_new_keys_are_read_and_excuse_nothing() -> None:
    plain = Rules.default()
    old = plain.model_copy(
        update={
            "labels": plain.labels.model_copy(
                update={"telling": (), "acts": (), "prices": (), "unnamed": None}
            )
        }
    )
    assert (
        type(old)
        .model_validate(
            {
                **plain.model_dump(),
                "labels": plain.labels.model_dump(exclude={"telling", "acts", "prices", "unnamed"}),
            }
        )
        .labels
        == old.labels
    )
    (case, *_) = make_cases(LabelList(harmless={"help": ("How to delete a message",)}, dangerous={}))
    gate = Gate(old, lambda *question, intent="": True)
    assert gate.check(case.performed(), case.observation(), case.app, intent="").decision == "confirm"
