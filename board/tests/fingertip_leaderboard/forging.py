"""Attacks on bundles, and functions that forge parts of a bundle."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from board.tests.fingertip_leaderboard.parts import Parts, renumber
from fingertip_dataset.times import BEIJING
from fingertip_leaderboard import RefusalKind

Forge = Callable[[Parts], Any]

TRACK_1 = ("model", "ours", "habit", "judged", "people")
"""Honest bundles of track 1 that attacks start from."""


FAR = (datetime.now(BEIJING) + timedelta(days=400)).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """A forged bundle.

    Attributes:
        name: What is wrong.
        seed: The honest bundle that it is made of.
        kind: Of the refusal.
        forge: Makes it wrong; hashes are made right afterwards.
        file: That the refusal names.
        line: Line that the refusal names; None for the whole file.
        task: Number of the task whose line the refusal names, in place of `line`, counted from 1.
        step: Number of the step of that task whose line it names; None for the task's own line.
        also: Kinds of what cannot but follow.
    """

    name: str
    seed: str
    kind: RefusalKind
    forge: Forge
    file: str
    line: int | None = None
    task: int | None = None
    step: int | None = None
    also: frozenset[RefusalKind] = frozenset()


def log_of(seed: str) -> str:
    """Name of the log of an honest bundle."""
    return "predictions.jsonl" if seed in TRACK_1 else "steps.jsonl"


def together(*found: Iterable[Attack]) -> tuple[Attack, ...]:
    return tuple(attack for part in found for attack in part)


def of_file(
    name: str,
    kind: str,
    forge: Forge,
    file: str,
    *,
    seed: str = "model",
    line: int | None = None,
    task: int | None = None,
    step: int | None = None,
    also: Iterable[str] = (),
) -> Attack:
    """Attack on any parts of a bundle, by the values of `RefusalKind`; see `Attack`."""
    kinds = frozenset(map(RefusalKind, also))
    return Attack(
        name=name,
        seed=seed,
        kind=RefusalKind(kind),
        forge=forge,
        file=file,
        line=line,
        task=task,
        step=step,
        also=kinds,
    )


def of_head(name: str, kind: str, forge: Forge, *, seed: str = "model", also: Iterable[str] = ()) -> Attack:
    return of_file(name, kind, forge, "bundle.json", seed=seed, also=also)


def of_line(
    name: str,
    kind: str,
    forge: Callable[[dict[str, Any]], Any],
    *,
    seed: str = "model",
    step: int | None = None,
    also: Iterable[str] = (),
) -> Attack:
    """Attack that changes the second task of the log; on track 2 its steps are renumbered afterwards."""

    def forged(parts: Parts) -> None:
        forge(parts.tasks[1])
        renumber(parts.tasks[1])

    return of_file(name, kind, forged, log_of(seed), seed=seed, task=2, step=step, also=also)


def of_step(
    name: str,
    kind: str,
    forge: Callable[[list[dict[str, Any]]], Any],
    *,
    seed: str = "phone",
    step: int | None = None,
    also: Iterable[str] = (),
) -> Attack:
    """Attack that changes the steps of the second task of steps.jsonl; the line of `step` is refused."""
    return of_line(name, kind, lambda line: forge(line["steps"]), seed=seed, step=step, also=also)


def of_log(name: str, kind: str, forge: Callable[[list[dict[str, Any]]], Any], *, line: int) -> Attack:
    """Attack that reorders or changes the lines of a run on a phone."""

    def forged(parts: Parts) -> None:
        lines = copy.deepcopy(parts.log_lines())
        forge(lines)
        parts.raw[parts.log] = b"".join(json.dumps(one).encode() + b"\n" for one in lines)

    return of_file(name, kind, forged, "steps.jsonl", seed="phone", line=line)


def of_bytes(
    name: str,
    kind: str,
    content: Callable[[bytes], bytes],
    *,
    file: str = "predictions.jsonl",
    line: int | None = 1,
) -> Attack:
    """Attack that changes the bytes of a file and its hash."""

    def forge(parts: Parts) -> None:
        parts.raw[file] = content(parts.files()[file])

    return of_file(name, kind, forge, file, line=line)


def swapped(before: bytes, after: bytes) -> Callable[[bytes], bytes]:
    def swap(content: bytes) -> bytes:
        assert before in content
        return content.replace(before, after, 1)

    return swap


def put(**fields: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401 - of any kind
    """Set fields of a record."""
    return lambda record: record.update(fields)


def put_step(place: int, **fields: Any) -> Callable[[list[dict[str, Any]]], None]:  # noqa: ANN401 - of any kind
    """Set fields of one of the steps."""
    return lambda steps: steps[place].update(fields)


def set_in_head(*names: str, value: Any) -> Forge:  # noqa: ANN401 - of any kind
    """Set the value at this path of names in bundle.json."""

    def forge(parts: Parts) -> None:
        record: Any = parts.head
        for name in names[:-1]:
            record = record[name]
        record[names[-1]] = value

    return forge
