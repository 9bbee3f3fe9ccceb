"""A simulated rater of finds, for benchmarks and tests: it knows the planted values and errs at a given rate.

It stands for no person: people tire, miss small print, and disagree about what is private. It sees what the
review page shows, so it adds what a scan missed only on a screenshot of a step that has a find.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fingertip_privacy.find_decisions import (
    ADDED,
    DecisionLine,
    DecisionRule,
    FindDecision,
    decisions_of,
)
from fingertip_privacy.finds import Find, FindPlace, make_find
from fingertip_privacy.planted.known_secrets import KnownSecret

AT = "2026-01-01T00:00:00.000+08:00"
"""Time of the simulated decisions."""


def simulate_decisions(
    finds: Sequence[Find],
    private: Mapping[str, bool],
    missed: Sequence[KnownSecret],
    *,
    rater: str,
    error_rate: float,
    seed: int = 0,
) -> Iterator[DecisionLine]:
    """Yield the decisions of a simulated rater on all finds, then the boxes that it adds.

    Args:
        finds: The finds of a scan.
        private: Id of a find -> whether it is private; one that is missing is doubtful, and confirmed.
        missed: Known secrets that no find covers.
        rater: Its name, which decides where it errs.
        error_rate: Share of wrong decisions, and of the boxes missed by the scan that it misses as well, 0-1.
        seed: Seed of the errors.
    """
    rng = random.Random(f"{seed} {rater}")  # noqa: S311 - no secret
    seen = {(find.episode, find.step) for find in finds if find.step is not None}
    for find in finds:
        right = rng.random() >= error_rate
        verb = "confirm" if find.id not in private or private[find.id] is right else "reject"
        yield FindDecision.model_validate({"find": find.id, "decision": verb, "rater": rater, "time": AT})
    for secret in missed:
        shown = (secret.episode, secret.step) in seen and secret.place is FindPlace.SCREENSHOT
        if shown and secret.box is not None and rng.random() >= error_rate:
            yield _drawn(secret, rater)


def review_finds(
    finds: Sequence[Find], lines: Iterable[DecisionLine], rule: DecisionRule = "any"
) -> Iterator[Find]:
    """Yield the finds that stay after decisions, then the added ones; as `decide_finds` does for files."""
    decisions = decisions_of(lines)
    added = dict(decisions.added)
    for find in finds:
        added.pop(find.id, None)
        if decisions.keeps(find.id, rule):
            yield find
    yield from (find for find in added.values() if decisions.keeps(find.id, rule))


def _drawn(secret: KnownSecret, rater: str) -> Find:
    return make_find(
        kind=secret.kind,
        user=secret.user,
        episode=secret.episode,
        step=secret.step,
        place=secret.place,
        file=secret.file,
        field="",
        start=None,
        end=None,
        box=secret.box,
        text=secret.value,
        confidence=1.0,
        why=f"{ADDED}{rater}",
    )
