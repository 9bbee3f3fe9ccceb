"""Agents of both tracks, and baselines that need no model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_agents.execution_agent import Decision, ExecutionAgent, PastStep, ScreenInput
    from fingertip_agents.model_agent import ModelAgent
    from fingertip_agents.registry import (
        agent_names,
        agent_traits,
        baseline_names,
        execution_agent_names,
        get_agent,
        get_execution_agent,
    )
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
    from fingertip_agents.traits import AgentTraits

__all__ = [
    "AgentSetup",
    "AgentTraits",
    "Decision",
    "ExecutionAgent",
    "FrequentBaseline",
    "HabitBaseline",
    "HabitSettings",
    "ModelAgent",
    "ModelSuggester",
    "Nearest",
    "NearestSettings",
    "PastStep",
    "RecentBaseline",
    "ScreenInput",
    "Suggestion",
    "SuggestionAgent",
    "agent_names",
    "agent_traits",
    "baseline_names",
    "execution_agent_names",
    "get_agent",
    "get_execution_agent",
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
