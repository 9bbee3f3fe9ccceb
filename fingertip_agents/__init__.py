"""Agents of both tracks, and baselines that need no model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_agents.baselines import FrequentBaseline, HabitBaseline, HabitSettings, RecentBaseline
    from fingertip_agents.execution_agent import Decision, ExecutionAgent, PastStep, ScreenInput
    from fingertip_agents.model_agent import ModelAgent
    from fingertip_agents.model_suggester import ModelSuggester
    from fingertip_agents.nearest import Nearest, NearestSettings
    from fingertip_agents.registry import (
        agent_names,
        agent_traits,
        baseline_names,
        execution_agent_names,
        get_agent,
        get_execution_agent,
    )
    from fingertip_agents.setup import AgentSetup
    from fingertip_agents.suggestion_agent import Suggestion, SuggestionAgent
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

_MODULES = {
    "AgentSetup": "setup",
    "AgentTraits": "traits",
    "Decision": "execution_agent",
    "ExecutionAgent": "execution_agent",
    "FrequentBaseline": "baselines",
    "HabitBaseline": "baselines",
    "HabitSettings": "baselines",
    "ModelAgent": "model_agent",
    "ModelSuggester": "model_suggester",
    "Nearest": "nearest",
    "NearestSettings": "nearest",
    "PastStep": "execution_agent",
    "RecentBaseline": "baselines",
    "ScreenInput": "execution_agent",
    "Suggestion": "suggestion_agent",
    "SuggestionAgent": "suggestion_agent",
    "agent_names": "registry",
    "agent_traits": "registry",
    "baseline_names": "registry",
    "execution_agent_names": "registry",
    "get_agent": "registry",
    "get_execution_agent": "registry",
}
_ALIASES = {
    "Frequent": "FrequentBaseline",
    "Habit": "HabitBaseline",
    "Recent": "RecentBaseline",
    "Screen": "ScreenInput",
}
"""Names of earlier versions."""

if not TYPE_CHECKING:  # with a module `__getattr__`, a type checker would accept any name
    __getattr__, __dir__ = lazy_names(__name__, _MODULES, _ALIASES)
