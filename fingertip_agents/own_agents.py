"""Our own agents by name: where each class is, and its traits. A list of agents imports none of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fingertip_agents.traits import (
    A_MODEL,
    AgentTraits,
    baseline_traits,
    format_traits,
    moment_traits,
    oracle_traits,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAgent:
    """Agent of this package.

    Attributes:
        place: Module within this package, and class, as "formats.holo:Holo2".
        traits: Its properties, which are the class attribute `traits` as well.
        on_moments: Module and class that takes its place on moments; None for an agent that does it itself.
    """

    place: str
    traits: AgentTraits
    on_moments: str | None = None


OWN_SUGGESTERS: Mapping[str, OwnAgent] = {
    "habit": OwnAgent(
        place="suggestion.baselines:HabitBaseline",
        traits=baseline_traits("What the person wanted before at such an hour.", in_demo=True),
        on_moments="moments.moment_baselines:MomentHabit",
    ),
    "recent": OwnAgent(
        place="suggestion.baselines:RecentBaseline",
        traits=baseline_traits("What the person wanted last.", in_demo=True),
    ),
    "frequent": OwnAgent(
        place="suggestion.baselines:FrequentBaseline",
        traits=baseline_traits("The earlier intent that is most like all the others.", in_demo=True),
    ),
    "nearest": OwnAgent(
        place="suggestion.nearest:Nearest",
        traits=baseline_traits("What the person wanted at the most similar moments."),
    ),
    "first-screen": OwnAgent(
        place="suggestion.first_screen:FirstScreenBaseline",
        traits=AgentTraits(
            tracks=("suggestion",),
            deterministic=True,
            summary="What the person wanted before in the app that the first screens show.",
            needs="screenshots: --screenshots 1 to 3",
        ),
    ),
    "always": OwnAgent(
        place="moments.moment_baselines:AlwaysBaseline",
        traits=moment_traits("On moments: offers the likeliest habit every time."),
    ),
    "never": OwnAgent(
        place="moments.moment_baselines:NeverBaseline",
        traits=moment_traits("On moments: never offers anything."),
    ),
    "hour": OwnAgent(
        place="moments.moment_baselines:HourBaseline",
        traits=moment_traits("On moments: offers the likeliest habit in hours that mostly had an intent."),
    ),
    "random": OwnAgent(
        place="random_choice:RandomIntent",
        traits=baseline_traits("Any of the earlier intents, by lot.", seeded=True),
    ),
    "model": OwnAgent(
        place="suggestion.model_suggester:ModelSuggester",
        traits=AgentTraits(
            tracks=("suggestion",),
            answer_form="intent",
            summary="Asks a model what the person wants now.",
            needs=A_MODEL,
        ),
    ),
}
"""Our agents of track 1, in the order of tables."""

OWN_EXECUTORS: Mapping[str, OwnAgent] = {
    "imitate": OwnAgent(
        place="imitate:Imitate",
        traits=AgentTraits(
            tracks=("execution",),
            deterministic=True,
            baseline=True,
            in_demo=True,
            follows_reference=True,
            summary="Does as the person did in the most similar earlier task.",
        ),
    ),
    "shortest-path-oracle": OwnAgent(
        place="shortest_path_oracle:ShortestPathOracle",
        traits=AgentTraits(
            tracks=("execution",),
            deterministic=True,
            answer_form="action",
            baseline=True,
            in_demo=True,
            summary="The shortest way, by looking into the simulated app: nobody's habit.",
            needs="--device simulated",
        ),
    ),
    "never-ask": OwnAgent(
        place="asking_agents:NeverAsk",
        traits=oracle_traits("The usual, never a question, by looking into the simulated app."),
    ),
    "ask-all": OwnAgent(
        place="asking_agents:AskAll",
        traits=oracle_traits("Asks for every argument, then looks into the simulated app.", asks=True),
    ),
    "habit-else-ask": OwnAgent(
        place="asking_agents:HabitElseAsk",
        traits=oracle_traits("The usual, else a question, by looking into the simulated app.", asks=True),
    ),
    "ask-oracle": OwnAgent(
        place="asking_agents:AskOracle",
        traits=oracle_traits("Asks only what nobody can know: told by the simulated app.", asks=True),
    ),
    "random": OwnAgent(
        place="random_choice:RandomTouches",
        traits=AgentTraits(
            tracks=("execution",),
            deterministic=True,
            answer_form="action",
            baseline=True,
            seeded=True,
            summary="Touches whatever the screen offers, by lot.",
        ),
    ),
    "scripted": OwnAgent(
        place="scripted:Scripted",
        traits=AgentTraits(
            tracks=("execution",),
            deterministic=True,
            answer_form="action",
            summary="The actions of a file, whatever the screen shows.",
            needs="--script FILE",
        ),
    ),
    "human": OwnAgent(
        place="human:Human",
        traits=AgentTraits(
            tracks=("execution",), summary="A person at the terminal decides.", needs="a person"
        ),
    ),
}
"""Our agents of track 2 without a model, in the order of tables."""

OWN_FORMATS: Mapping[str, OwnAgent] = {
    "appagent": OwnAgent(
        place="formats.appagent:AppAgent",
        traits=format_traits("AppAgent: numbers drawn on the screenshot.", answer_form="free"),
    ),
    "aguvis": OwnAgent(
        place="formats.aguvis:Aguvis", traits=format_traits("Aguvis-7B in its own planning mode.")
    ),
    "autodroid": OwnAgent(
        place="formats.autodroid:AutoDroid",
        traits=format_traits(
            "AutoDroid: a text model and a list of the elements like HTML.", answer_form="free"
        ),
    ),
    "autoglm-phone": OwnAgent(
        place="formats.autoglm:AutoGLMPhone",
        traits=format_traits("AutoGLM-Phone, also Multilingual, in its own format."),
    ),
    "cogagent": OwnAgent(
        place="formats.cogagent:CogAgent", traits=format_traits("CogAgent-9B-20241220 in its own format.")
    ),
    "doubao-ui-tars": OwnAgent(
        place="formats.seed:DoubaoUITars",
        traits=format_traits("Doubao's UI-TARS and Seed in their format for phones."),
    ),
    "gelab-zero": OwnAgent(
        place="formats.gelab:GELabZero", traits=format_traits("GELab-Zero and Step-GUI in their own format.")
    ),
    "generalist": OwnAgent(
        place="formats.generalist:Generalist",
        traits=format_traits("Any vision-language model, given the screen and the action space."),
    ),
    "glm-4.5v": OwnAgent(
        place="formats.glm_v:GLMV",
        traits=format_traits("GLM-4.1V, GLM-4.5V and GLM-4.6V in their own format."),
    ),
    "gui-owl-1.5": OwnAgent(
        place="formats.gui_owl:GuiOwl15",
        traits=format_traits("GUI-Owl 1.5 with its own form of the function mobile_use."),
    ),
    "holo1.5": OwnAgent(
        place="formats.holo:Holo15",
        traits=format_traits("Holo1 and Holo1.5 with their web actions on a phone."),
    ),
    "holo2": OwnAgent(
        place="formats.holo:Holo2", traits=format_traits("Holo2 with its web actions on a phone.")
    ),
    "holo3": OwnAgent(
        place="formats.holo:Holo3", traits=format_traits("Holo3 and later with their web actions on a phone.")
    ),
    "mai-ui": OwnAgent(
        place="formats.mai_ui:MaiUI", traits=format_traits("MAI-UI in its own format for phones.")
    ),
    "qwen2.5-vl": OwnAgent(
        place="formats.qwen_vl:Qwen25VL", traits=format_traits("Qwen2.5-VL with its own function mobile_use.")
    ),
    "qwen3-vl": OwnAgent(
        place="formats.qwen_vl:Qwen3VL", traits=format_traits("Qwen3-VL with its own function mobile_use.")
    ),
    "qwen3.5": OwnAgent(
        place="formats.qwen3_5:Qwen35",
        traits=format_traits("Qwen3.5 and later with the function mobile_use as XML."),
    ),
    "ui-tars-1.5": OwnAgent(
        place="formats.ui_tars:UITars15", traits=format_traits("UI-TARS-1.5 in its own format for phones.")
    ),
    "ui-tars-2": OwnAgent(
        place="formats.seed:UITars2", traits=format_traits("UI-TARS-2 and Seed with functions as XML.")
    ),
    "ui-tars-v1": OwnAgent(
        place="formats.ui_tars:UITarsV1",
        traits=format_traits("UI-TARS of the first version in its own format for phones."),
    ),
    "ui-venus-1.5": OwnAgent(
        place="formats.ui_venus:UIVenus15", traits=format_traits("UI-Venus 1.5 in its own format for phones.")
    ),
    "ui-venus-2": OwnAgent(
        place="formats.ui_venus:UIVenus2", traits=format_traits("UI-Venus 2 in its own format for phones.")
    ),
}
"""Agents of track 2 that are a prompt and output format around a model."""
