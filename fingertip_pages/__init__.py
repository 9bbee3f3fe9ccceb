"""HTML that all pages of the project share: colours and sizes, base style, switches, texts, the font."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingertip_pages.file_page import render_page as render_page
    from fingertip_pages.message_catalogue import format_message as format_message
    from fingertip_pages.message_catalogue import read_messages as read_messages
    from fingertip_pages.page_font import make_font_face as make_font_face
    from fingertip_pages.page_parts import load_template as load_template
    from fingertip_pages.page_policy import SERVED_POLICY as SERVED_POLICY
    from fingertip_pages.page_policy import file_policy as file_policy
    from fingertip_pages.page_policy import space_policy as space_policy
    from fingertip_pages.sentences import translate as translate

__all__ = [
    "SERVED_POLICY",
    "file_policy",
    "format_message",
    "load_template",
    "make_font_face",
    "read_messages",
    "render_page",
    "space_policy",
    "translate",
]

_MODULES = {
    "SERVED_POLICY": "page_policy",
    "file_policy": "page_policy",
    "format_message": "message_catalogue",
    "load_template": "page_parts",
    "make_font_face": "page_font",
    "read_messages": "message_catalogue",
    "render_page": "file_page",
    "space_policy": "page_policy",
    "translate": "sentences",
}


def __getattr__(name: str) -> object:
    """Import a public name from its own module on first use, so that the root is light."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
