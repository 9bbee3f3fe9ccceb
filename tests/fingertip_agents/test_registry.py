"""Agents by name, ours and those of installed packages."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

from fingertip_agents import agent_names, get_agent
from fingertip_agents.own_agents import OWN_EXECUTORS, OWN_FORMATS, OWN_SUGGESTERS, OwnAgent
from fingertip_agents.registry import (
    AGENTS,
    EXECUTION_AGENTS,
    FORMATS,
    agent_traits,
    baseline_names,
    execution_agent_names,
    find_package,
    format_names,
    get_execution_agent,
    is_format,
    sends_pictures,
)
from fingertip_agents.setup import AgentSetup
from fingertip_agents.traits import AgentTraits, AnswerForm
from fingertip_dataset.errors import ModelError, UsageError
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


MODULE = """
from fingertip_agents import AgentTraits, Suggestion

class Echo:
    name = "echo"
    traits = AgentTraits(tracks=("suggestion",), deterministic=True)
    settings = {"loud": True}

    def suggest(self, task_input):
        return Suggestion(text=task_input.scenario, seconds=0.0)

class Silent:
    name = "silent"
    settings = {}

class Idle:
    name = "idle"
    settings = {}

    def act(self, task_input, screen, past):
        raise NotImplementedError

def broken():
    raise ValueError("no\\nkey")

class Form:
    name = "form"
    version = "1"
    traits = AgentTraits(tracks=("execution",), summary="A form.")

    def __init__(self, *, loud: bool = False) -> None:
        self.settings = {"loud": loud}

    def prepare(self, task_input, screen, past, language):
        raise NotImplementedError

