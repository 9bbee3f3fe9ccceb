"""The table of known models: its schema, and that every name finds one row, however a server spells it."""

from __future__ import annotations

import json
import re
import tomllib
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from fingertip_agents.known_models import (
    FILE,
    KnownModel,
    choose_format,
    describe_unknown,
    find_models,
    fold_model_name,
    list_known_models,
)
from fingertip_agents.registry import AUTO, FORMATS, get_execution_agent, sends_pictures
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.errors import UsageError
from fingertip_models.options import ModelOptions
from tests.vectors import read_vectors

MODELS = list_known_models()
EXAMPLES = [(example, model) for model in MODELS for example in model.examples]
SIZES = ("7B", "0.8B", "30B-A3B", "235b-a22b")
VECTORS = read_vectors(__file__)


def test_the_table_has_the_fields_of_a_row_and_no_others() -> None:
    rows: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["models"]
    adapter = TypeAdapter(KnownModel)
    known = {field for field in KnownModel.__slots__ if not field.startswith("_")}
    for row in rows:
        assert set(row) <= known
        assert adapter.validate_json(json.dumps(row), strict=True).names == row["names"]


def test_every_row_says_what_a_reader_needs() -> None:
    assert len(EXAMPLES) >= 100
    for model in MODELS:
        assert model.format in FORMATS or (model.format == "" and model.note)
        assert model.source
        assert (model.server is None) == bool(model.api)
        assert model.coordinates
        assert model.picture
        assert model.max_pixels is None or not model.format or sends_pictures(model.format)
        texts = [model.picture, model.note, model.source, model.needs, model.coordinates]
        assert all(text.isprintable() and not text.endswith(".") for text in texts)
    # without weights of its own the generalist is known by its users alone
    assert {model.format for model in MODELS} >= set(FORMATS) - {"appagent", "autodroid"}


@pytest.mark.parametrize(("example", "model"), EXAMPLES)
def test_an_example_finds_its_row_alone(example: str, model: KnownModel) -> None:
    assert find_models(example) == (model,)


def test_no_name_is_one_of_two_rows() -> None:
    for model in MODELS:
        for pattern, size in product(model.names, SIZES):
            name = pattern.replace("*", size)
            assert [other for other in MODELS if other.matches(fold_model_name(name))] == [model], name


@pytest.mark.parametrize(("name", "folded"), VECTORS["names"])
def test_a_name_of_a_server_is_compared_by_what_says_something(name: str, folded: str) -> None:
    assert fold_model_name(name) == folded


@given(
    st.sampled_from(EXAMPLES),
    st.sampled_from(["", "/models/", "C:\\models\\", "someone/", "/root/.cache/hub/models--other--"]),
    st.sampled_from(
        ["", "-FP8", "-AWQ", ".gguf", "-Q4_K_M.gguf", ".Q8_0.gguf", "-GGUF:Q4_K_M", "-4bit", ":free"]
    ),
    st.booleans(),
)
def test_folders_capitals_and_quantizations_make_no_difference(
    example: tuple[str, KnownModel], folder: str, ending: str, upper: bool
) -> None:
    name = f"{folder}{example[0].rpartition('/')[2]}{ending}"
    assert find_models(name.upper() if upper else name) == (example[1],)


@given(st.text(max_size=40))
def test_any_name_is_found_or_refused_in_one_line(name: str) -> None:
    models = find_models(name)
    assert models or describe_unknown(name).isprintable()
    assert len(models) < len(MODELS)


@pytest.mark.parametrize(("name", "words"), VECTORS["refused"])
def test_what_is_not_certain_is_refused(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(words)}$"):
        choose_format(name)


def test_a_name_that_is_like_many_has_the_three_most_similar() -> None:
    similar = describe_unknown("Qwen3-VL-8B-Instrct")
    assert similar.startswith(
        "no known model is named Qwen3-VL-8B-Instrct: did you mean Qwen/Qwen3-VL-8B-Instruct"
    )
    assert similar.count(" or ") == 2


