"""Scorers of track 1 for Inspect: Sim_1, SR_1, and what the answers took."""

from __future__ import annotations

import math
from typing import Any

import anyio
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from fingertip_20k.inspect.inspect_model import ask_model
from fingertip_20k.inspect.user_metrics import user_metrics
from fingertip_agents.suggestion.model_suggester import read_suggestion
from fingertip_metrics.embedders import Embedder, get_embedder
from fingertip_metrics.judges import open_judge
from fingertip_metrics.sim1_score import sim1
from fingertip_metrics.sr1_score import sr1
from suggestion_runner.answer_text import DEFAULT, AnswerText, answer_text
from suggestion_runner.judged_run import done_value
from suggestion_runner.predict import prediction_of
from suggestion_runner.suggestion_records import Prediction

SHOWN = "shown"
"""Key of a sample's metadata with the number of earlier intents and screens that its task shows."""


def read_prediction(state: TaskState, *, distribution: bool, moments: bool = False) -> Prediction:
    """The line of predictions.jsonl that `fingertip suggest` would write of a sample's answer."""
    task_id, shown = str(state.sample_id), state.metadata[SHOWN]
    answer = ask_model(state.output)
    if answer.refusal or not state.output.choices:
        return Prediction(
            task_id=task_id,
            predicted_intent="",
            time_s=0,
            prompt_tokens=0,
            completion_tokens=0,
            shown_intents=shown["intents"],
            shown_screenshots=shown["screenshots"],
            outcome="failed",
            reason=answer.refusal or state.output.error or "the model gave no answer",
        )
    return prediction_of(
        task_id,
        read_suggestion([answer], distribution=distribution, moments=moments),
        shown_intents=shown["intents"],
        shown_screenshots=shown["screenshots"],
        distribution=distribution,
        moments=moments,
    )


@scorer(metrics=user_metrics())
def suggestion_sim1(
    embedder: str = "official", protocol: str = "release", answers: str = DEFAULT, distribution: bool = False
) -> Scorer:
    """Sim_1, as `fingertip score` computes it; its parts are in the score's metadata.

    Args:
        embedder: "official", "lexical", or a SentenceTransformer by name or path.
        protocol: "release" or "paper".
        answers: "raw" for the whole answer, "read" for the intent that our parser extracts.
        distribution: Whether answers are several intents with probabilities.
    """
    model = _Shared(embedder)

    async def score(state: TaskState, target: Target) -> Score:
        line = read_prediction(state, distribution=distribution)
        text = answer_text(line, _text_kind(answers), distribution=distribution)
        item = (await model.sim1(text, target.text, protocol)).per_item[0]
        return Score(
            value=item.sim1,
            answer=text,
            explanation=line.reason or None,
            metadata={
                "cosine": item.cosine,
                "levenshtein": item.levenshtein,
                "prediction": line.model_dump(mode="json"),
            },
        )

    return score


class _Shared:
    """An embedder that is loaded at the first text, and encodes one text at a time."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._embedder: Embedder | None = None
        self._lock = anyio.Lock()

    async def sim1(self, text: str, target: str, protocol: str) -> Any:  # noqa: ANN401 - Sim1, of a thread
        # models of sentence-transformers are not safe in several threads
        async with self._lock:
            return await anyio.to_thread.run_sync(self._sim1, text, target, protocol)

    def _sim1(self, text: str, target: str, protocol: str) -> object:
        self._embedder = self._embedder or get_embedder(self._name)
        # one pair of many: the task has checked the embedder on all intents
        return sim1([text], [target], embedder=self._embedder, protocol=protocol, check_tokens=False)


@scorer(metrics=user_metrics(share=True))
def suggestion_sr1(
    judge: str = "lexical",
    judge_base_url: str | None = None,
    answers: str = DEFAULT,
    distribution: bool = False,
    dataset: str | None = None,
) -> Scorer:
    """SR_1 by a judge of ours; a pair without a verdict counts as not done.

    Args:
        judge: "lexical", "simulated" or the name of a model.
        judge_base_url: URL of the model's server.
        answers: As for `suggestion_sim1`.
        distribution: As for `suggestion_sim1`.
        dataset: Folder of the built dataset, for the judge "simulated".
    """
    from pathlib import Path

    def verdict(text: str, target: str) -> Any:  # noqa: ANN401 - Sr1Item
        folder = Path(dataset) if dataset else None
        with open_judge(judge, base_url=judge_base_url, dataset=folder) as opened:
            return sr1([text], [target], judge=opened).per_item[0]

    async def score(state: TaskState, target: Target) -> Score:
        line = read_prediction(state, distribution=distribution)
        text = answer_text(line, _text_kind(answers), distribution=distribution)
        item = await anyio.to_thread.run_sync(verdict, text, target.text)
        return Score(
            value=done_value(item.state),
            answer=text,
            explanation=item.reason or None,
            metadata={"state": item.state, "problem": item.problem},
        )

    return score


@scorer(metrics={"*": user_metrics()})
def suggestion_effort(distribution: bool = False, moments: bool = False) -> Scorer:
    """Seconds and tokens of each answer; a failed query counts as neither, as in `fingertip score`.

    Args:
        distribution: As for `suggestion_sim1`.
        moments: Whether the tasks are moments.
    """

    async def score(state: TaskState, target: Target) -> Score:
        line = read_prediction(state, distribution=distribution, moments=moments)
        known = {
            "seconds": line.time_s,
            "prompt_tokens": line.prompt_tokens,
            "completion_tokens": line.completion_tokens,
        }
        missing = line.failed
        return Score(
            value={name: math.nan if missing or value is None else value for name, value in known.items()}
        )

    return score


def _text_kind(answers: str) -> AnswerText:
    return "read" if answers == "read" else "raw"
