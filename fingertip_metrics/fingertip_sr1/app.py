"""The page of the Space of fingertip_sr1: `python app.py`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import FingerTipError
from fingertip_metrics import result_dict
from fingertip_metrics.judges import open_judge
from fingertip_metrics.sr1_score import sr1

JUDGES = ["lexical", *filter(None, [os.environ.get("FINGERTIP_JUDGE")])]
"""A model only where the Space's owner names one, on the owner's server and key."""


def score(predictions: str, references: str, judge: str) -> dict[str, Any]:
    """SR_1 of intents, a line each; what is wrong with them is shown on the page."""
    import gradio

    try:
        with open_judge(judge if judge in JUDGES else "lexical") as opened:
            result = sr1(predictions.splitlines(), references.splitlines(), judge=opened)
    except FingerTipError as error:
        raise gradio.Error(str(error)) from None
    return result_dict(result, per_item=True)


def page() -> Any:  # noqa: ANN401 - gradio is not installed beside us
    """The form, with the metric card below."""
    import gradio

    return gradio.Interface(
        score,
        [
            gradio.Textbox("用美团点一杯咖啡\n打开闹钟", label="The agent's intents, a line each", lines=4),
            gradio.Textbox(
                "用美团点一杯咖啡。\n设置明早七点的闹钟", label="The people's intents, a line each", lines=4
            ),
            gradio.Radio(JUDGES, value="lexical", label="Judge"),
        ],
        gradio.JSON(label="Result"),
        title="FingerTip 20K: SR_1",
        article=Path(__file__).with_name("README.md").read_text(encoding="utf-8").split("---\n", 2)[2],
        analytics_enabled=False,
        flagging_mode="never",
        api_name="score",
    )


if __name__ == "__main__":
    page().launch()
