"""The client against a real HTTP server that behaves as servers do."""

from __future__ import annotations

import asyncio
import base64
import gc
import io
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from fingertip_dataset.errors import InputError, ModelError, UsageError
from fingertip_models.chat.chat_answer import ModelAnswer
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

MakeClient = Callable[..., ChatClient]

QUESTION = (Message(role="user", text="点什么？"),)


def picture(kind: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (3, 2), "red").save(file, kind)
    return file.getvalue()


def test_an_answer(openai_server: OpenAIServer, client: MakeClient) -> None:
    begun = time.perf_counter()
    answer = client(seed=7, temperature=0.5).ask((Message(role="system", text="你"), *QUESTION))
    assert answer == ModelAnswer(
        text="好", reasoning="", seconds=answer.seconds, prompt_tokens=700, completion_tokens=20,
        model="tiny-1", attempts=1, finish_reason="stop",
    )  # fmt: skip
    assert 0 < answer.seconds < time.perf_counter() - begun
    (query,) = openai_server.requests
    assert query.body == {
        "model": "tiny",
        "messages": [{"role": "system", "content": "你"}, {"role": "user", "content": "点什么？"}],
        "temperature": 0.5,
        "seed": 7,
        "max_tokens": 8192,
    }


def test_unset_settings_are_not_sent(openai_server: OpenAIServer, client: MakeClient) -> None:
    client(temperature=None).ask(QUESTION)
    assert set(openai_server.requests[0].body) == {"model", "messages", "max_tokens"}


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_images_precede_the_text(openai_server: OpenAIServer, client: MakeClient, kind: str) -> None:
    data = picture(kind)
    client().ask([Message(role="user", text="看", images=(data, data))])
    first, second, text = openai_server.requests[0].body["messages"][0]["content"]
    assert first == second
    head, _, body = first["image_url"]["url"].partition(",")
    assert head == f"data:image/{kind.lower()};base64"
    assert base64.b64decode(body) == data
    assert text == {"type": "text", "text": "看"}


def test_an_unknown_image_format_is_refused(openai_server: OpenAIServer, client: MakeClient) -> None:
    with pytest.raises(InputError, match="expected a PNG, JPEG, GIF or WebP picture, got 5 bytes"):
        client().ask([Message(role="user", text="看", images=(b"<html",))])
    assert openai_server.requests == []


def test_an_empty_chat_is_refused(client: MakeClient) -> None:
    with pytest.raises(UsageError, match="needs one message or more"):
        client().ask([])


def test_any_text_arrives(openai_server: OpenAIServer, client: MakeClient) -> None:
    text = "点击\x00\x1b[2J 😀 \u202e {{x}} \ud83d"
    openai_server.replies = lambda query: openai_server.says(query.text)
    assert client().ask([Message(role="user", text=text)]).text == text.replace("\ud83d", "\ufffd")


@pytest.mark.parametrize("status", [408, 503])
def test_a_transient_status_is_retried(openai_server: OpenAIServer, client: MakeClient, status: int) -> None:
    busy = openai_server.Reply(status=status, body={"error": {"message": "busy"}})
    openai_server.play(busy, busy, openai_server.says("好"))
    answer = client().ask(QUESTION)
    assert (answer.text, answer.attempts) == ("好", 3)
    assert len({str(query.body) for query in openai_server.requests}) == 1


