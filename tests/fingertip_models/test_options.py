"""Which model is asked, and what a run's log says of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_models.options import OPENAI_URL, ModelOptions
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


GOOD: dict[str, Any] = {"model": "qwen", "base_url": "http://127.0.0.1:8000/v1"}


@pytest.mark.parametrize(
    ("wrong", "output"),
    [
        *VECTORS["invalid_values_are_named"],
        ({"temperature": float("nan")}, "expected a temperature of 0 to 2, got nan"),
        ({"timeout_s": float("inf")}, "expected a timeout of more than 0 seconds, got inf"),
    ],
)
def test_invalid_values_are_named(wrong: dict[str, Any], output: str) -> None:
    with pytest.raises(UsageError, match=output):
        ModelOptions(**{**GOOD, **wrong})


@pytest.mark.parametrize("url", ["http://me:hunter2@host/v1", "ftp://me:hunter2@host/v1"])
def test_a_password_in_the_url_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        ModelOptions(model="qwen", base_url=url)
    assert "hunter2" not in str(caught.value)


def test_a_key_in_place_of_its_variables_name_is_not_shown() -> None:
    with pytest.raises(UsageError) as caught:
        ModelOptions(model="qwen", api_key_env="OPENAI_API_KEY=sk-secret")
    assert "sk-secret" not in str(caught.value)


def test_settings_hold_what_answers_depend_on_and_never_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret")
    options = ModelOptions(**GOOD, api_key_env="MY_KEY", seed=7, timeout_s=3, retries=1)
    assert options.settings() == {
        "base_url": "http://127.0.0.1:8000/v1",
        "model": "qwen",
        "language": "zh",
        "temperature": 0.0,
        "seed": 7,
        "max_tokens": 8192,
        "max_pixels": None,
    }
    assert "sk-secret" not in json.dumps(options.settings()) + repr(options)


def test_the_server_is_the_one_named_then_the_environments_then_openai(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://10.0.0.1/v1/")
    assert ModelOptions(model="qwen").settings()["base_url"] == "http://10.0.0.1/v1"
    assert ModelOptions(**GOOD).endpoint == GOOD["base_url"]
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert ModelOptions(model="qwen").endpoint == OPENAI_URL
