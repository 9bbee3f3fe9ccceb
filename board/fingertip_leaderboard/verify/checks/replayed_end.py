"""Compare the end of an attempt with the end of its replay."""

from __future__ import annotations

from collections.abc import Iterator

from execution_runner.environments.environment import RuleResult
from execution_runner.execution_records import DialogueRecord, EndRecord, StateRecord
from fingertip_leaderboard.bundle.refusal import RefusalKind
from fingertip_leaderboard.verify.checks.check_steps import Problem


def find_other_end(ours: RuleResult, end: EndRecord) -> Iterator[Problem]:
    """The differences of an attempt's end from that of its replay."""
    if reason := _find_other_dialogue(ours.dialogue, end.dialogue):
        yield RefusalKind.WRONG_REPLY, reason
    elif end.success != ours.success:
        reason = f"the replay of its actions gives success {ours.success}, got {end.success}"
        yield RefusalKind.WRONG_SUCCESS, reason
    elif end.state is None and ours.state is not None:
        reason = "the end has no progress and side effects: make the run again with this version"
        yield RefusalKind.WRONG_STATE, reason
    elif not _is_same_state(end.state, ours.state):
        reason = f"the replay of its actions leads to {_end_words(ours.state)}, got {_end_words(end.state)}"
        yield RefusalKind.WRONG_STATE, reason


def _find_other_dialogue(ours: DialogueRecord | None, theirs: DialogueRecord | None) -> str:
    """Return how the counts of questions and consents differ from those of the replay; "" if they do not."""
    expected = {} if ours is None else ours.model_dump()
    got = {} if theirs is None else theirs.model_dump()
    for name in expected | got:
        if expected.get(name) != got.get(name):
            return f"the replay of its questions gives {name} {expected.get(name)}, got {got.get(name)}"
    return ""


def _is_same_state(theirs: StateRecord | None, ours: StateRecord | None) -> bool:
    # that of a bundle is of a class of its own, which pydantic takes for another record
    if theirs is None or ours is None:
        return theirs is ours
    given, replayed = theirs.model_dump(), ours.model_dump()
    if given.get("answer_seen") is None:  # an older run does not say it, and no score of the board needs it
        replayed["answer_seen"] = None
    return given == replayed


def _end_words(state: StateRecord | None) -> str:
    if state is None:
        return "no state"
    effects = ", ".join(state.side_effects) or "none"
    seen = "" if state.answer_seen is None else f", answer seen: {state.answer_seen}"
    return f"{state.met} of {state.conditions} conditions met and these side effects: {effects[:300]}{seen}"
