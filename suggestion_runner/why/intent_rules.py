"""Rules that say why an answer about a simulated person failed.

The answer is read back to the goals that it words on the person's own phone, and compared with the goal of
the task and with what the person did before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

from fingertip_agents.suggestion.baselines import is_weekend
from fingertip_metrics.judges.read_back import ReadBack, WordedGoal, bare, phone_wordings
from suggestion_runner.why.intent_reasons import IntentReason
from suggestion_runner.why.person_habits import RULES, GoalKey, Habit, HabitRules, PersonBefore
from suggestion_runner.why.task_past import TaskPast


class IntentRules:
    """The rules on the answers of a run about simulated people.

    Args:
        past: The run's dataset.
        rules: Thresholds.
    """

    def __init__(self, past: TaskPast, rules: HabitRules = RULES) -> None:
        self._past = past
        self._rules = rules

    def is_right(self, task_id: str, text: str) -> bool:
        """Whether an answer states the person's goal with its arguments, as judge "simulated" decides."""
        return self._past.goal(task_id) in self._read(task_id, text).exact

    def find_reasons(self, task_id: str, text: str) -> Iterator[IntentReason]:
        """All reasons why an answer with a text is not the person's intent, in no order."""
        reading, truth = self._read(task_id, text), self._past.goal(task_id)
        if not reading.goals:
            yield self._explain_unread(task_id, text, reading, truth)
            return
        if truth in reading.exact:
            yield IntentReason(name="unexplained", words="the rules read the person's own intent")
            return
        person = self._past.person_before(task_id)
        yield from _find_copied(reading, person)
        keys = frozenset((goal.package, goal.goal) for goal in reading.goals)
        if (truth.package, truth.goal) in keys:
            yield IntentReason(name="other_arguments", words=_compare_arguments(reading, truth))
            return
        if truth.package in {package for package, _ in keys}:
            yield IntentReason(name="other_thing", words=f"{_name(keys)} instead of {truth.goal}")
        habit = person.habit(keys)
        if habit.is_habit:
            yield from find_habit_reasons(habit)
        else:
            yield from self._find_generic(task_id, keys)
        yield IntentReason(name="unexplained", words=f"{_name(keys)}, done {len(habit.past)} times before")

    def _read(self, task_id: str, text: str) -> ReadBack:
        return phone_wordings(*self._past.phone(task_id)).read(text)

    def _explain_unread(self, task_id: str, text: str, reading: ReadBack, truth: WordedGoal) -> IntentReason:
        """The reason of an answer that states no goal of the phone, or several."""
        if reading.several:
            return IntentReason(name="unreadable_answer", words="several intents")
        label = _find_label(truth.package, self._past.phone(task_id)[1])
        if label and label in bare(text):
            return IntentReason(name="other_thing", words="it names the app, and no goal that it has")
        return IntentReason(name="unreadable_answer", words="no goal of the person's phone")

    def _find_generic(self, task_id: str, keys: frozenset[GoalKey]) -> Iterator[IntentReason]:
        user = self._past.intent(task_id).user_id
        others = len(self._past.users - {user})
        who = {one for key in keys for one in self._past.users_of_goals.get(key, frozenset())} - {user}
        if others and len(who) >= self._rules.people * others:
            words = f"{_name(keys)}: {len(who)} of {others} other people do it, this person does not"
            yield IntentReason(name="generic", words=words)


def find_habit_reasons(habit: Habit) -> Iterator[IntentReason]:
    """The reasons why a habit of the person is not what they want now; at least one."""
    times, last = len(habit.past), habit.past[-1].moment.date().isoformat()
    fits = True
    if habit.is_stale:
        fits = False
        yield IntentReason(name="stale_habit", words=f"{times} times, last on {last}")
    if habit.is_of_another_hour or habit.is_of_other_days:
        fits = False
        days = "at a weekend" if is_weekend(habit.moment) else "on a workday"
        when = f"near {habit.moment:%H:%M}" if habit.is_of_another_hour else days
        yield IntentReason(name="wrong_time", words=f"{times} times, never {when}")
    if habit.is_of_another_place:
        fits = False
        yield IntentReason(name="ignored_place", words=f"{times} times, never at {habit.place}")
    if fits:
        yield IntentReason(name="other_habit", words=f"{times} times, also at such a time and place")


def _find_copied(reading: ReadBack, person: PersonBefore) -> Iterator[IntentReason]:
    if person.shown and person.shown[-1].goal in reading.exact:
        when = person.shown[-1].moment.strftime("%Y-%m-%d %H:%M")
        yield IntentReason(name="copied_last", words=f"the intent of {when}")


def _compare_arguments(reading: ReadBack, truth: WordedGoal) -> str:
    """The arguments of the reading that is nearest to the person's, and which differ."""
    wanted = json.loads(truth.arguments)
    given = [json.loads(goal.arguments) for goal in reading.goals if goal.same_goal(truth)]
    nearest = min(given, key=lambda one: sum(one.get(name) != wanted[name] for name in wanted))
    names = [name for name in wanted if nearest.get(name) != wanted[name]]
    return "; ".join(f"{name} {nearest.get(name)} instead of {wanted[name]}" for name in names)


def _name(keys: frozenset[GoalKey]) -> str:
    return " or ".join(sorted(goal for _, goal in keys))


@lru_cache(maxsize=256)
def _find_label(package: str, locale: str) -> str:
    """The letters of an app's name on the phone; "" for an unknown app."""
    from simulated_phone.apps import list_apps

    return next((bare(app.label) for app in list_apps(locale) if app.package == package), "")
