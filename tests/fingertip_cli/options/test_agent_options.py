"""Options of an agent's prompt and settings in execute and export, with an agent that opens an app."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fingertip_dataset.parquet.built import BuiltDataset
from tests.command_line import fingertip
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

CODE = 'MOBILE = f"""Think in {language}.\\nclick(point=\'\') {{{{x}}}}\\n## Task\\n{instruction}\\n"""\n'


def test_an_agent_in_its_original_form_opens_an_app_on_the_phone(
    people: Path, tmp_path: Path, openai_server: OpenAIServer
) -> None:
    """The prompt of its checkout, five screens in turn, and an app that it opens by its name."""
    (tmp_path / "prompt.py").write_text(CODE)
    rows = BuiltDataset.open(people).rows("test_execution", columns=("episode_id", "actions"))
    task = max(rows, key=lambda row: len(row["actions"]))["episode_id"]

    def answer(request: ReceivedRequest) -> Reply:
        answers = sum(message["role"] == "assistant" for message in request.body["messages"])
        call = "open_app(app_name='设置')" if answers < 4 else "finished(content='')"
        return openai_server.says(f"Thought: so\nAction: {call}")

    openai_server.replies = answer
    run = tmp_path / "run"
    place = f"{tmp_path}/prompt.py:MOBILE"
    model = ("--agent", "ui-tars-1.5", "--model", "m", "--base-url", openai_server.base_url)
    own = ("--prompt-file", place, "--set", "max_pictures=2", "--device", "simulated", "--task", task)
    done = fingertip("execute", people, *model, *own, "--out", run)
    assert done.returncode == 0, done.stderr
    *_, last = openai_server.requests
    first, *turns = last.body["messages"]
    assert first["content"].startswith("Think in Chinese.\nclick(point='') {x}\n## Task\n# 手机主人\n")
    pictures = [message for message in turns if message["role"] == "user"]
    assert [list(part["type"] for part in one["content"]) for one in pictures] == [["image_url"]] * 2
    steps = [json.loads(line) for line in (run / "steps.jsonl").read_text("utf-8").splitlines()]
    assert "com.android.settings" in {step["package"] for step in steps if step["kind"] == "step"}
    assert not [step for step in steps if step.get("problem")]
    settings = json.loads((run / "run.json").read_text("utf-8"))["agent"]["settings"]
    assert settings["max_pictures"] == 2
    assert settings["prompt_text"].startswith("file prompt.py:MOBILE sha256:")
    scored = fingertip("score", run)
    # all terms of equation (2): earlier turns are messages, and the agent has no list of elements
    assert "the prompt leaves out" not in scored.stdout
    assert "this project's" not in scored.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--agent", "aguvis", "--set", "up"), "expected a setting as NAME=VALUE, got 'up'"),
        (("--agent", "aguvis", "--prompt-file", "none.txt"), "the prompt cannot be read: No such file"),
    ],
)
def test_a_wrong_option_is_one_line(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ok.txt").write_text("{task} {history}")
    model = ("--model", "m", "--base-url", "http://127.0.0.1:1/v1")
    done = fingertip("execute", people, *arguments, *model, "--device", "replay", "--out", tmp_path / "run")
    assert done.returncode == 2
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1
