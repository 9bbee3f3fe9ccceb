"""The inspector against a scripted HTTP server: what it is shown, strict parsing, tokens, cost and cache."""

from __future__ import annotations

import base64
import io
import json
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fingertip_dataset.errors import EndpointError
from fingertip_dataset.parquet.build import build
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from fingertip_models.prices import Prices
from fingertip_models.responses import Cached
from fingertip_privacy import FindPlace, ScanReport, decide_finds, read_finds, read_report
from fingertip_privacy.finds import write_report
from fingertip_privacy.inspection.inspector import ANSWERS, ask_inspector, inspect, read_inspection
from privacy.tests.fingertip_privacy.review.conftest import EPISODE, SIZE, Reviewed
from privacy.tests.fingertip_privacy.review.conftest import reviewed as reviewed

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

PRICES = Prices(prompt=2, completion=10, currency="CNY")
NAMED = {"picture": 1, "kind": "name", "text": "王芳", "reason": "a contact", "box": [100, 200, 500, 250]}


def found(*finds: dict[str, Any]) -> str:
    return json.dumps({"finds": finds}, ensure_ascii=False)


def inspected(report: Path, source: Path, server: OpenAIServer, **options: Any) -> ScanReport:  # noqa: ANN401
    with ChatClient(ModelOptions(model="seer", base_url=server.base_url, retries=0)) as client:
        cached = Cached(client, ask_inspector(report))
        try:
            return inspect(report, source, cached, prices=PRICES, concurrency=2, **options)
        finally:
            cached.close()


def pictures_of(query: ReceivedRequest) -> list[tuple[int, int]]:
    """Sizes of the pictures of a request."""
    sizes = []
    for part in query.body["messages"][-1]["content"]:
        if part["type"] == "image_url":
            content = base64.b64decode(part["image_url"]["url"].partition(",")[2])
            with Image.open(io.BytesIO(content)) as image:
                sizes.append(image.size)
    return sizes


def test_the_ends_of_each_episode_are_shown_and_finds_are_in_pixels(
    reviewed: Reviewed, openai_server: OpenAIServer
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        if SIZE not in pictures_of(query):
            return openai_server.says(["I see nothing private.", found()][query.number % 2])
        return openai_server.says(
            f"```json\n{found(NAMED, NAMED | {'picture': 2, 'box': None, 'kind': 'face'})}\n```"
        )

    openai_server.replies = reply
    earlier = [*read_finds(reviewed.report)]
    record = inspected(reviewed.report, reviewed.raw, openai_server)
    assert all(len(pictures_of(query)) == 2 for query in openai_server.requests)
    episodes = len(openai_server.requests)
    one = record.inspection
    assert (one.episodes, one.screenshots, one.flagged, one.finds) == (episodes, 2 * episodes, 1, 2)
    plain = [query for query in openai_server.requests if SIZE not in pictures_of(query)]
    assert one.malformed == sum(query.number % 2 == 0 for query in plain)
    assert (one.prompt_tokens, one.completion_tokens) == (700 * episodes, 20 * episodes)
    assert one.cost == pytest.approx((700 * 2 + 20 * 10) * episodes / 1e6)
    assert (one.settings["model"], one.prompt["version"], one.cached) == ("seer", "1", 0)
    assert read_report(reviewed.report) == record
    *before, name, face = read_finds(reviewed.report)
    assert before == earlier
    assert (name.box, name.step, name.place) == ((27, 120, 135, 150), 0, FindPlace.SCREENSHOT)
    assert name.file.startswith(f"{EPISODE}/Screenshots/")
    assert name.why == "inspector seer@1, approximate box: a contact"
    assert (face.box, face.step, face.episode) == (None, 1, name.episode)
    assert [*decide_finds(reviewed.report)][-1] == face

    again = inspected(reviewed.report, reviewed.raw, openai_server)
    assert len(openai_server.requests) == episodes, "the same call asks nothing again"
    assert again.inspection.cached == episodes
    assert [*read_finds(reviewed.report)] == [*before, name, face], "and adds nothing twice"
    assert stat.S_IMODE((reviewed.report / ANSWERS).stat().st_mode) == 0o600


def test_a_built_dataset_is_inspected_row_by_row(
    reviewed: Reviewed, tmp_path: Path, openai_server: OpenAIServer
) -> None:
    build(reviewed.raw, tmp_path / "dataset", tables=reviewed.raw.parent / "tables")
    record = read_report(reviewed.report).model_copy(update={"source_kind": "dataset"})
    write_report(reviewed.report, record)
    openai_server.play(openai_server.says(found(NAMED | {"box": None})))
    steps: list[tuple[int, int]] = []
    made = inspected(
        reviewed.report, tmp_path / "dataset", openai_server, on_progress=lambda *now: steps.append(now)
    )
    episodes = len(openai_server.requests)
    assert steps == [(number, episodes) for number in range(episodes + 1)]
    assert made.inspection.flagged == episodes
    new = [find for find in read_finds(reviewed.report) if find.why.startswith("inspector ")]
    assert {find.file.rpartition(".")[2] for find in new} == {"parquet"}
    assert len({find.episode for find in new}) == episodes


def test_a_refused_episode_is_counted_and_a_dead_server_stops(
    reviewed: Reviewed, openai_server: OpenAIServer
) -> None:
    refusal = openai_server.Reply(status=400, body={"error": {"message": "content policy"}})
    openai_server.replies = lambda query: (
        refusal if SIZE in pictures_of(query) else openai_server.says(found())
    )
    record = inspected(reviewed.report, reviewed.raw, openai_server)
    assert (record.inspection.failed, record.inspection.finds) == (1, 0)
    before = (reviewed.report / "finds.jsonl").read_bytes()
    (reviewed.report / ANSWERS).unlink()
    openai_server.replies = openai_server.small_replies = lambda query: openai_server.Reply(status=500)
    with pytest.raises(EndpointError, match="the same call goes on"):
        inspected(reviewed.report, reviewed.raw, openai_server)
    assert (reviewed.report / "finds.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Nothing is private.",
        '{"finds": null}',
        f"Here: {found()}",
        found(NAMED | {"picture": 3}),
        found(NAMED | {"picture": 2}),
        found(NAMED | {"picture": "1"}),
        found(NAMED | {"kind": "password"}),
        found(NAMED | {"reason": ""}),
        found(NAMED | {"box": [500, 200, 100, 250]}),
        found(NAMED | {"box": [0, 0, 1001, 10]}),
        found(NAMED | {"box": [0.1, 0, 0.5, 1]}),
        found(NAMED | {"score": 1}),
        found({name: part for name, part in NAMED.items() if name != "text"}),
        found(*[NAMED] * 51),
    ],
)
def test_an_answer_in_another_form_brings_no_find(text: str) -> None:
    assert read_inspection(text, pictures=1) is None


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    assert read_inspection(text, pictures=2) in (None, ())
