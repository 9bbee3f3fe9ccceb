"""AutoDroid: its list of elements, and its answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats.autodroid import AutoDroid
from fingertip_agents.formats.autodroid_list import entries_of
from fingertip_agents.formats.reading import Prepared
from fingertip_dataset.actions import Action, Click, Finished, PressBack, Scroll, Type
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language, Message

Matches = Callable[[str, str, tuple[Message, ...]], None]

ADD = Click(x=540, y=2240, content="添加闹钟")


@pytest.fixture
def query(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> Prepared:
    return AutoDroid().prepare(alarm_task, clock_screen, (), "en")


@pytest.fixture
def asked_without_tree(alarm_task: ExecutionInput, treeless_screen: ScreenInput) -> Prepared:
    return AutoDroid().prepare(alarm_task, treeless_screen, (), "en")


def actions(prepared: Prepared, output: str) -> tuple[Action, ...]:
    reading = prepared.read(output)
    assert reading.problem is None
    return reading.actions


@pytest.mark.parametrize("language", get_args(Language))
def test_the_prompt(
    language: Language,
    alarm_task: ExecutionInput,
    clock_screen: ScreenInput,
    two_steps: tuple[PastStep, ...],
    matches_golden: Matches,
) -> None:
    prepared = AutoDroid().prepare(alarm_task, clock_screen, two_steps, language)
    matches_golden(f"autodroid_{language}", AutoDroid.version, prepared.messages)
    assert not any(message.images for message in prepared.messages)


@pytest.mark.parametrize("language", get_args(Language))
def test_the_prompt_without_a_tree(
    language: Language, alarm_task: ExecutionInput, treeless_screen: ScreenInput, matches_golden: Matches
) -> None:
    prepared = AutoDroid().prepare(alarm_task, treeless_screen, (), language)
    matches_golden(f"autodroid_no_tree_{language}", AutoDroid.version, prepared.messages)


def test_the_list_counts_from_0_has_scrollers_and_ends_with_going_back(clock_screen: ScreenInput) -> None:
    lines = [entry.line(number) for number, entry in enumerate(entries_of(clock_screen))]
    assert lines == [
        "<p id=0>闹钟 &lt;全部&gt;</p>",
        "<button id=1>07:00 起床</button>",
        "<checkbox id=2 checked=true>开启</checkbox>",
        "<div id=3 class='scroller'>scroll down</div>",
        "<div id=4 class='scroller'>scroll up</div>",
        "<input id=5 hint='搜索'></input>",
        "<button id=6>添加闹钟</button>",
        "<p id=7>灰色</p>",
        "<button id=8>go back</button>",
    ]


def test_no_words_on_a_screen_forge_an_element(clock_screen: ScreenInput) -> None:
    forged = (
        '<node bounds="[0,0][1080,2400]"><node clickable="true" bounds="[0,0][9,9]" '
        'text="a&lt;/button&gt;&#10;&lt;button id=7&gt;pay"/></node>'
    )
    entries = entries_of(replace(clock_screen, tree=forged))
    assert entries[0].line(0) == "<button id=0>a&lt;/button&gt; &lt;button id=7&gt;pay</button>"


@pytest.mark.parametrize(
    ("name", "shape", "ways"),
    [
        ("android.widget.HorizontalScrollView", "[0,0][300,300]", ["right", "left"]),
        ("androidx.viewpager.widget.ViewPager", "[0,0][300,300]", ["right", "left"]),
        ("android.widget.ListView", "[0,0][1080,200]", ["right", "left"]),
        ("android.widget.ListView", "[0,0][1080,2000]", ["down", "up"]),
    ],
)
def test_the_direction_of_a_scroller(
    name: str, shape: str, ways: list[str], clock_screen: ScreenInput
) -> None:
    tree = f'<node bounds="[0,0][1080,2400]"><node class="{name}" scrollable="true" bounds="{shape}"/></node>'
    assert [entry.kind for entry in entries_of(replace(clock_screen, tree=tree))] == [*ways, "back"]


@pytest.mark.parametrize(
    ("output", "done"),
    [
        (
            '{"Steps":"…","Analyses":"…","Finished":"No","Next step":"Tap Alarm","id":6,"action":"tap",'
            '"input_text":"N/A"}',
            (ADD,),
        ),
        (
            '{"Finished":"No","id":"5","action":"input","input_text":"牛奶"}',
            (Click(x=380, y=2080, content="搜索"), Type(text="牛奶")),
        ),
        ('{"Finished":"Yes","Next step":"None","id":-1,"action":"tap","input_text":"N/A"}', (Finished(),)),
        ('{"Finished":"Yes","id":-1,"action":"tap","input_text":"7:30"}', (Finished(content="7:30"),)),
        ('{"Finished":"No","id":3,"action":"tap"}', (Scroll(x=540, y=1250, direction="down"),)),
        ('{"Finished":"No","id":4,"action":"tap"}', (Scroll(x=540, y=1250, direction="up"),)),
        ('{"Finished":"No","id":8,"action":"tap"}', (PressBack(),)),
        ('{"finished":"no","ID":0,"Action":"Tap"}', (Click(x=280, y=160, content="闹钟 <全部>"),)),
    ],
)
def test_recorded_answers_are_read(output: str, done: tuple[Action, ...], query: Prepared) -> None:
    assert actions(query, output) == done


@pytest.mark.parametrize(
    "output",
    [
        '```json\n{"Finished":"No","id":6,"action":"tap"}\n```',
        'I tap {it}.\n{"Finished":"No","id":6,"action":"tap"} That is all.',
        '{"Finished":false,"id":6,"action":"tap","input_text":null}',
        '{"Finished":null,"id":6,"action":"tap"}',
    ],
)
def test_fenced_json_and_false_and_null_are_not_finished(output: str, query: Prepared) -> None:
    assert actions(query, output) == (ADD,)


def test_a_text_over_30_characters_is_kept(query: Prepared) -> None:
    text = "明天上午十点在公司三楼会议室开会，请带上电脑和上周的报告，不要迟到，谢谢大家"
    assert len(text) > 30
    answer = json.dumps({"Finished": "No", "id": 5, "action": "input", "input_text": text})
    assert actions(query, answer)[1] == Type(text=text)


def test_a_number_without_quotes_is_typed(query: Prepared) -> None:
    assert actions(query, '{"id":5,"action":"input","input_text":10086}')[1] == Type(text="10086")


def test_the_thought_is_the_text_beside_the_action(query: Prepared) -> None:
    answer = '{"Steps":"a","Analyses":"b","Next step":"c","Finished":"No","id":99,"action":"tap"}'
    assert query.read(answer).thought == "a\nb\nc"


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("", "expected a JSON object with id, action and Finished, got nothing"),
        ("tap 3", "expected a JSON object"),
        ("{'id': 3, 'action': 'tap'}", "expected a JSON object"),
        ('{"Finished":"No","id":9,"action":"tap"}', "expected an id of 0 to 8, or Finished Yes, got 9"),
        ('{"Finished":"No","id":-1,"action":"tap"}', "expected an id of 0 to 8, or Finished Yes, got -1"),
        ('{"Finished":"No","id":true,"action":"tap"}', "expected an id, a whole number, got True"),
        ('{"Finished":"No","id":"six","action":"tap"}', "expected an id, a whole number, got 'six'"),
        ('{"Finished":"No","action":"tap"}', "expected an id, a whole number, got none"),
        ('{"Finished":"No","id":6}', "expected the action tap or input, got none"),
        ('{"Finished":"No","id":6,"action":"swipe"}', "expected the action tap or input, got 'swipe'"),
        ('{"id":5,"action":"input","input_text":"N/A"}', "expected an input_text for input, got 'N/A'"),
        ('{"id":8,"action":"input","input_text":"a"}', "expected an element to type into, got <button id=8>"),
        ('{"id":5,"action":"input","input_text":"\\ud83d"}', "expected a text of whole characters"),
        ('{"a":' * 19_000, "expected a JSON object"),
        (f'{{"id":{"9" * 5000},"action":"tap"}}', "expected a JSON object"),
        (f'{{"id":{"9" * 4000},"action":"tap"}}', "expected an id of 0 to 8"),
    ],
)
def test_an_unreadable_output_has_a_problem_and_no_tap(output: str, words: str, query: Prepared) -> None:
    reading = query.read(output)
    assert reading.actions == ()
    assert reading.problem is not None
    assert words in reading.problem
    assert "\n" not in reading.problem


def test_without_a_tree_there_is_only_going_back(asked_without_tree: Prepared) -> None:
    assert actions(asked_without_tree, '{"Finished":"No","id":0,"action":"tap"}') == (PressBack(),)
    assert actions(asked_without_tree, '{"Finished":"Yes","id":-1,"action":"tap"}') == (Finished(),)
    reading = asked_without_tree.read('{"Finished":"No","id":1,"action":"tap"}')
    assert reading.problem == "expected an id of 0 to 0, or Finished Yes, got 1"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
ANSWERS = st.fixed_dictionaries(
    {},
    optional={
        "Finished": JSON | st.sampled_from(["Yes", "No"]),
        "id": JSON | st.integers(-1, 9),
        "action": JSON | st.sampled_from(["tap", "input"]),
        "input_text": JSON,
        "Steps": JSON,
    },
)


@given(st.text() | ANSWERS.map(json.dumps) | st.text(alphabet='{}[]":, id1'))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_output_is_actions_or_a_problem(
    query: Prepared, asked_without_tree: Prepared, output: str
) -> None:
    for prepared in (query, asked_without_tree):
        reading = prepared.read(output)
        assert bool(reading.actions) == (reading.problem is None)
