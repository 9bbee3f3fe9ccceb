"""The dry look: what of a run will leave the machine, and what people could see in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from execution_runner.execution_records import SCREENS, STEPS, EndRecord, ExecutionRun, StepRecord
from execution_runner.scoring.success_labels import LABELS
from fingertip_dataset.release.problems import printable
from fingertip_leaderboard.bundle.bundle_files import BUNDLE, VERDICTS
from fingertip_leaderboard.bundle.draft import Draft
from fingertip_leaderboard.bundle.lines import BLANK
from fingertip_leaderboard.bundle.make import contents
from fingertip_leaderboard.bundle.schema import Bundle, VerdictLine
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.suggestion_records import Prediction

_ATTEMPT_FIELDS = dict.fromkeys([*StepRecord.model_fields, *EndRecord.model_fields])

SHOWN = 600
"""Characters of the agent's settings that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BundlePreview:
    """A file, or all screens together, that will leave the machine.

    Attributes:
        name: Within the bundle.
        files: How many.
        bytes: In all.
        holds: Its fields, or what it is.
    """

    name: str
    files: int
    bytes: int
    holds: str


def preview(draft: Draft) -> tuple[BundlePreview, ...]:
    """The files of a drafted bundle, the screens as one; nothing is written."""
    fields = {
        BUNDLE: tuple(Bundle.model_fields),
        PREDICTIONS: tuple(Prediction.model_fields),
        STEPS: tuple(name for name in _ATTEMPT_FIELDS if name not in BLANK),
        VERDICTS: tuple(VerdictLine.model_fields),
        LABELS: ("task_id", "attempt", "rater", "kind", "success", "rating", "why", "seconds", "at"),
    }
    found = [
        BundlePreview(name=name, files=1, bytes=len(read()), holds=", ".join(fields[name]))
        for name, read in contents(draft)
        if name in fields
    ]
    if draft.screens:
        size = sum(draft.bundle.files[name].bytes for name in draft.screens)
        whole = "screenshots and trees of the final attempts"
        found.append(BundlePreview(name=f"{SCREENS}/", files=len(draft.screens), bytes=size, holds=whole))
    return tuple(found)


def seen(draft: Draft) -> tuple[str, ...]:
    """What people could see in it, a line each; safe to print."""
    return tuple(printable(line) for line in _seen(draft))


def _seen(draft: Draft) -> Iterator[str]:
    bundle = draft.bundle
    run = bundle.run
    settings = json.dumps(run.agent.settings, ensure_ascii=False)
    settings = settings if len(settings) <= SHOWN else f"{settings[:SHOWN]}..."
    yield f"Shown on the board: {bundle.card.name}, {bundle.card.contact}"
    yield f"The agent's name and all its settings: {run.agent.name} {settings}"
    days = sorted({session.started[:10] for session in run.sessions})
    yield f"When and with what code the run was made: {', '.join(days)}; package versions and commit"
    people = run.dataset.provenance == "recorded"
    whose = "real people's" if people else f"{run.dataset.provenance} people's"
    yield (
        f"What the agent wrote, as it came: it may repeat {whose} intents, names, places, habits, or a prompt"
    )
    if isinstance(run, ExecutionRun):
        yield "Every action with its point and typed text, what the agent thought, and when"
    if VERDICTS in draft.texts and bundle.judge is not None:
        yield f"The verdicts of {bundle.judge.name}; a judge's words may quote what people wanted"
    if LABELS in draft.texts:
        raters = sorted({json.loads(line)["rater"] for line in draft.texts[LABELS].splitlines()})
        yield f"Success labels with their raters' names and reasons: {', '.join(raters)}"
    if draft.screens:
        yield f"{len(draft.screens)} screens: everything that was on the phone, messages and names included"
    elif isinstance(run, ExecutionRun):
        yield "No screens (--trajectories adds them)"
    yield "Not in it: true intents, golden actions, paths of this machine, serials of phones"
