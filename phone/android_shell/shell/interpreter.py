"""The phone's shell: runs the commands of a line and forwards their output."""

from __future__ import annotations

import asyncio
import inspect
from functools import partial
from typing import TYPE_CHECKING

from android_shell.command_call import CommandCall, CommandError, LineEndError
from android_shell.files import WriteError
from android_shell.shell.builtins import BUILTINS, FunctionReturn, LoopExit, ShellExit
from android_shell.shell.conditional import evaluate_condition
from android_shell.shell.descriptors import (
    Descriptors,
    RedirectionError,
    get_input,
    redirect,
    write_to,
)
from android_shell.shell.expansion import Expander, ExpansionError
from android_shell.shell.globbing import compile_pattern
from android_shell.shell.line_tasks import LineTasks
from android_shell.shell.parser import parse_lines
from android_shell.shell.pipes import Input, Pipe, PipeClosed, open_bytes
from android_shell.shell.signals import Jobs, writes_elsewhere
from android_shell.shell.syntax import (
    AndOr,
    Case,
    Command,
    CommandList,
    Conditional,
    For,
    FunctionDefinition,
    Group,
    If,
    Loop,
    Pipeline,
    Redirection,
    ShellSyntaxError,
    SimpleCommand,
)
from android_shell.shell.variables import SHELL, ShellVariables

if TYPE_CHECKING:
    from android_shell.shell_device import ShellDevice

NOT_FOUND, BROKEN_PIPE = 127, 141
"""Exit codes of an unknown command, and of one whose output nobody reads any more."""

MAX_OUTPUT = 16 << 20
"""Largest size of a command substitution's output, in bytes."""

_FOLDERS = ("/system/bin/", "/system/xbin/", "/vendor/bin/", "/product/bin/")


