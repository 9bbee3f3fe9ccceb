"""The page of the Space of fingertip_sr2: `python app.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fingertip_metrics import result_dict, sr2
from fingertip_metrics.space_page import build_metric_page, launch_metric_page

ACTIONS = "click(coordinates=(512, 310), content='搜索')\ntype(text='拿铁')\nfinished()"


def score(agent: str, person: str, success: bool) -> dict[str, Any]:
    """Score one episode, one action per line, by SR_2 and step ratio; the page shows input errors."""
    result = sr2([agent.splitlines()], [person.splitlines()], [success])
    return result_dict(result, per_item=False)


def page() -> Any:  # noqa: ANN401 - gradio is not installed beside us
    """The form, with the metric card below."""
    import gradio

    inputs = [
        gradio.Textbox(f"press_home()\n{ACTIONS}", label="The agent's actions, a line each", lines=4),
        gradio.Textbox(ACTIONS, label="The person's", lines=4),
        gradio.Checkbox(True, label="The task was done"),
    ]
    return build_metric_page(score, inputs, title="SR_2 and step ratio", folder=Path(__file__).parent)


if __name__ == "__main__":
    launch_metric_page(page())
