from __future__ import annotations

import http.client
import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from execution_runner.scoring.success_labels import read_labels
from fingertip_analysis.review.success import SuccessPage, SuccessSession
from fingertip_dataset.errors import UsageError
from fingertip_runs.annotation import PageServer

DrawRun = Callable[..., Path]
Serve = Callable[..., Any]


class Client:
    """Client that sends requests with chosen headers to the page's server."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.port = parts.port or 0
        self.root = parts.path

    def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
            given = {"Host": f"127.0.0.1:{self.port}", "Content-Type": "application/json"}
            connection.putrequest(method, path, skip_host=True)
            for name, value in {**given, **(headers or {})}.items():
                connection.putheader(name, value)
            if content is not None and "Content-Length" not in (headers or {}):
                connection.putheader("Content-Length", str(len(content)))
            connection.endheaders(content)
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    def status(self, method: str, path: str, body: object = None, **headers: str) -> int:
        return self.ask(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})[
            0
        ].status

    def get(self, place: str) -> Any:  # noqa: ANN401 - JSON
        answer, content = self.ask("GET", self.root + place)
        assert answer.status == 200, content
        return json.loads(content)


@pytest.fixture
def client(drawn_run: DrawRun, serve: Serve) -> Client:
    return Client(serve(drawn_run("听稻香", "发消息"), rater=None).url)


def test_the_page_is_served_at_its_secret_address(client: Client) -> None:
    answer, content = client.ask("GET", client.root)
    assert answer.status == 200
    assert b"<!doctype html>" in content
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "http" not in policy
    assert (answer.headers["Referrer-Policy"], answer.headers["Cache-Control"]) == ("no-referrer", "no-store")
    assert client.ask("HEAD", client.root)[1] == b""


@pytest.mark.parametrize("path", ["/", "/wrong/", "/favicon.ico", "*", "//", "/%00/"])
def test_another_token_is_refused(client: Client, path: str) -> None:
    assert client.status("GET", path) == 403
    assert client.status("POST", f"{path}label/x", {"success": "yes"}) == 403


def test_the_token_is_long_and_new_each_time(drawn_run: DrawRun) -> None:
    with SuccessSession([drawn_run("听歌")]) as session:
        urls = []
        for _ in range(2):
            with PageServer(SuccessPage(session)) as server:
                urls.append(urlsplit(server.url).path)
    assert urls[0] != urls[1]
    assert min(map(len, urls)) >= 32


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1.evil.example:{port}"]
)
def test_another_host_is_refused(client: Client, host: str) -> None:
    assert client.status("GET", client.root, Host=host.format(port=client.port)) == 403
    assert client.status("POST", client.root + "finish", {}, Host=host.format(port=client.port)) == 403


@pytest.mark.parametrize(
    "lines",
    [
        "GET {root} HTTP/1.0",
        "GET {root} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example",
        "GET /é/ HTTP/1.1\r\nHost: 127.0.0.1:{port}",
        "GET http://[/ HTTP/1.1\r\nHost: 127.0.0.1:{port}",
    ],
)
def test_an_invalid_request_is_refused(client: Client, lines: str) -> None:
    with socket.create_connection(("127.0.0.1", client.port), timeout=120) as raw:
        raw.sendall(lines.format(root=client.root, port=client.port).encode() + b"\r\n\r\n")
        assert raw.recv(100).split()[1] in (b"400", b"403")


def test_another_sites_page_cannot_label(client: Client) -> None:
    place = f"{client.root}label/x?rater=anna"
    assert client.status("POST", place, {"success": "yes"}, Origin="http://evil.example") == 403
    assert client.status("POST", place, {"success": "yes"}, Content_Type="text/plain") == 415


@pytest.mark.parametrize(
    "place",
    ["../run.json", "..%2frun.json", "screen/{key}/../../run.json", "screen/{key}/-1", "screen/{key}/5",
     "screen/{key}/1.png", "screen/{key}/٣", "screen/{key}/99999999999", "screen/nobody/0", "page.html",
     "page.py", "labels.jsonl", "task/", "task/{key}/", "server.py", "way/nobody?rater=anna"],
)  # fmt: skip
def test_only_parts_of_the_page_are_served(client: Client, place: str) -> None:
    (key, *_) = (task["key"] for task in client.get("session?rater=anna")["tasks"])
    query = quote(place.format(key=key), safe="/?=%.")
    assert client.status("GET", client.root + query) == 404


def test_only_this_computer_is_served(drawn_run: DrawRun, serve: Serve) -> None:
    page = serve(drawn_run("听歌"))
    port = urlsplit(page.url).port
    # 127.0.0.0/8 is loopback: a server bound to all addresses would answer here
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port), timeout=5)


def test_a_picture_has_its_media_type_and_other_files_are_not_served(
    drawn_run: DrawRun, serve: Serve
) -> None:
    run = drawn_run("听歌")
    (run / "screens" / "1.png").write_text("<script>alert(1)</script>")
    (run / "screens" / "2.png").unlink()
    client = Client(serve(run).url)
    (task,) = client.get("session")["tasks"]
    answer, content = client.ask("GET", f"{client.root}screen/{task['key']}/0")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "image/png")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert content == (run / "screens" / "0.png").read_bytes()
    assert client.status("GET", f"{client.root}screen/{task['key']}/1") == 404
    assert client.status("GET", f"{client.root}screen/{task['key']}/2") == 404


def test_the_persons_trajectory_is_sent_after_the_success_label_to_this_rater_only(client: Client) -> None:
    (key, *_) = (task["key"] for task in client.get("session?rater=anna")["tasks"])
    assert "开始" not in json.dumps(client.get(f"task/{key}"), ensure_ascii=False)
    assert client.status("GET", f"{client.root}way/{key}?rater=anna") == 409
    assert client.status("POST", f"{client.root}label/{key}?rater=anna", {"success": "unsure"}) == 200
    assert client.get(f"way/{key}?rater=anna") == {
        "way": [{"en": "taps “开始”", "zh": "点击“开始”"}, {"en": "types “稻香”", "zh": "输入“稻香”"}]
    }
    assert client.status("GET", f"{client.root}way/{key}?rater=ben") == 409
    tasks = client.get("session?rater=ben")["tasks"]
    assert {task["label"] for task in tasks} == {None}


INVALID_ANNOTATIONS: tuple[object, ...] = (
    {}, {"success": "maybe"}, {"success": "yes", "rating": 6}, {"success": "yes", "rating": 0}, [], b"{", b"",
    {"success": "yes", "rater": "ben"}, {"success": "yes", "seconds": -1},
    {"success": "yes", "why": "x" * 2001}, b'{"success": "yes", "seconds": NaN}', b"\xff\xfe", b"[" * 20_000,
)  # fmt: skip


@pytest.mark.parametrize("annotation", INVALID_ANNOTATIONS, ids=lambda content: str(content)[:40])
def test_an_invalid_annotation_is_refused_and_not_stored(
    drawn_run: DrawRun, serve: Serve, annotation: object
) -> None:
    run = drawn_run("听歌")
    client = Client(serve(run).url)
    (task,) = client.get("session")["tasks"]
    answer, content = client.ask("POST", f"{client.root}label/{task['key']}?rater=anna", annotation)
    assert answer.status == 400
    assert json.loads(content)["error"].startswith("expected")
    assert read_labels(run) == ()


def test_a_large_body_is_refused_before_it_is_read(client: Client) -> None:
    place = f"{client.root}label/x?rater=anna"
    assert client.status("POST", place, b"", Content_Length=str(10**9)) == 413
    assert client.status("POST", place, b"", Content_Length="many") == 413


@pytest.mark.parametrize("sent", [b"", b"GET /", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"])
def test_a_reset_connection_prints_nothing(
    drawn_run: DrawRun, serve: Serve, capfd: pytest.CaptureFixture[str], sent: bytes
) -> None:
    served = serve(drawn_run("听稻香"))
    place = urlsplit(served.url)
    before = threading.active_count()
    for _ in range(5):
        with socket.create_connection((place.hostname, place.port), timeout=60) as client:
            client.sendall(sent)
            # closing with a linger time of 0 resets the connection
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert Client(served.url).status("GET", place.path) == 200
    end = time.monotonic() + 60
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert capfd.readouterr().err == ""


@pytest.mark.soak
def test_300_slow_connections_do_not_stop_the_page(client: Client) -> None:
    with ExitStack() as open_ones:
        for _ in range(300):
            slow = socket.create_connection(("127.0.0.1", client.port), timeout=60)
            open_ones.enter_context(slow)
            slow.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert client.status("GET", client.root) == 200
        assert client.status("GET", "/another/") == 403
    assert client.status("GET", client.root) == 200


def test_a_session_of_one_rater_refuses_other_raters(drawn_run: DrawRun, serve: Serve) -> None:
    run = drawn_run("听歌")
    client = Client(serve(run, rater=" anna ").url)
    assert client.get("session")["rater"] == "anna"
    (task,) = client.get("session")["tasks"]
    assert client.status("GET", client.root + "session?rater=ben") == 403
    assert client.status("POST", f"{client.root}label/{task['key']}?rater=ben", {"success": "yes"}) == 403
    assert client.status("POST", f"{client.root}label/{task['key']}?rater=judge:m", {"success": "yes"}) == 400
    assert read_labels(run) == ()


def test_a_port_in_use_is_a_one_line_error(drawn_run: DrawRun) -> None:
    with SuccessSession([drawn_run("听歌")]) as session, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} cannot be used"):
            PageServer(SuccessPage(session), port=port)
