"""A.4: an agent of track 2 is not told the app of its task."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.model_agent import Format
from fingertip_agents.registry import FORMATS, make_format
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.messages import Language


def made(name: str) -> Format:
    form = make_format(name)
    return form


@pytest.mark.parametrize("language", get_args(Language))
@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_app_of_the_task_stands_in_no_prompt(
    name: str,
    language: Language,
    alarm_task: ExecutionInput,
    clock_screen: ScreenInput,
    two_steps: tuple[PastStep, ...],
) -> None:
    output = replace(alarm_task, app="com.secret.package/.Main")
    prepared = made(name).prepare(output, clock_screen, two_steps, language)
    text = "\n".join(message.text for message in prepared.messages)
    assert "secret" not in text
    assert "2025-03-10 08:15:30" in text
