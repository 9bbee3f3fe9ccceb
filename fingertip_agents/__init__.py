"""Agents of both tracks, and baselines that need no model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_agents.execution_agent import Decision, ExecutionAgent, PastStep, ScreenInput
    from fingertip_agents.formats.picture_format import PictureFormat, PictureQuestion
    from fingertip_agents.memory.event import Event
    from fingertip_agents.memory.event_memory import EventMemory, take_latest
    from fingertip_agents.memory.keeper import MemoryKeeper
    from fingertip_agents.memory.memory import Recollection
    from fingertip_agents.memory.memory_registry import memory_names
    from fingertip_agents.memory.memory_setup import MemorySetup
    from fingertip_agents.memory.open_memories import open_memories
    from fingertip_agents.model_agent import ModelAgent
    from fingertip_agents.parsing.json_calls import JsonCall, find_json_calls
    from fingertip_agents.parsing.native_syntax import (
        ENTER,
        make_finished,
        make_refusal,
        make_type,
        refuse_call,
    )
    from fingertip_agents.parsing.parsed_call import read_numbers
    from fingertip_agents.parsing.reading import Reading, WrittenAnswer
    from fingertip_agents.registry import (
        agent_names,
        agent_traits,
        baseline_names,
        execution_agent_names,
        get_agent,
        get_execution_agent,
        moment_baseline_names,
    )
    from fingertip_agents.screens.coordinates import ModelFrame, make_scroll, write_swipe
    from fingertip_agents.setup import AgentSetup
    from fingertip_agents.suggestion.baselines import (
        FrequentBaseline,
        HabitBaseline,
        HabitSettings,
        RecentBaseline,
    )
    from fingertip_agents.suggestion.model_suggester import ModelSuggester
    from fingertip_agents.suggestion.nearest import Nearest, NearestSettings
    from fingertip_agents.suggestion.suggestion_agent import Suggestion, SuggestionAgent
    from fingertip_agents.traits import AgentTraits, format_traits

__all__ = [
    "ENTER",
    "AgentSetup",
    "AgentTraits",
    "Decision",
    "Event",
    "EventMemory",
    "ExecutionAgent",
    "FrequentBaseline",
    "HabitBaseline",
    "HabitSettings",
    "JsonCall",
    "MemoryKeeper",
    "MemorySetup",
    "ModelAgent",
    "ModelFrame",
    "ModelSuggester",
    "Nearest",
    "NearestSettings",
    "PastStep",
    "PictureFormat",
    "PictureQuestion",
    "Reading",
    "RecentBaseline",
    "Recollection",
    "ScreenInput",
    "Suggestion",
    "SuggestionAgent",
    "WrittenAnswer",
    "agent_names",
    "agent_traits",
    "baseline_names",
    "execution_agent_names",
    "find_json_calls",
    "format_traits",
    "get_agent",
    "get_execution_agent",
    "make_finished",
    "make_refusal",
    "make_scroll",
    "make_type",
    "memory_names",
    "moment_baseline_names",
    "open_memories",
    "read_numbers",
    "refuse_call",
    "take_latest",
    "write_swipe",
]

_ALIASES = {
    "Frequent": "FrequentBaseline",
    "Habit": "HabitBaseline",
    "Recent": "RecentBaseline",
    "Screen": "ScreenInput",
}
"""Names of earlier versions."""

if not TYPE_CHECKING:  # with a module `__getattr__`, a type checker would accept any name
    __getattr__, __dir__ = lazy_names(__name__, aliases=_ALIASES)
