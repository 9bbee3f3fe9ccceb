"""Agents with a model behind a real OpenAI-compatible server; random weights produce unparsable output."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from execution_runner import read_attempts, read_run
from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.formats.generalist import Generalist
from fingertip_agents.model_agent import ModelAgent
from fingertip_agents.model_suggester import ModelSuggester
from fingertip_dataset import BuiltDataset, build
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import ModelError
from fingertip_dataset.tasks.task import ExecutionInput, ReferenceSequence
from fingertip_models.chat_client import ChatClient
from fingertip_models.local import LocalModel
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions
from fingertip_recorder.simulated_life import SampleOrder, write_sample
from simulated_phone import Phone
from suggestion_runner import Prediction, read_predictions, run_suggestions

if TYPE_CHECKING:
    from tests.conftest import RealServer

pytestmark = pytest.mark.early

TASK = ExecutionInput(
    task_id="1",
    profile=UserProfile(sex="女", age=31),
    intent="定一个早上七点的闹钟",
    app="com.android.deskclock",
    time=datetime(2025, 5, 1, 22, tzinfo=UTC),
    scenario="家",
    reference=ReferenceSequence(
        episode_id="0", intent="定闹钟", similarity=0.9,
        actions=("click(coordinates=(540,1200), content='闹钟')", "finished()"),
    ),
)  # fmt: skip


@pytest.fixture
def client(transformers_server: RealServer) -> Iterator[ChatClient]:
    options = ModelOptions(
        base_url=transformers_server.base_url, model=transformers_server.model, max_tokens=24
    )
    with ChatClient(options) as made:
        yield made


def test_unparsable_model_output_is_logged_without_failing(client: ChatClient) -> None:
    phone = Phone()
    screen = ScreenInput(
        screenshot=phone.screenshot_png(), tree=phone.tree(), size=phone.size, package="com.android.launcher"
    )
    agent = ModelAgent(Generalist(), client)
    first, second = (agent.act(TASK, screen, []) for _ in range(2))
    assert first.output
    assert first.output == second.output
    assert first.actions == ()
    assert first.problem is not None
    assert first.problem.startswith("expected")
    assert first.problem.endswith("the answer was cut at the limit of tokens")
    assert first.completion_tokens == 24
    assert (first.prompt_tokens or 0) > 500
    assert first.seconds > 0


def test_the_screenshot_reaches_the_model(client: ChatClient) -> None:
    """The tokens of the picture are counted, and another picture gives another answer."""
    phone = Phone()
    seen = [phone.screenshot_png()]
    phone.start("com.android.settings")
    seen.append(phone.screenshot_png())
    assert seen[0] != seen[1]
    answers = [
        client.ask([Message(role="user", text="看", images=images)])
        for images in ((), *((one,) for one in seen))
    ]
    counts = [answer.prompt_tokens or 0 for answer in answers]
    assert counts[1] > counts[0]
    assert len({answer.text for answer in answers}) == 3


def test_a_streamed_answer_equals_the_whole_one(client: ChatClient) -> None:
    query = [Message(role="system", text="你"), Message(role="user", text="看")]
    whole = client.ask(query)
    with ChatClient(replace(client.options, stream=True)) as streaming:
        streamed = streaming.ask(query)
    assert streamed.text.strip() == whole.text.strip()  # the server trims one of the answers itself
    assert (streamed.finish_reason, streamed.cut) == ("length", True)
    assert streamed.first_token_s is not None
    assert 0 < streamed.first_token_s < streamed.seconds
    assert streamed.completion_tokens == whole.completion_tokens


def test_an_unknown_model_raises_a_one_line_error(client: ChatClient) -> None:
    endpoint = client.options.endpoint
    with (
        ChatClient(ModelOptions(base_url=endpoint, model="no/such-model", retries=0)) as other,
        pytest.raises(
            ModelError, match=r"expected an answer of no/such-model at http://127.0.0.1:.* got status"
        ),
    ):
        other.ask([Message(role="user", text="看")])


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of simulated people on small phones."""
    folder = tmp_path_factory.mktemp("people")
    write_sample(SampleOrder(out=folder / "people", users=2, episodes=6, seed=4, size=(270, 600)))
    build(folder / "people" / "raw", folder / "built", tables=folder / "people" / "tables")
    return folder / "built"


