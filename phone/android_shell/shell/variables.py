"""Variables, parameters, options and working folder of a shell."""

from __future__ import annotations

import posixpath
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from android_shell.command_call import UnsupportedError
from android_shell.shell.arithmetic import ArithmeticFailure, evaluate

if TYPE_CHECKING:
    from android_shell.files import FileSystem
    from android_shell.shell.syntax import FunctionDefinition

SHELL = "/system/bin/sh"
"""Path of the shell, the name in its messages."""

PROCESS_ID = 4242
"""Process id of a shell."""

PARENT_ID = 4100
"""Process id of adbd, which started the shell."""

PATH = "/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/vendor/bin"
"""Folders of programs, as adbd sets them."""

_ENVIRONMENT = {
    "ANDROID_DATA": "/data",
    "ANDROID_ROOT": "/system",
    "ANDROID_STORAGE": "/storage",
    "EXTERNAL_STORAGE": "/sdcard",
    "HOME": "/",
    "HOSTNAME": "phone",
    "LOGNAME": "shell",
    "PATH": PATH,
    "SHELL": SHELL,
    "TERM": "xterm-256color",
    "TMPDIR": "/data/local/tmp",
    "USER": "shell",
}
_OWN = {
    "COLUMNS": "80",
    "IFS": " \t\n",
    "KSHEGID": "2000",
    "KSHGID": "2000",
    "KSHUID": "2000",
    "KSH_VERSION": "@(#)MIRBSD KSH R59 2020/10/31 Android",
    "LINES": "24",
    "OPTIND": "1",
    "PATHSEP": ":",
    "PS1": "$ ",
    "PS2": "> ",
    "PS3": "#? ",
    "PS4": "+ ",
    "TMOUT": "0",
    "USER_ID": "2000",
}
_COMPUTED = ("BASHPID", "EPOCHREALTIME", "LINENO", "PGRP", "PIPESTATUS", "PPID", "RANDOM", "SECONDS")
_LETTERS = "aeCfuhUxc"
"""Letters of options in the order of `$-`; h, U and c are those of a shell that runs a line."""