@pytest.mark.parametrize(
    ("reply", "options", "problem", "attempts"),
    [
        *(
            (
                {"status": status, "body": {"error": {"message": "no\n \x1b[2J way"}}},
                {}, f": status {status}: no \\x1b[2J way", 1,
            )
            for status in (400, 404)
        ),
        ({"ending": "drop"}, {}, ": a connection error, RemoteProtocolError: ", 2),
        ({"ending": "stall"}, {"timeout_s": 0.2}, ": nothing whole within 0.2 s after 2 attempts", 2),
        (
            {"status": 429, "body": {"error": {"message": "slow"}}}, {"retries": 4},
            ": status 429: slow after 5 attempts", 5,
        ),
        (
            {"status": 502, "body": b"<html>\n" + b"<p>Bad gateway</p>\n" * 1000}, {"retries": 0},
            ": status 502: <html> <p>Bad gateway</p>", 1,
        ),
        *(
            ({"body": body, "headers": {"content-type": kind}}, {}, answer, 1)
            for kind in ("application/json", "text/html; charset=utf-7")
            for body, answer in (
                (b"<html><body>Welcome</body></html>", ": no JSON: <html><body>Welcome</body></html>"),
                (b"", ": no JSON: nothing"),
                (b'{"error": {"message": "who are you?"}}', ": no chat completion: who are you?"),
            )
        ),
    ],
)  # fmt: skip
def test_a_failure_is_one_line_and_tried_as_often_as_can_help(
    openai_server: OpenAIServer,
    client: MakeClient,
    reply: dict[str, Any],
    options: dict[str, Any],
    problem: str,
    attempts: int,
) -> None:
    openai_server.play(openai_server.Reply(**reply))
    with pytest.raises(ModelError) as caught:
        client(**{"retries": 1, **options}).ask(QUESTION)
    assert str(caught.value).startswith(f"tiny at {openai_server.base_url} did not answer{problem}")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 450
    times = [query.at for query in openai_server.requests]
    assert len(times) == attempts
    waits = [after - before for before, after in pairwise(times)]
    assert [wait >= 0.01 * 2**number for number, wait in enumerate(waits)] == [True] * (attempts - 1)


def test_the_requested_wait_is_respected(openai_server: OpenAIServer, client: MakeClient) -> None:
    """Who comes too early is sent away for good."""

    def replies(query: ReceivedRequest) -> Reply:
        if query.number == 0:
            return openai_server.Reply(status=429, headers={"retry-after-ms": "300"})
        if query.at - openai_server.requests[0].at < 0.3:
            return openai_server.Reply(status=400, body={"error": "too early"})
        return openai_server.says("好")

    openai_server.replies = replies
    answer = client().ask(QUESTION)
    assert answer.attempts == 2
    assert answer.seconds < openai_server.requests[1].at - openai_server.requests[0].at


@pytest.mark.parametrize("ending", ["drop", "cut"])
def test_a_dropped_connection_is_retried(
    openai_server: OpenAIServer, client: MakeClient, ending: str
) -> None:
    whole = openai_server.says("好")
    openai_server.play(openai_server.Reply(body=whole.content, ending=ending), whole)
    answer = client().ask(QUESTION)
    assert (answer.text, answer.attempts) == ("好", 2)


@pytest.mark.parametrize("ending", ["stall", "dribble"])
def test_a_stalled_server_times_out(openai_server: OpenAIServer, client: MakeClient, ending: str) -> None:
    openai_server.play(openai_server.Reply(ending=ending), openai_server.says("好"))
    begun = time.perf_counter()
    # on a busy machine the second attempt needs its time too
    answer = client(timeout_s=1).ask(QUESTION)
    assert (answer.text, answer.attempts) == ("好", 2)
    assert time.perf_counter() - begun - answer.seconds >= 1, "the failed attempt is not in them"


@pytest.mark.parametrize("choices", [[], None, {}, ["好"]])
def test_an_answer_without_a_choice_is_retried(
    openai_server: OpenAIServer, client: MakeClient, choices: object
) -> None:
    empty = openai_server.Reply(body={"choices": choices, "usage": {}})
    openai_server.play(empty, openai_server.says("好"))
    asking = client(retries=1)
    answer = asking.ask(QUESTION)
    assert (answer.text, answer.attempts) == ("好", 2)
    openai_server.play(empty)
    with pytest.raises(ModelError, match=r": no chat completion: .* after 2 attempts"):
        asking.ask(QUESTION)


