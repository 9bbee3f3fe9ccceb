"""What servers tell of themselves in the preflight, and that nothing depends on it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from fingertip_models import ChatClient, Message, ModelOptions
from fingertip_models.chat.server_facts import NOT_CHECKED
from tests.fingertip_models.chat.raw_server import Connection, raw_server

# llama.cpp and vLLM are as `make test-models` runs them, the others as their documents say
LLAMA_CPP = {
    "/v1/models": {
        "data": [
            {
                "id": "/home/li/smol.gguf",
                "owned_by": "llamacpp",
                "meta": {"n_ctx": 2048, "n_ctx_train": 8192, "ftype": "Q4_1"},
            }
        ]
    },
    "/props": {
        "total_slots": 2,
        "model_ftype": "Q4_1",
        "build_info": "b6500-9bd5c04",
        "default_generation_settings": {"params": {"top_k": 40, "min_p": 0.05000000074505806}},
    },
}
VLLM = {
    "/v1/models": {"data": [{"id": "smol", "owned_by": "vllm", "root": "/data/smol", "max_model_len": 2048}]},
    "/version": {"version": "0.32.0"},
}
SGLANG = {
    "/v1/models": {"data": [{"id": "smol", "owned_by": "sglang", "root": "org/smol", "max_model_len": 4096}]},
    "/get_server_info": {"version": "0.5.2", "dtype": "auto", "quantization": "fp8"},
}
OLLAMA = {
    "/v1/models": {"data": [{"id": "smol", "owned_by": "library"}, {"id": "other", "owned_by": "library"}]},
    "/api/version": {"version": "0.12.3"},
    "/api/show": {"details": {"parameter_size": "134.52M", "quantization_level": "F16"}},
}
LM_STUDIO = {
    "/v1/models": {
        "data": [{"id": name, "owned_by": "organization_owner"} for name in ("smol", "b")]
    },
    "/api/v1/models": {
        "models": [
            {"key": "b", "quantization": {"name": "Q8_0"}, "loaded_instances": []},
            {
                "key": "smol", "quantization": {"name": "Q4_0"}, "params_string": "135M",
                "loaded_instances": [{"id": "smol", "config": {"context_length": 4096}}],
            },
        ]
    },
}  # fmt: skip
OLD_LM_STUDIO = {
    "/v1/models": {
        "data": [{"id": name, "owned_by": "organization_owner"} for name in ("smol", "b")]
    },
    "/api/v0/models": {
        "data": [
            {"id": "b", "quantization": "Q8_0"},
            {"id": "smol", "quantization": "4bit", "loaded_context_length": 4096},
        ]
    },
}  # fmt: skip
ANSWER = {"choices": [{"message": {"content": "OK"}, "finish_reason": "stop"}], "model": "smol"}


def ask(pages: Mapping[str, Any], notes: list[str] | None = None, **options: Any) -> Mapping[str, str]:  # noqa: ANN401
    """Query a server with these pages, after the preflight, and return its facts."""

    def reply(connection: Connection) -> None:
        path = connection.request.split(b" ")[1].decode()
        body = pages.get(path, ANSWER if path.endswith("completions") else None)
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        head = f"HTTP/1.1 {404 if body is None else 200} X\r\nconnection: close\r\n"
        connection.send(f"{head}content-length: {len(content)}\r\n\r\n".encode() + content)

    with raw_server(reply) as server:
        chosen = ModelOptions(**{"base_url": server.base_url, "model": "smol", "max_tokens": 64, **options})
        on_note = (notes if notes is not None else []).append
        with ChatClient(chosen, preflight=True, on_note=on_note) as client:
            assert client.software == {}
            assert client.ask([Message(role="user", text="早")]).text == "OK"
            return client.software


@pytest.mark.parametrize(
    ("pages", "facts"),
    [
        (
            LLAMA_CPP,
            {"server": "llama.cpp", "version": "b6500-9bd5c04", "model": "smol.gguf", "weights": "Q4_1",
             "context": "2048", "slots": "2", "sampling": "top_k 40, min_p 0.05"},
        ),
        (VLLM, {"server": "vLLM", "version": "0.32.0", "model": "smol", "context": "2048"}),
        (
            SGLANG,
            {"server": "SGLang", "version": "0.5.2", "model": "org/smol", "weights": "fp8",
             "context": "4096"},
        ),
        (
            OLLAMA,
            {"server": "Ollama", "version": "0.12.3", "model": "smol", "parameters": "134.52M",
             "weights": "F16"},
        ),
        (
            LM_STUDIO,
            {"server": "LM Studio", "model": "smol", "parameters": "135M", "weights": "Q4_0",
             "context": "4096"},
        ),
        (OLD_LM_STUDIO, {"server": "LM Studio", "model": "smol", "weights": "4bit", "context": "4096"}),
        ({**LM_STUDIO, "/api/v1/models": {"models": [1, {"key": "smol", "loaded_instances": 2}]}},
         {"server": "LM Studio", "model": "smol"}),
        ({"/v1/models": {"data": [{"id": "smol", "owned_by": "me"}]}}, {}),
        ({}, {}),
    ],
)  # fmt: skip
def test_a_server_tells_of_itself(pages: Mapping[str, Any], facts: Mapping[str, str]) -> None:
    assert ask(pages) == facts


@pytest.mark.parametrize("page", [b"<html>", b"[1]", b'{"build_info": {"a": "\\u001b[2J"}}', b'"text"'])
def test_pages_of_any_content_cost_only_their_facts(page: bytes) -> None:
    facts = ask({**LLAMA_CPP, "/props": page})
    assert facts["server"] == "llama.cpp"
    assert all(text.isprintable() for text in facts.values())


def test_a_limit_beyond_the_context_is_told_before_the_first_task() -> None:
    notes: list[str] = []
    ask(LLAMA_CPP, notes, max_tokens=8192)
    assert any("a context of 2,048 tokens" in note and "--max-tokens 8192" in note for note in notes)
    notes.clear()
    ask(LLAMA_CPP, notes, max_tokens=512)
    assert not any("context" in note for note in notes)


def test_without_a_preflight_the_name_counts_as_unchecked() -> None:
    with ChatClient(ModelOptions(base_url="http://127.0.0.1:1/v1", model="smol")) as client:
        assert client.software == {"name": NOT_CHECKED}
