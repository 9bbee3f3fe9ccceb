"""Calls as XML, `<function=NAME><parameter=NAME>value</parameter></function>`: read as JSON, and written.

`fingertip_models.chat.tool_calls` reads them in a server's answers; a format reads them by the same code, so
that an answer from anywhere else is read alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from fingertip_agents.parsing.json_calls import JsonCall, find_json_calls
from fingertip_models.chat.tool_calls import MOST_CALLS, convert_xml_calls


def find_named_calls(output: str) -> tuple[str, tuple[JsonCall, ...]]:
    r"""Find the calls of an output that name their function, as XML or JSON; with the text they stand in.

    Raises:
        ActionSyntaxError: The output is too long, or an argument has two values.

    >>> _, calls = find_named_calls("<function=wait>\n<parameter=time>2</parameter>\n</function>")
    >>> [(call.name, call.arguments) for call in calls]
    [('wait', {'time': '2'})]
    """
    text, _ = convert_xml_calls(output)
    calls = find_json_calls(text, is_call=lambda fields: False, most=MOST_CALLS)
    return text, tuple(call for call in calls if call.name)


def write_xml_call(name: str, arguments: Mapping[str, object], *, inline: bool) -> str:
    r"""Write a call as XML; inverse of reading it.

    Args:
        name: Name of the function.
        arguments: Values by name; those that are no texts are written as JSON.
        inline: Whether a value stands on the line of its tags, as in Seed's calls, and not on its own.

    >>> write_xml_call("click", {"point": "<point>17 58</point>"}, inline=True)
    '<function=click>\n<parameter=point><point>17 58</point></parameter>\n</function>'
    >>> write_xml_call("mobile_use", {"coordinate": [447, 81]}, inline=False)
    '<function=mobile_use>\n<parameter=coordinate>\n[447, 81]\n</parameter>\n</function>'
    """
    lines = [f"<function={name}>"]
    for key, value in arguments.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        # readers take one line break from each end of a value
        breaks = text.startswith(("\n", "\r")) or text.endswith("\r")
        gap = "" if inline and not breaks else "\r\n" if text.endswith("\r") else "\n"
        lines.append(f"<parameter={key}>{gap}{text}{gap}</parameter>")
    return "\n".join((*lines, "</function>"))