class ShellError(Exception):
    """An error that ends a shell's text; the text is the message, `code` the exit code."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


Saved = tuple[str | None, bool, bool, str]
"""A variable before a function made its own: value, whether exported and readonly, and kind."""


@dataclass(slots=True, kw_only=True)
class ShellVariables:
    """State of a shell that a subshell gets a copy of.

    Attributes:
        files: The phone's storage.
        clock: The phone's time, seconds since 1970.
        values: Variables by name.
        exported: Names of the variables that commands see.
        readonly: Names of the variables that cannot be set.
        kinds: Name -> "i" for numbers, "u" for upper case, "l" for lower case.
        scopes: For each running function, the variables that it made its own, as they were before.
        arguments: The positional parameters.
        functions: Functions by name.
        options: Letters of the options that are on, and "pipefail".
        folder: The working folder.
        umask: Bits that the mode of a new file does not get.
        name: The shell's name, `$0`.
        status: Exit code of the last command, `$?`.
        first_status: Exit code of the first command of the last pipeline, `$PIPESTATUS`.
        last_job: Process id of the last background command, `$!`.
        option_at: Position of `getopts` within a word of options.
        started: Time at which the shell started.
    """

    files: FileSystem
    clock: Callable[[], float] = time.time
    values: dict[str, str] = field(default_factory=lambda: {**_ENVIRONMENT, **_OWN})
    exported: set[str] = field(default_factory=lambda: set(_ENVIRONMENT))
    readonly: set[str] = field(default_factory=lambda: {"KSH_VERSION"})
    kinds: dict[str, str] = field(default_factory=dict)
    scopes: list[dict[str, Saved]] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    functions: dict[str, FunctionDefinition] = field(default_factory=dict)
    options: set[str] = field(default_factory=set)
    folder: str = "/"
    umask: int = 0
    name: str = SHELL
    status: int = 0
    first_status: int = 0
    last_job: int | None = None
    option_at: int = 0
    started: float | None = None

    def __post_init__(self) -> None:
        if self.started is None:
            self.started = self.clock()

    def copy(self) -> ShellVariables:
        """The state of a subshell."""
        return replace(
            self,
            values=dict(self.values),
            exported=set(self.exported),
            readonly=set(self.readonly),
            kinds=dict(self.kinds),
            scopes=[dict(scope) for scope in self.scopes],
            arguments=list(self.arguments),
            functions=dict(self.functions),
            options=set(self.options),
        )

    def start(self, environment: dict[str, str]) -> ShellVariables:
        """The state of a new shell with this environment."""
        return ShellVariables(
            files=self.files,
            clock=self.clock,
            values={**_OWN, **environment},
            exported=set(environment),
            folder=self.folder,
            umask=self.umask,
        )

    # ---- reading

    def get(self, name: str) -> str | None:
        """Value of a variable or parameter; None if it is not set."""
        value = self.values.get(name)
        if value is not None:
            return value
        if name.isdecimal():
            index = int(name[:9]) - 1
            if index < 0:
                return self.name
            return self.arguments[index] if index < len(self.arguments) else None
        if name in ("@", "*"):
            return " ".join(self.arguments) if self.arguments else None
        if name in _COMPUTED:
            return self._compute(name)
        if name == "!":
            return None if self.last_job is None else str(self.last_job)
        return {
            "?": str(self.status),
            "$": str(PROCESS_ID),
            "#": str(len(self.arguments)),
            "-": "".join(letter for letter in _LETTERS if letter in self.options or letter in "hUc"),
            "PWD": self.folder,
        }.get(name)

    def _compute(self, name: str) -> str:
        if name == "RANDOM":
            data = self.files.read_device("/dev/urandom") or bytes(2)
            return str(int.from_bytes(data[:2], "big") & 0x7FFF)
        if name == "SECONDS":
            return str(int(self.clock() - (self.started or 0)))
        if name == "EPOCHREALTIME":
            return f"{self.clock():.6f}"
        if name == "LINENO" and self.name != SHELL:
            raise UnsupportedError(f"{SHELL}: LINENO is not supported", 2)
        return {"PPID": str(PARENT_ID), "PIPESTATUS": str(self.first_status), "LINENO": "0"}.get(
            name, str(PROCESS_ID)
        )

    def path(self, name: str) -> str:
        """The absolute path of a file name."""
        return posixpath.join(self.folder, name)

    def environment(self) -> dict[str, str]:
        """The variables that commands see."""
        return {name: self.values[name] for name in sorted(self.exported) if name in self.values}

    # ---- writing

    def assign(self, name: str, value: str) -> None:
        """Set a variable, as its kind has it.

        Raises:
            ShellError: It is readonly, or a number that is none.
            UnsupportedError: The shell computes it.
        """
        if name in self.readonly:
            raise ShellError(f"read-only: {name}", 2)
        if name in _COMPUTED or name == "PWD":
            raise UnsupportedError(f"{SHELL}: {name}: assignments are not supported", 2)
        self.values[name] = self._convert(name, value) if name in self.kinds else value
        if name == "OPTIND":
            self.option_at = 0
        if "a" in self.options:
            self.exported.add(name)

    def _convert(self, name: str, value: str) -> str:
        kind = self.kinds[name]
        if kind == "i":
            try:
                return str(evaluate(value, self))
            except ArithmeticFailure as error:
                raise ShellError(f"{value}: {error}") from None
        return value.upper() if kind == "u" else value.lower()

    def set_kind(self, name: str, kind: str) -> None:
        """Let a variable be a number ("i"), upper case ("u") or lower case ("l")."""
        self.kinds[name] = kind
        if name in self.values:
            self.values[name] = self._convert(name, self.values[name])

    def unset(self, name: str) -> bool:
        """Remove a variable; one that a function made its own is that from before. Return whether it may."""
        if name in self.readonly:
            return False
        if self.scopes and name in self.scopes[-1]:
            self.restore(name, self.scopes[-1].pop(name))
            return True
        self.values.pop(name, None)
        self.exported.discard(name)
        self.kinds.pop(name, None)
        return True

    # ---- scopes of functions

    def make_local(self, name: str) -> None:
        """Give the running function a variable of its own, which is not set."""
        if not self.scopes or name in self.scopes[-1]:
            return
        self.scopes[-1][name] = self.save(name)
        self.values.pop(name, None)
        self.exported.discard(name)
        self.kinds.pop(name, None)

    def end_scope(self) -> None:
        """Restore the variables that the ending function made its own."""
        for name, saved in self.scopes.pop().items():
            self.restore(name, saved)

    def save(self, name: str) -> Saved:
        """A variable as it is."""
        return (
            self.values.get(name),
            name in self.exported,
            name in self.readonly,
            self.kinds.get(name, ""),
        )

    def restore(self, name: str, saved: Saved) -> None:
        """Set a variable to what it was."""
        value, exported, readonly, kind = saved
        self.values.pop(name, None)
        self.kinds.pop(name, None)
        if value is not None:
            self.values[name] = value
        if kind:
            self.kinds[name] = kind
        (self.exported.add if exported else self.exported.discard)(name)
        (self.readonly.add if readonly else self.readonly.discard)(name)
