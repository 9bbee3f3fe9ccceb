"""Assignments to variables, elements of arrays and whole arrays.

An array's element 0 is the variable of its name, as in mksh; element 3 of `a` is kept as the variable `a[3]`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from simulated_phone.adb.shell.syntax import Assignment, ShellWord

if TYPE_CHECKING:
    from simulated_phone.adb.shell.expansion import Expander
    from simulated_phone.adb.shell.text_reader import TextReader
    from simulated_phone.adb.shell.variables import ShellVariables

_START = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[([^\]\n]+)\])?(\+?)=")


def read_assignment(reader: TextReader) -> Assignment | None:
    """Read `name=word`, `name+=word`, `name[number]=word` or `name=(words)`; None if none stands here."""
    found = _START.match(reader.text, reader.at)
    if found is None:
        return None
    reader.at = found.end()
    name, subscript, plus = found.groups()
    if subscript is None and reader.text.startswith("(", reader.at):
        return Assignment(name=name, elements=reader.words_in_parentheses(), append=bool(plus))
    index: ShellWord | None = None
    if subscript is not None:
        index = reader.document_in(subscript)
    return Assignment(name=name, subscript=index, value=reader.word(), append=bool(plus))


async def assign(one: Assignment, expander: Expander, variables: ShellVariables) -> None:
    """Carry out an assignment.

    Raises:
        ExpansionError: Its subscript is no number, or an expansion fails.
    """
    if one.elements is not None:
        texts = await expander.fields(one.elements)
        numbers = variables.indices(one.name) if one.append else []
        variables.set_elements(one.name, texts, numbers[-1] + 1 if numbers else 0)
        return
    number = 0 if one.subscript is None else await expander.index(one.subscript)
    name, text = variables.element(one.name, number), await expander.text(one.value)
    variables.values[name] = variables.values.get(name, "") + text if one.append else text
