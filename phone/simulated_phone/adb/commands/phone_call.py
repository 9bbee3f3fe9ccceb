"""A call of one of Android's own commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from android_shell.command_call import CommandCall, CommandError

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.phone import Phone


@dataclass(slots=True, kw_only=True)
class PhoneCall(CommandCall):
    """A call of a command of the phone.

    Args:
        device: The phone's shared state.
    """

    device: DeviceState

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
                    raise self.java_error(
                        f'java.lang.IllegalArgumentException: Argument expected after "{arg}"'
                    )
                value = self.args[index + 1]
                del self.args[index : index + 2]
                return value
        return None

    def java_error(self, text: str) -> CommandError:
        """The error of a system service that threw a Java exception."""
        subcommand = self.args[0] if self.args else self.name
        return CommandError(f"\nException occurred while executing '{subcommand}':\n{text}", 255)
