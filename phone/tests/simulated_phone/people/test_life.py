"""Simulated people: every episode reaches its goal, and follows from the seed."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, datetime
from itertools import chain, product

import pytest
from rapidfuzz import fuzz, process

from simulated_phone import GoalInstance, Phone, Pictures
from simulated_phone.apps import APPS, list_apps
from simulated_phone.goals.steps import Open, Tap, TypeText
from simulated_phone.long_goals.composition import Leg, LongGoal, find_long_goal
from simulated_phone.machine.state import BEIJING
from simulated_phone.people.drift import EARLIEST, LATEST, STEADY
from simulated_phone.people.gestures import GestureHabits, GesturePlayer
from simulated_phone.people.life import TROUBLES, Life, PhoneSetup, SimulatedEpisode
from simulated_phone.people.person import GROUPS, Person, make_person
from simulated_phone.people.predictability import goal_key, measure_predictability
from simulated_phone.people.routine import FIRST_DAY, SLOTS, draw_routine, plan_month
from simulated_phone.people.routine_slot import DAYS
from simulated_phone.people.slips import SLIPS, draw_slips, tap_wrongly, type_with_typo
from simulated_phone.people.speech import read_phrases
from simulated_phone.people.user_style import UserStyle, draw_user_style
from simulated_phone.people.wording import (
    IntentWriter,
    draw_wording_style,
    list_bare_texts,
    list_bare_wordings,
)

pytestmark = pytest.mark.early

SMALL = {"size": (360, 800), "density": 140}
WITH_GOALS = [app for app in APPS if app.goals]


def make_people(count: int, seed: int) -> tuple[Person, ...]:
    return tuple(make_person(number, seed) for number in range(count))


def simulated_episodes(
    number: int, count: int, seed: int = 3, *, pictures: Pictures | None = None
) -> Iterator[SimulatedEpisode]:
    person = make_person(number, seed)
    return Life(person, Phone(seed=person.seed, **SMALL), pictures).month(count)  # type: ignore[arg-type]


def simulate(
    number: int, count: int, seed: int = 3, *, pictures: Pictures | None = None
) -> list[SimulatedEpisode]:
    return list(simulated_episodes(number, count, seed, pictures=pictures))


@pytest.fixture(
    scope="module",
    params=[(1, 16), pytest.param((2, 30), marks=pytest.mark.soak)],
    ids="{0[0]} people, {0[1]} episodes each".format,
)
def months(request: pytest.FixtureRequest) -> list[list[SimulatedEpisode]]:
    """A month of each of the first people."""
    people, count = request.param
    return [simulate(number, count, pictures=Pictures()) for number in range(people)]


def test_a_person_depends_on_seed_and_number_alone() -> None:
    assert make_people(4, 9) == make_people(9, 9)[:4]
    assert make_people(4, 9) != make_people(4, 10)
    people = make_people(60, 1)
    assert len({person.user_id for person in people}) == 60
    assert min(int(person.user_id) for person in people) > 100
    for person in people:
        low, high = GROUPS[person.group]
        assert low <= person.age <= high
        assert (person.occupation == "退休") == (person.age >= 60)
    assert Counter(person.group for person in people) == {"young": 30, "older": 30}


def test_planned_intents_are_ordered_and_workplaces_occur_on_workdays_only() -> None:
    at_work: Counter[bool] = Counter()
    for number in range(20):
        person = make_person(number, 5)
        planned_intents = plan_month(person, WITH_GOALS, 40)
        assert len(planned_intents) == 40
        moments = [planned.moment for planned in planned_intents]
        assert moments == sorted(set(moments))
        assert all(0 <= (moment.date() - FIRST_DAY).days < DAYS for moment in moments)
        for planned in planned_intents:
            if planned.place in ("办公场所", "学校"):
                at_work[planned.moment.weekday() > 4] += 1
    assert at_work[False] > 100
    assert at_work[True] == 0


def test_replaying_an_episode_reaches_its_goal(months: list[list[SimulatedEpisode]]) -> None:
    phone = Phone(**SMALL)  # type: ignore[arg-type]
    for episode in chain.from_iterable(months):
        episode.setup.apply(phone)
        assert not phone.achieved(episode.goal_instance)
        last = len(episode.frames) - 1
        assert [frame.gesture is None for frame in episode.frames] == [False] * last + [True]
        for frame in episode.frames:
            # a page that loads slowly has to be waited for, as the person did
            phone.wait((frame.moment - phone.now).total_seconds())
            if frame.gesture is not None:
                frame.gesture.perform(phone.finger)
        assert phone.achieved(episode.goal_instance, answered=True), (
            episode.goal_instance,
            episode.strategy,
            episode.slips,
        )


def test_an_episode_begins_in_its_app_unless_it_needs_several(months: list[list[SimulatedEpisode]]) -> None:
    for episode in chain.from_iterable(months):
        package, first = episode.goal_instance.package, episode.frames[0]
        shown = set(re.findall('package="([^"]*)"', first.tree))
        if episode.setup.start == "app":
            # a dialog that asks for a permission is a window of its own before the app's
            assert shown & {package, "com.android.permissioncontroller"}
            # the app is opened at the episode's time, before the first screen
            assert first.moment > episode.setup.moment
        else:
            assert episode.setup.start == "several apps"
            assert package not in shown
    assert sum(episode.setup.start == "app" for episode in chain.from_iterable(months)) > 12


def test_who_begins_at_home_opens_the_app_and_lives_as_people_before_2_0() -> None:
    home = list(Life(make_person(0, 3), Phone(seed=make_person(0, 3).seed, **SMALL), start="home").month(8))  # type: ignore[arg-type]
    assert {episode.setup.start for episode in home} == {"home"}
    for episode in home:
        assert f'package="{episode.goal_instance.package}"' not in episode.frames[0].tree
    # the way to the app is all that is added
    in_app = simulate(0, 8)
    assert sum(len(one.frames) for one in home) > sum(len(one.frames) for one in in_app)


def test_a_launched_app_is_in_the_state_that_a_tap_on_its_icon_gives() -> None:
    moment = datetime(2025, 3, 10, 8, 15, tzinfo=BEIJING)
    for package in ("com.android.deskclock", "com.netease.cloudmusic"):
        for recent in ((), (package,), ("com.android.calendar", package)):
            setup = PhoneSetup(seed=5, moment=moment, recent=recent, faults=TROUBLES, front=package)
            phone, tapped = Phone(seed=5, **SMALL), Phone(seed=5, **SMALL)  # type: ignore[arg-type]
            setup.apply(phone)
            replace(setup, icons=(package,), front="").apply(tapped)
            next(GesturePlayer(tapped).gestures([Tap(tapped.apps[package].label)])).perform(tapped.finger)
            assert phone.tree() == tapped.tree()
            clock = ("now", "loading_until", "notified_until", "home", "apps")
            left, right = (
                {name: value for name, value in one.data.items() if name not in clock}
                for one in (phone, tapped)
            )
            assert left == right


def test_frames_hold_screenshot_and_tree_of_their_moment(months: list[list[SimulatedEpisode]]) -> None:
    for episode in months[0]:
        moments = [frame.moment for frame in episode.frames]
        assert moments == sorted(moments)
        assert all((frame.screenshot or b"").startswith(b"\xff\xd8\xff") for frame in episode.frames)
        assert all((frame.screenshot or b"").endswith(b"\xff\xd9") for frame in episode.frames)
        for frame in episode.frames:
            if frame.gesture is not None and frame.gesture.kind in ("tap", "hold"):
                assert frame.gesture.label in frame.tree.replace("&quot;", '"').replace("&amp;", "&")


@pytest.mark.parametrize("count", [3, pytest.param(30, marks=pytest.mark.soak)])
def test_equal_seeds_give_equal_months_and_different_seeds_different_ones(count: int) -> None:
    month = simulate(0, count, pictures=Pictures())
    assert simulate(0, count, pictures=Pictures()) == month
    other = simulate(0, count, seed=4)
    assert {episode.intent for episode in other}.isdisjoint({episode.intent for episode in month})


def test_intents_of_one_goal_are_similar_but_never_equal(months: list[list[SimulatedEpisode]]) -> None:
    for episodes in months:
        assert len({episode.intent for episode in episodes}) == len(episodes)
        same: list[float] = []
        different: list[float] = []
        for number, episode in enumerate(episodes):
            for other in episodes[:number]:
                ratio = fuzz.ratio(episode.intent, other.intent)
                (same if other.goal_instance == episode.goal_instance else different).append(ratio)
        assert len(same) > 5
        assert sum(same) / len(same) > 30 + sum(different) / len(different)


def test_a_hundred_wordings_of_one_goal_are_all_different() -> None:
    app = next(app for app in WITH_GOALS if app.english == "Clock")
    goal, person = app.goal("set_alarm"), make_person(1, 3)
    rng = person.generator("test")
    writer, planned = IntentWriter(draw_wording_style(person)), plan_month(person, WITH_GOALS, 1)[0]
    case = goal.cases(3)[0]
    texts = [writer.write(app, goal, case, planned.moment, planned.place, rng) for _ in range(100)]
    assert len(set(texts)) == 100
    ends = "".join(read_phrases("zh").endings)
    assert 3 <= sum(text.rstrip(ends) == texts[0].rstrip(ends) for text in texts) < 40
    assert all("闹" in text or "叫" in text for text in texts)


def test_synonyms_take_the_place_of_whole_words_alone() -> None:
    goals = [goal for app in list_apps("en") for goal in app.goals]
    synonyms = {word for group in read_phrases("en").synonyms for text in group for word in letters(text)}
    replaced = 0
    for goal in goals:
        case = goal.cases(3)[0]
        written = [template.format_map(case) for template in goal.words]
        wordings = list(list_bare_wordings(goal, case, "en"))
        assert [wording.text for wording in wordings] == list_bare_texts(goal, case, "en")
        for wording in wordings:
            known = {word for text in (*written, *wording.values) for word in letters(text)} | synonyms
            assert letters(wording.text) <= known, (goal.name, wording.text)
            assert "see me" not in wording.text
            replaced += wording.text not in written
    assert replaced > 50


def letters(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", text))


def test_words_of_courtesy_stand_before_an_imperative_alone() -> None:
    app = next(app for app in list_apps("en") if app.english == "Music")
    goal, person = app.goal("add_to_list"), make_person(1, 3, "en")
    style = draw_wording_style(person)
    openers = [word for words in read_phrases("en").openers.values() for word in words if word]
    case, rng, moment = goal.cases(3)[0], person.generator("test"), datetime(2025, 3, 4, 9)
    texts = [IntentWriter(style).write(app, goal, case, moment, "家中", rng) for _ in range(300)]
    opened = [text for text in texts if any(word.lower() in text.lower() for word in openers)]
    assert len(opened) > 20
    assert not [text for text in opened if re.search("[Pp]laylist .* should have", text)]


def test_a_typo_is_deleted_and_the_text_completed() -> None:
    phone = Phone(seed=3, **SMALL)  # type: ignore[arg-type]
    player = GesturePlayer(phone, GestureHabits())
    player.play([Open("com.netease.cloudmusic"), Tap("搜索歌曲、歌手、歌单")])
    kinds = []
    step = TypeText("晴天2024", into="搜索歌曲、歌手")
    for gesture in type_with_typo(phone, player, step, make_person(0, 2).generator("test")):
        kinds.append(gesture.label if gesture.kind == "tap" else gesture.kind)
        gesture.perform(phone.finger)
    focus = phone.shown().focus
    assert focus is not None
    assert focus.text == "晴天2024"
    assert kinds.count("type") == 2
    assert "删除" in kinds


def test_a_keyboard_that_is_put_away_is_not_closed_again() -> None:
    phone = Phone(seed=3, **SMALL)  # type: ignore[arg-type]
    goal = phone.apps["com.android.deskclock"].goal("set_alarm")
    case = goal.cases(3)[0]
    typed = next(strategy for strategy in goal.strategies if strategy.name == "typed")
    GesturePlayer(phone, GestureHabits(keyboard_away=True)).play(typed.steps(case))
    aim = GoalInstance(package="com.android.deskclock", goal="set_alarm", arguments=case)
    assert phone.achieved(aim)


def test_a_wrong_tap_is_undone_by_back() -> None:
    phone = Phone(seed=3, **SMALL)  # type: ignore[arg-type]
    player = GesturePlayer(phone, GestureHabits())
    player.play([Open("com.android.deskclock")])
    phone.press_key("KEYCODE_HOME")
    for seed in range(5):
        before = phone.snapshot().data
        gestures = []
        for gesture in tap_wrongly(phone, player, make_person(0, seed).generator("test")):
            gestures.append(gesture.text or gesture.kind)
            gesture.perform(phone.finger)
        assert gestures == ["tap", "back"]
        after = phone.snapshot().data
        assert {name: before[name] for name in ("apps", "settings", "front")} == {
            name: after[name] for name in ("apps", "settings", "front")
        }


def test_every_slip_happens_and_clumsiness_raises_their_number() -> None:
    def count(clumsiness: float) -> int:
        rng = make_person(0, 1).generator("test")
        return sum(len(draw_slips(clumsiness, rng)) for _ in range(2000))

    assert 0 == count(0) < count(1) < count(2)
    happened: set[str] = set()
    for episode in chain.from_iterable(simulated_episodes(number, 25) for number in range(2, 6)):
        happened.update(episode.slips)
        if happened >= set(SLIPS):
            break
    assert happened == set(SLIPS)


def test_a_setup_brings_any_phone_into_the_same_state() -> None:
    person = make_person(0, 3)
    moment = plan_month(person, WITH_GOALS, 1)[0].moment
    setup = PhoneSetup(
        seed=person.seed, moment=moment, recent=("com.android.deskclock",), faults=("advertisement",)
    )
    fresh = Phone(**SMALL)  # type: ignore[arg-type]
    used = Phone(seed=8, faults=["permission_dialog"], **SMALL)  # type: ignore[arg-type]
    used.start("com.netease.cloudmusic")
    for phone in (fresh, used):
        setup.apply(phone)
    assert fresh.snapshot() == used.snapshot()
    assert fresh.now == moment
    assert moment.date() >= date(2025, 3, 3)


def trajectory_text(episode: SimulatedEpisode) -> str:
    """The episode's gestures as one string."""
    gestures = [frame.gesture for frame in episode.frames if frame.gesture is not None]
    return "，".join(f"{one.kind}({one.x}, {one.y}, {one.label or one.text})" for one in gestures)


