"""Both tracks as tasks of Inspect: the same prompts, and every digit of `fingertip score`."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.inspect_session import ROOT, InspectSession, inspect_session
from tests.shared_datasets import built_sample, simulated_people
from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

if TYPE_CHECKING:
    from fingertip_metrics.aggregate import Interval
    from fingertip_models import ChatClient
    from suggestion_runner.scoring import SuggestionRunScores

pytestmark = pytest.mark.install


@pytest.fixture(scope="module")
def session() -> Iterator[InspectSession]:
    with inspect_session() as opened:
        yield opened


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_sample(tmp_path_factory)


@pytest.fixture(scope="module")
def phones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


@pytest.fixture
def client(openai_server: OpenAIServer) -> Iterator[ChatClient]:
    from fingertip_models import ChatClient, ModelOptions

    with ChatClient(ModelOptions(model="m", base_url=openai_server.base_url)) as opened:
        yield opened


def documented(task: str) -> list[str]:
    """Arguments of `inspect eval` for a task, as docs/inspect.md has them."""
    page = (ROOT / "docs" / "inspect.md").read_text(encoding="utf-8")
    (line,) = re.findall(rf"^inspect eval (fingertip_20k/{task} .+)$", page, re.M)
    return shlex.split(line)


def scripted(server: OpenAIServer) -> tuple[str, ...]:
    """Options of `inspect eval` for a model behind the scripted server."""
    return ("--model-base-url", server.base_url, "--max-samples", "1")


def with_arguments(**arguments: object) -> list[str]:
    return [word for name, value in arguments.items() for word in ("-T", f"{name}={value}")]


# Inspect needs the total, which servers send
USAGE = {"prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720}
KEY = {"SCRIPTED_API_KEY": "none"}


def metrics(log: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Name of each score -> its mean and the ends of its interval, by short names."""
    return {
        score["name"]: {
            name.rpartition("/")[2].removeprefix("interval_"): one["value"]
            for name, one in score["metrics"].items()
        }
        for score in log["results"]["scores"]
    }


def check_interval(found: dict[str, float], expected: Interval | None) -> None:
    ends = {"mean": expected.mean, "low": expected.low, "high": expected.high}
    assert {name: found.get(name) for name in ends} == ends


def varied(server: OpenAIServer) -> Callable[[ReceivedRequest], Reply]:
    """An answer that depends on the question alone: plain, with a thought, fenced, cut, or filtered."""

    def reply(query: ReceivedRequest) -> Reply:
        kind = len(query.text) % 5
        text = (
            "打开微信，发消息",
            "<think>早上</think>打开QQ音乐，听歌",
            "```\n打开闹钟\n```",
            "意图：打车",
            "",
        )[kind]
        whole = server.says(text, usage=USAGE)
        if kind == 3:
            whole.body["choices"][0]["finish_reason"] = "length"
        if kind == 4:
            whole.body["choices"][0]["finish_reason"] = "content_filter"
        return whole

    return reply


def evaluate_track_1(
    texts: Path,
    server: OpenAIServer,
    client: ChatClient,
    session: InspectSession,
    folder: Path,
    limit: int | None = None,
) -> tuple[SuggestionRunScores, dict[str, Any]]:
    """Scores of a run of `suggest`, and the log of the same tasks in Inspect, whose prompts are the same."""
    from fingertip_agents import get_agent
    from fingertip_agents.setup import AgentSetup
    from fingertip_metrics.embedders import get_embedder
    from fingertip_metrics.judges import LexicalJudge
    from suggestion_runner import run_suggestions, score_run

    server.replies = varied(server)
    agent = get_agent("model", AgentSetup(opened=client))
    run_suggestions(texts, agent, folder / "run", screenshots=1, concurrency=1, limit=limit)
    ours = [query.body["messages"] for query in server.requests]
    server.requests.clear()
    (folder / "fingertip-20k").symlink_to(texts)
    part = [] if limit is None else ["--limit", limit]
    log = session.eval(*documented("suggestion"), *scripted(server), *part, cwd=folder, env=KEY)
    theirs = [query.body["messages"] for query in server.requests]
    assert [[plain(one) for one in messages] for messages in theirs] == [
        [plain(one) for one in messages] for messages in ours
    ]
    assert {query.body["temperature"] for query in server.requests} == {0.0}
    scores = score_run(folder / "run", embedder=get_embedder("lexical"), judge=LexicalJudge())
    found = metrics(log)
    check_interval(found["suggestion_sim1"], scores.intervals["sim1"])
    check_interval(found["suggestion_sr1"], scores.judged.interval)
    assert found["prompt_tokens"]["mean"] == (scores.usage.prompt_tokens or 0) / scores.answered
    return scores, log


