"""Runs of track 1 with a prompt of the user's: what a server gets, what run.json says, what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fingertip_agents.prompts.prompt_files import PromptFiles
from fingertip_agents.prompts.prompt_text import PromptText
from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_dataset.errors import RunError, UsageError
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from suggestion_runner import run_suggestions
from suggestion_runner.prediction_log import read_run
from tests.shared_fixtures import OpenAIServer


@pytest.fixture
def client(openai_server: OpenAIServer) -> Iterator[ChatClient]:
    with closing(ChatClient(ModelOptions(base_url=openai_server.base_url, model="m"))) as opened:
        yield opened


def suggester(client: ChatClient, text: str) -> ModelSuggester:
    files = PromptFiles(
        user=PromptText(name="p.txt", text=text), system=PromptText(name="empty.txt", text="")
    )
    return ModelSuggester(client, files=files)


def test_the_server_gets_the_file_and_the_run_records_it(
    small_dataset: Path, openai_server: OpenAIServer, client: ChatClient, tmp_path: Path
) -> None:
    agent = suggester(client, "{time} at {place}. {profile_sentence} {intent_texts}")
    run_suggestions(small_dataset, agent, tmp_path / "run")
    for request in openai_server.requests:
        (message,) = request.body["messages"]
        assert message["role"] == "user"
        assert " at " in message["content"]
    settings = read_run(tmp_path / "run").agent.settings
    assert settings["prompt_text"].startswith("file p.txt sha256:")  # type: ignore[union-attr]
    assert settings["prompt_fields"] == {
        "placeholders": ["intent_texts", "place", "profile_sentence", "time"],
        "shows": ["profile", "time", "place", "intents"],
        "lacks": [],
        "adds": [],
        "ours": [],
    }
    with pytest.raises(RunError, match="prompt_text"):
        run_suggestions(small_dataset, suggester(client, "{task}!"), tmp_path / "run")


@pytest.mark.parametrize(
    ("view", "problem"),
    [
        (
            {"without": ("scenario",)},
            r"has {place}, which --without scenario hides: leave out one of the two",
        ),
        ({"without": ("profile",)}, r"has {profile_sentence}, which --without profile hides"),
        ({"history": "none"}, r"has {intent_texts}, which --history none hides"),
    ],
)
def test_a_placeholder_of_a_hidden_part_is_one_line(
    small_dataset: Path, client: ChatClient, tmp_path: Path, view: dict[str, Any], problem: str
) -> None:
    agent = suggester(client, "{profile_sentence} {place} {intent_texts}")
    with pytest.raises(UsageError, match=problem) as refused:
        run_suggestions(small_dataset, agent, tmp_path / "run", **view)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "run").exists()
    # {task} has whatever is shown
    run_suggestions(small_dataset, suggester(client, "{task}"), tmp_path / "run", **view)
