"""Prompt tokens that a server with a prefix cache evaluates: the order of our prompts beside the earlier one.

python -m benchmarks.prefix DATASET --url http://127.0.0.1:PORT [--evaluate N]

A server such as llama.cpp keeps the tokens with which a prompt begins as the last one did, and evaluates
the rest. The server at the URL counts tokens (`/tokenize` of llama.cpp), and the shared beginnings are
counted for each task, or step of an attempt, after the one before. With `--evaluate` the first N prompts of
track 1 are also sent to it, in both orders, and what it says it has evaluated is printed
(`timings.prompt_n`); one slot, so that no other request comes between.

Earlier orders: on track 1 time and place came before the earlier intents; on track 2 pictures came before
the text, and so every later token was evaluated anew. The tokens of pictures are not counted: they change
with each step in either order.
"""

from __future__ import annotations

import argparse
import json
import re
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from execution_runner.environments.recorded_episodes import COLUMNS, read_recorded_steps
from execution_runner.environments.recorded_session import as_done
from execution_runner.execution_view import EQUATION_2
from execution_runner.run_plan import EXECUTION_COLUMNS, plan_task
from fingertip_agents.registry import FORMATS, get_agent, make_format
from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_dataset import BuiltDataset
from fingertip_models.messages import Message
from suggestion_runner.suggestion_tasks import open_tasks
from suggestion_runner.task_view import TaskView

TASKS = 60
"""Tasks of track 1 that are counted for each history."""

ATTEMPTS = 12
"""Recorded attempts of track 2 that are counted for each format."""

HISTORIES = (("20", "online"), ("20", "strict"), ("all", "online"))
_MOMENT = re.compile(r"# (?:Now|此刻)\n(?:[^#\n].*\n)+")


