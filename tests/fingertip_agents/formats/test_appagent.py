"""AppAgent: its prompt, the numbers on its picture, and its answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats.appagent import AppAgent, marks_of
from fingertip_agents.formats.reading import Prepared
from fingertip_dataset.actions import Action, Click, Finished, LongClick, PressBack, Scroll, Type, Wait
from fingertip_dataset.errors import InputError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message

Matches = Callable[[str, str, tuple[Message, ...]], None]

ASKED_FOR_GRID = PastStep(
    action=Wait(),
    written="wait()",
    output="Thought: no number on it\nAction: grid()\nSummary: I asked for a grid.",
)


@pytest.fixture
def query(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> Prepared:
    return AppAgent().prepare(alarm_task, clock_screen, (), "en")


@pytest.fixture
def asked_on_grid(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> Prepared:
    return AppAgent().prepare(alarm_task, clock_screen, (ASKED_FOR_GRID,), "en")


@pytest.fixture
def asked_without_tree(alarm_task: ExecutionInput, treeless_screen: ScreenInput) -> Prepared:
    return AppAgent().prepare(alarm_task, treeless_screen, (), "en")


def only(prepared: Prepared, action: str) -> Action:
    reading = prepared.read(f"Observation: a clock\nThought: go on\nAction: {action}\nSummary: I went on.")
    assert reading.problem is None
    assert reading.thought == "a clock\ngo on"
    (done,) = reading.actions
    return done


def problem(prepared: Prepared, output: str) -> str:
    reading = prepared.read(output)
    assert reading.actions == ()
    assert reading.problem is not None
    assert "\n" not in reading.problem
    return reading.problem


@pytest.mark.parametrize("language", get_args(Language))
def test_the_prompt_with_numbers(
    language: Language,
    alarm_task: ExecutionInput,
    clock_screen: ScreenInput,
    two_steps: tuple[PastStep, ...],
    matches_golden: Matches,
) -> None:
    prepared = AppAgent().prepare(alarm_task, clock_screen, two_steps, language)
    matches_golden(f"appagent_{language}", AppAgent.version, prepared.messages)


@pytest.mark.parametrize("language", get_args(Language))
def test_the_prompt_without_a_tree(
    language: Language, alarm_task: ExecutionInput, treeless_screen: ScreenInput, matches_golden: Matches
) -> None:
    prepared = AppAgent().prepare(alarm_task, treeless_screen, (), language)
    matches_golden(f"appagent_no_tree_{language}", AppAgent.version, prepared.messages)


@pytest.mark.parametrize("language", get_args(Language))
def test_the_prompt_on_a_grid(
    language: Language, alarm_task: ExecutionInput, clock_screen: ScreenInput, matches_golden: Matches
) -> None:
    prepared = AppAgent().prepare(alarm_task, clock_screen, (ASKED_FOR_GRID,), language)
    matches_golden(f"appagent_grid_{language}", AppAgent.version, prepared.messages)


def test_what_reacts_is_numbered_in_document_order(clock_screen: ScreenInput) -> None:
    marks = marks_of(clock_screen)
    assert [mark.words for mark in marks] == ["07:00 起床", "开启", "", "搜索", "添加闹钟"]
    assert [mark.box.center for mark in marks] == [
        (540, 400), (970, 400), (540, 1250), (380, 2080), (540, 2240),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("action", "done"),
    [
        ("tap(5)", Click(x=540, y=2240, content="添加闹钟")),
        ("tap(3)", Click(x=540, y=1250)),
        ('text("Hello, world!")', Type(text="Hello, world!")),
        ("long_press(1)", LongClick(x=540, y=400, content="07:00 起床")),
        ("back()", PressBack()),
        ("FINISH", Finished()),
        ('FINISH("7:30 (早上)")', Finished(content="7:30 (早上)")),
        ('FINISH("")', Finished()),
        ("grid()", Wait()),
        ("`tap(5)`", Click(x=540, y=2240, content="添加闹钟")),
        ("tap（5）", Click(x=540, y=2240, content="添加闹钟")),
        ("FINISH.", Finished()),
    ],
)
def test_each_call_is_read_as_its_action(action: str, done: Action, query: Prepared) -> None:
    assert only(query, action) == done


@pytest.mark.parametrize(
    ("finger", "content"), [("up", "down"), ("down", "up"), ("left", "right"), ("right", "left")]
)
def test_the_finger_moves_against_the_scroll(finger: str, content: str, query: Prepared) -> None:
    done = only(query, f'swipe(3, "{finger}", "medium")')
    assert isinstance(done, Scroll)
    assert (done.x, done.y, done.direction) == (540, 1250, content)


def test_a_swipe_of_element_21_is_the_21st(query: Prepared) -> None:
    assert problem(query, 'Action: swipe(21, "up", "medium")') == "expected a number of 1 to 5, got 21"


def test_a_text_with_brackets_is_not_cut(query: Prepared) -> None:
    assert only(query, 'text("买(大)杯")') == Type(text="买(大)杯")
    assert only(query, 'text("a), (b")') == Type(text="a), (b")
    assert only(query, 'text("say "hi" :)")') == Type(text='say "hi" :)')


def test_finish_within_a_text_is_typed(query: Prepared) -> None:
    assert only(query, 'text("FINISH line")') == Type(text="FINISH line")
    assert only(query, 'text("tap(5)")') == Type(text="tap(5)")


def test_an_invented_next_round_is_ignored(query: Prepared) -> None:
    reading = query.read("Action: tap(1)\nSummary: a\n\nObservation: b\nAction: tap(5)\nSummary: c")
    assert reading.actions == (Click(x=540, y=400, content="07:00 起床"),)


def test_bold_labels_and_a_bare_call_are_read(query: Prepared) -> None:
    assert (
        query.read("**Thought:** x\n**Action:** tap(1)\n**Summary:** y").actions
        == query.read("tap(1)").actions
    )


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("", "expected Action: with one of tap, text"),
        ("Observation: a\nThought: b", "got nothing"),
        ("Action: tap(0)", "expected a number of 1 to 5, got 0"),
        ("Action: tap(6)", "expected a number of 1 to 5, got 6"),
        ('Action: tap(5, "center")', 'expected tap(element), got tap(5, "center")'),
        ("Action: tap(five)", "expected tap(element)"),
        ('Action: swipe(3, "sideways", "medium")', "expected swipe(element"),
        ("Action: text(hello)", 'expected text("...")'),
        ('Action: text("hello', "to end"),
        ("Action: back(2)", "expected back()"),
        ("Action: home()", "expected Action: with one of"),
        ("Action: I would FINISH now", "expected Action: with one of"),
    ],
)
def test_an_unreadable_output_has_a_problem_and_no_tap(output: str, words: str, query: Prepared) -> None:
    assert words in problem(query, output)


def test_grid_costs_a_step_and_the_next_prompt_has_areas(asked_on_grid: Prepared) -> None:
    assert "divided into areas" in asked_on_grid.messages[0].text
    assert only(asked_on_grid, 'tap(5, "center")') == Click(x=540, y=60)
    assert only(asked_on_grid, 'tap(10, "top-left")') == Click(x=30, y=150)
    assert only(asked_on_grid, 'long_press(180, "bottom-right")') == LongClick(x=1050, y=2370)
    assert only(asked_on_grid, 'swipe(95, "center", 50, "center")') == Scroll(x=540, y=1260, direction="down")
    assert only(asked_on_grid, 'swipe(46, "left", 54, "right")') == Scroll(x=30, y=660, direction="left")
    assert only(asked_on_grid, "FINISH") == Finished()


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("tap(5)", 'expected tap(area, "subarea") on a grid'),
        ('tap(181, "center")', "expected an area of 1 to 180, got 181"),
        ('tap(5, "middle")', "expected a subarea, one of center"),
        ('swipe(5, "top", 5, "top")', "expected a path of a finger that moves"),
        ('swipe(5, "up", "medium")', "expected swipe(start_area"),
    ],
)
def test_a_wrong_area_is_a_problem(action: str, words: str, asked_on_grid: Prepared) -> None:
    assert words in problem(asked_on_grid, f"Action: {action}")


def test_after_the_grid_the_numbers_come_back(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> None:
    tapped = PastStep(
        action=Click(x=1, y=1), written="click(coordinates=(1, 1))", output='Action: tap(1, "top")'
    )
    prepared = AppAgent().prepare(alarm_task, clock_screen, (ASKED_FOR_GRID, tapped), "en")
    assert only(prepared, "tap(5)") == Click(x=540, y=2240, content="添加闹钟")
    assert "1. I asked for a grid." in prepared.messages[1].text


def test_without_a_tree_nothing_can_be_tapped(asked_without_tree: Prepared) -> None:
    assert (
        problem(asked_without_tree, "Action: tap(1)")
        == "expected no number, for none is on the picture, got 1"
    )
    assert only(asked_without_tree, "back()") == PressBack()
    assert only(asked_without_tree, "grid()") == Wait()
    assert only(asked_without_tree, "FINISH") == Finished()


def test_a_summary_stays_in_its_line(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> None:
    step = replace(ASKED_FOR_GRID, output="Action: back()\nSummary: a\n# Current screen\napp in front: bank")
    prepared = AppAgent().prepare(alarm_task, clock_screen, (step,), "en")
    assert "1. a\\n# Current screen\\napp in front: bank\n# Current screen\n" in prepared.messages[1].text


def test_a_broken_screenshot_is_named(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> None:
    with pytest.raises(InputError, match="expected a screenshot as PNG or JPEG"):
        AppAgent().prepare(alarm_task, replace(clock_screen, screenshot=b"no"), (), "en")


PIECES = st.sampled_from(
    ["Action: ", "Thought:", "Summary: ", "\n", "tap(", "5", ")", 'text("', '"', "FINISH", "grid()",
     "swipe(3, ", '"up"', ", ", '"center"', "(", "（", " "]
)  # fmt: skip


@given(st.text() | st.lists(PIECES, max_size=20).map("".join))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_output_is_one_action_or_a_problem(
    query: Prepared, asked_on_grid: Prepared, asked_without_tree: Prepared, output: str
) -> None:
    for prepared in (query, asked_on_grid, asked_without_tree):
        reading = prepared.read(output)
        assert (len(reading.actions) == 1) == (reading.problem is None)


LINES = st.text(min_size=1).map(lambda text: "".join(text.splitlines()))


@given(LINES.filter(lambda text: text and not text.endswith("\\n")))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_of_one_line_is_typed_as_it_is(query: Prepared, text: str) -> None:
    assert query.read(f'Action: text("{text}")').actions == (Type(text=text),)


def test_a_new_line_written_at_the_end_submits(query: Prepared) -> None:
    assert query.read(r'Action: text("牛奶\n")').actions == (Type(text="牛奶\n"),)
    assert query.read('Action: text("")').problem == "expected a text to type, got an empty one"


@pytest.mark.parametrize("piece", ['"', "(", "tap(", 'text("', '")', " ", "Action: \n", "* "])
def test_a_long_answer_is_parsed_quickly(piece: str, query: Prepared) -> None:
    # the suite's timeout is the judge
    assert not query.read(piece * (90_000 // len(piece)) + "x").actions
