"""Registry of agents by name: our own of `own_agents`, others by entry points of installed packages.

An agent declares its properties (deterministic, how its answers are read) in its `traits`. An installed
package adds an agent with a line in its pyproject.toml; the named object is called without arguments and
returns a `SuggestionAgent` (track 1) or `ExecutionAgent` (track 2)::

    [project.entry-points."fingertip.agents"]
    mine = "my_package.my_module:MyAgent"

    [project.entry-points."fingertip.execution_agents"]
    mine = "my_package.my_module:MyPhoneAgent"

A package's prompt and output format around a model is a class of the group `fingertip.formats`; it is then an
agent of track 2 with the options of ours::

    [project.entry-points."fingertip.formats"]
    mine = "my_package.my_module:MyFormat"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import EntryPoint, distributions, entry_points
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fingertip_agents.own_agents import OWN_EXECUTORS, OWN_FORMATS, OWN_SUGGESTERS, OwnAgent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.traits import ON_SIMULATED_PHONE, AgentTraits
from fingertip_dataset.errors import FingerTipError, ModelError, UnknownNameError, UsageError
from fingertip_dataset.track import TRACK_NUMBER, Track

if TYPE_CHECKING:
    from fingertip_agents.execution_agent import ExecutionAgent
    from fingertip_agents.model_agent import Format
    from fingertip_agents.prompts.prompt_text import PromptText
    from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
    from fingertip_dataset.ui_tree.screen_description import ScreenForm

HUMAN = "human"
"""Name of the agent of either track that is people."""

GROUP = "fingertip.agents"
EXECUTION_GROUP = "fingertip.execution_agents"
FORMAT_GROUP = "fingertip.formats"
GROUPS: Mapping[Track, str] = {"suggestion": GROUP, "execution": EXECUTION_GROUP}
"""Track -> group of entry points."""
ALL_GROUPS = (GROUP, EXECUTION_GROUP, FORMAT_GROUP)

AGENTS: Mapping[str, str] = {name: agent.place for name, agent in OWN_SUGGESTERS.items()}
"""Our agents of track 1, in the order of tables: name -> module and class with a `from_setup`."""

EXECUTION_AGENTS: Mapping[str, str] = {name: agent.place for name, agent in OWN_EXECUTORS.items()}
"""Our agents of track 2 without a model, in table order: name -> module and class with `from_setup`."""

FORMATS: Mapping[str, str] = {name: agent.place for name, agent in OWN_FORMATS.items()}
"""Agents of track 2 that are a prompt and an output format around a model: name -> module and class.