class LlamaServer:
    """llama.cpp's server: counts tokens, and says how many it has evaluated."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/").removesuffix("/v1")

    def count(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        tokens: list[int] = self._post("/tokenize", {"content": text})["tokens"]
        return tokens

    def evaluate(self, messages: Sequence[Message]) -> int:
        """Send a prompt, and return how many of its tokens were not in the cache."""
        chat = [{"role": message.role, "content": message.text} for message in messages]
        body = {"messages": chat, "max_tokens": 1, "temperature": 0, "cache_prompt": True}
        return int(self._post("/v1/chat/completions", body)["timings"]["prompt_n"])

    def _post(self, path: str, body: object) -> dict[str, Any]:
        request = urllib.request.Request(  # noqa: S310 - of the call
            self._url + path, json.dumps(body).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=3600) as answer:  # noqa: S310
            found: dict[str, Any] = json.load(answer)
            return found


def write_earlier(messages: Sequence[Message]) -> list[Message]:
    """Write a prompt of track 1 in its earlier order: time and place before the earlier intents."""
    *first, user = messages
    text = f"{user.text}\n"
    moment = _MOMENT.search(text)
    place = text.find("\n# ")
    if moment is None or place < 0:
        return [*messages]
    without = text[: moment.start()] + text[moment.end() :]
    moved = without[: place + 1] + moment[0] + without[place + 1 :]
    return [*first, Message(role="user", text=moved.rstrip("\n"))]


def list_suggestions(dataset: Path, history: str, protocol: str, most: int) -> list[Sequence[Message]]:
    """List the prompts of the first tasks of track 1."""
    built = BuiltDataset.open(dataset)
    shown: dict[str, Any] = {"history": history, "protocol": protocol}
    view = TaskView(split="test_suggestion", **shown)
    record = view.record(dataset, built, get_agent("recent"), None, history_prices=None)
    language = built.manifest.settings.prompt_language
    tasks = islice(open_tasks(built, record, frozenset(), failed={}), most)
    return [make_suggestion_messages(task.input, language) for task in tasks]


def list_attempts(built: BuiltDataset, name: str, most: int) -> Iterator[list[Sequence[Message]]]:
    """Yield the prompts of each recorded attempt in a format, step by step."""
    settings, form = built.manifest.settings, make_format(name)
    columns = tuple(dict.fromkeys(("user_id", *EXECUTION_COLUMNS, *COLUMNS)))
    for row in islice(built.rows("test_execution", columns=columns, config="default"), most):
        language = settings.language_of(row["user_id"])
        task = plan_task(row, "same_user", built.answer_forms(), language=language)
        shown, steps = EQUATION_2.show_task(task.input), read_recorded_steps(row)
        prompts: list[Sequence[Message]] = []
        for number, step in enumerate(steps):
            past = tuple(EQUATION_2.show_past([as_done(earlier) for earlier in steps[:number]]))
            screen = EQUATION_2.show_screen(step.observation)
            prompts.append(form.prepare(shown, screen, past, settings.prompt_language).messages)
        yield prompts


def share(
    prompts: Iterable[Sequence[Message]], server: LlamaServer, *, pictures_first: bool
) -> tuple[int, int, int]:
    """Count prompts, their tokens, and those that are not shared with the prompt before.

    Args:
        prompts: Prompts, one after another.
        server: Counts tokens.
        pictures_first: Whether pictures stand before the text of their message, where the shared part ends.
    """
    queries = whole = evaluated = 0
    before: list[int] = []
    for messages in prompts:
        tokens: list[int] = []
        for message in messages:
            if message.images and (pictures_first or not message.images_last):
                tokens.append(-queries - 1)
            tokens += server.count(message.text)
            if message.images:
                tokens.append(-queries - 1)
        known = next(
            (at for at, (one, other) in enumerate(zip(before, tokens, strict=False)) if one != other),
            min(len(before), len(tokens)),
        )
        queries, whole = queries + 1, whole + len(tokens)
        evaluated, before = evaluated + len(tokens) - known, tokens
    return queries, whole, evaluated


def print_row(name: str, queries: int, whole: int, earlier: int, now: int) -> None:
    """Print the tokens of a prompt on average, and the ratio of both orders."""
    print(f"{name:26}{queries:8}{whole / queries:10.0f}{earlier / queries:12.0f}{now / queries:10.0f}"
          f"{earlier / max(now, 1):8.2f}", flush=True)  # fmt: skip


def main() -> None:
    """Counts, and prints a row for each history of track 1 and each format of track 2."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--url", required=True)
    parser.add_argument("--evaluate", type=int, default=0)
    parser.add_argument("--tasks", type=int, default=TASKS)
    parser.add_argument("--attempts", type=int, default=ATTEMPTS)
    parser.add_argument("--formats", nargs="*", default=sorted(FORMATS))
    options = parser.parse_args()
    server, built = LlamaServer(options.url), BuiltDataset.open(options.dataset)
    print(f"{'tokens of a prompt':26}{'prompts':>8}{'all':>10}{'earlier':>12}{'now':>10}{'ratio':>8}")
    for history, protocol in HISTORIES:
        prompts = list_suggestions(options.dataset, history, protocol, options.tasks)
        queries, whole, now = share(prompts, server, pictures_first=False)
        _, _, earlier = share(map(write_earlier, prompts), server, pictures_first=False)
        print_row(f"track 1, {history}, {protocol}", queries, whole, earlier, now)
    for name in options.formats:
        sums = [[0, 0, 0, 0]]
        for attempt in list_attempts(built, name, options.attempts):
            queries, whole, now = share(attempt, server, pictures_first=False)
            _, _, earlier = share(attempt, server, pictures_first=True)
            sums.append([queries, whole, earlier, now])
        print_row(f"track 2, {name}", *map(sum, zip(*sums, strict=True)))
    for history, protocol in HISTORIES[1:2] if options.evaluate else ():
        prompts = list_suggestions(options.dataset, history, protocol, options.evaluate)
        for label, order in (("earlier", map(write_earlier, prompts)), ("now", iter(prompts))):
            counts = [server.evaluate(messages) for messages in order]
            print(f"evaluated by llama.cpp, track 1, {history}, {protocol}, {label}: {counts}", flush=True)


if __name__ == "__main__":
    main()
