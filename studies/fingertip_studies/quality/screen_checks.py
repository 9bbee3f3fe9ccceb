"""Checks of screens: missing, black, unchanged, and trees that are not of their screenshot's moment.

No check reads text off pixels. That tree and screenshot are of different moments is seen in four ways: the
pixels change much while the tree stays equal, the tree changes while no pixel does, the recorded name of what
was touched is at that point only in a neighbouring step's tree, and most texts of the tree lie where the
screenshot is blank but a neighbouring screenshot is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fingertip_dataset.actions import Action, Click, Finished, LongClick, Wait
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, BoxState
from fingertip_dataset.ui_tree.touched import Touched, words
from fingertip_studies.quality.episode_flaws import Flaw
from fingertip_studies.quality.flaw_kinds import FlawKind
from fingertip_studies.quality.screen_state import (
    ANIMATED,
    BLOCK_CHANGE,
    STATUS_BAR,
    PictureState,
    Pixels,
    ScreenState,
    in_status_bar,
    measure_changed_share,
    same_layout,
)

MUCH = 2 * ANIMATED
"""Share of changed blocks from which on an equal tree cannot be of both moments."""

FRAME_SLACK = 0.02
"""Share by which the tree's first frame may be larger than the screenshot."""

INK = 6.0
"""Standard deviation of grey values from which on something is drawn in a text's box."""

FEW_TEXTS = 4
"""Number of texts below which their boxes are not compared with pixels."""

FEW_PIXELS = 16
"""Number of scaled pixels of a text's box below which it is not looked at."""

INK_GAIN = 0.3
"""By how much the share of texts with ink must be higher on a neighbouring screenshot."""

_PICTURES = {
    PictureState.MISSING: FlawKind.MISSING_SCREENSHOT,
    PictureState.UNREADABLE: FlawKind.UNREADABLE_SCREENSHOT,
    PictureState.BLACK: FlawKind.BLACK_SCREENSHOT,
}


def screen_flaws(states: Sequence[ScreenState], actions: Sequence[Action | None]) -> Iterator[Flaw]:
    """Yield the flaws of an episode's screens.

    Args:
        states: The screen before each action.
        actions: The action of each step; None if it could not be parsed.
    """
    for step, state in enumerate(states):
        if state.picture in _PICTURES:
            detail = state.detail if state.picture is PictureState.UNREADABLE else ""
            yield Flaw(kind=_PICTURES[state.picture], step=step, detail=detail)
        if state.tree is None:
            yield Flaw(kind=FlawKind.MISSING_TREE, step=step)
        elif (misfit := _is_beyond(state)) is not None:
            yield Flaw(kind=FlawKind.TREE_OFF_SCREEN, step=step, detail=misfit)
        if (reason := _find_out_of_step(states, actions, step)) is not None:
            yield Flaw(kind=FlawKind.TREE_OUT_OF_STEP, step=step, detail=reason)
    yield from find_unchanged_screens(states, actions)


def find_unchanged_screens(states: Sequence[ScreenState], actions: Sequence[Action | None]) -> Iterator[Flaw]:
    """Yield each action after which neither a pixel nor the tree changed; waits may change nothing."""
    for step in range(len(states) - 1):
        if isinstance(actions[step], Wait | Finished):
            continue
        if is_unchanged(states[step], states[step + 1]):
            yield Flaw(kind=FlawKind.UNCHANGED_SCREEN, step=step)


def is_unchanged(before: ScreenState, after: ScreenState) -> bool:
    """Whether no pixel differs, and the layout does not, where both trees are known."""
    return measure_changed_share(before, after) == 0.0 and same_layout(before, after) is not False


def _is_beyond(state: ScreenState) -> str | None:
    """How the frame of the tree does not fit the screenshot; None if it fits or is unknown."""
    first = state.tree.elements[0].box if state.tree is not None and state.tree.elements else None
    if first is None or state.size is None:
        return None
    width, height = state.size
    if first.right > width * (1 + FRAME_SLACK) or first.bottom > height * (1 + FRAME_SLACK):
        return f"the frame ends at ({first.right}, {first.bottom}), the screenshot at ({width}, {height})"
    return None


def _find_out_of_step(
    states: Sequence[ScreenState], actions: Sequence[Action | None], step: int
) -> str | None:
    """Why a step's tree is of another moment than its screenshot; None if nothing shows it."""
    state = states[step]
    if state.tree is None:
        return None
    if step and (reason := _find_changed_alone(states[step - 1], state)) is not None:
        return reason
    if state.pixels is None or state.picture is PictureState.BLACK:
        return None
    return _find_touched_elsewhere(states, actions[step], step) or _find_texts_elsewhere(states, step)


