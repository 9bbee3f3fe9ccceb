"""Gymnasium: its own checks, reproducible seeds, the vector environment, and bad calls."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector.utils import batch_space

from fingertip_dataset.actions import Type
from fingertip_dataset.errors import ActionSyntaxError, UsageError
from fingertip_environments import PhoneEnv, PhoneTask, PhoneVectorEnv, live_tasks
from fingertip_environments.spaces import PixelSpace, action_space, to_action
from tests.examples import examples

ID = "fingertip/Phone-v1"


@pytest.mark.parametrize("kinds", [("array", "tree"), ("png", "jpeg"), ()])
def test_gymnasium_finds_nothing_to_warn_of(tasks: tuple[PhoneTask, ...], kinds: Sequence[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ID, tasks=tasks, observations=kinds).unwrapped)


@pytest.mark.install
def test_make_knows_it_after_an_import() -> None:
    imports = "import gymnasium, fingertip_environments"
    code = f"{imports}; print(gymnasium.make({ID!r}, size=(360, 800)).reset(seed=1)[1]['task_id'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == PhoneEnv(size=(360, 800)).reset(seed=1)[1]["task_id"]


def trajectory(env: PhoneEnv, seed: int, steps: int) -> list[Any]:
    env.action_space.seed(seed)
    seen, info = env.reset(seed=seed)
    found: list[Any] = [info, seen["tree"], seen["array"].tobytes()]
    for _ in range(steps):
        seen, *rest = env.step(env.action_space.sample())
        found += [seen["tree"], seen["array"].tobytes(), rest]
        if rest[1] or rest[2]:
            found.append(env.reset()[1])
    return found


def test_a_seed_is_reproducible(tasks: tuple[PhoneTask, ...]) -> None:
    one, other = PhoneEnv(tasks), PhoneEnv(tasks)
    steps = examples(60)
    assert trajectory(one, 5, steps) == trajectory(other, 5, steps)
    drawn = {PhoneEnv(tasks).reset(seed=seed)[1]["task_id"] for seed in range(12)}
    assert len(drawn) > 2


def test_what_reset_tells_is_no_target(tasks: tuple[PhoneTask, ...]) -> None:
    seen, info = PhoneEnv(tasks).reset(options={"task": tasks[2].task_id})
    assert seen["intent"] == info["intent"] == tasks[2].intent
    assert info["profile"]["age"] == tasks[2].task.input.profile.age
    assert "actions" not in info
    assert info["step_limit"] == 2.5 * len(tasks[2].task.target.golden_actions)


def test_strings_and_the_action_space_do_the_same(tasks: tuple[PhoneTask, ...]) -> None:
    one, other = PhoneEnv(tasks), PhoneEnv(tasks)
    for env in (one, other):
        env.reset(seed=0)
    blank = {"point": np.array([0.5, 0.5], np.float32), "direction": 0, "text": ""}
    pairs = (
        ("click(coordinates=(180, 400))", {**blank, "call": 0}),
        ("press_home()", {**blank, "call": 5}),
        ("scroll(coordinates=(180, 400), direction='right')", {**blank, "call": 2, "direction": 3}),
        ("type(text='晴')", {**blank, "call": 3, "text": "晴"}),
        ("wait()", {**blank, "call": 7}),
        ("finished()", {**blank, "call": 8}),
    )
    for text, element in pairs:
        first, second = one.step(text), other.step(element)
        assert first[0]["tree"] == second[0]["tree"]
        assert first[1:] == second[1:]
    assert one.core.actions == other.core.actions


def test_a_vector_resets_by_itself_and_is_reproducible(tasks: tuple[PhoneTask, ...]) -> None:
    def run() -> list[Any]:
        vector = PhoneVectorEnv(2, tasks, observations=["tree"])
        seen, info = vector.reset(seed=3)
        assert vector.observation_space.contains(seen)
        found: list[Any] = [seen, list(info["task_id"])]
        for actions in (["finished()", "wait()"], ["press_home()"] * 2, ["wait()"] * 2):
            seen, rewards, terminated, _, info = vector.step(actions)
            found += [seen, rewards.tolist(), terminated.tolist()]
            found.append(info["task_id"][0] if "task_id" in info else None)
        return found

    one = run()
    assert one == run()
    assert one[4] == [True, False]
    assert one[5] is None
    # the second step of the first phone began a task instead of its action
    assert one[9] in {task.task_id for task in tasks}
    assert one[8] == [False, False]


def test_pixels_that_are_not_copied_are_those_of_the_next_step(tasks: tuple[PhoneTask, ...]) -> None:
    vector = PhoneVectorEnv(2, tasks, observations=["array"], copy=False)
    first, _ = vector.reset(seed=0)
    second = vector.step(["press_recent()"] * 2)[0]
    assert first["array"] is second["array"]
    assert all(
        np.array_equal(one, other) for one, other in zip(second["array"], vector.render(), strict=True)
    )


def test_a_phone_that_fails_ends_its_own_episode_alone(tasks: tuple[PhoneTask, ...]) -> None:
    phones = PhoneVectorEnv(2, tasks, observations=("array",))
    phones.reset(seed=1)
    phones._cores[1].phone.data["apps"].clear()  # a state that no rule can judge
    _, rewards, terminated, truncated, infos = phones.step(["finished()"] * 2)
    assert rewards.tolist() == [0, 0]
    assert (terminated.tolist(), truncated.tolist()) == ([True, False], [False, True])
    assert infos["interrupted"].tolist() == [False, True]
    assert infos["note"][1].startswith("the phone failed: ")
    _, _, terminated, truncated, infos = phones.step(["press_home()"] * 2)
    assert not (terminated | truncated).any()
    assert "interrupted" not in infos
    env = PhoneEnv(tasks, observations=("tree",))
    env.reset(seed=1)
    env.core.phone.data["apps"].clear()
    seen, _, _, ended, info = env.step("finished()")
    assert (ended, info["interrupted"]) == (True, True)
    assert seen["tree"]


def test_a_copy_that_somebody_holds_stays_as_it_is(tasks: tuple[PhoneTask, ...]) -> None:
    phones = PhoneVectorEnv(2, tasks, observations=("array",))
    seen, _ = phones.reset(seed=1)
    held, kept = seen["array"], seen["array"].copy()
    part, kept_part = phones.step(["press_home()"] * 2)[0]["array"][1], phones.render()[1]
    for _ in range(4):
        seen, *_ = phones.step(["scroll(coordinates=(100, 400), direction='down')"] * 2)
        assert seen["array"] is not held
        assert np.array_equal(seen["array"], np.stack(phones.render()))
    assert np.array_equal(held, kept)
    assert np.array_equal(part, kept_part)


def test_the_space_of_pixels_is_a_box_without_its_memory() -> None:
    shape = (1200, 540, 3)
    box, pixels = gymnasium.spaces.Box(0, 255, shape, np.uint8), PixelSpace(shape, seed=1)
    assert box == pixels == box
    assert repr(pixels) == repr(box)
    assert pixels != PixelSpace((1, 2, 3))
    many = batch_space(pixels, 64)
    assert isinstance(many, PixelSpace)
    assert many.shape == (64, *shape)
    for one in (many.low, many.high, many.bounded_below, many.bounded_above):
        assert one.strides == (0, 0, 0, 0)
    small = PixelSpace((2, 2, 3), seed=1)
    assert small.sample() in small
    assert np.zeros((2, 2, 3), np.int64) not in small
    again = pickle.loads(pickle.dumps(small))  # noqa: S301 - our own
    assert again == small
    assert np.array_equal(again.sample(), small.sample())
    assert len(pickle.dumps(many)) < 2_000
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gymnasium.spaces.flatdim(small) == 12


def test_a_batch_of_texts_shares_its_characters() -> None:
    text = action_space()["text"]
    one, other = batch_space(text, 2)
    assert one.character_set is other.character_set
    assert [one.sample() for _ in range(3)] != [other.sample() for _ in range(3)]


def test_gymnasiums_own_vector_takes_it(tasks: tuple[PhoneTask, ...]) -> None:
    vector = gymnasium.vector.SyncVectorEnv([lambda: PhoneEnv(tasks)] * 2)
    vector.reset(seed=1)
    vector.action_space.seed(1)
    seen = vector.step(vector.action_space.sample())[0]
    assert seen["array"].shape == (2, 800, 360, 3)


def test_bad_calls_have_one_line(tasks: tuple[PhoneTask, ...], tmp_path: Path) -> None:
    env, vector = PhoneEnv(tasks), PhoneVectorEnv(2, tasks, observations=())
    env.reset(seed=0)
    vector.reset()
    far = {"call": 99, "point": (0, 0), "direction": 0, "text": ""}
    calls: dict[str, Callable[[], object]] = {
        r"expected an action with call 0 to 8, .*got .*99": lambda: env.step(far),
        "or a string such as 'press_home": lambda: env.step(None),
        "expected one of the calls click": lambda: env.step("jump()"),
        "no observation 'pixels'": lambda: PhoneEnv(tasks, observations=["pixels"]),
        "tasks or a dataset, not both": lambda: PhoneEnv(tasks, dataset=tmp_path),
        "at least one task": lambda: PhoneEnv([]),
        "screens of one size, got 360x800, 540x1200": lambda: PhoneEnv(
            [*tasks, *live_tasks(people=1, episodes=1)]
        ),
        "there is no task '7'": lambda: env.reset(options={"task": 7}),
        "reset has no option 'task_id': expected 'task'": lambda: env.reset(options={"task_id": "1"}),
        "at least one phone": lambda: PhoneVectorEnv(0, tasks),
        "expected 2 actions, one a phone, got 1": lambda: vector.step(["wait()"]),
        "expected 2 actions, one a phone, got 'press_home": lambda: vector.step("press_home()"),
        "expected 2 actions, one a phone, got 'None'": lambda: vector.step(None),
        "expected 2 tasks, one a phone, got 1": lambda: vector.reset(options={"tasks": ["x"]}),
        "expected 2 seeds, one a phone, got 3": lambda: vector.reset(seed=[1, 2, 3]),
    }
    for words, call in calls.items():
        with pytest.raises((UsageError, ActionSyntaxError), match=words):
            call()


def test_an_english_phone_with_untidy_trees() -> None:
    env = PhoneEnv(observations=("tree",), size=(360, 800), locale="en", trees="rough")
    seen, info = env.reset(seed=2)
    same = PhoneEnv(env.tasks, observations=("tree",))
    clean, _info = same.reset(options={"task": info["task_id"]})
    assert not re.search("[\u4e00-\u9fff]", seen["intent"] + seen["tree"])
    assert env.observation_space.contains(seen)
    assert seen["intent"] == clean["intent"]
    assert seen["tree"] != clean["tree"]


@pytest.mark.parametrize("environment", [PhoneEnv, PhoneVectorEnv])
@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("locale", "xx", r"no phone speaks 'xx'; there are zh, "),
        ("locale", "en", r"expected tasks in the language 'en', got .* in 'zh'"),
        ("start", "home", r"expected tasks with the start 'home', got .* with 'app': make or load tasks"),
        ("start", "bed", "expected a start of app, home, got 'bed'"),
        ("trees", "real", "expected trees of clean or rough, got 'real'"),
        ("design", "gold", r"design of plain, pebble, .* got 'gold'"),
    ],
)
def test_unknown_settings_have_one_line(
    environment: Callable[..., object], tasks: tuple[PhoneTask, ...], option: str, value: str, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        environment(tasks=tasks, **{option: value})


def test_design_and_mode_are_those_of_the_environment_or_of_the_person(tasks: tuple[PhoneTask, ...]) -> None:
    own, light, dark = (
        PhoneEnv(tasks, observations=(), **options)
        for options in ({}, {"design": "slate", "dark": False}, {"design": "slate", "dark": True})
    )
    for env in (own, light, dark):
        env.reset(options={"task": tasks[0].task_id})
    setup = tasks[0].simulation.setup
    assert (own.core.phone.design, own.core.phone.skin.dark) == (setup.design, setup.dark)
    assert (dark.core.phone.design, dark.core.phone.skin.dark) == ("slate", True)
    assert dark.render().mean() < light.render().mean()


def test_spaces_are_short_in_messages(tasks: tuple[PhoneTask, ...]) -> None:
    env = PhoneEnv(tasks)
    assert len(f"{env.action_space}{env.observation_space}") < 500


def test_gymnasiums_shared_memory_is_refused(tasks: tuple[PhoneTask, ...]) -> None:
    with pytest.raises(ValueError, match="shared_memory=False"):
        gymnasium.vector.AsyncVectorEnv([lambda: PhoneEnv(tasks, observations=())])


def test_a_pickle_is_a_new_environment_of_the_same_tasks(tasks: tuple[PhoneTask, ...]) -> None:
    env = PhoneEnv(tasks, observations=("tree",), dark=True, stop_at_goal=True)
    env.reset(seed=3)
    other = pickle.loads(pickle.dumps(env))  # noqa: S301 - our own
    with pytest.raises(UsageError, match="call reset"):
        other.step("wait()")
    assert other.reset(seed=4)[0] == copy.deepcopy(env).reset(seed=4)[0] == env.reset(seed=4)[0]
    assert other.core.phone.skin.dark


def test_a_wrong_action_of_one_phone_moves_none(tasks: tuple[PhoneTask, ...]) -> None:
    vector = PhoneVectorEnv(2, tasks, observations="tree")
    vector.reset(seed=0)
    with pytest.raises(ActionSyntaxError):
        vector.step(["press_home()", "jump()"])
    assert vector.step(["wait()", "wait()"])[4]["steps"].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("call", "change", "why"),
    [
        (3, {"text": None}, "text is no string"),
        (8, {"text": 7}, "text is no string"),
        (2, {"direction": -1}, "no such direction"),
        (0.5, {}, "cannot be interpreted as an integer"),
    ],
)
def test_fields_of_other_types_are_refused(call: float, change: dict[str, Any], why: str) -> None:
    given = {"call": call, "point": (0.5, 0.5), "direction": 0, "text": "", **change}
    with pytest.raises(UsageError, match=why):
        to_action(given, (360, 800))


@pytest.mark.parametrize("text", ["\U0001f600 <&\"'>", "a\x08b\x00", "\ufffe", "\r\n\t"])
def test_whatever_is_typed_stays_in_the_space(text: str, typing: PhoneEnv) -> None:
    seen, _, _, _, info = typing.step(Type(text=text))
    assert info["performed"]
    assert typing.observation_space.contains(seen)


def test_text_that_cannot_be_typed_is_noted(typing: PhoneEnv) -> None:
    for text, note in (("\ud83d", "half a surrogate pair"), ("x" * 20_000, "focused field shows")):
        *_, over, truncated, info = typing.step(Type(text=text))
        assert note in info["note"]
        assert (info["performed"], over, truncated) == (False, False, False)


@pytest.fixture
def typing(tasks: tuple[PhoneTask, ...]) -> PhoneEnv:
    """An environment where a field has the focus."""
    task, before = next(
        (task, task.task.target.golden_actions[:at])
        for task in tasks
        for at, action in enumerate(task.task.target.golden_actions)
        if action.startswith("type(")
    )
    env = PhoneEnv([task], observations=("tree",))
    env.reset()
    for action in before:
        env.step(action)
    return env


@pytest.mark.install
def test_a_fresh_process_finds_the_environment_by_its_module() -> None:
    # as the workers of stable-baselines3's SubprocVecEnv, which import nothing of ours
    code = 'import gymnasium; print(gymnasium.spec("fingertip_environments:fingertip/Phone-v1").id)'
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "fingertip/Phone-v1\n"
