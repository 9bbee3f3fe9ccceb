"""Track 1: compare the scored intents with the raw outputs, and with our baselines run again."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fingertip_agents.moments import moment_prompt
from fingertip_agents.registry import (
    AGENTS,
    agent_traits,
    baseline_names,
    get_agent,
    moment_baseline_names,
)
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion import suggestion_prompt
from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.tasks.task import SuggestionTask
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.verify.kept_rules import KeptRules
from fingertip_models.chat.chat_answer import is_cut
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.suggestion_records import CUT, Prediction, SuggestionRun

NEAR, SUM_NEAR = 1e-9, 1e-6
"""Tolerance of a probability that is parsed again, and of one that is computed again or of a sum of them."""


def names_run_again(run: SuggestionRun) -> tuple[str, ...]:
    """Names of our agents without a model that answer a bundle's tasks again."""
    return (*baseline_names("suggestion"), *(moment_baseline_names() if run.of_moments else ()))


def check_suggestions(
    read: ReadBundle, targets: Mapping[str, SuggestionTask], rules: KeptRules, found: Refusals
) -> None:
    """Refuse intents that contradict the agent's raw output.

    A failed query has nothing of an answer. The output of our model agent is parsed again. Our baselines are
    run again, and refused with settings that they do not have. For any other agent the output, if there is
    one, has to contain the intent; an intent of our model agent needs an output.

    Args:
        read: A bundle of track 1 with a line for every task.
        targets: Task id -> task of the dataset.
        rules: Rules of the verifier's dataset, whose training moments our agents of moments learn from.
        found: Collects the refusals.
    """
    run = read.bundle.run
    if not isinstance(run, SuggestionRun):
        return
    for numbered in read.suggestions:
        if numbered.record.failed and not _is_failure(numbered.record):
            reason = "a failed query has no answer, output, calls, tokens and seconds, got some"
            found.refuse(RefusalKind.WRONG_READING, reason, PREDICTIONS, numbered.line)
        if reason := _check_silence(numbered.record, of_moments=run.of_moments):
            found.refuse(RefusalKind.WRONG_READING, reason, PREDICTIONS, numbered.line)
    name, settings = run.agent.name, run.agent.settings
    if name in names_run_again(run):
        _run_again(read, targets, run, rules, found)
        return
    rereadable = name in AGENTS and agent_traits(name, "suggestion").rereadable
    prompt = moment_prompt.VERSION if run.of_moments else suggestion_prompt.VERSION
    ours = rereadable and settings.get("prompt") == prompt
    if rereadable and not ours:
        found.remark(
            "outputs are of another version of our prompt: only searched for the intent, not parsed again"
        )
    for numbered in read.suggestions:
        line = numbered.record
        if line.failed:
            continue
        reason = _check_distribution(line, run.distribution)
        if reason:
            found.refuse(RefusalKind.OUT_OF_RANGE, reason, PREDICTIONS, numbered.line)
        kind, reason = _parse_again(line, run) if ours else _search_output(line, model=rereadable)
        if reason:
            found.refuse(kind, reason, PREDICTIONS, numbered.line)


def _is_failure(line: Prediction) -> bool:
    """Whether a failed query's line has nothing that only an answer has."""
    given = (line.predicted_intent, line.output, line.reasoning, line.alternatives, line.history_usage)
    spent = (line.calls, line.prompt_tokens, line.completion_tokens, line.time_s, line.first_token_s)
    return line.confidence is None and not any((*given, *spent, line.cached, line.finish_reason))


def _check_silence(line: Prediction, *, of_moments: bool) -> str:
    """The problem of a line that is silent or has a confidence where it cannot; "" if there is none."""
    if of_moments:
        both = line.silent and line.predicted_intent
        return f"expected an intent or silence, got both: {line.predicted_intent!r}" if both else ""
    return "" if line.confidence is None else "only an answer to a moment has a confidence, got one"


def _parse_again(line: Prediction, run: SuggestionRun) -> tuple[RefusalKind, str]:
    # their many expressions take a tenth of a second, and few bundles are of the model agent
    from fingertip_agents.moments.moment_answer import read_moment
    from fingertip_agents.suggestion.distribution_answer import read_distribution
    from fingertip_agents.suggestion.intent_answer import read_intent

    if run.of_moments:
        moment = read_moment(line.output)
        intent, outcome = moment.intent, moment.outcome
        if not _same_number(moment.confidence, line.confidence, NEAR):
            reason = f"the output has the confidence {moment.confidence}, got {line.confidence}"
            return RefusalKind.WRONG_READING, reason
    elif run.distribution:
        several = read_distribution(line.output)
        if not _same_distribution(several.alternatives, line.alternatives):
            return (
                RefusalKind.WRONG_READING,
                f"the alternatives are not the {len(several.alternatives)} of the output",
            )
        intent, outcome = several.intent, str(several.outcome)
    else:
        one = read_intent(line.output)
        intent, outcome = one.intent, str(one.outcome)
    if intent != line.predicted_intent:
        if not line.output:
            return (
                RefusalKind.MISSING_OUTPUT,
                f"the output from which {line.predicted_intent!r} was read is missing",
            )
        return (
            RefusalKind.WRONG_READING,
            f"the output says {intent!r}, got {line.predicted_intent!r}",
        )
    if is_cut(line.finish_reason):
        outcome = CUT
    if outcome != line.outcome.partition(",")[0]:
        return RefusalKind.WRONG_READING, f"expected outcome {outcome}, got {line.outcome}"
    return RefusalKind.WRONG_READING, ""


