"""The look of our pages of gradio: the colours, switches and Chinese font of all pages of the project."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fingertip_pages.message_catalogue import Messages

CATALOGUE = Path(__file__).with_name("messages.toml")
"""Texts of the pages of metrics; the table `space_labels` has those of gradio's own parts."""

_COLOURS = {
    "page": "body_background_fill background_fill_secondary",
    "card": (
        "background_fill_primary block_background_fill input_background_fill "
        "input_background_fill_focus input_background_fill_hover checkbox_background_color "
        "checkbox_label_background_fill panel_background_fill block_label_background_fill "
        "block_title_background_fill table_even_background_fill button_secondary_background_fill "
        "button_cancel_background_fill checkbox_background_color_focus "
        "checkbox_background_color_hover"
    ),
    "fill": (
        "code_background_fill table_odd_background_fill checkbox_label_background_fill_hover "
        "button_secondary_background_fill_hover button_cancel_background_fill_hover"
    ),
    "tint": "color_accent_soft checkbox_label_background_fill_selected",
    "ink": (
        "body_text_color block_title_text_color button_secondary_text_color "
        "button_secondary_text_color_hover checkbox_label_text_color "
        "checkbox_label_text_color_selected table_text_color button_cancel_text_color "
        "button_cancel_text_color_hover accordion_text_color"
    ),
    "soft": "body_text_color_subdued block_label_text_color block_info_text_color input_placeholder_color",
    "line": (
        "border_color_primary block_border_color block_label_border_color block_title_border_color "
        "panel_border_color table_border_color checkbox_label_border_color "
        "checkbox_label_border_color_hover"
    ),
    "edge": (
        "input_border_color input_border_color_hover checkbox_border_color "
        "checkbox_border_color_hover button_secondary_border_color button_cancel_border_color"
    ),
    "accent": (
        "color_accent border_color_accent border_color_accent_subdued link_text_color "
        "link_text_color_active link_text_color_hover link_text_color_visited "
        "button_primary_background_fill button_primary_background_fill_hover "
        "button_primary_border_color button_primary_border_color_hover "
        "checkbox_background_color_selected checkbox_border_color_selected "
        "checkbox_border_color_focus input_border_color_focus loader_color slider_color "
        "button_secondary_border_color_hover"
    ),
    "on-accent": "button_primary_text_color button_primary_text_color_hover",
    "bad": "error_text_color error_icon_color error_border_color",
    "bad-fill": "error_background_fill",
}
"""Colour of tokens.css -> gradio's names, separated by spaces, for what has it."""


def make_space_theme() -> Any:  # noqa: ANN401 - gradio is optional
    """Gradio's plain theme in the project's colours, which follow the switch."""
    import gradio

    theme = gradio.themes.Base(font=["var(--sans)"], font_mono=["var(--mono)"])
    colours = {name: f"var(--{colour})" for colour, names in _COLOURS.items() for name in names.split()}
    known = {name for name in (*colours, *(f"{name}_dark" for name in colours)) if hasattr(theme, name)}
    edges = {"input_border_width": "1px", "button_border_width": "1px"}
    return theme.set(**edges, **{name: colours[name.removesuffix("_dark")] for name in known})


def make_space_head(messages: Messages, *, shown: str) -> str:
    """Return what the page's head holds: styles, the font, texts, the switches.

    Args:
        messages: Texts of the page.
        shown: What else the page shows, for the characters of the font.
    """
    from fingertip_pages.message_catalogue import dump_messages, read_messages
    from fingertip_pages.page_files import page_file
    from fingertip_pages.page_font import make_font_face

    texts = dump_messages({**read_messages(), **messages}, ("frame", "space_labels", "board", "report"))
    frame, switches = read_space_scripts()
    own = files(__package__).joinpath("space_page.css").read_text(encoding="utf-8")
    font = make_font_face(texts + frame + shown)
    return (
        f"<style>{font}{page_file('tokens.css')}{own}</style>"
        f'<script type="application/json" id="messages">{texts}</script>'
        f"<script>{frame}</script><script>{switches}</script>"
    )


def read_space_scripts() -> tuple[str, str]:
    """The scripts of the head, which gradio adds to the page in the browser."""
    from fingertip_pages.page_files import SCRIPT, page_file

    return page_file(SCRIPT), files(__package__).joinpath("space_page.js").read_text(encoding="utf-8")
