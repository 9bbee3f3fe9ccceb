"""Calls among prose and within a thought."""

from __future__ import annotations

import re

import pytest

from fingertip_agents.parsing.arguments import Grammar, read_calls
from fingertip_agents.parsing.call_order import keep_first_run, refuse_draft
from fingertip_dataset.errors import ActionSyntaxError

GRAMMAR = Grammar(calls=("click", "wait"), arguments=("box",), bare=("wait",))
FILLER = re.compile(r"[\s`]{0,40}")


@pytest.mark.parametrize(
    ("text", "kept", "notes"),
    [
        ("wait()\n\n`click(box=(1,2))`", 2, 0),
        ("wait()\nThen\nclick(box=(1,2))\nwait()", 1, 1),
        ("wait()\nwait()\nelse\nclick(box=(1,2))", 2, 1),
    ],
)
def test_calls_behind_prose_are_left_out_with_a_note(text: str, kept: int, notes: int) -> None:
    run, note = keep_first_run(text, read_calls(text, GRAMMAR), FILLER)
    assert (len(run), bool(note)) == (kept, notes)


@pytest.mark.parametrize("label", ["Thought:", "**Thought:** ", "思考："])
def test_a_call_in_the_middle_of_a_thought_is_refused(label: str) -> None:
    for end in ("", "\n", "\n```", "</answer>"):
        text = f"{label} it loads.\nwait(){end}"
        refuse_draft(text, read_calls(text, GRAMMAR), FILLER)
    text = f"{label} I could\nwait()\nbut no."
    with pytest.raises(ActionSyntaxError, match="expected a call behind the thought"):
        refuse_draft(text, read_calls(text, GRAMMAR), FILLER)
    refuse_draft(text.removeprefix(label), read_calls(text.removeprefix(label), GRAMMAR), FILLER)
