"""The few options of a long command that most calls need; `--help-all` shows the others as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from fingertip_cli.options.option_groups import option_name

MOST = 12
"""Number of options up to which --help shows all of them."""

COMMON: Mapping[str, Sequence[str]] = {
    "build": ("--tables", "--history-from", "--references", "--workers", "--out", "--overwrite"),
    "record": ("--device", "--user", "--intent", "--place", "--privacy", "--out"),
    "suggest": (
        "--agent",
        "--model",
        "--base-url",
        "--key-env",
        "--split",
        "--limit",
        "--only-users",
        "--history",
        "--screenshots",
        "--concurrency",
        "--out",
    ),
    "infer-intents": ("--model", "--base-url", "--split", "--history", "--embedder", "--judge", "--out"),
    "execute": (
        "--agent",
        "--device",
        "--model",
        "--base-url",
        "--key-env",
        "--split",
        "--limit",
        "--task",
        "--reference",
        "--out",
    ),
    "phone": ("--port", "--locale", "--task", "--tasks", "--limit", "--agent-name", "--fault", "--out"),
    "benchmark": (
        "--agent",
        "--model",
        "--base-url",
        "--key-env",
        "--track",
        "--quick",
        "--limit",
        "--embedder",
        "--judge",
        "--name",
        "--contact",
        "--out",
    ),
    "assist": (
        "--suggester",
        "--executor",
        "--device",
        "--model",
        "--base-url",
        "--split",
        "--limit",
        "--out",
    ),
    "score": (
        "--protocol",
        "--embedder",
        "--judge",
        "--judge-base-url",
        "--by",
        "--against",
        "--partial",
        "--why",
        "--notes",
    ),
    "report": ("--embedder", "--judge", "--stats", "--why", "--out"),
    "experiment": (
        "--agent",
        "--device",
        "--run",
        "--model",
        "--base-url",
        "--limit",
        "--embedder",
        "--judge",
        "--plan",
        "--out",
    ),
    "score-csv": ("--track", "--protocol", "--embedder", "--judge"),
    "submit": ("--name", "--contact", "--description", "--dataset", "--out", "--repo", "--push"),
    "leaderboard": ("--dataset", "--results", "--space", "--port", "--verify-only"),
    "hidden-test": (
        "--seed-file",
        "--new-seed",
        "--track",
        "--users",
        "--model",
        "--base-url",
        "--name",
        "--contact",
        "--out",
    ),
    "export": ("--track", "--format", "--episodes", "--only-users", "--agent", "--history", "--out"),
    "finetune": (
        "--track",
        "--base",
        "--episodes",
        "--only-users",
        "--agent",
        "--settings",
        "--setting",
        "--out",
    ),
    "privacy scan": ("--tables", "--kind", "--ocr", "--inspector", "--fail-on", "--out"),
}
"""Command, with that of its group before it -> options of its short help, in their order there."""

GENERAL = ("--json", "--help-all", "--help")
"""Options at the end of each short help, of those that the command has."""

_ALL = "fingertip.help_all"
"""Key among the data of a call: its help shows all options."""


def show_all_options(ctx: click.Context) -> None:
    """Let the help of a call, and of the commands below it, show every option."""
    ctx.meta[_ALL] = True


def _print_help(ctx: click.Context, _option: click.Parameter, given: bool) -> None:
    if given and not ctx.resilient_parsing:
        show_all_options(ctx)
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def help_all_option(*, hidden: bool) -> click.Option:
    """Return the option --help-all; hidden where --help shows every option already."""
    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_help,
        hidden=hidden,
        help="Show all options and exit.",
    )


def is_long(command: click.Command) -> bool:
    """Return whether a command has more options than a short help shows."""
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    return len(options) > MOST


def is_folded(ctx: click.Context) -> bool:
    """Return whether the help of a call shows only the common options."""
    return not ctx.meta.get(_ALL) and is_long(ctx.command) and _name_command(ctx) in COMMON


def choose_common(ctx: click.Context, options: Sequence[click.Option]) -> list[click.Option]:
    """Choose the options of a command's short help: required ones, those of `COMMON`, general ones.

    Args:
        ctx: Context of the command.
        options: Visible options of the command, with --help.
    """
    listed = COMMON[_name_command(ctx)]
    by_name = {option_name(option): option for option in options}
    required = [name for name, option in by_name.items() if option.required and name not in listed]
    return [by_name[name] for name in (*required, *listed, *GENERAL) if name in by_name]


def _name_command(ctx: click.Context) -> str:
    """Name of a command as in `COMMON`, without that of the program."""
    return ctx.command_path.partition(" ")[2]
