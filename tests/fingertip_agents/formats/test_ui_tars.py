"""Pictures in the conversation of UI-TARS."""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.formats.ui_tars import UITarsV1
from fingertip_dataset.actions import Wait
from fingertip_dataset.tasks.task import ExecutionInput


def test_screens_and_answers_alternate_and_five_pictures_are_kept(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    def shot(color: int) -> bytes:
        written = io.BytesIO()
        Image.new("RGB", (90, 200), (color, 0, 0)).save(written, "PNG")
        return written.getvalue()

    screens = [shot(color) for color in range(7)]
    past = [
        PastStep(action=Wait(), written="wait()", output=f"Action: wait() {n}", screenshot=screens[n])
        for n in range(6)
    ]
    screen = replace(clock_screen, screenshot=screens[6], size=(90, 200))
    for limit, most in ((5, 5), (1, 1), (9, 7)):
        agent = UITarsV1(max_pictures=limit)
        prompt, *turns = agent.prepare(alarm_task, screen, past, "zh").messages
        assert not prompt.images
        shown = [image for message in turns for image in message.images]
        assert shown == screens[7 - most :]
        answers = [message.text for message in turns if message.role == "assistant"]
        assert answers == [step.output for step in past]
        roles = [message.role for message in turns[-2 * most + 1 :]]
        assert roles == ["user", *["assistant", "user"] * (most - 1)]
