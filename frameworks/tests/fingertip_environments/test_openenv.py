"""OpenEnv: the environment, and a real server and client over loopback in a process of their own."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import weakref
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import ActionSyntaxError, MissingExtraError, UsageError
from fingertip_environments import PhoneCore, PhoneTask, live_tasks, phone_app, phone_client
from fingertip_environments.phone_task import task_info
from tests.test_architecture import ROOT

if TYPE_CHECKING:
    from fingertip_environments.openenv_env import PhoneAction, PhoneEnvironment


@pytest.fixture(scope="module")
def lived() -> tuple[PhoneTask, ...]:
    return live_tasks(people=1, episodes=3, size=(360, 800))


@pytest.fixture(scope="module")
def session() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("openenv_session.py")],
        capture_output=True, text=True, timeout=500, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    details: dict[str, Any] = json.loads(done.stdout)
    return details


@pytest.fixture
def environment(lived: tuple[PhoneTask, ...]) -> PhoneEnvironment:
    # it imports gradio, which takes seconds in every worker of the tests
    from fingertip_environments.openenv_env import PhoneEnvironment

    return PhoneEnvironment({"train": lived, "one": lived[:1]}, screenshots="png")


def test_an_environment_sees_what_a_core_sees(
    environment: PhoneEnvironment, lived: tuple[PhoneTask, ...]
) -> None:
    from fingertip_environments.openenv_env import PhoneAction

    task, core = lived[1], PhoneCore()
    core.reset(task)
    seen = environment.reset(task_id=task.task_id)
    assert (seen.intent, seen.metadata) == (task.intent, task_info(task))
    for count, action in enumerate(task.task.target.golden_actions, start=1):
        assert (seen.tree, seen.image()) == (core.tree(), core.png())
        done, seen = core.step(parse_action(action)), environment.step(PhoneAction(action=action))
        assert (seen.reward, seen.done, seen.note) == (done.reward, done.over, done.note)
        assert seen.metadata == {
            "success": done.success, "truncated": False, "performed": True, "answer_seen": done.answer_seen,
            "interrupted": False,
        }  # fmt: skip
        state = environment.state.model_dump()
        assert state.pop("episode_id")
        assert state == {"task_id": task.task_id, "step_count": count, "success": done.success}
    assert (seen.reward, seen.done) == (1.0, True)


def test_an_environment_lists_its_tasks_and_draws_them_by_seed(
    environment: PhoneEnvironment, lived: tuple[PhoneTask, ...]
) -> None:
    rows = [{"id": task.task_id, "index": index, "intent": task.intent} for index, task in enumerate(lived)]
    assert environment.list_splits() == ["train", "one"]
    assert (environment.num_tasks("train"), environment.list_tasks("one")) == (3, rows[:1])
    assert (environment.get_task("train", 2), environment.get_task_range("train", 1)) == (rows[2], rows[1:])
    assert environment.reset(seed=7).intent == environment.reset(seed=7).intent


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"split": "nowhere"}, "there is no split 'nowhere'; there are train, one"),
        ({"index": 99}, "there is no task 99 in train: expected 0 to 2"),
        ({"split": "one", "index": 1}, "there is no task 1 in one: expected 0 to 0"),
        ({"tasks": 3}, "reset has no option 'tasks'"),
        ({"index": "a"}, "reset expects a whole number as index, got 'a'"),
        ({"index": 1.5}, "reset expects a whole number as index, got 1.5"),
        ({"index": True}, "reset expects a whole number as index, got True"),
        ({"seed": [1]}, r"reset expects a whole number as seed, got \[1\]"),
        ({"split": ["a"]}, "reset expects a text as split"),
        ({"index": 0, "task_id": "1"}, "reset takes an index or a task_id, not both"),
    ],
)
def test_a_wrong_reset_has_one_line(
    environment: PhoneEnvironment, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        environment.reset(**options)


def test_a_closed_session_has_one_line_and_no_phone(
    environment: PhoneEnvironment, lived: tuple[PhoneTask, ...]
) -> None:
    environment.reset(index=0)
    assert environment.reset(index=0).metadata["task_id"] == lived[0].task_id  # twice is a new episode
    phone = weakref.ref(environment._core.phone)
    environment.close()
    gc.collect()
    assert phone() is None
    for call in (environment.reset, lambda: environment.step(_act("press_home()"))):
        with pytest.raises(UsageError, match="this session is closed and its phone is free"):
            call()


def test_a_wrong_action_leaves_the_episode_and_a_failing_phone_ends_it(
    environment: PhoneEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = environment.reset(index=0)
    with pytest.raises(ActionSyntaxError, match="expected coordinates"):
        environment.step(_act("click(here)"))
    assert environment.step(_act("wait()")).tree == before.tree
    assert environment.state.step_count == 1

    def fail(core: PhoneCore) -> bytes:
        monkeypatch.undo()  # the new phone draws again
        raise RuntimeError("no more colours")

    monkeypatch.setattr(PhoneCore, "png", fail)
    seen = environment.step(_act("press_home()"))
    assert (seen.reward, seen.done, seen.metadata["interrupted"]) == (None, True, True)
    assert seen.note.startswith("the phone failed: RuntimeError: no more colours")
    with pytest.raises(UsageError, match="the episode is over"):
        environment.step(_act("press_home()"))
    assert not environment.reset(index=1).done


def test_metadata_names_the_version(environment: PhoneEnvironment) -> None:
    found = environment.get_metadata()
    assert (found.name, found.version) == ("fingertip_phone", version("fingertip-20k"))


def _act(action: str) -> PhoneAction:
    from fingertip_environments.openenv_env import PhoneAction

    return PhoneAction(action=action)


@pytest.mark.install
def test_two_sessions_over_loopback_see_what_two_cores_see(
    session: dict[str, Any], lived: tuple[PhoneTask, ...]
) -> None:
    for task, state, (first, *rows) in zip(lived, session["states"], session["rows"], strict=False):
        core = PhoneCore()
        core.reset(task)
        assert (first["intent"], first["tree"]) == (task.intent, core.tree())
        assert (first["reward"], first["done"], first["metadata"]["task_id"]) == (None, False, task.task_id)
        for action, seen in zip(task.task.target.golden_actions, rows, strict=True):
            done = core.step(parse_action(action))
            assert (seen["tree"], seen["note"]) == (core.tree(), done.note)
            assert (seen["reward"], seen["done"]) == (done.reward, done.over)
            assert seen["screenshot"].startswith("/9j/")  # JPEG, base64
        assert (state["task_id"], state["step_count"], state["success"]) == (task.task_id, len(rows), True)


@pytest.mark.install
def test_the_server_answers_and_refuses(session: dict[str, Any], lived: tuple[PhoneTask, ...]) -> None:
    assert session["health"] == [200, {"status": "healthy"}]
    assert [session[name][0] for name in ("of a site", "by another name")] == [403, 403]
    assert [split["name"] for split in session["splits"][1]] == ["train", "one"]
    assert session["number"] == [200, {"num_tasks": 3}]
    assert [row["id"] for row in session["tasks"][1]["tasks"]] == [lived[0].task_id]
    assert session["task"][1]["task"]["id"] == lived[2].task_id
    assert session["no split"] == [400, {"detail": "there is no split 'nowhere'; there are train, one"}]
    assert "the episode is over, or has not begun: call reset() first" in session["errors"]["early"]
    # one line, with a code that programs can read
    assert session["errors"]["full"].endswith(
        "2/2 sessions active. Cannot accept new connections. (code: CAPACITY_REACHED)"
    )
    assert "expected coordinates=(x, y), got 'here'" in session["errors"]["syntax"]


@pytest.mark.install
def test_an_idle_session_frees_its_phone_for_another(session: dict[str, Any]) -> None:
    idle = session["idle"]
    assert idle["left"]
    assert "1/1 sessions active" in idle["while full"]
    assert "this session is closed and its phone is free" in idle["of the idle one"]
    assert idle["second"] == idle["again"]  # the client that connects again begins anew


@pytest.mark.install
def test_the_pages_server_and_client_run(session: dict[str, Any]) -> None:
    intent, *steps, end = session["page"].splitlines()
    assert intent == live_tasks(people=1, episodes=4)[0].intent
    assert steps == ["(540, 1200) press_home()  0.0", "(540, 1200) finished()  0.0"]
    assert end == "False 2"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"splits": {}}, "at least one task a split, got no split"),
        ({"splits": {"train": ()}}, "at least one task a split, got none in 'train'"),
        ({"phones": 0}, "expected at least one phone, got 0"),
        ({"session_timeout": 0}, "expected a session_timeout above 0 seconds, or None, got 0"),
        ({"screenshots": "gif"}, "expected screenshots 'jpeg', 'png' or None, got 'gif'"),
        ({"locale": "en"}, "expected tasks in the language 'en', got .* in 'zh'"),
    ],
)
def test_a_server_that_cannot_be_has_one_line(
    options: dict[str, Any], message: str, lived: tuple[PhoneTask, ...]
) -> None:
    with pytest.raises(UsageError, match=message):
        phone_app(**{"splits": {"train": lived}, **options})


def test_without_openenv_the_extra_is_named(
    lived: tuple[PhoneTask, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "fingertip_environments.openenv_env")
    for name in ("openenv", *(one for one in sys.modules if one.startswith("openenv."))):
        monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    for call in (lambda: phone_app({"train": lived}), lambda: phone_client("http://127.0.0.1:1")):
        with pytest.raises(MissingExtraError, match=r"pip install 'fingertip-20k\[openenv\]'"):
            call()
