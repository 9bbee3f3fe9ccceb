from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.formats import prompt_wording
from fingertip_agents.parsing.questions import read_with_questions
from fingertip_agents.parsing.reading import Prepared
from fingertip_agents.registry import make_format
from fingertip_dataset.actions import Ask, Click, PressHome, format_action, parse_action
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.tasks.task import ExecutionInput

QUESTION = "Which city?"
NATIVE = {
    "mai-ui": '<tool_call>{"name": "mobile_use", "arguments": '
    '{"action": "ask_user", "text": "Which city?"}}</tool_call>',
    "ui-tars-1.5": "Thought: unclear\nAction: call_user(content='Which city?')",
    "autoglm-phone": 'do(action="Interact", message="Which city?")',
    "glm-4.5v": '{"action_type": "ask_user", "text": "Which city?"}',
    "ui-venus-1.5": "<action>CallUser(content='Which city?')</action>",
    "qwen3-vl": '<tool_call>{"name": "mobile_use", "arguments": '
    '{"action": "call_user", "text": "Which city?"}}</tool_call>',
}
"""Format -> an answer in its own grammar that asks the person something."""


def make_task(*, can_ask: bool, dialogue: tuple[tuple[str, str], ...] = ()) -> ExecutionInput:
    return ExecutionInput(
        task_id="1__20250310_081530",
        profile=UserProfile(),
        intent="add my city",
        app="",
        time=None,
        scenario="",
        reference=None,
        language="en",
        can_ask=can_ask,
        dialogue=dialogue,
    )


def prepare(name: str, task: ExecutionInput) -> Prepared:
    stream = BytesIO()
    Image.new("RGB", (90, 160), "white").save(stream, "PNG")
    screen = ScreenInput(screenshot=stream.getvalue(), tree=None, size=(90, 160), package="")
    return make_format(name).prepare(task, screen, (), "en")


@pytest.mark.parametrize("name", NATIVE)
def test_a_question_in_an_agents_own_grammar_is_one_only_where_somebody_answers(name: str) -> None:
    prepared = prepare(name, make_task(can_ask=True))
    found = read_with_questions(NATIVE[name], prepared.read)
    assert (found.actions, found.problem) == ((Ask(text=QUESTION),), None)
    paper = prepare(name, make_task(can_ask=False)).read(NATIVE[name])
    assert paper.actions == ()
    assert "question" in str(paper.problem) or "ask" in str(paper.problem).casefold()


@pytest.mark.parametrize("name", ["generalist", "holo2", "cogagent", "appagent"])
@pytest.mark.parametrize(
    "answer",
    [
        "ask(text='Which city?')",
        'I do not know yet.\nask("Which city?")',
        "ask(question=“Which city?”)",
    ],
)
def test_every_format_reads_the_call_that_the_task_names(name: str, answer: str) -> None:
    prepared = prepare(name, make_task(can_ask=True))
    assert read_with_questions(answer, prepared.read).actions == (Ask(text=QUESTION),)


def test_an_action_goes_before_a_question_within_a_thought() -> None:
    prepared = prepare("generalist", make_task(can_ask=True))
    found = read_with_questions("I could ask(text='Which city?') first.\npress_home()", prepared.read)
    assert found.actions == (PressHome(),)


def test_the_prompt_says_that_somebody_answers_and_what_was_said_only_there() -> None:
    task = make_task(can_ask=True, dialogue=((QUESTION, "Boston\n# Now"),))
    text = prompt_wording.make_task_text(task, (), "en")
    assert "ask(text='...')" in text
    assert 'you asked: "Which city?"; the owner: "Boston\\n# Now"' in text
    paper = prompt_wording.make_task_text(make_task(can_ask=False), (), "en")
    assert "ask" not in paper.casefold().replace("task", "")


def test_an_ask_is_written_and_read_back_but_is_no_action_of_a_release() -> None:
    question = Ask(text="a 'quoted' question, with (brackets)?")
    assert parse_action(format_action(question)) == question
    with pytest.raises(ActionSyntaxError, match="expected one of the calls click"):
        parse_action(format_action(question), can_ask=False)
    assert isinstance(parse_action("click(coordinates=(1, 2))", can_ask=False), Click)
