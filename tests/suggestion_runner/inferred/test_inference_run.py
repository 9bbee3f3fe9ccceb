"""Intents inferred by rule and by a model: resumed, never guessed, and blind to what was declared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents import get_agent
from fingertip_dataset import BuiltDataset
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.split_names import SPLITS
from fingertip_metrics.embedders import get_embedder
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from suggestion_runner import run_suggestions, score_run
from suggestion_runner.inferred.inference_run import (
    COLUMNS,
    earlier_episodes,
    infer_by_model,
    infer_by_rule,
)
from suggestion_runner.inferred.inferred_file import (
    InferenceSource,
    InferredIntent,
    open_inferred,
    read_inferred,
)
from suggestion_runner.inferred.intent_agreement import intent_agreement
from suggestion_runner.inferred.intent_prompt import inference_messages, read_inferred_answer
from suggestion_runner.prediction_log import read_run
from suggestion_runner.suggestion_published import rows_of
from suggestion_runner.suggestion_tasks import open_tasks
from tests.shared_datasets import built_sample
from tests.shared_fixtures import OpenAIServer


@pytest.fixture(scope="module")
def inferred(people: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The intents of all earlier episodes, by rule."""
    file = tmp_path_factory.mktemp("inferred") / "inferred.jsonl"
    infer_by_rule(people, file, earlier_episodes(BuiltDataset.open(people), "all"))
    return file


def test_the_rule_covers_every_earlier_episode_and_resumes(people: Path, tmp_path: Path) -> None:
    built, file = BuiltDataset.open(people), tmp_path / "inferred.jsonl"
    earlier = earlier_episodes(built, "test_suggestion")
    everything = earlier_episodes(built, "all")
    assert set(earlier) < set(everything)
    first = infer_by_rule(people, file, earlier[:2])
    assert (first.episodes, first.before, first.outcomes["answered"]) == (2, 0, 2)
    done = infer_by_rule(people, file, earlier)
    assert (done.episodes, done.before, sum(done.outcomes.values())) == (len(earlier), 2, len(earlier))
    content = file.read_bytes()
    assert infer_by_rule(people, file, earlier).before == len(earlier)
    assert file.read_bytes() == content
    # as if killed while it wrote a line
    file.write_bytes(content[:-5])
    infer_by_rule(people, file, earlier)
    assert file.read_bytes() == content


def test_no_task_shows_its_own_episode_or_a_later_one(people: Path, inferred: Path, tmp_path: Path) -> None:
    run_suggestions(people, get_agent("habit"), tmp_path / "run", inferred=inferred)
    built, record = BuiltDataset.open(people), read_run(tmp_path / "run")
    texts = read_inferred(inferred, built).intents
    rows = [row for split in SPLITS for row in built.rows(split, columns=["episode_id", "intent"])]
    declared = {row["episode_id"]: row["intent"] for row in rows}
    tasks = list(open_tasks(built, record, ()))
    assert tasks
    for task in tasks:
        user, _, time = task.input.task_id.partition("__")
        assert task.input.previous_intents
        for intent in task.input.previous_intents:
            assert intent.user_id == user
            assert intent.time < time
            assert intent.text == texts[intent.episode_id].text
            assert intent.text != declared[intent.episode_id]
            assert intent.category is None


def test_what_is_seen_holds_nothing_declared(people: Path) -> None:
    built = BuiltDataset.open(people)
    assert not {"intent", "intent_category", "scenario", "user_profile", "previous_intents"} & set(COLUMNS)
    columns = (*COLUMNS, "screenshots", "intent")
    for row in built.rows("test_suggestion", columns=columns, config="default"):
        system, user = inference_messages(row, language="zh")
        assert row["intent"] not in system.text + user.text
        assert len(user.images) == 2
        shown = json.loads(user.text)
        assert set(shown) == {"app", "actions"}
        assert len(shown["actions"]) == len(row["actions"])