class Bare:
    name = "bare"

    def prepare(self, task_input, screen, past, language):
        raise NotImplementedError
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with agents, as pip leaves it."""
    (tmp_path / "third_party_agents.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "third_party_bad.py").write_text("import no_such_package_at_all\n", encoding="utf-8")
    info = tmp_path / "third_party-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: third-party\nVersion: 1.0\n", encoding="utf-8"
    )
    lines = [
        "[fingertip.agents]",
        "echo = third_party_agents:Echo",
        "silent = third_party_agents:Silent",
        "broken = third_party_agents:broken",
        "missing = third_party_agents:Missing",
        "bad = third_party_bad:Agent",
        "habit = third_party_bad:Agent",
        "[fingertip.execution_agents]",
        "idle = third_party_agents:Idle",
        "echo = third_party_agents:Echo",
        "generalist = third_party_bad:Agent",
        "[fingertip.formats]",
        "form = third_party_agents:Form",
        "half = third_party_agents:Idle",
        "bare = third_party_agents:Bare",
        "bad = third_party_bad:Agent",
        "qwen3-vl = third_party_bad:Agent",
    ]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in ("third_party_agents", "third_party_bad"):
        sys.modules.pop(name, None)


def test_our_agents_are_found_by_name() -> None:
    with_one_intent = {"first-screen", "frequent", "habit", "model", "nearest", "random", "recent"}
    assert with_one_intent | {"always", "never", "hour"} == set(agent_names())
    setup = AgentSetup(model=MODEL, distribution=True)
    # "hour" learns from a dataset
    names = [name for name in AGENTS if name != "hour"]
    assert [get_agent(name, setup).name for name in names] == names
    assert get_agent("habit", setup).settings["distribution"] is True


def test_an_installed_package_adds_agents(installed: Path) -> None:
    assert set(agent_names()) == {*AGENTS, "bad", "broken", "echo", "missing", "silent"}
    assert get_agent("echo").settings == {"loud": True}
    assert get_agent("habit").name == "habit"  # ours


@pytest.mark.parametrize(("name", "words"), VECTORS["an_agent_that_does_not_load_is_one_line"])
def test_an_agent_that_does_not_load_is_one_line(installed: Path, name: str, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        get_agent(name)
    assert words in str(caught.value)
    assert f"the agent {name} " in str(caught.value)
    assert "\n" not in str(caught.value)


MODEL = ModelOptions(base_url="http://127.0.0.1:9/v1", model="nobody", max_pixels=None)


def test_the_model_of_track_1_is_opened_as_it_is_set_up() -> None:
    agent = get_agent("model", AgentSetup(model=MODEL, distribution=True))
    assert agent.name == "model"
    assert {"model": "nobody", "temperature": 0.0, "distribution": True, "relevant": None}.items() <= dict(
        agent.settings
    ).items()
    with ChatClient(replace(MODEL, model="another")) as opened:
        given = get_agent("model", AgentSetup(model=MODEL, opened=opened))
        assert given.settings["model"] == "another"


def test_the_agents_of_track_2_are_there_by_name(tmp_path: Path) -> None:
    names = execution_agent_names()
    assert names == tuple(sorted({*EXECUTION_AGENTS, *FORMATS}))
    assert {"generalist", "human", "imitate", "random", "scripted", "ui-tars-1.5"} <= set(names)
    script = tmp_path / "script.txt"
    script.write_text("press_home()\n", encoding="utf-8")
    setup = AgentSetup(model=MODEL, script=script, simulations={"1": {}})
    for name in names:
        agent = get_execution_agent(name, setup)
        assert agent.name == name
        assert agent.settings


@pytest.mark.parametrize(
    ("get", "name", "words"),
    [
        (get_agent, "habitt", "habit, hour, human, model, nearest, never, random, recent, got 'habitt'"),
        (get_agent, "imitate", "the agent imitate is of track 2; track 1 has always, first-screen, "),
        (get_agent, "human", "`fingertip suggest --agent human` opens it"),
        (get_agent, "model", "the agent model needs a model: give --model NAME"),
        (get_execution_agent, "habits", "one of aguvis, .*, ui-tars-v1, .*got 'habits'"),
        (get_execution_agent, "habit", "the agent habit is of track 1; track 2 has aguvis, "),
        (get_execution_agent, "scripted", "give --script FILE"),
        (get_execution_agent, "shortest-path-oracle", "it takes --device simulated and"),
        *((get_execution_agent, name, f"the agent {name} needs a model: give --model") for name in FORMATS),
    ],
)
def test_what_an_agent_lacks_is_named(get: Callable[[str], object], name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        get(name)


def test_a_limit_of_pixels_is_for_those_that_are_sent_a_picture() -> None:
    small = AgentSetup(model=replace(MODEL, max_pixels=200_000))
    assert get_execution_agent("generalist", small).settings["max_pixels"] == 200_000
    authors = AgentSetup(model=MODEL, screen_description="authors")
    assert get_execution_agent("generalist", authors).settings["screen_description"] == "authors"
    for name in ("ui-tars-1.5", "imitate"):
        with pytest.raises(UsageError, match=f"for the agent generalist; the agent {name} has its own"):
            get_execution_agent(name, authors)
    with pytest.raises(UsageError, match="max_pixels has no effect on the agent autodroid"):
        get_execution_agent("autodroid", small)


def test_an_installed_package_adds_agents_of_track_2(installed: Path) -> None:
    formats = {*FORMATS, "form", "half", "bare", "bad"}
    assert set(format_names()) == formats
    assert set(execution_agent_names()) == {*EXECUTION_AGENTS, *formats, "idle", "echo"}
    assert get_execution_agent("idle").name == "idle"
    with pytest.raises(UsageError, match="give --model"):
        get_execution_agent("generalist")  # ours
    with pytest.raises(ModelError, match="must have name, settings and act: it has no act"):
        get_execution_agent("echo")


def test_an_installed_package_adds_formats(installed: Path) -> None:
    setup = AgentSetup(model=MODEL, settings={"loud": True})
    assert is_format("form")
    assert not is_format("idle")
    assert not sends_pictures("form")
    agent = get_execution_agent("form", setup)
    assert (agent.name, agent.settings["loud"], agent.settings["model"]) == ("form", True, "nobody")
    assert agent_traits("form", "execution").summary == "A form."
    assert find_package("form", "execution") == ("third-party", "1.0")
    assert get_execution_agent("qwen3-vl", AgentSetup(model=MODEL)).name == "qwen3-vl"  # ours
    for name, words in (
        ("half", "the format half from third_party_agents:Idle must be a class with a method prepare$"),
        (
            "bare",
            "the format bare must have a traits and a version and a settings$",
        ),
        ("bad", "the format bad could not be loaded from third_party_bad:Agent: ModuleNotFoundError: "),
    ):
        with pytest.raises(ModelError, match=f"^{words}"):
            get_execution_agent(name, AgentSetup(model=MODEL))


def test_what_agents_declare_is_found_by_name() -> None:
    suggesters = {name: agent_traits(name, "suggestion") for name in AGENTS}
    assert [name for name, traits in suggesters.items() if not traits.deterministic] == ["model"]
    assert [name for name, traits in suggesters.items() if traits.rereadable] == ["model"]
    executors = {name: agent_traits(name, "execution") for name in (*EXECUTION_AGENTS, *FORMATS)}
    deterministic = {name for name, traits in executors.items() if traits.deterministic}
    asking = {"never-ask", "ask-all", "habit-else-ask", "ask-oracle"}
    assert deterministic == {"imitate", "random", "scripted", "shortest-path-oracle"} | asking
    by_form = {
        form: {name for name, traits in executors.items() if traits.answer_form == form}
        for form in get_args(AnswerForm)
    }
    assert by_form["action"] == {"random", "scripted", "shortest-path-oracle"} | asking
    # what these two answer can be read only beside their list of elements
    assert by_form["points"] == set(FORMATS) - {"appagent", "autodroid"}
    assert all(traits.summary and traits.tracks == ("execution",) for traits in executors.values())
    assert agent_traits("generic", "execution") == executors["shortest-path-oracle"]
    assert agent_traits("nobody", "execution") == AgentTraits(tracks=("execution",))


def test_an_installed_agent_may_declare_what_it_is(installed: Path) -> None:
    assert agent_traits("echo", "suggestion").deterministic
    for silent in ("silent", "broken", "missing", "bad"):
        assert agent_traits(silent, "suggestion") == AgentTraits(tracks=("suggestion",))
    assert agent_traits("habit", "suggestion").summary  # ours


def test_baselines_stand_in_the_order_of_tables() -> None:
    assert baseline_names("suggestion") == ("habit", "recent", "frequent", "nearest", "random")
    assert baseline_names("suggestion", demo=True) == ("habit", "recent", "frequent")
    assert baseline_names("execution", demo=True) == ("imitate", "shortest-path-oracle")
    assert baseline_names("execution") == ("imitate", "shortest-path-oracle", "random")


@pytest.mark.parametrize(
    ("name", "agent"),
    [*OWN_SUGGESTERS.items(), *OWN_EXECUTORS.items(), *OWN_FORMATS.items()],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_class_has_the_traits_of_its_name(name: str, agent: OwnAgent) -> None:
    module, _, title = agent.place.partition(":")
    cls = getattr(import_module(f"fingertip_agents.{module}"), title)
    assert cls.name == name
    assert cls.traits is agent.traits
