"""Faults in docs/servers.md are shown with what `execute` prints, against a scripted server of each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from fingertip_cli.main import cli
from tests.page_blocks import ROOT, blocks
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

SHOWN = {block.file: block.text for block in blocks(ROOT / "docs/servers.md") if block.language == "text"}
DONE = {"action": "terminate", "status": "success"}
CALL = f"<tool_call>\n{json.dumps({'name': 'mobile_use', 'arguments': DONE})}\n</tool_call>"
XML = (
    "<tool_call>\n<function=mobile_use>\n<parameter=action>\nterminate\n</parameter>\n"
    "<parameter=status>\nsuccess\n</parameter>\n</function>\n</tool_call>"
)


def says(text: object, **message: object) -> Callable[[OpenAIServer], None]:
    """Function that has a server answer so."""

    def play(server: OpenAIServer) -> None:
        server.play(server.says(text, **message))

    return play


def load(server: OpenAIServer) -> None:
    """Refuse the first request while the model is loaded."""
    ready = server.says("OK")
    body = {"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}
    replies = [ready, Reply(status=503, body=body, headers={"retry-after": "0.05"})]
    server.small_replies = lambda query: replies.pop() if len(replies) > 1 else ready
    server.play(server.says(CALL))


def serve_one_name(server: OpenAIServer) -> None:
    server.models = Reply(body={"object": "list", "data": [{"id": "tiny-1"}]})
    server.play(server.says(CALL))


def write_slowly(server: OpenAIServer) -> None:
    """Take longer than the time of an answer, and show each token in a stream."""
    parts = [CALL[at : at + 10] for at in range(0, len(CALL), 10)]

    def reply(query: ReceivedRequest) -> Reply:
        if query.body.get("stream"):
            return replace(server.streams(*({"content": part} for part in parts)), apart_s=0.15)
        server.ended.wait(1.5)
        return server.says(CALL)

    server.replies = reply


FAULTS: dict[str, tuple[Callable[[OpenAIServer], None], tuple[str, ...]]] = {
    "reasoning": (says("", reasoning_content="The song is in the app. I should tap its icon."), ()),
    "tool_calls": (
        says(None, tool_calls=[{"function": {"name": "mobile_use", "arguments": json.dumps(DONE)}}]),
        (),
    ),
    "xml": (says(XML), ()),
    "prose": (says("I would open the app and look for the song."), ()),
    "loading": (load, ()),
    "name": (serve_one_name, ("--model", "my-qwen")),
    "slow": (write_slowly, ("--timeout", "1")),
}


@pytest.mark.parametrize(
    "fault",
    # a slow answer takes seconds
    [pytest.param(fault, marks=pytest.mark.install) if fault == "slow" else fault for fault in FAULTS],
)
def test_a_fault_of_a_server_is_told(
    people: Path, openai_server: OpenAIServer, tmp_path: Path, fault: str
) -> None:
    play, options = FAULTS[fault]
    play(openai_server)
    call = ("--agent", "qwen2.5-vl", "--model", "tiny-1", "--base-url", openai_server.base_url)
    device = ("--device", "replay", "--split", "train", "--limit", "2", "--reference", "none")
    out = tmp_path / "run"
    done = CliRunner().invoke(
        cli, ("execute", str(people), *call, *device, "--out", str(out), *options), standalone_mode=False
    )
    lines = [line for line in done.output.splitlines() if line]
    # the console script prints an error so
    lines += [f"fingertip: {done.exception}"] if done.exception else []
    # a slow machine adds the time
    lines = [re.sub(r", \d+ s so far", "", line) for line in lines]
    text = "\n".join(lines).replace(str(out), "runs/qwen").replace(openai_server.base_url, "URL")
    assert re.sub(r"episode \d+__\w+", "episode 1001__20250304_151945", text) + "\n" == SHOWN.get(fault)


def test_every_fault_is_shown() -> None:
    assert list(SHOWN) == list(FAULTS)
