"""Commands of the shell itself, which change its state."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from android_shell.command_call import UnsupportedError
from android_shell.shell.builtins import (
    control,
    describing,
    input_builtins,
    naming,
    places,
    printing,
    testing,
)
from android_shell.shell.builtins.builtin_call import Builtin, BuiltinCall
from android_shell.shell.variables import SHELL

_LACKING = """
alias autoload bg bind chdir fc fg functions history jobs login nameref r rename suspend times trap unalias
"""
LACKING = frozenset(_LACKING.split())
"""Builtins of mksh, and aliases for some, that no client sends: each is refused."""


async def _refuse(call: BuiltinCall) -> int:
    raise UnsupportedError(f"{SHELL}: {call.name}: not supported", 2)


def _make_typeset(letters: str) -> Builtin:
    return Builtin(run=naming.typeset, letters=letters, lacking="LRZUfgnpt0123456789", arrays="aA")


BUILTINS: Mapping[str, Builtin] = MappingProxyType(
    {
        ".": Builtin(run=control.source, special=True),
        ":": Builtin(run=control.succeed, letters=None, special=True),
        "[": Builtin(run=testing.test, letters=None),
        "break": Builtin(run=control.break_, special=True),
        "builtin": Builtin(run=control.builtin),
        "cd": Builtin(run=places.cd, letters="LP", lacking="e"),
        "command": Builtin(run=describing.command, letters="pvV"),
        "continue": Builtin(run=control.break_, special=True),
        "echo": Builtin(run=printing.echo, letters=None),
        "eval": Builtin(run=control.eval_, special=True),
        "exec": Builtin(run=control.exec_, lacking="a:c", special=True),
        "exit": Builtin(run=control.exit_, letters=None, special=True),
        "export": Builtin(run=naming.export, letters="p", special=True),
        "false": Builtin(run=control.fail, letters=None),
        "getopts": Builtin(run=input_builtins.getopts),
        "hash": Builtin(run=describing.hash_, letters="r"),
        "integer": _make_typeset("xr"),
        "kill": Builtin(run=control.kill, letters=None),
        "let": Builtin(run=control.let, letters=None),
        "local": _make_typeset("iulxr"),
        "print": Builtin(run=printing.print_, letters="nrRlNu;", lacking="Aceps"),
        "pwd": Builtin(run=places.pwd, letters="LP"),
        "read": Builtin(run=input_builtins.read, letters="rsd:n:N:t:u;", lacking="p", arrays="aA"),
        "readonly": Builtin(run=naming.readonly, lacking="p", arrays="aA", special=True),
        "realpath": Builtin(run=places.realpath, letters="q"),
        "return": Builtin(run=control.return_, letters=None, special=True),
        "set": Builtin(run=naming.set_, letters=None, special=True),
        "shift": Builtin(run=control.shift, special=True),
        "source": Builtin(run=control.source),
        "test": Builtin(run=testing.test, letters=None),
        "true": Builtin(run=control.succeed, letters=None),
        "type": Builtin(run=describing.type_, lacking="p"),
        "typeset": _make_typeset("iulxr"),
        "ulimit": Builtin(run=places.ulimit, letters="cfn", lacking="HSabdeilmopqrstvwx"),
        "umask": Builtin(run=places.umask, lacking="S"),
        "unset": Builtin(run=naming.unset, letters="fv", special=True),
        "wait": Builtin(run=control.wait),
        "whence": Builtin(run=describing.whence, letters="pv"),
        **{name: Builtin(run=_refuse, letters=None) for name in LACKING},
    }
)
"""Name of a builtin -> builtin."""

CARRIED_OUT: Mapping[str, Builtin] = MappingProxyType(
    {name: builtin for name, builtin in BUILTINS.items() if name not in LACKING}
)
"""Builtins that are not refused."""
