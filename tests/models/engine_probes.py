"""Probes of a model server: what it does with each setting of a request, in a few words for docs/servers.md.

Each probe makes a few small requests and says what was observed; nothing of a server is assumed. The texts
are short, since two cores write a few tokens a second.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fingertip_models.chat.context_refusals import find_excess

TEXT = "Name a colour."
HOT = 1.5
"""Temperature at which the weights hardly write the same eight tokens twice."""

FEW = 8
"""Tokens of an answer."""

SEEDS = (1, 2, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The answer of a server to one request.

    Attributes:
        status: HTTP status.
        body: JSON of the answer; {} if it is none.
        raw: The body as it came.
    """

    status: int
    body: Mapping[str, Any]
    raw: str

    @property
    def texts(self) -> list[str]:
        """Texts of the choices."""
        return [choice["message"]["content"] or "" for choice in self.body.get("choices", ())]

    @property
    def text(self) -> str:
        """Text of the first choice; the refusal of a request without one."""
        return self.texts[0] if self.texts else self.raw[:80]

    @property
    def finish(self) -> str:
        """Reason for the end of the first choice."""
        return str(self.body["choices"][0]["finish_reason"]) if self.texts else ""

    def count(self, *path: str) -> int | None:
        """Return a number of the usage; None if the server does not count it."""
        found: Any = self.body.get("usage") or {}
        for name in path:
            found = (found or {}).get(name)
        return found if isinstance(found, int) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A running server.

    Attributes:
        url: Its base URL, ending in /v1.
        model: Name of its model.
        fields: Further fields of each request, as the recipe has them.
        penalty: Name of its field for a penalty of repeated tokens.
        timeout_s: Maximum seconds of a request.
    """

    url: str
    model: str
    fields: Mapping[str, object]
    penalty: str = "repetition_penalty"
    timeout_s: float = 600

    def ask(self, text: str = TEXT, *, path: str = "/chat/completions", **fields: object) -> Outcome:
        """Send a request; a refusal is an outcome, too."""
        messages = fields.pop("messages", [{"role": "user", "content": text}])
        body = {"model": self.model, "messages": messages, "max_tokens": FEW, **self.fields, **fields}
        request = urllib.request.Request(  # noqa: S310 - a server of the tests
            self.url + path, json.dumps(body).encode(), {"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_s) as answer:  # noqa: S310
                return _read(answer.status, answer.read())
        except urllib.error.HTTPError as error:
            return _read(error.code, error.read())


def _read(status: int, content: bytes) -> Outcome:
    raw = content.decode("utf-8", "replace")
    try:
        body = json.loads(raw)
    except ValueError:
        body = {}
    return Outcome(status=status, body=body if isinstance(body, dict) else {}, raw=raw)


def probe_greedy(engine: Engine) -> str:
    """Whether temperature 0 gives the same text each time."""
    texts = {engine.ask(temperature=0).text for _ in range(3)}
    return "greedy: three equal answers" if len(texts) == 1 else f"{len(texts)} different answers of 3"


def probe_temperature(engine: Engine) -> str:
    """Whether a temperature above 0 draws."""
    texts = {engine.ask(temperature=HOT, seed=seed).text for seed in SEEDS}
    return "draws" if len(texts) > 1 else "ignored: three equal answers"


def probe_seed(engine: Engine) -> str:
    """Whether the same seed gives the same draw."""
    pairs = [
        [engine.ask(temperature=HOT, seed=seed).text for seed in (7, 7)],
        [engine.ask(temperature=HOT, seed=8).text],
    ]
    if pairs[0][0] == pairs[0][1]:
        return "followed" if pairs[1][0] != pairs[0][0] else "no effect: other seeds give the same answer"
    return "ignored: the same seed gives other answers"


def probe_top_k(engine: Engine) -> str:
    """Whether top_k 1 makes a hot draw greedy."""
    answers = [engine.ask(temperature=HOT, top_k=1, seed=seed) for seed in SEEDS[:2]]
    if answers[0].status != 200:
        return f"status {answers[0].status}"
    texts = {answer.text for answer in answers}
    return "followed" if texts == {engine.ask(temperature=0).text} else "ignored"


def probe_penalty(engine: Engine) -> str:
    """Whether a penalty of repeated tokens changes a greedy answer."""
    penalty: dict[str, Any] = {engine.penalty: 8.0}
    answer = engine.ask(temperature=0, **penalty)
    if answer.status != 200:
        return f"`{engine.penalty}`: status {answer.status}"
    changed = answer.text != engine.ask(temperature=0).text
    return f"`{engine.penalty}` followed" if changed else f"`{engine.penalty}` ignored"


def probe_max_tokens(engine: Engine) -> str:
    """What ends an answer at the limit."""
    answer = engine.ask(temperature=0, max_tokens=3)
    return f"{answer.count('completion_tokens')} tokens of 3, finish_reason {answer.finish}"


def probe_stop(engine: Engine) -> str:
    """Whether a stop text ends an answer."""
    whole = engine.ask(temperature=0).text
    stop = whole.strip()[3:5]
    answer = engine.ask(temperature=0, stop=[stop])
    if answer.status != 200:
        return f"status {answer.status}"
    if answer.text == whole:
        return "ignored"
    return "followed, the stop text left out" if stop not in answer.text else "followed, the stop text kept"


def probe_n(engine: Engine) -> str:
    """How many choices n 2 brings."""
    answer = engine.ask(temperature=HOT, n=2)
    return f"{len(answer.texts)} choices" if answer.status == 200 else f"status {answer.status}"


def probe_logprobs(engine: Engine) -> str:
    """Whether log probabilities come."""
    answer = engine.ask(temperature=0, max_tokens=2, logprobs=True, top_logprobs=2)
    if answer.status != 200:
        return f"status {answer.status}"
    return "given" if answer.body["choices"][0].get("logprobs") else "left out"


def probe_json(engine: Engine) -> str:
    """Whether response_format json_object makes JSON of any answer."""
    answer = engine.ask(temperature=0, max_tokens=24, response_format={"type": "json_object"})
    if answer.status != 200:
        return f"status {answer.status}"
    return "JSON" if answer.text.lstrip().startswith("{") else "ignored"


def probe_system(engine: Engine) -> str:
    """What a system message does to the prompt."""
    user = {"role": "user", "content": TEXT}
    alone = engine.ask(temperature=0, messages=[user]).count("prompt_tokens") or 0
    system = {"role": "system", "content": "Answer in French."}
    both = engine.ask(temperature=0, messages=[system, user])
    if both.status != 200:
        return f"status {both.status}"
    counted = both.count("prompt_tokens") or 0
    return f"in the prompt ({counted} tokens; {alone} without, the template's own system text among them)"


def probe_overflow(engine: Engine) -> str:
    """What a prompt longer than the context brings."""
    answer = engine.ask("word " * 2500, max_tokens=1)
    if answer.status == 200 and answer.texts:
        return f"answered: {answer.count('prompt_tokens')} prompt tokens"
    line = find_excess(answer.raw)
    return f"status {answer.status}, " + ("read as: " + line.partition(":")[0] if line else "other words")


def probe_long_answer(engine: Engine) -> str:
    """What a limit beyond the context brings."""
    answer = engine.ask(temperature=0, max_tokens=5000, stop=["\n", "."])
    if answer.status == 200:
        return "taken: an answer ends with the context at last"
    line = find_excess(answer.raw, 5000)
    return f"status {answer.status}" + (", read as: too long" if line else "")


def probe_name(engine: Engine) -> str:
    """What a wrong name of the model brings."""
    answer = engine.ask(temperature=0, max_tokens=1, model="nobody/has-this")
    return "any name is taken" if answer.status == 200 else f"status {answer.status}"


def probe_cached(engine: Engine) -> str:
    """Whether the usage tells how much of a repeated prompt came from the prefix cache."""
    for _ in range(2):
        answer = engine.ask(temperature=0, max_tokens=1)
    cached = answer.count("prompt_tokens_details", "cached_tokens")
    return "not told" if cached is None else f"told: {cached} of {answer.count('prompt_tokens')}"


def probe_stream(engine: Engine) -> str:
    """Whether a stream ends with its tokens."""
    answer = engine.ask(temperature=0, stream=True, stream_options={"include_usage": True})
    events = [line for line in answer.raw.splitlines() if line.startswith("data:")]
    usage = any('"completion_tokens"' in event for event in events)
    return f"{'a stream' if len(events) > 2 else 'no stream'}, {'with' if usage else 'without'} usage"


PROBES: Mapping[str, Callable[[Engine], str]] = {
    "temperature 0": probe_greedy,
    "a temperature": probe_temperature,
    "seed": probe_seed,
    "top_k": probe_top_k,
    "repetition penalty": probe_penalty,
    "max_tokens": probe_max_tokens,
    "stop": probe_stop,
    "n": probe_n,
    "logprobs": probe_logprobs,
    "response_format": probe_json,
    "system role": probe_system,
    "a prompt beyond the context": probe_overflow,
    "max_tokens beyond the context": probe_long_answer,
    "another model's name": probe_name,
    "cached prompt tokens": probe_cached,
    "stream": probe_stream,
}
"""Row of the table -> its probe."""
