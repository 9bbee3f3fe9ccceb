"""Agents by name: ours in a plain dict a track, others by the entry points of installed packages.

An installed package adds an agent with a line in its pyproject.toml; the object it names is called without
arguments and returns a `SuggestionAgent` (track 1) or an `ExecutionAgent` (track 2)::

    [project.entry-points."fingertip.agents"]
    mine = "my_package.my_module:MyAgent"

    [project.entry-points."fingertip.execution_agents"]
    mine = "my_package.my_module:MyPhoneAgent"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import signature
from typing import Any

from fingertip_agents.baselines import FrequentBaseline, HabitBaseline, RecentBaseline
from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_agents.nearest import Nearest
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion_agent import SuggestionAgent
from fingertip_dataset.errors import FingerTipError, ModelError, UsageError

GROUP = "fingertip.agents"
EXECUTION_GROUP = "fingertip.execution_agents"

FORMATS: Mapping[str, str] = {
    "appagent": "appagent:AppAgent",
    "aguvis": "aguvis:Aguvis",
    "autodroid": "autodroid:AutoDroid",
    "cogagent": "cogagent:CogAgent",
    "generalist": "generalist:Generalist",
    "qwen2.5-vl": "qwen_vl:Qwen25VL",
    "qwen3-vl": "qwen_vl:Qwen3VL",
    "ui-tars-1.5": "ui_tars:UITars15",
    "ui-tars-v1": "ui_tars:UITarsV1",
}
"""Agents that are a prompt and an output format around a model: name -> module of `formats` and class."""


def agent_names() -> tuple[str, ...]:
    """The names of all agents of track 1, sorted, without importing any of the installed ones."""
    return tuple(sorted({*AGENTS, *_installed(GROUP)}))


def get_agent(name: str, setup: AgentSetup | None = None) -> SuggestionAgent:
    """The agent of track 1 of that name.

    Args:
        name: One of `agent_names`.
        setup: What it may need; without it there is no model.

    Raises:
        UsageError: There is none of that name, or it needs a model and the setup has none.
        ModelError: An installed one cannot be imported or made, or is no agent.

    >>> get_agent("habit").name
    'habit'
    """
    if name in AGENTS:
        return AGENTS[name](setup or AgentSetup())
    installed = _installed(GROUP)
    if name not in installed:
        raise UsageError(f"expected an agent, one of {', '.join(agent_names())}, got {name!r}")
    agent: SuggestionAgent = _load(installed[name], "suggest")
    return agent


def execution_agent_names() -> tuple[str, ...]:
    """The names of all agents of track 2, sorted, without importing any of the installed ones."""
    return tuple(sorted({*EXECUTION_AGENTS, *FORMATS, *_installed(EXECUTION_GROUP)}))


def get_execution_agent(name: str, setup: AgentSetup | None = None) -> ExecutionAgent:
    """The agent of track 2 of that name.

    Args:
        name: One of `execution_agent_names`.
        setup: What it may need; without it there is neither a model nor anything else.

    Raises:
        UsageError: There is none of that name, or it needs something that the setup does not have.
        ModelError: An installed one cannot be imported or made, or is no agent.
    """
    setup = setup or AgentSetup()
    name = EXECUTION_ALIASES.get(name, name)
    if setup.screen_description is not None and name not in FORMATS:
        raise _no_description(name, setup.screen_description)
    if name in EXECUTION_AGENTS:
        return EXECUTION_AGENTS[name](setup)
    if name in FORMATS:
        return _model_agent(name, setup)
    installed = _installed(EXECUTION_GROUP)
    if name not in installed:
        raise UsageError(f"expected an agent, one of {', '.join(execution_agent_names())}, got {name!r}")
    agent: ExecutionAgent = _load(installed[name], "act")
    return agent


def _shortest_path_oracle(setup: AgentSetup) -> ExecutionAgent:
    from fingertip_agents.shortest_path_oracle import ShortestPathOracle

    return ShortestPathOracle(setup.simulations)


def _human(setup: AgentSetup) -> ExecutionAgent:
    from fingertip_agents.human import Human

    return Human()


def _imitate(setup: AgentSetup) -> ExecutionAgent:
    from fingertip_agents.imitate import Imitate

    return Imitate()


def _scripted(setup: AgentSetup) -> ExecutionAgent:
    from fingertip_agents.scripted import Scripted

    if setup.script is None:
        raise UsageError("expected a file of actions for the agent scripted, got none: give --script FILE")
    return Scripted(setup.script)


EXECUTION_AGENTS: dict[str, Callable[[AgentSetup], ExecutionAgent]] = {
    "human": _human,
    "imitate": _imitate,
    "scripted": _scripted,
    "shortest-path-oracle": _shortest_path_oracle,
}
"""Ours without a model; a name that stands here or in `FORMATS` cannot be taken by an installed package."""

EXECUTION_ALIASES: Mapping[str, str] = {"generic": "shortest-path-oracle"}
"""Names of earlier versions."""


def _model(setup: AgentSetup) -> SuggestionAgent:
    from fingertip_agents.model_suggester import ModelSuggester
    from fingertip_models.model import open_model

    opened = setup.opened
    if opened is None:
        if setup.model is None:
            raise _no_model("model")
        opened = open_model(setup.model)
    return ModelSuggester(
        opened,
        distribution=setup.distribution,
        relevant=setup.relevant,
        history_model=setup.history_model,
    )


AGENTS: Mapping[str, Callable[[AgentSetup], SuggestionAgent]] = {
    "frequent": lambda setup: FrequentBaseline(distribution=setup.distribution),
    "habit": lambda setup: HabitBaseline(distribution=setup.distribution),
    "model": _model,
    "nearest": lambda setup: Nearest(distribution=setup.distribution),
    "recent": lambda setup: RecentBaseline(),
}
"""Ours of track 1; a name that stands here cannot be taken by an installed package."""


def _no_model(name: str) -> UsageError:
    return UsageError(
        f"expected a model for the agent {name}, got none: give --model NAME, and --base-url URL of an "
        "OpenAI-compatible server"
    )


def _model_agent(name: str, setup: AgentSetup) -> ExecutionAgent:
    from fingertip_agents.model_agent import Format, ModelAgent
    from fingertip_models.chat_client import ChatClient

    if setup.model is None:
        raise _no_model(name)
    module, _, noun = FORMATS[name].partition(":")
    made: Callable[..., Format] = getattr(import_module(f"fingertip_agents.formats.{module}"), noun)
    settings: dict[str, object] = {}
    known = signature(made).parameters
    if setup.model.max_pixels is not None:
        if "max_pixels" not in known:
            raise UsageError(
                f"expected no limit of pixels for the agent {name}, which is sent no picture, got "
                f"{setup.model.max_pixels}"
            )
        settings["max_pixels"] = setup.model.max_pixels
    if setup.screen_description is not None:
        if "screen_description" not in known:
            raise _no_description(name, setup.screen_description)
        settings["screen_description"] = setup.screen_description
    return ModelAgent(made(**settings), ChatClient(setup.model))


def _no_description(name: str, form: str) -> UsageError:
    return UsageError(
        f"--screen-description {form} is for the agent generalist; the agent {name} is told the screen in a "
        "form of its own"
    )


def _installed(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}


def _load(point: EntryPoint, verb: str) -> Any:  # noqa: ANN401 - of either track
    """Whatever a third party's code raises while it is imported becomes one line."""
    try:
        agent = point.load()()
        missing = [part for part in ("name", "settings", verb) if not hasattr(agent, part)]
    except FingerTipError:
        raise
    except Exception as error:
        raise ModelError(
            f"expected the agent {point.name} from {point.value}, got {type(error).__name__}: {error}"
        ) from error
    if missing:
        raise ModelError(
            f"expected the agent {point.name} from {point.value} to have name, settings and {verb}, "
            f"got none of its {' and '.join(missing)}"
        )
    return agent