def _find_changed_alone(before: ScreenState, state: ScreenState) -> str | None:
    """Whether from one step to the next only the tree changed, or only the pixels."""
    layout, changed = same_layout(before, state), measure_changed_share(before, state)
    if layout is None or changed is None or PictureState.BLACK in (before.picture, state.picture):
        return None
    # a video or a filtered photo changes without its tree; then the texts around it stay
    if layout and changed > MUCH and _have_texts_changed(before, state):
        return f"{changed:.0%} of the pixels changed, the tree did not"
    if not layout and changed == 0.0 and _find_shown_texts(before) != _find_shown_texts(state):
        return "the tree changed, no pixel did"
    return None


def _have_texts_changed(before: ScreenState, state: ScreenState) -> bool:
    """Check whether the pixels of most texts of a tree changed between two screenshots, or it has no text."""
    if before.pixels is None or state.pixels is None or before.pixels.shape != state.pixels.shape:
        return True
    pairs = zip(_find_text_pixels(state, before), _find_text_pixels(state, state), strict=True)
    moved = [float(np.abs(one.astype(np.int16) - other).mean()) > BLOCK_CHANGE for one, other in pairs]
    return not moved or 2 * sum(moved) > len(moved)


def _find_shown_texts(state: ScreenState) -> list[tuple[str, object]]:
    tree = state.tree
    if tree is None:
        return []
    return [
        (element.text, element.box)
        for element in tree.elements
        if element.text and element.visible is not False and element.box_state is BoxState.PROPER
        if not in_status_bar(element, tree)
    ]


def _list_neighbours(states: Sequence[ScreenState], step: int) -> Iterator[ScreenState]:
    yield from (states[other] for other in (step - 1, step + 1) if 0 <= other < len(states))


def _find_touched_elsewhere(states: Sequence[ScreenState], action: Action | None, step: int) -> str | None:
    """Whether the name of what was touched is at the point in a neighbouring tree only."""
    if not isinstance(action, Click | LongClick) or not action.content:
        return None
    own = states[step].tree
    if own is None or _is_at(own, action):
        return None
    for neighbour in _list_neighbours(states, step):
        if neighbour.tree is not None and _is_at(neighbour.tree, action):
            return "what was touched is at that point in a neighbouring step's tree only"
    return None


def _is_at(tree: AccessibilityTree, action: Click | LongClick) -> bool:
    touched = Touched.at(tree, action.x, action.y)
    if touched is None:
        return False
    content = "".join((action.content or "").split())
    found = [*(word for group in touched.label(tree, 8) for word in group)]
    found += [word for element in touched.under for word in words(element)]
    return any(content in text or (text and text in content) for text in ("".join(t.split()) for t in found))


def _find_texts_elsewhere(states: Sequence[ScreenState], step: int) -> str | None:
    """Whether the tree's texts lie on blank pixels here, but not on a neighbouring screenshot."""
    state = states[step]
    own = _has_ink(state, state)
    if own is None or own > 1 - INK_GAIN:
        return None
    for neighbour in _list_neighbours(states, step):
        other = _has_ink(state, neighbour)
        if other is not None and other >= own + INK_GAIN:
            return f"{own:.0%} of its texts are drawn here, {other:.0%} on a neighbouring screenshot"
    return None


def _has_ink(tree_of: ScreenState, picture_of: ScreenState) -> float | None:
    """Share of a tree's texts in whose boxes a screenshot is not blank; None for too few texts."""
    if tree_of.size != picture_of.size:
        return None
    inked = [float(np.std(part)) > INK for part in _find_text_pixels(tree_of, picture_of)]
    return sum(inked) / len(inked) if len(inked) >= FEW_TEXTS else None


def _find_text_pixels(tree_of: ScreenState, picture_of: ScreenState) -> list[Pixels]:
    """The pixels of a screenshot in the box of each text of a tree, below the status bar."""
    tree, pixels, size = tree_of.tree, picture_of.pixels, picture_of.size
    if tree is None or pixels is None or size is None:
        return []
    top = round(pixels.shape[0] / (1 - STATUS_BAR)) - pixels.shape[0]
    scale = pixels.shape[1] / size[0]
    found = []
    for element in tree.elements:
        box = element.box
        if not element.text.strip() or element.visible is False or box is None:
            continue
        left, right = (max(0, round(edge * scale)) for edge in (box.left, box.right))
        upper, lower = (max(0, round(edge * scale) - top) for edge in (box.top, box.bottom))
        part = pixels[upper:lower, left:right]
        if element.box_state is BoxState.PROPER and part.size >= FEW_PIXELS:
            found.append(part)
    return found
