"""Episodes: a user's intent in one sentence and the steps that carried it out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

from fingertip_dataset.actions import Action
from fingertip_dataset.release.extra_fields import ExtraField
from fingertip_dataset.release.words import SCENARIO_CATEGORIES
from fingertip_dataset.times import BEIJING_OFFSET, parse_time


def scenario_category(scenario: str) -> str:
    """Return the paper's English name of a listed scenario; "other" for free text.

    >>> scenario_category("住所"), scenario_category("快递站")
    ('residence', 'other')
    """
    return SCENARIO_CATEGORIES.get(scenario.strip(), "other")


@dataclass(frozen=True, slots=True, kw_only=True)
class UserProfile:
    """User profile, U of the paper's section 3; a field is None if the release does not state it."""

    sex: str | None = None
    age: int | None = None
    occupation: str | None = None
    address: str | None = None
    marital_status: str | None = None
    phone_brand: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """Fields that are texts, as an agent is shown them; those that are missing are left out."""
        fields = (self.sex, self.occupation, self.address, self.marital_status, self.phone_brand)
        return tuple(text for text in fields if text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A line of action.jsonl with the screen that the user saw before it.

    Attributes:
        raw: The action as the release writes it; "" for a screen without an action.
        action: The parsed action; None if `raw` does not follow the grammar.
        screenshot: Path of the screenshot, relative to the release.
        tree: Path of the accessibility tree, relative to the release.
    """

    raw: str
    action: Action | None
    screenshot: str | None
    tree: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """Intent of a user at a moment: an episode without its steps.

    Attributes:
        user_id: Id of the user as the release writes it; a number in the public release.
        time: YYYYMMDD_HHMMSS, local time.
        scenario: The place, as the user wrote it.
        app: Package name, sometimes followed by a slash and an activity.
        text: One sentence, mostly Chinese (`intentDescription` in the release).
        category: One of 40 classes (`intentClass`); None if no table gives it.
        offset: Offset of `time` from UTC; Beijing's in the published release.
    """

    user_id: str
    time: str
    scenario: str
    app: str
    text: str
    category: str | None = None
    offset: timedelta = BEIJING_OFFSET

    @property
    def episode_id(self) -> str:
        """`{user_id}__{time}`, unique in a release."""
        return f"{self.user_id}__{self.time}"

    @property
    def moment(self) -> datetime:
        """`time` as a moment, with its offset."""
        return parse_time(self.time, timezone(self.offset))


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """An intent, the user's profile, and the steps that carried out the intent.

    Attributes:
        folder: Path of the episode's folder, relative to the release.
        steps: One step per line of action.jsonl, in order.
        extra: Values that the release states of the episode and its user, and no other field holds.
    """

    intent: Intent
    profile: UserProfile
    folder: Path
    steps: tuple[Step, ...]
    extra: tuple[ExtraField, ...] = ()

    @property
    def episode_id(self) -> str:
        """`{user_id}__{time}`, unique in a release."""
        return self.intent.episode_id
