"""The page of the Space of fingertip_moments: `python app.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fingertip_dataset.errors import MetricInputError
from fingertip_metrics.judges import open_judge
from fingertip_metrics.moment_scores import moment_scores
from fingertip_metrics.space_page import build_metric_page, judge_names, launch_metric_page

JUDGES = judge_names()


def score(predictions: str, references: str, confidences: str, judge: str) -> dict[str, Any]:
    """Score offers and silence, one moment per line; the page shows input errors."""
    offers, wanted = read_lines(predictions), read_lines(references)
    with open_judge(judge if judge in JUDGES else "lexical") as opened:
        result = moment_scores(offers, wanted, read_confidences(confidences), judge=opened)
    return result.to_dict(per_item=True)


def read_lines(text: str) -> list[str]:
    """Texts, one per line; an empty line is silence, or nothing wanted.

    >>> read_lines(""), read_lines("打车")
    ([], ['打车'])
    """
    return text.split("\n") if text else []


def read_confidences(text: str) -> list[float | None] | None:
    """Confidences, one per line, an empty line for none; None without any.

    Raises:
        MetricInputError: A line is no number.
    """
    found: list[float | None] = []
    for row, line in enumerate(read_lines(text)):
        try:
            found.append(float(line) if line.strip() else None)
        except ValueError:
            raise MetricInputError(f"expected confidences[{row}] to be a number, got {line!r:.60}") from None
    return found if any(value is not None for value in found) else None


def page() -> Any:  # noqa: ANN401 - gradio is not installed beside us
    """The form, with the metric card below."""
    import gradio

    inputs = [
        gradio.Textbox(
            "用美团点一杯咖啡\n打开闹钟\n",
            label="The agent's offers, a line each; an empty line is silence",
            lines=4,
        ),
        gradio.Textbox(
            "用美团点一杯咖啡。\n\n",
            label="The people's intents, a line each; an empty line: nothing wanted",
            lines=4,
        ),
        gradio.Textbox("0.9\n0.6\n0.1", label="The agent's confidences, 0 to 1, a line each", lines=4),
        gradio.Radio(JUDGES, value="lexical", label="Judge"),
    ]
    return build_metric_page(score, inputs, title="when to speak", folder=Path(__file__).parent)


if __name__ == "__main__":
    launch_metric_page(page())
