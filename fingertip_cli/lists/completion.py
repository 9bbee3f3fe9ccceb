"""`fingertip completion SHELL`: the script by which a shell completes commands, options and names."""

from __future__ import annotations

import click

VARIABLE = "_FINGERTIP_COMPLETE"
"""Environment variable by which the script asks the program for completions."""


@click.command(
    epilog="""\
    eval "$(fingertip completion bash)"                                  # in ~/.bashrc
    eval "$(fingertip completion zsh)"                                   # in ~/.zshrc
    fingertip completion fish > ~/.config/fish/completions/fingertip.fish
    """
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script by which SHELL completes commands, options and names.

    Completed names are those of agents, splits, devices, faults, languages, designs, embedders, judges,
    experiments and published tables.
    """
    from click.shell_completion import get_completion_class

    from fingertip_cli.main import cli

    found = get_completion_class(shell)
    assert found is not None  # noqa: S101 - click has a class for each choice
    click.echo(found(cli, {}, "fingertip", VARIABLE).source())
