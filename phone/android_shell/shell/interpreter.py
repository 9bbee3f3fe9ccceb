"""The phone's shell: runs the commands of a line and forwards their output."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from typing import TYPE_CHECKING

from android_shell.command_call import LineEndError, UnsupportedError
from android_shell.files import FileError
from android_shell.shell.builtins import BUILTINS, LACKING
from android_shell.shell.builtins.control import FunctionReturn, LoopExit, ShellExit
from android_shell.shell.conditional import evaluate_condition
from android_shell.shell.descriptors import (
    Descriptors,
    RedirectionError,
    redirect,
    write_to,
)
from android_shell.shell.expansion import Expander, ExpansionError
from android_shell.shell.globbing import compile_pattern
from android_shell.shell.line_tasks import LineTasks
from android_shell.shell.parser import parse_lines
from android_shell.shell.pipes import Input, Pipe, PipeClosed, open_bytes, open_file
from android_shell.shell.program_runner import ProgramRunner
from android_shell.shell.quoting import quote_value
from android_shell.shell.signals import writes_elsewhere
from android_shell.shell.syntax import (
    AndOr,
    Arithmetic,
    Assignment,
    Case,
    Command,
    CommandList,
    Conditional,
    For,
    FunctionDefinition,
    Group,
    If,
    Literal,
    Loop,
    Pipeline,
    Redirection,
    ShellSyntaxError,
    ShellWord,
    SimpleCommand,
    UnsupportedSyntaxError,
)
from android_shell.shell.variables import SHELL, ShellError, ShellVariables

if TYPE_CHECKING:
    from android_shell.shell_device import ShellDevice

BROKEN_PIPE = 141
"""Exit code of a command whose output nobody reads any more."""

_DECLARING = [[name] for name in ("export", "readonly", "typeset", "local", "integer")]
"""Builtins whose words are assignments."""

_DECLARED = re.compile(r"[A-Za-z_]\w*=", re.ASCII)

MAX_OUTPUT = 16 << 20
"""Largest size of a command substitution's output, in bytes."""


