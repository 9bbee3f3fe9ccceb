"""Metrics of track 2, personalized task execution: SR_2, step ratio and Sim_2.

Every episode counts in every mean, whatever the agent did: without a decision on success it counts as not
done, and without an action its Sim_2 is 0. Sim_2 is undefined only where the dataset gives nothing to divide
by. The paper does not say how it counts episodes that ended early or were not labelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from fingertip_dataset.actions import canonical, strip_answer
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.step_limit import STEP_LIMIT_FACTOR
from fingertip_metrics.check_arguments import check_booleans, check_lengths, check_sequences
from fingertip_metrics.conventions import (
    ACTION_SEPARATOR,
    SPELLINGS,
    Protocol,
    get_protocol,
    why_not_comparable,
)
from fingertip_metrics.plain_values import make_plain
from fingertip_metrics.similarity import sequence_similarity, text_similarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Sim2Item:
    """Sim_2 of one episode; attributes as in `Sim2`, None without a sequence to compare with."""

    sim2: float | None
    s_i: float
    s_ii: float | None
    action_similarity: float
    action_similarity_other: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sim2:
    """Sim_2 of the paper's section 5.1, over episodes; above 1, the agent acts more like this person.

    Attributes:
        sim2: Mean of S_I / S_II over the episodes where it is defined; None if it is defined for none.
        s_i: Mean similarity of the agent's sequence with the person's, 0-1.
        s_ii: Mean similarity with the sequence of a person of another type, 0-1, before any replacement.
        undefined: Number of episodes without a quotient (protocol paper): there is no other sequence.
        replaced: Number of episodes whose S_II is 0: it was replaced by 0.4 (protocol release), or Sim_2 is 0
            in place of a quotient (protocol paper).
        no_other_type: Number of episodes without a sequence of a person of another type: S_I / 0.4 (protocol
            release), or undefined (protocol paper).
        empty: Number of episodes without an action of the agent; the similarity with any sequence is 0.
        n: Number of episodes, the undefined ones included.
        action_similarity: Mean similarity with the person's sequence by `tokens`, which compares whole
            actions; compared as strings, any two sequences share brackets and call names.
        action_similarity_other: Mean similarity by `tokens` with the sequence of the person of another type.
        protocol: "release" or "paper".
        similarity: Method of `sequence_similarity` for S_I and S_II.
        spelling: Spelling of the action strings in S_I and S_II, "written" or "canonical".
        comparable: Whether they are computed as the paper's are, whatever data and agent they are of.
        why_not_comparable: Reason why they are not; None if they are.
        per_item: Values of each episode, in input order.
    """

    sim2: float | None
    s_i: float
    s_ii: float | None
    undefined: int
    replaced: int
    no_other_type: int
    empty: int
    n: int
    action_similarity: float
    action_similarity_other: float | None
    protocol: str
    similarity: str
    spelling: str
    comparable: bool
    why_not_comparable: str | None
    per_item: tuple[Sim2Item, ...]


def sim2(
    predictions: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    others: Sequence[Sequence[str]],
    *,
    protocol: str = "release",
    similarity: str | None = None,
    spelling: str | None = None,
) -> Sim2:
    """Sim_2: similarity with this person's actions divided by that with a person of another type.

    Protocol release compares the action strings as written, the answer of a `finished(content='...')`
    included. Protocol paper, and the method "tokens" in both protocols, compare canonical spellings without
    such answers; an action that cannot be parsed stays unchanged.

    Args:
        predictions: The agent's action strings, one list per episode; an empty list if it did nothing.
        references: The person's action strings, at least one action per episode.
        others: Action strings of a person of another type for the most similar intent; [] if none exists.
        protocol: "release" or "paper"; see `conventions`.
        similarity: Method of `sequence_similarity`; None for the protocol's own.
        spelling: "written" or "canonical"; None for the protocol's own.

    Raises:
        MetricInputError: No episode, unequal lengths, or a row that is no list of strings.
        UsageError: Unknown protocol, similarity or spelling.

    >>> home, back, done = "press_home()", "press_back()", "finished()"
    >>> result = sim2([[home, done]], [[home, done]], [[back, done]])
    >>> result.s_i, result.s_ii, round(result.sim2, 3), result.action_similarity_other
    (0.98, 0.81, 1.21, 0.5)
    >>> result = sim2([["wait( )"]], [["wait()"]], [[]])
    >>> result.s_i, round(result.sim2, 3), result.no_other_type
    (0.86, 2.15, 1)
    >>> sim2([["wait( )"]], [["wait()"]], [[]], spelling="canonical").s_i
    0.92
    """
    rules = get_protocol(protocol)
    method = similarity or rules.similarity
    spelled = choose_spelling(rules, spelling)
    predictions, references, others = map(make_plain, (predictions, references, others))
    for name, column in (("predictions", predictions), ("references", references), ("others", others)):
        check_sequences(name, column, empty=name != "references")
    check_lengths(predictions=predictions, references=references, others=others)
    items = tuple(
        _score_sim2_item(agent, person, other, rules, method, spelled)
        for agent, person, other in zip(predictions, references, others, strict=True)
    )
    reason = why_not_comparable(rules, method, spelled)
    return Sim2(
        sim2=_mean(item.sim2 for item in items),
        s_i=fmean(item.s_i for item in items),
        s_ii=_mean(item.s_ii for item in items),
        undefined=sum(item.sim2 is None for item in items),
        replaced=sum(item.s_ii == 0 and item.sim2 is not None for item in items),
        no_other_type=sum(not sequence for sequence in others),
        empty=sum(not sequence for sequence in predictions),
        n=len(items),
        action_similarity=fmean(item.action_similarity for item in items),
        action_similarity_other=_mean(item.action_similarity_other for item in items),
        protocol=rules.name,
        similarity=method,
        spelling=spelled,
        comparable=reason is None,
        why_not_comparable=reason,
        per_item=items,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sr2Item:
    """SR_2 and step ratio of one episode.

    Attributes:
        success: Success as counted; False if the agent exceeded the step limit, or if nobody decided.
        step_ratio: The agent's steps / the person's steps.
        over_limit: Whether the agent took more steps than the step limit.
    """

    success: bool
    step_ratio: float
    over_limit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sr2:
    """SR_2 and step ratio of the paper's section 5.1, over episodes.

    A step is an action string, a line of action.jsonl, `finished()` included.

    Attributes:
        sr2: Share of episodes with success, 0-1; an episode over the step limit, or without a decision, is no
            success.
        undecided: Number of episodes within the step limit whose success nobody decided.
        worst: SR_2 if no undecided episode was a success, 0-1: equal to `sr2`.
        best: SR_2 if every undecided episode was a success, 0-1.
        step_ratio: Mean of the agent's steps / the person's steps over the successes (paper); None without a
            success.
        step_ratio_all: Mean of the agent's steps / the person's steps over all episodes.
        over_limit: Number of episodes in which the agent took more than `step_limit` x the person's steps.
        n: Number of episodes.
        step_limit: Step limit as a multiple of the person's steps.
        per_item: Values of each episode, in input order.
    """

    sr2: float
    undecided: int
    worst: float
    best: float
    step_ratio: float | None
    step_ratio_all: float
    over_limit: int
    n: int
    step_limit: float
    per_item: tuple[Sr2Item, ...]


def sr2(
    predictions: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    success: Sequence[bool | None],
) -> Sr2:
    """SR_2 and step ratio with the step limit of 2.5; the protocols paper and release do not differ here.

    Args:
        predictions: The agent's action strings, one list per episode.
        references: The person's action strings, at least one action per episode.
        success: Whether the task was done, decided by a rule, a person or a named judge; `finished()` alone
            is no success. None where nobody decided: it counts as not done, and as done in the best case.

    Raises:
        MetricInputError: No episode, unequal lengths, or a row of another type.

    >>> done = "finished()"
    >>> result = sr2([["press_home()", done], [done] * 3], [[done], [done]], [True, True])
    >>> result.sr2, result.step_ratio, result.over_limit
    (0.5, 2.0, 1)
    """
    predictions, references, success = map(make_plain, (predictions, references, success))
    check_sequences("predictions", predictions, empty=True)
    check_sequences("references", references, empty=False)
    check_booleans("success", success, none=True)
    check_lengths(predictions=predictions, references=references, success=success)
    ratios = [len(agent) / len(person) for agent, person in zip(predictions, references, strict=True)]
    items = tuple(
        Sr2Item(
            success=done is True and ratio <= STEP_LIMIT_FACTOR,
            step_ratio=ratio,
            over_limit=ratio > STEP_LIMIT_FACTOR,
        )
        for ratio, done in zip(ratios, success, strict=True)
    )
    done = sum(item.success for item in items)
    undecided = sum(one is None and not item.over_limit for one, item in zip(success, items, strict=True))
    return Sr2(
        sr2=done / len(items),
        undecided=undecided,
        worst=done / len(items),
        best=(done + undecided) / len(items),
        step_ratio=_mean(item.step_ratio for item in items if item.success),
        step_ratio_all=fmean(ratios),
        over_limit=sum(item.over_limit for item in items),
        n=len(items),
        step_limit=STEP_LIMIT_FACTOR,
        per_item=items,
    )


def spell_canonically(sequence: Sequence[str]) -> list[str]:
    """Return the actions in the canonical spelling, without the answer to a question."""
    # the answer is no action of the paper's
    return [canonical(strip_answer(action)) for action in sequence]


def _score_sim2_item(
    agent: Sequence[str],
    person: Sequence[str],
    other: Sequence[str],
    rules: Protocol,
    method: str,
    spelling: str,
) -> Sim2Item:
    agent_plain, person_plain, other_plain = map(spell_canonically, (agent, person, other))
    if spelling == "canonical" or method == "tokens":
        agent, person, other = agent_plain, person_plain, other_plain
    s_i = compare_actions(person, agent, rules, method)
    s_ii = compare_actions(other, agent, rules, method) if other else None
    return Sim2Item(
        sim2=divide_sim2(s_i, s_ii, rules),
        s_i=s_i,
        s_ii=s_ii,
        action_similarity=sequence_similarity(person_plain, agent_plain, "tokens"),
        action_similarity_other=sequence_similarity(other_plain, agent_plain, "tokens") if other else None,
    )


def choose_spelling(rules: Protocol, spelling: str | None) -> str:
    """Return the spelling in which actions are compared, by default the protocol's own.

    Raises:
        UsageError: There is no such spelling.
    """
    spelled = rules.spelling if spelling is None else spelling
    if spelled not in SPELLINGS:
        raise UsageError(f"expected a spelling, {' or '.join(SPELLINGS)}, got {spelled!r}")
    return spelled


def divide_sim2(s_i: float, s_ii: float | None, rules: Protocol) -> float | None:
    """Return S_I / S_II of one episode.

    Args:
        s_i: Similarity with the person's sequence.
        s_ii: Similarity with the sequence of a person of another type; None without such a sequence.
        rules: The protocol, which says what stands for a missing S_II, and for one of 0.

    Returns:
        The quotient; None only for what the dataset lacks, 0 where the agent's own actions leave no quotient.
    """
    if s_ii is None:
        return None if rules.no_other_type is None else s_i / rules.no_other_type
    divisor = s_ii or rules.s_ii_of_zero
    return 0.0 if divisor is None else s_i / divisor


def compare_actions(reference: Sequence[str], agent: Sequence[str], rules: Protocol, method: str) -> float:
    """Similarity of two action sequences, with the protocol's terminator after the agent's last action.

    Args:
        reference: The action strings of a person.
        agent: The agent's action strings.
        rules: The protocol.
        method: Method of `sequence_similarity`.
    """
    if method == "tokens":
        return sequence_similarity(reference, agent, method)
    # the authors' script appends the terminator to the agent's text only
    written = ACTION_SEPARATOR.join(agent) + rules.agent_terminator if agent else ""
    return text_similarity(ACTION_SEPARATOR.join(reference), written, method)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