def test_track_1_has_the_prompts_of_suggest_and_the_numbers_of_score(
    texts: Path, openai_server: OpenAIServer, client: ChatClient, session: InspectSession, tmp_path: Path
) -> None:
    scores, log = evaluate_track_1(texts, openai_server, client, session, tmp_path, limit=5)
    assert len(log["samples"]) == scores.record.tasks == 5
    assert log["eval"]["metadata"]["versions"] == scores.record.versions.model_dump(mode="json")


@pytest.mark.install
def test_a_log_of_track_1_becomes_a_run_as_the_page_says(
    texts: Path, openai_server: OpenAIServer, client: ChatClient, session: InspectSession, tmp_path: Path
) -> None:
    from fingertip_metrics.embedders import get_embedder
    from fingertip_metrics.judges import LexicalJudge
    from suggestion_runner import read_run, score_run
    from suggestion_runner.suggestion_records import Selection

    scores, log = evaluate_track_1(texts, openai_server, client, session, tmp_path)
    assert scores.outputs.outcomes["failed"] > 0
    assert scores.outputs.outcomes["cut"] > 0
    Path(log["location"]).rename(tmp_path / "logs" / "suggestion.json")
    page = (ROOT / "docs" / "inspect.md").read_text(encoding="utf-8")
    offline, code = re.findall(r"```python\n(.+?)```", page, re.S)
    session.python(code, cwd=tmp_path)
    before = len(openai_server.requests)
    session.python(offline, cwd=tmp_path)
    assert len(openai_server.requests) == before
    again = score_run(tmp_path / "runs" / "inspect", embedder=get_embedder("lexical"), judge=LexicalJudge())
    assert again.intervals == scores.intervals
    assert again.outputs == scores.outputs
    limited = session.write_run(first_samples(log, 2, tmp_path, whole=False), tmp_path / "limited")
    record = read_run(limited)
    assert (record.tasks, record.selection) == (2, Selection(kind="first", of=scores.record.tasks))
    assert set(again.caveats) == set(scores.caveats)
    assert set(log["eval"]["metadata"]["not_comparable"]) <= {
        *scores.caveats,
        log["eval"]["metadata"]["not_comparable"][-1],
    }


def test_moments_have_the_prompts_of_suggest_and_the_numbers_of_score(
    phones: Path, openai_server: OpenAIServer, client: ChatClient, session: InspectSession, tmp_path: Path
) -> None:
    from fingertip_agents import get_agent
    from fingertip_agents.setup import AgentSetup
    from suggestion_runner import read_predictions, run_suggestions
    from suggestion_runner.moments.moment_scoring import score_moment_run

    texts = ('{"intent": "", "wanted": 0.2}', '{"intent": "打开微信，发消息", "wanted": 0.9}', "无")
    openai_server.replies = lambda query: openai_server.says(texts[len(query.text) % 3], usage=USAGE)
    agent = get_agent("model", AgentSetup(opened=client, moments=True))
    run_suggestions(phones, agent, tmp_path / "run", split="test_moments", concurrency=1)
    ours = [query.body["messages"] for query in openai_server.requests]
    openai_server.requests.clear()
    given = with_arguments(dataset=phones, split="test_moments")
    model = ("--model", "openai-api/scripted/m")
    log = session.eval(
        "fingertip_20k/suggestion", *model, *given, *scripted(openai_server), cwd=tmp_path, env=KEY
    )
    theirs = [query.body["messages"] for query in openai_server.requests]
    assert [[plain(one) for one in messages] for messages in theirs] == [
        [plain(one) for one in messages] for messages in ours
    ]
    scores, found = score_moment_run(tmp_path / "run"), metrics(log)
    for name in ("false_trigger_rate", "missed_rate", "precision", "hit_rate", "utility", "brier"):
        check_interval(found[name], scores.result.intervals[name])
    again = session.write_run(log["location"], tmp_path / "again")
    assert [
        (line.task_id, line.predicted_intent, line.confidence, line.outcome)
        for line in read_predictions(again)
    ] == [
        (line.task_id, line.predicted_intent, line.confidence, line.outcome)
        for line in read_predictions(tmp_path / "run")
    ]


