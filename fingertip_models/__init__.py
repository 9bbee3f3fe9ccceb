"""Clients of the models that agents and judges query: messages, options, answers, cache and prices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_models.cache import AppendOnlyCache
    from fingertip_models.chat.chat_answer import ModelAnswer
    from fingertip_models.chat.chat_client import ChatClient
    from fingertip_models.local import LocalModel
    from fingertip_models.messages import Message
    from fingertip_models.model import Model, open_model
    from fingertip_models.options import ModelOptions
    from fingertip_models.prices import Prices
    from fingertip_models.responses import Cached

__all__ = [
    "AppendOnlyCache",
    "Cached",
    "ChatClient",
    "LocalModel",
    "Message",
    "Model",
    "ModelAnswer",
    "ModelOptions",
    "Prices",
    "open_model",
]

_ALIASES = {"Answer": "ModelAnswer"}
"""Names of earlier versions."""

if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__, aliases=_ALIASES)
