"""Files of a run's memories: what was recalled for each task, and what a model answered to a memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from fingertip_dataset.errors import InputError, RunError
from fingertip_metrics.aggregate import sum_known
from fingertip_models.cache import AppendOnlyCache

if TYPE_CHECKING:
    from fingertip_agents.memory.keeper import Recall
    from fingertip_models.prices import Prices

RECALLS, REVISIONS = "recalls.jsonl", "revisions.jsonl"
"""Files in the folder of a run's memories: facts of each recollection, and answers of a model."""


class MemoryFiles:
    """Files of a run's memories, made at the first use: a run that is refused leaves none.

    Also the notebook of memories that ask a model: key of a request -> the answer, with seconds and tokens.

    Args:
        folder: Folder, made if it is missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened: dict[str, AppendOnlyCache] = {}

    def note_recall(self, recall: Recall) -> None:
        """Write down the facts of a recollection; the latest of a task counts.

        Raises:
            RunError: The file cannot be written.
            InputError: A line is broken.
        """
        recalls = self._open(RECALLS)
        recalls.put(recall.task_id, asdict(recall), replace=recall.task_id in recalls)

    def get(self, key: str) -> Mapping[str, object] | None:
        """Return a model's answer by the key of its request; None if the key is unknown."""
        return self._open(REVISIONS).get(key)

    def put(self, key: str, value: Mapping[str, object]) -> None:
        """Write down a model's answer."""
        self._open(REVISIONS).put(key, value)

    def close(self) -> None:
        """Close the files; repeated calls do nothing."""
        for opened in self._opened.values():
            opened.close()
        self._opened.clear()

    def _open(self, name: str) -> AppendOnlyCache:
        if name not in self._opened:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise RunError(
                    f"the folder of memories cannot be written: {error.strerror or error}", file=self._folder
                ) from error
            self._opened[name] = AppendOnlyCache(self._folder / name)
        return self._opened[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUse:
    """Size and cost of a run's memory.

    Attributes:
        recalls: Number of recollections.
        characters: Mean size of a recollection, characters.
        most_characters: Largest size.
        events: Mean number of events that a memory had been given.
        seconds: Mean duration of a recollection, seconds, with what a model took in it.
        calls: Number of model calls of the memory.
        model_seconds: Seconds of these calls in total.
        prompt_tokens: Their prompt tokens in total; None if the model does not report them.
        completion_tokens: Their output tokens in total; None if not reported.
    """

    recalls: int
    characters: float
    most_characters: int
    events: float
    seconds: float
    calls: int = 0
    model_seconds: float = 0.0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0

    def cost(self, prices: Prices | None) -> float | None:
        """Cost of its tokens; None without prices or token counts."""
        if prices is None or self.prompt_tokens is None or self.completion_tokens is None:
            return None
        return prices.cost(self.prompt_tokens, self.completion_tokens)

    def to_json(self, prices: Prices | None) -> dict[str, Any]:
        """Return the fields and the cost, in JSON types."""
        return {**asdict(self), "cost": self.cost(prices)}

    def describe(self, prices: Prices | None = None) -> str:
        """Describe size and cost in a sentence for the notes below a table.

        Args:
            prices: Prices of the model's tokens, without which no cost is told.

        >>> MemoryUse(recalls=2, characters=868, most_characters=900, events=48, seconds=0.004).describe()
        'the memory recalled 868 characters for a task on average, 900 at most, of 48 events, in 4 ms'
        """
        size = (
            f"the memory recalled {self.characters:,.0f} characters for a task on average, "
            f"{self.most_characters:,} at most, of {self.events:,.0f} events"
        )
        if not self.calls:
            return f"{size}, in {1000 * self.seconds:,.0f} ms"
        read, written = self.prompt_tokens, self.completion_tokens
        tokens = "of unknown tokens" if read is None or written is None else f"{read + written:,} tokens"
        cost = self.cost(prices)
        paid = "" if cost is None or prices is None else f", cost {cost:.4f} {prices.currency}"
        return f"{size}; it asked its model {self.calls:,} times: {self.model_seconds:,.0f} s, {tokens}{paid}"


def read_memory_use(folder: Path) -> MemoryUse | None:
    """Read size and cost of a memory from the folder of a run's memories; None if nothing was recalled.

    Raises:
        RunError: A file cannot be read.
        InputError: A line is broken.
    """
    recalls = _read_values(folder / RECALLS)
    if not recalls:
        return None
    calls = _read_values(folder / REVISIONS)
    return MemoryUse(
        recalls=len(recalls),
        characters=fmean(one["characters"] for one in recalls),
        most_characters=max(one["characters"] for one in recalls),
        events=fmean(one["events"] for one in recalls),
        seconds=fmean(one["seconds"] for one in recalls),
        calls=len(calls),
        model_seconds=sum(one["seconds"] for one in calls),
        prompt_tokens=sum_known([one["prompt_tokens"] for one in calls]),
        completion_tokens=sum_known([one["completion_tokens"] for one in calls]),
    )


def _read_values(file: Path) -> list[dict[str, Any]]:
    """Values of a file by key, the latest of each; empty without the file.

    A folder that is only read is not opened as a cache, which would make the file.
    """
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise RunError(f"the file cannot be read: {error.strerror or error}", file=file) from error
    found: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        try:
            record = json.loads(line)
            found[record["key"]] = dict(record["value"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError("expected a line about a memory", file=file, line=number) from error
    return [*found.values()]
