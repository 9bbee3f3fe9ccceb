"""docs/developers/agent-interface.md: the fields and actions that it lists are those of the classes."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import fingertip_20k
from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_dataset.actions import Action, format_action
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.tasks.task import ExecutionInput, ReferenceSequence, SuggestionInput

PAGE = Path(__file__).parents[2] / "docs" / "developers" / "agent-interface.md"
CODE = re.compile(r"`([^`]+)`")
HIDDEN_FIELDS = {"app", "user_id", "offset", "written"}
"""Fields that the page leaves out: always empty for agents, or of no use to them."""


def _read_rows(heading: str) -> list[list[str]]:
    section = PAGE.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split(" | ") for line in section.splitlines() if line.startswith("|")]
    return rows[2:]


def _make(call: str) -> Action:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    arguments = {word.arg: ast.literal_eval(word.value) for word in node.keywords if word.arg}
    action: Action = getattr(fingertip_20k, node.func.id)(**arguments)
    return action


def test_every_action_is_listed_with_its_text() -> None:
    seen = set()
    for classes, texts, _ in _read_rows("Actions"):
        actions = [_make(call) for call in CODE.findall(classes)]
        assert [format_action(action) for action in actions] == CODE.findall(texts)
        seen.update(map(type, actions))
    assert seen == set(get_args(Action))


def test_every_field_is_listed() -> None:
    listed = {CODE.findall(name)[0]: set(CODE.findall(names)) for name, names in _read_rows("Fields")}
    for name, record in {
        "SuggestionInput": SuggestionInput,
        "Intent": Intent,
        "ExecutionInput": ExecutionInput,
        "reference": ReferenceSequence,
        "profile": UserProfile,
        "ScreenInput": ScreenInput,
        "PastStep": PastStep,
    }.items():
        known = {field.name for field in fields(record)}
        assert known - HIDDEN_FIELDS <= listed[name] <= known, name
