"""Validating the reasons of failed suggestions: agents with one known mistake each, about simulated people.

Each agent knows the life of the people: their goal, and the routine that their month was drawn from. It
words, as the person would, an intent that is wrong in one way. A habit is one of the routine that the person
has had twice or more by then. Where the life has no such intent at a task, and where it would be wrong in two
ways (of the intent's own app, or the last thing again, though that is not the mistake), the agent gives the
person's own intent, and the task is left out. The runs are explained as by `fingertip score --why`, whose
rules know the earlier intents and never the routine.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset import BuiltDataset, build
from fingertip_dataset.release.words import SCENARIO_CATEGORIES
from fingertip_dataset.split_names import VALI
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_metrics.embedders import get_embedder
from fingertip_recorder.simulated_life import SampleOrder, write_sample
from simulated_phone import Phone
from simulated_phone.goals.app_definition import App, Arguments, Goal
from simulated_phone.people.cultures import find_culture
from simulated_phone.people.person import Person, make_person
from simulated_phone.people.routine import FIRST_DAY, draw_routine
from simulated_phone.people.routine_slot import RoutineSlot
from simulated_phone.people.simulation import Simulation
from simulated_phone.people.wording import IntentWriter, draw_wording_style
from suggestion_runner import run_suggestions, score_run
from suggestion_runner.why.intent_reasons import INTENT_REASONS, IntentReasonName
from suggestion_runner.why.why_suggestions import WhySuggestions, explain_answers

SIZE = (270, 600)
NEAR, FAR = 60, 180
"""Minutes between a habit's usual time and now: at most, for one of this time; at least, for another's."""
TOP = 6
"""Number of goals that most people have."""
LIVED = 2
"""Times that a person has had a habit before it is one."""
ENDED = 7
"""Days for which a habit has ended, so that it can be known."""

Draft = tuple[App, Goal, Arguments]
"""What an answer says: an app, a goal of it, and its arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLife:
    """The life of a simulated person, as it was drawn.

    Attributes:
        person: The person.
        apps: Package -> app of the phone, those with goals.
        routine: The habits over the month, with the days on which they begin and end.
    """

    person: Person
    apps: Mapping[str, App]
    routine: tuple[RoutineSlot, ...]

    @classmethod
    def draw(cls, number: int, seed: int, locale: str) -> KnownLife:
        """The life of person `number` (from 0) of a population."""
        person = make_person(number, seed, locale)
        apps = [app for app in Phone(seed=person.seed, size=SIZE, locale=locale).apps.values() if app.goals]
        routine = draw_routine(person, apps)
        return cls(person=person, apps={app.package: app for app in apps}, routine=routine)


@dataclass(frozen=True, kw_only=True)
class MistakeMoment:
    """A task as an agent with a mistake knows it.

    Attributes:
        life: The person's life.
        wanted: What the person wants now.
        simulation: Setup of the task.
        place: Place of the task, in the words of the routine.
        last: The latest earlier intent that the task shows; "" without one.
        lived: Goals of the person before the task, the latest last.
        people: Goal -> number of people of the dataset who have it at any time.
        rng: Draws of this task.
    """

    life: KnownLife
    wanted: Draft
    simulation: Simulation
    place: str
    last: str
    lived: Sequence[tuple[str, str]]
    people: Mapping[tuple[str, str], int]
    rng: random.Random

    @property
    def moment(self) -> datetime:
        """When the task is."""
        return self.simulation.setup.moment

    @property
    def day(self) -> int:
        """Day of the month, from 0."""
        return (self.moment.date() - FIRST_DAY).days

    @property
    def weekend(self) -> bool:
        """Whether the person is free on this day."""
        return self.day % 7 in find_culture(self.life.person.locale).weekend

    @cached_property
    def known(self) -> list[RoutineSlot]:
        """The habits of the month until now, of other apps than the wanted one, and none that came last."""
        return [
            slot
            for slot in self.life.routine
            if slot.first_day <= self.day
            and self.lived.count(_key(slot)) >= LIVED
            and slot.app.package != self.wanted[0].package
            and _key(slot) != self.lived[-1]
        ]

    @property
    def habits(self) -> list[RoutineSlot]:
        """Habits that the person has now."""
        return [slot for slot in self.known if self.day < slot.last_day]

    @property
    def ended(self) -> list[RoutineSlot]:
        """Habits that have ended or changed long enough ago."""
        return [slot for slot in self.known if slot.last_day + ENDED <= self.day]

    def minutes_from(self, slot: RoutineSlot) -> int:
        """Minutes between now and the usual time of a habit, around midnight."""
        apart = abs(60 * self.moment.hour + self.moment.minute - slot.minute)
        return min(apart, 24 * 60 - apart)

    def is_usual_place(self, slot: RoutineSlot) -> bool:
        """Whether the person mostly has a habit where they are now."""
        return slot.places[self.weekend] == self.place

    def draw(self, slots: Sequence[RoutineSlot]) -> Draft | None:
        """Draw a habit, with arguments as the person has them; None if there are no habits."""
        if not slots:
            return None
        slot = self.rng.choice(slots)
        return slot.app, slot.goal, slot.case(self.rng)

    def draw_goal(self, goals: Sequence[tuple[str, str]]) -> Draft | None:
        """Draw a goal by package and name, with any arguments; None if there are no goals."""
        if not goals:
            return None
        package, name = self.rng.choice(goals)
        app = self.life.apps[package]
        goal = next(goal for goal in app.goals if goal.name == name)
        return app, goal, self.rng.choice(goal.cases(self.life.person.seed))

    def strange_goals(self) -> list[tuple[str, str]]:
        """Goals of other apps that are none of the person's habits, those of most people first."""
        own = {_key(slot) for slot in self.life.routine}
        goals = [(package, goal.name) for package, app in self.life.apps.items() for goal in app.goals]
        strange = [key for key in goals if key not in own and key[0] != self.wanted[0].package]
        return sorted(strange, key=lambda key: -self.people.get(key, 0))


