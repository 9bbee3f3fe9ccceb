"""Points of calls in the other spellings of models: a sister name, `x` and `y`, an object with both."""

from __future__ import annotations

from collections.abc import Mapping

from fingertip_agents.parsing.json_calls import JsonCall, read_object
from fingertip_agents.parsing.parsed_call import BareWord, ParsedCall, read_numbers
from fingertip_agents.parsing.reading import CONVERTED, drop_left_out
from fingertip_dataset.errors import ActionSyntaxError

NAMES = ("coordinate", "coordinates", "point", "position", "start_box", "box", "element", "location")
"""Names of the point that a call touches, in the grammars of different models."""

STARTS = ("start_coordinate", "start_point", "start_box", "start", "from", "coordinate1", "point1")
ENDS = ("end_coordinate", "end_point", "end_box", "end", "to", "coordinate2", "point2")
"""Names of both ends of a finger's path."""


def find_point(call: ParsedCall, *names: str, others: tuple[str, ...] = NAMES) -> tuple[float, ...]:
    """Return the numbers of a call's point, in the grammar's spelling or, with a note, in another one.

    Args:
        call: The call.
        names: Names of the grammar's own argument.
        others: Names that models write for it.

    Raises:
        ActionSyntaxError: There is none, there are two, or it contains something else.
    """
    own = call.value(*names)
    if call.plain or (own is not None and not isinstance(own, BareWord)):
        return call.point(*names)
    given: Mapping[str, object] = {**call.named, **call.others}
    found = _find_other(call.name, given, names, others)
    if found is None:
        return call.point(*names)
    used, numbers = found
    call.used.update(used)
    drop_left_out(call.notes, *used)
    call.notes.append(f"{CONVERTED}: {' and '.join(used)} in {call.name} to its {_name_place(names, used)}")
    return numbers


def find_json_point(
    call: JsonCall, verb: str, *names: str, others: tuple[str, ...] = NAMES
) -> tuple[float, ...] | None:
    """Return the numbers of a JSON call's point, as `find_point` does; None without one.

    Args:
        call: The call.
        verb: Name of its action.
        names: Names of the format's own argument.
        others: Names that models write for it.

    Raises:
        ActionSyntaxError: There are two points, or one contains something else.
    """
    own = call.given(*names)
    if own is not None and not isinstance(own, Mapping):
        return read_numbers(own)
    found = _find_other(verb, call.arguments, names, others)
    if found is None:
        return None
    used, numbers = found
    drop_left_out(call.notes, *used)
    call.notes.append(f"{CONVERTED}: {' and '.join(used)} of {verb} to its {_name_place(names, used)}")
    return numbers


def _name_place(names: tuple[str, ...], used: tuple[str, ...]) -> str:
    return names[0] if names and names[0] not in used else "point"


def _find_other(
    verb: str, given: Mapping[str, object], names: tuple[str, ...], others: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[float, ...]] | None:
    """Find the arguments that hold a point, and its numbers."""
    found = dict[tuple[str, ...], tuple[float, ...]]()
    for name in dict.fromkeys((*names, *others)):
        value = given.get(name)
        if value is not None and value != "":
            found[(name,)] = read_place(value)
    if given.get("x") is not None and given.get("y") is not None:
        found["x", "y"] = (*read_place(given["x"]), *read_place(given["y"]))
    if len(set(found.values())) > 1:
        raise ActionSyntaxError(f"expected one point in {verb}, got several")
    return next(iter(found.items()), None)


def read_place(value: object) -> tuple[float, ...]:
    """Read the numbers of a point that may be an object with x and y.

    Raises:
        ActionSyntaxError: The value contains anything else.
    """
    if isinstance(value, BareWord):
        found = read_object(value.text, 0) if value.text.startswith("{") else None
        value = found.fields if found else value.text
    if isinstance(value, Mapping) and set(value) == {"x", "y"}:
        return (*read_numbers(value["x"]), *read_numbers(value["y"]))
    return read_numbers(value)
