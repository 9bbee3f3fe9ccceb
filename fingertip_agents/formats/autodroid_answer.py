"""What AutoDroid's model writes: one JSON object, in a fence or within prose."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fingertip_agents.formats.calls import MAX_OUTPUT
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.release.problems import printable

MAX_OBJECTS = 64
"""Opening braces that are tried as the beginning of the answer."""

_KEYS = frozenset({"id", "action", "finished"})
_ID = re.compile(r"\s*(-?[0-9]{1,6})\s*")
_NO_TEXT = frozenset({"", "n/a", "na", "none", "null"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoDroidAnswer:
    """The object's fields, by name in lower case, as JSON gives them."""

    fields: Mapping[str, Any]

    @property
    def finished(self) -> bool:
        """Whether it says Yes; `false`, `null` and no word at all are No."""
        value = self.fields.get("finished")
        return value is True or (isinstance(value, str) and value.strip().casefold() == "yes")

    @property
    def thought(self) -> str:
        """Steps, analyses and the next step, a line each."""
        values = (self.fields.get(name) for name in ("steps", "analyses", "next step"))
        return "\n".join(part for part in values if isinstance(part, str) and part)

    def element(self) -> int:
        """The id; a number in quotes is one, too.

        Raises:
            ActionSyntaxError: There is none, or it is no whole number.
        """
        value = self.fields.get("id")
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        match = _ID.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise ActionSyntaxError(f"expected an id, a whole number, got {_shown(value)}")
        return int(match[1])

    def text(self) -> str | None:
        """What to type, in full; None for a tap.

        Raises:
            ActionSyntaxError: The action is neither tap nor input, or there is nothing to type.
        """
        action, text = self.fields.get("action"), self.fields.get("input_text")
        kind = action.strip().casefold() if isinstance(action, str) else None
        if kind == "tap":
            return None
        if kind != "input":
            raise ActionSyntaxError(f"expected the action tap or input, got {_shown(action)}")
        if isinstance(text, int) and not isinstance(text, bool):
            # a phone number comes without quotes
            text = json.dumps(text)
        if not isinstance(text, str) or text.strip().casefold() in _NO_TEXT:
            raise ActionSyntaxError(f"expected an input_text for input, got {_shown(text)}")
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise ActionSyntaxError(f"expected an input_text of whole characters, got {_shown(text)}")
        return text


def read(output: str) -> AutoDroidAnswer:
    r"""The answer in what a model wrote: its last object with an id, an action or a Finished.

    Raises:
        ActionSyntaxError: There is no such object.

    >>> read('Sure:\n```json\n{"Finished": false, "id": "3", "action": "tap"}\n```').element()
    3
    """
    if len(output) > MAX_OUTPUT:
        raise ActionSyntaxError(f"expected at most {MAX_OUTPUT} characters, got {len(output)}")
    found: dict[str, Any] | None = None
    decoder, at = json.JSONDecoder(), 0
    for _ in range(MAX_OBJECTS):
        at = output.find("{", at)
        if at < 0:
            break
        try:
            value, at = decoder.raw_decode(output, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        fields = {name.strip().casefold(): field for name, field in value.items()}
        if _KEYS & fields.keys():
            found = fields
    if found is None:
        got = printable(repr(output.strip()), 80) if output.strip() else "nothing"
        raise ActionSyntaxError(f"expected a JSON object with id, action and Finished, got {got}")
    return AutoDroidAnswer(fields=found)


def _shown(value: object) -> str:
    return printable(repr(value), 60) if value is not None else "none"