Mistake = Callable[[MistakeMoment], Draft | str | None]
"""What an agent says instead of the person's intent; None where the person's life has no such intent."""


def say_nothing(_: MistakeMoment) -> str:
    """No word."""
    return ""


def chat(moment: MistakeMoment) -> str:
    """Words that state no intent."""
    return moment.rng.choice(("好的，很高兴为您服务。", "I cannot know what this person wants.", "不确定"))


def list_several(moment: MistakeMoment) -> str:
    """The intents of three habits in one answer."""
    slots = moment.rng.sample(moment.habits, min(3, len(moment.habits)))
    drafts = [(slot.app, slot.goal, slot.case(moment.rng)) for slot in slots]
    return "；".join(write_intent(draft, moment) for draft in drafts)


def repeat_last(moment: MistakeMoment) -> str | None:
    """The latest earlier intent, word by word."""
    return moment.last or None


def change_arguments(moment: MistakeMoment) -> Draft | None:
    """The wanted goal with another of its cases."""
    app, goal, case = moment.wanted
    others = [one for one in goal.cases(moment.life.person.seed) if dict(one) != dict(case)]
    return (app, goal, moment.rng.choice(others)) if others else None


def change_thing(moment: MistakeMoment) -> Draft | None:
    """Another goal of the wanted app."""
    app, wanted, _ = moment.wanted
    return moment.draw_goal([(app.package, goal.name) for goal in app.goals if goal.name != wanted.name])


def keep_ended(moment: MistakeMoment) -> Draft | None:
    """A habit that ended, at whatever time it was."""
    now = {_key(slot) for slot in moment.life.routine if slot.last_day > moment.day}
    return moment.draw([slot for slot in moment.ended if _key(slot) not in now])


def miss_time(moment: MistakeMoment) -> Draft | None:
    """A habit of this place and of another time of day."""
    return moment.draw(
        [
            slot
            for slot in moment.habits
            if moment.minutes_from(slot) >= FAR
            and moment.is_usual_place(slot)
            and moment.day % 7 in slot.days
        ]
    )


def miss_day(moment: MistakeMoment) -> Draft | None:
    """A habit of this time of day that the person has on workdays or at weekends only, on the other days."""
    return moment.draw(
        [
            slot
            for slot in moment.habits
            if moment.minutes_from(slot) <= NEAR and moment.day % 7 not in slot.days
        ]
    )


def miss_place(moment: MistakeMoment) -> Draft | None:
    """A habit of this time, which the person mostly has elsewhere."""
    return moment.draw([slot for slot in _list_timely(moment) if not moment.is_usual_place(slot)])


def take_other_habit(moment: MistakeMoment) -> Draft | None:
    """A habit of this time and place."""
    return moment.draw([slot for slot in _list_timely(moment) if moment.is_usual_place(slot)])


def follow_people(moment: MistakeMoment) -> Draft | None:
    """Draw a goal that most people have, and that is no habit of the person."""
    return moment.draw_goal(moment.strange_goals()[:TOP])


