"""List of elements of the generalist in the authors' form."""

from __future__ import annotations

import ast

from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.formats.generalist import Generalist
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.screen_description import describe_screen


def test_the_screen_can_be_described_in_the_authors_form(
    alarm_task: ExecutionInput, clock_screen: ScreenInput
) -> None:
    form = Generalist(screen_description="authors")
    for language, columns in (("zh", "元素（文字、中心坐标）："), ("en", "elements (text, centre):")):
        text = form.prepare(alarm_task, clock_screen, (), language).messages[-1].text  # type: ignore[arg-type]
        listed = text.split(columns + "\n")[1].split("\n")[0]
        assert clock_screen.tree is not None
        tree = parse_tree(clock_screen.tree, screen=clock_screen.size)
        assert listed == describe_screen(tree, form="authors")
        assert isinstance(ast.literal_eval(listed), list)
