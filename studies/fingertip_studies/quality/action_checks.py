"""Checks of actions: repeated and undone ones, the same screen again, corrected typing, advertisements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
)
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree
from fingertip_dataset.ui_tree.touched import Touched, words
from fingertip_studies.quality.episode_flaws import Flaw
from fingertip_studies.quality.flaw_kinds import FlawKind
from fingertip_studies.quality.screen_checks import is_unchanged
from fingertip_studies.quality.screen_state import ScreenState, same_screen

NEAR = 0.03
"""Distance of two touches of the same place, as a share of the screen's width."""

SIMILAR_TEXTS = 60.0
"""Similarity (0-100) from which on a second text in the same field is a correction of the first."""

AGAIN = 3
"""Least number of steps of a loop; a screen that is back after two is that of an undone action."""

_DELETE_KEY = re.compile(
    r"(删除|退格|清除|清空|清除文本|清除文字|清空文本|清除查询|delete|backspace|del|clear|clear text|"
    r"clear query|⌫|×|✕)",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"返回|后退|取消|关闭|向上导航|转到上一层级|back|go back|navigate up|cancel|close|dismiss", re.IGNORECASE
)
_SKIP = re.compile(
    r"(跳过|关闭)\s*(广告)?\s*[\d:]*\s*[sS秒]?|[\d]+\s*[sS秒]?\s*跳过(广告)?|(skip|close)\s+ad[s]?\s*\d*|skip\s+\d+\s*s?",
    re.IGNORECASE,
)
_CLOSE_ONLY = re.compile(r"关闭|close", re.IGNORECASE)
_MARK = re.compile(r"广告|推广|ad|ads|advert|advertisement|sponsored|promoted", re.IGNORECASE)


def action_flaws(states: Sequence[ScreenState], actions: Sequence[Action | None]) -> Iterator[Flaw]:
    """Yield the flaws of an episode's actions.

    Args:
        states: The screen before each action; empty if the screens are not known.
        actions: The action of each step; None if it could not be parsed.
    """
    typing = list(typing_corrections(actions, states))
    advertised = list(advertisements(states, actions))
    yield from typing
    yield from advertised
    if not states:
        return
    yield from repetitions(states, actions)
    # the way out of an app by keys, at the end, is no mistake
    states = states[: way_out(actions) + 1]
    taken = [any(flaw.covers(step) for flaw in typing) for step in range(len(actions))]
    undone = list(undone_actions(states, actions, taken))
    yield from undone
    yield from loops(states, actions, [*typing, *advertised, *undone])


def repetitions(states: Sequence[ScreenState], actions: Sequence[Action | None]) -> Iterator[Flaw]:
    """Yield each action that is the one before it again, on a screen that this one had not changed."""
    for step in range(1, len(actions)):
        before, action = actions[step - 1], actions[step]
        if before is None or action is None or isinstance(action, Wait | Finished):
            continue
        if _is_same_action(before, action, states[step]) and is_unchanged(states[step - 1], states[step]):
            yield Flaw(kind=FlawKind.REPEATED_ACTION, step=step)


def _is_same_action(one: Action, other: Action, state: ScreenState) -> bool:
    if isinstance(one, Scroll) and isinstance(other, Scroll):
        return one.direction == other.direction
    if isinstance(one, Click | LongClick) and type(one) is type(other):
        near = NEAR * (state.size[0] if state.size else 1080)
        assert isinstance(other, Click | LongClick)  # noqa: S101 - of the same class
        return abs(one.x - other.x) <= near and abs(one.y - other.y) <= near
    return one == other


def undone_actions(
    states: Sequence[ScreenState], actions: Sequence[Action | None], taken: Sequence[bool]
) -> Iterator[Flaw]:
    """Yield each action whose effect the next one takes back: the screen after both is the one before.

    The second is the back key, a touch on what goes back or cancels, or the same touch again. Who scrolls
    there and back looks at a page, and a menu that closes after a choice has done its work.

    Args:
        states: The screen before each action.
        actions: The action of each step.
        taken: Whether a step belongs to a flaw of typing, which explains it better.
    """
    step = 0
    while step + 2 < len(states):
        middle = states[step + 1]
        if (
            not any(taken[step : step + 2])
            # an unknown screen between may be the same one
            and (middle.layout or middle.pixels is not None)
            and not isinstance(actions[step], Wait)
            and _can_take_back(actions[step], actions[step + 1], states[step + 1])
            and same_screen(states[step], states[step + 2])
            and not same_screen(states[step], middle)
            and not is_unchanged(states[step], middle)
        ):
            yield Flaw(kind=FlawKind.UNDONE_ACTION, step=step, length=2)
            step += 2
        else:
            step += 1


def _can_take_back(action: Action | None, after: Action | None, between: ScreenState) -> bool:
    if isinstance(after, PressBack):
        return True
    if not isinstance(after, Click):
        return False
    if isinstance(action, Click) and _is_same_action(action, after, between):
        return True
    return any(_BACK.fullmatch(name.strip()) for name in _list_names(after, between.tree))


def way_out(actions: Sequence[Action | None]) -> int:
    """Index of the first of the keys with which a person leaves at the end; the last action without any.

    >>> from fingertip_dataset.actions import Finished, PressBack, PressHome, Wait
    >>> way_out([Wait(), PressBack(), PressHome(), Finished()]), way_out([PressBack(), Wait(), Finished()])
    (1, 2)
    """
    end = len(actions) - 1
    while end > 0 and isinstance(actions[end - 1], PressBack | PressHome | PressRecent):
        end -= 1
    return end


