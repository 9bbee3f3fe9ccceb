"""A page in one file without a template: the gallery's frame, and texts of the catalogue in it."""

from __future__ import annotations

from html import escape

from fingertip_pages.message_catalogue import dump_messages, encode_message, format_message, read_messages
from fingertip_pages.page_files import SCRIPT, base_style, page_file
from fingertip_pages.page_font import make_font_face
from fingertip_pages.page_policy import file_policy


def render_span(key: str, **values: object) -> str:
    """Return a span with a text in English, from which the switch makes the other language."""
    words = escape(format_message(read_messages(), key, values))
    return f'<span data-t="{escape(encode_message(key, values))}">{words}</span>'


def render_page(table: str, title: str, body: str, *, style: str) -> str:
    """Return the HTML of a page that loads nothing.

    Args:
        table: Table of the catalogue with its texts.
        title: Key of its title.
        body: Its content, as markup.
        style: Its own CSS: layout, no colour.
    """
    script = page_file(SCRIPT)
    messages = dump_messages(read_messages(), ("frame", table))
    words = format_message(read_messages(), title, {})
    switches = format_message(read_messages(), "frame.switches", {})
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{file_policy([script])}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title data-t="{escape(title)}">{escape(words)}</title>'
        f"<style>{make_font_face(body + messages + script)}{base_style()}{style}</style>"
        f"<script>{script}</script></head>"
        f'<body><a class="skip" href="#content">{render_span("frame.skip")}</a>'
        '<div class="bar"><p class="brand">FingerTip 20K</p>'
        f'<div class="switches" role="group" aria-label="{switches}" data-t-aria-label="frame.switches" '
        'data-translated><button id="language" type="button" hidden></button>'
        '<button id="theme" type="button" hidden></button></div></div>'
        f'<main id="content">{body}</main>'
        f'<script type="application/json" id="messages">{messages}</script></body></html>\n'
    )
