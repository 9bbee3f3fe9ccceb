"""An episode as a row, without its screenshots and trees, which are read when the row is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, TypeAlias

from fingertip_dataset.actions import list_action_fields
from fingertip_dataset.english_names import english_app, english_category, english_place
from fingertip_dataset.episodes import Episode, Intent, UserProfile
from fingertip_dataset.parquet.features import ENGLISH, EXTRA, SCHEMA_VERSION, columns
from fingertip_dataset.release.moment_files import Moment
from fingertip_dataset.release.screens.content import StepContent
from fingertip_dataset.release.settings import PUBLISHED, ReleaseSettings
from fingertip_dataset.tasks.references import Reference, References
from fingertip_dataset.times import BEIJING, read_moment

Row: TypeAlias = dict[str, Any]
"""Column -> value, in the order of `features.COLUMNS`."""


def make_text_row(
    episode: Episode,
    *,
    user_type: int | None,
    previous: Sequence[Intent],
    references: References,
    known: Callable[[str], Episode],
    settings: ReleaseSettings = PUBLISHED,
    version: int = SCHEMA_VERSION,
) -> Row:
    """Return the row of the config "text".

    Args:
        episode: The episode.
        user_type: 1 or 2; None if unknown.
        previous: Earlier intents of the same user, oldest first.
        references: The two reference trajectories.
        known: Function that returns the episode of an id; used for the references.
        settings: Settings of the release.
        version: Version of the columns.
    """
    intent = episode.intent
    row: Row = {
        "episode_id": intent.episode_id,
        "user_id": intent.user_id,
        "user_profile": _profile(episode.profile),
        "user_type": user_type,
        "time": _moment(intent),
        "scenario": intent.scenario,
        "scenario_category": settings.place_category(intent.scenario),
        "app": intent.app,
        "intent": intent.text,
        "intent_category": intent.category,
        "actions": [list_action_fields(step.action, step.raw) for step in episode.steps],
        "previous_intents": [_previous(earlier) for earlier in previous],
        "same_user_reference": _make_reference(references.same_user, known),
        "other_type_reference": _make_reference(references.other_type, known),
    }
    wanted = columns("text", version)
    if ENGLISH.keys() <= wanted.keys():
        row |= _english(intent, settings)
    if EXTRA.keys() <= wanted.keys():
        row["extra"] = [asdict(value) for value in episode.extra]
    return row


def make_moment_row(
    moment: Moment,
    *,
    profile: UserProfile,
    user_type: int | None,
    previous: Sequence[Intent],
    settings: ReleaseSettings = PUBLISHED,
) -> Row:
    """Return the row of a moment, without its screen.

    Args:
        moment: The moment.
        profile: Profile of the user.
        user_type: 1 or 2; None if unknown.
        previous: Intents of the same user strictly before the moment, oldest first.
        settings: Settings of the release.
    """
    at, intent = moment.at, moment.intent
    return {
        "episode_id": moment.moment_id,
        "user_id": at.user_id,
        "user_profile": _profile(profile),
        "user_type": user_type,
        "time": _moment(at),
        "scenario": at.scenario,
        "scenario_category": settings.place_category(at.scenario),
        "app": intent and intent.app,
        "intent": intent and intent.text,
        "intent_category": intent and intent.category,
        "previous_intents": [_previous(earlier) for earlier in previous],
        "kind": moment.kind,
        "condition": moment.condition,
    }


def screens(episode: Episode, contents: Sequence[StepContent]) -> Row:
    """Return the two additional columns of the config "default", with a null for each missing screen or tree.

    Args:
        episode: The episode.
        contents: Screenshot and tree of each step, in order.
    """
    return {
        "screenshots": [
            None
            if content.screenshot is None
            # a bare name: `datasets` drops the bytes of an image whose path it finds on the disk
            else {"bytes": content.screenshot, "path": PurePosixPath(step.screenshot or "").name}
            for step, content in zip(episode.steps, contents, strict=True)
        ],
        "accessibility_trees": [content.tree for content in contents],
    }


def in_order(row: Mapping[str, Any], names: Sequence[str]) -> Row:
    """Return the columns of these names, in this order."""
    return {name: row[name] for name in names}


def read_moments(row: Row) -> Row:
    """Replace the text of `time` and of the times of `previous_intents` by moments, in place."""
    if "time" in row:
        row["time"] = _local(row["time"])
    for earlier in row.get("previous_intents") or ():
        earlier["time"] = _local(earlier["time"])
    return row


def _local(cell: str | datetime) -> datetime:
    """The moment of a cell; a timestamp, in schema version 1, is of the published release."""
    return read_moment(cell) if isinstance(cell, str) else cell.astimezone(BEIJING)


def _moment(intent: Intent) -> str:
    """The moment of an intent in ISO 8601, with the offset that was in force."""
    return intent.moment.isoformat()


def _english(intent: Intent, settings: ReleaseSettings) -> Row:
    """The columns of English names."""
    return {
        "scenario_en": english_place(intent.scenario, settings),
        "app_en": english_app(intent.app, settings),
        "intent_category_en": intent.category and english_category(intent.category, settings),
    }


def _profile(profile: UserProfile) -> dict[str, object]:
    return {
        "sex": profile.sex,
        "age": profile.age,
        "occupation": profile.occupation,
        "address": profile.address,
        "marital_status": profile.marital_status,
        "phone_brand": profile.phone_brand,
    }


def _previous(intent: Intent) -> dict[str, object]:
    return {
        "episode_id": intent.episode_id,
        "time": _moment(intent),
        "scenario": intent.scenario,
        "app": intent.app,
        "intent": intent.text,
    }


def _make_reference(reference: Reference | None, known: Callable[[str], Episode]) -> dict[str, object] | None:
    if reference is None:
        return None
    episode = known(reference.episode_id)
    return {
        "episode_id": reference.episode_id,
        "intent": episode.intent.text,
        "similarity": reference.similarity,
        "actions": [step.raw for step in episode.steps if step.raw],
    }
