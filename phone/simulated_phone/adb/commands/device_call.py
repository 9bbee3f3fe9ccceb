"""A call of one of Android's own commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from android_shell.command_call import CommandCall, CommandError

if TYPE_CHECKING:
    from android_shell.shell_device import Run
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.phone import Phone


@dataclass(slots=True, kw_only=True)
class DeviceCall(CommandCall):
    """A call of a command of the phone.

    Args:
        device: The phone's shared state.
    """

    device: DeviceState

    def __post_init__(self) -> None:
        """Note the program, which finds itself in /proc/self."""
        self.device.program = (self.name, *self.args)

    @property
    def phone(self) -> Phone:
        """The phone."""
        return self.device.phone

    def pop_option(self, *names: str) -> str | None:
        """Remove the first of the options and its value from the arguments; return the value.

        Raises:
            CommandError: The option is the last argument.
        """
        for index, arg in enumerate(self.args):
            if arg in names:
                if index + 1 == len(self.args):
                    raise self.missing_argument(arg)
                value = self.args[index + 1]
                del self.args[index : index + 2]
                return value
        return None

    @property
    def operands(self) -> list[str]:
        """The arguments after the subcommand that are no options."""
        return [arg for arg in self.args[1:] if not arg.startswith("-")]

    def argument(self, index: int) -> str:
        """Return an argument; "" if there are fewer."""
        return self.args[index] if index < len(self.args) else ""

    def java_error(self, text: str, kind: str = "java.lang.IllegalArgumentException") -> CommandError:
        """Return the error of a system service that threw a Java exception of this kind."""
        subcommand = self.argument(0) or self.name
        return CommandError(f"\nException occurred while executing '{subcommand}':\n{kind}: {text}", 255)

    def missing_argument(self, option: str) -> CommandError:
        """Return the error of an option or a subcommand without its value."""
        return self.java_error(f'Argument expected after "{option}"')

    def refuse_subcommand(self, subcommands: Iterable[str]) -> None:
        """Say that there is no subcommand of the first argument, or list them all if there is none."""
        word = self.argument(0)
        if word in ("", "help", "-h", "--help"):
            self.print(f"{self.name} commands:\n" + "".join(f"  {name}\n" for name in sorted(subcommands)))
        else:
            self.print(f"Unknown command: {word}\n")
        self.code = 255

    async def run_subcommand(self, subcommands: Mapping[str, Run]) -> None:
        """Run the subcommand that the first argument names; without one, list the subcommands.

        As on a phone, both the list and what is wrong are printed to stdout, with exit code 255.
        """
        run = subcommands.get(self.argument(0))
        if run is None:
            self.refuse_subcommand(subcommands)
            return
        work = run(self)
        if work is not None:
            await work
