"""The page of the Space of fingertip_sim1: `python app.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fingertip_metrics import get_embedder, result_dict, sim1
from fingertip_metrics.space_page import build_metric_page, launch_metric_page


def score(predictions: str, references: str, embedder: str, protocol: str) -> dict[str, Any]:
    """Score intents, one per line, by Sim_1; the page shows input errors."""
    result = sim1(
        predictions.splitlines(),
        references.splitlines(),
        embedder=get_embedder(embedder),
        protocol=protocol,
    )
    return result_dict(result, per_item=True)


def page() -> Any:  # noqa: ANN401 - gradio is not installed beside us
    """The form, with the metric card below."""
    import gradio

    inputs = [
        gradio.Textbox("点一杯咖啡\n打开闹钟", label="The agent's intents, a line each", lines=4),
        gradio.Textbox(
            "用美团点一杯咖啡\n设置明早七点的闹钟", label="The people's intents, a line each", lines=4
        ),
        gradio.Radio(["official", "lexical"], value="official", label="Embedder"),
        gradio.Radio(["release", "paper"], value="release", label="Protocol"),
    ]
    return build_metric_page(score, inputs, title="Sim_1", folder=Path(__file__).parent)


if __name__ == "__main__":
    launch_metric_page(page())
