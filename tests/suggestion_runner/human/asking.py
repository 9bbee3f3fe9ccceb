"""Helpers that serve a session's page in this process and send requests to it."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fingertip_runs.annotation import PageServer
from suggestion_runner.human import HumanPage, HumanSession


@contextmanager
def answering(session: HumanSession, *raters: str) -> Iterator[str]:
    """Serves the session's page; yields its address."""
    with PageServer(HumanPage(session, raters=raters)) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            yield server.url
        finally:
            server.stop()
            thread.join()


def ask(url: str, body: object = None) -> tuple[int, Any]:
    """Sends a request, GET without a body; returns status and JSON of the response."""
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, content, {"Content-Type": "application/json"})  # noqa: S310 - loopback
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310 - http on loopback
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())
