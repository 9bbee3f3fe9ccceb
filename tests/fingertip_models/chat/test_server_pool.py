"""Several servers of one model: where requests go, dead servers, and servers that differ."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset.errors import EndpointError, ModelError, PreflightError, UsageError
from fingertip_models import Message, ModelOptions
from fingertip_models.batch_files import BatchModel
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.chat.server_pool import ServerPool, open_servers
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply, StartServers

QUESTION = [Message(role="user", text="早")]


def open_pool(servers: list[OpenAIServer], notes: list[str] | None = None, **given: Any) -> ServerPool:  # noqa: ANN401
    first, *others = (server.base_url for server in servers)
    options = ModelOptions(base_url=first, further_urls=tuple(others), model="tiny", timeout_s=20)
    return ServerPool(options, backoff_s=0.01, on_note=(notes if notes is not None else []).append, **given)


def llama_cpp(weights: str, context: int = 2048) -> Reply:
    meta = {"n_ctx": context, "ftype": weights}
    return Reply(body={"data": [{"id": "tiny", "owned_by": "llamacpp", "meta": meta}]})


def kill(server: OpenAIServer) -> None:
    """No request is answered any more, not even a small one."""
    refusal = Reply(status=401, body={"error": "the key has expired"})
    server.replies = server.small_replies = lambda query: refusal


def test_concurrent_requests_are_spread_and_each_server_has_as_many(start_servers: StartServers) -> None:
    servers = start_servers(3)
    gate = threading.Barrier(9)

    def wait(query: ReceivedRequest) -> Reply:
        gate.wait(10)
        return OpenAIServer.says("好")

    for server in servers:
        server.replies = wait
    pool = open_pool(servers)

    async def ask_all() -> None:
        await asyncio.gather(*(pool.ask_async(QUESTION) for _ in range(9)))

    asyncio.run(ask_all())
    pool.close()
    assert [len(server.requests) for server in servers] == [3, 3, 3]


def test_a_slow_server_gets_fewer_requests(start_servers: StartServers) -> None:
    servers = start_servers(2)
    ended = threading.Event()

    def wait(query: ReceivedRequest) -> Reply:
        ended.wait(10)
        return OpenAIServer.says("slow")

    servers[0].replies = wait
    pool = open_pool(servers)
    slow = threading.Thread(target=pool.ask, args=(QUESTION,))
    slow.start()
    while not servers[0].requests:
        ended.wait(0.005)
    assert [pool.ask(QUESTION).text for _ in range(4)] == ["1"] * 4
    ended.set()
    slow.join()
    pool.close()


@pytest.mark.parametrize("ends", [False, True])
def test_a_dead_server_is_left_out_with_one_line(start_servers: StartServers, ends: bool) -> None:
    servers, notes = start_servers(2), []
    pool = open_pool(servers, notes, preflight=True)
    assert {pool.ask(QUESTION).text for _ in range(4)} == {"0", "1"}
    if ends:
        # nothing listens any more: such a server is asked once, not six times
        servers[0].end()
    else:
        kill(servers[0])
    assert [pool.ask(QUESTION).text for _ in range(6)] == ["1"] * 6
    assert len(notes) == 1
    assert notes[0].startswith(
        f"warning: {servers[0].base_url} is left out, the other servers answer: tiny at"
    )
    pool.close()


def test_requests_of_a_server_that_dies_go_to_the_others_at_once(start_servers: StartServers) -> None:
    servers, notes = start_servers(3), []
    pool = open_pool(servers, notes)

    async def ask_all() -> list[str]:
        return [
            answer.text for answer in await asyncio.gather(*(pool.ask_async(QUESTION) for _ in range(12)))
        ]

    kill(servers[1])
    assert sorted(set(asyncio.run(ask_all()))) == ["0", "2"]
    assert len(notes) == 1
    pool.close()


def test_all_dead_servers_are_an_endpoint_error_and_may_come_back(start_servers: StartServers) -> None:
    servers = start_servers(2)
    pool = open_pool(servers)
    for server in servers:
        kill(server)
    for _ in range(2):
        with pytest.raises(
            EndpointError, match=r"^tiny at http://127.0.0.1:\d+/v1 did not answer: status 401"
        ):
            pool.ask(QUESTION)
    servers[1].replies = servers[1].small_replies = lambda query: OpenAIServer.says("back")
    assert pool.ask(QUESTION).text == "back"
    pool.close()


def test_a_refused_request_is_no_reason_to_leave_a_server_out(start_servers: StartServers) -> None:
    servers, notes = start_servers(2), []
    for server in servers:
        server.replies = lambda query: Reply(status=400, body={"error": "no"})
    pool = open_pool(servers, notes)
    with pytest.raises(ModelError, match="status 400") as caught:
        pool.ask(QUESTION)
    assert not isinstance(caught.value, EndpointError)
    assert sum(len(server.requests) for server in servers) == 1
    assert not notes
    pool.close()


def test_preflight_checks_every_server_and_leaves_those_out_that_fail(start_servers: StartServers) -> None:
    servers, notes = start_servers(3), []
    servers[0].models = Reply(body={"data": [{"id": "a"}, {"id": "b"}]})
    pool = open_pool(servers, notes, preflight=True)
    pool.check()
    pool.check(picture=True)
    assert {pool.ask(QUESTION).text for _ in range(4)} == {"1", "2"}
    assert [len(server.small_requests) for server in servers] == [0, 2, 2]
    assert len(notes) == 1
    assert "no model tiny in its list, which has a, b" in notes[0]
    pool.close()


def test_preflight_fails_where_every_server_fails(start_servers: StartServers) -> None:
    servers, notes = start_servers(2), []
    for server in servers:
        kill(server)
    pool = open_pool(servers, notes, preflight=True)
    for _ in range(2):
        with pytest.raises(PreflightError, match="status 401"):
            pool.ask(QUESTION)
    pool.close()


def test_other_weights_are_refused_in_one_line(start_servers: StartServers) -> None:
    servers = start_servers(2)
    servers[0].models, servers[1].models = llama_cpp("Q4_1"), llama_cpp("Q8_0")
    pool = open_pool(servers, preflight=True)
    first, second = (server.base_url for server in servers)
    with pytest.raises(PreflightError) as caught:
        pool.ask(QUESTION)
    assert str(caught.value) == (
        f"tiny: the servers differ in weights: Q4_1 at {first}, Q8_0 at {second}; give --base-url of equal "
        "servers"
    )
    assert not any(server.requests for server in servers)
    pool.close()


def test_other_facts_are_noted_and_recorded_for_each_server(start_servers: StartServers) -> None:
    servers, notes = start_servers(2), []
    servers[0].models, servers[1].models = llama_cpp("Q4_1", 16384), llama_cpp("Q4_1", 32768)
    pool = open_pool(servers, notes, preflight=True)
    assert pool.software == {}
    pool.ask(QUESTION)
    first, second = (server.base_url for server in servers)
    assert notes == [f"note: tiny: the servers differ in context: 16384 at {first}, 32768 at {second}"]
    assert dict(pool.software) == {
        "server": "llama.cpp", "model": "tiny", "weights": "Q4_1",
        "server 1": f"{first}: llama.cpp, model tiny, weights Q4_1, context 16384",
        "server 2": f"{second}: llama.cpp, model tiny, weights Q4_1, context 32768",
    }  # fmt: skip
    pool.close()


def test_options_refuse_a_url_that_is_given_twice_and_too_many() -> None:
    with pytest.raises(UsageError, match=r"^the base URL http://a/v1 is given twice$"):
        ModelOptions(model="m", base_url="http://a/v1/", further_urls=("http://a/v1",))
    with pytest.raises(UsageError, match="expected at most 12 base URLs, got 13"):
        ModelOptions(
            model="m",
            base_url="http://a/v1",
            further_urls=tuple(f"http://a:{port}/v1" for port in range(1, 13)),
        )
    with pytest.raises(UsageError, match="expected a base URL"):
        ModelOptions(model="m", base_url="http://a/v1", further_urls=("b",))


def test_one_url_opens_a_plain_client(start_servers: StartServers) -> None:
    (server,) = start_servers(1)
    client = open_servers(ModelOptions(base_url=server.base_url, model="tiny"))
    assert isinstance(client, ChatClient)
    client.close()


def test_batch_files_have_one_provider(tmp_path: Path) -> None:
    options = ModelOptions(model="m", base_url="http://a/v1", further_urls=("http://b/v1",))
    with pytest.raises(UsageError, match="batch files go to one provider"):
        BatchModel(options, tmp_path)
