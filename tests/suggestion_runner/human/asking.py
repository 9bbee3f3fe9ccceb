"""A session's page served in this process, and calls to it."""

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
    """The address of the session's page while it is served."""
    with PageServer(HumanPage(session, raters=raters)) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            yield server.url
        finally:
            server.stop()
            thread.join()


def ask(url: str, body: object = None) -> tuple[int, Any]:
    """Status and JSON of an answer; GET without a body."""
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, content, {"Content-Type": "application/json"})  # noqa: S310 - loopback
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310 - http on loopback
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())
