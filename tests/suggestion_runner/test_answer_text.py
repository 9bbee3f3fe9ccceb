"""Scored text of an answer: as given, like the authors score it, or the intent that our parser extracts."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest
from rapidfuzz import fuzz
from rich.console import Console

from fingertip_agents import HabitBaseline
from fingertip_dataset.errors import UsageError
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges import LexicalJudge
from fingertip_metrics.judges.verdicts import IntentPair, Verdict
from fingertip_runs.targets import read_targets
from suggestion_runner import notes, read_predictions, run_suggestions, score_run, score_table
from suggestion_runner.answer_text import AnswerText, answer_text
from suggestion_runner.scoring import scores_dict

ANSWERS = {
    "打开美团外卖。点一份黄焖鸡米饭，要微辣。\n": "打开美团外卖。",
    '{"app":"微信","intent":"看消息"}': "看消息",
    "对不起，无法预测": "",
    "听歌": "听歌",
}
"""Raw answer of a model -> intent that the reader extracts from it."""

OUTPUTS = tuple(ANSWERS)


@pytest.fixture
def run(small_dataset: Path, tmp_path: Path) -> Path:
    """A run with four answers of a model."""
    folder = tmp_path / "run"
    run_suggestions(small_dataset, HabitBaseline(), folder)
    lines = [
        line.model_copy(update={"output": output, "predicted_intent": intent, "calls": 1})
        for line, (output, intent) in zip(read_predictions(folder), ANSWERS.items(), strict=True)
    ]
    text = "".join(line.model_dump_json() + "\n" for line in lines)
    (folder / "predictions.jsonl").write_text(text, encoding="utf-8")
    return folder


def oracle(intents: list[str], texts: list[str], lexical: Embedder) -> float:
    """Sim_1 of the release, computed per episode."""
    found = []
    for intent, text in zip(intents, texts, strict=True):
        near, wanted = lexical.encode([text, intent]).astype(float)
        ratio = round(fuzz.ratio(intent, text)) / 100
        lengths = (near @ near * (wanted @ wanted)) ** 0.5
        found.append(round((ratio + (float(near @ wanted / lengths) if lengths else 0.0)) / 2, 2))
    return sum(found) / len(found)


@pytest.mark.parametrize("protocol", ["release", "paper"])
def test_both_protocols_score_the_answer_as_given(run: Path, lexical: Embedder, protocol: str) -> None:
    assert score_run(run, embedder=lexical, protocol=protocol).answers == "raw"


def test_raw_and_parsed_text_have_separate_scores(run: Path, lexical: Embedder) -> None:
    lines = read_predictions(run)
    targets = read_targets(run)
    intents = [targets[line.task_id].intent for line in lines]
    raw = oracle(intents, [output.strip() for output in OUTPUTS], lexical)
    read = oracle(intents, [line.predicted_intent for line in lines], lexical)
    assert raw != read
    for answers, own in (("raw", raw), ("read", read)):
        scores = scores_dict(score_run(run, embedder=lexical, answers=answers, judge=LexicalJudge()))
        assert scores["sim1"]["mean"] == pytest.approx(own)
        shown_text = scores["answers"]
        assert (shown_text["scored"], shown_text["differing"]) == (answers, 3)
        assert shown_text["sim1"]["raw"]["mean"] == pytest.approx(raw)
        assert shown_text["sim1"]["read"]["mean"] == pytest.approx(read)
        assert scores["sr1"]["answers"] == answers
        differs = (
            "answers are scored as our parser reads them: the authors score them as given, and 3 of 4 differ"
        )
        assert (differs in scores["why_not_comparable"]) == (answers == "read")


def test_the_judge_sees_the_text_that_is_scored(run: Path, lexical: Embedder) -> None:
    seen: list[str] = []

    class Seeing(LexicalJudge):
        def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
            seen.extend(predicted for predicted, _ in pairs)
            return super().judge(pairs)

    score_run(run, embedder=lexical, judge=Seeing())
    assert seen == [output.strip() for output in OUTPUTS]
    seen.clear()
    score_run(run, embedder=lexical, answers="read", judge=Seeing())
    # the third answer was read as a refusal, so there is no text to judge
    assert seen == [line.predicted_intent for line in read_predictions(run) if line.predicted_intent]


def test_the_table_names_the_scored_text_and_shows_the_other_score(run: Path, lexical: Embedder) -> None:
    scores = score_run(run, embedder=lexical)
    stream = StringIO()
    Console(file=stream, width=160).print(score_table([scores]))
    assert "of the other text" in stream.getvalue()
    assert f"│             {scores.sim1_of['read'].mean:.3f} │" in stream.getvalue()
    assert (
        "Scored text: the answer as given. For 3 of 4 answers of run the intent that our parser found in "
        "the answer differs: its Sim_1 is in column 'of the other text'."
    ) in notes([scores])


def test_without_a_model_both_texts_are_the_same(
    small_dataset: Path, tmp_path: Path, lexical: Embedder
) -> None:
    run_suggestions(small_dataset, HabitBaseline(), tmp_path / "habit")
    scores = score_run(tmp_path / "habit", embedder=lexical)
    assert scores.differing == 0
    assert scores.sim1_of["raw"] == scores.sim1_of["read"] == scores.intervals["sim1"]
    assert "Scored text: the answer as given." in notes([scores])


@pytest.mark.parametrize(
    ("which", "distribution", "text"),
    [("raw", False, '[{"intent": "听歌"}]'), ("read", False, "听歌"), ("raw", True, "听歌")],
)
def test_the_likeliest_intent_of_a_distribution_is_scored(
    run: Path, which: AnswerText, distribution: bool, text: str
) -> None:
    line = read_predictions(run)[0].model_copy(
        update={"output": ' [{"intent": "听歌"}] ', "predicted_intent": "听歌"}
    )
    assert answer_text(line, which, distribution=distribution) == text


def test_an_unknown_text_is_refused(run: Path, lexical: Embedder) -> None:
    with pytest.raises(UsageError, match="expected answers raw or read, got 'spoken'"):
        score_run(run, embedder=lexical, answers="spoken")  # type: ignore[arg-type]
