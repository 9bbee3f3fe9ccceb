"""Questions of tools such as `rm -i`, answered from the input."""

from __future__ import annotations

from android_shell.command_call import CommandCall


async def ask(call: CommandCall, question: str) -> bool:
    """Print a question on stderr, and read the answer; without one it is no."""
    call.print_error(f"{question} (y/N):")
    await call.flush()
    # the last letter counts, a newline or a space ends the answer
    answer = False
    while (sign := await call.input.read_block(1)) and not sign.isspace():
        answer = sign in b"yY" if sign in b"nNyY" else answer
    return answer
