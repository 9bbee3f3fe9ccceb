"""Shared fixtures: the real screens and a real browser, if available, and an OpenAI-compatible server."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from fingertip_models.chat.preflight import SMALL_TEXT
from tests.bound_process import end_with_this_process
from tests.examples import examples
from tests.shared_datasets import built_sample, shared_folder, simulated_people

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[1]

# collecting the tests makes objects that stay: looking for garbage among them takes half of its time
gc.disable()

GARBAGE = 20_000
"""Threshold of the garbage collector; the usual one takes a tenth of the time of a phone's tests."""

# each worker has a core: the threads that torch and numpy start for every other core wait in busy loops
os.environ.setdefault("OMP_NUM_THREADS", "1")

UNUSED_FEATURES = (
    # the popups of the address bar: two pages of the browser's own in each new window, which cost three times
    # what the page of the test does
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    # of Playwright's list, which this one replaces, what delays drawing, leads to https, or asks other hosts
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""What Chromium goes without."""

BROWSER_EVERY_TIME = "tests/fingertip_analysis/review/success/test_success_page.py"
"""Test file whose browser is started in every run; those of others are started by `make test-install`."""

OF_SOURCES = (
    "tests/test_architecture.py",
    "tests/test_declared_names.py",
    "tests/test_function_names.py",
    "tests/test_roots.py",
    "tests/test_vocabulary.py",
)
"""Test files that parse every source file: one worker has them all, and parses once."""

WITH_TORCH = (
    "tests/test_real_models.py",
    "tests/fingertip_models/test_local_limits.py",
    "studies/tests/fingertip_studies/test_learning.py",
    "frameworks/tests/fingertip_training/",
    "frameworks/tests/fingertip_environments/test_grpo.py",
    "frameworks/tests/fingertip_environments/test_trl_tools.py",
    "studies/tests/fingertip_studies/commands/test_experiment_training.py",
)

TRAIN = (
    "frameworks/tests/fingertip_environments/test_grpo.py",
    "frameworks/tests/fingertip_training/test_finetune.py",
    "frameworks/tests/fingertip_training/test_two_processes.py",
    "studies/tests/fingertip_studies/commands/test_experiment_training.py",
    "studies/tests/fingertip_studies/test_learning.py",
)
"""Test files that train models: they run with the installs."""

# no deadline: the time per example depends on the machine's load
hypothesis.settings.register_profile(
    "any load",
    deadline=None,
    max_examples=examples(100),
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("any load")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what trains a model or starts a browser as `install`, and begin the longest files.

    One page keeps its browser in every run. No worker still runs a long file when the others have finished.
    """
    for item in items:
        browses = "browser" in getattr(item, "fixturenames", ())
        if item.nodeid.startswith(TRAIN) or (browses and not item.nodeid.startswith(BROWSER_EVERY_TIME)):
            item.add_marker("install")
    items.sort(key=lambda item: item.get_closest_marker("early") is None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:  # noqa: ANN401 - xdist's
    """Gives a worker whole files, and one worker all files that import torch: the import takes seconds."""
    from xdist.scheduler.loadfile import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            for scope, files in (("torch", WITH_TORCH), ("sources", OF_SOURCES)):
                if nodeid.startswith(files):
                    return scope
            return str(super()._split_scope(nodeid))

    return Scheduling(config, log)


def pytest_collection_finish() -> None:
    """Turns the garbage collector on again, without the objects that stay, and less often than usual.

    Raises:
        UsageError: A test file imports torch or gradio on its import: every worker would spend seconds on it.
    """
    if early := {"gradio", "torch"} & set(sys.modules):
        raise pytest.UsageError(f"a test file imports {min(early)} at its top: import it within the tests")
    gc.freeze()
    # the layouts of a phone are many small objects, and hardly any are in cycles
    gc.set_threshold(GARBAGE)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def sigint_handler() -> None:
    """Restores the SIGINT handler: background jobs of a shell ignore Ctrl-C, and so would child processes."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def real_release() -> Path:
    """Folder with `raw/` and `tables/` of real screens in the layout of the release; skips without one."""
    folder = Path(os.environ.get("FINGERTIP_REAL_RELEASE", ROOT.parent / "shared" / "real_release"))
    if not (folder / "raw").is_dir():
        pytest.skip("no real release: set FINGERTIP_REAL_RELEASE to a folder with raw/ and tables/")
    return folder


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedRequest:
    """A request to the server.

    Attributes:
        number: Index of the request in the order of arrival, from 0.
        at: `time.monotonic` when it was read, seconds.
        body: Its JSON; None if the body is not JSON.
    """

    number: int
    at: float
    path: str
    headers: dict[str, str]
    body: Any

    @property
    def text(self) -> str:
        """Text of the last message; of several parts the last one with a text, as a picture may come last."""
        content = self.body["messages"][-1]["content"]
        if isinstance(content, str):
            return content
        return next(part["text"] for part in reversed(content) if "text" in part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The server's reply to a request.

    Attributes:
        body: Raw bytes, or an object sent as JSON.
        ending: "whole" sends all; "drop" closes the connection before the first byte, "cut" in the middle of
            the body; "stall" sends nothing and "dribble" a space every 20 ms, until the client disconnects or
            the test ends.
        apart_s: Seconds before each event of a stream.
    """

    body: Any = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    ending: str = "whole"
    apart_s: float = 0.0

    @property
    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


class OpenAIServer(ThreadingHTTPServer):
    """A real HTTP server on loopback with `/v1/chat/completions` and `/v1/embeddings`.

    `replies` returns the reply to each request; `play` sets a sequence of replies. All requests are in
    `requests`, and the numbers of those that stalled until the client disconnected in `left`.

    The client's own small requests (preflight, and the check after a failure) are in `small_requests`
    instead, and `small_replies` answers them. `models` is the reply to `GET /v1/models`, or returns it.
    """

    ReceivedRequest = ReceivedRequest
    Reply = Reply
    daemon_threads = False
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[ReceivedRequest] = []
        self.lock = threading.Lock()
        self.left: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.ended = threading.Event()
        self.connections: set[socket.socket] = set()
        self.replies: Callable[[ReceivedRequest], Reply] = lambda query: self.says("好")
        self.small_requests: list[ReceivedRequest] = []
        self.small_replies: Callable[[ReceivedRequest], Reply] = lambda query: self.says("OK")
        self.models: Reply | Callable[[], Reply] = Reply(status=404)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @staticmethod
    def says(text: object, *, usage: object = None, **message: object) -> Reply:
        """Reply with a chat completion; `usage=...` replaces the usage, other fields go into the message."""
        choice = {"index": 0, "finish_reason": "stop"}
        choice["message"] = {"role": "assistant", "content": text, **message}
        usage = {"prompt_tokens": 700, "completion_tokens": 20} if usage is None else usage
        body = {"id": "x", "object": "chat.completion", "created": 1, "model": "tiny-1"}
        return Reply(body={**body, "choices": [choice], "usage": usage})

    @staticmethod
    def streams(*deltas: Mapping[str, object], finish: str | None = "stop", usage: object = None) -> Reply:
        """Reply as server-sent events: a chunk per delta, then the finish reason, then the usage."""
        usage = {"prompt_tokens": 700, "completion_tokens": 20} if usage is None else usage
        head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "tiny-1"}
        chunks = [{**head, "choices": [{"index": 0, "delta": delta}]} for delta in deltas]
        chunks.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        chunks.append({**head, "choices": [], "usage": usage})
        lines = [json.dumps(chunk, ensure_ascii=False) for chunk in chunks]
        text = "".join(f"data: {line}\n\n" for line in (*lines, "[DONE]"))
        return Reply(body=text.encode(), headers={"content-type": "text/event-stream"})

    def qvq_max(
        self, query: ReceivedRequest, reasoning: str = "早上八点", text: str = "打开QQ音乐，听歌"
    ) -> Reply:
        """Reply as documented for QVQ-Max: streamed only, no system message, thinking first."""
        if not query.body.get("stream"):
            output = "This model only support stream mode, please enable the stream parameter"
            return Reply(status=400, body={"error": {"message": output}})
        if any(message["role"] == "system" for message in query.body["messages"]):
            return Reply(status=400, body={"error": {"message": "system role is not supported"}})
        assert query.body["stream_options"] == {"include_usage": True}
        thoughts = [{"content": None, "reasoning_content": part} for part in reasoning]
        return self.streams(*thoughts, *({"content": part, "reasoning_content": None} for part in text))

    def play(self, *replies: Reply) -> None:
        """Sends these replies in order, then repeats the last one."""
        self.replies = lambda query: replies[min(query.number, len(replies) - 1)]

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        with self.lock:
            self.connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401 - the base class uses Any
        with self.lock:
            self.connections.discard(request)
        super().shutdown_request(request)

    def end(self) -> None:
        """Closes all connections, including kept-alive ones, and waits for the threads."""
        self.ended.set()
        self.shutdown()
        with self.lock, contextlib.suppress(OSError):
            for connection in self.connections:
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    """Handler of one connection."""

    server: OpenAIServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.loads(content) if content else None
        headers = {name.lower(): value for name, value in self.headers.items()}
        small = SMALL_TEXT.encode() in content
        received = self.server.small_requests if small else self.server.requests
        with self.server.lock:
            query = ReceivedRequest(
                number=len(received), at=time.monotonic(), path=self.path, headers=headers, body=body
            )
            received.append(query)
        if self.path not in ("/v1/chat/completions", "/v1/embeddings"):
            self.send(Reply(status=404, body={"error": {"message": f"no route {self.path}"}}), query.number)
            return
        with contextlib.suppress(OSError):  # the client may have disconnected
            replies = self.server.small_replies if small else self.server.replies
            self.send(replies(query), query.number)

    def do_GET(self) -> None:
        with contextlib.suppress(OSError):
            models = self.server.models
            listed = models() if callable(models) else models
            self.send(listed if self.path == "/v1/models" else Reply(status=404), 0)

    def send(self, reply: Reply, number: int) -> None:
        if reply.ending == "stall" and not self.connection.recv(1, socket.MSG_PEEK):
            self.server.left.put(number)
        if reply.ending in ("stall", "drop"):
            self.close_connection = True
            return
        self.send_response(reply.status)
        headers = {"content-type": "application/json", **reply.headers}
        # each event of a slow stream ends with a blank line, the last one too
        length = 1_000_000 if reply.ending == "dribble" else len(reply.content) + 2 * (reply.apart_s > 0)
        for name, value in {**headers, "content-length": str(length)}.items():
            self.send_header(name, value)
        self.end_headers()
        while reply.ending == "dribble" and not self.server.ended.wait(0.02):
            self.wfile.write(b" ")
        self.close_connection = reply.ending in ("cut", "dribble")
        content = reply.content[: len(reply.content) // 2] if reply.ending == "cut" else reply.content
        for event in content.split(b"\n\n") if reply.apart_s else ():
            self.server.ended.wait(reply.apart_s)
            self.wfile.write(event + b"\n\n")
        self.wfile.write(b"" if reply.apart_s else content)

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing: `requests` has all requests."""


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset built from the drawn sample: twelve tasks of track 1."""
    return built_sample(tmp_path_factory)


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset of two simulated people with eight episodes each."""
    return simulated_people(tmp_path_factory) / "dataset"


@pytest.fixture(scope="session")
def english_people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset of two simulated people who speak English, with five episodes each."""
    return simulated_people(tmp_path_factory, episodes=5, seed=2, locales=("en",)) / "dataset"


@pytest.fixture
def openai_server() -> Iterator[OpenAIServer]:
    """An OpenAI-compatible server that answers 好 by default."""
    server = OpenAIServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.end()
    thread.join()


StartServers = Callable[[int], list[OpenAIServer]]


@pytest.fixture
def start_servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[StartServers]:
    """Servers that answer with their own number."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with contextlib.ExitStack() as stack:

        def start(count: int) -> list[OpenAIServer]:
            servers = [OpenAIServer() for _ in range(count)]
            for number, server in enumerate(servers):
                thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
                thread.start()
                stack.callback(thread.join)
                stack.callback(server.end)
                server.replies = lambda query, number=number: OpenAIServer.says(str(number))
            return servers

        yield start


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Function from an architecture, qwen2_5_vl or qwen3_vl, to the folder of a tiny random vision model."""

    def tiny_model(architecture: str) -> Path:
        from tests.tiny_models import write_model

        return shared_folder(tmp_path_factory, architecture, lambda folder: write_model(architecture, folder))

    return tiny_model


@pytest.fixture(scope="session")
def text_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a tiny random model of text, whose tokenizer has few tokens for prompts of both tracks."""

    def make(folder: Path) -> None:
        from fingertip_training import ExportOrder, export_samples
        from tests.tiny_models import texts_of, write_text_model

        dataset, export = simulated_people(tmp_path_factory) / "dataset", folder / "export"
        export_samples(dataset, export, ExportOrder(track="joint", agent="autodroid", episodes=2))
        write_text_model(folder, texts_of(export))
        shutil.rmtree(export)

    return shared_folder(tmp_path_factory, "qwen3-text", make)


@dataclass(frozen=True, slots=True, kw_only=True)
class RealServer:
    """`transformers serve`, and the name of the model it serves."""

    base_url: str
    model: str


@pytest.fixture(scope="session")
def transformers_server(
    tiny_models: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealServer]:
    """A real OpenAI-compatible server; takes 10 to 20 seconds to start, so all its tests are in one file."""
    model, home = tiny_models("qwen2_5_vl"), tmp_path_factory.mktemp("huggingface")
    (home / "hub").mkdir()  # without it, the list of models is a status 500
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = dict(os.environ, HF_HOME=str(home), HF_HUB_OFFLINE="1", OMP_NUM_THREADS="1")
    call = [str(Path(sys.executable).with_name("transformers")), "serve", str(model), "--trust-remote-code"]
    log = home / "serve.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            end_with_this_process([*call, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]),
            env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
        )  # fmt: skip
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}/health", process, log)
        yield RealServer(base_url=f"http://127.0.0.1:{port}/v1", model=str(model))
    finally:
        process.terminate()
        process.wait(120)


def wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path, seconds: float = 500) -> None:
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310
            assert answer.status == 200
            return
        output = log.read_text(errors="replace")[-3000:]
        assert process.poll() is None, f"the server ended with {process.returncode}: {output}"
        assert time.monotonic() < deadline, f"no server after {seconds} s: {output}"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real headless Chromium; skips if it is not installed.

    Module-scoped, because `asyncio.run` fails in all other tests while Playwright runs.
    """
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no browser: put chromium on the PATH")
    quiet = ["--disable-background-networking", "--disable-component-update", "--no-first-run"]
    unused = f"--disable-features={','.join(UNUSED_FEATURES)}"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu", *quiet, unused]
        )
        yield chromium
        chromium.close()