@pytest.mark.parametrize(("people", "count"), [(6, 6), pytest.param(20, 14, marks=pytest.mark.soak)])
def test_trajectories_are_most_similar_for_the_same_user_then_the_same_type(people: int, count: int) -> None:
    """Order of the paper's figure 5, each episode paired with its most similar intent."""
    episodes = [episode for number in range(people) for episode in simulate(number, count, seed=1)]
    texts = [episode.intent for episode in episodes]
    trajectories = [trajectory_text(episode) for episode in episodes]
    scores = process.cdist(texts, texts, scorer=fuzz.ratio)

    def mean(allowed: Callable[[Person, Person], bool]) -> float:
        ratios = []
        for at, episode in enumerate(episodes):
            others = [
                n for n, other in enumerate(episodes) if n != at and allowed(episode.person, other.person)
            ]
            best = max(others, key=lambda other: (scores[at][other], -other))
            ratios.append(fuzz.ratio(trajectories[at], trajectories[best]))
        return sum(ratios) / len(ratios)

    own = mean(lambda a, b: a == b)
    group = mean(lambda a, b: a != b and a.group == b.group)
    across = mean(lambda a, b: a.group != b.group)
    assert own > group + 2 > across + 4, (own, group, across)


def test_a_routine_drifts_within_the_month_and_its_first_habits_stay() -> None:
    changes: Counter[str] = Counter()
    for number in range(30):
        slots = draw_routine(make_person(number, 5), WITH_GOALS)
        for slot in slots[:SLOTS]:
            if slot.last_day == DAYS:
                continue
            assert slot.rank >= STEADY
            assert EARLIEST <= slot.last_day <= LATEST
            (after,) = (one for one in slots if one.first_day == slot.last_day and one.rank == slot.rank)
            assert not any(slot.recurs(day) and after.recurs(day) for day in range(DAYS))
            same_goal = (after.app.package, after.goal.name) == (slot.app.package, slot.goal.name)
            changes["goal" if not same_goal else "hour" if after.cases == slot.cases else "favourite"] += 1
        assert len([slot for slot in slots if slot.first_day == 0]) == SLOTS
    assert min(changes.values()) > 5
    assert set(changes) == {"goal", "hour", "favourite"}


