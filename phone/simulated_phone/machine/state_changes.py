"""Comparison of two states of a phone: what changed, where, and from which value to which.

A list counts as a bag of its elements: their order is not compared. A record of a list is known by its first
field (mostly its number); the number of a new record is not compared, because it depends on the records that
were made and removed before. `App.seen` and `App.times` say which parts of an app's state count for less.
"""

from __future__ import annotations

import json
import marshal
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from simulated_phone.goals.app_definition import App, States
from simulated_phone.machine.state import AUTO_ROTATION, TOOL_SETTINGS, KeptStates, copy_json

Path: TypeAlias = tuple[str, ...]

SYSTEM = "android"
"""The package in whose place the system's settings stand."""

NUMBER, NEXT = "id", "next"
"""Keys of `builders.records`: a record's number, and at the top of an app's state the next one."""

_JSON = 2
"""Version of marshal's format in which equal values are equal bytes."""
_MOST_WORDS = 60
"""Maximum characters of a value or of a name in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChange:
    """Difference between two states.

    Attributes:
        path: Package, then keys; a record of a list is "[its first field]".
        kind: "set" for another value of a key; "added" or "removed" for an element of the list at the path.
        before: Value before, a JSON value; None where the key was missing, and for "added".
        after: Value after, in the same way.
    """

    path: Path
    kind: Literal["set", "added", "removed"]
    before: Any
    after: Any

    @property
    def key(self) -> tuple[Path, str, str]:
        """Equal for changes of the same place to the same value, whatever the value before a "set" was."""
        return self.path, self.kind, canonical(self.before if self.kind == "removed" else self.after)

    @property
    def keys(self) -> Path:
        """The path within the app, without the records of lists."""
        return tuple(key for key in self.path[1:] if not key.startswith("["))

    def words(self, apps: Mapping[str, App]) -> str:
        """The change in one line, for example "时钟 alarms[3].on: true -> false".

        Args:
            apps: The installed apps by package.
        """
        package, *keys = self.path
        if package == SYSTEM:
            # all that the system has are settings
            label, keys = "系统", keys[1:]
        else:
            label = apps[package].label if package in apps else package
        place = ".".join(_short(key) for key in keys).replace(".[", "[")
        if self.kind == "set":
            return f"{label} {place}: {_json(self.before)} -> {_json(self.after)}"
        return f"{label} {place}: {self.kind} {_json(self.after if self.kind == 'added' else self.before)}"


def list_state_changes(before: States, after: States, apps: Mapping[str, App]) -> tuple[StateChange, ...]:
    """Changes between two states of the same phone, without clocks, counters and settings of tools.

    Args:
        before: Every app's state by package, and the system's, as `Machine.state` gives them.
        after: The later state.
        apps: The installed apps by package.
    """
    found: list[StateChange] = []
    for package in sorted({*before, *after}):
        if isinstance(before, KeptStates) and isinstance(after, KeptStates) and before.shares(after, package):
            continue
        times = apps[package].times if package in apps else ()
        for change in _find_differences((package,), before.get(package), after.get(package)):
            change = _strip_times(change, times)
            tool = package == SYSTEM and change.path[-1] in TOOL_SETTINGS
            counter = change.keys == (NEXT,) or change.path[-1] == NUMBER
            if not (tool or counter or _within(change.keys, times)):
                found.append(change)
    return tuple(found)


def remove_added(states: States, change: StateChange) -> States | None:
    """A copy of a state without an element that was added to a list; None for another change."""
    if change.kind != "added":
        return None
    copy: Any = copy_json(dict(states))
    fields = fields_of(change.after)
    for place in find_lists(copy, change.path):
        for element in place:
            if fields == {name: fields_of(element).get(name) for name in fields}:
                place.remove(element)
                return copy  # type: ignore[no-any-return]
    return None


def find_lists(states: States, path: Path) -> list[list[Any]]:
    """The lists at a path of a change; several where several records have one name."""
    places: list[Any] = [states]
    for key in path:
        places = [inner for place in places for inner in _list_inner(place, key)]
    return [place for place in places if isinstance(place, list)]


def _list_inner(place: Any, key: str) -> list[Any]:  # noqa: ANN401 - JSON
    if isinstance(place, Mapping):
        return [place[key]] if key in place else []
    return [one for one in place or () if f"[{find_record_name(one)}]" == key]


def is_only_seen(change: StateChange, apps: Mapping[str, App]) -> bool:
    """Whether a change is the trace of something that was looked at, or may be a tool's."""
    if change.path[0] == SYSTEM:
        return change.path[-1] == AUTO_ROTATION
    return change.path[0] in apps and _within(change.keys, apps[change.path[0]].seen)


def fields_of(element: object) -> dict[str, Any]:
    """The fields of an element of a list; that of a value which is no record is named ""."""
    return element if isinstance(element, dict) else {"": element}


