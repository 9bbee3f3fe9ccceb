"""The page of the Space of fingertip_sr1: `python app.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fingertip_metrics import result_dict
from fingertip_metrics.judges import open_judge
from fingertip_metrics.space_page import build_metric_page, judge_names, launch_metric_page
from fingertip_metrics.sr1_score import sr1

JUDGES = judge_names()


def score(predictions: str, references: str, judge: str) -> dict[str, Any]:
    """Score intents, one per line, by SR_1; the page shows input errors."""
    with open_judge(judge if judge in JUDGES else "lexical") as opened:
        result = sr1(predictions.splitlines(), references.splitlines(), judge=opened)
    return result_dict(result, per_item=True)


def page() -> Any:  # noqa: ANN401 - gradio is not installed beside us
    """The form, with the metric card below."""
    import gradio

    inputs = [
        gradio.Textbox("用美团点一杯咖啡\n打开闹钟", label="The agent's intents, a line each", lines=4),
        gradio.Textbox(
            "用美团点一杯咖啡。\n设置明早七点的闹钟", label="The people's intents, a line each", lines=4
        ),
        gradio.Radio(JUDGES, value="lexical", label="Judge"),
    ]
    return build_metric_page(score, inputs, title="SR_1", folder=Path(__file__).parent)


if __name__ == "__main__":
    launch_metric_page(page())
