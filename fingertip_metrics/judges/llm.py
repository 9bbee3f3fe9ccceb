"""A language model as judge: intents passed as data, strict parsing, majority of votes, cached answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

from fingertip_dataset.errors import ModelError, UsageError
from fingertip_dataset.release.problems import printable
from fingertip_dataset.release.settings import is_language_code
from fingertip_metrics.aggregate import sum_known
from fingertip_metrics.judges.prompt import PROMPT_VERSION, derive_code, hash_prompt, question, read_verdict
from fingertip_metrics.judges.verdicts import (
    IntentPair,
    JudgeProblem,
    RecordedVerdict,
    State,
    Verdict,
    VerdictCheck,
    majority,
)
from fingertip_models.cache import AppendOnlyCache, cache_key
from fingertip_models.chat.chat_answer import ModelAnswer
from fingertip_models.failure_streak import FailureStreak
from fingertip_models.messages import Language
from fingertip_models.model import Model

PAPERS_JUDGE = "DeepSeek-V3"
"""The judge of the paper's section 5.1."""

LONGEST_INTENT = 2000
"""Maximum characters of a predicted intent that is sent to a model. An intent is a sentence; a longer text is
judged "different" without a query, because a text that the server refuses would block the scoring of the
whole run."""

CONCURRENCY = 8

FEWEST_ALIKE = 5
"""Minimum number of pairs whose votes must all be alike before that is taken for a server without seeds."""

VOTES_ALIKE = (
    "all votes of this judge on a pair are the same answer at a temperature above 0: its server takes no "
    "seed, so they count as one vote"
)
"""Warning about votes that are not independent."""

RESUME = "earlier verdicts are cached, run it again to continue"
"""End of the message of a judge that stops."""

REMARK = "the judge's prompt is ours: the authors' own is not public"

_PAPERS_NAMES = re.compile(r"(?:.*/)?deepseek-v3(?:-\d{4,6})?", re.IGNORECASE)


def is_papers_model(name: str) -> bool:
    """Whether a model id names DeepSeek-V3, the paper's judge and history model (A.6.3).

    >>> [is_papers_model(name) for name in ("deepseek-ai/DeepSeek-V3-0324", "deepseek-v3.1")]
    [True, False]
    """
    return _PAPERS_NAMES.fullmatch(name) is not None


def is_papers_judge(settings: Mapping[str, object]) -> bool:
    """Whether recorded settings are those of the paper's model, asked with our prompt of this version.

    Args:
        settings: Recorded settings of a judge, possibly foreign: no type in them is certain.
    """
    voters = settings.get("voters")
    return (
        settings.get("kind") == LlmJudge.kind
        and LlmJudge.verdict_check(settings) is not None
        and isinstance(voters, list)
        and bool(voters)
        and all(isinstance(voter, Mapping) and _is_papers_voter(voter) for voter in voters)
    )


def _is_papers_voter(model: Mapping[str, Any]) -> bool:
    return bool(model.get("base_url")) and is_papers_model(str(model.get("model")))


