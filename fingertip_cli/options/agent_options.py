"""Options of an agent around a model: its prompt's text, and on track 2 the settings of its format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from fingertip_agents.prompts.placeholders import PLACEHOLDERS
from fingertip_dataset.track import Track

if TYPE_CHECKING:
    from fingertip_agents.prompts.prompt_text import PromptText


def read_prompt_files(
    prompt_file: str | None, system_prompt_file: str | None, track: Track
) -> dict[str, PromptText | None]:
    """Read the texts of a prompt, as fields of `AgentSetup`.

    Args:
        prompt_file: Place of the text of the user message, as `read_prompt_text` takes it; None for ours.
        system_prompt_file: Place of the text of the system message; None for ours.
        track: Track of the agent.

    Raises:
        UsageError: A file cannot be read, or a placeholder in it is unknown.
    """
    from fingertip_agents.prompts.prompt_files import PromptFiles

    files = PromptFiles.read(prompt_file, system_prompt_file, track) or PromptFiles()
    return {"prompt": files.user, "system_prompt": files.system}


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatOptions:
    """Options of a prompt and output format.

    Attributes:
        prompt_file: Place of the text of the user message, as `read_prompt_text` takes it; None for ours.
        system_prompt_file: Place of the text of the system message; None for ours.
        lines: Settings, each as NAME=VALUE.
    """

    prompt_file: str | None
    system_prompt_file: str | None
    lines: tuple[str, ...]

    def setup_fields(self) -> dict[str, Any]:
        """Fields of `AgentSetup`.

        Raises:
            UsageError: A file cannot be read, or a line is no setting.
        """
        from fingertip_agents.agent_settings import read_settings

        texts = read_prompt_files(self.prompt_file, self.system_prompt_file, "execution")
        return {"settings": read_settings(self.lines), **texts}


def format_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which receives them as `of_format: FormatOptions`."""

    @wraps(command)
    def with_options(**options: Any) -> None:  # noqa: ANN401 - those of the command
        names = ("prompt_file", "system_prompt_file", "lines")
        command(of_format=FormatOptions(**{name: options.pop(name) for name in names}), **options)

    for option in reversed((*_PROMPT_OPTIONS, _SETTING)):
        with_options = option(with_options)
    return with_options


def prompt_file_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --prompt-file and --system-prompt-file to a command without settings of a format."""
    for option in reversed(_PROMPT_OPTIONS):
        command = option(command)
    return command


def _list_names(track: Track) -> str:
    return ", ".join(f"{{{name}}}" for name in PLACEHOLDERS[track])


_PROMPT_OPTIONS = (
    click.option(
        "--prompt-file",
        metavar="FILE[:NAME]",
        help="Text of the prompt in place of ours; of a .py or .ipynb file, such as an agent's own, the "
        f"text constant NAME. Placeholders of track 1: {_list_names('suggestion')}; of track 2: "
        f"{_list_names('execution')}.",
    ),
    click.option(
        "--system-prompt-file",
        metavar="FILE[:NAME]",
        help="Text of the system message in place of ours; an empty file for none.",
    ),
)

_SETTING = click.option(
    "--set",
    "lines",
    multiple=True,
    metavar="NAME=VALUE",
    help="Track 2: one setting of the agent's format; a wrong name lists all. In execute also settle_s, "
    "seconds that a real phone must stand still after an action. Repeatable.",
)
