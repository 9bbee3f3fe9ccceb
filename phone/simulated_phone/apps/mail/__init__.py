"""Mail: folders of mails whose attachments, events and senders go to other apps."""

from .pages import MAIL

__all__ = ["MAIL"]
