"""Ways to forge a bundle, and what an attack is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from fingertip_dataset.times import BEIJING
from fingertip_leaderboard import RefusalKind
from tests.fingertip_leaderboard.parts import Parts

Forge = Callable[[Parts], Any]


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
        line: Likewise; None for the whole file.
        also: Kinds of what cannot but follow.
    """

    name: str
    seed: str
    kind: RefusalKind
    forge: Forge
    file: str
    line: int | None = None
    also: frozenset[RefusalKind] = frozenset()


def together(*found: Iterable[Attack]) -> tuple[Attack, ...]:
    return tuple(attack for part in found for attack in part)


def of_head(
    name: str, kind: RefusalKind, forge: Forge, *, seed: str = "model", also: Iterable[RefusalKind] = ()
) -> Attack:
    return Attack(name=name, seed=seed, kind=kind, forge=forge, file="bundle.json", also=frozenset(also))


def of_line(
    name: str,
    kind: RefusalKind,
    forge: Callable[[dict[str, Any]], Any],
    *,
    seed: str = "model",
    also: Iterable[RefusalKind] = (),
) -> Attack:
    """The second line of tasks.jsonl is changed."""
    return Attack(
        name=name,
        seed=seed,
        kind=kind,
        forge=lambda parts: forge(parts.tasks[1]),
        file="tasks.jsonl",
        line=2,
        also=frozenset(also),
    )


def of_step(
    name: str,
    kind: RefusalKind,
    forge: Callable[[list[dict[str, Any]]], Any],
    *,
    seed: str = "phone",
    also: Iterable[RefusalKind] = (),
) -> Attack:
    """The steps of the second line of tasks.jsonl are changed."""
    return of_line(name, kind, lambda line: forge(line["steps"]), seed=seed, also=also)


def of_bytes(
    name: str,
    kind: RefusalKind,
    content: Callable[[bytes], bytes],
    *,
    file: str = "tasks.jsonl",
    line: int | None = 1,
) -> Attack:
    """The bytes of a file are changed, hash and all."""

    def forge(parts: Parts) -> None:
        parts.raw[file] = content(parts.files()[file])

    return Attack(name=name, seed="model", kind=kind, forge=forge, file=file, line=line)


def swapped(before: bytes, after: bytes) -> Callable[[bytes], bytes]:
    def swap(content: bytes) -> bytes:
        assert before in content
        return content.replace(before, after, 1)

    return swap


def put(**fields: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401 - of any kind
    """Sets fields of a record."""
    return lambda record: record.update(fields)


def put_step(place: int, **fields: Any) -> Callable[[list[dict[str, Any]]], None]:  # noqa: ANN401 - of any kind
    """Sets fields of one of the steps."""
    return lambda steps: steps[place].update(fields)


def set_in_head(*names: str, value: Any) -> Forge:  # noqa: ANN401 - of any kind
    """Sets what lies at these names of bundle.json."""

    def forge(parts: Parts) -> None:
        record: Any = parts.head
        for name in names[:-1]:
            record = record[name]
        record[names[-1]] = value

    return forge
