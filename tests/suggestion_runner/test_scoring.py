"""Scores of a run: the numbers, their dependencies, and the caveats of comparing them with the paper."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz import fuzz

from fingertip_agents import HabitBaseline
from fingertip_dataset.errors import RunError, UsageError
from fingertip_metrics.embedders import Embedder
from fingertip_runs.targets import read_targets, write_targets
from suggestion_runner import (
    Prediction,
    SuggestionRun,
    read_predictions,
    read_run,
    run_suggestions,
    score_run,
    write_scores,
)
from suggestion_runner.scoring import scores_dict


def rewrite(run: Path, *, lines: list[Prediction] | None = None, **changes: object) -> None:
    """Rewrites a run as if it were of another dataset or setting."""
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    for name, value in changes.items():
        *path, last = name.split("__")
        part = record
        for step in path:
            part = part[step]
        part[last] = value
    (run / "run.json").write_text(json.dumps(record), encoding="utf-8")
    if lines is not None:
        text = "".join(line.model_dump_json() + "\n" for line in lines)
        (run / "predictions.jsonl").write_text(text, encoding="utf-8")


def many_tasks(run: Path, count: int) -> list[Prediction]:
    """Copies of the run's first prediction; the run's targets become those of the copies."""
    line = read_predictions(run)[0]
    target, names = read_targets(run)[line.task_id], [f"1__{number}" for number in range(count)]
    (run / "targets.jsonl").unlink()
    write_targets(run, (target.model_copy(update={"task_id": name}) for name in names))
    return [line.model_copy(update={"task_id": name}) for name in names]


@pytest.fixture(scope="module")
def papers(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run as large as the paper's, of recorded data; read only."""
    run = tmp_path_factory.mktemp("papers") / "run"
    run_suggestions(small_dataset, HabitBaseline(), run)
    rewrite(run, lines=many_tasks(run, 996), dataset__provenance="recorded", tasks=996)
    return run


