"""Runs with a model behind a real server: concurrency, failing requests, and any model output."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_dataset.errors import AllTasksFailedError, EndpointError, ModelError, UsageError
from fingertip_metrics.embedders import get_embedder
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.chat.server_facts import NOT_CHECKED
from fingertip_models.options import ModelOptions
from fingertip_models.prices import Prices
from fingertip_models.responses import Cached
from suggestion_runner import RunOutcome, read_predictions, read_run, run_suggestions, score_run
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

TASKS = 12
PRICES = Prices(prompt=10, completion=100, currency="CNY")
Run = Callable[..., RunOutcome]


@pytest.fixture
def run(sample_dataset: Path, openai_server: OpenAIServer, tmp_path: Path) -> Run:
    """Function that starts or resumes the run in tmp_path/run; with `cache`, the file of a response cache."""

    def call(
        *,
        timeout_s: float = 30,
        cache: Path | None = None,
        agent: dict[str, Any] | None = None,
        **shown_text: Any,  # noqa: ANN401 - as `run_suggestions` has them
    ) -> RunOutcome:
        options = ModelOptions(base_url=openai_server.base_url, model="m", timeout_s=timeout_s)
        client = ChatClient(options, backoff_s=0.01)
        model = Cached(client, cache) if cache else client
        try:
            suggester = ModelSuggester(model, **(agent or {}))
            return run_suggestions(
                sample_dataset, suggester, shown_text.pop("out", tmp_path / "run"), **shown_text
            )
        finally:
            model.close()

    return call


def test_a_log_line_holds_output_tokens_and_time(
    run: Run, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    output = '{"intent": "打开微信"}\ud83d'
    openai_server.replies = lambda query: openai_server.says(output, reasoning_content="想\ud83d")
    shown_text: list[tuple[int, int]] = []
    costs: list[float] = []
    outcome = run(prices=PRICES, on_progress=lambda *done: shown_text.append(done), on_cost=costs.append)
    lines = read_predictions(tmp_path / "run")
    assert {line.predicted_intent for line in lines} == {"打开微信"}
    assert {(line.output, line.reasoning) for line in lines} == {('{"intent": "打开微信"}\ufffd', "想\ufffd")}
    assert {(line.outcome, line.calls, line.cached) for line in lines} == {("wrapped", 1, False)}
    assert all(line.time_s > 0 for line in lines)
    assert shown_text == [(number, TASKS) for number in range(TASKS + 1)]
    # 700 prompt tokens and 20 completion tokens per task
    assert costs == pytest.approx([number * 0.009 for number in range(TASKS + 1)])
    assert outcome.bill.cost == pytest.approx(TASKS * 0.009)
    assert outcome.outcomes == {"wrapped": TASKS}
    record = read_run(tmp_path / "run")
    assert record.prices == PRICES
    assert record.agent.settings["model"] == "m"
    # known with the first answer only, and no part of the run's identity
    assert [session.software for session in record.sessions] == [{"name": NOT_CHECKED}]


@pytest.mark.parametrize("usage", [{"prompt_tokens": -5, "completion_tokens": 10**12}, {}, "many", [1]])
def test_an_invalid_usage_makes_the_cost_unknown(
    run: Run, openai_server: OpenAIServer, tmp_path: Path, usage: object
) -> None:
    openai_server.replies = lambda query: openai_server.says("打开微信", usage=usage)
    outcome = run(prices=PRICES)
    assert (outcome.bill.cost, outcome.bill.uncounted) == (0, TASKS)
    lines = read_predictions(tmp_path / "run")
    assert {(line.prompt_tokens, line.completion_tokens) for line in lines} == {(None, None)}


def test_bad_outputs_are_labelled_and_kept(run: Run, openai_server: OpenAIServer, tmp_path: Path) -> None:
    outputs = [
        "", None, " \n", "打开微信，给妈妈发消息。" * 4000, "Use the maps app to go home.",
        '```json\n{"intent": "打开微信"}\n```', "**意图：「打开微信」**", "打开\x00微\x1b[31m信\x07",
        '{"intent": ', "<think>想了很久", "打开微信", "\u202e打开微信\u2028",
    ]  # fmt: skip
    openai_server.replies = lambda query: openai_server.says(outputs[query.number % TASKS])
    outcome = run()
    lines = read_predictions(tmp_path / "run")
    assert len(lines) == TASKS
    assert outcome.unanswered == sum(not line.predicted_intent for line in lines) >= 4
    assert all(line.outcome == "nothing" for line in lines if not line.output.strip())
    assert sum(outcome.outcomes.values()) == sum(line.outcome != "answered" for line in lines)
    for line in lines:
        assert len(line.predicted_intent) <= 500
        assert line.predicted_intent.isprintable()
    assert score_run(tmp_path / "run", embedder=get_embedder("lexical")).result.n == TASKS


def test_a_refused_task_is_recorded_and_queried_again_by_the_next_calls(
    run: Run, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    """A content filter refuses a request, or leaves an answer empty; all others are answered."""
    refused: dict[str, Reply] = {}
    empty = openai_server.says("")
    empty.body["choices"][0]["finish_reason"] = "content_filter"
    body = {"error": {"code": "content_filter", "message": "the prompt\nis filtered"}}

    def reply(query: ReceivedRequest) -> Reply:
        if query.number in (2, 7):
            refused[query.text] = empty if query.number == 7 else openai_server.Reply(status=400, body=body)
        return refused.get(query.text) or openai_server.says("打开微信")

    openai_server.replies = reply
    first = run(concurrency=1, prices=PRICES)
    assert (first.queried, first.unanswered, first.outcomes) == (TASKS, 2, {"failed": 2})
    assert (len(first.failed), first.queried_again, first.bill.uncounted) == (2, 2, 0)
    assert len(openai_server.requests) == TASKS
    lines = read_predictions(tmp_path / "run")
    reasons = [line.reason.partition("did not answer: ")[2] for line in lines if line.failed]
    assert reasons == ["status 400: the prompt is filtered", "no text, finish reason content_filter"]
    scores = score_run(tmp_path / "run", embedder=get_embedder("lexical"))
    assert (scores.result.n, scores.result.empty, scores.outputs.outcomes["failed"]) == (TASKS, 2, 2)
    assert "2 tasks whose query failed count as no answer" in scores.caveats
    assert scores.per_query.queries == TASKS - 2
    openai_server.replies = lambda query: (
        openai_server.says("打开支付宝") if refused[query.text] is empty else refused[query.text]
    )
    second = run(concurrency=1, prices=PRICES)
    assert (second.answered_before, second.queried, second.queried_again) == (TASKS - 2, 2, 1)
    for _ in range(2):
        last = run(concurrency=1, prices=PRICES)
    assert (last.queried, len(last.failed), last.queried_again) == (0, 1, 0)
    assert len(openai_server.requests) == TASKS + 2 + 1, "a task is queried by three calls at most"
    lines = read_predictions(tmp_path / "run")
    assert len(lines) == len({line.task_id for line in lines}) == TASKS
    assert [line.predicted_intent for line in lines if line.predicted_intent != "打开微信"] == [
        "打开支付宝",
        "",
    ]


def test_a_server_that_refuses_every_task_stops_the_run(
    run: Run, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.replies = lambda query: openai_server.Reply(status=400, body={"error": "no"})
    with pytest.raises(EndpointError, match="400: no; so ended 10 tasks in a row, and the run stops: the"):
        run(concurrency=1)
    assert len(openai_server.requests) == 10
    failed = [line.task_id for line in read_predictions(tmp_path / "run")]
    with pytest.raises(
        AllTasksFailedError, match="status 400: no; no task of the run has an answer: the same call"
    ):
        run(concurrency=1, out=tmp_path / "few", limit=3)
    # what was not queried yet comes first
    openai_server.replies = lambda query: openai_server.says(f"{query.number}")
    assert run(concurrency=1).queried == TASKS
    lines = read_predictions(tmp_path / "run")
    assert [line.predicted_intent for line in lines] == [str(number) for number in range(13, 13 + TASKS)]
    assert [line.task_id for line in lines[-9:]] == failed


def test_a_dead_endpoint_awaits_running_queries_and_the_run_continues(
    run: Run, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    """The last of three pending requests is refused; the others are answered only after that is known."""
    openai_server.small_replies = lambda query: openai_server.Reply(status=400)
    stopped = threading.Event()
    left: list[int] = []

    def on_stop(number: int) -> None:
        left.append(number)
        stopped.set()

    def reply(query: ReceivedRequest) -> Reply:
        if query.number == 5:
            return openai_server.Reply(status=400, body={"error": {"message": "no\nmore"}})
        assert query.number < 3 or stopped.wait(120)
        return openai_server.says(f"打开{query.number}号")

    openai_server.replies = reply
    with pytest.raises(ModelError, match="did not answer: status 400: no more") as caught:
        run(concurrency=3, on_stop=on_stop)
    assert "\n" not in str(caught.value)
    assert left == [2]
    kept = read_predictions(tmp_path / "run")
    assert sorted(line.predicted_intent for line in kept) == [f"打开{number}号" for number in range(5)]
    assert len(openai_server.requests) == 6
    openai_server.play(openai_server.says("打开微信"))
    openai_server.small_replies = lambda query: openai_server.says("OK")
    outcome = run(concurrency=3)
    assert (outcome.answered_before, outcome.queried) == (5, 7)
    lines = read_predictions(tmp_path / "run")
    assert lines[:5] == kept
    assert len({line.task_id for line in lines}) == TASKS
    assert len(openai_server.requests) == 13


def test_a_cache_answers_requests_of_another_run(
    run: Run, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.replies = lambda query: openai_server.says(f"打开{hash(query.text) % 10**6}号")
    cache = tmp_path / "answers.jsonl"
    first = run(out=tmp_path / "one", cache=cache, prices=PRICES)
    second = run(out=tmp_path / "two", cache=cache, prices=PRICES)
    assert len(openai_server.requests) == TASKS
    assert (first.cached, second.cached) == (0, TASKS)
    assert (first.bill.paid_before, second.bill.paid_before) == (0, pytest.approx(second.bill.cost))
    one, two = (
        sorted(read_predictions(tmp_path / name), key=lambda line: line.task_id) for name in ("one", "two")
    )
    assert [line.model_copy(update={"cached": True}) for line in one] == two


def test_a_history_model_has_its_own_cache_counts_and_prices(
    sample_dataset: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    """The two models have different token counts, so that confusing them fails the test."""

    def reply(query: ReceivedRequest) -> Reply:
        if query.body["model"] == "picker":
            usage = {"prompt_tokens": 1000, "completion_tokens": 50}
            return openai_server.says('{"numbers": [1], "summary": "常听歌"}', usage=usage)
        return openai_server.says("打开微信")

    openai_server.replies = reply
    url = openai_server.base_url

    def call(out: Path) -> RunOutcome:
        with (
            closing(ChatClient(ModelOptions(base_url=url, model="m"))) as client,
            closing(
                Cached(ChatClient(ModelOptions(base_url=url, model="picker")), tmp_path / "history.jsonl")
            ) as picker,
        ):
            agent = ModelSuggester(client, relevant=True, history_model=picker)
            return run_suggestions(
                sample_dataset,
                agent,
                out,
                history="relevant",
                prices=PRICES,
                history_prices=Prices(prompt=1, completion=2, currency="CNY"),
            )

    first = call(tmp_path / "one")
    lines = read_predictions(tmp_path / "one")
    asked_of = Counter(request.body["model"] for request in openai_server.requests)
    picked = sum(bool(line.shown_intents) for line in lines)
    assert asked_of == {"m": TASKS, "picker": picked}
    assert {(line.calls, line.prompt_tokens, line.completion_tokens) for line in lines} == {(1, 700, 20)}
    for line in lines:
        assert (line.history_usage is not None) == bool(line.shown_intents)
        if line.history_usage is not None:
            assert (line.history_usage.prompt_tokens, line.history_usage.completion_tokens) == (1000, 50)
            assert line.history_usage.time_s > 0
            assert "常听歌" in line.reasoning
    assert (first.history_calls, first.history_cached) == (picked, 0)
    assert first.bill.cost == pytest.approx(TASKS * 0.009)
    assert first.history_bill.cost == pytest.approx(picked * 0.0011)
    second = call(tmp_path / "two")
    assert second.history_cached == picked
    assert second.history_bill.paid_before == pytest.approx(second.history_bill.cost)
    assert (second.cached, second.bill.paid_before) == (0, 0)
    settings = read_run(tmp_path / "one").agent.settings["history_model"]
    assert isinstance(settings, dict)
    assert settings["model"] == "picker"
    outputs = score_run(tmp_path / "one", embedder=get_embedder("lexical")).outputs
    assert (outputs.calls, outputs.history_calls) == (TASKS, picked)
    assert outputs.history_cost == pytest.approx(first.history_bill.cost)


def test_a_requested_distribution_is_written(run: Run, openai_server: OpenAIServer, tmp_path: Path) -> None:
    weighed = [("打开微信", 0.7), ("听歌", 0.3)]
    several = {"intents": [{"intent": text, "probability": share} for text, share in weighed]}
    openai_server.replies = lambda query: openai_server.says(json.dumps(several, ensure_ascii=False))
    run(distribution=True, agent={"distribution": True})
    for line in read_predictions(tmp_path / "run"):
        assert line.predicted_intent == "打开微信"
        assert line.alternatives == tuple((text, pytest.approx(share)) for text, share in weighed)


def test_an_agent_without_the_requested_capability_is_refused(run: Run, openai_server: OpenAIServer) -> None:
    for shown_text, words in (
        ({"history": "relevant"}, "--history relevant needs --agent model; got model"),
        ({"distribution": True}, "set up without distributions, and the run is with them"),
        ({"agent": {"distribution": True}}, "set up with distributions, and the run is without them"),
        ({"concurrency": 0}, "1 or more tasks at once"),
        ({"without": ("name",)}, "expected to hide profile, time, scenario, got 'name'"),
        ({"history": "some"}, "expected a history, one of"),
    ):
        with pytest.raises(UsageError, match=words):
            run(**shown_text)
    assert openai_server.requests == []


def test_scores_do_not_depend_on_the_order_of_answers(
    run: Run, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    openai_server.replies = lambda query: openai_server.says(f"打开{query.number}号应用听歌")
    run()
    file = tmp_path / "run" / "predictions.jsonl"
    before = score_run(tmp_path / "run", embedder=get_embedder("lexical"))
    file.write_bytes(b"".join(reversed(file.read_bytes().splitlines(keepends=True))))
    after = score_run(tmp_path / "run", embedder=get_embedder("lexical"))
    assert after.result.sim1 == pytest.approx(before.result.sim1, abs=1e-12)
    for part, interval in before.intervals.items():
        assert after.intervals[part].low == pytest.approx(interval.low, abs=1e-12)
    assert after.breakdowns == before.breakdowns
