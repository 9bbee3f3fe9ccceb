"""The server side of the page on which people answer the tasks of track 1.

Nothing of a task's target leaves this process: neither the intent nor the app, nor an id that reveals
the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fingertip_models.messages import Language
from fingertip_runs.annotation import AnnotationPage, PageResponse, json_response
from suggestion_runner.human.human_session import HumanSession, SavedAnswer


class HumanPage(AnnotationPage[HumanSession]):
    """Shows each task as a model's prompt does, and asks for the intent.

    Args:
        session: The tasks.
        raters: The only people who may answer; empty for anybody, by the name that they give.
        language: In which the page begins.

    Raises:
        UsageError: A rater's name is not a person's name.
    """

    annotation_path = "answer"
    annotation_model = SavedAnswer

    def __init__(
        self, session: HumanSession, *, raters: Sequence[str] = (), language: Language = "zh"
    ) -> None:
        super().__init__(session, raters=raters)
        self._language = language

    def get_unnamed_state(self) -> Mapping[str, object]:
        """The names to choose from, and the page's language."""
        return {"raters": self.raters, "language": self._language}

    def state(self, rater: str) -> Mapping[str, object]:
        """A rater's tasks: the answered ones, then the open ones in their order."""
        session = self.session
        fields = {"text", "seconds"}
        answered = [
            {"key": key, "label": answer.model_dump(include=fields)}
            for key, answer in session.answered(rater)
        ]
        keys, own = session.open_for(rater)
        return {
            "language": self._language,
            "tasks": [*answered, *({"key": key, "label": None} for key in keys)],
            "own": own,
            "open": session.open_places,
        }

    def reply(self, rater: str) -> Mapping[str, object]:
        """The new state: an answer may change what is open for the rater."""
        return {"rater": rater, **self.state(rater)}

    def item(self, key: str, rater: str) -> Mapping[str, object]:
        """The text of the prompt, and the number of screenshots."""
        task = self.session[key]
        return {
            "rules": task.texts.rules,
            "known": task.texts.known,
            "question": task.texts.question,
            "screens": len(task.screens),
        }

    def screens(self, key: str) -> Sequence[Path | None]:
        """The first screens of a task."""
        return self.session[key].screens

    def post_other(self, parts: Sequence[str], rater: str) -> PageResponse:
        """`join` deals the rater in; `leave` ends only this rater's page: others may still be answering."""
        match parts:
            case ["join"]:
                self.session.join(rater)
                return json_response(self.reply(rater))
            case ["leave"]:
                return json_response({"finished": True})
        return super().post_other(parts, rater)