def fingertip(*words: str | Path) -> str:
    environment = os.environ | {"HF_HUB_OFFLINE": "1"}
    environment.pop("OPENAI_API_KEY", None)
    command = [Path(sys.executable).with_name("fingertip"), *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_model_acts_on_a_phone_over_adb(
    transformers_server: RealServer, dataset: Path, tmp_path: Path
) -> None:
    """Unparsable output of a model of random weights is performed as wait(), counted, and scored."""
    run = tmp_path / "run"
    rows = BuiltDataset.open(dataset).rows("test_execution", columns=["episode_id", "actions"])
    shortest = min(rows, key=lambda row: len(row["actions"]))
    reply = fingertip(
        "execute", dataset, "--agent", "generalist", "--device", "simulated", "--out", run,
        "--task", shortest["episode_id"], "--base-url", transformers_server.base_url,
        "--model", transformers_server.model, "--max-tokens", "24",
        "--price-prompt", "2", "--price-completion", "8",
    )  # fmt: skip
    assert "1 of 1 tasks carried out" in reply
    (attempt,) = read_attempts(run)
    limit = 2.5 * len(shortest["actions"])
    assert attempt.end.outcome == "truncated"
    assert limit < attempt.end.steps <= limit + 1
    assert (attempt.end.success, attempt.end.success_by) == (False, "rule")
    for step in attempt.steps:
        assert (step.action, step.performed, step.queries) == ("wait()", True, 1)
        assert step.written == step.output
        assert step.problem is not None
        assert (step.prompt_tokens or 0) > (step.completion_tokens or 0) > 0
        assert step.screenshot is not None
        assert (run / step.screenshot).is_file()
    settings = read_run(run).agent.settings
    assert settings["model"] == transformers_server.model
    assert "key" not in " ".join(settings).lower()
    scored = fingertip("score", run)
    assert "unparsable" in scored
    assert "USD" in scored
    page = tmp_path / "page.html"
    fingertip("report", run, "--out", page)
    assert page.stat().st_size > 10_000


def test_an_intent_is_suggested_from_the_first_screen(
    transformers_server: RealServer, dataset: Path, tmp_path: Path
) -> None:
    """The model on the server and the same checkpoint in this process give the same output."""
    model, several = transformers_server.model, ("--screenshots", "1", "--max-tokens", "24")
    reply = fingertip(
        "suggest", dataset, "--agent", "model", "--out", tmp_path / "served", *several, "--model", model,
        "--base-url", transformers_server.base_url, "--price-prompt", "2", "--price-completion", "8",
    )  # fmt: skip
    assert "tasks queried" in reply
    assert "USD" in reply
    options = ModelOptions(model=model, max_tokens=24)
    local = LocalModel(options, trust_remote_code=True, device="cpu")
    run_suggestions(dataset, ModelSuggester(local), tmp_path / "local", screenshots=1)
    local.close()
    served, here = by_task(tmp_path / "served"), by_task(tmp_path / "local")
    assert {task: shown_text(line) for task, line in served.items()} == {
        task: shown_text(line) for task, line in here.items()
    }
    assert len({line.prompt_tokens for line in served.values()}) > 1
    for line in served.values():
        assert line.shown_screenshots == 1
        assert line.output
        assert line.predicted_intent.isprintable()
        assert len(line.predicted_intent) <= 500
        assert (line.completion_tokens, line.calls, line.cached) == (24, 1, False)
    assert "Sim_1" in fingertip("score", tmp_path / "served", "--embedder", "lexical")


def by_task(run: Path) -> dict[str, Prediction]:
    return {line.task_id: line for line in read_predictions(run)}


def shown_text(line: Prediction) -> tuple[str, int | None]:
    """The text without special tokens, which only this server shows, and trailing blanks, which it trims."""
    return re.sub(r"<\|\w+\|>", "", line.output).strip(), line.prompt_tokens


def test_recorded_screens_are_sent_to_the_model(
    transformers_server: RealServer, real_release: Path, tmp_path: Path
) -> None:
    """Up to three first screens of people's own phones reach the model at full size."""
    built, run = tmp_path / "built", tmp_path / "run"
    build(real_release / "raw", built, tables=real_release / "tables")
    reply = fingertip(
        "suggest", built, "--agent", "model", "--screenshots", "3", "--max-tokens", "16", "--out", run,
        "--base-url", transformers_server.base_url, "--model", transformers_server.model,
    )  # fmt: skip
    assert "6 of 6 tasks queried" in reply
    lines = read_predictions(run)
    assert max(line.shown_screenshots for line in lines) == 3
    assert all((line.prompt_tokens or 0) > 1_000 for line in lines)
    assert all(line.output and line.outcome for line in lines)
    assert "Not comparable with the paper" in fingertip(
        "score", run, "--embedder", "lexical", "--judge", "lexical"
    )
