"""Requests as sent to the server: no app of the dataset's `app` column, and nothing of a hidden field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest

from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import SPLITS
from fingertip_dataset.times import BEIJING
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.messages import Language
from fingertip_models.options import ModelOptions
from suggestion_runner import run_suggestions
from tests.shared_fixtures import OpenAIServer

LANGUAGES = get_args(Language)
PICKED = '{"numbers": [1, 2, 3], "summary": "常听歌"}'
MOMENT = re.compile(
    r"\d{4}-\d{2}|\d{1,2}:\d{2}|\d{8}_\d{6}|星期|凌晨|早晨|上午|中午|下午|傍晚|晚上"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b(?:night|morning|midday|afternoon|evening)\b"
)
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
"""Quoted strings: the person's own words, which may contain anything."""

Sent = Callable[..., list[str]]


@pytest.fixture
def sent(sample_dataset: Path, openai_server: OpenAIServer, tmp_path: Path) -> Iterator[Sent]:
    """Text of each request for the tasks of the sample, including the system message."""

    def call(language: Language, history: str = "20", **output: Any) -> list[str]:  # noqa: ANN401
        openai_server.requests.clear()
        openai_server.replies = lambda query: openai_server.says(PICKED)
        options = ModelOptions(base_url=openai_server.base_url, model="m", language=language)
        with closing(ChatClient(options)) as client:
            agent = ModelSuggester(client, relevant=history == "relevant")
            out = tmp_path / f"{language}-{len(list(tmp_path.iterdir()))}"
            run_suggestions(  # type: ignore[misc]
                sample_dataset, agent, out, history=history, keep_going=True, **output
            )
        return [
            "\n".join(message["content"] for message in query.body["messages"])
            for query in openai_server.requests
        ]

    return call


def rows(dataset: Path) -> list[dict[str, Any]]:
    built = BuiltDataset.open(dataset)
    return [row for split in SPLITS for row in built.rows(split)]


def packages(dataset: Path) -> set[str]:
    apps = {row["app"] for row in rows(dataset)}
    apps |= {earlier["app"] for row in rows(dataset) for earlier in row["previous_intents"]}
    return {part for app in apps for part in (app, app.partition("/")[0]) if part}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("history", ["20", "relevant"])
def test_no_prompt_contains_an_app_of_the_dataset(
    sample_dataset: Path, sent: Sent, language: Language, history: str
) -> None:
    apps = packages(sample_dataset)
    assert apps
    texts = sent(language, history)
    assert any("听" in text for text in texts)
    assert not [(app, text) for text in texts for app in apps if app in text]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prompt_states_the_time_to_the_second(
    sample_dataset: Path, sent: Sent, language: Language
) -> None:
    texts = "\n".join(sent(language))
    test = list(BuiltDataset.open(sample_dataset).rows("test_suggestion"))
    for row in test:
        assert f"{row['time'].astimezone(BEIJING):%Y-%m-%d %H:%M:%S}" in texts
        for earlier in row["previous_intents"]:
            stamp = earlier["episode_id"].rpartition("__")[2]
            assert f"{stamp[9:11]}:{stamp[11:13]}:{stamp[13:15]}" in texts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("history", ["20", "relevant"])
def test_a_hidden_time_is_in_no_request(sent: Sent, language: Language, history: str) -> None:
    shown = [QUOTED.sub("", text) for text in sent(language, history)]
    assert all(MOMENT.search(text) for text in shown)
    hidden = [QUOTED.sub("", text) for text in sent(language, history, without=("time",))]
    assert len(hidden) == len(shown)
    assert not [found[0] for text in hidden if (found := MOMENT.search(text))]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("history", ["20", "relevant"])
def test_a_hidden_place_is_in_no_request(
    sample_dataset: Path, sent: Sent, language: Language, history: str
) -> None:
    places = {row["scenario"] for row in rows(sample_dataset)} | {"地点", "place"}
    assert any(place in text for text in sent(language, history) for place in places)
    texts = [QUOTED.sub("", text) for text in sent(language, history, without=("scenario",))]
    assert not [(place, text) for text in texts for place in places if place in text]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hidden_profile_is_in_no_request(sample_dataset: Path, sent: Sent, language: Language) -> None:
    known = {
        str(value)
        for row in rows(sample_dataset)
        for name, value in row["user_profile"].items()
        if value not in (None, "") and name != "age"
    } | {"手机主人\n", "Owner of the phone"}
    assert any(value in text for text in sent(language) for value in known)
    texts = [QUOTED.sub("", text) for text in sent(language, without=("profile",))]
    assert not [(value, text) for text in texts for value in known if value in text]
