"""Placeholders of prompt files: the one list that is read, refused from, shown in --help and documented."""

from __future__ import annotations

from collections.abc import Mapping

from fingertip_dataset.similar_names import find_similar_name

PLACEHOLDERS: Mapping[str, str] = {
    "task": "all inputs of the paper's section 3.2: profile, time, place, intent, reference trajectory",
    "intent": "the person's intent, in their words",
    "profile": "the person's profile",
    "time": "date, time and day of the week",
    "place": "the place",
    "reference": "how the person did a similar task, in the agent's own syntax",
    "history": "the steps so far, in the agent's own form",
    "elements": "the list of the screen's elements (generalist and autodroid)",
    "app": "the package of the app in front",
    "width": "width of the screen in the units of the agent's coordinates",
    "height": "height of the screen in these units",
    "language": "the language of the answer: Chinese or English, by --language",
}
"""Name of a placeholder -> what is put in its place."""

ALIASES: Mapping[str, str] = {
    "instruction": "task",
    "overall_goal": "task",
    "task_description": "task",
    "previous_actions": "history",
    "stage2_history": "history",
}
"""Names that the agents' own prompts have -> ours."""


def is_placeholder(name: str) -> bool:
    """Whether a name is a placeholder or an alias."""
    return name in PLACEHOLDERS or name in ALIASES


def find_placeholder(name: str) -> str | None:
    """The placeholder or alias that is spelled most like a name; None if none is like it.

    >>> find_placeholder("inten"), find_placeholder("Overall_Goal"), find_placeholder("bbox")
    ('intent', 'overall_goal', None)
    """
    return find_similar_name(name, (*PLACEHOLDERS, *ALIASES))