class Interpreter(ProgramRunner):
    """Runs syntax trees."""

    def __init__(
        self, device: ShellDevice, variables: ShellVariables, tasks: LineTasks, depth: int = 0
    ) -> None:
        super().__init__(device, variables, tasks, depth)
        self._errors: Descriptors = {}
        self._substituted: int | None = None
        self._expander = Expander(variables, self._substitute)

    # ---- whole texts

    async def run_text(self, text: str, descriptors: Descriptors) -> int:
        """Parse and run a line or a script; a wrong one prints the shell's message.

        Returns:
            The exit code.
        """
        try:
            await self._run_lines(text, descriptors)
        except (ShellSyntaxError, ShellError) as error:
            await write_to(descriptors, 2, f"{SHELL}: {error}\n".encode())
            self.variables.status = error.code
        except (LoopExit, FunctionReturn) as end:
            self.variables.status = end.code
        return self.variables.status

    async def _run_lines(self, text: str, descriptors: Descriptors) -> None:
        try:
            for line in parse_lines(text):
                # before anything of the line is done
                lacking = (line.names & LACKING) - self.variables.functions.keys()
                if lacking:
                    raise UnsupportedError(f"{SHELL}: {min(lacking)}: not supported", 2)
                await self.run_list(line, descriptors)
        except UnsupportedSyntaxError as error:
            raise UnsupportedError(f"{SHELL}: {error}", error.code) from None

    async def run_nested(self, text: str, descriptors: Descriptors) -> int:
        """Run a text within this shell, as `eval` does; return its exit code."""
        self.tasks.check_depth(self._depth)
        # functions that call each other must not stop the phone
        await asyncio.sleep(0)
        self._depth += 1
        try:
            self.variables.status = 0
            await self._run_lines(text, descriptors)
        finally:
            self._depth -= 1
        return self.variables.status

    async def run_script(self, text: str, descriptors: Descriptors, start: ShellVariables) -> int:
        """Run a text in a new shell; return its exit code."""
        with self.tasks.subshell():
            self.tasks.check_depth(self._depth)
            inner = Interpreter(self.device, start, self.tasks, self._depth + 1)
            try:
                await inner.run_text(text, dict(descriptors))
            except ShellExit as end:
                inner.variables.status = end.code
            await inner.jobs.finish()
            return inner.variables.status

    def _make_subshell(self) -> Interpreter:
        self.tasks.check_depth(self._depth)
        inner = Interpreter(self.device, self.variables.copy(), self.tasks, self._depth + 1)
        inner.tested = self.tested
        return inner

    async def _run_apart(self, command: Command | CommandList, descriptors: Descriptors) -> int:
        """Run in a subshell; return the exit code."""
        inner = self._make_subshell()
        # subshells that start each other must not stop the phone
        await asyncio.sleep(0)
        own = dict(descriptors)
        try:
            if isinstance(command, CommandList):
                await inner.run_list(command, own)
            else:
                await inner.run_command(command, own)
        except (ShellExit, LoopExit, FunctionReturn) as end:
            inner.variables.status = end.code
        except (ShellSyntaxError, ShellError) as error:
            await write_to(descriptors, 2, f"{SHELL}: {error}\n".encode())
            return error.code
        await inner.jobs.finish()
        return inner.variables.status

    async def _substitute(self, body: CommandList) -> str:
        file = _find_read_file(body)
        if file is not None:
            return await self._read_file(file)
        output = bytearray()

        async def collect(data: bytes) -> None:
            if len(output) + len(data) > MAX_OUTPUT:
                raise ExpansionError("out of memory")
            output.extend(data)

        descriptors: Descriptors = {**self._errors, 1: collect}
        with self.tasks.subshell():
            self._substituted = await self._run_apart(body, descriptors)
        return output.replace(b"\0", b"").decode("utf-8", "replace")

    async def _read_file(self, file: Redirection) -> str:
        """The content of a file, which `$(< FILE)` gives without a command."""
        name = await self._expander.text(file.target)
        try:
            source = open_file(self.device.files, self.variables.path(name))
            data = await source.read_all()
        except FileError as error:
            await write_to(self._errors, 2, f"{SHELL}: {name}: can't open $(<...) file: {error}\n".encode())
            self._substituted = 1
            return ""
        self._substituted = 0
        return data.replace(b"\0", b"").decode("utf-8", "replace")

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
        inner = Interpreter(self.device, self.variables.copy(), tasks, self._depth)
        job = tasks.start(partial(self._run_job, inner, body, {**descriptors, 0: open_bytes(b"")}))
        if apart:
            self.device.keep_job(job)
        self.variables.last_job = self.jobs.add(job, waited=not apart)
        self.variables.status = 0

    async def _run_job(self, inner: Interpreter, body: CommandList, descriptors: Descriptors) -> int:
        try:
            return await inner._run_apart(body, descriptors)
        except LineEndError as error:
            # the line's end prints it
            inner.tasks.refuse(error)
            return error.code
        finally:
            if inner.tasks is not self.tasks:
                await inner.tasks.cancel()

    async def _run_and_or(self, item: AndOr, descriptors: Descriptors) -> None:
        last = len(item.pipelines) - 1
        for number, (operator, pipeline) in enumerate(item.pipelines):
            # && needs success before it, || needs failure
            if operator and (self.variables.status == 0) != (operator == "&&"):
                continue
            # set -e: what is tested, or negated, may fail
            may_fail = number < last or pipeline.negated
            self.tested += may_fail
            try:
                await self._run_pipeline(pipeline, descriptors)
            finally:
                self.tested -= may_fail
            if self.variables.status:
                self._note_failure(pipeline, may_fail=may_fail)

    def _note_failure(self, pipeline: Pipeline, *, may_fail: bool) -> None:
        """End the shell if `set -e` is on and nothing tests what failed."""
        only = pipeline.commands[0] if len(pipeline.commands) == 1 else None
        if may_fail:
            self.excused = True
        elif not isinstance(only, If | Loop | For | Case) and not (
            isinstance(only, Group) and not only.subshell
        ):
            # a compound command has the failure of the last command in it, also if that was excused
            self.excused = False
        if not self.excused and not self.tested and "e" in self.variables.options:
            raise ShellExit(self.variables.status)

    async def _run_pipeline(self, pipeline: Pipeline, descriptors: Descriptors) -> None:
        if len(pipeline.commands) == 1:
            await self.run_command(pipeline.commands[0], descriptors)
            self.variables.first_status = self.variables.status
        elif pipeline.commands:
            self.variables.status = await self._run_stages(pipeline, descriptors)
        else:
            self.variables.status = 0
        if pipeline.timed:
            real = "    0m00.00s real " if pipeline.commands else ""
            await write_to(descriptors, 2, f"{real}    0m00.00s user     0m00.00s system\n".encode())
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
        self.variables.first_status = codes[0]
        # without pipefail only the last stage counts
        failed = [code for code in codes if code] if "pipefail" in self.variables.options else []
        return failed[-1] if failed else codes[-1]

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
            self.variables.functions[command.name] = command
            self.variables.status = 0
            return
        if isinstance(command, SimpleCommand):
            await self._run_simple(command, descriptors)
            return
        inner = await self._redirect(command.redirections, descriptors)
        if inner is None:
            self.variables.status = 1
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
        if not redirections:
            # the same, so that `exec` within braces changes those of the shell
            return descriptors
        changed = dict(descriptors)
        for redirection in redirections:
            target = await self._expander.text(redirection.target)
            try:
                redirect(changed, redirection.descriptor, redirection.operator, target, self.variables)
            except RedirectionError as error:
                await write_to(descriptors, 2, f"{SHELL}: {error}\n".encode())
                return None
        return changed

    async def _run_compound(
        self, command: Arithmetic | If | Loop | For | Case | Conditional, descriptors: Descriptors
    ) -> None:
        if isinstance(command, Arithmetic):
            await self._run_arithmetic(command, descriptors)
        elif isinstance(command, If):
            await self._run_if(command, descriptors)
        elif isinstance(command, Conditional):
            test = partial(self.execute, descriptors=descriptors, functions=False)
            self.variables.status = int(not await evaluate_condition(command.condition, self._expander, test))
        elif isinstance(command, Case):
            await self._run_case(command, descriptors)
        elif isinstance(command, Loop):
            await self._run_loop(command, descriptors)
        else:
            await self._run_for(command, descriptors)

    async def _run_arithmetic(self, command: Arithmetic, descriptors: Descriptors) -> None:
        text = await self._expander.text(command.expression)
        self.variables.status = await self.execute(["let", text or "0"], descriptors, functions=False)

    async def _run_for(self, command: For, descriptors: Descriptors) -> None:
        if not command.name.isidentifier():
            raise ShellError("for: bad identifier")
        words = None if command.words is None else await self._expander.fields(command.words)
        self.variables.status = 0
        for value in self.variables.arguments if words is None else words:
            self.variables.assign(command.name, value)
            if not await self._run_body(command.body, descriptors):
                break

    async def _run_condition(self, condition: CommandList, descriptors: Descriptors) -> bool:
        self.tested += 1
        try:
            await self.run_list(condition, descriptors)
        finally:
            self.tested -= 1
        return self.variables.status == 0

    async def _run_if(self, command: If, descriptors: Descriptors) -> None:
        for condition, body in command.branches:
            if await self._run_condition(condition, descriptors):
                await self.run_list(body, descriptors)
                return
        if command.otherwise is not None:
            await self.run_list(command.otherwise, descriptors)
        else:
            self.variables.status = 0

    async def _run_case(self, command: Case, descriptors: Descriptors) -> None:
        subject = await self._expander.text(command.subject)
        self.variables.status = 0
        for patterns, body in command.branches:
            for pattern in patterns:
                if compile_pattern(await self._expander.pattern(pattern)).match(subject):
                    await self.run_list(body, descriptors)
                    return

    async def _run_loop(self, command: Loop, descriptors: Descriptors) -> None:
        status, excused = 0, False
        while True:
            if await self._run_condition(command.condition, descriptors) == command.until:
                break
            going = await self._run_body(command.body, descriptors)
            status, excused = self.variables.status, self.excused
            if not going:
                break
        self.variables.status, self.excused = status, excused

    async def _run_body(self, body: CommandList, descriptors: Descriptors) -> bool:
        """Run a loop's body once; return whether the loop goes on."""
        # a loop without output must not stop the phone
        await asyncio.sleep(0)
        self.loops += 1
        try:
            await self.run_list(body, descriptors)
        except LoopExit as end:
            if end.levels > 1:
                end.levels -= 1
                raise
            self.variables.status = 0
            return end.again
        finally:
            self.loops -= 1
        return True

    async def _run_simple(self, command: SimpleCommand, descriptors: Descriptors) -> None:
        self._substituted = None
        words = await self._expand_words(command.words)
        # words come before redirections, as in mksh: `echo $(cat f) > f` reads the old content
        inner = await self._redirect(command.redirections, descriptors)
        if inner is None:
            if words and words[0] in BUILTINS and BUILTINS[words[0]].special:
                raise ShellError("redirection failure")
            self.variables.status = 1
            return
        if not words:
            await self._assign(command, inner)
            return
        assigned = {one.name: await self._expand_assigned(one) for one in command.assignments}
        if "x" in self.variables.options:
            await self._trace(assigned, words)
        self.variables.status = await self.execute(words, inner, assigned)
        if words == ["exec"] or words == ["command", "exec"]:
            # an exec without a command keeps its redirections
            kept = dict(inner)
            descriptors.clear()
            descriptors.update(kept)

    async def _expand_words(self, words: tuple[ShellWord, ...]) -> list[str]:
        names = [_get_literal(word) for word in words[:2]]
        if (names[1:] if names[:1] == ["command"] else names[:1]) not in _DECLARING:
            return await self._expander.fields(words)
        found: list[str] = []
        for word in words:
            # `export x=$y` is not split
            if _DECLARED.match(_get_literal(word[:1])):
                found.append(await self._expander.text(word, assigned=True))
            else:
                found += await self._expander.fields((word,))
        return found

    async def _assign(self, command: SimpleCommand, descriptors: Descriptors) -> None:
        # assignments alone last; their status is that of the last substitution in them (POSIX 2.9.1)
        for one in command.assignments:
            value = await self._expand_assigned(one)
            if "x" in self.variables.options:
                await self._trace({one.name: value}, [])
            self.variables.assign(one.name, value)
        self.variables.status = self._substituted or 0

    async def _expand_assigned(self, one: Assignment) -> str:
        value = await self._expander.text(one.value, assigned=True)
        return (self.variables.get(one.name) or "") + value if one.append else value

    async def _trace(self, assigned: dict[str, str], words: list[str]) -> None:
        parts = [f"{name}={quote_value(value)}" for name, value in assigned.items()]
        text = " ".join([*parts, *(quote_value(word) for word in words)])
        await write_to(self._errors, 2, f"+ {text}\n".encode("utf-8", "replace"))


def _get_literal(word: ShellWord) -> str:
    """The text of a word that is not quoted and has no expansion; "" for others."""
    part = word[0] if len(word) == 1 else None
    return part.text if isinstance(part, Literal) and not part.quoted else ""


def _find_read_file(body: CommandList) -> Redirection | None:
    """The redirection of `< FILE` if a list is nothing else."""
    if len(body.items) != 1 or len(body.items[0].pipelines) != 1 or body.items[0].background:
        return None
    commands = body.items[0].pipelines[0][1].commands
    command = commands[0] if len(commands) == 1 else None
    if not isinstance(command, SimpleCommand) or command.words or command.assignments:
        return None
    only = command.redirections[0] if len(command.redirections) == 1 else None
    return only if only is not None and only.operator == "<" and only.descriptor == 0 else None
