"""The lists of docs/reference/open-models.md: `python -m docs.site.benchmark_model_page` writes them again.

Tokens and parameters are measured (`benchmark_measures`), the rest follows from settings of the weights.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from docs.site.benchmark_measures import read_measures
from docs.site.benchmark_models import BYTES, BenchmarkedModel, read_models
from docs.site.page_lists import with_lists
from docs.site.site_map import DOCS
from fingertip_agents.registry import make_format
from fingertip_dataset.markdown_table import markdown_table

PAGE = DOCS / "reference" / "open-models.md"

GIB = 2**30
CARD_GIB = 24
USED_SHARE = 0.92
"""Share of a card's memory that vLLM takes: its default of --gpu-memory-utilization."""

REST_GIB = 2
"""Memory that is left for activations and CUDA graphs, an assumption: vLLM measures it at its start."""

MAX_TOKENS = 2048
"""Most tokens of an answer, on the page: --max-tokens."""

CONTEXT = 16000
"""Tokens of --max-model-len on the page: more than any prompt that was counted, for what a model thinks in
earlier answers, and less than the least that a model takes."""

MOST_SLOTS = 16
"""Most requests at once, on the page: that many simulated phones need a processor, too."""

SCREENS = {"360x800": (360, 800), "1080x2400": (1080, 2400)}
"""Screens of the benchmark's phones and of a usual phone, px."""

OLDEST_SERVER = "vllm >= 0.12"
"""First version that takes the size of pictures in --limit-mm-per-prompt."""

REPLACED = ("--limit-mm-per-prompt", "--limit-mm-per-prompt.video", "--max-model-len")
"""Options of a known server line that the page sets by itself; each has a value."""

EXAMPLE = "Qwen/Qwen3-VL-8B-Instruct"
EXAMPLE_SPEEDS = 4000, 400
"""Speeds of the worked example, prompt tokens and answer tokens a second of all slots together."""

EXAMPLE_THOUGHT = 100
"""Tokens of thought in each answer of the worked example."""

THINKING_OFF = """'chat_template_kwargs={"enable_thinking": false}'"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerPlan:
    """How a model is served on the card of the page.

    Attributes:
        weight_bytes: Bytes of the weights in bfloat16.
        longest: Tokens of the longest prompt that was counted, with the longest answer.
        cached_tokens: Tokens of the cache that fit beside the weights.
        slots: Requests at once that all fit if each is that long, and at most `MOST_SLOTS`.
    """

    weight_bytes: int
    longest: int
    cached_tokens: int
    slots: int


def plan_server(model: BenchmarkedModel, card_gib: float = CARD_GIB) -> ServerPlan:
    """Plan how a model is served.

    Args:
        model: The model.
        card_gib: Memory of the card, GiB.
    """
    measures = read_measures()
    weights = BYTES * sum(measures["parameters"][model.config.name].values())
    runs = measures["tokens"][model.name].values()
    longest = MAX_TOKENS + max(int(run["all"]["longest"]) for run in runs)
    room = (card_gib * USED_SHARE - REST_GIB) * GIB - weights
    a_slot = longest * model.config.token_bytes + model.config.slot_bytes
    return ServerPlan(
        weight_bytes=weights,
        longest=longest,
        cached_tokens=max(0, int(room // model.config.token_bytes)),
        slots=max(0, min(MOST_SLOTS, int(room // a_slot))),
    )


@cache
def benchmarked() -> Mapping[str, BenchmarkedModel]:
    """The models of the page, by name."""
    return read_models()


def count_pictures(model: BenchmarkedModel) -> int:
    """Count the most pictures of a prompt of track 2."""
    return int(str(make_format(model.known.format).settings.get("max_pictures", 1)))


def find_version(model: BenchmarkedModel) -> str:
    """Find the first version of the server that works."""
    needs = model.known.needs.partition(";")[0] or OLDEST_SERVER
    # "vllm >= 0.11": the option of the page is in 0.12
    return needs.replace("vllm >= 0.11", OLDEST_SERVER)


def write_server(model: BenchmarkedModel) -> str:
    """Write the line that serves a model: that of the table of known models, with the page's own limits."""
    words = shlex.split(model.known.write_server(model.name))
    kept = [
        word
        for before, word in zip(["", *words], words, strict=False)
        if before not in REPLACED and word not in REPLACED
    ]
    pictures = f'{{"image": {{"count": {count_pictures(model)}, "width": 360, "height": 800}}, "video": 0}}'
    own = ["--max-model-len", str(CONTEXT), "--max-num-seqs", str(plan_server(model).slots)]
    return shlex.join([*kept, *own, "--limit-mm-per-prompt", pictures])


def write_benchmark(model: BenchmarkedModel) -> str:
    """Write the line that benchmarks a model behind its server."""
    words = shlex.split(write_server(model))
    served = words[words.index("--served-model-name") + 1] if "--served-model-name" in words else model.name
    slots = plan_server(model).slots
    thinking = f" --extra-body {THINKING_OFF}" if model.known.format == "qwen3.5" else ""
    return (
        f"fingertip benchmark --model {served} --base-url http://127.0.0.1:8000/v1 --max-tokens {MAX_TOKENS} "
        f"--concurrency {slots}{thinking} --quick --out look-{model.short.lower()}"
    )


