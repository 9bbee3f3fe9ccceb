"""What AppAgent's model writes: four labelled sections, of which one is a call such as `tap(5)`.

The call's name alone decides: `text("FINISH line")` types. A text is not escaped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fingertip_agents.formats.calls import MAX_OUTPUT, QUOTES, call_ends
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.release.problems import printable

CALLS = ("tap", "text", "long_press", "swipe", "back", "grid", "FINISH")

_SECTION = re.compile(
    r"^[ \t*_#>-]*(observation|thought|action|summary)[ \t*_]*[:：][ \t*_]*", re.IGNORECASE | re.MULTILINE
)
_FINISH = re.compile(r"[\s`*'\"(\[]*FINISH(?:[(（]\s*[)）])?[\s`*'\".)\]。]*(?:$|\n)")
_CALL = re.compile(rf"(?<![A-Za-z0-9_.])({'|'.join(CALLS[:-1])})\s{{0,5}}[(（]")


@dataclass(frozen=True, slots=True, kw_only=True)
class AppAgentCall:
    """One call of AppAgent.

    Attributes:
        name: One of `CALLS`.
        arguments: As written between the brackets, "" for none.
    """

    name: str
    arguments: str = ""


def sections(output: str) -> Mapping[str, str]:
    r"""The sections by name in lower case; of two of the same name the first.

    A model that goes on imagines screens which it has not seen, so what follows the first round is left out.

    >>> dict(sections("Thought: the clock\nAction: tap(5)\nSummary: I opened it.\n\nAction: tap(6)"))
    {'thought': 'the clock', 'action': 'tap(5)', 'summary': 'I opened it.'}
    """
    found = list(_SECTION.finditer(output))
    parts: dict[str, str] = {}
    ends = [*(label.start() for label in found[1:]), len(output)]
    for label, end in zip(found, ends, strict=False):
        parts.setdefault(label[1].lower(), output[label.end() : end].strip())
    return parts


def read_call(output: str) -> AppAgentCall:
    """The call in the section Action, or in the whole answer where there are no sections.

    Of several the first counts: the later ones are for screens that the model has not seen.

    Raises:
        ActionSyntaxError: There is none, or it does not end.

    >>> read_call('Action: text("买(大)杯")'), read_call("Action: FINISH").name
    (AppAgentCall(name='text', arguments='"买(大)杯"'), 'FINISH')
    """
    if len(output) > MAX_OUTPUT:
        raise ActionSyntaxError(f"expected at most {MAX_OUTPUT} characters, got {len(output)}")
    parts = sections(output)
    answer = parts.get("action", "" if parts else output)
    if _FINISH.match(answer):
        return AppAgentCall(name="FINISH")
    match = _CALL.search(answer)
    if match is None:
        got = printable(repr(answer.strip()), 80) if answer.strip() else "nothing"
        raise ActionSyntaxError(f"expected Action: with one of {', '.join(CALLS)}, got {got}")
    end = next(
        (end for end in call_ends(answer, match.end()) if _is_whole(answer[match.end() : end - 1])), None
    )
    if end is None:
        raise ActionSyntaxError(f"expected {match[1]}(...) to end, got {printable(repr(match[0]))}")
    return AppAgentCall(name=match[1], arguments=answer[match.end() : end - 1].strip())


def quoted(arguments: str) -> str:
    """The text in quotes that is the only argument.

    Raises:
        ActionSyntaxError: It does not stand in quotes.
    """
    if len(arguments) < 2 or arguments[0] not in QUOTES or arguments[-1] not in QUOTES:
        raise ActionSyntaxError(f'expected text("..."), got text({printable(arguments, 60)})')
    return arguments[1:-1]


def _is_whole(arguments: str) -> bool:
    """Whether a text that begins with a quote ends with one."""
    return not arguments or arguments[0] not in QUOTES or (len(arguments) > 1 and arguments[-1] in QUOTES)
