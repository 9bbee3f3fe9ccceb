"""Selection of the published rows that are comparable with a run: those measured in the same setting.

A row of the paper is comparable only if its agent had the same input and the same tasks. `find_rows_beside`
implements this rule for every table, page and leaderboard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fingertip_dataset.tasks.step_limit import STEP_LIMIT_FACTOR
from fingertip_dataset.track import Track
from fingertip_metrics.published import PublishedRow, published_rows, published_tables

OWN_TRACK = "own track"
"""Value in `trained_on` of a published row of several models, each trained on the track it is tested on."""

COMPARED: Mapping[Track, tuple[str, ...]] = MappingProxyType(
    {
        "suggestion": ("screenshots", "history", "history_protocol", "distribution"),
        "execution": ("device", "reference", "history_protocol", "step_limit_factor"),
    }
)
"""Settings that must be equal; `without`, `history_model` and `trained_on` have separate rules."""

MAIN: Mapping[Track, str] = MappingProxyType({"suggestion": "table 3", "execution": "table 4"})
"""Main table of each track; row labels omit its task view."""

SUCCESS: Mapping[Track, str] = MappingProxyType({"suggestion": "sr1", "execution": "sr2"})
"""Success rate of each track; a row without it (table 13) answers another question and is never selected."""


REFERENCES: Mapping[str, str] = MappingProxyType(
    {
        "same_user": "the person's own way",
        "not_same_task": "the person's own way, never of the same task",
        "other_type": "a stranger's way",
        "none": "no way",
    }
)
"""Labels of the reference trajectory that a task of track 2 shows; leaderboard entries contain them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSetting:
    """Settings of a run that decide which published rows are comparable with it.

    Attributes:
        track: Track of the run.
        split: Split of the dataset.
        papers_test: Whether the tasks are the authors' own: recorded from people, split by the authors'
            tables, and (nearly) the complete test split.
        screenshots: Track 1: number of first screens in the task view.
        history: Track 1: "20", "none", "all", or "relevant" (the paper's "all": a second model selects and
            summarizes, A.6.3).
        history_protocol: Source of earlier episodes and references, "online" or "strict".
        history_model: Track 1: the model that selects and summarizes; None without one.
        without: Hidden parts of the task.
        more: Track 2: parts beyond equation (2) that the agent gets.
        subset: Track 1: out-of-domain subset (A.6.1) whose tasks alone count; None for all tasks.
        distribution: Track 1: whether the prompt requests several intents with probabilities (A.6.5).
        device: Track 2: device kind, "adb" for real phones.
        reference: Track 2: "same_user", "not_same_task" (A.6.7), "other_type" or "none".
        step_limit_factor: Track 2: step limit as a multiple of the golden steps.
        trained_on: Tracks whose training episodes the agent was fine-tuned on; empty for none.
    """

    track: Track
    split: str
    papers_test: bool
    screenshots: int = 0
    history: str = "20"
    history_protocol: str = "online"
    history_model: str | None = None
    without: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    subset: str | None = None
    distribution: bool = False
    device: str = "adb"
    reference: str = "same_user"
    step_limit_factor: float = STEP_LIMIT_FACTOR
    trained_on: tuple[Track, ...] = ()


def find_rows_beside(run: RunSetting) -> tuple[PublishedRow, ...]:
    """Published rows that are comparable with a run, without duplicates, in the order of the paper's tables.

    Rows of fine-tuned models are comparable only with agents trained on the same tracks. If several tables
    repeat a row, the first is returned.

    >>> run = RunSetting(track="suggestion", split="test_suggestion", papers_test=True, screenshots=3)
    >>> [(row.table, row.agent, row.values["sr1"]) for row in find_rows_beside(run)]
    [('table 10', 'GPT-4.1', 9.9)]
    """
    found: dict[tuple[object, ...], PublishedRow] = {}
    for row in _list_rows(run.track):
        if is_comparable_row(row, run):
            found.setdefault(_identify(row, run.track), row)
    return tuple(found.values())


def is_comparable_row(row: PublishedRow, run: RunSetting) -> bool:
    """Whether a published row has a run's setting and data: the condition of `find_rows_beside`."""
    splits = dict(zip(row.setting["tracks"], row.setting["splits"], strict=True))
    same_test = run.papers_test and splits.get(run.track) == run.split
    return same_test and row.setting["subset"] == run.subset and _is_same(row, run)


def label_row(row: PublishedRow) -> str:
    """Name of the measured agent, with the task view if it differs from the track's main table.

    >>> [label_row(row) for row in published_rows("table 11")[:2]]
    ['GPT-4.1', 'GPT-4.1 (20 earlier intents, no profile)']
    """
    if not row.setting["tracks"]:
        return row.agent
    track = row.setting["tracks"][0]
    words = describe_task_view(row.setting, track)
    usual = describe_task_view(published_rows(MAIN[track])[0].setting, track)
    return row.agent if words == usual else f"{row.agent} ({words})"


def describe_task_view(setting: Mapping[str, Any], track: Track) -> str:
    """Describe the task view of a track.

    Args:
        setting: Setting of a published row of the track, or a mapping with "screenshots", "history",
            "without" and "distribution" (track 1), or with "reference" (track 2).
        track: Track of the setting.

    >>> setting = {"screenshots": 1, "history": "none", "without": (), "distribution": False}
    >>> describe_task_view(setting, "suggestion")
    'no earlier intents, 1 screen'
    """
    words = _describe_suggestion(setting) if track == "suggestion" else _execution_words(setting)
    return ", ".join(words)


