"""Time and tokens per query, and the note about them."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_metrics.embedders import get_embedder
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from fingertip_runs.run_record import Session
from suggestion_runner import notes, read_predictions, read_run, run_suggestions, score_run
from suggestion_runner.per_query import per_query
from suggestion_runner.scoring import scores_dict
from tests.shared_fixtures import OpenAIServer


def test_each_model_call_counts_as_a_query(run: Path) -> None:
    lines = [
        line.model_copy(
            update={"calls": calls, "time_s": seconds, "prompt_tokens": 100, "completion_tokens": 20}
        )
        for line, calls, seconds in zip(
            read_predictions(run), (2, 1, 1, 1), (4.0, 1.0, 6.0, 3.0), strict=True
        )
    ]
    found = per_query(read_run(run), lines)
    assert (found.queries, found.seconds, found.tokens) == (5, 14 / 5, 480 / 5)
    # seconds per query of the four tasks: 2, 1, 6 and 3
    assert found.median_seconds == 2.5
    assert found.saying() == (
        "Seconds and tokens are means of 5 queries. Seconds run from the request to the last byte of the "
        "answer, with the wait in the server's queue; repeated requests are left out; median 2.5 s; how many "
        "ran at once is not known"
    )


def test_without_a_model_a_task_counts_as_a_query_without_a_note(run: Path) -> None:
    found = per_query(read_run(run), read_predictions(run))
    assert (found.queries, found.tokens, found.model, found.concurrency) == (4, 0, False, None)
    assert found.saying() == ""


def test_unknown_usage_stays_unknown(run: Path) -> None:
    lines = [line.model_copy(update={"time_s": 0.0, "calls": 1}) for line in read_predictions(run)]
    lines[0] = lines[0].model_copy(update={"prompt_tokens": None})
    found = per_query(read_run(run), lines)
    assert (found.seconds, found.median_seconds, found.tokens, found.saying()) == (None, None, None, "")


@pytest.mark.parametrize(
    ("concurrency", "output"),
    [
        (8, "measured with up to 8 at once: --concurrency 1 in a new run measures without a queue"),
        (1, "measured one at a time"),
    ],
)
def test_a_run_records_its_concurrency(
    small_dataset: Path, tmp_path: Path, openai_server: OpenAIServer, concurrency: int, output: str
) -> None:
    options = ModelOptions(base_url=openai_server.base_url, model="m")
    with closing(ChatClient(options)) as client:
        run_suggestions(small_dataset, ModelSuggester(client), tmp_path / "run", concurrency=concurrency)
    scores = score_run(tmp_path / "run", embedder=get_embedder("lexical"))
    assert scores.per_query.concurrency == concurrency
    assert scores_dict(scores)["per_query"]["tokens"] == 720
    (line,) = [line for line in notes([scores]) if line.startswith("Seconds and tokens")]
    assert output in line


def test_a_session_without_concurrency_is_written_in_the_old_form() -> None:
    session = Session.now()
    assert "concurrency" not in json.loads(session.model_dump_json())
    assert Session.model_validate_json(session.model_dump_json()) == session


@pytest.mark.parametrize(
    ("history", "settings", "words"),
    [
        ("20", {}, None),
        ("relevant", {}, "queries by which the model itself picks earlier intents are counted"),
        ("relevant", {"history_model": {"model": "p"}}, "which picks earlier intents, are left out"),
    ],
)
def test_the_note_states_whether_selection_calls_are_counted(
    run: Path, history: str, settings: dict[str, object], words: str | None
) -> None:
    record = read_run(run)
    agent = record.agent.model_copy(update={"settings": {"model": "m", **settings}})
    lines = [line.model_copy(update={"calls": 1, "time_s": 1.0}) for line in read_predictions(run)]
    reply = per_query(record.model_copy(update={"history": history, "agent": agent}), lines).saying()
    assert ("picks earlier intents" in reply) == (words is not None)
    assert words is None or words in reply