class Official:
    """An embedder with fixed vectors and the name of the official model, so that scores are comparable."""

    name = "official in this test"
    comparable = True
    why_not_comparable = None

    def encode(self, texts: list[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        vectors = np.array([[len(text) + 1, 1] for text in texts], dtype=np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_sim1_equals_the_releases_formula(run: Path, lexical: Embedder) -> None:
    scores = scores_dict(score_run(run, embedder=lexical))
    expected, targets = [], read_targets(run)
    for line, item in zip(read_predictions(run), scores["per_item"], strict=True):
        intent = targets[line.task_id].intent
        text = round(fuzz.ratio(intent, line.predicted_intent)) / 100
        a, b = lexical.encode([intent, line.predicted_intent])
        expected.append(round((text + float(a @ b)) / 2, 2))
        assert item["task_id"] == line.task_id
        assert item["sim1"] == pytest.approx(expected[-1])
    assert scores["sim1"]["mean"] == pytest.approx(sum(expected) / 4)
    assert (scores["n"], scores["tasks"], scores["unanswered"], scores["partial"]) == (4, 4, 1, False)
    assert scores["sim1"]["clusters"] == 2
    assert scores["sim1"]["low"] <= scores["sim1"]["mean"] <= scores["sim1"]["high"]


def test_breakdowns_sum_to_the_whole(run: Path, lexical: Embedder) -> None:
    scores = scores_dict(score_run(run, embedder=lexical))
    assert [group["group"] for group in scores["by"]["user"]] == ["1", "30"]
    assert [group["group"] for group in scores["by"]["app"]] == ["com.app1", "com.app30"]
    for groups in scores["by"].values():
        assert sum(group["n"] for group in groups) == 4
        total = sum(group["n"] * group["mean"] for group in groups)
        assert total / 4 == pytest.approx(scores["sim1"]["mean"])


def test_the_score_file_lists_all_dependencies(run: Path, lexical: Embedder) -> None:
    file = write_scores(score_run(run, embedder=lexical, protocol="paper"))
    assert file == run / "scores.json"
    scores = json.loads(file.read_text(encoding="utf-8"))
    assert scores["version"] == 2
    depends = scores["depends_on"]
    assert SuggestionRun.model_validate(depends["run"]) == read_run(run)
    assert len(depends["predictions_sha256"]) == 64
    assert depends["embedder"].startswith("lexical")
    assert depends["protocol"]["name"] == "paper"
    assert depends["protocol"]["similarity"] == "levenshtein"
    assert depends["bootstrap"] == {
        "clusters": "users",
        "seed": 0,
        "resamples": 2000,
        "confidence": 0.95,
        "where_users_are_alike": {"share": "Wilson score interval, n = users", "mean": "no interval"},
    }
    assert {"rapidfuzz", "numpy", "scikit-learn"} <= set(depends["source"]["packages"])
    again = score_run(run, embedder=lexical, protocol="paper")
    assert scores_dict(again) == scores


def own_prompt(**fields: list[str]) -> dict[str, object]:
    """A change of a run's record: a model with a prompt of the user's, of which these fields are recorded."""
    known: dict[str, list[str]] = {"lacks": [], "adds": [], "ours": []}
    settings = {
        "prompt": "7",
        "temperature": 0.0,
        "prompt_text": "file a.txt sha256:0f",
        "prompt_fields": known | fields,
    }
    return {"agent": {"name": "model", "settings": settings}}


def test_a_model_with_a_prompt_of_exactly_the_papers_terms_is_comparable(
    papers: Path, tmp_path: Path
) -> None:
    run = Path(shutil.copytree(papers, tmp_path / "run"))
    rewrite(run, **own_prompt())
    assert score_run(run, embedder=Official()).caveats == ()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "output"),
    [
        ({"screenshots": 3}, "3 screenshots: the paper's agents see none in table 3"),
        ({"screenshots": 1}, "1 screenshot: the paper's agents see none in table 3"),
        ({"history": "all"}, "earlier intents shown: all; the paper's agents see the latest 20"),
        ({"without": ["time"]}, "without time: the paper's agents get it"),
        ({"distribution": True}, "agents are asked for several intents with probabilities: "),
        (
            {"protocol": "strict"},
            "earlier intents by protocol strict: the authors take them from any earlier episode",
        ),
        ({"split": "train"}, "split train: the paper's is test_suggestion"),
        (
            {"selection": {"kind": "sample", "of": 1000, "seed": 0}},
            "a sample of 996 of 1,000 tasks (seed 0): the paper's agents answer all of the test",
        ),
        (
            {"agent": {"name": "model", "settings": {"prompt": "7", "language": "en", "temperature": 0.0}}},
            "prompt 7 in en of this project: the authors' own is in appendix A.7 of the paper",
        ),
        (
            {"agent": {"name": "model", "settings": {"prompt": "7", "prompt_text": "file a.txt sha256:0f"}}},
            "prompt file a.txt sha256:0f: the run does not record which terms of the paper's",
        ),
        (own_prompt(lacks=["place"]), "the prompt leaves out place: the paper's agents see them"),
        (
            own_prompt(ours=["system"]),
            "prompt file a.txt sha256:0f: its system message was written by this project",
        ),
        (
            own_prompt(ours=["user"]),
            "prompt file a.txt sha256:0f: its user message was written by this project",
        ),
        (
            own_prompt(lacks=["place"]) | {"without": ["scenario"]},
            "without scenario: the paper's agents get it",
        ),
        (
            own_prompt(lacks=["intents"]) | {"history": "none"},
            "earlier intents shown: none; the paper's agents see the latest",
        ),
        ({"agent": {"name": "m", "settings": {"temperature": 0.7}}}, "temperature 0.7: the paper's is 0"),
        (
            {"agent": {"name": "m", "settings": {"temperature": None}}},
            "temperature left to the server: the paper's is 0",
        ),
    ],
)
def test_each_deviation_from_the_papers_setting_is_one_caveat(
    papers: Path, change: dict[str, object], output: str, tmp_path: Path
) -> None:
    run = Path(shutil.copytree(papers, tmp_path / "run"))
    rewrite(run, **change)
    (caveat,) = score_run(run, embedder=Official()).caveats  # type: ignore[arg-type]
    assert caveat.startswith(output)


def test_truncated_answers_are_no_answers_and_a_caveat(run: Path, lexical: Embedder) -> None:
    lines = [line.model_copy(update={"outcome": "cut"}) for line in read_predictions(run)]
    rewrite(run, lines=lines)
    scores = score_run(run, embedder=lexical)
    caveat = "4 answers were cut off at the output limit and count as no answer: raise --max-tokens"
    assert caveat in scores.caveats
    assert (scores.result.empty, scores.result.sim1) == (4, 0)


def test_a_run_like_the_papers_is_comparable(papers: Path) -> None:
    scores = scores_dict(score_run(papers, embedder=Official()))  # type: ignore[arg-type]
    assert (scores["comparable"], scores["why_not_comparable"]) == (True, [])
    assert scores["sim1"]["why_no_interval"] is not None  # one user


def test_an_unfinished_run_is_refused_or_marked(run: Path, lexical: Embedder) -> None:
    lines = list(read_predictions(run))
    rewrite(run, lines=lines[:3])
    with pytest.raises(RunError, match=r"not finished \(3 of 4 tasks\)"):
        score_run(run, embedder=lexical)
    scores = scores_dict(score_run(run, embedder=lexical, partial=True))
    assert (scores["partial"], scores["n"], scores["tasks"]) == (True, 3, 4)
    rewrite(run, lines=[])
    with pytest.raises(RunError, match=r"no answers yet \(0 of 4 tasks\)"):
        score_run(run, embedder=lexical, partial=True)


def test_tokens_are_summed_or_unknown(run: Path, lexical: Embedder) -> None:
    assert score_run(run, embedder=lexical).usage.prompt_tokens == 0
    lines = [line.model_copy(update={"prompt_tokens": 7, "time_s": 2.0}) for line in read_predictions(run)]
    rewrite(run, lines=lines)
    scores = score_run(run, embedder=lexical)
    assert (scores.usage.prompt_tokens, scores.usage.completion_tokens, scores.seconds) == (28, 0, 2.0)
    rewrite(run, lines=[lines[0].model_copy(update={"prompt_tokens": None}), *lines[1:]])
    assert score_run(run, embedder=lexical).usage.prompt_tokens is None


def test_an_unknown_protocol_is_a_usage_error(run: Path, lexical: Embedder) -> None:
    with pytest.raises(UsageError, match="release or paper, got 'mine'"):
        score_run(run, embedder=lexical, protocol="mine")
