"""Agreement of a model as judge of SR_1 with the rule for simulated people, by answers whose truth is known.

`python -m fingertip_studies.model_judge DATASET --run RUN --model M --base-url U`, on a built dataset of
simulated people and finished runs of track 1. The answers are those of `embedder_order`: of the runs, and of
agents that are right or wrong by construction, so that both verdicts are frequent. `--schema` asks the server
for JSON of the verdict's form, for models that do not keep to it.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.judges import LlmJudge, Verdict, judge_agreement
from fingertip_metrics.judges.judge_check import (
    PAIRS,
    JudgeCheck,
    check_judge,
    choose_sure_pairs,
    list_judge_warnings,
)
from fingertip_models import AppendOnlyCache, ChatClient, ModelOptions
from fingertip_models.chat.chat_client import print_note
from fingertip_studies.embedder_order import JudgedAnswer, collect_answers

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "maxLength": 8},
        "reason": {"type": "string", "maxLength": 80},
        "same": {"type": "boolean"},
    },
    "required": ["code", "reason", "same"],
    "additionalProperties": False,
}
"""Form of a verdict; a reason of one short sentence."""

MAX_TOKENS = 160
"""Output limit, tokens: a model that rambles would write to the end of its context."""


def choose_answers(answers: Sequence[JudgedAnswer], number: int) -> list[JudgedAnswer]:
    """Choose answers by lot, half of them right; empty ones need no judge."""
    rng = random.Random(0)  # noqa: S311 - no secret
    own = [one for one in answers if one.text.strip()]
    right, wrong = ([one for one in own if one.right is value] for value in (True, False))
    half = min(number // 2, len(right))
    return [*rng.sample(right, half), *rng.sample(wrong, min(number - half, len(wrong)))]


def print_agreement(
    answers: Sequence[JudgedAnswer], states: Sequence[Verdict], check: JudgeCheck | None
) -> None:
    """Print counts of verdicts, kappa with its interval over people, the check, and the warnings."""
    truth = [Verdict(state="same" if one.right else "different") for one in answers]
    agreement = judge_agreement(states, truth, clusters=[one.user for one in answers])
    counts = Counter(f"{verdict.state} {verdict.problem}".strip() for verdict in states)
    print(f"{len(answers)} answers of {len({one.user for one in answers})} people: {dict(counts)}")
    kappa = agreement.kappa
    if kappa is None:
        print("kappa: none, there is no verdict")
    elif kappa.kappa is None or kappa.low is None:
        print(f"kappa: {kappa.kappa}, {kappa.why}")
    else:
        print(f"kappa {kappa.kappa:.2f} [{kappa.low:.2f}, {kappa.high:.2f}], the same answer to "
              f"{100 * kappa.agreement:.0f} % of {kappa.n}")  # fmt: skip
        (no_no, no_yes), (yes_no, yes_yes) = kappa.matrix
        print(f"both same {yes_yes}, both different {no_no}, only the model {yes_no}, only the rule {no_yes}")
    if check:
        print(check.describe())
    agreements = {"the rule for simulated people": agreement}
    for warning in list_judge_warnings([one.state for one in states], check=check, agreements=agreements):
        print(f"WARNING: {warning}")


def make_options(model: str, base_url: str, language: str, *, schema: bool) -> ModelOptions:
    """Options of the judge's model; greedy, with a short answer."""
    form = {"type": "json_schema", "json_schema": {"name": "verdict", "schema": dict(SCHEMA)}}
    return ModelOptions(
        model=model,
        base_url=base_url,
        language="en" if language == "en" else "zh",
        max_tokens=MAX_TOKENS,
        timeout_s=600,
        extra_body={"response_format": form} if schema else {},
    )


def main() -> None:
    """Ask the model, and print its agreement with the rule."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--run", type=Path, action="append", required=True, help="finished run of track 1")
    parser.add_argument("--model", required=True)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--language", choices=("zh", "en"), default="en")
    parser.add_argument("--answers", type=int, default=120)
    parser.add_argument("--schema", action="store_true")
    parser.add_argument("--cache", type=Path, help="file of the judge's answers")
    given = parser.parse_args()
    known = collect_answers(BuiltDataset.open(given.dataset), given.run, language=given.language)
    answers = choose_answers(known, given.answers)
    options = make_options(given.model, given.base_url, given.language, schema=given.schema)
    apps = {one.intent: one.app for one in known}
    with ExitStack() as stack:
        cache = stack.enter_context(AppendOnlyCache(given.cache)) if given.cache else None
        client = stack.enter_context(ChatClient(options, on_note=print_note, preflight=True))
        judge = LlmJudge([client], language=options.language, cache=cache, concurrency=2)
        verdicts = judge.judge([(one.text, one.intent) for one in answers])
        check = check_judge(judge, choose_sure_pairs(apps, PAIRS))
    print(f"judge {judge.name}{', with a schema' if given.schema else ''}")
    print_agreement(answers, verdicts, check)


if __name__ == "__main__":
    try:
        main()
    except FingerTipError as error:
        raise SystemExit(str(error)) from None
