"""Kinds of flaws of a recorded episode: what each means, what it needs, and its weight in the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

QUALITY_VERSION = 1
"""Version of the checks, their thresholds and the score; increment it on any change of a result."""

Needs = Literal["actions", "screenshots", "trees", "screens", "episodes", "judge"]
"""What a check needs: "screens" are screenshots or trees; "episodes" are the others of the dataset."""


class FlawKind(StrEnum):
    """Kind of a flaw."""

    MISSING_SCREENSHOT = "missing_screenshot"
    UNREADABLE_SCREENSHOT = "unreadable_screenshot"
    BLACK_SCREENSHOT = "black_screenshot"
    MISSING_TREE = "missing_tree"
    TREE_OUT_OF_STEP = "tree_out_of_step"
    TREE_OFF_SCREEN = "tree_off_screen"
    UNCHANGED_SCREEN = "unchanged_screen"
    REPEATED_ACTION = "repeated_action"
    UNDONE_ACTION = "undone_action"
    SCREEN_AGAIN = "screen_again"
    TYPING_CORRECTED = "typing_corrected"
    ADVERTISEMENT = "advertisement"
    DETOUR = "detour"
    DUPLICATE = "duplicate"
    INTENT_NOT_SERVED = "intent_not_served"


@dataclass(frozen=True, slots=True, kw_only=True)
class KindTraits:
    """Traits of a kind of flaw.

    Attributes:
        meaning: What it means, one phrase.
        needs: What its check needs.
        loss: Share of a step that is lost by it, 0-1; for kinds of a whole episode, of the episode.
    """

    meaning: str
    needs: Needs
    loss: float


KINDS: Mapping[FlawKind, KindTraits] = MappingProxyType(
    {
        FlawKind.MISSING_SCREENSHOT: KindTraits(
            meaning="a step has no screenshot", needs="screenshots", loss=1.0
        ),
        FlawKind.UNREADABLE_SCREENSHOT: KindTraits(
            meaning="a screenshot's pixels cannot be decoded", needs="screenshots", loss=1.0
        ),
        FlawKind.BLACK_SCREENSHOT: KindTraits(meaning="a screenshot is black", needs="screenshots", loss=1.0),
        FlawKind.MISSING_TREE: KindTraits(
            meaning="a step has no tree, or one that cannot be read", needs="trees", loss=0.5
        ),
        FlawKind.TREE_OUT_OF_STEP: KindTraits(
            meaning="tree and screenshot are not of the same moment", needs="trees", loss=0.5
        ),
        FlawKind.TREE_OFF_SCREEN: KindTraits(
            meaning="the tree's frame does not fit the screenshot", needs="trees", loss=0.5
        ),
        FlawKind.UNCHANGED_SCREEN: KindTraits(
            meaning="the screen after an action is the one before it", needs="screenshots", loss=0.5
        ),
        FlawKind.REPEATED_ACTION: KindTraits(
            meaning="the same action again on an unchanged screen", needs="screens", loss=1.0
        ),
        FlawKind.UNDONE_ACTION: KindTraits(
            meaning="an action, and one that leads back to the screen before", needs="screens", loss=1.0
        ),
        FlawKind.SCREEN_AGAIN: KindTraits(
            meaning="the same screen again after three steps or more", needs="screens", loss=0.25
        ),
        FlawKind.TYPING_CORRECTED: KindTraits(
            meaning="typed text was deleted or typed again", needs="actions", loss=1.0
        ),
        FlawKind.ADVERTISEMENT: KindTraits(
            meaning="an advertisement was closed or opened", needs="actions", loss=0.5
        ),
        FlawKind.DETOUR: KindTraits(
            meaning="half as many actions again as the shortest known path, and two more",
            needs="episodes",
            loss=0.0,
        ),
        FlawKind.DUPLICATE: KindTraits(
            meaning="the same user, intent and actions as minutes before", needs="episodes", loss=1.0
        ),
        FlawKind.INTENT_NOT_SERVED: KindTraits(
            meaning="a judge sees on the last screens that the intent was not served", needs="judge", loss=0.5
        ),
    }
)
"""Traits of each kind. A detour is no loss: a person's own path may be longer than the shortest."""
