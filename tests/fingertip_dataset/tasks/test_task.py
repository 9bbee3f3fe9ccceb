from __future__ import annotations

from datetime import datetime
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from fingertip_dataset.actions import canonical, list_action_fields, parse_action
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.tasks.task import earlier_intents, execution_task, suggestion_task
from fingertip_dataset.times import BEIJING

PROFILE = {
    "sex": "女",
    "age": 21,
    "occupation": "学生",
    "address": "北京市",
    "marital_status": "未婚",
    "phone_brand": "华为",
}
SAME = {
    "episode_id": "3__20250301_080000",
    "intent": "昨天的事",
    "similarity": 0.75,
    "actions": ["click( coordinates=(1,2) )", "", "finished()"],
}
OTHER = {"episode_id": "74__20250401_080000", "intent": "别人的事", "similarity": 0.5, "actions": ["wait()"]}


def a_row(**changes: object) -> dict[str, Any]:
    actions = ["click(coordinates=(336,1267), content='发送')", "I am lost", "", "finish()"]
    row: dict[str, Any] = {
        "episode_id": "3__20250310_081530",
        "user_id": "3",
        "user_profile": PROFILE,
        "user_type": 1,
        "time": datetime(2025, 3, 10, 8, 15, 30, tzinfo=BEIJING),
        "scenario": "住所",
        "scenario_category": "residence",
        "app": "com.tencent.mm",
        "intent": "打开微信，给妈妈发红包",
        "intent_category": "社交",
        "screenshots": [{"bytes": b"one", "path": "1.jpg"}, None, {"bytes": b"three", "path": "3.jpg"}, None],
        "accessibility_trees": ["<a/>", "<b/>", None, "<d/>"],
        "actions": [list_action_fields(None, raw) for raw in actions],
        "previous_intents": [
            {
                "episode_id": "3__20250309_221500",
                "time": datetime(2025, 3, 9, 22, 15, tzinfo=BEIJING),
                "scenario": "办公场所",
                "app": "com.alarm",
                "intent": "订闹钟",
            }
        ],
        "same_user_reference": SAME,
        "other_type_reference": OTHER,
    }
    return row | changes


def text_row(**changes: object) -> dict[str, Any]:
    columns = ("screenshots", "accessibility_trees")
    return {name: cell for name, cell in a_row(**changes).items() if name not in columns}


def test_a_suggestion_input_has_profile_time_place_and_history() -> None:
    task = suggestion_task(text_row())
    assert task.input.task_id == "3__20250310_081530"
    assert task.input.profile == UserProfile(**PROFILE)  # type: ignore[arg-type]
    assert task.input.time.isoformat() == "2025-03-10T08:15:30+08:00"
    assert task.input.scenario == "住所"
    assert task.input.previous_intents == (
        Intent(user_id="3", time="20250309_221500", scenario="办公场所", app="com.alarm", text="订闹钟"),
    )
    assert (task.input.screenshots, task.input.accessibility_trees) == ((), ())
    assert task.target.intent == "打开微信，给妈妈发红包"
    assert (task.target.app, task.target.intent_category) == ("com.tencent.mm", "社交")


def test_an_execution_input_has_the_intent_and_the_users_reference() -> None:
    task = execution_task(text_row())
    assert (task.input.intent, task.input.app) == ("打开微信，给妈妈发红包", "com.tencent.mm")
    assert task.input.reference is not None
    assert task.input.reference.actions == ("click(coordinates=(1, 2))", "finished()")
    assert task.input.reference.similarity == 0.75
    assert task.other_type_reference is not None
    assert task.other_type_reference.episode_id == "74__20250401_080000"


def test_targets_are_as_written_and_the_step_limit_counts_every_line() -> None:
    task = execution_task(text_row())
    target = task.target
    click = "click(coordinates=(336,1267), content='发送')"
    assert target.golden_actions == (click, "I am lost", "finish()")
    assert target.user_actions == (click, "I am lost")
    reference = task.other_type_reference
    assert reference is not None
    assert target.other_type_actions == reference.written
    assert tuple(map(canonical, reference.written)) == reference.actions
    assert target.step_limit == 7.5
    assert [parse_action(target.golden_actions[place]).name for place in (0, 2)] == ["click", "finished"]


