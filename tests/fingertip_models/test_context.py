"""The context of a model, from its configuration, and what is said of a request that does not fit."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import UsageError
from fingertip_models.context import SHOW_LESS, describe_excess, find_context, name_own_options
from fingertip_models.local_sampling import check_extra_body
from fingertip_models.options import ModelOptions
from tests.fingertip_cli.all_commands import all_commands, options_of


def config(**fields: Any) -> Any:  # noqa: ANN401 - a configuration of transformers has any fields
    text = SimpleNamespace(**fields)
    return SimpleNamespace(get_text_config=lambda: text)


@pytest.mark.parametrize(
    ("fields", "context"),
    [
        ({"max_position_embeddings": 8192}, 8192),
        ({}, None),
        ({"max_position_embeddings": None}, None),
        ({"max_position_embeddings": 8192, "rope_parameters": {"rope_type": "default", "factor": 4}}, 8192),
        ({"max_position_embeddings": 4096, "rope_scaling": {"type": "linear", "factor": 2.0}}, 8192),
        (
            {
                "max_position_embeddings": 131072,
                "rope_parameters": {
                    "rope_type": "llama3",
                    "factor": 8.0,
                    "original_max_position_embeddings": 8192,
                },
            },
            131072,
        ),
        (
            {
                "max_position_embeddings": 32768,
                "rope_parameters": {
                    "rope_type": "yarn",
                    "factor": 4.0,
                    "original_max_position_embeddings": 32768,
                },
            },
            131072,
        ),
    ],
)
def test_the_context_is_that_of_the_positions(fields: dict[str, Any], context: int | None) -> None:
    assert find_context(config(**fields)) == context


@given(prompt=st.integers(1, 1_000_000), answer=st.integers(0, 1_000_000), context=st.integers(1, 1_000_000))
def test_what_helps_does_help(prompt: int, answer: int, context: int) -> None:
    text = describe_excess(prompt, context, answer=answer)
    assert text.isprintable()
    if answer and prompt < context:
        advised = int(text.split("--max-tokens ")[1].split()[0])
        assert prompt + advised == context
    else:
        assert "--history none" in text


@pytest.mark.parametrize(
    ("fields", "temperature", "words"),
    [
        ({"chat_template_kwargs": {}}, 0.0, r"takes no field chat_template_kwargs of --extra-body, only rep"),
        ({"top_k": 20}, 0.0, r"top_k has no effect at temperature 0"),
        ({"top_p": "high"}, 0.5, r"expected a number for --extra-body top_p, got 'high'"),
        ({"repetition_penalty": True}, 0.0, r"expected a number"),
    ],
)
def test_fields_that_a_local_model_cannot_use_are_refused(
    fields: dict[str, Any], temperature: float, words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        check_extra_body(ModelOptions(model="m", extra_body=fields, temperature=temperature))


def test_sampling_fields_are_taken() -> None:
    check_extra_body(ModelOptions(model="m", extra_body={"top_k": 20, "min_p": 0.05}, temperature=None))
    check_extra_body(ModelOptions(model="m", extra_body={"repetition_penalty": 1.1}))


def test_a_command_names_its_own_options_against_long_prompts() -> None:
    message = describe_excess(3031, context=2048)
    assert SHOW_LESS in message
    for command, has, lacks in (
        ("suggest", {"--history none", "a smaller --screenshots"}, {"--without"}),
        ("execute", {"--without reference,past", "--max-pixels"}, {"--history", "--screenshots"}),
        ("benchmark", {"a smaller --screenshots", "--max-pixels"}, {"--history", "--without"}),
    ):
        options = options_of(dict(all_commands())[command])
        words = name_own_options(message, options)
        assert all(part in words for part in has), words
        assert not any(part in words for part in lacks), words
    assert name_own_options(message, ["--out"]) == message
