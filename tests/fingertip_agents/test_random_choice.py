"""random: by lot, but the same lot for the same task and step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta

from fingertip_agents.execution_agent import Decision, ScreenInput
from fingertip_agents.random_choice import ENDS, PROBABILITIES, RETURNS, SCROLLS, RandomIntent, RandomTouches
from fingertip_agents.registry import get_agent, get_execution_agent
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.actions import Click, Finished, PressBack, Scroll, Type
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.task import ExecutionInput, SuggestionInput
from fingertip_dataset.times import BEIJING, TIME_FORMAT

MakeScreen = Callable[..., ScreenInput]

Follow = Callable[..., list[Decision]]
Make = Callable[..., ExecutionInput]

BUTTONS = "".join(
    f'<node text="{name}" clickable="true" bounds="[0,{top}][100,{top + 40}]"/>'
    for name, top in (("闹钟", 100), ("天气", 200), ("音乐", 300))
)
FIELD = '<node text="" focused="true" editable="true" clickable="true" bounds="[0,0][200,40]"/>'
STEPS = 2000


def test_each_earlier_intent_is_as_probable_as_the_others() -> None:
    begin = datetime(2025, 3, 10, tzinfo=BEIJING)
    earlier = tuple(
        Intent(
            user_id="1",
            time=(begin + timedelta(days=day)).strftime(TIME_FORMAT),
            scenario="住所",
            app="com.a",
            text=text,
        )
        for day, text in enumerate(("听歌", "导航", "看书"))
    )

    def answer(task_id: str, previous: tuple[Intent, ...] = earlier) -> str:
        view = SuggestionInput(
            task_id=task_id, profile=UserProfile(), time=begin, scenario="住所", previous_intents=previous
        )
        return RandomIntent().suggest(view).text

    answers = Counter(answer(f"1__{number}") for number in range(STEPS))
    assert set(answers) == {intent.text for intent in earlier}
    assert min(answers.values()) > 0.9 * STEPS / 3
    assert answer("1__7") == answer("1__7")
    assert answer("1__7", ()) == ""
    # today's draws, which a run without a seed keeps
    assert "".join(answer(f"1__{number}")[0] for number in range(8)) == "看看看看导看导看"


def test_a_seed_gives_other_draws_and_is_recorded(task: Make, screen: MakeScreen, followed: Follow) -> None:
    def outputs(seed: int | None) -> list[str]:
        agent = get_execution_agent("random", AgentSetup(seed=seed))
        return [decision.output for decision in followed(agent, task(), [screen(BUTTONS)] * 50)]

    assert outputs(None) == [
        decision.output for decision in followed(RandomTouches(), task(), [screen(BUTTONS)] * 50)
    ]
    assert outputs(3) == outputs(3)
    assert len({tuple(outputs(seed)) for seed in (None, 0, 3, 4)}) == 4
    for make, unseeded in ((get_agent, {}), (get_execution_agent, PROBABILITIES)):
        assert make("random").settings == unseeded
        assert make("random", AgentSetup(seed=3)).settings == {**unseeded, "seed": 3}
    # an agent that draws nothing ignores a seed, as it does a model
    assert "seed" not in get_agent("habit", AgentSetup(seed=3)).settings


def test_touches_what_reacts_and_ends_by_chance(task: Make, screen: MakeScreen, followed: Follow) -> None:
    decisions = followed(RandomTouches(), task(), [screen(BUTTONS)] * STEPS)
    actions = [decision.actions[0] for decision in decisions]
    kinds = Counter(type(action) for action in actions)
    assert set(kinds) == {Click, Finished, PressBack, Scroll}
    for kind, share in ((Finished, ENDS), (PressBack, RETURNS), (Scroll, SCROLLS)):
        assert abs(kinds[kind] / STEPS - share) < 0.03
    touched = Counter(action.content for action in actions if isinstance(action, Click))
    assert set(touched) == {"闹钟", "天气", "音乐"}
    assert min(touched.values()) > 0.9 * kinds[Click] / 3
    again = followed(RandomTouches(), task(), [screen(BUTTONS)] * STEPS)
    assert [decision.output for decision in again] == [decision.output for decision in decisions]


def test_types_the_intent_into_a_focused_field(task: Make, screen: MakeScreen, followed: Follow) -> None:
    made = task()
    actions = [decision.actions[0] for decision in followed(RandomTouches(), made, [screen(FIELD)] * 100)]
    assert {action.text for action in actions if isinstance(action, Type)} == {made.intent}


def test_without_a_tree_or_an_element_there_is_still_a_step(
    task: Make, screen: MakeScreen, followed: Follow
) -> None:
    blind = screen()
    nothing = [decision.actions[0] for decision in followed(RandomTouches(), task(), [blind] * 100)]
    assert Click not in {type(action) for action in nothing}
    treeless = ScreenInput(screenshot=blind.screenshot, tree=None, size=blind.size, package=blind.package)
    found = [decision.actions[0] for decision in followed(RandomTouches(), task(), [treeless] * 100)]
    points = {(action.x, action.y) for action in found if isinstance(action, Click)}
    assert len(points) > 50
    assert all(0 <= x < blind.size[0] and 0 <= y < blind.size[1] for x, y in points)
