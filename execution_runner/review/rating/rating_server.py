"""The page on which ways are rated; what it asks of its server."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from execution_runner.review.rating.rating_session import Rating, RatingSession
from execution_runner.review.trajectories import (
    Trajectory,
    action_words,
    read_screen,
    shown_action,
)
from fingertip_dataset.tasks.task import FINISHED
from fingertip_runs.line_log import validated
from fingertip_runs.page_parts import picture_kind
from fingertip_runs.page_server import FINISH, HttpRefusal, PageResponse, PageServer, json_found, no_place
from fingertip_runs.raters import expected_rater, rater_name


class RatingServer(PageServer):
    """Serves a session's page until everything is rated and the rater says so, or `stop` is called.

    Args:
        session: What is rated.
        rater: Who rates; None lets the page ask.
        port: On 127.0.0.1; 0 for any that is free.

    Raises:
        UsageError: The port is taken, or the rater's name is none.
    """

    def __init__(self, session: RatingSession, *, rater: str | None = None, port: int = 0) -> None:
        owner = None if rater is None else rater_name(rater)
        super().__init__(_Rating(session, owner), __package__, port=port)


class _Rating:
    def __init__(self, session: RatingSession, owner: str | None) -> None:
        self._session = session
        self._owner = owner

    def get(self, place: str, rater: str) -> PageResponse:
        match place.split("/"):
            case ["sitting"]:
                return json_found(self._state(rater))
            case ["task", key]:
                return json_found(self._task(key, self._named(rater)))
            case ["screen", way, number]:
                return self._screen(way, number)
        raise no_place()

    def post(self, place: str, rater: str, body: bytes) -> PageResponse:
        name = self._named(rater)
        match place.split("/"):
            case ["rating", way]:
                self._way(way)
                self._session.rate(way, name, validated(Rating, body, Path("rating")))
                return json_found({"rated": self._session.rated(name)})
            case [end] if end == FINISH:
                return json_found({"finished": True})
        raise no_place()

    def _named(self, name: str) -> str:
        """Who asks; errors are those of `expected_rater`."""
        return expected_rater(name, () if self._owner is None else (self._owner,))

    def _state(self, given_name: str) -> dict[str, object]:
        """Whose session it is; once that is known, the tasks in their order."""
        own = self._session.user_id is not None
        if not (given_name or self._owner):
            return {"rater": None, "own": own, "tasks": []}
        name = self._named(given_name or self._owner or "")
        session = self._session
        rated = {
            key: all(session.rating(way, name) is not None for way in session.ways(key, name))
            for key in session.order(name)
        }
        return {
            "rater": name,
            "own": own,
            "tasks": [{"key": key, "label": done} for key, done in rated.items()],
        }

    def _task(self, key: str, rater: str) -> dict[str, object]:
        try:
            task, order = self._session[key], self._session.ways(key, rater)
        except KeyError as error:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected a task of this session, got another") from error
        return {
            "intent": task.intent,
            "app": task.app,
            "own": [_words(action) for action in task.own_actions],
            "ways": [
                {
                    "key": way,
                    "rating": self._session.rating(way, rater),
                    "steps": _steps(task.ways[way]),
                }
                for way in order
            ],
        }

    def _way(self, key: str) -> Trajectory:
        try:
            return self._session.way(key)
        except KeyError as error:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected a way of this session, got another") from error

    def _screen(self, way: str, number: str) -> PageResponse:
        """A picture by its step, counted from 0."""
        steps = self._way(way).steps
        if not (number.isascii() and number.isdigit() and len(number) < 6 and int(number) < len(steps)):
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected a screen of this way, got another number")
        content = read_screen(steps[int(number)].screen)
        if content is None:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected a picture, got none")
        return PageResponse(content=content, kind=f"image/{picture_kind(content)}")


def _steps(way: Trajectory) -> list[dict[str, object]]:
    """What the agent did; the `finished()` at its end, which no person's way has, is left out."""
    steps = way.steps[:-1] if way.steps and way.steps[-1].action == FINISHED else way.steps
    return [
        {
            **shown_action(step.action, step.size),
            "words": _words(step.action),
            "screen": step.screen is not None,
            "size": step.size,
        }
        for step in steps
    ]


def _words(action: str) -> dict[str, str]:
    return {"en": action_words(action), "zh": action_words(action, language="zh")}
