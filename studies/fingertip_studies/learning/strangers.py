"""Months of simulated people who are not the benchmark's, in words; no phone carries them out."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.task import SuggestionInput
from simulated_phone.apps import APPS
from simulated_phone.people.person import Person, make_person
from simulated_phone.people.routine import PlannedIntent, plan_month
from simulated_phone.people.wording import IntentWriter, draw_wording_style

FIRST_POPULATION = 1000
"""Seed of the strangers' first population; samples have small seeds, so no person is in both."""
EPISODES = 60
REPEATED, FEW = 21, (2, 3, 4, 6)
"""Intents of a repeated month, and how many of them may differ."""


@dataclass(frozen=True, slots=True)
class StrangerMonth:
    """A stranger's profile and intents, the earliest first."""

    profile: UserProfile
    intents: tuple[Intent, ...]

    def task(self, at: int, *, history: int) -> SuggestionInput:
        """The task of track 1 at intent number `at`, with the latest `history` earlier intents."""
        now = self.intents[at]
        return SuggestionInput(
            task_id=now.episode_id,
            profile=self.profile,
            time=now.moment,
            scenario=now.scenario,
            previous_intents=self.intents[max(0, at - history) : at],
            screenshots=(),
            accessibility_trees=(),
        )


def strangers(populations: int, users: int) -> Iterator[StrangerMonth]:
    """Months of the first `users` people of each population."""
    return (planned[0] for planned in stranger_months(populations, users, repeated=0, seed=0))


def stranger_months(
    populations: int, users: int, *, repeated: int, seed: int
) -> Iterator[list[StrangerMonth]]:
    """Months of each of these people: the planned one, and repeated ones.

    Args:
        populations: Number of populations.
        users: People of each, the first ones.
        repeated: Number of made-up months of a person, in which few intents come again and again at their
            hour and place, each time in other words of this person.
        seed: Seed of what is repeated.
    """
    rng = random.Random(seed)  # noqa: S311 - training data
    apps = [app for app in APPS if app.goals]
    for population in range(FIRST_POPULATION, FIRST_POPULATION + populations):
        for number in range(users):
            person = make_person(number, population)
            plans = plan_month(person, apps, EPISODES)
            again = [_repeat_plans(plans, rng) for _ in range(repeated)]
            yield [_make_month(person, intents) for intents in (plans, *again)]


def _repeat_plans(plans: Sequence[PlannedIntent], rng: random.Random) -> list[PlannedIntent]:
    few = rng.sample(plans, rng.choice(FEW))
    days = sorted(rng.sample(range(1, 29), REPEATED))
    chosen = [(day, rng.choice(few)) for day in days]
    return [replace(plan, moment=plan.moment.replace(month=3, day=day)) for day, plan in chosen]


def _make_month(person: Person, plans: Sequence[PlannedIntent]) -> StrangerMonth:
    writer, rng = IntentWriter(draw_wording_style(person)), person.generator("told")
    intents = tuple(
        Intent(
            user_id=person.user_id,
            time=f"{plan.moment:%Y%m%d_%H%M%S}",
            scenario=plan.place,
            app=plan.app.package,
            text=writer.write(plan.app, plan.goal, plan.case, plan.moment, plan.place, rng),
        )
        for plan in plans
    )
    return StrangerMonth(profile_of(person), intents)


def profile_of(person: Person) -> UserProfile:
    """The person's profile as a dataset has it."""
    return UserProfile(
        sex=person.sex,
        age=person.age,
        occupation=person.occupation,
        address=person.address,
        marital_status=person.family,
        phone_brand=person.phone_brand,
    )
