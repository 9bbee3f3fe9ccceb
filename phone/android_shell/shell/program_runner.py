"""How a shell runs a command by its words: functions, builtins, programs, and files with scripts."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from android_shell.command_call import CommandCall, CommandError, LineEndError, UnsupportedError
from android_shell.files import FileError, WriteError
from android_shell.shell.builtins import BUILTINS, CARRIED_OUT
from android_shell.shell.builtins.builtin_call import Builtin, BuiltinCall, BuiltinError
from android_shell.shell.builtins.control import FunctionReturn, ShellExit
from android_shell.shell.descriptors import Descriptors, get_input, write_to
from android_shell.shell.line_tasks import LineTasks
from android_shell.shell.paths import TOOLS_OF_PHONES, find_program, is_executable, strip_folder
from android_shell.shell.pipes import Input, PipeClosed
from android_shell.shell.signals import Jobs
from android_shell.shell.syntax import ShellSyntaxError
from android_shell.shell.variables import SHELL, ShellError, ShellVariables

if TYPE_CHECKING:
    from android_shell.shell.syntax import Command
    from android_shell.shell_device import ShellDevice

NOT_FOUND, NOT_EXECUTABLE = 127, 126
"""Exit codes of an unknown command, and of a file that is no program."""

_ELF = b"\x7fELF"
_log = logging.getLogger(__name__)


class ProgramRunner:
    """The part of a shell that runs commands by their words; `Interpreter` adds the language.

    Args:
        device: The device that it runs on.
        variables: State of the shell, which commands change.
        tasks: What the line starts.
        depth: Nesting of this shell.

    Attributes:
        builtins: Its builtins that are carried out.
        device: The device.
        variables: State of the shell.
        tasks: What the line starts.
        jobs: Its background commands.
        loops: Number of loops of the running function that are open.
        tested: Number of open contexts in which a failure does not end the shell (`set -e`).
        excused: Whether the last failure was one of a command in such a context.
    """

    builtins: ClassVar[Mapping[str, Builtin]] = CARRIED_OUT

    def __init__(
        self, device: ShellDevice, variables: ShellVariables, tasks: LineTasks, depth: int = 0
    ) -> None:
        self.device = device
        self.variables = variables
        self.tasks = tasks
        self.jobs = Jobs()
        self.loops = 0
        self.tested = 0
        self.excused = False
        self._depth = depth

    async def run_command(self, command: Command, descriptors: Descriptors) -> None:
        """Run one command; the exit code is in `variables.status`."""
        raise NotImplementedError

    async def run_nested(self, text: str, descriptors: Descriptors) -> int:
        """Run a text within this shell, as `eval` does; return its exit code."""
        raise NotImplementedError

    async def run_script(self, text: str, descriptors: Descriptors, start: ShellVariables) -> int:
        """Run a text in a new shell; return its exit code."""
        raise NotImplementedError

    async def execute(
        self,
        words: list[str],
        descriptors: Descriptors,
        assigned: dict[str, str] | None = None,
        *,
        functions: bool = True,
    ) -> int:
        """Run a function, a builtin or a program by its words.

        Args:
            words: Name and arguments.
            descriptors: Its file descriptors.
            assigned: Variables for this command only.
            functions: Whether a function of this name is called; if not, an error ends no shell, either.

        Returns:
            The exit code.
        """
        # functions hide builtins, builtins hide programs of the same name, such as `kill`
        name = words[0]
        if functions and name in self.variables.functions:
            with self._assign_for_now(assigned):
                return await self._call_function(words, descriptors)
        if name in BUILTINS:
            if BUILTINS[name].special and functions:
                for variable, value in (assigned or {}).items():
                    self.variables.assign(variable, value)
                    if name == "exec":
                        self.variables.exported.add(variable)
                return await self._call_builtin(words, descriptors, fatal=True)
            with self._assign_for_now(assigned):
                return await self._call_builtin(words, descriptors, fatal=False)
        if assigned and self.variables.readonly & assigned.keys():
            raise ShellError(f"read-only: {min(self.variables.readonly & assigned.keys())}", 2)
        environment = self.variables.environment() | (assigned or {})
        return await self.execute_program(words, descriptors, environment)

    @contextmanager
    def _assign_for_now(self, assigned: dict[str, str] | None) -> Iterator[None]:
        if not assigned:
            yield
            return
        variables = self.variables
        before = {name: variables.save(name) for name in assigned}
        for name, value in assigned.items():
            variables.assign(name, value)
            variables.exported.add(name)
        try:
            yield
        finally:
            for name, saved in before.items():
                variables.restore(name, saved)

    # ---- functions and builtins

    async def _call_function(self, words: list[str], descriptors: Descriptors) -> int:
        self.tasks.check_depth(self._depth)
        # functions that call each other must not stop the phone
        await asyncio.sleep(0)
        variables = self.variables
        before = variables.arguments, variables.name, self.loops
        function = variables.functions[words[0]]
        variables.arguments, self.loops = words[1:], 0
        if function.named:
            variables.name = function.name
        variables.scopes.append({})
        self._depth += 1
        try:
            await self.run_command(function.body, descriptors)
        except FunctionReturn as end:
            return end.code
        except (ShellError, ShellSyntaxError) as error:
            # an error ends the function, not the shell
            await write_to(descriptors, 2, f"{SHELL}: {error}\n".encode())
            return error.code
        finally:
            variables.end_scope()
            variables.arguments, variables.name, self.loops = before
            self._depth -= 1
        return variables.status

    async def _call_builtin(self, words: list[str], descriptors: Descriptors, *, fatal: bool) -> int:
        name = words[0]
        builtin = BUILTINS[name]
        try:
            options, args = builtin.split(name, words[1:])
            call = BuiltinCall(shell=self, name=name, args=args, options=options, descriptors=descriptors)
            return await builtin.run(call)
        except (BuiltinError, ShellError, FileError) as error:
            if isinstance(error, ShellError) and fatal:
                raise
            code = 1 if isinstance(error, FileError) else error.code
            if fatal:
                raise ShellError(f"{name}: {error}", code) from None
            await write_to(descriptors, 2, f"{SHELL}: {name}: {error}\n".encode())
            return code

    # ---- programs

    async def execute_program(
        self,
        words: list[str],
        descriptors: Descriptors,
        environment: dict[str, str] | None = None,
    ) -> int:
        """Run a program, which is neither a function nor a builtin, by its words.

        Args:
            words: Name and arguments.
            descriptors: Its file descriptors.
            environment: Its variables; None for the exported ones.

        Returns:
            The exit code.
        """
        name = words[0]
        call = self.device.call_type(
            device=self.device,
            name=strip_folder(name),
            args=words[1:],
            write=partial(write_to, descriptors),
            input=get_input(descriptors),
            folder=self.variables.folder,
            environment=self.variables.environment() if environment is None else environment,
            umask=self.variables.umask,
            execute=partial(self._execute_for, descriptors),
            run_script=partial(self._run_script_for, descriptors),
        )
        return await self._call(name, call)

    async def _execute_for(
        self,
        descriptors: Descriptors,
        words: list[str],
        source: Input | None = None,
        environment: dict[str, str] | None = None,
    ) -> int:
        """Run a program for another one, such as `xargs`."""
        given = descriptors if source is None else {**descriptors, 0: source}
        return await self.execute_program(words, given, environment)

    async def _run_script_for(
        self,
        descriptors: Descriptors,
        text: str,
        arguments: list[str],
        *,
        name: str = "sh",
        options: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
    ) -> int:
        """Run a text in a new shell for a program."""
        start = self.variables.start(self.variables.environment() if environment is None else environment)
        start.arguments, start.name = arguments, name
        start.options.update(options)
        return await self.run_script(text, descriptors, start)

    async def _call(self, given: str, call: CommandCall) -> int:
        try:
            run = self.device.commands.get(self._find_command(given, call))
            if run is None:
                return await self._run_file(given, call)
            work = run(call)
            if inspect.isawaitable(work):
                await work
        except CommandError as error:
            call.print_error(error.message + "\n")
            call.code = error.code
        except self.device.errors as error:
            call.print_error(f"{call.name}: {error}\n")
            call.code = 1
        # without memory the phone is lost: an exit code would count as what the command did
        except (LineEndError, ShellExit, ShellError, PipeClosed, MemoryError):
            raise
        except Exception as error:
            # an error of our own is the tool's, so that the stream of the host stays open
            _log.exception("the command %s failed", call.name)
            call.print_error(f"{call.name}: {type(error).__name__}\n")
            call.code = 1
        self.device.end_command(call.name)
        try:
            await call.flush()
        except WriteError as error:
            call.print_error(f"{call.name}: {error}\n")
            call.code = 1
            await call.flush()
        return call.code

    def _find_command(self, given: str, call: CommandCall) -> str:
        """Name of the phone's command; "" for a file."""
        if "/" in given:
            return call.name
        path = find_program(self.device, self.variables, given)
        return given if path is not None and path == f"/system/bin/{given}" else ""

    async def _run_file(self, given: str, call: CommandCall) -> int:
        """Run a file as a script; anything else is not found."""
        path = given if "/" in given else find_program(self.device, self.variables, given)
        entry = None
        if path is not None:
            entry = self.device.files.get(call.path(path))
        if path is None or entry is None:
            message = f"{SHELL}: {given}: inaccessible or not found"
            if call.name in TOOLS_OF_PHONES:
                raise UnsupportedError(message, NOT_FOUND)
            raise CommandError(message, NOT_FOUND)
        if not is_executable(self.variables, path):
            reason = "Is a directory" if entry.is_folder else "Permission denied"
            raise CommandError(f"{SHELL}: {given}: can't execute: {reason}", NOT_EXECUTABLE)
        data = bytes(entry.read())
        if data.startswith(_ELF):
            raise CommandError(f"{SHELL}: {given}: not executable: 64-bit ELF file", NOT_EXECUTABLE)
        text = data.decode("utf-8", "replace")
        line = text.partition("\n")[0] if text.startswith("#!") else ""
        words = line[2:].split(maxsplit=1)
        if words and strip_folder(words[0]) not in self.device.commands:
            raise CommandError(f"{SHELL}: {given}: No such file or directory", NOT_EXECUTABLE)
        if words and strip_folder(words[0]) != "sh":
            return await call.execute([*words, path, *call.args])
        if words[1:]:
            return await call.execute(["sh", *words[1:], path, *call.args])
        return await call.run_script(text, call.args, name=given)