An installed package cannot use a name of any of the three tables."""

AUTO = "auto"
"""Stands for the format of the model that is given, by the table of `known_models`."""

_OWN: Mapping[Track, Mapping[str, OwnAgent]] = {
    "suggestion": OWN_SUGGESTERS,
    "execution": {**OWN_EXECUTORS, **OWN_FORMATS},
}

EXECUTION_ALIASES: Mapping[str, str] = {"generic": "shortest-path-oracle"}
"""Names of earlier versions, which old run records and old calls contain, and their current names."""


def agent_names() -> tuple[str, ...]:
    """Names of all agents of track 1, sorted; installed packages are not imported."""
    return tuple(sorted({*AGENTS, *_list_installed(GROUP)}))


def get_agent(name: str, setup: AgentSetup | None = None) -> SuggestionAgent:
    """Construct an agent of track 1 by name.

    Args:
        name: One of `agent_names`.
        setup: Setup of the agent; None for an empty one, without a model.

    Raises:
        UsageError: Unknown name, or the agent needs a model and the setup has none.
        ModelError: An installed agent cannot be imported or constructed, or is no agent.

    >>> get_agent("habit").name
    'habit'
    """
    agent: SuggestionAgent = _make_agent(name, "suggestion", setup or AgentSetup())
    return agent


def current_execution_name(name: str) -> str:
    """Current name of an agent of track 2; other names pass through.

    >>> current_execution_name("generic"), current_execution_name("imitate")
    ('shortest-path-oracle', 'imitate')
    """
    return EXECUTION_ALIASES.get(name, name)


def execution_agent_names() -> tuple[str, ...]:
    """Names of all agents of track 2, sorted; installed packages are not imported."""
    return tuple(sorted({*EXECUTION_AGENTS, *format_names(), *_list_installed(EXECUTION_GROUP)}))


def format_names() -> tuple[str, ...]:
    """Names of the prompt and output formats around a model, sorted; installed packages are not imported."""
    return tuple(sorted({*FORMATS, *_list_installed(FORMAT_GROUP)}))


def list_names() -> tuple[list[str], list[str]]:
    """List the agents of track 1 and of track 2: ours in the order of tables, then those of packages, sorted.

    The metadata of all packages are read once, which takes most of the time of a list.
    """
    points = entry_points()
    others = {group: {point.name for point in points.select(group=group)} for group in ALL_GROUPS}
    suggesters = dict.fromkeys((*AGENTS, *sorted(others[GROUP])))
    executors = sorted(others[EXECUTION_GROUP] | others[FORMAT_GROUP])
    return [*suggesters], [*dict.fromkeys((*EXECUTION_AGENTS, *FORMATS, *executors))]


def is_format(name: str) -> bool:
    """Whether an agent of track 2 is a prompt and output format around a model.

    >>> is_format("generalist"), is_format("imitate")
    (True, False)
    """
    return name in FORMATS or (name not in EXECUTION_AGENTS and name in _list_installed(FORMAT_GROUP))


def choose_execution_name(name: str, model: str | None) -> str:
    """Current name of an agent of track 2; of `AUTO` the format of the model.

    Args:
        name: Name of an agent, `AUTO`, or an old name.
        model: Name of the model; None without one.

    Raises:
        UsageError: `AUTO` without a model, or with one whose format is unknown or not certain.

    >>> choose_execution_name("auto", "Qwen/Qwen3-VL-8B-Instruct"), choose_execution_name("imitate", None)
    ('qwen3-vl', 'imitate')
    """
    if name != AUTO:
        return current_execution_name(name)
    from fingertip_agents.known_models import choose_format

    if model is None:
        raise UsageError(f"--agent {AUTO} takes the format of a model: give --model NAME")
    return choose_format(model)[0]


def check_execution_name(name: str) -> None:
    """Check that there is an agent of track 2 of this name, which may be an old one or `AUTO`.

    Raises:
        UsageError: There is none.
    """
    names = execution_agent_names()
    if name != AUTO and current_execution_name(name) not in names:
        raise _make_unknown_error(name, (*names, AUTO), "execution")


def check_suggestion_name(name: str) -> None:
    """Check that there is an agent of track 1 of this name, or `HUMAN`.

    Raises:
        UsageError: There is none; of a format of track 2 the message says so.
    """
    names = agent_names()
    if name != HUMAN and name not in names:
        raise _make_unknown_error(name, names, "suggestion")


def get_execution_agent(name: str, setup: AgentSetup | None = None) -> ExecutionAgent:
    """Construct an agent of track 2 by name.

    Args:
        name: One of `execution_agent_names`, or `AUTO`.
        setup: Setup of the agent; None for an empty one.

    Raises:
        UsageError: Unknown name, or the setup lacks something that the agent needs.
        ModelError: An installed agent cannot be imported or constructed, or is no agent.
    """
    setup = setup or AgentSetup()
    name = choose_execution_name(name, setup.model_name)
    if is_format(name):
        return _make_model_agent(name, setup)
    if setup.screen_description is not None:
        raise _make_description_error(name, setup.screen_description)
    if name in execution_agent_names():
        _refuse_format_options(name, setup)
    agent: ExecutionAgent = _make_agent(name, "execution", setup)
    return agent


def find_package(name: str, track: Track, folder: Path | None = None) -> tuple[str, str] | None:
    """Name and version of the installed package that an agent is of; None for our own and unknown agents.

    Args:
        name: Name of the agent.
        track: Track of the agent.
        folder: Folder of packages that is searched in place of the environment; nothing of it is imported.

    >>> find_package("habit", "suggestion")
    """
    _, point = _find(name, track, folder)
    if point is None:
        return None
    return (point.dist.name, point.dist.version) if point.dist else (point.value, "unknown")


def agent_traits(name: str, track: Track) -> AgentTraits:
    """Traits of an agent by name; the defaults if it declares none or is unknown.

    An installed package's agent is imported but not constructed. If the import fails, the defaults apply.

    >>> agent_traits("generic", "execution").deterministic, agent_traits("model", "suggestion").deterministic
    (True, False)
    """
    ours, point = _find(name, track)
    if ours:
        return _OWN[track][current_execution_name(name) if track == "execution" else name].traits
    agent = None
    if point:
        with suppress(Exception):
            agent = point.load()
    declared = getattr(agent, "traits", None)
    return declared if isinstance(declared, AgentTraits) else AgentTraits(tracks=(track,))


def baseline_names(track: Track, *, demo: bool = False) -> tuple[str, ...]:
    """Names of our agents that need only the dataset, in the order of tables.

    Args:
        track: Track of the agents.
        demo: Whether to return only those that `fingertip demo` runs.

    >>> baseline_names("suggestion")
    ('habit', 'recent', 'frequent', 'nearest', 'random')
    """
    ours = AGENTS if track == "suggestion" else EXECUTION_AGENTS
    declared = {name: agent_traits(name, track) for name in ours}
    return tuple(
        name for name, traits in declared.items() if traits.baseline and (traits.in_demo or not demo)
    )


def list_asking_executors() -> tuple[str, ...]:
    """Names of our agents of track 2 that ask the person or not, and need only simulated people.

    >>> list_asking_executors()
    ('never-ask', 'ask-all', 'habit-else-ask', 'ask-oracle')
    """
    return tuple(
        name
        for name, agent in OWN_EXECUTORS.items()
        if agent.traits.needs == ON_SIMULATED_PHONE and not agent.traits.baseline
    )


def list_repeatable_executors() -> tuple[str, ...]:
    """Names of our agents of track 2 whose decisions follow from the dataset and the screens alone.

    >>> list_repeatable_executors()
    ('imitate', 'shortest-path-oracle', 'never-ask', 'ask-all', 'habit-else-ask', 'ask-oracle', 'random')
    """
    asking = list_asking_executors()
    return tuple(name for name, agent in OWN_EXECUTORS.items() if agent.traits.baseline or name in asking)


def moment_baseline_names() -> tuple[str, ...]:
    """Names of our agents that decide when to speak and need only the dataset, in the order of tables.

    >>> moment_baseline_names()
    ('habit', 'always', 'never', 'hour')
    """
    return ("habit", *(name for name, agent in OWN_SUGGESTERS.items() if agent.traits.only_moments))


def make_format(name: str, /, **settings: object) -> Format:
    """Construct a prompt and output format by name.

    Args:
        name: One of `format_names`.
        settings: Settings by argument name; those that the format does not accept are ignored.

    Raises:
        UsageError: An invalid value of a setting.
        ModelError: An installed format cannot be imported, or is none.
    """
    cls = _load_format(name)
    known = signature(cls).parameters
    made: Format = cls(**{key: value for key, value in settings.items() if key in known})
    missing = [part for part in ("name", "traits", "version", "settings") if not hasattr(made, part)]
    if missing:
        raise ModelError(f"the format {name} must have a {' and a '.join(missing)}")
    return made


def sends_pictures(name: str) -> bool:
    """Whether an agent of track 2 sends pictures to a model of ours: only formats use one.

    >>> sends_pictures("generalist"), sends_pictures("autodroid"), sends_pictures("imitate")
    (True, False, False)
    """
    return is_format(name) and "max_pixels" in signature(_load_format(name)).parameters


def make_model_format(
    name: str,
    *,
    max_pixels: int | None = None,
    screen_description: ScreenForm | None = None,
    given: Mapping[str, object] | None = None,
    prompt: PromptText | None = None,
    system_prompt: PromptText | None = None,
) -> Format:
    """Construct the format of a model agent as `execute` does.

    Args:
        name: One of `format_names`.
        max_pixels: Maximum pixels of the picture; None for the format's own limit.
        screen_description: Form of the list of elements; None for ours.
        given: Other settings by name.
        prompt: Text in place of our user message; None for ours.
        system_prompt: Text in place of our system message; None for ours.

    Raises:
        UsageError: The format does not accept a setting, its value is invalid, or a text does not fit.
    """
    from fingertip_agents.agent_settings import check_settings
    from fingertip_agents.prompts.given_prompt import GivenPrompt

    settings: dict[str, object] = check_settings(name, _load_format(name), given or {})
    if max_pixels is not None:
        if not sends_pictures(name):
            raise UsageError(
                f"max_pixels has no effect on the agent {name}, which is sent no picture: got {max_pixels}"
            )
        settings["max_pixels"] = max_pixels
    if screen_description is not None:
        if "screen_description" not in signature(_load_format(name)).parameters:
            raise _make_description_error(name, screen_description)
        settings["screen_description"] = screen_description
    format = make_format(name, **settings)
    if prompt is None and system_prompt is None:
        return format
    return GivenPrompt(format=format, user=prompt, system=system_prompt)


def _make_model_agent(name: str, setup: AgentSetup) -> ExecutionAgent:
    from fingertip_agents.model_agent import ModelAgent, list_usual_notes
    from fingertip_models.chat.chat_client import print_note
    from fingertip_models.chat.server_pool import open_servers

    model = setup.opened.options if setup.opened else setup.options_of_model(name)
    format = make_model_format(
        name,
        max_pixels=model.max_pixels,
        screen_description=setup.screen_description,
        given=setup.settings,
        prompt=setup.prompt,
        system_prompt=setup.system_prompt,
    )
    client = setup.opened or open_servers(
        model, preflight=setup.preflight, on_note=print_note, usual_notes=list_usual_notes(format)
    )
    return ModelAgent(format, client)


def _make_agent(name: str, track: Track, setup: AgentSetup) -> Any:  # noqa: ANN401 - of either track
    """Construct one of our agents from a setup, or an installed one."""
    ours = AGENTS if track == "suggestion" else EXECUTION_AGENTS
    if name in ours:
        on_moments = OWN_SUGGESTERS[name].on_moments if track == "suggestion" and setup.moments else None
        return _load_class(on_moments or ours[name]).from_setup(setup)
    if point := _list_installed(GROUPS[track]).get(name):
        return _load(point, "suggest" if track == "suggestion" else "act")
    raise _make_unknown_error(
        name, agent_names() if track == "suggestion" else execution_agent_names(), track
    )


def _find(name: str, track: Track, folder: Path | None = None) -> tuple[str | None, EntryPoint | None]:
    """Return the module and class of one of our agents, or else the entry point of an installed one."""
    ours = AGENTS if track == "suggestion" else {**EXECUTION_AGENTS, **FORMATS}
    name = current_execution_name(name) if track == "execution" else name
    if name in ours:
        # the metadata of every installed package are files to read
        return ours[name], None
    groups = (GROUPS[track], FORMAT_GROUP) if track == "execution" else (GROUPS[track],)
    points = (_list_installed(group, folder).get(name) for group in groups)
    return None, next(filter(None, points), None)


def _make_unknown_error(name: str, names: Sequence[str], track: Track) -> UsageError:
    others = execution_agent_names() if track == "suggestion" else agent_names()
    if track == "suggestion":
        if name == HUMAN:
            return UsageError("people answer track 1 on a page: `fingertip suggest --agent human` opens it")
        names = sorted({*names, HUMAN})
        if name == AUTO or is_format(name):
            what = f"{AUTO} takes a format" if name == AUTO else f"the agent {name} is a format"
            return UsageError(f"{what} of track 2: on track 1 every model answers to --agent model")
    if name in others:
        other, listed = 3 - TRACK_NUMBER[track], ", ".join(names)
        return UsageError(f"the agent {name} is of track {other}; track {TRACK_NUMBER[track]} has {listed}")
    return UnknownNameError("an agent", name, names)


def _make_description_error(name: str, form: str) -> UsageError:
    return UsageError(
        f"--screen-description {form} is for the agent generalist; the agent {name} has its own "
        "screen description"
    )


def _refuse_format_options(name: str, setup: AgentSetup) -> None:
    """Refuse what only a prompt and output format has, by the options that give it."""
    given = [
        *(["--prompt-file"] if setup.prompt is not None else []),
        *(["--system-prompt-file"] if setup.system_prompt is not None else []),
        *(f"--set {setting[:40]}" for setting in setup.settings),
    ]
    if given:
        raise UsageError(
            f"the agent {name} takes no {', '.join(given)}: prompt and settings are of the agents around a "
            f"model, {', '.join(format_names())}"
        )


def _load_class(place: str) -> Any:  # noqa: ANN401 - of either track, or a format
    module, _, name = place.partition(":")
    return getattr(import_module(f"fingertip_agents.{module}"), name)


def _load_format(name: str) -> Any:  # noqa: ANN401 - a class that is called with its settings
    """Load the class of a format; any exception of third-party code becomes a ModelError."""
    if name in FORMATS:
        return _load_class(FORMATS[name])
    point = _list_installed(FORMAT_GROUP)[name]
    try:
        cls = point.load()
    except Exception as error:
        raise ModelError(
            f"the format {name} could not be loaded from {point.value}: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(cls, type) or not hasattr(cls, "prepare"):
        raise ModelError(f"the format {name} from {point.value} must be a class with a method prepare")
    return cls


def _list_installed(group: str, folder: Path | None = None) -> dict[str, EntryPoint]:
    if folder is None:
        return {point.name: point for point in entry_points(group=group)}
    found = (point for package in distributions(path=[str(folder)]) for point in package.entry_points)
    return {point.name: point for point in found if point.group == group}


def _load(point: EntryPoint, verb: str) -> Any:  # noqa: ANN401 - of either track
    """Load an installed agent; any exception of third-party code becomes a ModelError."""
    try:
        agent = point.load()()
        missing = [part for part in ("name", "settings", verb) if not hasattr(agent, part)]
    except FingerTipError:
        raise
    except Exception as error:
        raise ModelError(
            f"the agent {point.name} could not be loaded from {point.value}: {type(error).__name__}: {error}"
        ) from error
    if missing:
        raise ModelError(
            f"the agent {point.name} from {point.value} must have name, settings and {verb}: "
            f"it has no {' and no '.join(missing)}"
        )
    return agent
