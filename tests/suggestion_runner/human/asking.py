"""A session of people answering tasks, with its page served in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from suggestion_runner.human import HumanPage, HumanSession
from tests.served_page import serve_page


@contextmanager
def answering(session: HumanSession, *raters: str) -> Iterator[str]:
    """Serve the session's page; yields its address."""
    with serve_page(HumanPage(session, raters=raters)) as (server, _):
        yield server.url