def test_the_run_says_whose_words_they_are(people: Path, inferred: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run_suggestions(people, get_agent("frequent"), run, inferred=inferred)
    record = read_run(run)
    assert record.inferred is not None
    assert (record.inferred.method, record.history_source) == ("rule@1", "dataset rows")
    scores = score_run(run, embedder=get_embedder("lexical"))
    assert any(caveat.startswith("earlier intents inferred by rule@1") for caveat in scores.caveats)
    assert rows_of([scores], elsewhere=True) == []
    assert "inferred" not in json.loads((run / "run.json").read_text(encoding="utf-8"))["agent"]
    with pytest.raises(RunError, match="inferred"):
        run_suggestions(people, get_agent("frequent"), run)


def test_an_episode_without_an_intent_is_left_out_and_counted(
    people: Path, inferred: Path, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in inferred.read_text(encoding="utf-8").splitlines()]
    for line in lines[1:]:
        line |= {"text": "", "outcome": "nothing"}
    file = tmp_path / "none.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    run_suggestions(people, get_agent("habit"), tmp_path / "run", inferred=file)
    record = read_run(tmp_path / "run")
    assert record.inferred is not None
    assert record.inferred.without == record.inferred.episodes == len(lines) - 1
    for task in open_tasks(BuiltDataset.open(people), record, ()):
        assert task.input.previous_intents == ()
    with pytest.raises(UsageError, match="no inferred intent"):
        intent_agreement(people, file, embedder=get_embedder("lexical"))


def test_a_file_that_does_not_fit_is_refused(
    people: Path, inferred: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    agent = get_agent("habit")
    with pytest.raises(UsageError, match="there is no such file"):
        run_suggestions(people, agent, tmp_path / "run", inferred=tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="another dataset"):
        run_suggestions(built_sample(tmp_path_factory), agent, tmp_path / "run", inferred=inferred)
    head, *rest = inferred.read_bytes().splitlines(keepends=True)
    cases = {"does not begin": rest, "has no line for": [head], "stands twice": [head, head]}
    for number, (message, lines) in enumerate(cases.items()):
        file = tmp_path / f"{number}.jsonl"
        file.write_bytes(b"".join(lines))
        with pytest.raises((UsageError, RunError), match=message):
            run_suggestions(people, agent, tmp_path / f"run{number}", inferred=file)
    with pytest.raises(UsageError, match="--history none"):
        run_suggestions(people, agent, tmp_path / "run", inferred=inferred, history="none")


def test_a_changed_file_does_not_continue_a_run(people: Path, inferred: Path, tmp_path: Path) -> None:
    file = tmp_path / "inferred.jsonl"
    file.write_bytes(inferred.read_bytes())
    run_suggestions(people, get_agent("habit"), tmp_path / "run", inferred=file)
    moved = tmp_path / "moved.jsonl"
    file.rename(moved)
    run_suggestions(people, get_agent("habit"), tmp_path / "run", inferred=moved)
    with moved.open("ab") as stream:
        stream.write(moved.read_bytes().splitlines(keepends=True)[-1])
    with pytest.raises(RunError, match="inferred"):
        run_suggestions(people, get_agent("habit"), tmp_path / "run", inferred=moved)


def test_agreement_is_of_episodes_with_an_intent(people: Path, inferred: Path) -> None:
    agreement = intent_agreement(people, inferred, embedder=get_embedder("lexical"))
    with_intent = sum(bool(one.text) for one in agreement.inferred.intents.values())
    assert agreement.n == agreement.sim1.n == with_intent
    assert 0 < agreement.sim1.mean < 1
    (line,) = agreement.lines()
    assert "not in the paper" in line


def test_a_models_malformed_answers_are_counted_and_never_guessed(
    openai_server: OpenAIServer, people: Path, tmp_path: Path
) -> None:
    file = tmp_path / "inferred.jsonl"
    episodes = earlier_episodes(BuiltDataset.open(people), "test_suggestion")[:4]
    options = ModelOptions(model="seer", base_url=openai_server.base_url, retries=0)
    replies = ['{"intent": "查天气"}', "查天气", '{"intent": ""}', '```json\n{"intent": "听歌"}\n```']
    openai_server.play(*map(openai_server.says, replies))
    with ChatClient(options, backoff_s=0.01) as client:
        found = infer_by_model(people, file, episodes, client, concurrency=1)
        assert found.outcomes == {"answered": 2, "unreadable": 2}
        asked_before = len(openai_server.requests)
        again = infer_by_model(people, file, episodes, client, concurrency=1)
    assert (again.before, len(openai_server.requests)) == (4, asked_before)
    read = read_inferred(file, BuiltDataset.open(people))
    assert sorted(one.text for one in read.intents.values()) == ["", "", "听歌", "查天气"]
    assert read.source.method == "seer, prompt 2"
    assert read.history.without == 2
    with pytest.raises(UsageError, match="another method needs another --out"):
        infer_by_rule(people, file, episodes)


@pytest.mark.parametrize("waits", [False, True])
def test_a_file_without_an_intent_is_another_methods_unless_a_batch_is_awaited(
    waits: bool, people: Path, tmp_path: Path
) -> None:
    file, built = tmp_path / "inferred.jsonl", BuiltDataset.open(people)
    episodes = earlier_episodes(built, "test_suggestion")[:2]
    seer = InferenceSource(data_sha256=built.manifest.data_sha256, method="seer, prompt 2", settings={})
    with open_inferred(file, seer) as log:
        log.append(InferredIntent(episode_id=episodes[0], text="", outcome="failed", reason="no answer"))
    if waits:
        (tmp_path / "inferred.jsonl.answers").mkdir()
        (tmp_path / "inferred.jsonl.answers" / "requests-001.jsonl").write_text("{}", encoding="utf-8")
        with pytest.raises(UsageError, match="another method needs another --out"):
            infer_by_rule(people, file, episodes)
    else:
        infer_by_rule(people, file, episodes)
        read = read_inferred(file, built)
        assert (read.source.method, len(read.intents)) == ("rule@1", 2)


@given(st.text())
def test_only_the_requested_object_is_an_answer(text: str) -> None:
    assert read_inferred_answer(text) is None
    wrapped = read_inferred_answer(json.dumps({"intent": text}))
    assert wrapped == (" ".join(text.split()) or None) or len(text) > 400
    assert read_inferred_answer(json.dumps({"intent": text, "more": 1})) is None
