"""Draw of the simulated benchmark's tasks of track 2, so that each kind of trouble has its share of them.

Rule A.5 draws each person's tasks at random from the person's last fifth. Trouble is rare there, and a table
by kind of trouble would rest on a few tasks. So of every ten tasks one is drawn for each kind of trouble,
from episodes that had it and no other; the others are drawn from episodes that had none. Fewer than ten tasks
are those of rule A.5.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from simulated_phone.machine.faults import ADVERTISEMENT
from simulated_phone.people.life import TROUBLES

KINDS = (ADVERTISEMENT, *TROUBLES)
"""Kinds of trouble that a person's phone may have in the way."""
TASKS_PER_KIND = 10
"""One task in so many is drawn for each kind of trouble."""
LATE = 5
"""Tasks come from the last of so many equal parts of a person's episodes, as by rule A.5."""


def draw_tasks(
    episodes: Sequence[str], troubles: Mapping[str, Sequence[str]], drawn: Sequence[str], *, seed: int
) -> tuple[str, ...]:
    """Replace drawn tasks by others of the same people, such that every kind of trouble has its share.

    Args:
        episodes: All episode ids, those of a person together and in order of time.
        troubles: Episode id -> what was in the way in it.
        drawn: Episode ids that rule A.5 drew.
        seed: Seed of the draw.

    Returns:
        The tasks in the order of `drawn`, each of the same person. A kind has less than its share only if too
        few people met it.

    >>> draw_tasks(["1001__1", "1001__2"], {"1001__1": ["login"]}, ["1001__2"], seed=0)
    ('1001__2',)
    """
    share, rng = len(drawn) // TASKS_PER_KIND, random.Random(f"{seed}/tasks")  # noqa: S311 - a sample
    late = _is_late(episodes)
    # a task whose place is another's is drawn no more
    found: dict[str, str] = {}

    def choices(place: str, trouble: tuple[str, ...]) -> list[str]:
        taken = {*found.values(), *(one for one in drawn if one not in found and one != place)}
        own = late[_person(place)]
        return [one for one in own if tuple(troubles.get(one, ())) == trouble and one not in taken]

    for kind in _sort_rarest_first(late, troubles) if share else ():
        places = [place for place in drawn if place not in found and choices(place, (kind,))]
        for place in rng.sample(places, min(share, len(places))):
            if own := choices(place, (kind,)):
                found[place] = rng.choice(own)
    for place in drawn if share else ():
        if place not in found and troubles.get(place) and (own := choices(place, ())):
            found[place] = rng.choice(own)
    return tuple(found.get(place, place) for place in drawn)


def _is_late(episodes: Sequence[str]) -> dict[str, list[str]]:
    """Each person's last episodes, from which tasks are drawn."""
    people: dict[str, list[str]] = {}
    for one in episodes:
        people.setdefault(_person(one), []).append(one)
    return {person: own[-max(1, len(own) // LATE) :] for person, own in people.items()}


def _sort_rarest_first(
    late: Mapping[str, Sequence[str]], troubles: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """The kinds of trouble, the one that fewest people met first, while all people are still to be had."""
    met = {
        kind: sum(any(tuple(troubles.get(one, ())) == (kind,) for one in own) for own in late.values())
        for kind in KINDS
    }
    yield from sorted(KINDS, key=lambda kind: (met[kind], kind))


def _person(episode_id: str) -> str:
    return episode_id.partition("__")[0]
