"""Named groups of options in --help: one group for each option, the same in every command.

cloup groups options as well, but its sections of commands hold imported commands, and `fingertip --help` must
not import any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

GROUPS: Mapping[str, Sequence[str]] = {
    "Agent": (
        "--agent",
        "--agent-name",
        "--suggester",
        "--suggestions",
        "--accept-by",
        "--executor",
        "--agent-path",
        "--prompt-format",
        "--script",
    ),
    "Tasks": (
        "--split",
        "--month",
        "--feedback",
        "--moments",
        "--asking",
        "--task",
        "--tasks",
        "--quick",
        "--only-language",
        "--limit",
        "--sample",
        "--only-users",
        "--run",
        "--retries",
        "--repeats",
        "--keep-going",
        "--track",
    ),
    "Prompt of track 1": (
        "--screenshots",
        "--history",
        "--history-from",
        "--history-intents",
        "--inferred",
        "--distribution",
    ),
    "Instructions and answers": (
        "--instructions",
        "--answered-by",
        "--answer-model",
        "--answer-base-url",
    ),
    "Parts of the prompt": ("--memory", "--memory-budget", "--with", "--without"),
    "Prompt of track 2": (
        "--reference",
        "--skip-same-task",
        "--screen-description",
        "--set",
    ),
    "Text of the prompt": ("--prompt-file", "--system-prompt-file"),
    "Model": (
        "--model",
        "--base-url",
        "--key-env",
        "--backend",
        "--adapter",
        "--trust-remote-code",
        "--language",
        "--temperature",
        "--seed",
        "--max-tokens",
        "--max-pixels",
        "--stream",
        "--no-system",
        "--extra-body",
        "--timeout",
        "--no-preflight",
    ),
    "Queries and their cost": (
        "--concurrency",
        "--requests-per-minute",
        "--cache",
        "--no-cache",
        "--local-batch",
        "--batch-results",
        "--price-prompt",
        "--price-completion",
        "--currency",
    ),
    "History model": (
        "--history-model",
        "--history-model-base-url",
        "--history-model-key-env",
        "--history-price-prompt",
        "--history-price-completion",
    ),
    "Phone": (
        "--device",
        "--phones",
        "--size",
        "--locale",
        "--zone",
        "--design",
        "--dark",
        "--start",
        "--fault",
        "--trees",
        "--still-clock",
        "--between-tasks",
        "--app",
    ),
    "Safety": ("--rules", "--no-gate", "--dry-run"),
    "People": ("--rater", "--rater-is-user", "--overlap", "--rate", "--accept", "--port", "--no-browser"),
    "Simulated people": ("--users", "--ways", "--long", "--preset"),
    "Data": (
        "--tables",
        "--dataset",
        "--data",
        "--release-language",
        "--licence",
        "--origin",
        "--english-names",
        "--keep-metadata",
        "--user",
        "--intent",
        "--place",
    ),
    "A month of recording": (
        "--most-a-day",
        "--remind",
        "--quiet",
        "--notify",
    ),
    "Splits and references": (
        "--references",
        "--user-types",
        "--age-boundary",
        "--unseen-users",
        "--unseen-apps",
        "--unseen-categories",
        "--quality",
        "--min-quality",
    ),
    "Checks": ("--read", "--worst", "--queries"),
    "Samples": (
        "--format",
        "--episodes",
        "--pairs",
        "--missed",
        "--exclude",
        "--val",
        "--embed",
        "--tokenizer",
        "--max-length",
    ),
    "Training": ("--base", "--rank", "--checkpoints", "--settings", "--setting", "--plan"),
    "Scores": (
        "--protocol",
        "--answers",
        "--spelling",
        "--embedder",
        "--embedder-base-url",
        "--embedder-prefix",
        "--by",
        "--against",
        "--partial",
        "--published",
        "--also-types",
        "--tricks",
        "--why",
        "--notes",
    ),
    "Judge": (
        "--judge",
        "--judge-base-url",
        "--judge-check",
        "--judge-backend",
        "--judge-votes",
        "--judge-language",
        "--judge-cache",
        "--judge-labels",
        "--judge-dataset",
        "--judge-no-preflight",
        "--judge-price-prompt",
        "--judge-price-completion",
    ),
    "Private parts": (
        "--kind",
        "--not-kind",
        "--finds",
        "--ocr",
        "--min-confidence",
        "--fail-on",
        "--privacy",
        "--key-file",
        "--report",
        "--rule",
        "--undecided",
        "--drop-unreadable",
        "--screens",
    ),
    "Inspector": (
        "--inspector",
        "--inspector-base-url",
        "--inspector-concurrency",
        "--inspector-price-prompt",
        "--inspector-price-completion",
    ),
    "Agent on the leaderboard": (
        "--name",
        "--contact",
        "--description",
        "--weights",
        "--model-name",
        "--model-size",
        "--link",
    ),
    "Submissions": (
        "--order-from",
        "--order",
        "--signers",
        "--decisions",
        "--hidden-test",
        "--hidden-seed-file",
        "--again",
        "--verify-only",
        "--time-limit",
        "--memory-limit",
        "--allowed-host",
    ),
    "Secret": ("--seed-file", "--new-seed", "--reveal", "--work"),
    "Hugging Face Hub": ("--push", "--repo", "--public", "--model-repo", "--benchmark"),
    "Processes": ("--workers", "--engine", "--shard"),
    "Output": (
        "--out",
        "--overwrite",
        "--results",
        "--space",
        "--stats",
        "--trajectories",
        "--zip",
        "--page",
        "--json",
    ),
    "General": ("--config", "--help-all", "--help", "--version"),
}
"""Title of a group -> its options, both in the order of --help."""

OTHERS = "Options"
"""Title of the options that are in no group."""

FEW = 6
"""Number of options up to which --help shows one list, without groups."""

_PLACES = {option: (title, place) for title, names in GROUPS.items() for place, option in enumerate(names)}


def option_name(option: click.Parameter) -> str:
    """The spelling by which an option is known: its longest one."""
    return max(option.opts, key=len)


def group_options(options: Sequence[click.Option]) -> dict[str, list[click.Option]]:
    """Group options by their titles, in the order of `GROUPS`; a few options are one group.

    Args:
        options: The visible options of a command.
    """
    general = {*GROUPS["General"], "--json"}
    if sum(option_name(option) not in general for option in options) <= FEW:
        return {OTHERS: list(options)}
    found: dict[str, list[click.Option]] = {title: [] for title in (OTHERS, *GROUPS)}
    for option in options:
        title, _ = _PLACES.get(option_name(option), (OTHERS, 0))
        found[title].append(option)
    for title, names in GROUPS.items():
        found[title].sort(key=lambda option, order=names: order.index(option_name(option)))  # type: ignore[misc]
    return {title: members for title, members in found.items() if members}