def _same_number(ours: float | None, theirs: float | None, tolerance: float) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return abs(ours - theirs) <= tolerance


def _check_distribution(line: Prediction, distribution: bool) -> str:
    """The problem of a distribution by itself; "" if it is valid."""
    if not line.alternatives:
        return ""
    if not distribution:
        return "the run did not ask for alternatives, got some"
    total = sum(chance for _, chance in line.alternatives)
    return "" if abs(total - 1) <= SUM_NEAR else f"expected probabilities that sum to 1, got {total:g}"


def _same_distribution(ours: tuple[tuple[str, float], ...], theirs: tuple[tuple[str, float], ...]) -> bool:
    return len(ours) == len(theirs) and all(
        one[0] == other[0] and abs(one[1] - other[1]) <= NEAR for one, other in zip(ours, theirs, strict=True)
    )


def _search_output(line: Prediction, *, model: bool) -> tuple[RefusalKind, str]:
    """The problem of an intent that is only searched for; `model`: the agent always calls a model."""
    if not line.output:
        if model and line.predicted_intent:
            return (
                RefusalKind.MISSING_OUTPUT,
                f"the agent always calls a model, but there is no output with {line.predicted_intent!r}",
            )
        if line.calls and line.predicted_intent:
            return (
                RefusalKind.MISSING_OUTPUT,
                "a model was called, but its output is missing: without a model, calls is 0",
            )
        return RefusalKind.MISSING_OUTPUT, ""
    intent = _bare(line.predicted_intent)
    if intent and intent not in _bare(line.output) and intent not in _bare(_decode_escapes(line.output)):
        return (
            RefusalKind.WRONG_READING,
            f"{line.predicted_intent!r} is not in the output",
        )
    return RefusalKind.WRONG_READING, ""


def _bare(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _decode_escapes(text: str) -> str:
    r"""The text with JSON escapes such as \u and \n decoded, as far as possible in invalid JSON."""
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text.encode("ascii", "backslashreplace").decode("unicode_escape", "replace")


def _run_again(
    read: ReadBundle,
    targets: Mapping[str, SuggestionTask],
    run: SuggestionRun,
    rules: KeptRules,
    found: Refusals,
) -> None:
    seed = AgentSetup.read_seed(run.agent.settings)
    setup = AgentSetup(
        distribution=run.distribution, seed=seed, moments=run.of_moments, dataset=rules.built.path
    )
    # those of moments learn from the dataset, which takes longest
    kept = rules.list_speakers().get(run.agent.name) if run.of_moments else None
    agent = kept or get_agent(run.agent.name, setup)
    if json.loads(json.dumps(dict(agent.settings))) != run.agent.settings:
        found.refuse(
            RefusalKind.WRONG_READING,
            f"expected the settings of {run.agent.name} in this version, got others: it cannot be run again; "
            "make the run again with this version, or give the agent another name",
            BUNDLE,
        )
        return
    for numbered in read.suggestions:
        line = numbered.record
        try:
            answer = agent.suggest(targets[line.task_id].input)
        except FingerTipError as error:
            found.refuse(
                RefusalKind.WRONG_READING,
                f"{run.agent.name} gives no answer: {error}",
                PREDICTIONS,
                numbered.line,
            )
            continue
        if answer.text != line.predicted_intent:
            reason = f"{run.agent.name} answers {answer.text!r}, got {line.predicted_intent!r}"
            found.refuse(RefusalKind.WRONG_READING, reason, PREDICTIONS, numbered.line)
        if not _same_number(answer.confidence, line.confidence, SUM_NEAR):
            reason = f"{run.agent.name} has the confidence {answer.confidence}, got {line.confidence}"
            found.refuse(RefusalKind.WRONG_READING, reason, PREDICTIONS, numbered.line)
        if not _same_distribution(tuple(answer.alternatives), line.alternatives):
            reason = f"the alternatives are not the {len(answer.alternatives)} of {run.agent.name}"
            found.refuse(RefusalKind.WRONG_READING, reason, PREDICTIONS, numbered.line)
        if line.output or line.calls:
            reason = f"{run.agent.name} uses no model, got {line.calls} calls"
            found.refuse(RefusalKind.WRONG_READING, reason, PREDICTIONS, numbered.line)
