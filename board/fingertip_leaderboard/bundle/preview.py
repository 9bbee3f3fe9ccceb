"""Preview of a bundle: the files that will leave the machine, and the private data they may contain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from execution_runner.execution_records import SCREENS, STEPS, EndRecord, ExecutionRun, StepRecord
from execution_runner.scoring.success_labels import LABELS
from fingertip_dataset.release.problems import printable
from fingertip_leaderboard.bundle.bundle_files import BUNDLE, VERDICTS, split_try
from fingertip_leaderboard.bundle.draft import Draft
from fingertip_leaderboard.bundle.lines import BLANK
from fingertip_leaderboard.bundle.make import contents
from fingertip_leaderboard.bundle.schema import Bundle, VerdictLine
from fingertip_runs.input_lines import INPUTS, InputLine
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.suggestion_records import Prediction

_ATTEMPT_FIELDS = dict.fromkeys([*StepRecord.model_fields, *EndRecord.model_fields])

SHOWN = 600
"""Maximum number of displayed characters of the agent's settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BundlePreview:
    """Preview of one file of a bundle, or of all its screens together.

    Attributes:
        name: Name within the bundle.
        files: Number of files.
        bytes: Total size in bytes.
        holds: Fields of the file, or a description.
    """

    name: str
    files: int
    bytes: int
    holds: str


def preview(draft: Draft) -> tuple[BundlePreview, ...]:
    """Preview the files of a drafted bundle, with one entry for all screens; nothing is written."""
    fields = {
        BUNDLE: tuple(Bundle.model_fields),
        PREDICTIONS: tuple(Prediction.model_fields),
        STEPS: tuple(name for name in _ATTEMPT_FIELDS if name not in BLANK),
        INPUTS: tuple(InputLine.model_fields),
        VERDICTS: tuple(VerdictLine.model_fields),
        LABELS: ("task_id", "attempt", "rater", "kind", "success", "rating", "why", "seconds", "at"),
    }
    found = [
        BundlePreview(name=name, files=1, bytes=len(read()), holds=", ".join(fields[own]))
        for name, read in contents(draft)
        if (own := split_try(name)[1]) in fields
    ]
    if draft.screens:
        size = sum(draft.bundle.files[name].bytes for name in draft.screens)
        description = "screenshots and trees of the final attempts"
        found.append(
            BundlePreview(name=f"{SCREENS}/", files=len(draft.screens), bytes=size, holds=description)
        )
    return tuple(found)


def disclosures(draft: Draft, *, shown: bool = True) -> tuple[str, ...]:
    """Lines on what readers of a drafted bundle can learn from it; safe to print.

    Args:
        draft: The bundle.
        shown: Whether a board may show it.
    """
    return tuple(printable(line) for line in _list_disclosures(draft, shown=shown))


def _list_disclosures(draft: Draft, *, shown: bool) -> Iterator[str]:
    bundle = draft.bundle
    run = bundle.run
    settings = json.dumps(run.agent.settings, ensure_ascii=False)
    settings = settings if len(settings) <= SHOWN else f"{settings[:SHOWN]}..."
    place = "Shown on the board" if shown else "Named in it, which no board shows"
    yield f"{place}: {bundle.card.name}, {bundle.card.contact}"
    yield f"The agent's name and all its settings: {run.agent.name} {settings}"
    if bundle.tries:
        yield f"All {len(bundle.tries) + 1} tries, those after the first in folders of their own"
    days = sorted({session.started[:10] for session in run.sessions})
    yield f"When and with what code the run was made: {', '.join(days)}; package versions and commit"
    people = run.dataset.provenance == "recorded"
    whose = "real people's" if people else f"{run.dataset.provenance} people's"
    yield (
        f"What the agent wrote, as it came: it may repeat {whose} intents, names, places, habits, or a prompt"
    )
    if isinstance(run, ExecutionRun):
        yield "Every action with its point and typed text, what the agent thought, and when"
    if isinstance(run, ExecutionRun) and run.answered_by is not None:
        yield "Every question and its reply, which says a part of what the person wanted"
    if INPUTS in draft.texts:
        yield "Every input that reached the phone, with the phone's time: touches, keys, texts, settings"
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