def setting_words(setting: Mapping[str, Any]) -> str:
    """Describe the complete setting of a published row or table; "" for tables about the data.

    >>> setting_words(published_rows("reply")[0].setting)[:80]
    'GPT-4.1; test_suggestion, 1,000 tasks; no earlier intents, no screenshot; temper'
    """
    return "; ".join(list_setting_parts(setting))


def list_setting_parts(setting: Mapping[str, Any]) -> list[str]:
    """Parts of the description of a published setting."""
    tracks: tuple[Track, ...] = setting["tracks"]
    parts = [setting["model"]] if setting["model"] else []
    if setting["base_model"] and not setting["fine_tuned"]:
        parts.append(f"base model {setting['base_model']}")
    parts += _describe_training(setting) + _test_parts(setting)
    if "suggestion" in tracks:
        screens = [] if setting["screenshots"] else ["no screenshot"]
        parts.append(", ".join([describe_task_view(setting, "suggestion"), *screens]))
        if setting["history_model"]:
            parts.append(f"{setting['history_model']} picks and sums up earlier intents")
        if setting["temperature"] is not None:
            parts.append(f"temperature {setting['temperature']}")
        parts.append(f"SR_1 judged by {setting['sr1_judge']}")
    if "execution" in tracks:
        parts.append("a physical phone over ADB, SR_2 by people")
        skipped = " that is not the same task" if setting["reference"] == "not_same_task" else ""
        parts.append(f"reference: the same user's most similar task{skipped}")
        parts.append(f"stopped at {setting['step_limit_factor']:g} x the person's steps")
    return parts


def _describe_training(setting: Mapping[str, Any]) -> list[str]:
    if not setting["fine_tuned"]:
        return []
    tracks = " and ".join(f"track {1 + (name == 'execution')}" for name in setting["trained_on"])
    on = "its own track" if OWN_TRACK in setting["trained_on"] else tracks
    parts = [f"{setting['base_model']} fine-tuned on {on}"]
    if setting["training_episodes"]:
        parts.append(f"{setting['training_episodes']:,} training episodes, LoRA rank {setting['lora_rank']}")
    return parts


def _test_parts(setting: Mapping[str, Any]) -> list[str]:
    if not setting["tracks"]:
        return []
    # the paper does not give the subsets' number of tasks per track
    counts = zip(setting["splits"], setting["tasks"], strict=not setting["subset"])
    parts = [f"{split}, {count:,} tasks" for split, count in counts]
    if setting["subset"]:
        parts.append(f"subset {setting['subset'].replace('_', ' ')}")
    return [*parts, f"{setting['annotators']} annotators"] if setting["annotators"] else parts


def sources_of(rows: Iterable[PublishedRow]) -> str:
    """Citations of the rows' sources, without duplicates."""
    return "; ".join(dict.fromkeys(row.source for row in rows))


def _list_rows(track: Track) -> Iterator[PublishedRow]:
    for name in published_tables():
        for row in published_rows(name):
            if track in row.setting["tracks"] and row.values.get(SUCCESS[track]) is not None:
                yield row


def _is_same(row: PublishedRow, run: RunSetting) -> bool:
    setting = row.setting
    if any(setting[name] != getattr(run, name) for name in COMPARED[run.track]):
        return False
    if row.setting["fine_tuned"] and _trained_on(row, run.track) != set(run.trained_on):
        return False
    if run.track == "execution":
        return not (run.more or run.without)
    return set(setting["without"]) == set(run.without) and _is_same_model(
        setting["history_model"], run.history_model if run.history == "relevant" else None
    )


def _trained_on(row: PublishedRow, track: Track) -> set[str]:
    return {track if name == OWN_TRACK else name for name in row.setting["trained_on"]}


def _is_same_model(published: str | None, ours: str | None) -> bool:
    """Whether a model id, such as "deepseek-ai/DeepSeek-V3-0324", names the paper's model."""
    if published is None or ours is None:
        return published is ours
    plain = ["".join(filter(str.isalnum, name.rpartition("/")[2].lower())) for name in (published, ours)]
    return plain[1].startswith(plain[0])


def _identify(row: PublishedRow, track: Track) -> tuple[object, ...]:
    """Key of a measurement: equal for repeated rows (tables 5 and 9 to 14 repeat rows of others)."""
    if not row.setting["fine_tuned"]:
        return (row.agent,)
    scores = ("sr1", "sim1") if track == "suggestion" else ("sr2", "sim2", "step_ratio")
    return (row.setting["base_model"], *(row.values.get(name) for name in scores))


def _describe_suggestion(setting: Mapping[str, Any]) -> list[str]:
    intents = {"none": "no earlier intents", "20": "20 earlier intents"}
    history = setting["history"]
    other = history if history.startswith("memory ") else f"{history} earlier intents"
    words = [intents.get(history, other)]
    if setting["screenshots"]:
        words.append(f"{setting['screenshots']} screen{'s' if setting['screenshots'] > 1 else ''}")
    words += [f"no {hidden}" for hidden in setting["without"]]
    return [*words, "several answers"] if setting["distribution"] else words


def _execution_words(setting: Mapping[str, Any]) -> list[str]:
    hidden = [f"no {part}" for part in setting.get("without", ())]
    more = [f"with {part}" for part in setting.get("more", ())]
    return [REFERENCES[setting["reference"]], *hidden, *more]
