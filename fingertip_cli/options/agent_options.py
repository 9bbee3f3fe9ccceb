"""Options of an agent of track 2 that is a prompt and an output format: its prompt's text and settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from fingertip_agents.prompts.placeholders import PLACEHOLDERS


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
        from fingertip_agents.prompts.prompt_text import read_prompt_text

        return {
            "settings": read_settings(self.lines),
            "prompt": None if self.prompt_file is None else read_prompt_text(self.prompt_file),
            "system_prompt": None
            if self.system_prompt_file is None
            else read_prompt_text(self.system_prompt_file),
        }


def format_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which receives them as `of_format: FormatOptions`."""

    @wraps(command)
    def with_options(**options: Any) -> None:  # noqa: ANN401 - those of the command
        names = ("prompt_file", "system_prompt_file", "lines")
        command(of_format=FormatOptions(**{name: options.pop(name) for name in names}), **options)

    for option in reversed(_OPTIONS):
        with_options = option(with_options)
    return with_options


_OPTIONS = (
    click.option(
        "--prompt-file",
        metavar="FILE[:NAME]",
        help="Track 2: text of the prompt in place of ours; of a .py or .ipynb file, such as the agent's "
        f"own, the text constant NAME. Placeholders: {', '.join(f'{{{name}}}' for name in PLACEHOLDERS)}.",
    ),
    click.option(
        "--system-prompt-file",
        metavar="FILE[:NAME]",
        help="Track 2: text of the system message in place of ours; an empty file for none.",
    ),
    click.option(
        "--set",
        "lines",
        multiple=True,
        metavar="NAME=VALUE",
        help="Track 2: one setting of the agent's format; a wrong name lists all. In execute also settle_s, "
        "seconds that a real phone must stand still after an action. Repeatable.",
    ),
)
