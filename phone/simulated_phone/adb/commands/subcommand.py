"""Subcommands of Android's commands, with the options that each takes: others are refused."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass

from android_shell.command_call import CommandError
from android_shell.shell_device import Run
from simulated_phone.adb.commands.device_call import DeviceCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Subcommand:
    """Subcommand with its options.

    Attributes:
        run: Carries it out; the options are among the arguments.
        flags: Options without a value; None if any argument may begin with a dash.
        values: Options with values, which are the next arguments -> how many.
        java: Whether another option ends in a Java exception, as for intents, rather than in a line.
    """

    run: Run
    flags: frozenset[str] | None
    values: Mapping[str, int]
    java: bool

    def __call__(self, call: DeviceCall) -> Awaitable[None] | None:
        """Carry it out, unless an option is none of its own.

        Raises:
            CommandError: An option is unknown, or its value is missing.
        """
        if self.flags is None:
            return self.run(call)
        rest = iter(call.args[1:])
        for arg in rest:
            if arg in self.values:
                for _ in range(self.values[arg]):
                    if next(rest, None) is None:
                        raise call.missing_argument(arg)
            elif arg.startswith("-") and arg != "-" and arg not in self.flags and not _is_number(arg):
                if self.java:
                    raise call.java_error(f"Unknown option: {arg}")
                raise CommandError(f"Error: Unknown option: {arg}", 255)
        return self.run(call)

    @property
    def usage(self) -> str:
        """Options of the subcommand, as in a usage text."""
        with_values = (" ".join([option, *["VALUE"] * count]) for option, count in self.values.items())
        return " ".join(f"[{text}]" for text in sorted([*(self.flags or ()), *with_values]))


def take_options(run: Run, options: str = "", *, java: bool = False) -> Subcommand:
    """Return a subcommand with its options.

    Args:
        run: Carries it out.
        options: The options, separated by spaces; those that take a value end with "=", or with "==" for
            two.
        java: Whether another option ends in a Java exception.
    """
    words = options.split()
    return Subcommand(
        run=run,
        flags=frozenset(word for word in words if not word.endswith("=")),
        values={word.rstrip("="): word.count("=") for word in words if word.endswith("=")},
        java=java,
    )


def take_any(run: Run) -> Subcommand:
    """Return a subcommand without options, whose arguments may begin with a dash."""
    return Subcommand(run=run, flags=None, values={}, java=True)


def _is_number(text: str) -> bool:
    return text[1:].isdecimal()
