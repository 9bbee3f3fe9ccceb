"""The page of the Space of fingertip_sim2: `python app.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fingertip_metrics import result_dict, sim2
from fingertip_metrics.space_page import build_metric_page, launch_metric_page

AGENT = "click(coordinates=(500, 300), content='搜索')\ntype(text='拿铁')\nfinished()"
PERSON = "click(coordinates=(512, 310), content='搜索')\ntype(text='拿铁')\npress_back()\nfinished()"
OTHER = "scroll(coordinates=(540, 1600), direction='down')\nclick(coordinates=(540, 900), content='拿铁')"


def score(agent: str, person: str, other: str, protocol: str) -> dict[str, Any]:
    """Score one episode, one action per line, by Sim_2; the page shows input errors."""
    result = sim2([agent.splitlines()], [person.splitlines()], [other.splitlines()], protocol=protocol)
    return result_dict(result, per_item=False)


def page() -> Any:  # noqa: ANN401 - gradio is not installed beside us
    """The form, with the metric card below."""
    import gradio

    inputs = [
        gradio.Textbox(AGENT, label="The agent's actions, a line each", lines=4),
        gradio.Textbox(PERSON, label="The person's", lines=4),
        gradio.Textbox(OTHER, label="Those of a person of another type", lines=4),
        gradio.Radio(["release", "paper"], value="release", label="Protocol"),
    ]
    return build_metric_page(score, inputs, title="Sim_2", folder=Path(__file__).parent)


if __name__ == "__main__":
    launch_metric_page(page())
