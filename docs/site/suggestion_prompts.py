"""Track 1's part of docs/reference/prompts.md, as a model gets it, beside the paper's equation (1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from docs.site.labelled_prompt import PROFILE, draw_picture, render_prompt
from fingertip_agents.suggestion import relevant, suggestion_prompt
from fingertip_agents.suggestion.relevant import make_relevant_messages
from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_dataset.times import parse_time
from fingertip_models.messages import Message
from suggestion_runner.inferred import intent_prompt

SCREEN = (108, 240)
"""Width and height of the example's screenshots, px."""

SUMMARY = "On workdays an alarm is set after breakfast."

TASK = SuggestionInput(
    task_id="1__20250310_081530",
    language="en",
    profile=PROFILE,
    time=parse_time("20250310_081530"),
    scenario="residence",
    previous_intents=tuple(
        Intent(user_id="1", time=time, scenario=scenario, app="", text=text)
        for time, scenario, text in (
            ("20250307_081000", "residence", "Open Clock, set an alarm for 6 o'clock"),
            ("20250309_201000", "dining place", "Open Maps, find the way home"),
        )
    ),
)

Prompt = Callable[[SuggestionInput], Sequence[Message]]


def equation_1() -> str:
    """The prompts of track 1: one intent, several, the selection of earlier intents, and what follows it."""
    shown = replace(TASK, screenshots=(draw_picture(SCREEN),))
    one, several = (
        suggestion_prompt.VERSION,
        partial(make_suggestion_messages, language="en", distribution=True),
    )
    parts = {
        f"one intent, prompt {one}": (partial(make_suggestion_messages, language="en"), shown),
        f"several intents with probabilities (`--distribution`), prompt {one}": (several, TASK),
        f"the relevant earlier intents and their summary (`--history relevant`), prompt {relevant.VERSION}": (
            partial(make_relevant_messages, language="en"),
            TASK,
        ),
        f"one intent after that summary, prompt {one}": (
            partial(make_suggestion_messages, language="en", summary=SUMMARY),
            TASK,
        ),
    }
    blocks = [
        f"### {name}\n\n{render_prompt(make(task), make_others(make, task), 'X')}"
        for name, (make, task) in parts.items()
    ]
    inferred = render_prompt(make_inference_prompt(), {}, "screens")
    name = f"an intent inferred from an earlier episode (`infer-intents`), prompt {intent_prompt.VERSION}"
    return "\n\n".join((*blocks, f"### {name}\n\n{inferred}"))


def make_others(make: Prompt, task: SuggestionInput) -> Mapping[str, Sequence[Message]]:
    """Make a prompt with each term of equation (1) hidden in turn.

    Args:
        make: Makes the prompt of a task.
        task: The task of the example.
    """
    hidden = {
        "U": replace(task, profile=UserProfile()),
        "T": replace(task, time=None),
        "S": replace(task, scenario=""),
        "I_hist": replace(
            task, previous_intents=tuple(replace(one, text="Another") for one in task.previous_intents)
        ),
        "X": replace(task, screenshots=()),
    }
    return {term: make(other) for term, other in hidden.items()}


def make_inference_prompt() -> Sequence[Message]:
    """The prompt about an earlier episode of the example, which shows nothing that the person declared."""
    row = {
        "app": "com.clock",
        "screenshots": [{"bytes": draw_picture(SCREEN)}] * 3,
        "actions": [
            {"type": "click", "content": "Add alarm", "text": None, "direction": None},
            {"type": "type", "content": None, "text": "6:00", "direction": None},
        ],
    }
    return intent_prompt.inference_messages(row, language="en", written="en")
