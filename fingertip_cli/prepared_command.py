"""Parts that every command has next to its own options: groups in --help, --config, checks, completion."""

from __future__ import annotations

from inspect import cleandoc
from itertools import pairwise
from typing import Any

import click
from click.exceptions import NoSuchCommand

from fingertip_cli.options.checked_path import check_paths
from fingertip_cli.options.common_options import choose_common, help_all_option, is_folded, is_long
from fingertip_cli.options.completion_names import complete_names
from fingertip_cli.options.config_file import config_option, note_config
from fingertip_cli.options.language_hint import hint_at_language
from fingertip_cli.options.option_groups import group_options
from fingertip_dataset.errors import FingerTipError, UsageError
from fingertip_dataset.similar_names import did_you_mean
from fingertip_models.context import name_own_options

COMMON = "Common options"
"""Title of the options that the short help of a long command has."""


class GroupedCommand(click.Command):
    """Click command whose --help has the common options, or all in groups, and examples at the end."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters of the command, with --help-all and --help."""
        *own, last = super().get_params(ctx)
        return [*own, help_all_option(hidden=not is_long(self)), last]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of a call.

        Raises:
            click.UsageError: The call is wrong.
        """
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if flag := _find_valued_flag(self, words, error.message):
                ctx.fail("{} takes no value, got {}".format(*flag))
            raise

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own
        """Run the command; records of its runs name the file of --config.

        Raises:
            UsageError: The system refused to write a file that it did not name.
        """
        try:
            with note_config(ctx):
                return super().invoke(ctx)
        except FingerTipError as error:
            error.message = name_own_options(
                error.message, {name for one in self.params for name in one.opts}
            )
            raise
        except OSError as error:
            out = ctx.params.get("out")
            if error.filename is not None or error.strerror is None or out is None:
                raise
            raise UsageError(f"the system refused: {error.strerror}", file=out) from error

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description; of a long command only its first paragraph."""
        if not is_folded(ctx):
            super().format_help_text(ctx, formatter)
            return
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(cleandoc(self.help or "").partition("\n\n")[0])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the common options of a long command and how to see the others, or all options in groups."""
        options = [
            option
            for option in self.get_params(ctx)
            if isinstance(option, click.Option) and not option.hidden
        ]
        common = choose_common(ctx, options) if is_folded(ctx) else None
        for title, members in (group_options(options) if common is None else {COMMON: common}).items():
            with formatter.section(title):
                formatter.write_dl([record for one in members if (record := one.get_help_record(ctx))])
        if common is not None:
            formatter.write_paragraph()
            formatter.write_text(
                f"{len(options) - len(common)} more options, and more on the command: "
                f"{ctx.command_path} --help-all"
            )

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the epilog as lines of examples, unwrapped, so that they can be copied."""
        if self.epilog:
            with formatter.section("Examples"):
                for line in self.epilog.strip().splitlines():
                    formatter.write(f"{'':{formatter.current_indent}}{line.strip()}\n")


class SuggestingChoice(click.Choice[Any]):
    """Choice whose message about a wrong value names the choice that was meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:  # noqa: ANN401 - click's own
        """As click's, with the only choice that has the value as a word, or the one that is most similar."""
        message = super().get_invalid_choice_message(value, ctx).rstrip(".")
        choices = [str(choice) for choice in self.choices]
        with_word = [choice for choice in choices if str(value).lower() in choice.split("-")]
        if len(with_word) == 1:
            return f"{message}: did you mean {with_word[0]}?"
        return message + did_you_mean(str(value), choices)


def prepare_command(command: click.Command, name: str) -> click.Command:
    """Return a command of that name with what all commands have; a group's commands are replaced in place."""
    if isinstance(command, click.Group):
        command.commands = {inner: prepare_command(one, inner) for inner, one in command.commands.items()}
        return command
    made = GroupedCommand(
        name,
        context_settings=command.context_settings,
        callback=command.callback,
        params=command.params,
        help=command.help,
        epilog=command.epilog,
        short_help=command.short_help,
    )
    for parameter in made.params:
        if type(parameter.type) is click.Choice:
            parameter.type = SuggestingChoice(
                parameter.type.choices, case_sensitive=parameter.type.case_sensitive
            )
    if any(isinstance(parameter, click.Option) for parameter in made.params):
        made.params.append(config_option())
    complete_names(made)
    return check_paths(made)


def _find_valued_flag(command: click.Command, words: list[str], message: str) -> tuple[str, str] | None:
    """A flag of a call and the surplus word right after it, by click's message; None if there is none."""
    if not message.startswith("Got unexpected extra argument"):
        return None
    surplus = message.partition("(")[2].rstrip(")").split()
    flags = {
        name
        for option in command.params
        if isinstance(option, click.Option) and option.is_flag
        for name in (*option.opts, *option.secondary_opts)
    }
    return next(((flag, word) for flag, word in pairwise(words) if flag in flags and word in surplus), None)


def describe_wrong_call(error: click.ClickException) -> str:
    """Text of click's error about a wrong call, in one line, with the name that was meant by a wrong one."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.NoSuchOption) and ctx is not None:
        options = [
            option
            for parameter in ctx.command.get_params(ctx)
            if isinstance(parameter, click.Option) and not parameter.hidden
            for option in (*parameter.opts, *parameter.secondary_opts)
        ]
        wrong = error.option_name
        return f"there is no option {wrong}{hint_at_language(wrong, options) or did_you_mean(wrong, options)}"
    if isinstance(error, NoSuchCommand) and ctx is not None and isinstance(ctx.command, click.Group):
        names = ctx.command.list_commands(ctx)
        return f"there is no command {error.command_name!r}{did_you_mean(error.command_name, names)}"
    return " ".join(error.format_message().split())
