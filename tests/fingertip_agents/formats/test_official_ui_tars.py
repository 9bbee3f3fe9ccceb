"""UI-TARS's own parser, the package ui-tars, next to ours on the same answers.

Every difference is decided by a row of official/ui-tars.toml: a pattern of answers, what the two make of an
example, and why. A difference without a row fails, and so does a row without a difference.
"""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from ui_tars.action_parser import parse_action_to_structure_output

from fingertip_agents.formats.ui_tars import UITars15, UITarsV1
from fingertip_agents.parsing.reading import Reading, read_output
from fingertip_agents.screens.coordinates import ModelFrame
from fingertip_dataset.actions import Action, Click, Finished, LongClick, Scroll, Type
from tests.fingertip_agents.formats.conftest import CASES

WIDTH, HEIGHT = 1080, 2400
FRAMES = {
    "ui-tars-1.5": ModelFrame(size=(1092, 2408), screen=(WIDTH, HEIGHT)),
    "ui-tars-v1": ModelFrame(size=(1000, 1000), screen=(WIDTH, HEIGHT)),
}
ROWS: list[dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "official" / "ui-tars.toml").read_text(encoding="utf-8")
)["differences"]

POINTS = ("(540,1200)", "<point>540 1200</point>", "(0,0)", "(539.5,1200)", "(400,480,600,520)")
V1_POINTS = ("(500,500)", "<point>500 500</point>", "(0,0)", "(999,999)", "<|box_start|>(500,500)<|box_end|>")
TEXTS = ("hi", "你好", "a, (b)", "it\\'s", "it's", 'say "hi"', "a\\n", "Action: wait()", "", "1+1=2", "50%")
KEYS = ("enter", "ctrl c", "back")
THOUGHTS = ("", "Thought: I tap it.\n", "Thought: 点这里。\n第二行\n", "Reflection: a\nAction_Summary: b\n")
TAGGED = ("<think>go</think>\n", "<think>Action: wait()</think>\n", "I see it.\n")


def list_calls(points: tuple[str, ...]) -> Iterator[str]:
    """Yield every call of the prompts, with every form of its arguments."""
    for point in points:
        yield from (f"{verb}(start_box='{point}')" for verb in ("click", "long_press", "left_double"))
        yield f"click(point='{point}')"
        yield f"drag(start_box='{point}', end_box='(10,20)')"
        yield f"scroll(start_box='{point}', end_box='(10,20)')"
        for direction in ("up", "down", "left", "right"):
            yield f"scroll(point='{point}', direction='{direction}')"
    for text in TEXTS:
        yield f"type(content='{text}')"
        yield f"finished(content='{text}')"
        yield f"open_app(app_name='{text}')"
    yield from (f'type(content="{text}")' for text in TEXTS if '"' not in text)
    yield from (f"hotkey(key='{key}')" for key in KEYS)
    yield from (
        "press_home()",
        "press_back()",
        "wait()",
        "finished()",
        "call_user()",
        "scroll(direction='down')",
    )


def spoil(call: str) -> Iterator[str]:
    """Yield a call with an argument too many, or a part too few."""
    name, arguments = call.rstrip(")").split("(", 1)
    comma = ", " if arguments else ""
    for more in ("status='ok'", "enter=True", "time=2", "time=''"):
        yield f"{name}({arguments}{comma}{more})"
    yield from (call[:-1], call[:-2], f"{call} then wait", f"{call}\n", f"`{call}`", f"{name} ({arguments})")
    yield call.replace("'", "’").replace("’", "‘", 1)
    yield call.replace("(", "（").replace(")", "）")


def list_answers(points: tuple[str, ...]) -> Iterator[str]:
    """Yield answers: all calls, and some of them among thoughts, faults, and further calls."""
    calls = list(list_calls(points))
    yield from (f"Action: {call}" for call in calls)
    some = [
        f"click(start_box='{points[0]}')",
        "type(content='hi')",
        "finished(content='7:30')",
        "press_back()",
    ]
    for call in some:
        yield from (f"{thought}Action: {call}" for thought in (*THOUGHTS, *TAGGED))
        yield from (f"Action: {wrong}" for wrong in spoil(call))
        yield from (
            call,
            f"Action:{call}",
            f"Action：{call}",
            f"**Action:** {call}",
            f"action: {call}",
            f"Action:\n{call}",
        )
    for first, second in itertools.product([*some, "call_user()", "wait()"], some):
        yield f"Action: {first}\n\n{second}"
        yield f"Action: {first}\n{second}"
        yield f"Thought: a\nAction: {first}\nThought: b\nAction: {second}"
    yield from (
        "type(content=7)",
        "Action: type(content=7)",
        "Action: finished(content=7)",
        "Action: wait",
        "",
        "Action: ",
    )


def read_official(name: str, answer: str) -> list[tuple[object, ...]] | str:
    """Return what the official parser makes of an answer, in the terms of `describe`; or the error's name."""
    kind = {"ui-tars-1.5": "qwen25vl", "ui-tars-v1": "qwen2vl"}[name]
    try:
        parsed = parse_action_to_structure_output(answer, 1000, HEIGHT, WIDTH, model_type=kind)
    except Exception as error:
        return type(error).__name__
    return [convert_official(call["action_type"], call["action_inputs"]) for call in parsed]


