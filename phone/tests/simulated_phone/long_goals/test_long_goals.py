from __future__ import annotations

from string import Formatter

import pytest

from simulated_phone import GesturePlayer, GoalInstance, Phone
from simulated_phone.goals.app_definition import App, Goal, find_goal
from simulated_phone.long_goals.composition import CASES, WAYS, find_long_goal, list_long_goals
from simulated_phone.machine.faults import ADVERTISEMENT, ROTATION
from simulated_phone.people.life import TROUBLES
from simulated_phone.people.person import make_person
from simulated_phone.people.routine import draw_routine, plan_month
from simulated_phone.phone_errors import UnknownGoalError

SIZE, DENSITY, SEED = (540, 1200), 210, 7
LOCALES = ("zh", "en")
GOALS = {goal.name: (app, goal) for app, goal in list_long_goals("zh")}
FEWEST, MOST = 15, 45
"""Gestures of a way, without those that a trouble adds."""


@pytest.fixture(scope="module")
def phones() -> dict[str, Phone]:
    return {locale: Phone(seed=SEED, size=SIZE, density=DENSITY, locale=locale) for locale in LOCALES}


def get(name: str, locale: str) -> tuple[App, Goal]:
    return next((app, goal) for app, goal in list_long_goals(locale) if goal.name == name)


def play(phone: Phone, app: App, goal: Goal, way: int, case: int = 0) -> int:
    """Carry a goal out; the number of gestures."""
    arguments = goal.cases(SEED)[case]
    aim = GoalInstance(package=app.package, goal=goal.name, arguments=arguments)
    phone.reset(SEED)
    assert not phone.achieved(aim)
    count = 0
    for gesture in GesturePlayer(phone).gestures(goal.strategies[way].steps(arguments)):
        gesture.perform(phone.finger)
        count += 1
    assert phone.achieved(aim), (goal.name, goal.strategies[way].name, arguments)
    return count


def test_there_are_thirty_goals_over_three_or_more_apps_in_both_languages() -> None:
    names = [[goal.name for _, goal in list_long_goals(locale)] for locale in LOCALES]
    assert names[0] == names[1]
    assert len(set(names[0])) == len(names[0]) >= 30


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", GOALS)
def test_wordings_and_ways_name_what_the_cases_have(name: str, locale: str) -> None:
    _, goal = get(name, locale)
    assert len(set(goal.words)) == len(goal.words) >= 2
    assert len({way.name for way in goal.strategies}) == len(goal.strategies) == WAYS
    for seed in (1, SEED):
        assert len(goal.cases(seed)) == CASES
        assert goal.cases(seed) == goal.cases(seed)
        for case in goal.cases(seed):
            for words in goal.words:
                mentioned = {field for _, field, _, _ in Formatter().parse(words) if field}
                assert mentioned <= case.keys()
                assert all(str(case[field]) in words.format_map(case) for field in mentioned)


@pytest.mark.parametrize(
    ("name", "locale", "way"),
    [(name, LOCALES[at % 2], at % WAYS) for at, name in enumerate(GOALS)],
)
def test_a_way_reaches_its_goal_in_fifteen_to_forty_five_steps(
    phones: dict[str, Phone], name: str, locale: str, way: int
) -> None:
    assert FEWEST <= play(phones[locale], *get(name, locale), way) <= MOST


@pytest.mark.soak
@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", GOALS)
def test_every_way_reaches_its_goal(phones: dict[str, Phone], name: str, locale: str) -> None:
    for way in range(WAYS):
        for case in range(2):
            assert FEWEST <= play(phones[locale], *get(name, locale), way, case) <= MOST


@pytest.mark.soak
@pytest.mark.parametrize("fault", [ADVERTISEMENT, ROTATION, *TROUBLES])
def test_every_way_reaches_its_goal_under_each_trouble(fault: str) -> None:
    phone = Phone(seed=SEED, size=SIZE, density=DENSITY, faults=[fault])
    for name in GOALS:
        for way in range(WAYS):
            play(phone, *get(name, "zh"), way)


@pytest.mark.parametrize("fault", TROUBLES)
def test_a_long_goal_is_reached_under_each_trouble(fault: str) -> None:
    phone = Phone(seed=SEED, size=SIZE, density=DENSITY, faults=[fault])
    play(phone, *GOALS["call_a_meeting"], 1)


def test_a_leg_that_is_missing_leaves_the_goal_open(phones: dict[str, Phone]) -> None:
    app, goal = GOALS["plan_trip"]
    case = goal.cases(SEED)[0]
    phone = phones["zh"]
    phone.reset(SEED)
    aim = GoalInstance(package=app.package, goal=goal.name, arguments=case)
    # all but the message at the end
    script = goal.strategies[0].steps(case)
    for gesture in GesturePlayer(phone).gestures(script[:-3]):
        gesture.perform(phone.finger)
    assert not phone.achieved(aim)


def test_long_goals_are_found_by_name_and_are_in_no_routine(phones: dict[str, Phone]) -> None:
    phone = phones["en"]
    app, goal = get("plan_trip", "en")
    aim = GoalInstance(package=app.package, goal="plan_trip")
    assert find_goal(phone.apps, aim) is goal is find_long_goal("en", app.package, "plan_trip")
    assert goal.strategies_in(app.package) == (), "no app alone reaches it"
    with pytest.raises(UnknownGoalError, match="has no goal 'plan_trip'"):
        find_goal(phone.apps, GoalInstance(package="com.simulated.yinhang", goal="plan_trip"))
    person, apps = make_person(0, 1, "en"), [one for one in phone.apps.values() if one.goals]
    planned = {one.goal.name for one in plan_month(person, apps, 60)}
    assert not planned & GOALS.keys()
    assert not {slot.goal.name for slot in draw_routine(person, apps)} & GOALS.keys()
