"""Preflight: the first request waits for a small one that shows whether the endpoint can answer the run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from fingertip_dataset.errors import EndpointError
from fingertip_models import ChatClient, Message, ModelOptions
from fingertip_models.chat.preflight import PICTURE_SIDE, SMALL_TOKENS, find_missing_model, make_small_request
from tests.vectors import read_vectors

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

VECTORS = read_vectors(__file__)


PICTURE = make_small_request(ModelOptions(model="m"), picture=True)["messages"][0]["content"][0]["image_url"][
    "url"
]
TEXT = [Message(role="user", text="点什么？")]
SCREEN = [Message(role="user", text="点什么？", images=(b"\x89PNG\r\n\x1a\nscreen",))]


def client(server: OpenAIServer, **changed: Any) -> ChatClient:  # noqa: ANN401 - fields of ModelOptions
    options = ModelOptions(**{"base_url": server.base_url, "model": "tiny", **changed})
    return ChatClient(options, backoff_s=0.01, preflight=True)


def sends_picture(query: ReceivedRequest) -> bool:
    return not isinstance(query.body["messages"][-1]["content"], str)


def test_one_small_request_with_the_settings_of_the_run(openai_server: OpenAIServer) -> None:
    openai_server.models = openai_server.Reply(body={"data": [{"id": "tiny"}]})
    with client(openai_server, seed=4, temperature=0.5) as asking:
        first, second = asking.ask(TEXT), asking.ask(TEXT)
    assert (first.text, first.attempts, first.prompt_tokens) == ("好", 1, 700)
    assert second.attempts == 1
    (small,) = openai_server.small_requests
    assert len(openai_server.requests) == 2
    run = openai_server.requests[0].body
    assert small.body == {**run, "messages": small.body["messages"], "max_tokens": SMALL_TOKENS}


def test_a_limit_below_that_of_the_small_request_is_kept() -> None:
    assert (
        make_small_request(ModelOptions(model="m", max_tokens=3), picture=False)["max_completion_tokens"] == 3
    )


def test_the_picture_is_sent_before_the_first_request_with_one(openai_server: OpenAIServer) -> None:
    with client(openai_server) as asking:
        asking.ask(TEXT)
        assert [sends_picture(query) for query in openai_server.small_requests] == [False]
        asking.ask(SCREEN)
        asking.ask(SCREEN)
        asking.ask(TEXT)
    assert [sends_picture(query) for query in openai_server.small_requests] == [False, True]


def test_a_preflight_with_a_picture_is_enough(openai_server: OpenAIServer) -> None:
    with client(openai_server) as asking:
        asking.ask(SCREEN)
        asking.ask(TEXT)
    (small,) = openai_server.small_requests
    assert small.body["messages"][0]["content"][0]["image_url"]["url"] == PICTURE


def test_the_picture_is_a_whole_png() -> None:
    from base64 import b64decode
    from io import BytesIO

    from PIL import Image

    picture = Image.open(BytesIO(b64decode(PICTURE.partition(",")[2])))
    picture.load()
    assert (picture.format, picture.size) == ("PNG", (PICTURE_SIDE, PICTURE_SIDE))


def test_concurrent_requests_share_the_preflight(openai_server: OpenAIServer) -> None:
    async def several() -> None:
        async with client(openai_server) as asking:
            await asyncio.gather(*(asking.ask_async(TEXT) for _ in range(8)))

    asyncio.run(several())
    assert (len(openai_server.small_requests), len(openai_server.requests)) == (1, 8)


def test_a_cancelled_request_leaves_the_preflight_to_the_others(openai_server: OpenAIServer) -> None:
    async def impatient() -> str:
        async with client(openai_server) as asking:
            first = asyncio.create_task(asking.ask_async(TEXT))
            second = asyncio.create_task(asking.ask_async(TEXT))
            await asyncio.sleep(0)
            first.cancel()
            return (await second).text

    assert asyncio.run(impatient()) == "好"
    assert len(openai_server.small_requests) == 1


@pytest.mark.parametrize(
    ("models", "small", "words"),
    [
        (None, {"status": 401, "body": {"error": "wrong key"}}, r"answer: status 401: wrong key \("),
        (None, {"status": 404, "body": {"error": "no such model"}}, r"answer: status 404: no such model \("),
        (None, {"status": 500, "body": b""}, r"answer: status 500: nothing \(.*\) after 3 attempts$"),
        (None, {"body": b"<html>"}, r"answer: no JSON: <html>"),
        (None, {"status": 307, "headers": {"location": "http://other/"}}, r"a redirect .* to http://other/"),
        (
            {"data": [{"id": "big"}, {"id": "more"}]},
            {},
            r"answer: no model tiny in its list, which has big, more \(--no-preflight",
        ),
        ({"data": [{"id": f"m{n}"} for n in range(9)]}, {}, r"has m0, m1, m2, m3, m4 and 4 others \("),
        ({"data": [{"id": "\x1b[2J"}, {"id": "big"}]}, {}, r"has \\x1b\[2J, big \("),
    ],
)
def test_a_failed_preflight_is_one_line_and_no_request_of_the_run_is_sent(
    openai_server: OpenAIServer, models: object, small: dict[str, Any], words: str
) -> None:
    if models:
        openai_server.models = openai_server.Reply(body=models)
    if small:
        openai_server.small_replies = lambda query: openai_server.Reply(**small)
    with client(openai_server) as asking:
        for _ in range(2):  # it stays failed, without more requests
            with pytest.raises(EndpointError, match=words) as caught:
                asking.ask(TEXT)
            sent = len(openai_server.small_requests)
    assert len(openai_server.small_requests) == sent
    assert openai_server.requests == []
    assert str(caught.value).isprintable()
    assert "(--no-preflight leaves this check out)" in str(caught.value)


def test_a_model_without_pictures_is_named_so(openai_server: OpenAIServer) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        if sends_picture(query):
            return openai_server.Reply(status=400, body={"error": "tiny is not a multimodal model"})
        return openai_server.says("OK")

    openai_server.small_replies = reply
    words = r"it answers without a picture, but not with one: status 400: tiny is not a multimodal"
    with client(openai_server) as asking, pytest.raises(EndpointError, match=words):
        asking.ask(SCREEN)


@pytest.mark.parametrize(
    "models",
    [
        lambda server: server.Reply(status=404),
        lambda server: server.Reply(status=401),
        lambda server: server.Reply(status=500, body=b"oops"),
        lambda server: server.Reply(status=307, headers={"location": "http://127.0.0.1:1/"}),
        lambda server: server.Reply(body=b"<html>"),
        lambda server: server.Reply(body=b"[" * 100_000),
        lambda server: server.Reply(body={"data": []}),
        lambda server: server.Reply(body={"data": [1, {"id": 7}, {"id": ""}, None]}),
        lambda server: server.Reply(body={"data": {"id": "big"}}),
        lambda server: server.Reply(ending="drop"),
        lambda server: server.Reply(body={"data": [{"id": "big"}, {"id": "models/Tiny"}]}),
    ],
    ids=range(11),
)
def test_a_list_of_models_that_says_nothing_is_no_failure(
    openai_server: OpenAIServer, models: Callable[[OpenAIServer], Reply]
) -> None:
    openai_server.models = models(openai_server)
    with client(openai_server) as asking:
        assert asking.ask(TEXT).text == "好"


@pytest.mark.parametrize(("names", "model", "missing"), VECTORS["names_in_the_list"])
def test_names_in_the_list(names: list[str], model: str, missing: bool) -> None:
    import json

    content = json.dumps({"data": [{"id": name} for name in names]}).encode()
    assert (find_missing_model(content, model) is not None) is missing


def test_a_long_name_of_the_list_can_be_copied() -> None:
    path = f"/home/me/{'models/' * 20}small.gguf"
    assert path in (find_missing_model(f'{{"data": [{{"id": "{path}"}}]}}'.encode(), "judge") or "")


def test_a_busy_server_is_asked_again(openai_server: OpenAIServer) -> None:
    busy = openai_server.Reply(status=503, headers={"retry-after-ms": "10"})
    openai_server.small_replies = lambda query: busy if query.number < 2 else openai_server.says("OK")
    with client(openai_server) as asking:
        assert asking.ask(TEXT).attempts == 1
    assert len(openai_server.small_requests) == 3


def test_without_preflight_no_small_request_is_sent(openai_server: OpenAIServer) -> None:
    with ChatClient(ModelOptions(base_url=openai_server.base_url, model="tiny")) as asking:
        asking.ask(SCREEN)
    assert openai_server.small_requests == []


def test_a_streamed_run_has_a_streamed_preflight(openai_server: OpenAIServer) -> None:
    openai_server.replies = openai_server.qvq_max
    openai_server.small_replies = openai_server.qvq_max
    with client(openai_server, stream=True, system_role="merge") as asking:
        assert asking.ask(TEXT).text == "打开QQ音乐，听歌"
