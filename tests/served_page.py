"""A page for people served in this process, and requests to it."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fingertip_runs.annotation import AnnotationPage, PageServer


@contextmanager
def serve_page(page: AnnotationPage[Any]) -> Iterator[tuple[PageServer, threading.Thread]]:
    """Serve a page until the context ends; yields its server and the thread, which ends with the session."""
    with PageServer(page) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            yield server, thread
        finally:
            server.stop()
            thread.join()


def ask(url: str, body: object = None, **headers: str) -> tuple[int, Any]:
    """Send a request, GET without a body; returns status and JSON of the response."""
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(  # noqa: S310 - http on loopback
        url, data=content, headers={"Content-Type": "application/json", **headers}
    )
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310 - http on loopback
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())