def test_the_agent_of_a_model_is_the_one_of_its_format() -> None:
    model = ModelOptions(base_url="http://127.0.0.1:9/v1", model="/models/UI-TARS-1.5-7B.gguf")
    agent, named = (get_execution_agent(name, AgentSetup(model=model)) for name in (AUTO, "ui-tars-1.5"))
    assert agent.name == "ui-tars-1.5"
    assert agent.settings == named.settings
    with pytest.raises(UsageError, match=r"^--agent auto takes the format of a model: give --model NAME$"):
        get_execution_agent(AUTO)


def test_a_server_line_has_the_name_by_which_weights_are_found() -> None:
    (model,) = find_models("Qwen/Qwen3.5-4B")
    assert model.write_server("Qwen/Qwen3.5-4B").startswith("vllm serve Qwen/Qwen3.5-4B --max-model-len")
    assert model.write_server("/models/qwen3.5-4b").startswith("vllm serve Qwen/Qwen3.5-4B ")
    (provided,) = find_models("qvq-max")
    assert provided.write_server("qvq-max") == "DashScope"


@pytest.mark.parametrize(("example", "model"), [pair for pair in EXAMPLES if pair[1].server is not None])
def test_a_short_name_gets_the_line_of_its_own_example(example: str, model: KnownModel) -> None:
    if "/" in example:
        line = model.write_server(example)
        short = example.rpartition("/")[2]
        named = [one for one in model.examples if one.casefold().endswith(f"/{short}".casefold())]
        assert model.write_server(short) in {model.write_server(one) for one in named}
        assert model.write_server(short.lower()).partition(" --")[0] == f"vllm serve {named[0]}"
        assert "{" not in line.replace("'{", "").replace('": {', "")


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("MAI-UI-2B", "Tongyi-MAI/MAI-UI-2B"),
        ("qwen2.5vl:7b", "Qwen/Qwen2.5-VL-7B-Instruct"),
        ("Qwen3-VL-6B-Thinking", "Qwen/Qwen3-VL-6B-Thinking"),
        ("Qwen3-VL-235B-A22B-Instruct", "Qwen/Qwen3-VL-235B-A22B-Instruct"),
        ("qwen3-vl-8b-instruct-FP8", "Qwen/Qwen3-VL-8B-Instruct-FP8"),
        ("Holo3.1-4B", "Hcompany/Holo3.1-4B"),
        ("holo3.1", "Hcompany/Holo3.1-SIZE"),
        ("/m/UI-TARS-72B-DPO.Q4_K_M.gguf", "bytedance-research/UI-TARS-72B-DPO"),
    ],
)
def test_a_line_is_that_of_the_size_and_the_variant(name: str, weights: str) -> None:
    (model,) = find_models(name)
    assert model.find_weights(name) == weights


def test_a_model_is_served_under_its_own_name() -> None:
    for size in ("2B", "8B"):
        (model,) = find_models(f"mai-ui-{size}")
        line = model.write_server(f"mai-ui-{size}")
        assert line.startswith(f"vllm serve Tongyi-MAI/MAI-UI-{size} --served-model-name MAI-UI-{size} ")


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("Qwen3VL-8B", "qwen3-vl"),
        ("qwen25vl-7b", "qwen2.5-vl"),
        ("Qwen 2.5 VL 7B", "qwen2.5-vl"),
        ("accounts/fireworks/models/qwen2p5-vl-32b-instruct", "qwen2.5-vl"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "generalist"),
        ("uitars1.5-7b", "ui-tars-1.5"),
    ],
)
def test_separators_of_a_name_make_no_difference(name: str, format_name: str) -> None:
    assert choose_format(name)[0] == format_name


@pytest.mark.parametrize("name", ["qwen3-56b", "qwen35b", "models/qwen3-vl-8b-my-finetune", "GUI-Owl-7B"])
def test_a_similar_name_is_of_the_same_family(name: str) -> None:
    assert not find_models(name)
    similar = describe_unknown(name)
    assert "did you mean" not in similar or re.search("did you mean (?:Qwen/|mPLUG/)", similar)


def test_an_empty_name_is_called_empty() -> None:
    assert describe_unknown("") == "the name of the model is empty: give the one by which the server has it"