class Interpreter:
    """Runs syntax trees.

    Args:
        device: The device that it runs on.
        variables: State of the shell, which commands change.
        tasks: What the line starts.
        depth: Nesting of this shell.

    Attributes:
        device: The device.
        variables: State of the shell.
        tasks: What the line starts.
        jobs: Its background commands.
    """

    def __init__(
        self, device: ShellDevice, variables: ShellVariables, tasks: LineTasks, depth: int = 0
    ) -> None:
        self.device = device
        self.variables = variables
        self.tasks = tasks
        self._depth = depth
        self.jobs = Jobs()
        self._errors: Descriptors = {}
        self._expander = Expander(variables, self._substitute)

    # ---- whole texts

    async def run_text(self, text: str, descriptors: Descriptors) -> int:
        """Parse and run a line or a script; a wrong one prints the shell's message.

        Returns:
            The exit code.
        """
        try:
            for line in parse_lines(text):
                await self.run_list(line, descriptors)
        except (ShellSyntaxError, ExpansionError) as error:
            await write_to(descriptors, 2, f"{SHELL}: {error}\n".encode())
            self.variables.status = error.code
        except (LoopExit, FunctionReturn) as end:
            self.variables.status = end.code
        return self.variables.status

    async def run_nested(self, text: str, descriptors: Descriptors) -> int:
        """Run a text within this shell, as `eval` does; return its exit code."""
        self.tasks.check_depth(self._depth)
        # functions that call each other must not stop the phone
        await asyncio.sleep(0)
        self._depth += 1
        try:
            self.variables.status = 0
            for line in parse_lines(text):
                await self.run_list(line, descriptors)
        except ShellSyntaxError as error:
            await write_to(descriptors, 2, f"{SHELL}: {error}\n".encode())
            return error.code
        finally:
            self._depth -= 1
        return self.variables.status

    async def run_script(self, text: str, arguments: list[str], descriptors: Descriptors) -> int:
        """Run a text in a new shell with these parameters; return its exit code."""
        with self.tasks.subshell():
            inner = self._make_subshell()
            inner.variables.arguments = arguments
            try:
                await inner.run_text(text, descriptors)
            except ShellExit as end:
                inner.variables.status = end.code
            await inner.jobs.finish()
            return inner.variables.status

    def _make_subshell(self) -> Interpreter:
        self.tasks.check_depth(self._depth)
        return Interpreter(self.device, self.variables.copy(), self.tasks, self._depth + 1)

    async def _run_apart(self, command: Command | CommandList, descriptors: Descriptors) -> int:
        """Run in a subshell; return the exit code."""
        inner = self._make_subshell()
        # subshells that start each other must not stop the phone
        await asyncio.sleep(0)
        try:
            if isinstance(command, CommandList):
                await inner.run_list(command, descriptors)
            else:
                await inner.run_command(command, descriptors)
        except (ShellExit, LoopExit, FunctionReturn) as end:
            inner.variables.status = end.code
        except ExpansionError as error:
            await write_to(descriptors, 2, f"{SHELL}: {error}\n".encode())
            return error.code
        await inner.jobs.finish()
        return inner.variables.status

    async def _substitute(self, body: CommandList) -> str:
        output = bytearray()

        async def collect(data: bytes) -> None:
            if len(output) + len(data) > MAX_OUTPUT:
                raise ExpansionError("out of memory")
            output.extend(data)

        descriptors: Descriptors = {**self._errors, 1: collect}
        with self.tasks.subshell():
            self.variables.status = await self._run_apart(body, descriptors)
        return output.replace(b"\0", b"").decode("utf-8", "replace")

    # ---- lists and pipelines

    async def run_list(self, commands: CommandList, descriptors: Descriptors) -> None:
        """Run the commands of a list; the exit code is in `variables.status`."""
        for item in commands.items:
            self.tasks.check()
            if item.background:
                self._start_job(item, descriptors)
            else:
                await self._run_and_or(item, descriptors)

    def _start_job(self, item: AndOr, descriptors: Descriptors) -> None:
        body = CommandList(items=(AndOr(pipelines=item.pipelines, background=False),))
        # adb closes the stream with the shell: a command that still writes to it holds the shell open, as on
        # a phone, where the stream lives as long as a process has it as stdout
        apart = writes_elsewhere(item)
        tasks = self.tasks.detach() if apart else self.tasks
        # without job control a background command reads /dev/null (POSIX 2.9.3.1)
        job = tasks.start(partial(self._run_job, body, {**descriptors, 0: open_bytes(b"")}, tasks))
        if apart:
            self.device.keep_job(job)
        self.variables.last_job = self.jobs.add(job, waited=not apart)
        self.variables.status = 0

    async def _run_job(self, body: CommandList, descriptors: Descriptors, tasks: LineTasks) -> int:
        inner = Interpreter(self.device, self.variables.copy(), tasks, self._depth)
        try:
            return await inner._run_apart(body, descriptors)
        except LineEndError as error:
            # the line's end prints it
            self.tasks.refuse(error)
            return error.code
        finally:
            if tasks is not self.tasks:
                await tasks.cancel()

    async def _run_and_or(self, item: AndOr, descriptors: Descriptors) -> None:
        for operator, pipeline in item.pipelines:
            # && needs success before it, || needs failure
            if not operator or (self.variables.status == 0) == (operator == "&&"):
                await self._run_pipeline(pipeline, descriptors)

    async def _run_pipeline(self, pipeline: Pipeline, descriptors: Descriptors) -> None:
        if len(pipeline.commands) == 1:
            await self.run_command(pipeline.commands[0], descriptors)
        else:
            self.variables.status = await self._run_stages(pipeline, descriptors)
        if pipeline.negated:
            self.variables.status = int(self.variables.status == 0)

    async def _run_stages(self, pipeline: Pipeline, descriptors: Descriptors) -> int:
        pipes = [Pipe() for _ in pipeline.commands[1:]]
        stages: list[asyncio.Task[int]] = []
        try:
            for command, before, after in zip(pipeline.commands, [None, *pipes], [*pipes, None], strict=True):
                inner = dict(descriptors)
                if before:
                    inner[0] = Input(before.read)
                if after:
                    inner[1] = after.write
                stages.append(self.tasks.start(partial(self._run_stage, command, inner, before, after)))
            codes = await asyncio.gather(*stages)
        finally:
            for stage in stages:
                stage.cancel()
        # without pipefail only the last stage counts
        return codes[-1]

    async def _run_stage(
        self, command: Command, descriptors: Descriptors, before: Pipe | None, after: Pipe | None
    ) -> int:
        try:
            return await self._run_apart(command, descriptors)
        except PipeClosed:
            return BROKEN_PIPE
        finally:
            if before:
                before.end_reading()
            if after:
                after.end_writing()

    # ---- commands

    async def run_command(self, command: Command, descriptors: Descriptors) -> None:
        """Run one command; the exit code is in `variables.status`."""
        self._errors = descriptors
        if isinstance(command, FunctionDefinition):
            self.variables.functions[command.name] = command.body
            self.variables.status = 0
            return
        inner = await self._redirect(command.redirections, descriptors)
        if inner is None:
            self.variables.status = 1
        elif isinstance(command, SimpleCommand):
            await self._run_simple(command, inner)
        elif isinstance(command, Group) and command.subshell:
            with self.tasks.subshell():
                self.variables.status = await self._run_apart(command.body, inner)
        elif isinstance(command, Group):
            await self.run_list(command.body, inner)
        else:
            await self._run_compound(command, inner)

    async def _redirect(
        self, redirections: tuple[Redirection, ...], descriptors: Descriptors
    ) -> Descriptors | None:
        """The descriptors after the redirections; None if one cannot be made, which is printed."""
        changed = dict(descriptors)
        for redirection in redirections:
            target = await self._expander.text(redirection.target)
            path = self.variables.path(target)
            try:
                redirect(
                    changed, redirection.descriptor, redirection.operator, target, path, self.device.files
                )
            except RedirectionError as error:
                await write_to(descriptors, 2, f"{SHELL}: {error}\n".encode())
                return None
        return changed

    async def _run_compound(
        self, command: If | Loop | For | Case | Conditional, descriptors: Descriptors
    ) -> None:
        if isinstance(command, If):
            await self._run_if(command, descriptors)
        elif isinstance(command, Conditional):
            test = partial(self._execute_for, descriptors)
            self.variables.status = int(not await evaluate_condition(command.condition, self._expander, test))
        elif isinstance(command, Case):
            await self._run_case(command, descriptors)
        elif isinstance(command, Loop):
            await self._run_loop(command, descriptors)
        else:
            words = None if command.words is None else await self._expander.fields(command.words)
            self.variables.status = 0
            for value in self.variables.arguments if words is None else words:
                self.variables.values[command.name] = value
                if not await self._run_body(command.body, descriptors):
                    break

    async def _run_if(self, command: If, descriptors: Descriptors) -> None:
        for condition, body in command.branches:
            await self.run_list(condition, descriptors)
            if self.variables.status == 0:
                await self.run_list(body, descriptors)
                return
        self.variables.status = 0
        if command.otherwise is not None:
            await self.run_list(command.otherwise, descriptors)

    async def _run_case(self, command: Case, descriptors: Descriptors) -> None:
        subject = await self._expander.text(command.subject)
        self.variables.status = 0
        for patterns, body in command.branches:
            for pattern in patterns:
                if compile_pattern(await self._expander.pattern(pattern)).match(subject):
                    await self.run_list(body, descriptors)
                    return

    async def _run_loop(self, command: Loop, descriptors: Descriptors) -> None:
        status = 0
        while True:
            await self.run_list(command.condition, descriptors)
            if (self.variables.status == 0) == command.until:
                break
            going = await self._run_body(command.body, descriptors)
            status = self.variables.status
            if not going:
                break
        self.variables.status = status

    async def _run_body(self, body: CommandList, descriptors: Descriptors) -> bool:
        """Run a loop's body once; return whether the loop goes on."""
        # a loop without output must not stop the phone
        await asyncio.sleep(0)
        try:
            await self.run_list(body, descriptors)
        except LoopExit as end:
            if end.levels > 1:
                end.levels -= 1
                raise
            self.variables.status = 0
            return end.again
        return True

    async def _run_simple(self, command: SimpleCommand, descriptors: Descriptors) -> None:
        # $? of the words is that of the command before, also after a substitution in them
        before = self.variables.status
        words = await self._expander.fields(command.words)
        assigned: dict[str, str] = {}
        if not words:
            # assignments alone last; their status is that of the last substitution in them (POSIX 2.9.1)
            self.variables.status = 0
            for one in command.assignments:
                value = await self._expander.text(one.value)
                old = self.variables.values.get(one.name, "") if one.append else ""
                self.variables.values[one.name] = old + value
            return
        self.variables.status = before
        for one in command.assignments:
            assigned[one.name] = await self._expander.text(one.value)
        self.variables.status = await self.execute(words, descriptors, assigned)

    async def execute(
        self, words: list[str], descriptors: Descriptors, assigned: dict[str, str] | None = None
    ) -> int:
        """Run a function, a builtin or a command by its words.

        Args:
            words: Name and arguments.
            descriptors: Its file descriptors.
            assigned: Variables for this command only.

        Returns:
            The exit code.
        """
        # functions hide builtins, builtins hide tools of the same name, such as `kill`
        name = words[0]
        if name in self.variables.functions:
            return await self._call_function(words, descriptors)
        if name in BUILTINS:
            self.variables.values.update(assigned or {})
            try:
                return await BUILTINS[name](self, words[1:], descriptors)
            except WriteError as error:
                await write_to(descriptors, 2, f"{SHELL}: {name}: {error}\n".encode())
                return 1
        environment = self.variables.environment() | (assigned or {})
        call = self.device.call_type(
            device=self.device,
            name=_strip_folder(name),
            args=words[1:],
            write=partial(write_to, descriptors),
            input=get_input(descriptors),
            folder=self.variables.folder,
            environment=environment,
            execute=partial(self._execute_for, descriptors),
            run_script=lambda text, arguments: self.run_script(text, arguments, descriptors),
        )
        return await self._call(name, call)

    async def _execute_for(
        self, descriptors: Descriptors, words: list[str], source: Input | None = None
    ) -> int:
        """Run a command for another one, such as `xargs`."""
        return await self.execute(words, descriptors if source is None else {**descriptors, 0: source})

    async def _call_function(self, words: list[str], descriptors: Descriptors) -> int:
        self.tasks.check_depth(self._depth)
        # functions that call each other must not stop the phone
        await asyncio.sleep(0)
        arguments, self.variables.arguments = self.variables.arguments, words[1:]
        self._depth += 1
        try:
            await self.run_command(self.variables.functions[words[0]], descriptors)
        except FunctionReturn as end:
            return end.code
        finally:
            self.variables.arguments = arguments
            self._depth -= 1
        return self.variables.status

    async def _call(self, given: str, call: CommandCall) -> int:
        try:
            run = self.device.commands.get(call.name)
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
        self.device.end_command(call.name)
        try:
            await call.flush()
        except WriteError as error:
            call.print_error(f"{call.name}: {error}\n")
            call.code = 1
            await call.flush()
        return call.code

    async def _run_file(self, given: str, call: CommandCall) -> int:
        """Run a file as a script; anything else is not found."""
        entry = self.device.files.get(call.path(given)) if "/" in given else None
        if entry is None:
            raise CommandError(f"{SHELL}: {given}: inaccessible or not found", NOT_FOUND)
        if entry.is_folder or not entry.mode & 0o111:
            raise CommandError(f"{SHELL}: {given}: can't execute: Permission denied", 126)
        if not entry.data.startswith(b"#!"):
            raise CommandError(f"{SHELL}: {given}: not executable: 64-bit ELF file", 126)
        return await call.run_script(entry.data.decode("utf-8", "replace"), call.args)


def _strip_folder(name: str) -> str:
    for folder in _FOLDERS:
        if name.startswith(folder):
            return name.removeprefix(folder)
    return name
