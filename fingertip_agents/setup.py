"""Setup of an agent: its model, options, script, and the simulated phones of the tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_agents.prompts.prompt_files import PromptFiles
    from fingertip_agents.prompts.prompt_text import PromptText
    from fingertip_dataset.ui_tree.screen_description import ScreenForm
    from fingertip_models.model import Model
    from fingertip_models.options import ModelOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSetup:
    """Everything an agent may need for its construction; each agent uses what it needs.

    Attributes:
        model: Endpoint and sampling settings of the model.
        opened: Model opened by the caller, for example with a cache, in this process or from batch files; if
            None, the agent opens `model`.
        preflight: Whether a model that the agent opens makes a preflight; see `ChatClient`.
        distribution: Track 1: several intents with probabilities instead of one (A.6.5); ignored by agents
            that give only one.
        moments: Track 1: whether the tasks are moments, at which the person may want nothing.
        relevant: Track 1: whether the model selects from all earlier intents and summarizes them (A.6.3).
        history_model: Track 1, with `relevant`: another model for the selection, opened by the caller; None
            for the agent's model.
        screen_description: Track 2, for a model whose prompt lists the screen's elements: "elements" or
            "authors"; None for the agent's own form.
        script: File of actions for the agent `scripted`.
        simulations: Task id -> setup of its simulated phone, as `Simulation.to_json` writes it; empty for
            real phones.
        settings: Track 2: settings of the agent's format by name, such as `scroll_down`.
        prompt: Text in place of the user message of the prompt; None for ours.
        system_prompt: Text in place of the system message; None for ours.
        dataset: Track 1: the built dataset, for an agent that compares with the training part; None for none.
        seed: Seed of an agent that draws its answers; None for the draws of the task's id alone.
    """

    model: ModelOptions | None = None
    opened: Model | None = field(default=None, repr=False)
    preflight: bool = False
    distribution: bool = False
    moments: bool = False
    relevant: bool = False
    history_model: Model | None = field(default=None, repr=False)
    screen_description: ScreenForm | None = None
    script: Path | None = None
    simulations: Mapping[str, Mapping[str, object]] = field(
        default_factory=lambda: MappingProxyType({}), repr=False
    )
    settings: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    prompt: PromptText | None = None
    system_prompt: PromptText | None = None
    dataset: Path | None = None
    seed: int | None = None

    @property
    def prompt_files(self) -> PromptFiles | None:
        """The texts in place of our prompt; None for ours."""
        from fingertip_agents.prompts.prompt_files import PromptFiles

        if self.prompt is None and self.system_prompt is None:
            return None
        return PromptFiles(user=self.prompt, system=self.system_prompt)

    @property
    def model_name(self) -> str | None:
        """Name of the model; None without one."""
        options = self.opened.options if self.opened else self.model
        return options.model if options else None

    @staticmethod
    def read_seed(settings: Mapping[str, object]) -> int | None:
        """The seed in an agent's recorded settings; None without one.

        >>> AgentSetup.read_seed({"seed": 3}), AgentSetup.read_seed({"seed": "3"})
        (3, None)
        """
        seed = settings.get("seed")
        return seed if isinstance(seed, int) and not isinstance(seed, bool) else None

    def options_of_model(self, agent: str) -> ModelOptions:
        """Endpoint and sampling settings of the model for an agent.

        Raises:
            UsageError: No model was given.
        """
        if self.model is None:
            raise UsageError(
                f"the agent {agent} needs a model: give --model NAME, and --base-url URL of "
                "an OpenAI-compatible server"
            )
        return self.model