def convert_official(verb: str, inputs: Mapping[str, Any]) -> tuple[object, ...]:
    """Return a call of the official parser as what it does on a phone."""
    start, end = (find_center(inputs.get(box)) for box in ("start_box", "end_box"))
    match verb:
        case "click" | "long_press" if start:
            return (verb, *start)
        case "drag" | "scroll" | "swipe" if start and end:
            across, down = end[0] - start[0], end[1] - start[1]
            sides = ("left", "right") if abs(across) > abs(down) else ("up", "down")
            return ("scroll", *start, sides[(across if sides[0] == "left" else down) < 0])
        case "scroll" if "direction" in inputs:
            return ("scroll", *(start or (WIDTH / 2, HEIGHT / 2)), inputs["direction"])
        case "type" | "finished":
            return (verb, inputs.get("content", ""))
        case "open_app":
            return (verb, inputs.get("app_name", ""))
        case "hotkey" if inputs.get("key", "").lower() == "enter":
            return ("type", "\n")
        case "hotkey" if inputs.get("key", "").lower() == "back":
            return ("press_back",)
        case _:
            rest = (value for name, value in inputs.items() if name not in ("start_box", "end_box"))
            return (verb, *(start or ()), *rest)


def find_center(box: str | None) -> tuple[float, float] | None:
    """Return the centre of a box of fractions on the phone, px."""
    if box is None:
        return None
    left, top, right, bottom = json.loads(box)
    return (left + right) / 2 * WIDTH, (top + bottom) / 2 * HEIGHT


def describe(reading: Reading) -> list[tuple[object, ...]] | None:
    """Return a reading in terms of what is done on a phone; None for a refusal."""
    if reading.problem:
        return None
    return [("open_app", reading.opens)] if reading.opens else list(map(describe_action, reading.actions))


def describe_action(action: Action) -> tuple[object, ...]:
    """Return an action in the terms of the comparison."""
    match action:
        case Click() | LongClick():
            return ("click" if isinstance(action, Click) else "long_press", action.x, action.y)
        case Scroll():
            return ("scroll", action.x, action.y, action.direction)
        case Type():
            return ("type", action.text)
        case Finished():
            return ("finished", action.content or "")
        case _:
            return (action.name,)


def spell(done: list[tuple[object, ...]]) -> str:
    """Return what is done as a text, such as "click 539, 1200; press_back"."""
    return "; ".join(f"{name} {', '.join(map(spell_value, values))}".strip() for name, *values in done)


def spell_value(value: object) -> str:
    """Return a place rounded to pixels, or a text in quotes."""
    return str(round(value)) if isinstance(value, int | float) else repr(value)


def are_alike(ours: list[tuple[object, ...]], official: list[tuple[object, ...]]) -> bool:
    """Whether two lists of actions are equal, with places up to a pixel."""
    return len(ours) == len(official) and all(
        len(one) == len(other)
        and all(
            abs(a - b) <= 1 if isinstance(a, int | float) and isinstance(b, int | float) else a == b
            for a, b in zip(one, other, strict=True)
        )
        for one, other in zip(ours, official, strict=True)
    )


def compare(name: str, answer: str) -> str:
    """Return "alike", "both refuse", "official raises", "ours refuses", or "differs"."""
    agent = UITars15() if name == "ui-tars-1.5" else UITarsV1()
    own = partial(agent.read, frame=FRAMES[name])
    ours = describe(read_output(answer, own))
    official = read_official(name, answer)
    if isinstance(official, str):
        return "both refuse" if ours is None else "official raises"
    if ours is None:
        return "ours refuses"
    return "alike" if are_alike(ours, official) else "differs"


@cache
def all_differences() -> tuple[int, tuple[tuple[str, str, str], ...]]:
    """Return the number of answers, and format, answer and relation of each difference."""
    answers = {
        (name, answer)
        for name, points in (("ui-tars-1.5", POINTS), ("ui-tars-v1", V1_POINTS))
        for answer in list_answers(points)
    } | {
        (name, case["answer"])
        for name in FRAMES
        for case in CASES[name]["vectors"]
        if isinstance(case["answer"], str) and not case.get("settings")
    }
    found = [(name, answer, compare(name, answer)) for name, answer in sorted(answers)]
    return len(found), tuple(row for row in found if row[2] not in ("alike", "both refuse"))


def has_row(row: Mapping[str, str], answer: str, relation: str) -> bool:
    """Whether a row of the table names this difference."""
    return row["relation"] == relation and re.search(row["pattern"], answer, re.DOTALL) is not None


def test_every_difference_from_the_official_parser_is_decided() -> None:
    count, differences = all_differences()
    assert count > 500
    undecided = [
        difference
        for difference in differences
        if not any(has_row(row, difference[1], difference[2]) for row in ROWS)
    ]
    assert undecided == []


@pytest.mark.parametrize("row", ROWS, ids=[row["kind"] for row in ROWS])
def test_a_decided_difference_occurs(row: Mapping[str, str]) -> None:
    _, differences = all_differences()
    assert any(has_row(row, answer, relation) for _, answer, relation in differences)
    assert has_row(row, row["answer"], compare("ui-tars-1.5", row["answer"]))
    official = read_official("ui-tars-1.5", row["answer"])
    assert (f"raises {official}" if isinstance(official, str) else spell(official)) == row["official"]
    done = describe(read_output(row["answer"], partial(UITars15().read, frame=FRAMES["ui-tars-1.5"])))
    assert (spell(done) if done else "refused") == row["ours"]
