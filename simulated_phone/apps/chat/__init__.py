"""Chat: conversations, contacts, transfers, and moments."""

from simulated_phone.apps.chat.pages import CHAT

__all__ = ["CHAT"]
