"""Chat: conversations, contacts, transfers, and moments."""

from .pages import CHAT

__all__ = ["CHAT"]
