"""A named model that says why suggestions failed, where no rule can: about recorded people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import ModelError
from fingertip_dataset.release.problems import printable
from fingertip_metrics.judges.llm import CONCURRENCY, LONGEST_INTENT, RESUME, list_kept_fields
from fingertip_metrics.judges.named import make_votes, open_voters
from fingertip_metrics.judges.prompt import name_prompt
from fingertip_models.cache import AppendOnlyCache, cache_key
from fingertip_models.failure_streak import FailureStreak
from fingertip_models.messages import Language, Message
from fingertip_models.model import Backend, Model
from suggestion_runner.why.reason_question import (
    QUESTION_VERSION,
    FailedAnswer,
    JudgedReasonName,
    ask_reason,
    derive_reason_code,
    hash_reason_prompt,
    read_reason,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedReason:
    """The answer of a model to one question.

    Attributes:
        name: The reason of most votes; None without one, so that the answer stays not judged.
        words: The model's words for it, or why there is no reason.
        failed: Whether there is no reason because the query failed.
    """

    name: JudgedReasonName | None
    words: str = ""
    failed: bool = False


class ReasonJudge:
    """Queries one model, a vote or more per failed answer; the strict majority is the reason.

    Only a reason of the closed list is taken. An answer without one, and a query that fails while the server
    answers others, leave the answer not judged; a failed query is not cached: the same call makes it again.

    Args:
        voters: One model per vote.
        language: Language of the prompt.
        reasons: Language in which reasons are requested, by its ISO 639 code; "" for that of the prompt.
        cache: Cache of all answers; None for no cache.
        concurrency: Number of concurrent queries.
        on_progress: Called with (answers so far, all answers), cached ones included.
    """

    def __init__(
        self,
        voters: Sequence[Model],
        *,
        language: Language,
        reasons: str = "",
        cache: AppendOnlyCache | None = None,
        concurrency: int = CONCURRENCY,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._voters = tuple(voters)
        self._language: Language = language
        self._reasons = reasons
        self._cache = cache
        self._concurrency = concurrency
        self._on_progress = on_progress
        self._streak = FailureStreak()

    @property
    def name(self) -> str:
        """Name in results: the model, the question's languages and version, and the votes if above 1."""
        votes = f", {len(self._voters)} votes" if len(self._voters) > 1 else ""
        prompt = name_prompt(self._language, QUESTION_VERSION, self._reasons)
        return f"why-judge:{self._voters[0].options.model}@{prompt}{votes}"

    @property
    def settings(self) -> dict[str, object]:
        """The question by its version and hash, and each voter's settings."""
        prompt: dict[str, object] = {
            "version": QUESTION_VERSION,
            "language": self._language,
            "sha256": hash_reason_prompt(self._language, self._reasons),
        }
        if self._reasons:
            prompt["reasons"] = self._reasons
        return {"prompt": prompt, "voters": [dict(voter.settings()) for voter in self._voters]}

    def find_reasons(self, failed: Sequence[FailedAnswer]) -> tuple[JudgedReason, ...]:
        """The model's reason for each failed answer, in order.

        Raises:
            EndpointError: The endpoint is dead, or too many queries in a row failed.
            ModelError: Every query failed.
            RunError: The cache could not be written.
        """
        total, done = len(failed) * len(self._voters), count(1)
        if self._on_progress:
            self._on_progress(0, total)

        def ask(call: tuple[FailedAnswer, int]) -> JudgedReason:
            reason = self._ask_vote(*call)
            if self._on_progress:
                self._on_progress(next(done), total)
            return reason

        with ThreadPoolExecutor(max_workers=self._concurrency, thread_name_prefix="fingertip-why") as pool:
            calls = [(answer, vote) for answer in failed for vote in range(len(self._voters))]
            running = [pool.submit(ask, call) for call in calls]
            try:
                votes = [one.result() for one in running]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        refused = next((one for one in votes if one.failed), None)
        if refused is not None and not self._streak.answered:
            raise ModelError(f"{refused.words}; no answer has a reason: {RESUME}")
        size = len(self._voters)
        return tuple(_take_majority(votes[at : at + size]) for at in range(0, len(votes), size))

    def _ask_vote(self, failed: FailedAnswer, vote: int) -> JudgedReason:
        if len(failed.predicted) > LONGEST_INTENT:
            return JudgedReason(name="unreadable_answer", words=f"{len(failed.predicted):,} characters")
        code = derive_reason_code(failed, self._language)
        messages = ask_reason(failed, self._language, self._reasons)
        settings = dict(self._voters[vote].settings())
        # the texts of both messages: the prompt, and all the data
        texts = [message.text for message in messages]
        key = cache_key({"model": settings, "vote": vote, "texts": texts})
        known = None if self._cache is None else self._cache.get(key)
        if known is None:
            try:
                known = self._query(failed, messages, vote)
            except ModelError as error:
                self._streak.add(code, error, advice=RESUME)
                return JudgedReason(name=None, words=error.message, failed=True)
            if self._cache is not None:
                self._cache.put(key, known)
        self._streak.reset()
        found = read_reason(known["output"], code)
        if found is None:
            words = f"no reason of the list in {printable(known['output'], 80)!r}"
            return JudgedReason(name=None, words=words)
        return JudgedReason(name=found[0], words=printable(found[1]))

    def _query(self, failed: FailedAnswer, messages: Sequence[Message], vote: int) -> dict[str, Any]:
        """Query the model; returns what the cache keeps."""
        answer = self._voters[vote].ask(messages)
        return {
            "predicted": failed.predicted,
            "intended": failed.task.text,
            "task_id": failed.task.episode_id,
            **list_kept_fields(answer),
        }


@contextmanager
def open_reason_judge(
    model: str,
    *,
    base_url: str | None = None,
    backend: Backend = "openai",
    votes: int = 1,
    language: Language = "zh",
    reasons: str = "",
    cache: Path | None = None,
    concurrency: int = CONCURRENCY,
    on_progress: Callable[[int, int], None] | None = None,
    preflight: bool = False,
) -> Iterator[ReasonJudge]:
    """Open the judge of reasons of a model, and close it at the end; the arguments are those of `open_judge`.

    Raises:
        UsageError: A wrong number of votes, or an option that the backend does not have.
        InputError: The cache cannot be read.
    """
    options = make_votes(model, base_url, backend, votes, language)
    with ExitStack() as stack:
        kept = stack.enter_context(AppendOnlyCache(cache)) if cache else None
        yield ReasonJudge(
            stack.enter_context(open_voters(options, backend, preflight=preflight)),
            language=language,
            reasons=reasons,
            cache=kept,
            concurrency=concurrency,
            on_progress=on_progress,
        )


def _take_majority(votes: Sequence[JudgedReason]) -> JudgedReason:
    """The reason of more than half of the votes, in the words of the first of them."""
    names = Counter(vote.name for vote in votes)
    name, number = names.most_common(1)[0]
    if 2 * number > len(votes):
        return next(vote for vote in votes if vote.name == name)
    return JudgedReason(name=None, words=f"no majority: {', '.join(vote.name or 'none' for vote in votes)}")