def canonical(value: object) -> str:
    """A JSON value as text; equal values have equal texts."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _strip_times(change: StateChange, times: Collection[str]) -> StateChange:
    """The change without the moments of an added or removed record."""

    def without(record: Any) -> Any:  # noqa: ANN401 - JSON
        if not isinstance(record, dict):
            return record
        return {key: value for key, value in record.items() if not _within((*change.keys, key), times)}

    if change.kind == "set" or not times:
        return change
    return replace(change, before=without(change.before), after=without(change.after))


def _within(keys: Path, places: Collection[str]) -> bool:
    """Whether keys lead to one of the places, or below it."""
    return any(keys[: place.count(".") + 1] == tuple(place.split(".")) for place in places)


def _find_differences(path: Path, before: Any, after: Any) -> Iterator[StateChange]:  # noqa: ANN401
    if _is_equal(before, after):
        return
    kinds = {type(value) for value in (before, after) if value is not None}
    inner: list[StateChange] = []
    if kinds == {dict}:
        old, new = before or {}, after or {}
        # in the order of the state, so that equal runs list equal changes
        for key in dict.fromkeys((*old, *new)):
            inner += _find_differences((*path, key), old.get(key), new.get(key))
    elif kinds == {list}:
        inner += _list_differences(path, before or [], after or [])
    if inner or (before is not None and after is not None and kinds in ({dict}, {list})):
        yield from inner
    else:
        # one value for another, or a container with nothing in it that is new or gone
        yield StateChange(path=path, kind="set", before=before, after=after)


def _is_equal(before: object, after: object) -> bool:
    """Whether two values are equal as JSON; containers may be so even if not, and then no part differs."""
    if type(before) is not type(after):
        return canonical(before) == canonical(after)
    return _write_bytes(before) == _write_bytes(after) if isinstance(before, dict | list) else before == after


def _list_differences(path: Path, before: Sequence[Any], after: Sequence[Any]) -> Iterator[StateChange]:
    before, after = _drop_same(before, after)
    old_texts, new_texts = [*map(canonical, before)], [*map(canonical, after)]
    gone, new = _remove_common(before, old_texts, new_texts), _remove_common(after, new_texts, old_texts)
    by_name: dict[str, list[Any]] = defaultdict(list)
    for element in new:
        if (name := find_record_name(element)) is not None:
            by_name[name].append(element)
    for element in gone:
        name = find_record_name(element)
        if name is not None and by_name[name]:
            other = by_name[name].pop(0)
            new = [one for one in new if one is not other]
            yield from _find_differences((*path, f"[{name}]"), element, other)
        else:
            yield StateChange(path=path, kind="removed", before=_strip_number(element), after=None)
    for element in new:
        yield StateChange(path=path, kind="added", before=None, after=_strip_number(element))


def _remove_common(elements: Sequence[Any], texts: Sequence[str], others: Sequence[str]) -> list[Any]:
    """The elements whose texts are not among the others, each as often as it is more often here."""
    left, kept = [*others], []
    for element, text in zip(elements, texts, strict=True):
        if text in left:
            left.remove(text)
        else:
            kept.append(element)
    return kept


def _drop_same(before: Sequence[Any], after: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Both lists without elements of both with the same bytes: mostly all but a few, and sooner known."""
    old, new = [*map(_write_bytes, before)], [*map(_write_bytes, after)]
    same = Counter(old) & Counter(new)
    return _leave_out(before, old, same.copy()), _leave_out(after, new, same)


def _leave_out(elements: Sequence[Any], written: Sequence[bytes], counts: Counter[bytes]) -> list[Any]:
    """The elements without as many of each as are counted, the first ones; uses the counts up."""
    kept = []
    for element, text in zip(elements, written, strict=True):
        if counts[text]:
            counts[text] -= 1
        else:
            kept.append(element)
    return kept


def _write_bytes(value: Any) -> bytes:  # noqa: ANN401 - JSON
    """A JSON value as bytes: equal bytes are equal values, with their keys in one order."""
    return marshal.dumps(value, _JSON)


def find_record_name(element: object) -> str | None:
    """Name by which a record is known: its number or its first field; None for anything else."""
    if not isinstance(element, dict) or not element:
        return None
    name = element.get(NUMBER, next(iter(element.values())))
    return str(name) if isinstance(name, str | int) and not isinstance(name, bool) else None


def _strip_number(element: Any) -> Any:  # noqa: ANN401
    if not isinstance(element, dict):
        return element
    return {key: value for key, value in element.items() if key != NUMBER}


def _json(value: object) -> str:
    return _short(json.dumps(value, ensure_ascii=False))


def _short(text: str) -> str:
    return text if len(text) <= _MOST_WORDS else f"{text[: _MOST_WORDS - 1]}…"
