"""Placeholders of prompt files: the lists that are read, refused from, shown in --help and documented."""

from __future__ import annotations

from collections.abc import Mapping

from fingertip_dataset.similar_names import find_similar_name
from fingertip_dataset.track import Track

EXECUTION_PLACEHOLDERS: Mapping[str, str] = {
    "task": "what stays the same in a task: profile, intent, reference trajectory, and what --with adds",
    "intent": "the person's intent, in their words",
    "profile": "the person's profile",
    "profile_sentence": "the known fields of the profile in one sentence",
    "time": "date, time and day of the week; needs --with time",
    "place": "the place; needs --with place",
    "reference": "how the person did a similar task, in the agent's own syntax",
    "reference_actions": "the actions of that task alone, joined by ，",
    "memory": "what --memory recalled for the task; nothing without one",
    "history": "the steps so far, in the agent's own form",
    "past_actions": "the actions so far in the agent's own syntax, each followed by ，",
    "elements": "the list of the screen's elements (generalist and autodroid)",
    "nodes": "text, description and hint of each element, joined by ，, with its centre, as a list",
    "app": "the package of the app in front; needs --with package",
    "width": "width of the screen in the units of the agent's coordinates",
    "height": "height of the screen in these units",
    "language": "English name of the language that the person writes, such as Chinese",
}
"""Name of a placeholder of track 2 -> what is put in its place."""

SUGGESTION_PLACEHOLDERS: Mapping[str, str] = {
    "task": "all that is shown of a task, as in our prompt",
    "profile": "the known fields of the person's profile",
    "profile_sentence": "the same in one sentence",
    "time": "date, time, day of the week and part of the day",
    "place": "the place",
    "intents": "the earlier intents with time and place, oldest first, numbered, one a line",
    "intent_texts": "the words of the earlier intents alone, joined by ，",
    "memory": "what --memory recalled for the task beside earlier intents; nothing without one",
    "summary": "the model's summary of the earlier intents, with --history relevant",
    "screenshots": "a sentence that says how many screenshots are attached; nothing without any",
    "most": "maximum number of intents, for --distribution",
    "language": "English name of the language that the person writes, such as Chinese",
}
"""Name of a placeholder of track 1 -> what is put in its place."""

PLACEHOLDERS: Mapping[Track, Mapping[str, str]] = {
    "suggestion": SUGGESTION_PLACEHOLDERS,
    "execution": EXECUTION_PLACEHOLDERS,
}

EXECUTION_TERMS: Mapping[str, tuple[str, ...]] = {
    "profile": ("task", "profile", "profile_sentence"),
    "intent": ("task", "intent"),
    "reference": ("task", "reference", "reference_actions"),
    "past actions": ("history", "past_actions"),
    "tree": ("elements", "nodes"),
}
"""Term of the paper's equation (2) that is text -> the placeholders that show it."""

EXECUTION_EXTRA = ("time", "place", "app")
"""Placeholders of what equation (2) does not have."""

SUGGESTION_TERMS: Mapping[str, tuple[str, ...]] = {
    "profile": ("task", "profile", "profile_sentence"),
    "time": ("task", "time"),
    "place": ("task", "place"),
    "intents": ("task", "intents", "intent_texts"),
}
"""Term of the paper's equation (1) that is text -> the placeholders that show it."""

ALIASES: Mapping[str, str] = {
    "instruction": "task",
    "overall_goal": "task",
    "task_description": "task",
    "previous_actions": "history",
    "stage2_history": "history",
}
"""Names that the agents' own prompts of track 2 have -> ours."""


def list_placeholders(track: Track) -> tuple[str, ...]:
    """Names of the placeholders of a track, with aliases."""
    return (*PLACEHOLDERS[track], *(ALIASES if track == "execution" else ()))


def find_placeholder(name: str, track: Track) -> str | None:
    """The placeholder or alias that is spelled most like a name; None if none is like it.

    >>> [find_placeholder(name, "execution") for name in ("inten", "Overall_Goal", "bbox")]
    ['intent', 'overall_goal', None]
    """
    return find_similar_name(name, list_placeholders(track))
