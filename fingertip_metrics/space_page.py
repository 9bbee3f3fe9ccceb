"""Page of a metric's Space: a form, the result, and the metric card below."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

from fingertip_dataset.errors import FingerTipError
from fingertip_metrics.space_look import CATALOGUE, make_space_head, make_space_theme

Inputs = ParamSpec("Inputs")

CHINESE_CARD = "README.zh.md"
"""File of the metric card in Chinese, beside README.md."""


def judge_names() -> list[str]:
    """Judges that a Space offers; a model only if the Space's owner configures one with the owner's key."""
    return ["lexical", *filter(None, [os.environ.get("FINGERTIP_JUDGE")])]


def build_metric_page(
    score: Callable[Inputs, dict[str, Any]], inputs: Sequence[object], *, title: str, folder: Path
) -> Any:  # noqa: ANN401 - gradio is not installed beside us
    """Build the page without launching it.

    Args:
        score: Called with the values of the inputs; its FingerTipError is shown on the page.
        inputs: Gradio components, in the order of the arguments of `score`.
        title: Title above the form.
        folder: Folder with the metric card in both languages, of which the page shows one.
    """
    import gradio

    @wraps(score)
    def score_or_error(*values: Inputs.args, **named: Inputs.kwargs) -> dict[str, Any]:
        try:
            return score(*values, **named)
        except FingerTipError as error:
            raise gradio.Error(str(error)) from None

    page = gradio.Interface(
        score_or_error,
        list(inputs),
        gradio.JSON(label="Result"),
        title=f"FingerTip 20K: {title}",
        analytics_enabled=False,
        flagging_mode="never",
        api_name="score",
    )
    english = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    with page:
        gradio.Markdown(english, elem_classes="only-en")
        gradio.Markdown((folder / CHINESE_CARD).read_text(encoding="utf-8"), elem_classes="only-zh")
    return page


def launch_metric_page(page: Any) -> None:  # noqa: ANN401 - gradio is not installed beside us
    """Serve the page in the look of all pages, until it is ended."""
    from fingertip_pages.message_catalogue import read_messages

    head = make_space_head(read_messages(CATALOGUE), shown=str(page.get_config_file()))
    page.launch(theme=make_space_theme(), head=head, footer_links=[])
