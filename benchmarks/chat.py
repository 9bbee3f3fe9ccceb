"""Seconds for 1,000 queries through ChatClient and the bare openai SDK, as ratios to the server's own time.

A server in a separate process answers each request after a fixed latency, any number concurrently; its own
time is queries / in flight x latency. Each client sends from one event loop, behind a semaphore, alternating
with the other client, in a process of its own. Queries have the size of track 1 (about 700 tokens); in the
second table each also has a screenshot.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Awaitable, Callable

import openai
from PIL import Image

from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions

QUERIES = 1000
IN_FLIGHT = 32
LATENCY_S = 0.5
ROUNDS = 2
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


async def measure(ask: Ask, queries: int, in_flight: int) -> float:
    """Seconds for all queries, after a warm-up that opens the connections."""
    gate = asyncio.Semaphore(in_flight)

    async def one() -> None:
        async with gate:
            await ask()

    await asyncio.gather(*(one() for _ in range(in_flight)))
    start = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(queries)))
    return time.perf_counter() - start


async def compare(url: str, picture: bytes | None, options: argparse.Namespace) -> None:
    """Prints each client's median seconds and ratio to the server's own time."""
    client = ChatClient(ModelOptions(base_url=url, model="m"))
    bare = openai.AsyncOpenAI(base_url=url, api_key="none", timeout=120, max_retries=0)
    images = () if picture is None else (picture,)

    def through_bare() -> Awaitable[object]:
        parts: list[dict[str, object]] = [
            {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{b64encode(image).decode()}"}}
            for image in images
        ]
        content = [*parts, {"type": "text", "text": TEXT}]
        return bare.chat.completions.create(
            model="m", messages=[{"role": "user", "content": content}], temperature=0, max_tokens=8192
        )

    def through_ours() -> Awaitable[object]:
        return client.ask_async([Message(role="user", text=TEXT, images=images)])

    times: dict[str, list[float]] = {"openai SDK": [], "ChatClient": []}
    for _ in range(options.rounds):
        times["openai SDK"].append(await measure(through_bare, options.queries, options.in_flight))
        times["ChatClient"].append(await measure(through_ours, options.queries, options.in_flight))
    await client.aclose()
    await bare.close()
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


def main() -> None:
    """Starts the server and compares, without and with a screenshot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--in-flight", type=int, default=IN_FLIGHT)
    parser.add_argument("--latency", type=float, default=LATENCY_S, help="seconds per response")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--serve", action="store_true", help="run the server only")
    options = parser.parse_args()
    if options.serve:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(serve(options.latency))
        return
    command = [sys.executable, "-m", "benchmarks.chat", "--serve", "--latency", str(options.latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None  # noqa: S101 - it is a pipe
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        try:
            for picture in (None, screenshot()):
                size = "no picture" if picture is None else f"a picture of {len(picture) / 1000:.0f} kB"
                print(
                    f"\n{options.queries} queries, {options.in_flight} in flight, {options.latency} s, {size}"
                )
                asyncio.run(compare(url, picture, options))
        finally:
            server.terminate()
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB")
    print("goal: ChatClient at most 1.10 x the server alone")


if __name__ == "__main__":
    main()
