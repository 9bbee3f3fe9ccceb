"""A Hub on loopback with a submissions repo and a model's repo, and verified bundles to push."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from board.tests.fingertip_leaderboard.hub_server import Hub
from fingertip_leaderboard import verify_bundle
from fingertip_leaderboard.hub.verified import Verified

TOKEN = "hf_" + "s3cretS3cret" * 3


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A Hub whose token is in the environment, which holds nothing of the real Hub."""
    from huggingface_hub.utils import close_session

    monkeypatch.setenv("HF_TOKEN", TOKEN)
    server = Hub(TOKEN)
    server.new_repo("dataset", "board/submissions")
    server.new_repo("model", "xiaohong/agent-7b")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    close_session()
    server.end()
    thread.join()


@pytest.fixture
def verified(workshop: Workshop, tmp_path: Path) -> Callable[[str], Verified]:
    """The verified bundle of an honest run, by its name in the workshop."""

    def made(seed: str) -> Verified:
        place = workshop.parts(seed).write(tmp_path / seed)
        return Verified.of(verify_bundle(place, workshop.dataset_of(seed)))

    return made
