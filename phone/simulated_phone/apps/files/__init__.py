"""Files: documents in folders, renamed, moved, packed, shared, and restored from the trash."""

from .pages import FILES

__all__ = ["FILES"]
