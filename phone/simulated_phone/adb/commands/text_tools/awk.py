"""`awk`: patterns and actions on the fields of lines.

The language of POSIX awk, without `getline` from commands, pipes in `print` and `system`.
"""

from __future__ import annotations

from simulated_phone.adb.commands.command_call import CommandCall, CommandError
from simulated_phone.adb.commands.text_tools.arguments import contents
from simulated_phone.adb.commands.text_tools.awk_parser import parse_program
from simulated_phone.adb.commands.text_tools.awk_program import AwkError, AwkProgram
from simulated_phone.adb.commands.text_tools.output import unescaped
from simulated_phone.adb.commands.text_tools.patterns import PatternError


async def awk(call: CommandCall) -> None:
    """`awk [-F SEPARATOR] [-v NAME=VALUE] [-f FILE] [PROGRAM] [FILE | NAME=VALUE ...]`."""
    args, text, assigned = list(call.args), None, []
    while args and args[0].startswith("-") and len(args[0]) > 1:
        option = args.pop(0)
        if option == "--":
            break
        if option[:2] not in ("-F", "-v", "-f"):
            raise CommandError(f"awk: unknown option {option} ignored", 2)
        if not option[2:] and not args:
            raise CommandError(f"awk: no argument for {option}", 2)
        value = option[2:] or args.pop(0)
        if option[:2] == "-F":
            assigned.append(("FS", "\t" if value == "t" else value))
        elif option[:2] == "-v":
            name, _, content = value.partition("=")
            assigned.append((name, content))
        else:
            part = bytes(call.device.files.read(call.path(value))).decode("utf-8", "replace")
            text = (text + "\n" if text else "") + part
    if text is None:
        if not args:
            raise CommandError("usage: awk [-F fs][-v var=value][prog | -f progfile][file ...]", 2)
        text = args.pop(0)
    try:
        program = AwkProgram(parse_program(text), call)
        for name, content in assigned:
            program.assign(name, unescaped(content))
        await _run(call, program, args)
    except (AwkError, PatternError) as error:
        raise CommandError(f"awk: {error}", 2) from None
    except RecursionError:
        raise CommandError("awk: function call nesting too deep", 2) from None


async def _run(call: CommandCall, program: AwkProgram, args: list[str]) -> None:
    program.arguments(["awk", *args])
    going = await program.begin()
    inputs = args or ["-"]
    if all(_is_assignment(arg) for arg in inputs):
        inputs = [*inputs, "-"]
    if going and program.reads:
        for arg in inputs:
            if _is_assignment(arg):
                name, _, content = arg.partition("=")
                program.assign(name, unescaped(content))
                continue
            program.assign("FILENAME", "" if arg == "-" else arg)
            async for _, data in contents(call, [arg]):
                going = going and await program.read(data.decode("utf-8", "replace"))
            if not going:
                break
    await program.end()
    call.code = program.code or (2 if call.code else 0)


def _is_assignment(arg: str) -> bool:
    name, sign, _ = arg.partition("=")
    return bool(sign) and name.isidentifier()
