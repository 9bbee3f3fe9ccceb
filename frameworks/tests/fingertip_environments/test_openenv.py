"""OpenEnv: a real server and a real client over loopback, in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import MissingExtraError, UsageError
from fingertip_environments import PhoneCore, PhoneTask, live_tasks, phone_app, phone_client
from tests.test_architecture import ROOT


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


def test_two_sessions_see_what_two_cores_see(session: dict[str, Any], lived: tuple[PhoneTask, ...]) -> None:
    for task, (first, *rows) in zip(lived, session["rows"], strict=False):
        core = PhoneCore()
        core.reset(task)
        assert (first["intent"], first["tree"]) == (task.intent, core.tree())
        assert (first["reward"], first["done"], first["metadata"]["task_id"]) == (None, False, task.task_id)
        assert len(rows) == len(task.task.target.golden_actions)
        for action, seen in zip(task.task.target.golden_actions, rows, strict=True):
            done = core.step(parse_action(action))
            assert (seen["tree"], seen["note"]) == (core.tree(), done.note)
            assert (seen["reward"], seen["done"]) == (done.reward, done.over)
            assert seen["metadata"] == {
                "success": done.success,
                "truncated": False,
                "performed": True,
                "answer_seen": done.answer_seen,
            }
            assert seen["screenshot"].startswith("/9j/")  # JPEG, base64
    assert [rows[-1]["reward"] for rows in session["rows"]] == [1.0, 1.0]


def test_the_screenshots_are_the_cores_pixels(session: dict[str, Any]) -> None:
    theirs, ours = session["pixels"]
    assert theirs == ours


def test_the_state_names_the_task_and_its_end(session: dict[str, Any], lived: tuple[PhoneTask, ...]) -> None:
    for task, state in zip(lived, session["states"], strict=False):
        assert state.pop("episode_id")
        steps = len(task.task.target.golden_actions)
        assert state == {"task_id": task.task_id, "step_count": steps, "success": True}


def test_the_server_lists_its_tasks(session: dict[str, Any], lived: tuple[PhoneTask, ...]) -> None:
    rows = [
        {"id": task.task_id, "index": index, "intent": task.intent, "app": task.task.input.app}
        for index, task in enumerate(lived)
    ]
    assert session["health"] == [200, {"status": "healthy"}]
    assert [split["name"] for split in session["splits"][1]] == ["train", "one"]
    assert session["number"] == [200, {"num_tasks": 3}]
    assert session["tasks"] == [200, {"tasks": rows[:1], "env_name": "phone"}]
    assert session["task"] == [200, {"task": rows[2]}]


def test_the_pages_server_and_client_run(session: dict[str, Any]) -> None:
    (line,) = session["page"].splitlines()
    assert line.startswith(live_tasks(people=1, episodes=4)[0].intent)
    assert line.endswith(" 0.0 False False")


def test_a_question_needs_the_answer_in_finished(session: dict[str, Any]) -> None:
    (answered, *right), (_, *wrong), (_, *none) = session["questions"]
    assert answered.startswith("finished(content='")
    assert right == [1.0, True, True]
    assert wrong == none == [0.0, True, False]


def test_a_seed_draws_the_same_task(session: dict[str, Any]) -> None:
    first, second = session["drawn"]
    assert first == second


def test_a_wrong_request_has_one_line(session: dict[str, Any]) -> None:
    assert session["no split"] == [400, {"detail": "there is no split 'nowhere'; there are train, one"}]
    assert session["no task"] == [400, {"detail": "there is no task 1 in one: expected 0 to 0"}]
    expected = {
        "early": "the episode is over, or has not begun: call reset() first",
        "full": "2/2 sessions active",
        "over": "the episode is over, or has not begun: call reset() first",
        "syntax": "expected coordinates=(x, y), got 'here'",
        "split": "there is no split 'nowhere'; there are train, one",
        "index": "there is no task 99 in train: expected 0 to 2",
        "option": "reset has no option 'tasks'",
        "both": "reset takes an index or a task_id, not both",
    }
    assert expected.keys() == session["errors"].keys()
    for name, text in expected.items():
        assert text in session["errors"][name]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"splits": {}}, "at least one task a split, got no split"),
        ({"splits": {"train": ()}}, "at least one task a split, got none in 'train'"),
        ({"phones": 0}, "expected at least one phone, got 0"),
        ({"screenshots": "gif"}, "expected screenshots 'jpeg', 'png' or None, got 'gif'"),
        ({"locale": "xx"}, "no phone speaks 'xx'; there are zh, "),
        ({"locale": "en"}, "expected tasks in the language 'en', got .* in 'zh'"),
        ({"design": "gold"}, "design of plain, pebble, .* got 'gold'"),
        ({"trees": "real"}, "expected trees of clean or rough, got 'real'"),
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
    monkeypatch.setitem(sys.modules, "openenv", None)  # as if it were not installed
    for call in (lambda: phone_app({"train": lived}), lambda: phone_client("http://127.0.0.1:1")):
        with pytest.raises(MissingExtraError, match=r"pip install 'fingertip-20k\[openenv\]'"):
            call()
