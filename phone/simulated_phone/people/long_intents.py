"""Plan of a person's goals over several apps: which, and when in a month that is otherwise lived as usual."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from simulated_phone.long_goals.composition import list_long_goals
from simulated_phone.people.person import Person
from simulated_phone.people.routine import OWN_TASTE, PlannedIntent

EARLIER = 2
"""Number of goals over several apps in the first part of a month; the last part has one more."""
FAVOURITES = 3
"""Number of such goals that a person has in a month; each is drawn from them, so that some come again."""
LEAST_DELAY, MOST_DELAY = timedelta(minutes=6), timedelta(hours=1)
"""Time between such a goal and the episode before it."""
ROOM = 3
"""A goal is begun in the first of so many equal parts of the time until the next episode."""


def plan_long_intents(
    person: Person, lived: Sequence[tuple[datetime, str]]
) -> Iterator[tuple[PlannedIntent, int]]:
    """Plan the goals over several apps in a month, the earliest first.

    Those of the first part come after episodes of the first 60 %, the last one after an episode of the last
    20 %, from which rule A.5 of the paper draws training parts and tests.

    Args:
        person: The person.
        lived: Moment and place of each other episode of the month, the earliest first; at least one.

    Yields:
        The planned intent, and the number of the episode that it follows.
    """
    rng = person.generator("long goals")
    ranked = sorted(
        list_long_goals(person.locale),
        key=lambda pair: -person.leaning("long goal", pair[1].name, own=OWN_TASTE),
    )[:FAVOURITES]
    head, tail = range(3 * len(lived) // 5), range(len(lived) - max(1, len(lived) // 5), len(lived))
    places = [*sorted(rng.sample(head, min(EARLIER, len(head)))), rng.choice(tail)]
    for at in places:
        app, goal = rng.choices(ranked, [1 / (1 + rank) for rank in range(FAVOURITES)])[0]
        moment, place = lived[at]
        after = lived[at + 1][0] if at + 1 < len(lived) else datetime.max.replace(tzinfo=moment.tzinfo)
        planned = PlannedIntent(
            moment=moment + _draw_delay(after - moment, rng),
            place=place,
            app=app,
            goal=goal,
            case=rng.choice(goal.cases(person.seed)),
        )
        yield planned, at


def _draw_delay(room: timedelta, rng: random.Random) -> timedelta:
    delay = LEAST_DELAY + rng.random() * (MOST_DELAY - LEAST_DELAY)
    return timedelta(seconds=int(min(delay, room / ROOM).total_seconds()))


def draw_other_long_intent(planned: PlannedIntent, rng: random.Random, *, person: Person) -> PlannedIntent:
    """Draw another goal over several apps for the same moment and place."""
    app, goal = rng.choice(list_long_goals(person.locale))
    return replace(planned, app=app, goal=goal, case=rng.choice(goal.cases(person.seed)))