def invent(moment: MistakeMoment) -> Draft | None:
    """Draw a goal that fewest people have, and that is no habit of the person."""
    strange = moment.strange_goals()
    return moment.draw_goal(strange[-len(strange) // 4 :])


def _key(slot: RoutineSlot) -> tuple[str, str]:
    """A habit's goal by package and name."""
    return slot.app.package, slot.goal.name


def _list_timely(moment: MistakeMoment) -> list[RoutineSlot]:
    """The habits of this time of day and kind of day."""
    return [
        slot for slot in moment.habits if moment.minutes_from(slot) <= NEAR and moment.day % 7 in slot.days
    ]


MISTAKES: Mapping[str, tuple[IntentReasonName, Mistake]] = {
    "says nothing": ("unreadable_answer", say_nothing),
    "chats": ("unreadable_answer", chat),
    "lists several intents": ("unreadable_answer", list_several),
    "repeats the last intent": ("copied_last", repeat_last),
    "takes other arguments": ("other_arguments", change_arguments),
    "takes another goal of the app": ("other_thing", change_thing),
    "keeps a habit that has ended": ("stale_habit", keep_ended),
    "takes a habit of another hour": ("wrong_time", miss_time),
    "takes a habit of other days": ("wrong_time", miss_day),
    "takes a habit of another place": ("ignored_place", miss_place),
    "takes another habit of now": ("other_habit", take_other_habit),
    "says what most people do": ("generic", follow_people),
    "invents something rare": ("unexplained", invent),
}
"""Name of an agent -> the primary reason that its failures have, and its mistake."""


def write_intent(draft: Draft, moment: MistakeMoment) -> str:
    """Word a draft as the person would."""
    writer = IntentWriter(draw_wording_style(moment.life.person))
    return writer.write(*draft, moment.moment, moment.place, moment.rng)


class MistakenAgent:
    """Agent of track 1 that makes one mistake at every task of the people that it knows.

    Args:
        name: Key of `MISTAKES`.
        lives: User id -> the person's life.
        dataset: The dataset of their tasks.
        seed: Seed of the draws.
    """

    def __init__(
        self, name: str, lives: Mapping[str, KnownLife], dataset: BuiltDataset, *, seed: int = 0
    ) -> None:
        self.name = name
        self.settings: Mapping[str, object] = {"mistake": name, "seed": seed}
        self._mistake = MISTAKES[name][1]
        self._lives = lives
        self._simulations = dataset.simulations()
        self._people = count_people(self._simulations)
        self._intents = {
            row["episode_id"]: row["intent"]
            for split in dataset.split_names
            for row in dataset.rows(split, columns=("episode_id", "intent"))
        }
        self._seed = seed

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """The mistake, or the person's own intent where there is none to make."""
        task = task_input.task_id
        life = self._lives[task.rpartition("__")[0]]
        simulation = Simulation.from_json(self._simulations[task])
        app = life.apps[simulation.goal_instance.package]
        goal = next(one for one in app.goals if one.name == simulation.goal_instance.goal)
        moment = MistakeMoment(
            life=life,
            wanted=(app, goal, simulation.goal_instance.arguments),
            simulation=simulation,
            place=_find_place(task_input.scenario),
            last=task_input.previous_intents[-1].text if task_input.previous_intents else "",
            lived=[
                (one["package"], one["goal"])
                for other, one in sorted(self._simulations.items())
                if other.startswith(f"{life.person.user_id}__") and other < task
            ],
            people=self._people,
            rng=random.Random(f"{self._seed} {self.name} {task}"),  # noqa: S311
        )
        answer = self._mistake(moment)
        if answer is None:
            answer = self._intents[task]
        text = answer if isinstance(answer, str) else write_intent(answer, moment)
        return Suggestion(text=text, seconds=0.0, prompt_tokens=0, completion_tokens=0, calls=0)


def count_people(simulations: Mapping[str, Mapping[str, object]]) -> Counter[tuple[str, str]]:
    """Goal by package and name -> number of people who had it."""
    had = {
        (task.rpartition("__")[0], str(one["package"]), str(one["goal"])) for task, one in simulations.items()
    }
    return Counter((package, goal) for _, package, goal in had)


def make_known_people(
    folder: Path, *, users: int, episodes: int, seed: int, locale: str = "zh"
) -> tuple[Path, dict[str, KnownLife]]:
    """A dataset of simulated people in a folder, and the life of each by user id."""
    sample, dataset = folder / "sample", folder / "dataset"
    order = SampleOrder(out=sample, users=users, episodes=episodes, seed=seed, size=SIZE, locales=(locale,))
    write_sample(order)
    build(sample / "raw", dataset, tables=sample / "tables", workers=1)
    lives = [KnownLife.draw(number, seed, locale) for number in range(users)]
    return dataset, {life.person.user_id: life for life in lives}


def explain_mistakes(
    dataset: Path,
    lives: Mapping[str, KnownLife],
    out: Path,
    *,
    split: str = VALI,
    names: Sequence[str] = (),
    limit: int | None = None,
) -> Iterator[tuple[str, WhySuggestions]]:
    """Runs each agent with a mistake, and explains its run.

    Args:
        dataset: Dataset of simulated people.
        lives: User id -> the person's life.
        out: Folder of the runs.
        split: Split of the tasks.
        names: Keys of `MISTAKES`; empty for all.
        limit: Maximum number of tasks of each agent; None for all.
    """
    built, embedder = BuiltDataset.open(dataset), get_embedder("lexical")
    for number, name in enumerate(names or MISTAKES):
        run = out / f"run-{number}"
        run_suggestions(dataset, MistakenAgent(name, lives, built), run, split=split, limit=limit)
        yield name, explain_answers(score_run(run, embedder=embedder))


Pairs = Counter[tuple[IntentReasonName, IntentReasonName]]
"""(the mistake that was made, the primary reason that was named) -> number of answers."""


def count_pairs(found: Mapping[str, WhySuggestions]) -> Pairs:
    """Count the answers of agents by their mistake and the reason that was named."""
    pairs: Pairs = Counter()
    for name, why in found.items():
        pairs.update((MISTAKES[name][0], attempt.primary) for attempt in why.attempts)
    return pairs


def table(seeds: Sequence[Mapping[str, WhySuggestions]]) -> Iterator[str]:
    """Lines of a Markdown table: per agent its recall, then per reason precision and recall.

    Args:
        seeds: For each seed, name of an agent -> its explained run.
    """
    yield "| agent with a known mistake | reason | answers | named right | others |"
    yield "|---|---|---|---|---|"
    for name in seeds[0]:
        true = MISTAKES[name][0]
        primary = Counter(attempt.primary for found in seeds for attempt in found[name].attempts)
        others = ", ".join(f"{one} {count}" for one, count in primary.most_common() if one != true)
        total = primary.total()
        share = primary[true] / total if total else 0.0
        yield f"| {name} | {true} | {total} | {primary[true]} ({share:.0%}) | {others or '-'} |"
    by_seed = [count_pairs(found) for found in seeds]
    yield ""
    yield "| primary reason | precision | recall | answers |"
    yield "|---|---|---|---|"
    for reason in INTENT_REASONS:
        right = [pairs[reason, reason] for pairs in by_seed]
        made = [_count_true(pairs, reason) for pairs in by_seed]
        named = [_count_named(pairs, reason) for pairs in by_seed]
        if sum(made):
            precision, recall = _format_shares(right, named), _format_shares(right, made)
            yield f"| {reason} | {precision} | {recall} | {sum(made)} |"


def _format_shares(parts: Sequence[int], wholes: Sequence[int]) -> str:
    """A share over all seeds, and its lowest and highest of a seed; a dash for a share of nothing."""
    shares = [part / whole for part, whole in zip(parts, wholes, strict=True) if whole]
    if not shares:
        return "-"
    share = f"{sum(parts) / sum(wholes):.2f}"
    return f"{share} ({min(shares):.2f}-{max(shares):.2f})" if len(parts) > 1 else share


def _count_true(pairs: Pairs, reason: IntentReasonName) -> int:
    return sum(count for (true, _), count in pairs.items() if true == reason)


def _count_named(pairs: Pairs, reason: IntentReasonName) -> int:
    return sum(count for (_, named), count in pairs.items() if named == reason)


def _find_place(scenario: str) -> str:
    """A place of the release in the words of the routine, which are Chinese."""
    places = {english: chinese for chinese, english in SCENARIO_CATEGORIES.items()}
    return places.get(scenario, scenario)


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--episodes", type=int, default=40)
    parser.add_argument("--seeds", type=int, nargs="+", default=[21, 22, 23])
    parser.add_argument("--locale", default="zh", help="Language of the people.")
    options = parser.parse_args()
    seeds = []
    for seed in options.seeds:
        with tempfile.TemporaryDirectory() as folder:
            dataset, lives = make_known_people(
                Path(folder),
                users=options.users,
                episodes=options.episodes,
                seed=seed,
                locale=options.locale,
            )
            seeds.append(dict(explain_mistakes(dataset, lives, Path(folder))))
    for line in table(seeds):
        print(line)


if __name__ == "__main__":
    main()
