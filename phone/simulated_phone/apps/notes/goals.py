"""The notes app's goals: write and delete notes, add and tick items of a checklist."""

from __future__ import annotations

import random
from typing import Any

from simulated_phone.goals.app_definition import Arguments, States, Strategy
from simulated_phone.goals.steps import Hold, Step, TypeText
from simulated_phone.language.formats import entries
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, goal
from . import data
from .data import LABEL, OLD_NOTES, PACKAGE, SEARCH, make_state

_ = messages(__name__)

NOTES = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)


def _checklists(notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [note for note in notes if note["items"] is not None]


def _list_new_text_cases(seed: int) -> list[Arguments]:
    rng = random.Random(seed)  # noqa: S311 - seeded data, not a secret
    texts = [
        _("{day}{thing}").format(day=day, thing=thing)
        for day in data.DAYS
        for thing in rng.sample(data.TASKS, 6)
    ]
    codes = [
        _("取件码 {randrange}-{randrange_2}").format(
            randrange=rng.randrange(10, 99), randrange_2=rng.randrange(1000, 9999)
        )
        for _unused in range(6)
    ]
    return [{"text": text} for text in texts + codes]


def _list_missing_item_cases(seed: int) -> list[Arguments]:
    return [
        {"list": note["text"], "item": item}
        for note in _checklists(NOTES.fresh(seed)["notes"])
        for item in entries(data.LISTS[note["text"]])
        if item not in {known["text"] for known in note["items"]}
    ]


def _list_open_item_cases(seed: int) -> list[Arguments]:
    return [
        {"list": note["text"], "item": item["text"]}
        for note in _checklists(NOTES.fresh(seed)["notes"])
        for item in note["items"]
        if not item["done"]
    ]


def _list_note_cases(seed: int) -> list[Arguments]:
    return [{"note": note["text"]} for note in NOTES.fresh(seed)["notes"]]


def has_note(states: States, text: str) -> bool:
    """Whether a note holds the text."""
    return any(text in note["text"] for note in states[PACKAGE]["notes"])


def _has_item(states: States, arguments: Arguments, *, done: bool) -> bool:
    return any(
        note["text"] == arguments["list"] and item["text"] == arguments["item"] and item["done"] >= done
        for note in _checklists(states[PACKAGE]["notes"])
        for item in note["items"]
    )


def _is_written(states: States, arguments: Arguments) -> bool:
    return any(
        note["id"] > OLD_NOTES and note["items"] is None and note["text"] == arguments["text"]
        for note in states[PACKAGE]["notes"]
    )


def _list_strategies(spoken: str, *finish: Step | str) -> tuple[Strategy, ...]:
    return (
        NOTES.way("browse", "{list}", *finish),
        NOTES.way("filtered", _("清单"), "{list}", *finish),
        NOTES.search("{list}", *finish),
        NOTES.voice(spoken),
    )


def _note_strategies(spoken: str, *finish: str) -> tuple[Strategy, ...]:
    return (
        NOTES.way("held", Hold("{note}"), *finish),
        NOTES.way("opened", "{note}", _("更多"), *finish),
        NOTES.search("{note}", _("更多"), *finish),
        NOTES.voice(spoken),
    )


_SAVE = (TypeText("{text}", into=data.WRITE), _("保存"))
WRITE_NOTE = (
    NOTES.way("button", _("新建便签"), *_SAVE),
    NOTES.shortcut(_("新建便签"), *_SAVE),
    NOTES.widget(_("记便签"), *_SAVE),
    NOTES.voice(_("记一下{text}")),
)
"""Ways to a note with the argument `text`."""

GOALS = (
    goal(
        "write_note",
        _("记一下：{text}"),
        _("写个便签，{text}"),
        _("便签里记上{text}"),
        _("帮我记{text}"),
        _("备忘一下{text}"),
        *WRITE_NOTE,
        cases=_list_new_text_cases,
        rule=_is_written,
    ),
    goal(
        "add_item",
        _("{list}里加上{item}"),
        _("在{list}添一条{item}"),
        _("把{item}写进{list}"),
        _("{list}再加个{item}"),
        *_list_strategies(_("{list}加上{item}"), TypeText("{item}", into=data.ADD_ITEM), _("添加")),
        cases=_list_missing_item_cases,
        rule=lambda states, arguments: _has_item(states, arguments, done=False),
    ),
    goal(
        "tick_item",
        _("把{list}里的{item}勾掉"),
        _("{list}的{item}完成了"),
        _("{list}里{item}打勾"),
        _("划掉{list}的{item}"),
        *_list_strategies(_("{list}的{item}完成了"), "{item}"),
        cases=_list_open_item_cases,
        rule=lambda states, arguments: _has_item(states, arguments, done=True),
    ),
    goal(
        "pin_note",
        _("置顶便签“{note}”"),
        _("把“{note}”置顶"),
        _("“{note}”这条便签放最上面"),
        _("便签“{note}”设为置顶"),
        *_note_strategies(_("置顶{note}"), _("置顶")),
        cases=_list_note_cases,
        rule=lambda states, arguments: any(
            note["pinned"] and note["text"] == arguments["note"] for note in states[PACKAGE]["notes"]
        ),
    ),
    goal(
        "delete_note",
        _("删掉便签“{note}”"),
        _("便签“{note}”不要了"),
        _("删除“{note}”这条便签"),
        _("把“{note}”的便签删了"),
        *_note_strategies(_("删除便签{note}"), _("删除"), _("确定删除")),
        cases=_list_note_cases,
        rule=lambda states, arguments: all(
            note["text"] != arguments["note"] for note in states[PACKAGE]["notes"]
        ),
    ),
)
