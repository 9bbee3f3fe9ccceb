"""Answers of a model that does what the person did, in the format of an agent."""

from __future__ import annotations

from collections.abc import Iterator

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.registry import make_format
from fingertip_dataset.actions import parse_action
from fingertip_environments import PhoneCore, PhoneTask


def write_golden_answers(task: PhoneTask, format_name: str) -> Iterator[str]:
    """Yield the answer to each screen; a format may have one for a touch and a text together."""
    core, written_in = PhoneCore(), make_format(format_name)
    core.reset(task)
    actions, past = [parse_action(action) for action in task.task.target.golden_actions], list[PastStep]()
    while len(past) < len(actions):
        screen = ScreenInput(screenshot=core.png(), tree=core.tree(), size=core.phone.size, package="")
        prepared = written_in.prepare(task.shown_input, screen, past, "zh")
        answer = prepared.write(actions[len(past) :])
        assert answer is not None, f"{format_name} has no {actions[len(past)]}"
        yield answer.text
        for action in actions[len(past) : len(past) + answer.actions]:
            core.step(action)
            past.append(PastStep(action=action, written="", output=answer.text))