def test_trouble_is_drawn_for_some_episodes(months: list[list[SimulatedEpisode]]) -> None:
    for month in months:
        troubled = [fault for episode in month for fault in episode.setup.faults if fault in TROUBLES]
        assert 0 < len(troubled) < len(month) / 2


def test_who_knows_the_routine_predicts_more_than_its_first_habit_and_less_than_all() -> None:
    person = make_person(1, 5)
    found = measure_predictability(person, WITH_GOALS, 40, draws=20)
    most = Counter(goal_key(one) for one in plan_month(person, WITH_GOALS, 40)).most_common(1)[0][1] / 40
    assert most < found.goals < 1
    assert found.intents < found.goals
    assert 0 < found.goal_bits < found.intent_bits
    assert plan_month(person, WITH_GOALS, 40, draw=1) != plan_month(person, WITH_GOALS, 40)


def test_long_goals_follow_usual_episodes_by_the_persons_own_ways() -> None:
    usual = simulate(0, 5)
    person = make_person(0, 3)
    life = Life(person, Phone(seed=person.seed, **SMALL))  # type: ignore[arg-type]
    long = list(life.live_long_goals(usual))
    assert len(long) == 3
    moments = [one.setup.moment for one in long]
    # two in the part from which training parts are drawn, one in that of tests
    assert moments == sorted(moments)
    assert moments[1] < usual[3].setup.moment < usual[4].setup.moment < moments[2]
    style = draw_user_style(person)
    for episode in long:
        aim = episode.goal_instance
        goal = find_long_goal("zh", aim.package, aim.goal)
        assert goal is not None
        assert episode.setup.start == "several apps"
        assert episode.setup.recent
        usually = [_find_usual(style, leg) for leg in goal.legs]
        # a way is mostly the usual one, each leg by itself
        assert sum(map(str.__eq__, usually, _split_way(episode.strategy, goal))) >= len(usually) - 1
        assert len(episode.frames) > 15


def _find_usual(style: UserStyle, leg: Leg) -> str:
    """Name of the person's usual way to a leg: the one that most draws have."""
    draws = (style.choose_strategy(leg.app.package, leg.goal, random.Random(n), leg.ways) for n in range(9))  # noqa: S311 - a test
    return Counter(way.name for way in draws).most_common(1)[0][0]


def _split_way(name: str, goal: LongGoal) -> tuple[str, ...]:
    """The names of the legs' ways in the name of a way to a long goal."""
    names = product(*([way.name for way in leg.ways] for leg in goal.legs))
    return next(one for one in names if "_".join(one) == name)
