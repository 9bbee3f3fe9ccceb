"""Events and people of a built dataset, for memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fingertip_agents.memory.event import Event
from fingertip_agents.memory.memory_setup import OtherPerson
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TRAIN
from fingertip_dataset.tasks.history import HistoryProtocol, list_allowed_intents, release_order
from fingertip_dataset.tasks.task import DatasetRow, earlier_intents
from fingertip_dataset.times import format_time, offset_of

COLUMNS = ("episode_id", "user_id", "time", "scenario", "app", "intent", "intent_category")


def read_events(built: BuiltDataset, protocol: HistoryProtocol) -> dict[str, list[Event]]:
    """Read the episodes of each user that a protocol allows as history, in the order of time.

    With the dataset's own protocol these are its episodes and the earlier intents of its rows, which may be
    of index tables alone; with another one its episodes.

    Args:
        built: The dataset.
        protocol: Episodes that earlier intents may come from.
    """
    own = protocol == built.manifest.history
    columns = (*COLUMNS, "previous_intents") if own else COLUMNS
    intents: dict[str, Intent] = {}
    earlier: dict[str, Intent] = {}
    train: set[str] = set()
    for split in built.split_names:
        for row in built.rows(split, columns=columns, config="text"):
            intents[row["episode_id"]] = read_intent(row)
            if own:
                earlier.update((intent.episode_id, intent) for intent in earlier_intents(row))
            if split == TRAIN:
                train.add(row["episode_id"])
    allowed = list_allowed_intents(intents.values(), protocol, train)
    known = {**earlier, **{intent.episode_id: intent for intent in allowed}}
    events: dict[str, list[Event]] = {}
    for intent in sorted(known.values(), key=release_order):
        events.setdefault(intent.user_id, []).append(Event.of_episode(intent))
    return events


def read_people(built: BuiltDataset) -> Sequence[OtherPerson]:
    """Read the training part of each user: profile, language, and intents in the order of time."""
    profiles: dict[str, Mapping[str, object]] = {}
    intents: dict[str, list[Intent]] = {}
    for row in built.rows(TRAIN, columns=(*COLUMNS, "user_profile"), config="text"):
        profiles[row["user_id"]] = row["user_profile"]
        intents.setdefault(row["user_id"], []).append(read_intent(row))
    settings = built.manifest.settings
    return tuple(
        OtherPerson(
            user_id=user,
            profile=UserProfile(**profiles[user]),  # type: ignore[arg-type]
            language=settings.language_of(user),
            intents=tuple(sorted(of_user, key=lambda intent: intent.moment)),
        )
        for user, of_user in intents.items()
    )


def read_intent(row: DatasetRow) -> Intent:
    """Return the intent of a row with the columns `COLUMNS`."""
    return Intent(
        user_id=row["user_id"],
        time=format_time(row["time"]),
        scenario=row["scenario"],
        app=row["app"],
        text=row["intent"],
        category=row["intent_category"],
        offset=offset_of(row["time"]),
    )
