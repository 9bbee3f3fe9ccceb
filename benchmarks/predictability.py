"""Predictability of simulated people: the ceiling of track 1, beside the baseline `habit`.

`python -m benchmarks.predictability [PEOPLE]`: an oracle knows each person's routine with its drift, but not
what was drawn; `habit` knows the intents before. A predicted intent has the right app, goal and arguments.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator

from fingertip_agents import HabitBaseline
from fingertip_dataset import SuggestionInput, UserProfile
from fingertip_dataset.episodes import Intent
from fingertip_leaderboard.fingertip_sim import PUBLISHED, SEED
from fingertip_metrics import Interval, bootstrap_mean
from simulated_phone import APPS
from simulated_phone.people.person import Person, make_person
from simulated_phone.people.predictability import goal_key, intent_key, predictability
from simulated_phone.people.routine import planned_month

COUNT, EARLIER = PUBLISHED.episodes, 20
WITH_GOALS = [app for app in APPS if app.goals]


def habit(person: Person) -> Iterator[tuple[bool, bool]]:
    """For each intent with 20 before it: whether `habit` predicts its goal, and the whole of it."""
    plans = planned_month(person, WITH_GOALS, COUNT)
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
    for at in range(EARLIER, COUNT):
        task = SuggestionInput(
            task_id=str(at),
            profile=UserProfile(),
            time=plans[at].moment,
            scenario=plans[at].place,
            previous_intents=tuple(earlier[at - EARLIER : at]),
        )
        answer = HabitBaseline().suggest(task).text
        yield goals.get(answer) == goal_key(plans[at]), answer == earlier[at].text


def words(name: str, interval: Interval) -> str:
    """A line of the table, in percent."""
    return f"{name:<38}{interval.mean:>7.1%} [{interval.low:.1%}, {interval.high:.1%}]"


def main() -> None:
    """Print ceilings, entropies, and `habit` as a share of the ceiling."""
    people = [make_person(number, SEED) for number in range(int((sys.argv[1:] or [PUBLISHED.users])[0]))]
    found = [predictability(person, WITH_GOALS, COUNT) for person in people]
    guesses = [list(habit(person)) for person in people]
    users = [person.user_id for person, own in zip(people, guesses, strict=True) for _ in own]
    ids = [person.user_id for person in people]
    print(f"{len(people)} simulated people, {COUNT} intents each, seed {SEED}; intervals over people")
    print(words("ceiling, goal", bootstrap_mean([one.goals for one in found], ids)))
    print(words("habit, goal", bootstrap_mean([goal for own in guesses for goal, _ in own], users)))
    print(words("ceiling, goal and arguments", bootstrap_mean([one.intents for one in found], ids)))
    print(
        words(
            "habit, goal and arguments", bootstrap_mean([whole for own in guesses for _, whole in own], users)
        )
    )
    for name, bits in (
        ("entropy of the goal", [one.goal_bits for one in found]),
        ("entropy of goal and arguments", [one.intent_bits for one in found]),
    ):
        print(f"{name:<38}{statistics.mean(bits):>6.2f} bits, {min(bits):.2f} to {max(bits):.2f} a person")


if __name__ == "__main__":
    main()
