"""Words of the board's tables of vague instructions and questions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fingertip_leaderboard.verified_records import Conditions
from simulated_phone.dialogue.dialogue_kinds import AnsweredBy, Level

LEVELS: Mapping[Level, str] = MappingProxyType(
    {
        "full": "All that the person wrote",
        "no_app": "Not which app",
        "no_arguments": "Not what exactly",
        "goal_alone": "The need alone",
    }
)
"""Level of instructions -> title of its tables."""

ANSWERERS: Mapping[AnsweredBy | None, str] = MappingProxyType(
    {
        "simulated": "the simulated person answers",
        "model": "a model answers",
        "human": "people answer",
        None: "nobody answers",
    }
)
"""Who answers questions -> words in titles."""

ASKING_CAVEAT = (
    "These tasks say less than people wrote, or somebody answers questions: the paper has no such tasks, and "
    "levels and answerers are not compared with one another. A task whose goal lacks the level is left out. "
    "Rows are ranked by SR_2, then by fewer questions."
)
"""Note under a table of tasks with vague instructions or questions."""

TYPED_CAVEAT = (
    "The replies were typed by a model or by people. Nobody can make them again, so all of this is on the "
    "submitter's word."
)
"""Note under a table of runs whose questions no rule answered."""


def name_asking(conditions: Conditions) -> str:
    """Name the kind of a table: how much its instructions say, and who answers."""
    return f"{LEVELS[conditions.instructions]}, {ANSWERERS[conditions.answered_by]}"


def list_instructions(conditions: Conditions) -> list[tuple[str, str]]:
    """List how much the instructions say and who answers, as (name, value); nothing of other tables."""
    if conditions.measure != "asking":
        return []
    return [
        ("instructions", conditions.instructions.replace("_", "-")),
        ("answered by", conditions.answered_by or "nobody"),
    ]


def list_asking_caveats(conditions: Conditions) -> list[str]:
    """List the notes under a table; none under one of other tasks."""
    if conditions.measure != "asking":
        return []
    return [ASKING_CAVEAT, *([TYPED_CAVEAT] if conditions.answered_by in ("model", "human") else [])]
