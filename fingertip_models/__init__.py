"""Models that agents and judges ask: what is said, with what settings, and what comes back."""

from __future__ import annotations

from fingertip_models.cache import AppendOnlyCache
from fingertip_models.chat_answer import ModelAnswer
from fingertip_models.chat_client import ChatClient
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
