"""The page of the Space of fingertip_identification: `python app.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fingertip_metrics import result_dict, score_identification
from fingertip_metrics.space_page import build_metric_page, launch_metric_page

AGENT = "click(coordinates=(500, 300), content='搜索')\ntype(text='拿铁')\nfinished()"
PERSON = "click(coordinates=(512, 310), content='搜索')\ntype(text='拿铁')\npress_back()\nfinished()"
OTHER_AGENT = "press_home()\nfinished()"
OTHER = "scroll(coordinates=(540, 1600), direction='down')\nclick(coordinates=(540, 900), content='拿铁')"


def score(agent: str, person: str, other_agent: str, other: str, protocol: str) -> dict[str, Any]:
    """Score two tasks of two people, one action per line; the page shows input errors."""
    result = score_identification(
        [agent.splitlines(), other_agent.splitlines()],
        [person.splitlines(), other.splitlines()],
        users=["first", "second"],
        intents=["", ""],
        size=2,
        protocol=protocol,
    )
    return result_dict(result, per_item=True)


def page() -> Any:  # noqa: ANN401 - gradio is not installed beside us
    """The form, with the metric card below."""
    import gradio

    inputs = [
        gradio.Textbox(AGENT, label="The agent's actions in the first person's task, a line each", lines=4),
        gradio.Textbox(PERSON, label="The first person's", lines=4),
        gradio.Textbox(OTHER_AGENT, label="The agent's in the second person's task", lines=4),
        gradio.Textbox(OTHER, label="The second person's", lines=4),
        gradio.Radio(["release", "paper"], value="release", label="Protocol"),
    ]
    return build_metric_page(score, inputs, title="identification", folder=Path(__file__).parent)


if __name__ == "__main__":
    launch_metric_page(page())
