"""The tools of a phone by name and JSON."""

from __future__ import annotations

import json

import pytest

from fingertip_environments import PhoneTask, phone_tools
from fingertip_environments.named_calls import call_tool, list_call_schemas
from fingertip_environments.trl_tools import PhoneTools


@pytest.fixture
def phone(tasks: tuple[PhoneTask, ...]) -> PhoneTools:
    tools = phone_tools(tasks)()
    assert isinstance(tools, PhoneTools)
    tools.reset(task_id=tasks[0].task_id)
    return tools


def test_the_tools_are_functions_with_their_arguments(phone: PhoneTools) -> None:
    schemas = {schema["name"]: schema for schema in list_call_schemas(phone)}
    assert list(schemas) == [
        "click", "long_click", "type_text", "scroll", "press_back", "press_home", "finished",
    ]  # fmt: skip
    assert schemas["click"] == {
        "type": "function",
        "name": "click",
        "description": "Touch the element with this text or description.",
        "parameters": {
            "type": "object",
            "properties": {
                "label": {"type": "string", "description": "The text or description of the element."}
            },
            "required": ["label"],
            "additionalProperties": False,
        },
        "strict": False,
    }
    direction = schemas["scroll"]["parameters"]["properties"]["direction"]
    assert direction["enum"] == ["up", "down", "left", "right"]
    assert schemas["finished"]["parameters"]["required"] == []
    json.dumps(list(schemas.values()))


def test_calls_do_what_the_methods_do(tasks: tuple[PhoneTask, ...], phone: PhoneTools) -> None:
    other = phone_tools(tasks)()
    other.reset(task_id=tasks[0].task_id)
    assert call_tool(phone, "press_home", "") == (other.press_home(), False)
    text, over = call_tool(phone, "scroll", '{"direction": "down"}')
    assert (text, over) == (other.scroll("down"), False)
    assert call_tool(phone, "finished", "{}") == ("The episode is over.", True)
    assert call_tool(phone, "press_home", "{}")[1]
    assert phone.get_reward() == 0.0


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("jump", "{}", "there is no tool 'jump'; there are click, long_click, type_text"),
        ("reset", "{}", "there is no tool 'reset'"),
        ("_begin", "{}", "there is no tool '_begin'"),
        ("click", "{", "expected the arguments as JSON, got '{'"),
        ("click", "[1]", "expected the arguments as an object, got [1]"),
        ("click", "{}", "click: label: Field required"),
        ("click", '{"label": "x", "y": 1}', "click: y: Extra inputs are not permitted"),
        ("click", '{"label": "no such words"}', "nothing on the screen says 'no such words'"),
        ("scroll", '{"direction": "north"}', "scroll: direction: Input should be 'up', 'down'"),
        ("type_text", '{"text": null}', "type_text: text: Input should be a valid string"),
    ],
)
def test_a_wrong_call_is_answered_in_a_line(
    phone: PhoneTools, name: str, arguments: str, message: str
) -> None:
    text, over = call_tool(phone, name, arguments)
    assert text.startswith(message)
    assert "\n" not in text
    assert not over
