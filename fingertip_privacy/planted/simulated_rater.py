"""A simulated rater of finds, for benchmarks and tests: it knows the planted values and errs at a given rate.

It stands for no person: people tire, miss small print, and disagree about what is private. It sees what the
review page shows, so it adds what a scan missed only on a screenshot that has a find.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fingertip_privacy.find_decisions import (
    ADDED,
    DecisionLine,
    DecisionRule,
    FindDecision,
    FindDecisions,
    decisions_of,
)
from fingertip_privacy.finds import Find, FindPlace, make_find
from fingertip_privacy.planted.known_secrets import KnownSecret

SHARE = 0.5
"""Least share of the smaller of two boxes that lies in the other if they show the same."""

AT = "2026-01-01T00:00:00.000+08:00"
"""Time of the simulated decisions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOutcome:
    """What a scan and its review found of the known secrets.

    Attributes:
        recall: Share of the secrets that a find covers, 0-1.
        precision: Share of the finds that cover a secret, 0-1; None without a find.
        secrets: Number of secrets.
        finds: Number of finds.
    """

    recall: float
    precision: float | None
    secrets: int
    finds: int


def covers(find: Find, secret: KnownSecret) -> bool:
    """Whether a find is a secret, at least in part, at the same place; its kind does not matter."""
    if find.place is not secret.place or (find.episode, find.file) != (secret.episode, secret.file):
        return False
    if find.place is FindPlace.SCREENSHOT:
        return find.step == secret.step and _same_place(find.box, secret.box)
    if find.field != secret.field or None in (find.start, find.end, secret.start, secret.end):
        return False
    return find.start < secret.end and secret.start < find.end  # type: ignore[operator]


def outcome_of(finds: Iterable[Find], secrets: Sequence[KnownSecret]) -> ReviewOutcome:
    """Recall and precision of finds over known secrets.

    Raises:
        ValueError: There is no secret.
    """
    if not secrets:
        raise ValueError("expected at least one known secret")
    near = _by_file(secrets)
    found: set[int] = set()
    right, count = 0, 0
    for find in finds:
        hit = [number for number, secret in near.get(find.file, ()) if covers(find, secret)]
        found.update(hit)
        right += bool(hit)
        count += 1
    return ReviewOutcome(
        recall=len(found) / len(secrets),
        precision=right / count if count else None,
        secrets=len(secrets),
        finds=count,
    )


def simulated_decisions(
    finds: Sequence[Find], secrets: Sequence[KnownSecret], *, rater: str, error_rate: float, seed: int = 0
) -> Iterator[DecisionLine]:
    """Yield the decisions of a simulated rater on all finds, then the boxes that it adds.

    Args:
        finds: The finds of a scan.
        secrets: The known secrets of the data.
        rater: Its name, which decides where it errs.
        error_rate: Share of wrong decisions, and of the boxes missed by the scan that it misses as well, 0-1.
        seed: Seed of the errors.
    """
    rng = random.Random(f"{seed} {rater}")  # noqa: S311 - no secret
    near = _by_file(secrets)
    covered: set[int] = set()
    seen: dict[tuple[str, int | None], Find] = {}
    for find in finds:
        hit = [number for number, secret in near.get(find.file, ()) if covers(find, secret)]
        covered.update(hit)
        if find.place is FindPlace.SCREENSHOT:
            seen[find.file, find.step] = find
        right = rng.random() >= error_rate
        verb = "confirm" if bool(hit) is right else "reject"
        yield FindDecision.model_validate({"find": find.id, "decision": verb, "rater": rater, "time": AT})
    for number, secret in enumerate(secrets):
        shown = seen.get((secret.file, secret.step))
        if number in covered or shown is None or secret.place is not FindPlace.SCREENSHOT:
            continue
        if secret.box is not None and rng.random() >= error_rate:
            drawn = {"kind": secret.kind, "box": secret.box, "text": secret.value, "confidence": 1.0}
            fields = shown.model_dump(exclude={"id"})
            yield make_find(**fields | drawn | {"why": f"{ADDED}{rater}"})


def reviewed_finds(
    finds: Sequence[Find], lines: Iterable[DecisionLine], rule: DecisionRule = "any"
) -> Iterator[Find]:
    """Yield the finds that stay after decisions, then the added ones; as `decided_finds` does for files."""
    decisions: FindDecisions = decisions_of(lines)
    known = {find.id for find in finds}
    yield from (find for find in finds if decisions.keeps(find.id, rule))
    for find in decisions.added.values():
        if find.id not in known and decisions.keeps(find.id, rule):
            yield find


def _by_file(secrets: Sequence[KnownSecret]) -> dict[str, list[tuple[int, KnownSecret]]]:
    """File -> (number, secret) of its secrets."""
    found: dict[str, list[tuple[int, KnownSecret]]] = {}
    for number, secret in enumerate(secrets):
        found.setdefault(secret.file, []).append((number, secret))
    return found


def _same_place(one: tuple[int, int, int, int] | None, other: tuple[int, int, int, int] | None) -> bool:
    if one is None or other is None:
        return False
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return wide > 0 and high > 0 and wide * high >= SHARE * smaller
