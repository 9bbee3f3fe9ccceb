"""Servers that differ from OpenAI's, scripted as their documentation says; docs/servers.md has the pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import pytest

from fingertip_dataset.errors import EndpointError, ModelError, UsageError
from fingertip_models import ChatClient, Message, ModelAnswer, ModelOptions
from tests.fingertip_models.chat.raw_server import Connection, raw_server
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


QUESTION = (Message(role="system", text="一句话。"), Message(role="user", text="早"))

Answering = Callable[["Server", dict[str, Any]], tuple[int, object]]


class Server:
    """A server whose `answer` gives status and body of each POST; `seen` has path, headers and body."""

    def __init__(self, answer: Answering, models: object) -> None:
        self.answer, self.models = answer, models
        self.seen: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.url = ""

    def reply(self, connection: Connection) -> None:
        head, _, content = connection.request.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ")
        status, body = (200 if self.models else 404), self.models or {}
        if method == "POST":
            headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
            self.seen.append((path, headers, json.loads(content)))
            status, body = self.answer(self, self.seen[-1][2])
        encoded = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        head = f"HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {len(encoded)}\r\n\r\n"
        connection.send(head.encode() + encoded)


@contextmanager
def serving(answer: Answering, models: object = None) -> Iterator[Server]:
    server = Server(answer, models)
    with raw_server(server.reply) as raw:
        server.url = raw.base_url.removesuffix("/v1")
        yield server


def completion(text: str, **fields: object) -> tuple[int, dict[str, object]]:
    message = {"role": "assistant", "content": text, **fields.pop("message", {})}  # type: ignore[dict-item]
    return 200, {"choices": [{"message": message, "finish_reason": "stop"}], "model": "m", **fields}


def refused(message: str, status: int = 400, **fields: object) -> tuple[int, dict[str, object]]:
    return status, {"error": {"message": message, **fields}}


def ask(server: Server, path: str = "/v1", *, preflight: bool = False, **options: Any) -> ModelAnswer:  # noqa: ANN401
    chosen = ModelOptions(**{"model": "m", "base_url": server.url + path, "retries": 0, **options})
    with ChatClient(chosen, preflight=preflight) as client:
        return client.ask(QUESTION)


def newer_openai(server: Server, body: dict[str, Any]) -> tuple[int, object]:
    """Reasoning models of OpenAI and Azure: another name of the limit, and no temperature but the default."""
    if "max_tokens" in body:
        return refused(
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead.",
            param="max_tokens",
            code="unsupported_parameter",
        )
    if body.get("temperature", 1) != 1:
        return refused(
            "Unsupported value: 'temperature' does not support 0 with this model. "
            "Only the default (1) value is supported.",
            param="temperature",
        )
    return completion("好")


def test_a_server_that_wants_the_new_limit_and_no_temperature_is_named_with_the_options() -> None:
    with serving(newer_openai) as server:
        with pytest.raises(ModelError, match="give --extra-body max_completion_tokens=8192"):
            ask(server)
        extra = {"max_completion_tokens": 8192}
        with pytest.raises(ModelError, match="give --temperature none"):
            ask(server, extra_body=extra)
        assert ask(server, extra_body=extra, temperature=None).text == "好"
    body = server.seen[-1][2]
    assert body["max_completion_tokens"] == 8192
    assert not {"max_tokens", "temperature", "extra_body"} & body.keys()


def test_what_is_sent_besides_is_in_the_settings_of_the_run() -> None:
    options = ModelOptions(
        model="m", temperature=None, extra_body={"max_completion_tokens": 5, "seed2": None}
    )
    assert options.settings()["extra_body"] == {"max_completion_tokens": 5, "seed2": None}
    assert options.settings()["temperature"] is None
    assert "extra_body" not in ModelOptions(model="m").settings()


@pytest.mark.parametrize("field", ["model", "messages", "stream", "temperature", "seed", "n"])
def test_a_field_that_an_option_sets_is_no_extra_one(field: str) -> None:
    with pytest.raises(UsageError, match=f"the field {field} of a request is set by"):
        ModelOptions(model="m", extra_body={field: 1})


def azure(server: Server, body: dict[str, Any]) -> tuple[int, object]:
    """The dated API: the deployment in the path, the version in the query, the key in its own header."""
    path, headers, _ = server.seen[-1]
    if not path.startswith("/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21"):
        return refused("Resource not found", status=404, code="404")
    # a bearer token is one of Entra ID
    if headers.get("api-key") != "azure-key" or "authorization" in headers:
        return refused("Access denied due to invalid subscription key or wrong API endpoint.", status=401)
    return newer_openai(server, body)


@pytest.mark.parametrize("path", ["/openai", "/openai/", "/openai/deployments/my-gpt"])
def test_azures_dated_api_gets_deployment_version_and_key(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "azure-key")
    # the list has base models, no deployments
    listed = {"data": [{"id": "gpt-4.1"}]}
    with serving(azure, listed) as server:
        answer = ask(
            server,
            f"{path}?api-version=2024-10-21",
            model="my-gpt",
            temperature=None,
            api_key_env="AZURE_OPENAI_API_KEY",
            preflight=True,
        )
    assert answer.text == "好"
    assert server.seen[-1][2]["max_completion_tokens"] == 8192


def test_azure_is_known_by_its_host_too() -> None:
    options = ModelOptions(model="my-gpt", base_url="https://me.openai.azure.com/openai/v1/")
    assert (options.on_azure, options.limit_field, options.api_version) == (
        True,
        "max_completion_tokens",
        None,
    )
    assert ModelOptions(model="m", base_url="http://127.0.0.1:1/v1").limit_field == "max_tokens"


@pytest.mark.parametrize("query", ["key=secret", "api-version=1&key=secret", "api-version="])
def test_another_query_in_a_base_url_is_refused_without_being_printed(query: str) -> None:
    with pytest.raises(UsageError, match=r"only \?api-version=") as error:
        ModelOptions(model="m", base_url=f"https://me.openai.azure.com/openai?{query}")
    assert "secret" not in str(error.value)


def openrouter(server: Server, body: dict[str, Any]) -> tuple[int, object]:
    """Comments before the answer, the reasoning in a field of its own, errors with status 200."""
    if body.get("provider") != {"order": ["alibaba"], "allow_fallbacks": False}:
        return 200, {"error": {"code": 404, "message": "No endpoints found that support image input"}}
    if body.get("reasoning") == {"exclude": True}:
        return completion("好", provider="Alibaba")
    _, answer = completion("好", provider="Alibaba", message={"reasoning": "早上"})
    return 200, b": OPENROUTER PROCESSING\n\n" + json.dumps(answer).encode()


def test_openrouter_gets_its_routing_and_its_reasoning_is_read() -> None:
    with serving(openrouter) as server:
        with pytest.raises(ModelError, match="No endpoints found"):
            ask(server, "/api/v1")
        routing = {"provider": {"order": ["alibaba"], "allow_fallbacks": False}}
        answer = ask(server, "/api/v1", extra_body=routing, stream=True)
        assert (answer.text, answer.reasoning) == ("好", "早上")
        quiet = ask(server, "/api/v1", extra_body={**routing, "reasoning": {"exclude": True}})
        assert (quiet.text, quiet.reasoning) == ("好", "")


def test_an_answer_that_is_streamed_unasked_or_comes_after_comments_is_read() -> None:
    chunk = {"choices": [{"delta": {"content": "好"}, "finish_reason": "stop"}], "model": "m"}
    plain = json.dumps(completion("好")[1]).encode()
    bodies = [
        f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode(),
        b": OPENROUTER PROCESSING\n\n" + plain,
    ]
    with serving(lambda server, body: (200, bodies[len(server.seen) - 1])) as server:
        assert [ask(server).text for _ in bodies] == ["好", "好"]


def test_lm_studios_error_within_status_200_is_named_without_another_advice() -> None:
    error = {"error": {"message": "Trying to keep the first 15857 tokens when context the overflows."}}
    body = f"event: error\ndata: {json.dumps(error)}\n\n".encode()
    with serving(lambda server, body_: (200, body)) as server, pytest.raises(EndpointError) as caught:
        ask(server)
    assert "no chat completion: Trying to keep the first 15857 tokens" in str(caught.value)
    assert "/v1?" not in str(caught.value)


def test_a_stream_without_usage_has_unknown_tokens() -> None:
    def strict(server: Server, body: dict[str, Any]) -> tuple[int, object]:
        if "stream_options" in body:
            return refused("Extra inputs are not permitted: stream_options", status=422)
        chunks = [
            {"choices": [{"delta": {"content": "好"}}]},
            {"choices": [{"delta": {}, "finish_reason": "stop"}]},
        ]
        return 200, "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks).encode()

    with serving(strict) as server:
        with pytest.raises(ModelError, match="give --extra-body stream_options=null"):
            ask(server, stream=True)
        answer = ask(server, stream=True, extra_body={"stream_options": None})
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("好", None, None)


@pytest.mark.parametrize(
    ("message", "options", "advice"), VECTORS["a_refused_setting_is_named_with_the_option"]
)
def test_a_refused_setting_is_named_with_the_option(
    message: str, options: dict[str, Any], advice: str | None
) -> None:
    with serving(lambda server, body: refused(message)) as server, pytest.raises(EndpointError) as error:
        ask(server, **options)
    assert message in str(error.value)
    assert ("(" + advice in str(error.value)) if advice else ("give" not in str(error.value))


def test_a_model_without_a_system_role_is_noticed_before_the_first_task() -> None:
    def gemma(server: Server, body: dict[str, Any]) -> tuple[int, object]:
        if body["messages"][0]["role"] == "system":
            return refused("System role not supported", type="BadRequestError")
        return completion("好")

    with serving(gemma) as server:
        with pytest.raises(EndpointError, match="give --no-system"):
            ask(server, preflight=True)
        assert [body["max_tokens"] for _, _, body in server.seen] == [16]
        assert ask(server, preflight=True, system_role="merge").text == "好"


def test_vllm_refuses_a_second_picture_and_names_its_own_limit() -> None:
    from PIL import Image

    def one_picture(server: Server, body: dict[str, Any]) -> tuple[int, object]:
        parts = body["messages"][-1]["content"]
        pictures = 0 if isinstance(parts, str) else sum(part["type"] == "image_url" for part in parts)
        if pictures > 1:
            return refused("At most 1 image(s) may be provided in one prompt.", type="BadRequestError")
        return completion("好")

    stream = BytesIO()
    Image.new("RGB", (64, 64)).save(stream, "PNG")
    with serving(one_picture) as server:
        options = ModelOptions(model="m", base_url=f"{server.url}/v1", retries=0)
        with ChatClient(options, preflight=True) as client:
            assert client.ask([Message(role="user", text="早", images=(stream.getvalue(),))]).text == "好"
            with pytest.raises(ModelError, match="raise the server's own limit"):
                client.ask([Message(role="user", text="早", images=(stream.getvalue(),) * 2)])
