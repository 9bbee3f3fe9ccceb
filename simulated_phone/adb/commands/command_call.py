"""One call of a shell command: its arguments, the phone it acts on, and what it says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState
    from simulated_phone.phone import Phone


class CommandError(Exception):
    """A command ends with a complaint.

    Args:
        complaint: What it writes to its standard error, without the last newline.
        code: Its exit code.
    """

    def __init__(self, complaint: str, code: int = 1) -> None:
        super().__init__(complaint)
        self.complaint = complaint
        self.code = code


@dataclass(slots=True, kw_only=True)
class CommandCall:
    """A command at work.

    Args:
        device: The phone, its files and its ports.
        name: The command's name.
        args: Its arguments, unquoted.
        write: Sends bytes on at once, to 1 (output) or 2 (complaints).
        code: Its exit code.
    """

    device: DeviceState
    name: str
    args: list[str]
    write: Callable[[int, bytes], Awaitable[None]]
    code: int = 0
    _printed: list[tuple[int, bytes]] = field(default_factory=list)

    @property
    def phone(self) -> Phone:
        """The phone."""
        return self.device.phone

    def say(self, text: str | bytes) -> None:
        """Adds to the output."""
        self._printed.append((1, text.encode() if isinstance(text, str) else text))

    def complain(self, text: str) -> None:
        """Adds to the standard error."""
        self._printed.append((2, text.encode()))

    async def flush(self) -> None:
        """Sends on what was said so far."""
        output, self._printed = self._printed, []
        for stream, data in output:
            await self.write(stream, data)

    def pop_flag(self, *names: str) -> bool:
        """Whether one of the flags is among the arguments; takes it out."""
        found = [arg for arg in self.args if arg in names]
        self.args = [arg for arg in self.args if arg not in names]
        return bool(found)

    def pop_option(self, *names: str) -> str | None:
        """The value after one of the options, None without it; takes both out.

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
        """The complaint of a system service that threw an exception."""
        doing = self.args[0] if self.args else self.name
        return CommandError(f"\nException occurred while executing '{doing}':\n{text}", 255)


Run = Callable[[CommandCall], Awaitable[None] | None]
"""What a command is: it says its output to the call, or raises `CommandError`."""
