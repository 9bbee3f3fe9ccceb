"""Choice of the call to perform, for formats whose own loop performs one call per answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from fingertip_agents.parsing.native_syntax import NoEquivalentError
from fingertip_agents.parsing.reading import LEFT_OUT, Reading, note_more_calls

T = TypeVar("T")


def read_first_call(
    calls: Sequence[T], convert: Callable[[T], Reading], find_name: Callable[[T], str]
) -> Reading:
    """The reading of the first call that has an equivalent.

    Calls before it have none and are left out; the calls behind it are for screens that nobody has seen yet.

    Args:
        calls: The calls of an answer in order, at least one.
        convert: Converts a call to its reading.
        find_name: Returns the name of a call, for a note.

    Raises:
        ActionSyntaxError: A call cannot be converted, or none has an equivalent.
    """
    notes, refused = list[str](), list[NoEquivalentError]()
    for place, call in enumerate(calls, start=1):
        try:
            reading = convert(call)
        except NoEquivalentError as error:
            refused.append(error)
            notes.append(f"{LEFT_OUT}: {find_name(call)}, which has no equivalent")
            continue
        behind = note_more_calls(len(calls) - place)
        return replace(reading, notes=(*notes, *reading.notes, *behind))
    raise refused[0]
