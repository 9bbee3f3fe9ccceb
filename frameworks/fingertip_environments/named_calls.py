"""The tools of a phone by name and JSON, for frameworks that hand over a model's calls as they are.

TRL calls the methods of `phone_tools` itself; NeMo-Gym and servers of tools get the calls as texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from inspect import Parameter, getdoc, signature
from typing import Any, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError, create_model

from fingertip_environments.trl_attempt import OVER, TrlAttempt

_NO_TOOLS = ("reset", "get_reward")


def list_call_schemas(tools: TrlAttempt) -> list[dict[str, Any]]:
    """List the tools of a phone as functions of OpenAI's Responses API, in the order of their methods.

    Args:
        tools: A phone of `phone_tools`.
    """
    return [
        {
            "type": "function",
            "name": name,
            "description": (getdoc(method) or "").split("\n", 1)[0],
            "parameters": _list_parameters(method),
            "strict": False,
        }
        for name, method in _list_methods(tools)
    ]


def call_tool(tools: TrlAttempt, name: str, arguments: str) -> tuple[str, bool]:
    """Carry out a call of a model; a wrong one is answered in words, and does nothing on the phone.

    Args:
        tools: A phone of `phone_tools`, on which a task has begun.
        name: Name of the tool.
        arguments: Its arguments as JSON.

    Returns:
        The result for the model, and whether the episode is over.
    """
    methods = dict(_list_methods(tools))
    if name not in methods:
        return f"there is no tool {name!r}; there are {', '.join(methods)}", False
    try:
        given = json.loads(arguments or "{}")
        if not isinstance(given, dict):
            raise ValueError(f"expected the arguments as an object, got {arguments[:80]}")
        result = str(methods[name](**_read_arguments(methods[name], given)))
    except json.JSONDecodeError:
        return f"expected the arguments as JSON, got {arguments[:80]!r}", False
    except ValidationError as error:
        wrong = error.errors()[0]
        return f"{name}: {'.'.join(map(str, wrong['loc']))}: {wrong['msg']}", False
    except ValueError as error:
        return str(error), False
    return result, result == OVER


def _list_methods(tools: TrlAttempt) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public methods, those of base classes first, as they stand in the code."""
    for kind in reversed(type(tools).__mro__):
        for name, value in vars(kind).items():
            if callable(value) and not name.startswith("_") and name not in _NO_TOOLS:
                yield name, getattr(tools, name)


def _make_arguments(method: Callable[..., Any]) -> TypeAdapter[Any]:
    hints = get_type_hints(method)
    fields: dict[str, Any] = {
        name: (hints[name], ... if one.default is Parameter.empty else one.default)
        for name, one in signature(method).parameters.items()
    }
    return TypeAdapter(create_model("Arguments", __config__=ConfigDict(extra="forbid"), **fields))


def _read_arguments(method: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """The arguments, checked; numbers of JSON stay, as the tools take them for texts.

    Raises:
        ValidationError: One is missing, unknown or of another type.
    """
    texts = {
        name: str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
        for name, value in given.items()
    }
    return dict(_make_arguments(method).validate_python(texts))


def _list_parameters(method: Callable[..., Any]) -> dict[str, Any]:
    """JSON schema of the arguments, with the sentence that the docstring has about each."""
    schema = _make_arguments(method).json_schema()
    words = dict(
        line.strip().split(": ", 1) for line in (getdoc(method) or "").splitlines() if ": " in line.strip()
    )
    properties = {
        name: {key: value for key, value in one.items() if key != "title"}
        | ({"description": words[name]} if name in words else {})
        for name, one in schema.get("properties", {}).items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": schema.get("required", []),
        "additionalProperties": False,
    }
