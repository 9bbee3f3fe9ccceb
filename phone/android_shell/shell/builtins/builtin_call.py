"""Options of builtins, and the errors of their arguments."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from android_shell.command_call import UnsupportedError
from android_shell.shell.arithmetic import ArithmeticFailure, evaluate
from android_shell.shell.variables import SHELL, ShellVariables

if TYPE_CHECKING:
    from android_shell.shell.descriptors import Descriptors
    from android_shell.shell.signals import Jobs
    from android_shell.shell_device import ShellDevice


class RunningShell(Protocol):
    """The shell that runs a builtin; a protocol, since the interpreter imports the builtins.

    Attributes:
        device: The device.
        variables: State of the shell.
        jobs: Its background commands.
        loops: Number of loops of the running function that are open.
        builtins: Its builtins that are carried out.
    """

    builtins: ClassVar[Mapping[str, Builtin]]
    device: ShellDevice
    variables: ShellVariables
    jobs: Jobs
    loops: int

    async def run_nested(self, text: str, descriptors: Descriptors) -> int:
        """Run a text within the shell; return its exit code."""

    async def execute(self, words: list[str], descriptors: Descriptors, *, functions: bool = True) -> int:
        """Run a command by its words; return its exit code."""

    async def execute_program(self, words: list[str], descriptors: Descriptors) -> int:
        """Run a program, which is neither a function nor a builtin, by its words; return its exit code."""


class BuiltinError(Exception):
    """Wrong arguments of a builtin; the text is its message, `code` its exit code."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinCall:
    """A call of a builtin.

    Attributes:
        shell: The shell.
        name: The builtin's name.
        args: Its arguments behind the options.
        options: The options that were given: letter -> value, "" for a flag.
        descriptors: Its file descriptors.
    """

    shell: RunningShell
    name: str
    args: list[str]
    options: dict[str, str]
    descriptors: Descriptors

    @property
    def variables(self) -> ShellVariables:
        """State of the shell."""
        return self.shell.variables

    def number(self, text: str) -> int:
        """The value of an argument that is an expression.

        Raises:
            BuiltinError: It is none.
        """
        try:
            return evaluate(text, self.variables)
        except ArithmeticFailure as error:
            raise BuiltinError(f"{text}: {error}") from None

    def refuse(self, feature: str) -> UnsupportedError:
        """Return the error of a form that a phone's builtin has and this one lacks; it ends the line."""
        return UnsupportedError(f"{SHELL}: {self.name}: {feature} not supported", 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Builtin:
    """A builtin.

    Attributes:
        run: Its implementation, which returns the exit code.
        letters: Its options, those with a value followed by a colon, or by a semicolon if the value follows
            in the same word; None if it takes all words as they are.
        lacking: Options that mksh's has and this one lacks; those followed by a colon have a value.
        arrays: Options that make, fill or name an array.
        special: Whether an error of it ends the shell, and assignments before it stay (POSIX 2.14).
    """

    run: Callable[[BuiltinCall], Awaitable[int]]
    letters: str | None = ""
    lacking: str = ""
    arrays: str = ""
    special: bool = False

    def split(self, name: str, words: list[str]) -> tuple[dict[str, str], list[str]]:
        """Split words into options and arguments.

        Raises:
            BuiltinError: An option is unknown, or its value is missing.
            UnsupportedError: mksh has the option, and this builtin lacks it.
        """
        options: dict[str, str] = {}
        rest = list(words)
        if self.letters is None:
            return options, rest
        while rest and len(rest[0]) > 1 and rest[0][0] == "-":
            word = rest.pop(0)
            if word == "--":
                break
            at = 1
            while at < len(word):
                letter = word[at]
                at += 1
                self._check(name, letter)
                if f"{letter};" in self.letters:
                    options[letter] = word[at:]
                    break
                if f"{letter}:" not in self.letters:
                    options[letter] = ""
                    continue
                if at == len(word) and not rest:
                    raise BuiltinError(f"-{letter}: requires an argument")
                options[letter] = word[at:] if at < len(word) else rest.pop(0)
                break
        return options, rest

    def _check(self, name: str, letter: str) -> None:
        if letter in self.arrays:
            raise UnsupportedError(f"{SHELL}: {name}: arrays are not supported", 2)
        if letter in self.lacking.replace(":", ""):
            raise UnsupportedError(f"{SHELL}: {name}: -{letter}: not supported", 2)
        if letter not in re.sub("[:;]", "", self.letters or ""):
            raise BuiltinError(f"-{letter}: unknown option", 1 if self.special else 2)
