"""Whether a screen shows the answer to a goal's question, by which looking differs from guessing.

The answer is shown where a page of the goal's own app names what is asked about and has the answer's value in
any spelling of its form. Success does not depend on it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from string import Formatter

from simulated_phone.goals.answer_form import AnswerForm
from simulated_phone.goals.app_definition import Goal, GoalInstance, find_goal
from simulated_phone.machine.machine import Machine
from simulated_phone.screens.nodes import Node, PixelBox
from simulated_phone.screens.screen import DisplayedScreen


@dataclass(slots=True, kw_only=True)
class AnswerOnScreen:
    """The answer to a question as screens show it, and whether one of the screens looked at showed it.

    Attributes:
        package: Package of the goal's app.
        subjects: What is asked about, as screens name it: the arguments that all wordings of the goal name.
        form: Form of the answer.
        right: The right answer, in the form.
        evidence: Text that stands for the answer where the goal names one; "" for the answer itself.
        seen: Whether a screen given to `look` showed it.
    """

    package: str
    subjects: tuple[str, ...]
    form: AnswerForm
    right: str
    evidence: str = ""
    seen: bool = False

    def look(self, phone: Machine) -> None:
        """Note whether the phone's screen shows it."""
        self.seen = self.seen or self.is_on(phone.shown().screen)

    def is_on(self, screen: DisplayedScreen) -> bool:
        """Whether the screen shows it on a page of the goal's app."""
        return any(
            self._is_in(list(_list_texts(window.root, screen.frame)))
            for window in screen.windows
            if window.package == self.package and not (window.behind or window.passing or window.chrome)
        )

    def _is_in(self, texts: list[str]) -> bool:
        page = "\n".join(map(_plain, texts))
        if not all(_plain(subject) in page for subject in self.subjects):
            return False
        if self.evidence:
            return _plain(self.evidence) in page
        return any(self.form.is_within(text, self.right) for text in texts)


def answer_on_screen(phone: Machine, aim: GoalInstance) -> AnswerOnScreen | None:
    """The answer to the goal's question by what the phone shows now; None if it asks none."""
    goal = find_goal(phone.apps, aim)
    if goal.question is None:
        return None
    view = phone.view(aim.package, {"arguments": aim.arguments, "fields": {}})
    values = [aim.arguments[name] for name in sorted(_list_named_by_all(goal))]
    return AnswerOnScreen(
        package=aim.package,
        subjects=tuple(value for value in values if isinstance(value, str)),
        form=goal.question.form,
        right=phone.right_answer(aim),
        evidence="" if goal.evidence is None else goal.evidence(view),
    )


def _list_named_by_all(goal: Goal) -> set[str]:
    """The arguments that every wording of the goal names."""
    named = [{name for _, name, _, _ in Formatter().parse(words) if name} for words in goal.words]
    return set.intersection(*named) if named else set()


def _list_texts(node: Node, frame: PixelBox) -> Iterator[str]:
    """The texts and descriptions of what is in sight."""
    if node.hidden or node.box.clip(frame).empty:
        return
    yield from filter(None, (node.text, node.description))
    for child in node.children:
        yield from _list_texts(child, frame)


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()