def test_epochs_are_tries_with_means_and_chances_in_k_of_them(
    texts: Path, openai_server: OpenAIServer, session: InspectSession, tmp_path: Path
) -> None:
    from fingertip_dataset import BuiltDataset
    from fingertip_metrics.several_tries import pass_rates

    right = next(BuiltDataset.open(texts).rows("test_suggestion", columns=("intent",)))["intent"]
    # of three answers to the first task two are right, in whichever order epochs are asked
    drawn = iter([right, right, "意图：打车"] * 10)
    openai_server.replies = lambda query: openai_server.says(next(drawn), usage=USAGE)
    (tmp_path / "fingertip-20k").symlink_to(texts)
    epochs = ("--epochs", 3, "--epochs-reducer", "mean,pass_at_2,pass_k_2", "--limit", 4)
    log = session.eval(
        *documented("suggestion"),
        *scripted(openai_server),
        *epochs,
        "--temperature",
        1,
        cwd=tmp_path,
        env=KEY,
    )
    of_task: dict[str, list[dict[str, Any]]] = {}
    for sample in log["samples"]:
        of_task.setdefault(sample["id"], []).append(sample["scores"])
    assert {len(tries) for tries in of_task.values()} == {3}
    found = {(score["scorer"], score["reducer"]): score["metrics"] for score in log["results"]["scores"]}
    mean = {name: found[name, "mean"] for name in ("suggestion_sim1", "suggestion_sr1")}
    for name, metric in mean.items():
        values = [[scores[name]["value"] for scores in tries] for tries in of_task.values()]
        expected = sum(sum(tries) / 3 for tries in values) / len(values)
        assert read_mean(metric) == pytest.approx(expected)
    done = [[scores["suggestion_sr1"]["value"] == 1 for scores in tries] for tries in of_task.values()]
    rates = pass_rates(done, [name.partition("__")[0] for name in of_task])
    assert 0 < rates.every[1].mean < rates.at_least_one[1].mean
    assert read_mean(found["suggestion_sr1", "pass_at_2"]) == pytest.approx(rates.at_least_one[1].mean)
    assert read_mean(found["suggestion_sr1", "pass_k_2"]) == pytest.approx(rates.every[1].mean)
    with pytest.raises(AssertionError, match="a run has one epoch, and the log has 3"):
        session.write_run(log["location"], tmp_path / "run")


def read_mean(metric: dict[str, Any]) -> float:
    """The mean among the metrics of a score."""
    (value,) = (one["value"] for name, one in metric.items() if name.rpartition("/")[2] == "mean")
    return float(value)


def first_samples(log: dict[str, Any], count: int, folder: Path, *, whole: bool) -> str:
    """File of a log of the first samples: of `--limit`, or of an evaluation of them all that was stopped."""
    ids = log["eval"]["dataset"]["sample_ids"]
    dataset = log["eval"]["dataset"] | {"sample_ids": ids if whole else ids[:count]}
    kept = [sample for sample in log["samples"] if sample["id"] in ids[:count]]
    part = log | {"samples": kept, "eval": log["eval"] | {"dataset": dataset}, "status": "cancelled"}
    file = folder / "part.json"
    file.write_text(json.dumps({name: part[name] for name in part if name != "location"}), encoding="utf-8")
    return str(file)


def plain(message: dict[str, Any]) -> tuple[str, list[str]]:
    """Role and parts of a message, whatever way a client writes them."""
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return message["role"], [part.get("text") or part["image_url"]["url"] for part in parts]


def waits_then_ends(server: OpenAIServer) -> Callable[[ReceivedRequest], Reply]:
    def reply(query: ReceivedRequest) -> Reply:
        later = "wait()" in json.dumps(query.body["messages"][-1], ensure_ascii=False).partition("之前")[2]
        return server.says("finished()" if later else "wait()", usage=USAGE)

    return reply