def loops(
    states: Sequence[ScreenState], actions: Sequence[Action | None], explained: Sequence[Flaw]
) -> Iterator[Flaw]:
    """Yield each return to an earlier screen after `AGAIN` steps or more; a loop begins where one ended.

    Who goes home or to the recent apps on the way goes on to another app: that is no loop.

    Args:
        states: The screen before each action.
        actions: The action of each step.
        explained: Flaws that explain why screens come again: loops of their steps are left out.
    """
    covered = {
        step
        for flaw in explained
        if flaw.step is not None and flaw.length > 1
        for step in range(flaw.step, flaw.step + flaw.length)
    }
    begin = 0
    for end in range(AGAIN, len(states)):
        for first in range(begin, end - AGAIN + 1):
            if not same_screen(states[first], states[end]):
                continue
            # it has to leave the screen and come back to it
            if same_screen(states[end - 1], states[end]):
                continue
            if any(isinstance(action, PressHome | PressRecent) for action in actions[first:end]):
                continue
            if not covered.issuperset(range(first, end)):
                detail = f"the screen of step {first + 1} again at step {end + 1}"
                yield Flaw(kind=FlawKind.SCREEN_AGAIN, step=first, length=end - first, detail=detail)
            begin = end
            break


# ---- typing


def typing_corrections(actions: Sequence[Action | None], states: Sequence[ScreenState]) -> Iterator[Flaw]:
    """Yield corrected typing: deleted and typed on, or a similar text typed again in its place.

    The flaw covers the deletions and the text typed after them, or the second text with the touches before.
    """
    step = 0
    while step < len(actions):
        first = actions[step]
        if not isinstance(first, Type):
            step += 1
            continue
        at = step + 1
        while at < len(actions) and _is_deleting(actions[at], states[at] if states else None):
            at += 1
        deleted = at - step - 1
        if deleted and at < len(actions) and isinstance(actions[at], Type):
            detail = f"{deleted} deleted after typing, then typed on"
            yield Flaw(kind=FlawKind.TYPING_CORRECTED, step=step + 1, length=deleted + 1, detail=detail)
        elif not deleted and (length := _is_typed_again(actions, step)):
            detail = "a similar text typed in place of the one before"
            yield Flaw(kind=FlawKind.TYPING_CORRECTED, step=step + 1, length=length, detail=detail)
        step = at


def _is_typed_again(actions: Sequence[Action | None], step: int) -> int:
    """Number of steps up to a similar text typed next, with at most one touch between; 0 without one."""
    from rapidfuzz import fuzz

    first = actions[step]
    at = step + 1
    if at < len(actions) and isinstance(actions[at], Click):
        at += 1
    second = actions[at] if at < len(actions) else None
    if not isinstance(first, Type) or not isinstance(second, Type) or first.text == second.text:
        return 0
    similar = fuzz.ratio(first.text, second.text) >= SIMILAR_TEXTS
    return at - step if similar and len(first.text) > 1 else 0


def _is_deleting(action: Action | None, state: ScreenState | None) -> bool:
    """Whether an action touches a delete key or a button that clears a field."""
    if not isinstance(action, Click | LongClick):
        return False
    names = [action.content or ""]
    if state is not None and state.tree is not None:
        names += _list_names_at(state.tree, action)
    return any(_DELETE_KEY.fullmatch(name.strip()) for name in names)


# ---- advertisements


def advertisements(states: Sequence[ScreenState], actions: Sequence[Action | None]) -> Iterator[Flaw]:
    """Yield each action on an advertisement: on its button to skip it, on what is marked, or on a full page.

    A page is an advertisement's if it shows both the mark of one and a button that skips it.
    """
    for step, action in enumerate(actions):
        tree = states[step].tree if states else None
        found = _find_advertised(action, tree)
        if found:
            yield Flaw(kind=FlawKind.ADVERTISEMENT, step=step, detail=found)


def _find_advertised(action: Action | None, tree: AccessibilityTree | None) -> str:
    """How an action treats an advertisement, "closed" or "opened"; "" for any other action."""
    if action is None or isinstance(action, Finished | Wait | Type):
        return ""
    names = [name.strip() for name in _list_names(action, tree)]
    marked = any(_MARK.fullmatch(name) for name in names)
    skips = any(_SKIP.fullmatch(name) and not _CLOSE_ONLY.fullmatch(name) for name in names)
    if skips:
        return "closed"
    if marked:
        return "opened"
    if tree is not None and _is_full_page(tree):
        return "opened" if isinstance(action, Click | LongClick) else "closed"
    return ""


def _is_full_page(tree: AccessibilityTree) -> bool:
    texts = [text.strip() for e in tree.elements if e.visible is not False for text in words(e)]
    return any(_MARK.fullmatch(text) for text in texts) and any(
        _SKIP.fullmatch(text) and not _CLOSE_ONLY.fullmatch(text) for text in texts
    )


def _list_names(action: Action, tree: AccessibilityTree | None) -> list[str]:
    if not isinstance(action, Click | LongClick):
        return []
    return [action.content or "", *(_list_names_at(tree, action) if tree is not None else ())]


def _list_names_at(tree: AccessibilityTree, action: Click | LongClick) -> list[str]:
    """Texts of the touched element and those inside it."""
    touched = Touched.at(tree, action.x, action.y)
    groups = touched.label(tree, 4)[:-1] if touched is not None else ()
    return [word for group in groups for word in group]
