"""Remark a card that contradicts the run: another model than its settings name, another size, or none at all.

A card is the submitter's word. The settings, the answers and what the server told of itself are recorded by
the run, so that a difference is shown to readers; a model may be served under any name, which is why it is no
reason to refuse a bundle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isclose

from fingertip_agents.registry import HUMAN
from fingertip_dataset.folded_text import fold_forms
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.bundle.schema import AgentCard
from fingertip_runs.run_record import RunRecord

_SIZE = re.compile(r"(?<![a-z0-9.])([0-9]+(?:\.[0-9]+)?) ?([mbt])(?![a-z0-9])")
"""Number of parameters in a name, such as "7b" in "qwen-7b"; "a3b" is that of the active ones."""

_UNITS: Mapping[str, float] = {"m": 1e6, "b": 1e9, "t": 1e12}

SMALL_WORDS, SMALL = ("tiny", "nano", "micro", "mini", "small"), 4e10
"""Words in names of small models, and the most parameters that such a model has. Our choice."""

_CLOSED = re.compile(r"(?<![a-z])(gpt-?[345]|chatgpt|claude|gemini|o[134]-(mini|pro|preview))")
"""Families of models whose weights nobody outside has."""

_WORD = re.compile(r"[^\W_]{2,}")


def remark_card(read: ReadBundle, found: Refusals) -> None:
    """Add a remark for each contradiction between the card, and the settings and answers of the run.

    Args:
        read: Records of a bundle.
        found: Gets the remarks.
    """
    card, run = read.bundle.card, read.bundle.run
    named = list(_list_model_names(run))
    calls = _count_calls(read)
    if run.agent.name == HUMAN and calls:
        found.remark(f"the agent is people, but {calls} answers are of a model")
    if card.model is None:
        if card.size is not None:
            found.remark(f"the card names the size {card.size}, but no model")
        if named:
            found.remark(f"the card names no model, but the run's settings name {named[0]}")
        elif calls:
            found.remark(f"the card names no model, but {calls} answers are of one")
        return
    if calls == 0:
        found.remark(f"the card names the model {card.model}, but no answer is of a model")
    for remark in (*_compare_sizes(card, named), *_compare_names(card, run, named)):
        found.remark(remark)
    if card.weights == "open" and (closed := next(filter(_is_closed, (card.model, *named)), None)):
        found.remark(f"the card says that the weights of {closed} are public")


def parse_sizes(name: str) -> list[float]:
    """Numbers of parameters that a model's name states.

    >>> parse_sizes("Qwen3-30B-A3B"), parse_sizes("SmolLM2-135M-Instruct"), parse_sizes("GPT-4.1")
    ([30000000000.0], [135000000.0], [])
    """
    return [float(number) * _UNITS[unit] for number, unit in _SIZE.findall(fold_forms(name))]


def _list_model_names(run: RunRecord) -> Iterator[str]:
    """Names of the model in the settings, without folders, and in what the server told of itself."""
    for value in (run.agent.settings.get("model"), run.agent.settings.get("weights")):
        if isinstance(value, str) and value.strip():
            yield re.split(r"[/\\]", value.strip().rstrip("/\\"))[-1]
    for session in run.sessions:
        if weights := session.software.get("weights"):
            yield re.split(r"[/\\]", weights)[-1]


def _count_calls(read: ReadBundle) -> int | None:
    """Number of answers of a model; None if none was counted, as of attached agents and failed queries."""
    counts: list[int | None] = [one.record.calls for one in read.suggestions if not one.record.failed]
    counts += [step.queries for one in read.executions for step in one.record.steps]
    known = [count for count in counts if count is not None]
    return sum(count > 0 for count in known) if known else None


def _compare_sizes(card: AgentCard, named: Sequence[str]) -> Iterator[str]:
    """Sizes that contradict one another: the card's, those of its model's name and of the run's names."""
    model, stated = card.model or "", card.size or card.model
    given = parse_sizes(card.size or model)
    for name in (model, *named):
        sizes = parse_sizes(name)
        if given and sizes and not any(_is_near(one, other) for one in given for other in sizes):
            yield f"the card says {stated}, but the model is named {name}"
            return
    words = {word for name in named for word in _WORD.findall(fold_forms(name))}
    if given and min(given) > SMALL and (small := sorted(words & set(SMALL_WORDS))):
        yield f"the card says {stated}, but the run's settings name a {small[0]} model"


def _is_near(one: float, other: float) -> bool:
    """Whether two sizes are the same one: 7.6B is called 7B or 8B."""
    return isclose(one, other, rel_tol=0.15)


def _compare_names(card: AgentCard, run: RunRecord, named: Sequence[str]) -> Iterator[str]:
    """A model of the card that has no word in common with those of the run."""
    # the folder of weights on the submitter's disk may have any name
    if not named or run.agent.settings.get("backend") == "local" or run.agent.settings.get("checkpoint"):
        return
    ours, theirs = _squash(card.model or ""), [_squash(name) for name in named]
    words = set(_WORD.findall(fold_forms(card.model or "")))
    if any(ours in name or name in ours for name in theirs if name):
        return
    if not words & {word for name in named for word in _WORD.findall(fold_forms(name))}:
        yield f"the card names the model {card.model}, but the run's settings name {named[0]}"


def _squash(name: str) -> str:
    return "".join(character for character in fold_forms(name) if character.isalnum())


def _is_closed(name: str) -> bool:
    return _CLOSED.search(fold_forms(name)) is not None
