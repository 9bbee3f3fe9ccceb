"""Variants of answers that every format reads alike, or refuses by name: never as another action.

The answers are the vectors of each format that are read without a note. A variant has an argument that the
format lacks, thinking before or behind it, prose before or behind it, or no last character.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingertip_agents.parsing.reading import Prepared, Reading
from fingertip_agents.registry import FORMATS
from fingertip_dataset.actions import Finished, PressBack, Wait
from fingertip_models.thinking import split_thinking
from tests.examples import examples
from tests.fingertip_agents.formats.conftest import CASES, Case, Prepare
from tests.fingertip_models.test_thinking import PAIRS

T = TypeVar("T")

often = settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
formats = pytest.mark.parametrize("name", FORMATS)

THOUGHTS = ("想一想", 'It\'s "here" (see 3).', "")
PROSE = (
    "好的。",
    "我先看看屏幕，上面有“确定”（按钮）。",
    "I will do that now.",
    'The button says "OK" (in blue), it\'s the 2nd one.',
    "Then I would wait for the page, type the name and click on it, or go back and be finished.",
    "等页面出现以后再点击、输入或返回，直到任务完成。",
    "It is 7:30, [so] {this} is <done>.",
)
WITH_CALL = ("I could do {} here, but no.", "不要写“{}”，那样不对。", "The page shows `{}` (a hint).")
MARKS = (
    "I",
    "the",
    "我",
    "点击",
    "(",
    ")",
    "[3]",
    "{a}",
    "'",
    '"',
    "“",
    "”",
    "<b>",
    "7:30",
    ":",
    ",",
    "Action",
)
AMONG_LINES = (
    "I could do\n{draft}\nbut no.\n{answer}",
    "First idea:\n{draft}\n\nNo, better:\n{answer}",
    "{answer}\nOr else\n{draft}\nwould do.",
    "{answer}\n\nNext I would do:\n{draft}",
)
ALLOWED = {
    "autoglm-phone": "a call on a line of its own counts more than one within a sentence",
    "ui-tars-2": "a call that is repeated is performed twice: the format has several calls in one answer",
}
"""Format that performs a draft on a line of its own outside the thinking -> the rule of its grammar."""

UNKNOWN = ("reason='it is (so), yes'", 'reason="先点这里"', "reason=3", "reason=True", "reason=[1, 2]")
UNKNOWN_TEXTS = ("it's (so), yes", "3", "[1, 2]", "a: b")
UNKNOWN_JSON = ('it is {so}, "yes"', 3, True, None, [1, 2], {"a": 1})

# a call that ends its line: its name, its arguments, and what stands behind the bracket
_CALL = re.compile(r"^(.*?[A-Za-z_]\w*\()(.*)(\)[\s`;.。]*(?:<[^<>\n]*>[\s]*)*)$", re.MULTILINE)
# a call without its label and tags
_BARE_CALL = re.compile(r"\{.*\}|[A-Za-z_][\w.]*\(.*\)", re.DOTALL)
_BEGIN = re.compile(r"[A-Za-z_]\(")
_TWO_CALLS = re.compile(r"\)(?:,| and then) [a-z_]+\(|\) because|</\w+>.*\(")
_TAB = re.compile(r"\baction:[A-Z_]+(?=\t|$)")
_OBJECTS = (
    re.compile(r'"(?:arguments|parameters)"\s*:\s*\{(?=\s*")'),
    re.compile(r'\{(?="action(?:_type)?"\s*:\s*")'),
    # of JSON within JSON the arguments are a text
    re.compile(r'\{(?=\s*"(?!name"|function"))'),
)


def add_argument(answer: str) -> Iterator[str]:
    """Yield an answer with an argument that no format has, in each place and form of its syntax.

    Answers with several calls are left alone: some of theirs are not performed.
    """
    call = split_thinking(answer).text
    if call and call != answer and answer.endswith(call):
        for variant in add_argument(call):
            yield answer.removesuffix(call) + variant
        return
    objects = next((found for place in _OBJECTS if (found := list(place.finditer(answer)))), [])
    if "</function>" in answer:
        added = [f"<parameter=reason>{value}</parameter>\n" for value in UNKNOWN_TEXTS]
        places = [found.start() for found in re.finditer("</function>", answer)]
    elif _TAB.search(answer):
        added = [f"\treason:{value}" for value in UNKNOWN_TEXTS]
        places = [found.end() for found in _TAB.finditer(answer)]
    elif objects:
        added = [f'"reason": {json.dumps(value)}, ' for value in UNKNOWN_JSON]
        places = [found.end() for found in objects]
    else:
        calls = list(_CALL.finditer(answer))
        lines = sum(bool(_BEGIN.search(line)) for line in answer.split("\n"))
        if len(calls) == lines == 1 and not _TWO_CALLS.search(calls[0][2]):
            for argument in take(UNKNOWN, len(answer), 3):
                for inside in join_arguments(calls[0][2], argument):
                    yield f"{answer[: calls[0].start(2)]}{inside}{answer[calls[0].end(2) :]}"
        return
    if len(places) == 1:
        for argument in added:
            yield f"{answer[: places[0]]}{argument}{answer[places[0] :]}"


def join_arguments(given_arguments: str, argument: str) -> tuple[str, ...]:
    """Return the arguments with another one before and behind them."""
    if not given_arguments.strip():
        return (argument,)
    behind = f"{given_arguments.rstrip().removesuffix(',')}, {argument}"
    return f"{argument}, {given_arguments}", behind


def take(items: Sequence[T], number: int, count: int) -> list[T]:
    """Return some of the items, others for each number; `make soak` takes more."""
    return [items[(number * count + at) % len(items)] for at in range(min(examples(6 * count), len(items)))]


def think(answer: str, draft: str, number: int) -> Iterator[str]:
    """Yield an answer with thinking before it, or behind it, in several spellings."""
    for begin, end in take(PAIRS, number, 2):
        yield f"{begin}{draft}{end}\n{answer}"
        yield f"{begin}{take(THOUGHTS, number, 1)[0]}{end}\n{answer}"
    for begin, end in take(PAIRS[:-2], number, 1):
        yield f"{draft}{end}\n{answer}"
        yield f"{answer}\n{begin}{draft}{end}"


def add_prose(answer: str, draft: str, number: int) -> Iterator[str]:
    """Yield an answer with prose before it or behind it, also prose with a call."""
    call = find_bare_call(draft)
    for prose in take((*PROSE, *(words.format(call) for words in WITH_CALL)), number, 1):
        yield f"{prose}\n{answer}"
        yield f"{prose}\n\n{answer}\n\n{prose}"
        yield f"{answer} {prose}"


def find_bare_call(draft: str) -> str:
    """Return a call without its label and tags, in one line."""
    bare = _BARE_CALL.search(draft)
    return " ".join((bare[0] if bare else draft).split())


def list_complete(name: str) -> list[Case]:
    """The vectors of a format that are read without a note."""
    return [
        case
        for case in CASES[name]["vectors"]
        if "actions" in case and not case.get("notes") and isinstance(case["answer"], str)
    ]


def is_alike(reading: Reading, right: Reading) -> bool:
    """Whether a reading is the same as the right one."""
    return (reading.actions, reading.opens) == (right.actions, right.opens)


def write_draft(agent: Prepared) -> str:
    """A call of the format that would end the task, or else go back or wait."""
    written = (agent.write([action]) for action in (Finished(), PressBack(), Wait()))
    return split_thinking(next(answer.text for answer in written if answer)).text


@formats
def test_an_unknown_argument_is_left_out(name: str, prepare: Prepare) -> None:
    wrong, variants = list[tuple[str, Reading]](), 0
    for case in list_complete(name):
        agent = prepare(name, case)
        right = agent.read(case["answer"])
        for variant in add_argument(case["answer"]):
            variants += 1
            reading = agent.read(variant)
            if not reading.problem and not (is_alike(reading, right) and reading.notes):
                wrong.append((variant, reading))
    assert variants > 5
    assert wrong == []


@formats
def test_thinking_is_left_out(name: str, prepare: Prepare) -> None:
    wrong = list[tuple[str, Reading]]()
    for number, case in enumerate(list_complete(name)):
        agent = prepare(name, case)
        right = agent.read(case["answer"])
        for variant in think(case["answer"], write_draft(agent), number):
            reading = agent.read(variant)
            if not is_alike(reading, right):
                wrong.append((variant, reading))
    assert wrong == []


@formats
def test_prose_is_not_performed(name: str, prepare: Prepare) -> None:
    wrong = list[tuple[str, Reading]]()
    for number, case in enumerate(list_complete(name)):
        agent = prepare(name, case)
        right = agent.read(case["answer"])
        for variant in add_prose(case["answer"], write_draft(agent), number):
            reading = agent.read(variant)
            if not is_alike(reading, right) and not reading.problem:
                wrong.append((variant, reading))
    assert wrong == []


@formats
@often
@given(data=st.data())
def test_no_words_around_an_answer_are_performed(name: str, data: st.DataObject, prepare: Prepare) -> None:
    cases = list_complete(name)
    case = data.draw(st.sampled_from(cases))
    names = {found for case in cases for found in re.findall(r"[A-Za-z_]{3,20}(?=\()", case["answer"])}
    words = st.sampled_from([*MARKS, *sorted(names)])
    # a word alone in a line may be a call without arguments
    line = st.lists(words, min_size=4, max_size=12).map(" ".join)
    agent = prepare(name, case)
    reading = agent.read(f"{data.draw(line)}\n{case['answer']}\n{data.draw(line)}")
    assert reading.problem or is_alike(reading, agent.read(case["answer"]))


@formats
def test_a_draft_among_the_lines_is_not_performed(name: str, prepare: Prepare) -> None:
    wrong = list[tuple[str, Reading]]()
    for number, case in enumerate(list_complete(name)):
        agent = prepare(name, case)
        right = agent.read(case["answer"])
        for words in take(AMONG_LINES, number, 2):
            variant = words.format(draft=find_bare_call(write_draft(agent)), answer=case["answer"])
            reading = agent.read(variant)
            if not is_alike(reading, right) and not reading.problem:
                wrong.append((variant, reading))
    # a rule that is no longer needed leaves the table
    assert bool(wrong) == (name in ALLOWED), wrong


@formats
def test_without_its_last_character_it_is_no_other_action(name: str, prepare: Prepare) -> None:
    wrong = list[tuple[str, Reading]]()
    for case in list_complete(name):
        agent = prepare(name, case)
        right = agent.read(case["answer"])
        reading = agent.read(case["answer"][:-1])
        if not is_alike(reading, right) and not reading.problem:
            wrong.append((case["answer"], reading))
    assert wrong == []
