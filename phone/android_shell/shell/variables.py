"""Variables, parameters and working folder of a shell."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from android_shell.files import FileSystem
    from android_shell.shell.syntax import Command

SHELL = "/system/bin/sh"
"""Path of the shell, the name in its messages."""

PROCESS_ID = 4242
"""Process id of a shell."""

_ENVIRONMENT = {
    "ANDROID_DATA": "/data",
    "ANDROID_ROOT": "/system",
    "ANDROID_STORAGE": "/storage",
    "EXTERNAL_STORAGE": "/sdcard",
    "HOME": "/",
    "HOSTNAME": "phone",
    "LOGNAME": "shell",
    "PATH": "/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/vendor/bin",
    "SHELL": SHELL,
    "TERM": "xterm-256color",
    "TMPDIR": "/data/local/tmp",
    "USER": "shell",
}


@dataclass(slots=True, kw_only=True)
class ShellVariables:
    """State of a shell that a subshell gets a copy of.

    Attributes:
        files: The phone's storage.
        values: Variables by name.
        exported: Names of the variables that commands see.
        arguments: The positional parameters.
        functions: Functions by name.
        folder: The working folder.
        status: Exit code of the last command, `$?`.
        last_job: Process id of the last background command, `$!`.
    """

    files: FileSystem
    values: dict[str, str] = field(default_factory=lambda: dict(_ENVIRONMENT))
    exported: set[str] = field(default_factory=lambda: set(_ENVIRONMENT))
    arguments: list[str] = field(default_factory=list)
    functions: dict[str, Command] = field(default_factory=dict)
    folder: str = "/"
    status: int = 0
    last_job: int | None = None

    def copy(self) -> ShellVariables:
        """The state of a subshell."""
        return replace(
            self,
            values=dict(self.values),
            exported=set(self.exported),
            arguments=list(self.arguments),
            functions=dict(self.functions),
        )

    def get(self, name: str) -> str | None:
        """Value of a variable or parameter; None if it is not set."""
        special = {
            "?": str(self.status),
            "$": str(PROCESS_ID),
            "#": str(len(self.arguments)),
            "!": None if self.last_job is None else str(self.last_job),
            "-": "",
            "0": SHELL,
            "PWD": self.folder,
        }
        if name in special:
            return special[name]
        if name in ("@", "*"):
            return " ".join(self.arguments) if self.arguments else None
        if name.isdecimal():
            index = int(name) - 1
            return self.arguments[index] if index < len(self.arguments) else None
        return self.values.get(name)

    def path(self, name: str) -> str:
        """The absolute path of a file name."""
        return posixpath.join(self.folder, name)

    def environment(self) -> dict[str, str]:
        """The variables that commands see."""
        return {name: self.values[name] for name in sorted(self.exported) if name in self.values}