def lines() -> str:
    """The lines of each model."""
    blocks = [
        f"# {model.short}: {find_version(model)}\n{write_server(model)}\n{write_benchmark(model)}"
        for model in benchmarked().values()
    ]
    return "```\n" + "\n\n".join(blocks) + "\n```"


def memory() -> str:
    """The memory that each model needs, and the slots that are left."""
    rows = []
    for model in benchmarked().values():
        plan = plan_server(model)
        rows.append(
            (
                model.short,
                f"`{model.known.format}`",
                f"{plan.weight_bytes / GIB:.1f}",
                f"{model.config.token_bytes / 1024:.0f}",
                f"{plan.cached_tokens // 1000:,}",
                f"{plan.longest:,}",
                str(plan.slots),
                str(count_pictures(model)),
                *(f"{model.config.count_picture_tokens(_send(model, size)):,}" for size in SCREENS.values()),
            )
        )
    screens = [f"tokens of a picture of {name}" for name in SCREENS]
    return markdown_table(
        (
            "model",
            "agent of track 2",
            "weights, GiB",
            "cache a token, KiB",
            "tokens of cache, thousands",
            "longest request",
            "slots",
            "pictures in a prompt",
            *screens,
        ),
        rows,
    )


def tokens() -> str:
    """The tokens of each run."""
    rows = []
    for model in benchmarked().values():
        runs = read_measures()["tokens"][model.name]
        quick = [runs[name]["quick"] for name in ("track 1", "track 2")]
        rows.append(
            (
                model.short + (" ¹" if model.stand_in else ""),
                _write_sums(_add(quick)),
                _write_sums(runs["track 1"]["all"]),
                _write_sums(runs["track 2"]["all"]),
                _write_sums(runs["track 2, at the limit"]["all"]),
            )
        )
    head = ("model", "`--quick`, both tracks", "track 1", "track 2", "track 2, all at the step limit")
    return markdown_table(head, rows)


def queries() -> str:
    """How many queries a run has."""
    runs = read_measures()["tokens"][EXAMPLE]
    groups = {"`--quick`": "quick", "the whole benchmark": "all"}
    rows = [(name, *(str(runs[track][group]["queries"]) for track in runs)) for name, group in groups.items()]
    return markdown_table(("run", "track 1", "track 2, as the person", "track 2, at the limit"), rows)


def example() -> str:
    """The time of one model by example speeds."""
    runs = read_measures()["tokens"][EXAMPLE]
    prefill, decode = EXAMPLE_SPEEDS
    rows = []
    for group, name in (("quick", "`--quick`"), ("all", "the whole benchmark")):
        cells = []
        for track in ("track 2", "track 2, at the limit"):
            sums = _add([runs["track 1"][group], runs[track][group]])
            for thought in (0, EXAMPLE_THOUGHT):
                seconds = estimate_seconds(sums, prefill=prefill, decode=decode, thought=thought)
                cells.append(f"{seconds / 60:.1f} min")
        rows.append((name, *cells))
    thinks = f"{EXAMPLE_THOUGHT} tokens of thought an answer"
    head = ("run", "as the person", f"the same, {thinks}", "at the limit", f"the same, {thinks}")
    return markdown_table(head, rows)


def sources() -> str:
    """Where the settings of each model's weights stand."""
    rows = []
    for model in benchmarked().values():
        own = f"{model.like}; " if model.like else ""
        rows.append((model.short, model.config.name, f"{own}{model.config.source}", model.known.source))
    return markdown_table(("model", "settings of", "source", "format and server line"), rows)


LISTS = (lines, memory, queries, tokens, example, sources)


def estimate_seconds(
    sums: Mapping[str, int], *, prefill: float, decode: float, thought: float = 0, reuse: bool = True
) -> float:
    """Estimate the seconds of a run that keeps its server busy.

    Args:
        sums: Tokens of its prompts and answers.
        prefill: Prompt tokens a second, of all slots together.
        decode: Answer tokens a second, of all slots together.
        thought: Tokens of an answer besides the action.
        reuse: Whether the server keeps what prompts begin with.

    >>> sums = {"prompt": 4000, "shared": 2000, "answer": 100, "queries": 10}
    >>> estimate_seconds(sums, prefill=1000, decode=100)
    3.0
    """
    read = sums["prompt"] - (sums["shared"] if reuse else 0)
    written = sums["answer"] + thought * sums["queries"]
    return read / prefill + written / decode


def _send(model: BenchmarkedModel, size: tuple[int, int]) -> tuple[int, int]:
    """Size of the picture of a screen as the agent sends it, px."""
    shown: tuple[int, int] = make_format(model.known.format)._shown(size)  # type: ignore[attr-defined]
    return shown


def _add(runs: Sequence[Mapping[str, int]]) -> dict[str, int]:
    return {name: sum(run[name] for run in runs) for name in runs[0]}


def _write_sums(sums: Mapping[str, Any]) -> str:
    """Tokens of prompts, those of them that are reused, and of answers, thousands."""
    read, reused, written = (sums[name] / 1000 for name in ("prompt", "shared", "answer"))
    return f"{read:,.0f} / {reused:,.0f} / {written:.1f}"


if __name__ == "__main__":
    PAGE.write_text(with_lists(PAGE.read_text(encoding="utf-8"), LISTS), encoding="utf-8")