def test_a_retry_is_reported_before_its_wait(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret")
    output: list[str] = []
    busy = openai_server.Reply(status=503, body={"error": {"message": "busy, sk-secret"}})
    openai_server.play(busy, openai_server.Reply(ending="drop"), openai_server.says("好"))
    options = ModelOptions(base_url=openai_server.base_url, model="tiny", api_key_env="MY_KEY")
    with ChatClient(options, backoff_s=0.01, on_retry=output.append) as asking:
        assert asking.ask(QUESTION).attempts == 3
    first, second = output
    assert first == "asking tiny again in 0 s (attempt 2 of 6): status 503: busy, ***"
    assert second.startswith("asking tiny again in 0 s (attempt 3 of 6): a connection error")


def test_the_key_is_the_environments_and_no_error_repeats_it(
    openai_server: OpenAIServer, client: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", " sk-secret\n")
    asking = client(api_key_env="MY_KEY")
    openai_server.play(openai_server.Reply(status=401, body={"error": {"message": "wrong key sk-secret"}}))
    with pytest.raises(ModelError, match=r"status 401: wrong key \*\*\*$"):
        asking.ask(QUESTION)
    assert openai_server.requests[0].headers["authorization"] == "Bearer sk-secret"


def test_a_key_too_short_for_a_secret_masks_nothing(
    openai_server: OpenAIServer, client: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    openai_server.play(openai_server.Reply(status=400, body={"error": {"message": "an example"}}))
    for key, output in (("e", "an example"), ("example", "an example"), ("n exampl", r"a\*\*\*e")):
        monkeypatch.setenv("MY_KEY", key)
        with pytest.raises(ModelError, match=rf"status 400: {output}$"):
            client(api_key_env="MY_KEY").ask(QUESTION)


def test_a_named_server_needs_no_key_and_openai_does(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    ChatClient(ModelOptions(model="tiny", base_url="http://127.0.0.1:1/v1")).close()
    with pytest.raises(UsageError, match="the environment variable OPENAI_API_KEY has no API key"):
        ChatClient(ModelOptions(model="gpt-4.1"))


def test_a_key_that_cannot_be_sent_is_refused_without_printing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "密钥")
    with pytest.raises(UsageError, match="other than printable ASCII") as caught:
        ChatClient(ModelOptions(model="gpt-4.1"))
    assert "密钥" not in str(caught.value)


def test_many_threads_share_a_client(openai_server: OpenAIServer, client: MakeClient) -> None:
    openai_server.replies = lambda query: openai_server.says(query.text)
    asking = client()
    with ThreadPoolExecutor(8) as pool:
        texts = [str(number) for number in range(64)]
        answers = list(pool.map(lambda text: asking.ask([Message(role="user", text=text)]).text, texts))
    assert answers == texts


def test_event_loops_that_come_and_go_share_a_client(openai_server: OpenAIServer, client: MakeClient) -> None:
    openai_server.replies = lambda query: openai_server.says(query.text)
    asking = client()

    async def several() -> list[str]:
        questions = [[Message(role="user", text=str(number))] for number in range(16)]
        return [answer.text for answer in await asyncio.gather(*map(asking.ask_async, questions))]

    assert [asyncio.run(several()) for _ in range(3)] == [[str(number) for number in range(16)]] * 3
    assert asking.ask(QUESTION).text == "点什么？"


def test_cancelling_ends_the_request(openai_server: OpenAIServer, client: MakeClient) -> None:
    """A server with one answer at a time would otherwise go on for nobody."""
    openai_server.play(openai_server.Reply(ending="stall"), openai_server.says("好"))
    asking = client()

    async def impatient() -> str:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asking.ask_async(QUESTION), 0.3)
        return (await asking.ask_async(QUESTION)).text

    assert asyncio.run(impatient()) == "好"
    assert openai_server.left.get(timeout=120) == 0


def test_closing_a_client_ends_its_requests(openai_server: OpenAIServer, client: MakeClient) -> None:
    query = threading.Event()

    def replies(_: ReceivedRequest) -> Reply:
        query.set()
        return openai_server.Reply(ending="stall")

    openai_server.replies = replies
    asking = client()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(asking.ask, QUESTION)
        assert query.wait(120)
        asking.close()
        with pytest.raises(ModelError, match=": the end of the client"):
            waiting.result(20)
    with pytest.raises(UsageError, match="the client is closed"):
        asking.ask(QUESTION)


def test_an_asynchronous_request_ends_with_its_client(
    openai_server: OpenAIServer, client: MakeClient
) -> None:
    openai_server.play(openai_server.Reply(ending="stall"))

    async def closed_over() -> None:
        async with client() as asking:
            waiting = asyncio.create_task(asking.ask_async(QUESTION))
            while not openai_server.requests:
                await asyncio.sleep(0)
        with pytest.raises(ModelError, match=": the end of the client"):
            await waiting

    asyncio.run(closed_over())


def test_a_client_that_nobody_closes_leaves_no_thread(openai_server: OpenAIServer) -> None:
    def threads() -> int:
        return sum(thread.name == "fingertip-chat" for thread in threading.enumerate())

    before = threads()
    asking = ChatClient(ModelOptions(base_url=openai_server.base_url, model="tiny"))
    assert asking.ask(QUESTION).text == "好"
    assert threads() == before + 1
    del asking
    gc.collect()
    assert threads() == before
