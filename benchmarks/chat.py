"""Cost of queries through ChatClient: seconds beside the openai SDK, CPU time beside bare aiohttp as well.

A server in a separate process answers each request after a fixed latency, any number concurrently; its own
time is queries / in flight x latency. Each client sends from one event loop, behind a semaphore, alternating
with the other clients. Queries have the size of track 1 (about 700 tokens); in the second tables each also
has a screenshot. The key is one of usual length, so that answers are masked.

CPU time is that of the client's process, in short rounds that alternate between the clients: its ratios hold
on a busy machine too. Bare aiohttp sends the same JSON and parses the answer, without limits, masking,
retries or a typed result.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import operator
import os
import resource
import statistics
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import openai
from openai import DefaultAioHttpClient
from PIL import Image

from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions

QUERIES = 1000
IN_FLIGHT = 32
LATENCY_S = 0.5
ROUNDS = 2
CPU_QUERIES, CPU_ROUNDS, CPU_LATENCY_S = 150, 9, 0.02
KEY = "sk-proj-" + "Ab3dEf6hIj9LmN0p" * 3
REPLY = json.dumps(
    {
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "打开微信"}}
        ],
        "usage": {"prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720},
    }
).encode()
ANSWER = (
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(REPLY) + REPLY
)
TEXT = "用户昨天在早上八点点了一杯咖啡。" * 45
Ask = Callable[[], Awaitable[object]]


async def serve(latency_s: float) -> None:
    """Answers every request after a fixed latency; prints the port."""

    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
                await reader.readexactly(length)
                await asyncio.sleep(latency_s)
                writer.write(ANSWER)
        writer.close()

    server = await asyncio.start_server(connection, "127.0.0.1", 0, limit=1 << 24, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def measure(ask: Ask, queries: int, in_flight: int) -> tuple[float, float]:
    """Seconds and CPU seconds for all queries, after a warm-up that opens the connections."""
    gate = asyncio.Semaphore(in_flight)

    async def one() -> None:
        async with gate:
            await ask()

    await asyncio.gather(*(one() for _ in range(in_flight)))
    start, cpu_start = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one() for _ in range(queries)))
    return time.perf_counter() - start, time.process_time() - cpu_start


def make_body(picture: bytes | None) -> dict[str, Any]:
    """The JSON of a query, as ChatClient sends it."""
    content: object = TEXT
    if picture is not None:
        url = f"data:image/jpeg;base64,{b64encode(picture).decode()}"
        content = [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": TEXT}]
    messages = [{"role": "user", "content": content}]
    return {"model": "m", "messages": messages, "temperature": 0, "max_tokens": 8192}


@asynccontextmanager
async def open_clients(url: str, picture: bytes | None) -> AsyncIterator[dict[str, Ask]]:
    """One function for each client that sends a query."""
    # brought by datasets, and only a yardstick
    import aiohttp

    client = ChatClient(ModelOptions(base_url=url, model="m"))
    sdk = openai.AsyncOpenAI(base_url=url, timeout=120, max_retries=0)
    fast = openai.AsyncOpenAI(base_url=url, timeout=120, max_retries=0, http_client=DefaultAioHttpClient())
    session = aiohttp.ClientSession(headers={"Authorization": f"Bearer {KEY}"})
    images = () if picture is None else (picture,)

    async def ask_bare() -> object:
        async with session.post(f"{url}/chat/completions", json=make_body(picture)) as response:
            return json.loads(await response.read())

    try:
        yield {
            "bare aiohttp": ask_bare,
            "SDK over aiohttp": lambda: fast.chat.completions.create(**make_body(picture)),
            "openai SDK": lambda: sdk.chat.completions.create(**make_body(picture)),
            "ChatClient": lambda: client.ask_async([Message(role="user", text=TEXT, images=images)]),
        }
    finally:
        await client.aclose()
        await sdk.close()
        await fast.close()
        await session.close()


async def compare_cpu(url: str, picture: bytes | None, options: argparse.Namespace) -> None:
    """Prints each client's CPU time of a query, and the medians of its ratios to the first two."""
    times: dict[str, list[float]] = {}
    async with open_clients(url, picture) as clients:
        for _ in range(options.cpu_rounds):
            for name, ask in clients.items():
                _, cpu_s = await measure(ask, options.cpu_queries, options.in_flight)
                times.setdefault(name, []).append(cpu_s / options.cpu_queries)
    print(f"{'CPU time of a query':20}{'ms':>8}{'x bare aiohttp':>18}{'x SDK over aiohttp':>20}", flush=True)
    for name, seconds in times.items():
        ratios = [
            statistics.median(map(operator.truediv, seconds, times[base]))
            for base in ("bare aiohttp", "SDK over aiohttp")
        ]
        print(
            f"{name:20}{statistics.median(seconds) * 1000:8.2f}{ratios[0]:18.2f}{ratios[1]:20.2f}", flush=True
        )


async def compare(url: str, picture: bytes | None, options: argparse.Namespace) -> None:
    """Prints each client's median seconds and ratio to the server's own time."""
    times: dict[str, list[float]] = {"openai SDK": [], "ChatClient": []}
    async with open_clients(url, picture) as clients:
        for _ in range(options.rounds):
            for name, seconds in times.items():
                seconds.append((await measure(clients[name], options.queries, options.in_flight))[0])
    own = -(-options.queries // options.in_flight) * options.latency
    print(f"{'the server alone':20}{own:8.2f} s   1.00", flush=True)
    for name, seconds in times.items():
        median = statistics.median(seconds)
        print(f"{name:20}{median:8.2f} s{median / own:7.2f}", flush=True)


def screenshot() -> bytes:
    """A noise JPEG of about 200 kB, the size of a 1080x2400 screenshot."""
    file = io.BytesIO()
    Image.frombytes("L", (480, 600), os.urandom(480 * 600)).save(file, "JPEG", quality=75)
    return file.getvalue()


@contextlib.contextmanager
def start_server(latency_s: float) -> Iterator[str]:
    """Base URL of a server in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.chat", "--serve", "--latency", str(latency_s)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None  # noqa: S101 - it is a pipe
        try:
            yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        finally:
            server.terminate()


def main() -> None:
    """Starts the server and compares, without and with a screenshot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--in-flight", type=int, default=IN_FLIGHT)
    parser.add_argument("--latency", type=float, default=LATENCY_S, help="seconds per response")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds in seconds; 0 for CPU time only")
    parser.add_argument("--cpu-queries", type=int, default=CPU_QUERIES)
    parser.add_argument("--cpu-rounds", type=int, default=CPU_ROUNDS)
    parser.add_argument("--serve", action="store_true", help="run the server only")
    options = parser.parse_args()
    if options.serve:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(serve(options.latency))
        return
    os.environ["OPENAI_API_KEY"] = KEY
    for picture in (None, screenshot()):
        size = "no picture" if picture is None else f"a picture of {len(picture) / 1000:.0f} kB"
        print(f"\n{options.cpu_queries} queries, {options.cpu_rounds} rounds, {size}")
        with start_server(CPU_LATENCY_S) as url:
            asyncio.run(compare_cpu(url, picture, options))
        if options.rounds:
            print(f"\n{options.queries} queries, {options.in_flight} in flight, {options.latency} s, {size}")
            with start_server(options.latency) as url:
                asyncio.run(compare(url, picture, options))
    print(f"\npeak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB")
    print("goals: ChatClient at most 1.10 x the server alone, and in CPU time without a picture at most")
    print("8.5 x bare aiohttp and 1.2 x the SDK over aiohttp")


if __name__ == "__main__":
    main()