class LlmJudge:
    """Queries one or several models, a vote each; the strict majority is the verdict.

    An answer without a verdict is an unscored vote. So is a query that fails while the model's server answers
    others, with the problem "failed"; it is not cached, so a repeated call queries it again. A dead
    endpoint, `MOST_FAILED_IN_A_ROW` failed pairs in a row, and a failure of every query are errors.

    Args:
        voters: One model per vote; for several votes of one model, that model with different seeds and a
            temperature above 0.
        language: Language of our prompt.
        reasons: Language in which reasons are requested, by its ISO 639 code; "" for that of the prompt.
        cache: Cache of all answers; None for no cache.
        concurrency: Number of concurrent queries.
        on_progress: Called with (answers so far, all answers), cached ones included.

    Attributes:
        tokens: Tokens of the prompts and of the answers so far, cached ones included, as far as known.

    Raises:
        UsageError: No voter, unknown language, or a concurrency below 1.
    """

    kind: ClassVar = "model"

    def __init__(
        self,
        voters: Sequence[Model],
        *,
        language: Language = "zh",
        reasons: str = "",
        cache: AppendOnlyCache | None = None,
        concurrency: int = CONCURRENCY,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        if not voters or concurrency < 1:
            raise UsageError(
                f"expected at least 1 vote and 1 concurrent query, got {len(voters)} and {concurrency}"
            )
        self._prompt = hash_prompt(language, reasons)
        self._voters = tuple(voters)
        self._models = [dict(voter.settings()) for voter in voters]
        self._language: Language = language
        self._reasons = reasons
        self._cache = cache
        self._streak = FailureStreak()
        self._answered = self._repeated = 0
        self._concurrency = concurrency
        self._on_progress = on_progress
        self.tokens = (0, 0)

    @classmethod
    def verdict_check(cls, settings: Mapping[str, object]) -> VerdictCheck | None:
        """Read the recorded output again; None for another prompt than ours of this version."""
        prompt = settings.get("prompt")
        digest = prompt.get("sha256") if isinstance(prompt, dict) else None
        reasons = prompt.get("reasons", "") if isinstance(prompt, dict) else ""
        # of a foreign record: anything else could hold a prompt of its own
        if not isinstance(reasons, str) or (reasons and not is_language_code(reasons)):
            return None
        ours = [hash_prompt(language, reasons) for language in get_args(Language)]
        return _check_output if digest in ours else None

    @property
    def name(self) -> str:
        """The models' names, the prompt, and the number of votes if above 1."""
        models = "+".join(dict.fromkeys(str(model.get("model")) for model in self._models))
        votes = f", {len(self._voters)} votes" if len(self._voters) > 1 else ""
        return f"{models} (prompt {self._language}-{PROMPT_VERSION}{votes})"

    @property
    def settings(self) -> dict[str, object]:
        """The prompt by its version and hash, and each voter's settings."""
        prompt = {"version": PROMPT_VERSION, "language": self._language, "sha256": self._prompt}
        if self._reasons:
            prompt["reasons"] = self._reasons
        return {
            "kind": self.kind,
            "prompt": prompt,
            "longest_intent": LONGEST_INTENT,
            "voters": [dict(model) for model in self._models],
        }

    @property
    def why_not_comparable(self) -> str | None:
        """Reason if a voter's model name differs from the paper's; the name is all that can be checked."""
        if all(_is_papers_voter(model) for model in self._models):
            return None
        return f"judge {self.name}: the paper's is {PAPERS_JUDGE}"

    @property
    def remark(self) -> str | None:
        """Note that the prompt is not the authors'."""
        return REMARK

    @property
    def are_votes_alike(self) -> bool:
        """Whether the votes on each of several pairs so far are one answer to the letter, though drawn."""
        drawn = len(self._voters) > 1 and all(voter.options.temperature != 0 for voter in self._voters)
        return drawn and self._repeated == self._answered >= FEWEST_ALIKE

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        """Return a verdict per pair, in order; equal pairs are queried once, and the first counts the tokens.

        Raises:
            EndpointError: An endpoint is dead, or too many pairs in a row failed.
            ModelError: Every query of this judge failed.
            RunError: The cache could not be written (for example, disk full).
        """
        unique_pairs = [pair for pair in dict.fromkeys(pairs) if len(pair[0]) <= LONGEST_INTENT]
        calls = [(pair, vote) for pair in unique_pairs for vote in range(len(self._voters))]
        votes = dict(zip(calls, self._ask_all(calls), strict=True))
        failed = next((vote.reason for vote in votes.values() if vote.problem == "failed"), None)
        if failed is not None and not self._streak.answered:
            raise ModelError(f"{failed}; no pair has a verdict: {RESUME}")
        for pair in unique_pairs:
            outputs = [votes[pair, vote].output for vote in range(len(self._voters))]
            if all(outputs):
                self._answered += 1
                self._repeated += len(set(outputs)) == 1
        verdicts = {
            pair: _verdict([votes[pair, vote] for vote in range(len(self._voters))]) for pair in unique_pairs
        }
        found = []
        for pair in pairs:
            found.append(verdicts.get(pair) or _judge_too_long(pair[0]))
            if pair in verdicts:
                # later equal pairs cost nothing
                verdicts[pair] = replace(verdicts[pair], prompt_tokens=0, completion_tokens=0)
        return tuple(found)

    def _ask_all(self, calls: Sequence[tuple[IntentPair, int]]) -> list[_Vote]:
        """Return a vote per call. An error cancels the queued calls; running ones finish and are cached."""
        with ThreadPoolExecutor(max_workers=self._concurrency, thread_name_prefix="fingertip-judge") as pool:
            running = [pool.submit(self._ask_vote, *call) for call in calls]
            try:
                if self._on_progress:
                    self._on_progress(0, len(running))
                for number, done in enumerate(as_completed(running), start=1):
                    self._count_tokens(done.result())
                    if self._on_progress:
                        self._on_progress(number, len(running))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            return [done.result() for done in running]

    def _count_tokens(self, vote: _Vote) -> None:
        prompt, completion = self.tokens
        self.tokens = prompt + (vote.prompt_tokens or 0), completion + (vote.completion_tokens or 0)

    def _ask_vote(self, pair: IntentPair, vote: int) -> _Vote:
        # the number of the vote is part of the key: two votes of one model are two queries
        parts = {"prompt": self._prompt, "model": self._models[vote], "vote": vote, "texts": pair}
        key = cache_key(parts)
        known = None if self._cache is None else self._cache.get(key)
        if known is None:
            try:
                answer = self._voters[vote].ask(question(*pair, self._language, self._reasons))
            except ModelError as error:
                self._streak.add(pair, error, advice=RESUME)
                return _Vote(state="unscored", problem="failed", reason=error.message)
            known = {
                "predicted": pair[0],
                "intended": pair[1],
                **list_kept_fields(answer),
            }
            if self._cache is not None:
                self._cache.put(key, known)
        self._streak.reset()
        return _read(known, derive_code(*pair))


def list_kept_fields(answer: ModelAnswer) -> dict[str, Any]:
    """Return what the cache of a judge keeps of a model's answer."""
    return {
        "output": answer.text,
        "reasoning": answer.reasoning,
        "model": answer.model,
        "finish_reason": answer.finish_reason,
        "seconds": answer.seconds,
        "prompt_tokens": answer.prompt_tokens,
        "completion_tokens": answer.completion_tokens,
    }


def _check_output(pair: IntentPair, recorded: RecordedVerdict) -> str:
    """Check a verdict against the recorded output: of the first vote for the state, or of the first vote."""
    if len(pair[0]) > LONGEST_INTENT:
        if recorded.state == "different":
            return ""
        return f"a text so long must be judged different, got {recorded.state}"
    if recorded.problem in ("failed", "no majority"):
        return ""
    state = read_verdict(recorded.output, derive_code(*pair))[0]
    if state == recorded.state:
        return ""
    return f"the judge's output says {state}, got {recorded.state}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Vote:
    state: State
    reason: str
    problem: JudgeProblem = ""
    output: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


def _read(known: Mapping[str, Any], code: str) -> _Vote:
    """Read the vote from a new or cached answer."""
    state, reason = read_verdict(known["output"], code)
    if state == "unscored":
        cut = " (the answer was cut)" if known["finish_reason"] == "length" else ""
        reason = f"no verdict in {printable(known['output'], 80)!r}{cut}"
    return _Vote(
        state=state,
        reason=reason,
        problem="unparsable" if state == "unscored" else "",
        output=known["output"],
        prompt_tokens=known["prompt_tokens"],
        completion_tokens=known["completion_tokens"],
    )


def _verdict(votes: Sequence[_Vote]) -> Verdict:
    states = tuple(vote.state for vote in votes)
    state = majority(states)
    deciding = next((vote for vote in votes if vote.state == state), votes[0])
    # most votes have a state, but no state has a majority
    split = state == "unscored" and 2 * states.count("unscored") <= len(states)
    return Verdict(
        state=state,
        reason=f"no majority: {', '.join(states)}" if split else deciding.reason,
        problem="no majority" if split else deciding.problem,
        output=deciding.output,
        votes=states,
        prompt_tokens=sum_known([vote.prompt_tokens for vote in votes]),
        completion_tokens=sum_known([vote.completion_tokens for vote in votes]),
    )


def _judge_too_long(predicted: str) -> Verdict:
    reason = f"{len(predicted):,} characters, judge not queried: an intent has at most {LONGEST_INTENT:,}"
    return Verdict(state="different", reason=reason, prompt_tokens=0, completion_tokens=0)