@pytest.mark.parametrize(
    "agent", ["generalist", pytest.param("shortest-path-oracle", marks=pytest.mark.soak)]
)
def test_track_2_runs_the_attempts_of_execute_and_has_the_numbers_of_score(
    agent: str,
    phones: Path,
    openai_server: OpenAIServer,
    client: ChatClient,
    session: InspectSession,
    tmp_path: Path,
) -> None:
    from execution_runner import open_environments, read_attempts, run_execution, score_run
    from execution_runner import read_run as read_execution
    from fingertip_agents import get_execution_agent
    from fingertip_agents.setup import AgentSetup
    from fingertip_dataset import BuiltDataset

    openai_server.replies = waits_then_ends(openai_server)
    built = BuiltDataset.open(phones)
    setup = AgentSetup(opened=client, simulations=built.simulations())
    with open_environments(["simulated"], built) as environments:
        run_execution(phones, get_execution_agent(agent, setup), environments, tmp_path / "run")
    ours = [query.body["messages"] for query in openai_server.requests]
    openai_server.requests.clear()
    (tmp_path / "sim").symlink_to(phones)
    given = [*documented("execution"), *scripted(openai_server), *with_arguments(agent=agent)]
    log = session.eval(*given, cwd=tmp_path, env=KEY)
    theirs = [query.body["messages"] for query in openai_server.requests]
    assert [[plain(one) for one in messages] for messages in theirs] == [
        [plain(one) for one in messages] for messages in ours
    ]

    scores, found = score_run(tmp_path / "run"), metrics(log)
    assert scores.success.sr2 is not None
    check_interval(found["execution_sr2"], scores.success.sr2)
    assert scores.success.successes == (len(scores.tasks) if agent == "shortest-path-oracle" else 0)
    check_interval(found["execution_sim2"], scores.means["sim2"])
    for name, expected in scores.means.items():
        if name != "sim2" and expected is not None:
            check_interval(found[name], expected)
    assert found["steps"]["mean"] == sum(task.steps for task in scores.tasks) / len(scores.tasks)

    stopped = session.write_run(first_samples(log, 1, tmp_path, whole=True), tmp_path / "stopped")
    assert read_execution(stopped).tasks == len(scores.tasks) > len(read_attempts(stopped)) == 1
    again = score_run(session.write_run(log["location"], tmp_path / "again"))
    assert again.means == scores.means
    assert again.success == scores.success
    assert set(log["eval"]["metadata"]["not_comparable"]) <= set(scores.caveats) == set(again.caveats)
    assert log["eval"]["metadata"]["versions"]["phone"] == scores.record.versions.phone  # type: ignore[union-attr]
    for sample in log["samples"]:
        parts = [
            part for message in sample["messages"] for part in message["content"] if isinstance(part, dict)
        ]
        steps = sample["metadata"]["attempt"]["end"]["steps"]
        assert sum(part["type"] == "image" for part in parts) == steps + 1


@pytest.mark.parametrize(
    ("task", "arguments", "message"),
    [
        ("suggestion", {"dataset": "nowhere"}, "no built dataset: `fingertip build` makes one"),
        ("suggestion", {"history": "relevant"}, "`fingertip suggest` has it"),
        ("execution", {"agent": "generalst"}, "expected an agent, one of"),
        ("execution", {"device": "adb:1"}, "a person's phone needs the safety gate"),
        ("suggestion", {"screenshots": "many"}, "expected a valid integer for -T screenshots, got 'many'"),
        (
            "suggestion",
            {"distribution": "maybe"},
            "expected a valid boolean for -T distribution, got 'maybe'",
        ),
        ("suggestion", {"dataset": "2025"}, "no built dataset: `fingertip build` makes one"),
        ("execution", {"agent": "imitate", "reference": "him"}, "or 'none' for -T reference, got 'him'"),
        ("execution", {"agent": "imitate", "retries": "-1"}, "or equal to 0 for -T retries, got -1"),
    ],
)
def test_a_wrong_call_is_one_line(
    task: str, arguments: dict[str, str], message: str, phones: Path, session: InspectSession, tmp_path: Path
) -> None:
    given = with_arguments(**{"dataset": phones, **arguments})
    answer = session.inspect(
        "eval", f"fingertip_20k/{task}", "--model", "mockllm/model", *given, cwd=tmp_path
    )
    assert answer.code == 1
    assert message in " ".join(answer.output.split())
    assert "Traceback" not in answer.output