def test_an_episode_without_references_or_actions_is_a_task_too() -> None:
    nulls = dict.fromkeys(SAME)
    row = text_row(same_user_reference=None, other_type_reference=nulls, actions=[], previous_intents=[])
    task = execution_task(row)
    assert (task.input.reference, task.other_type_reference) == (None, None)
    assert (task.target.golden_actions, task.target.step_limit) == ((), 0.0)
    assert earlier_intents(row) == ()


@pytest.mark.parametrize(
    ("count", "shots", "trees"),
    [
        (0, (), ()),
        (1, (b"one",), ("<a/>",)),
        (2, (b"one",), ("<a/>", "<b/>")),
        (3, (b"one", b"three"), ("<a/>", "<b/>")),
    ],
)
def test_the_screens_of_the_first_steps_and_no_later_one(
    count: int, shots: tuple[bytes, ...], trees: tuple[str, ...]
) -> None:
    output = suggestion_task(a_row(), screenshots=count).input
    assert (output.screenshots, output.accessibility_trees) == (shots, trees)


def test_the_history_can_be_replaced() -> None:
    other = Intent(user_id="3", time="20250101_000000", scenario="", app="", text="很久以前")
    assert suggestion_task(text_row(), previous_intents=[other]).input.previous_intents == (other,)
    assert suggestion_task(text_row(), previous_intents=()).input.previous_intents == ()
    row = text_row()
    del row["previous_intents"]
    assert suggestion_task(row, previous_intents=()).input.previous_intents == ()


SECRET = st.text(st.characters(categories=["Lo", "Nd"]), min_size=6, max_size=20).map(
    lambda text: f"«{text}»"
)


@settings(deadline=None)
@given(secrets=st.lists(SECRET, min_size=9, max_size=9, unique=True), count=st.integers(0, 3))
def test_no_input_contains_its_target(secrets: list[str], count: int) -> None:
    intent, app, category, action, later, other, other_id, other_action, same = secrets
    row = a_row(
        intent=intent,
        app=app,
        intent_category=category,
        actions=[list_action_fields(None, action)],
        screenshots=[None, None, None, {"bytes": later.encode(), "path": "4.jpg"}],
        accessibility_trees=[None, None, None, later],
        same_user_reference=SAME | {"intent": same},
        other_type_reference={
            "episode_id": other_id,
            "intent": other,
            "similarity": 0.1,
            "actions": [other_action],
        },
    )
    suggestion, execution = suggestion_task(row, screenshots=count), execution_task(row)
    shown = repr(suggestion.input) + repr(
        (suggestion.input.screenshots, suggestion.input.accessibility_trees)
    )
    assert not [secret for secret in secrets if secret in shown]
    assert suggestion.input.screenshots == ()
    shown = repr(execution.input)
    assert [secret for secret in secrets if secret in shown] == [intent, app, same]


def test_wrong_calls_are_refused_in_one_line() -> None:
    with pytest.raises(UsageError, match=r"^expected 0 to 3 screenshots, got 4$"):
        suggestion_task(a_row(), screenshots=4)
    with pytest.raises(UsageError, match=r"^expected 0 to 3 screenshots, got -1$"):
        suggestion_task(a_row(), screenshots=-1)
    message = r'^expected rows of the config "default" for screenshots, .* \(episode 3__20250310_081530\)$'
    with pytest.raises(UsageError, match=message):
        suggestion_task(text_row(), screenshots=1)
    row = text_row()
    del row["app"]
    with pytest.raises(DatasetError, match=r"^expected a row with the column app, got episode_id, user_id, "):
        execution_task(row)
    picture = Image.open(BytesIO(one_pixel()))
    with pytest.raises(
        UsageError, match=r"^expected screenshots as bytes, got PngImageFile: cast with Image"
    ):
        suggestion_task(a_row(screenshots=[picture]), screenshots=1)


def one_pixel() -> bytes:
    file = BytesIO()
    Image.new("RGB", (1, 1)).save(file, "PNG")
    return file.getvalue()
