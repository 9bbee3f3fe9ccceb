"""Shared parts of the scores of both tracks: intervals, sums, caveats, and source versions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fingertip_dataset.parquet.source import find_installed_version, source
from fingertip_dataset.tasks.splits import OFFICIAL
from fingertip_metrics.aggregate import Interval, bootstrap_mean
from fingertip_runs.run_record import AgentRecord, DatasetRecord

BOOTSTRAP_SEED, RESAMPLES, CONFIDENCE = 0, 2000, 0.95
"""Settings of the bootstrap intervals over users."""


def user_interval(values: Sequence[float | None], users: Sequence[str], *, share: bool = False) -> Interval:
    """The mean with its interval over users; arguments and errors are those of `bootstrap_mean`."""
    return bootstrap_mean(
        values, users, share=share, seed=BOOTSTRAP_SEED, resamples=RESAMPLES, confidence=CONFIDENCE
    )


def share_interval(values: Sequence[float | None], users: Sequence[str]) -> Interval:
    """A share of tasks with an interval over users, never of zero width; errors as `user_interval`."""
    return user_interval(values, users, share=True)


def bootstrap_settings() -> dict[str, Any]:
    """The settings of `user_interval` as JSON."""
    return {
        "clusters": "users",
        "seed": BOOTSTRAP_SEED,
        "resamples": RESAMPLES,
        "confidence": CONFIDENCE,
        "where_users_are_alike": {
            "share": "Wilson score interval, n = users",
            "mean": "no interval",
        },
    }


def total(counts: Iterable[int | None]) -> int | None:
    """The sum; None if one of the counts is None.

    >>> total([2, 3]), total([2, None])
    (5, None)
    """
    known = 0
    for count in counts:
        if count is None:
            return None
        known += count
    return known


def total_seconds(seconds: Iterable[float | None]) -> float | None:
    """The sum; None if one of the numbers is None.

    >>> total_seconds([1.5, 2.0]), total_seconds([1.5, None])
    (3.5, None)
    """
    known = tuple(seconds)
    return None if None in known else sum(one for one in known if one is not None)


def data_caveats(data: DatasetRecord) -> list[str]:
    """Why scores on this dataset cannot be compared with the paper's, in words; empty if they can."""
    caveats = []
    if data.provenance != "recorded":
        caveats.append(f"the data were not recorded from people ({data.provenance}): the paper's were")
    if data.split_method != OFFICIAL:
        caveats.append(f"split by {data.split_method}: the test has other episodes than the authors'")
    return caveats


def model_caveats(settings: Mapping[str, Any], hidden: Collection[str] = ()) -> list[str]:
    """How model settings differ from the paper's, in words; empty for an agent without a model.

    Args:
        settings: The agent's settings from run.json.
        hidden: Terms of the track's equation that the run hides, which no prompt can show.

    >>> model_caveats({"temperature": 0.7})
    ["temperature 0.7: the paper's is 0"]
    """
    caveats = list(_list_prompt_caveats(settings, hidden))
    temperature = settings.get("temperature", 0)
    if temperature != 0:
        shown = "left to the server" if temperature is None else f"{temperature}"
        caveats.append(f"temperature {shown}: the paper's is 0")
    return caveats


def _list_prompt_caveats(settings: Mapping[str, Any], hidden: Collection[str]) -> Iterator[str]:
    """How the prompt differs from the authors' own; no way of a file with exactly the equation's terms."""
    label, fields = prompt_label(settings), settings.get("prompt_fields")
    if label is None:
        return
    if "prompt_text" not in settings:
        yield f"prompt {label}: the authors' own is in appendix A.7 of the paper; --prompt-file takes it"
        return
    if not isinstance(fields, Mapping):
        # of a run before the terms were recorded
        yield f"prompt {label}: the run does not record which terms of the paper's equation it shows"
        return
    for role in ("user", "system"):
        if role in _list_names(fields.get("ours")):
            yield f"prompt {label}: its {role} message was written by this project"
    if lacking := [term for term in _list_names(fields.get("lacks")) if term not in hidden]:
        yield f"the prompt leaves out {', '.join(lacking)}: the paper's agents see them"


def _list_names(value: object) -> list[str]:
    """The texts of a recorded list; none of a foreign record that has another type there."""
    return [name for name in value if isinstance(name, str)] if isinstance(value, list | tuple) else []


def prompt_label(settings: Mapping[str, Any]) -> str | None:
    """Which prompt an agent used: ours by its version and language, or a file's; None without a prompt.

    Args:
        settings: The agent's settings from run.json.

    >>> prompt_label({"prompt": "3 (task 2)", "language": "zh"})
    '3 (task 2) in zh of this project'
    >>> prompt_label({"prompt": "3 (task 2)", "prompt_text": "file a.txt sha256:0f"})
    'file a.txt sha256:0f'
    """
    given, ours = settings.get("prompt_text"), settings.get("prompt")
    if isinstance(given, str):
        return given
    if not isinstance(ours, str):
        return None
    language = f" in {settings['language']}" if settings.get("language") else ""
    return f"{ours}{language} of this project"


def agent_label(agent: AgentRecord) -> str:
    """Name of a run's agent in a table, with the prompt that it used.

    >>> agent_label(AgentRecord(name="aguvis", settings={"prompt": "3 (task 2)", "language": "zh"}))
    'aguvis (prompt ours zh)'
    >>> agent_label(AgentRecord(name="imitate", settings={}))
    'imitate'
    """
    if prompt_label(agent.settings) is None:
        return agent.name
    ours = f"ours {agent.settings.get('language', '')}".rstrip()
    return f"{agent.name} (prompt {agent.settings.get('prompt_text') or ours})"


def scoring_source(packages: Iterable[str] = ()) -> dict[str, Any]:
    """Versions of the scoring code and its packages, as JSON.

    Args:
        packages: Further packages that influence a score; those not installed are skipped.
    """
    found = source().model_dump(mode="json")
    for package in packages:
        if installed := find_installed_version(package):
            found["packages"][package] = installed
    return found
