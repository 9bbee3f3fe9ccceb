"""`make check-rollouts`: verifiers, unchanged, carries out tasks by its commands; the model is scripted."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingertip_environments import PhoneTask, live_tasks
from frameworks.tests.fingertip_environments.golden_answers import write_golden_answers
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

pytestmark = pytest.mark.frameworks

ROOT = Path(__file__).parents[3]
BINARY = ROOT / ".venv-verifiers" / "bin"
PACKAGE = ROOT / "frameworks" / "fingertip_phone_tasks"
ID = "fingertip-phone-tasks"
USAGE = {"prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720}
TASKS = ("--env.taskset.task.people", "1", "--env.taskset.task.episodes", "2")


@pytest.fixture(scope="module")
def lived() -> tuple[PhoneTask, ...]:
    return live_tasks(people=1, episodes=2)


def call(folder: Path, name: str, *options: object) -> subprocess.CompletedProcess[str]:
    """Run a program of verifiers' environment in an empty home."""
    if not BINARY.is_dir():
        pytest.skip("no environment of verifiers: `make check-rollouts` makes it")
    return subprocess.run(
        [BINARY / name, *map(str, options)],
        cwd=folder, capture_output=True, text=True, timeout=600, check=False,
        env={**os.environ, "HOME": str(folder), "PYTHONPATH": str(PACKAGE), "OMP_NUM_THREADS": "1"},
    )  # fmt: skip


def evaluate(folder: Path, server: OpenAIServer, *options: object) -> list[dict[str, Any]]:
    """Evaluate a scripted model on both tasks; returns the episodes."""
    folder.mkdir(exist_ok=True)
    to = ("--client.base-url", server.base_url, "--client.api-key-var", "NO_KEY")
    done = call(folder, "vf-eval", ID, "-n", 2, "--model", "scripted", "--no-push", *to, *TASKS, *options)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (traces,) = folder.rglob("traces.jsonl")
    return [json.loads(line) for line in traces.read_text(encoding="utf-8").splitlines()]


def imitate(tasks: tuple[PhoneTask, ...]) -> Callable[[ReceivedRequest], Reply]:
    """A model that does what each person did, by the intent in the prompt."""
    answers = {task.intent: list(write_golden_answers(task, "qwen3-vl")) for task in tasks}

    def reply(query: ReceivedRequest) -> Reply:
        text = json.dumps(query.body["messages"], ensure_ascii=False)
        (intent,) = (intent for intent in answers if intent in text)
        return OpenAIServer.says(answers[intent].pop(0), usage=USAGE)

    return reply


def test_whole_rollouts_have_their_reward(
    tmp_path: Path, openai_server: OpenAIServer, lived: tuple[PhoneTask, ...]
) -> None:
    openai_server.replies = imitate(lived)
    episodes = evaluate(tmp_path, openai_server)
    assert {episode["task"]["key"] for episode in episodes} == {task.task_id for task in lived}
    for episode in episodes:
        (trace,) = episode["traces"]
        assert (episode["ok"], trace["rewards"]["phone"]["score"]) == (True, 1.0)
        assert trace["metrics"]["success"] == 1.0
    steps = sum(episode["traces"][0]["metrics"]["steps"] for episode in episodes)
    assert len(openai_server.requests) == steps
    for query in openai_server.requests:
        assert "image_url" in json.dumps(query.body["messages"][-1])  # the prompt of `fingertip execute`


def test_a_limit_of_turns_ends_a_rollout_and_a_dead_model_fails_it(
    tmp_path: Path, openai_server: OpenAIServer
) -> None:
    openai_server.replies = lambda query: OpenAIServer.says("what?", usage=USAGE)
    for episode in evaluate(tmp_path / "limit", openai_server, "--env.agent.max-turns", 2):
        (trace,) = episode["traces"]
        assert (episode["ok"], trace["rewards"]["phone"]["score"], trace["metrics"]["steps"]) == (True, 0, 2)
    openai_server.replies = lambda query: Reply(status=500, body={"error": {"message": "out of memory"}})
    for episode in evaluate(tmp_path / "dead", openai_server):
        assert not episode["ok"]
        assert "out of memory" in json.dumps(episode["traces"][0]["errors"])


def test_a_server_of_two_processes_finds_the_tasks_by_their_ids(
    tmp_path: Path, openai_server: OpenAIServer, lived: tuple[PhoneTask, ...]
) -> None:
    openai_server.replies = imitate(lived)
    script, out = Path(__file__).with_name("verifiers_served.py"), tmp_path / "out.json"
    done = call(tmp_path, "python", script, openai_server.base_url, out)
    assert done.returncode == 0, done.stderr[-3000:]
    *found, unknown = json.loads(out.read_text(encoding="utf-8"))
    names = [task.task_id for task in lived]
    assert found == [{"key": name, "ok": True, "rewards": {"phone": 1.0}, "errors": []} for name in names]
    assert not unknown["ok"]
    assert "there is no task 'nobody'; there are" in unknown["errors"][0]


def test_its_own_check_finds_every_task_valid(tmp_path: Path) -> None:
    own = [option.replace("--env.", "--") for option in TASKS]
    done = call(tmp_path, "vf-validate", ID, "-n", 2, "--runtime.type", "subprocess", *own)
    assert '"valid_rate": 1.0' in done.stdout, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("people", 0, "--env.taskset.task.people"),
        ("format", "qwen9", "did you mean qwen3.5?"),
        ("reward", "best", "Input should be 'goal', 'personal' or 'progress'"),
        ("locale", "fr", "no phone speaks 'fr'"),
        ("dataset", "/nowhere", "no built dataset"),
    ],
)
def test_a_wrong_option_has_one_line(tmp_path: Path, option: str, value: object, message: str) -> None:
    done = call(tmp_path, "vf-eval", ID, "--model", "m", "--no-push", f"--env.taskset.task.{option}", value)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert message in " ".join((done.stdout + done.stderr).replace("│", " ").split())
