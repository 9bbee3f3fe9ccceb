"""The page on which attempts of track 2 are judged; what it asks of its server."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from execution_runner.review.annotation_session import Annotation, AnnotationSession
from execution_runner.review.trajectories import (
    Trajectory,
    action_words,
    read_screen,
    shown_action,
)
from fingertip_runs.line_log import validated
from fingertip_runs.page_parts import picture_kind
from fingertip_runs.page_server import FINISH, HttpRefusal, PageResponse, PageServer, json_found, no_place
from fingertip_runs.raters import expected_rater, rater_name


class ReviewServer(PageServer):
    """Serves a sitting's page until everything is labelled and the rater says so, or `stop` is called.

    Args:
        sitting: What is looked at.
        rater: Who looks; None lets the page ask.
        port: On 127.0.0.1; 0 for any that is free.

    Raises:
        UsageError: The port is taken, or the rater's name is none.
    """

    def __init__(self, sitting: AnnotationSession, *, rater: str | None = None, port: int = 0) -> None:
        owner = None if rater is None else rater_name(rater)
        super().__init__(_ReviewPage(sitting, owner), __package__, port=port)


class _ReviewPage:
    def __init__(self, sitting: AnnotationSession, owner: str | None) -> None:
        self._sitting = sitting
        self._owner = owner

    def get(self, place: str, rater: str) -> PageResponse:
        match place.split("/"):
            case ["sitting"]:
                return json_found(self._state(rater))
            case ["task", key]:
                return json_found(_task(self._shown(key)))
            case ["screen", key, number]:
                return self._screen(self._shown(key), number)
            case ["way", key]:
                return json_found(self._way(key, self._named(rater)))
        raise no_place()

    def post(self, place: str, rater: str, body: bytes) -> PageResponse:
        name = self._named(rater)
        match place.split("/"):
            case ["label", key]:
                self._shown(key)
                self._sitting.say(key, name, validated(Annotation, body, Path("label")))
                return json_found({"labelled": self._sitting.labelled(name)})
            case [end] if end == FINISH:
                return json_found({"finished": True})
        raise no_place()

    def _named(self, name: str) -> str:
        """Who asks; errors are those of `expected_rater`."""
        return expected_rater(name, () if self._owner is None else (self._owner,))

    def _shown(self, key: str) -> Trajectory:
        try:
            return self._sitting[key]
        except KeyError as error:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected a task of this sitting, got another") from error

    def _state(self, given_name: str) -> dict[str, object]:
        """Whose sitting it is; once that is known, the tasks in their order with what this rater said."""
        if not (given_name or self._owner):
            return {"rater": None, "tasks": []}
        name = self._named(given_name or self._owner or "")
        sitting = self._sitting
        labels = {key: sitting.label(key, name) for key in sitting.order(name)}
        fields = {"success", "rating", "why", "seconds"}
        return {
            "rater": name,
            "tasks": [
                {"key": key, "label": label.model_dump(include=fields) if label else None}
                for key, label in labels.items()
            ],
        }

    def _way(self, key: str, rater: str) -> dict[str, object]:
        """The person's own way, for those who have judged the success without it."""
        shown = self._shown(key)
        if self._sitting.label(key, rater) is None:
            raise HttpRefusal(HTTPStatus.CONFLICT, "expected a word on the success first")
        return {"way": [action_words(action) for action in shown.golden_actions]}

    def _screen(self, shown: Trajectory, number: str) -> PageResponse:
        """A picture by its step, counted from 0; one more is the screen at the end."""
        screens = [*(step.screen for step in shown.steps), shown.final]
        if not (number.isascii() and number.isdigit() and len(number) < 6 and int(number) < len(screens)):
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected a screen of this task, got another number")
        content = read_screen(screens[int(number)])
        if content is None:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected a picture, got none")
        return PageResponse(content=content, kind=f"image/{picture_kind(content)}")


def _task(shown: Trajectory) -> dict[str, object]:
    steps = [
        {
            "screen": step.screen is not None,
            "size": step.size,
            "note": step.note,
            **shown_action(step.action, step.size),
        }
        for step in shown.steps
    ]
    return {
        "intent": shown.intent,
        "app": shown.app,
        "steps": steps,
        "final": shown.final is not None,
        "end": shown.end,
    }
