"""Months of simulated people who are not the benchmark's, in words; no phone carries them out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.task import SuggestionInput
from simulated_phone.apps import APPS
from simulated_phone.people.person import Person, make_person
from simulated_phone.people.routine import planned_month
from simulated_phone.people.wording import IntentWriter, wording_style

FIRST_POPULATION = 1000
"""Seed of the strangers' first population; samples have small seeds, so no person is in both."""
EPISODES = 60


@dataclass(frozen=True, slots=True)
class Month:
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


def strangers(populations: int, users: int) -> Iterator[Month]:
    """Months of the first `users` people of each population."""
    for seed in range(FIRST_POPULATION, FIRST_POPULATION + populations):
        for number in range(users):
            yield _month(make_person(number, seed))


def _month(person: Person) -> Month:
    writer, rng = IntentWriter(wording_style(person)), person.generator("told")
    apps = [app for app in APPS if app.goals]
    intents = tuple(
        Intent(
            user_id=person.user_id,
            time=f"{plan.moment:%Y%m%d_%H%M%S}",
            scenario=plan.place,
            app=plan.app.package,
            text=writer.write(plan.app, plan.goal, plan.case, plan.moment, plan.place, rng),
        )
        for plan in planned_month(person, apps, EPISODES)
    )
    profile = UserProfile(
        sex=person.sex,
        age=person.age,
        occupation=person.occupation,
        address=person.address,
        marital_status=person.family,
        phone_brand=person.phone_brand,
    )
    return Month(profile, intents)
