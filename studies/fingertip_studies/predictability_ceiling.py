"""Predictability of simulated people: the ceiling of track 1, beside the baselines.

`python -m fingertip_studies.predictability_ceiling [PEOPLE]`: an oracle knows each person's routine with
its drift, but not what was drawn; `habit`, `frequent` (the commonest) and `recent` (the last) know the
twenty intents before. A predicted intent has the right app, goal and arguments. Intents are compared as
such, without their wording.
"""

from __future__ import annotations

import statistics
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from fingertip_agents import HabitBaseline
from fingertip_dataset import SuggestionInput, UserProfile
from fingertip_dataset.episodes import Intent
from fingertip_metrics import Interval, bootstrap_mean
from fingertip_recorder.published_sample import PUBLISHED, SEED
from fingertip_recorder.simulated_life import SampleOrder
from simulated_phone.apps import list_apps
from simulated_phone.goals.app_definition import App
from simulated_phone.people.person import Person, make_person
from simulated_phone.people.predictability import Predictability, goal_key, intent_key, measure_predictability
from simulated_phone.people.routine import plan_month

COUNT, EARLIER = PUBLISHED.episodes, 20
ORDER = SampleOrder(
    out=Path(),
    users=PUBLISHED.users,
    episodes=COUNT,
    seed=SEED,
    size=PUBLISHED.screen,
    locales=PUBLISHED.locales,
)
BASELINES = ("habit", "frequent", "recent")
Hits = dict[str, list[tuple[bool, bool]]]
"""Baseline -> for each intent with 20 before it: whether its goal is predicted, and the whole of it."""


def apps_of(person: Person) -> list[App]:
    """Apps with goals on the person's phone."""
    return [app for app in list_apps(person.locale) if app.goals]


def hits_of(person: Person) -> Hits:
    """Score the predictions of the baselines for a person's month."""
    plans = plan_month(person, apps_of(person), COUNT)
    goals = {intent_key(plan): goal_key(plan) for plan in plans}
    earlier = [
        Intent(
            user_id=person.user_id,
            time=f"{plan.moment:%Y%m%d_%H%M%S}",
            scenario=plan.place,
            app=plan.app.package,
            text=intent_key(plan),
        )
        for plan in plans
    ]
    found: Hits = {name: [] for name in BASELINES}
    for at in range(EARLIER, COUNT):
        before = earlier[at - EARLIER : at]
        task = SuggestionInput(
            task_id=str(at),
            profile=UserProfile(),
            time=plans[at].moment,
            scenario=plans[at].place,
            previous_intents=tuple(before),
        )
        counts = Counter(intent.text for intent in before)
        answers = {
            "habit": HabitBaseline().suggest(task).text,
            # of equally common ones the latest
            "frequent": max(reversed(before), key=lambda intent: counts[intent.text]).text,
            "recent": before[-1].text,
        }
        for name, answer in answers.items():
            found[name].append((goals.get(answer) == goal_key(plans[at]), answer == earlier[at].text))
    return found


def measured(number: int) -> tuple[Person, Predictability, Hits]:
    """A person of the published population, their predictability, and what the baselines predict."""
    person = make_person(number, SEED, ORDER.locale_of(number))
    return person, measure_predictability(person, apps_of(person), COUNT), hits_of(person)


def words(name: str, interval: Interval) -> str:
    """A line of the table, in percent."""
    return f"{name:<38}{interval.mean:>7.1%} [{interval.low:.1%}, {interval.high:.1%}]"


def main() -> None:
    """Print ceilings, the baselines' scores, and entropies."""
    count = int(sys.argv[1]) if sys.argv[1:] else PUBLISHED.users
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        people, found, hits = zip(*pool.map(measured, range(count)), strict=True)
    ids = [person.user_id for person in people]
    print(f"{count} simulated people, {COUNT} intents each, seed {SEED}; intervals over people")
    for at, what in enumerate(("goal", "goal and arguments")):
        ceiling = [one.intents if at else one.goals for one in found]
        print(words(f"ceiling, {what}", bootstrap_mean(ceiling, ids)))
        for name in BASELINES:
            users = [user for user, own in zip(ids, hits, strict=True) for _ in own[name]]
            right = [float(pair[at]) for own in hits for pair in own[name]]
            print(words(f"{name}, {what}", bootstrap_mean(right, users)))
    for name, bits in (
        ("entropy of the goal", [one.goal_bits for one in found]),
        ("entropy of goal and arguments", [one.intent_bits for one in found]),
    ):
        print(f"{name:<38}{statistics.mean(bits):>6.2f} bits, {min(bits):.2f} to {max(bits):.2f} a person")


if __name__ == "__main__":
    main()
