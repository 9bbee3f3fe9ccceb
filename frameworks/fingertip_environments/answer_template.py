"""A processor whose model answers in its own format: for TRL, each whole answer is the call of one tool.

TRL reads tool calls by the tokenizer's `response_template`, and renders results of tools by the chat
template. Models of phones write actions in grammars of their own, and their chat templates know no tools
(TRL 1.16 refuses that of Qwen2.5-VL). So the processor gets a template of responses in which the whole text
is a call of `act`, and its chat template is wrapped: what a tool returns is a message of the user, a call of
`act` is the text that the model wrote, and no tools are described. Conversations without tools are rendered
as before, so that a saved processor serves the trained model as well.
"""

from __future__ import annotations

import re
from typing import Any

from fingertip_dataset.errors import MissingExtraError, UsageError

ACT = "act"
"""Name of the tool; its argument is `answer`."""

MARK = "{#- fingertip: an answer is a call -#}"
"""Beginning of a chat template that is wrapped."""

_WRAPPER = (
    MARK
    + """\
{%- set turns = namespace(all=[]) -%}
{%- for message in messages -%}
{%- if message.role == 'tool' -%}
{%- set turns.all = turns.all + [{'role': 'user', 'content': message.content}] -%}
{%- elif message.role == 'assistant' and message.tool_calls -%}
{%- set call = message.tool_calls[0].function or message.tool_calls[0] -%}
{%- if call.name == 'act' -%}
{%- set text = call.arguments.answer or '' -%}
{%- else -%}
{%- set text = {'name': call.name, 'arguments': call.arguments} | tojson -%}
{%- endif -%}
{%- set turns.all = turns.all + [{'role': 'assistant', 'content': [{'type': 'text', 'text': text}]}] -%}
{%- else -%}
{%- set turns.all = turns.all + [message] -%}
{%- endif -%}
{%- endfor -%}
{%- set messages = turns.all -%}
{%- set tools = none -%}
"""
)


def fit_processor(processor: Any) -> None:  # noqa: ANN401 - of transformers, which is imported late
    """Make a processor read and render answers as calls of `act`; done once, a second call changes nothing.

    Args:
        processor: A processor of transformers with pictures; its chat template and its tokenizer's
            `response_template` are replaced.

    Raises:
        MissingExtraError: TRL is not installed.
        UsageError: It has no chat template, no tokenizer, or one whose earlier messages change with later
            ones, which TRL cannot train with.
    """
    try:
        from trl.chat_template_utils import get_training_chat_template
    except ImportError as error:
        raise MissingExtraError(error.name or "trl", "train") from error

    words, template = getattr(processor, "tokenizer", None), getattr(processor, "chat_template", None)
    if words is None or getattr(processor, "image_processor", None) is None:
        raise UsageError(
            f"expected a processor of texts and pictures, got {type(processor).__name__}: screens as "
            "pictures need a model that sees"
        )
    if not template:
        raise UsageError("the processor has no chat template: give one with processor.chat_template = ...")
    words.response_template = make_response_template(words.eos_token)
    if template.startswith(MARK):
        return
    processor.chat_template = _WRAPPER + template
    if keeps_prefix(processor):
        return
    try:
        processor.chat_template = template
        other = get_training_chat_template(processor)
    except ValueError:
        other = None
    processor.chat_template = _WRAPPER + (other or template)
    if other is None or not keeps_prefix(processor):
        processor.chat_template = template
        raise UsageError(
            "the chat template renders earlier messages in another way once later ones follow, which TRL "
            "cannot train with: give the processor a template for training"
        )


def make_response_template(end: str) -> dict[str, Any]:
    """Make the template of transformers 5.13 that reads a whole answer as one call; an empty answer is none.

    Args:
        end: The token that ends an answer.
    """
    mark = re.escape(end)
    call = {"type": "function", "function": {"name": ACT, "arguments": {"answer": "{content}"}}}
    return {
        "defaults": {"role": "assistant", "content": ""},
        # all of the prompt is the anchor: nothing of it belongs to the answer
        "start_anchor_pattern": r"[\s\S]+",
        "fields": {
            "tool_calls": {
                "open_pattern": rf"\A(?=\s*(?!{mark})\S)",
                "close_pattern": rf"(?:{mark})[\s\S]*|$",
                "repeats": True,
                "optional": True,
                "content": "text",
                "transform": call,
            },
        },
    }


def keeps_prefix(processor: Any) -> bool:  # noqa: ANN401 - of transformers
    """Whether messages are rendered alike whatever follows, as TRL needs it.

    Args:
        processor: A processor of transformers.
    """
    from trl.chat_template_utils import is_chat_template_prefix_preserving

    return bool(is_chat_template_prefix_preserving(processor))
