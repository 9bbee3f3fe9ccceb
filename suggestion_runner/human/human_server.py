"""The page on which people say what a person is about to want; what it asks of its server.

Nothing of a task's target leaves this process: neither the intent nor the app, nor an id that tells the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path

from pydantic import Field

from fingertip_agents import suggestion_prompt
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.messages import Language
from fingertip_runs.line_log import validated
from fingertip_runs.page_parts import picture_kind
from fingertip_runs.page_server import FINISH, HttpRefusal, PageResponse, PageServer, json_found, no_place
from fingertip_runs.raters import expected_rater, rater_name
from fingertip_runs.run_record import FrozenModel
from suggestion_runner.human.human_session import LANGUAGES, HumanSession, ShownTask
from suggestion_runner.human.rater_answers import LONGEST_ANSWER


class SavedAnswer(FrozenModel):
    """What the page sends of an answer; the fields are those of `RaterAnswer`."""

    text: str = Field(max_length=LONGEST_ANSWER, pattern=r"\S")
    seconds: float = Field(ge=0)
    language: Language


class HumanServer(PageServer):
    """Serves a session's page until a rater with nothing left to answer ends it, or `stop` is called.

    Args:
        session: What is answered.
        raters: Who may answer; empty for anybody, by the name that they give.
        language: In which the page begins.
        port: On 127.0.0.1; 0 for any that is free.

    Raises:
        UsageError: The port is taken, or a rater's name is none.
    """

    def __init__(
        self,
        session: HumanSession,
        *,
        raters: Sequence[str] = (),
        language: Language = "zh",
        port: int = 0,
    ) -> None:
        names = tuple(dict.fromkeys(map(rater_name, raters)))
        super().__init__(_Asking(session, names, language), __package__, port=port)


class _Asking:
    def __init__(self, session: HumanSession, raters: tuple[str, ...], language: Language) -> None:
        self._session = session
        self._raters = raters
        self._language = language

    def get(self, place: str, rater: str) -> PageResponse:
        match place.split("/"):
            case ["session"]:
                alone = self._raters[0] if len(self._raters) == 1 else ""
                if rater or alone:
                    return json_found(self._state(expected_rater(rater or alone, self._raters)))
                return json_found({"rater": None, "raters": self._raters, "language": self._language})
            case ["task", key]:
                shown = self._shown(key)
                return json_found(
                    {"known": shown.known, "question": shown.question, "screens": len(shown.screens)}
                )
            case ["screen", key, number]:
                return self._screen(self._shown(key), number)
        raise no_place()

    def post(self, place: str, rater: str, body: bytes) -> PageResponse:
        name = expected_rater(rater, self._raters)
        match place.split("/"):
            case ["join"]:
                self._session.join(name)
            case ["answer", key]:
                self._shown(key)
                answer = validated(SavedAnswer, body, Path("answer"))
                self._session.join(name)
                self._session.answer(
                    key, name, text=answer.text, seconds=answer.seconds, language=answer.language
                )
            case [end] if end in (FINISH, "leave"):
                return json_found({"finished": True})
            case _:
                raise no_place()
        return json_found(self._state(name))

    def _shown(self, key: str) -> ShownTask:
        try:
            return self._session[key]
        except KeyError as error:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected a task of this session, got another") from error

    def _state(self, name: str) -> dict[str, object]:
        """A rater's tasks: those that they have answered, then the open ones in their order."""
        session = self._session
        fields = {"text", "seconds"}
        answered = [
            {"key": key, "label": answer.model_dump(include=fields)} for key, answer in session.answered(name)
        ]
        keys, own = session.open_for(name)
        return {
            "rater": name,
            "language": self._language,
            "rules": {language: _rules(language) for language in LANGUAGES},
            "tasks": [*answered, *({"key": key, "label": None} for key in keys)],
            "own": own,
            "open": session.open_places,
        }

    def _screen(self, shown: ShownTask, number: str) -> PageResponse:
        if number not in map(str, range(len(shown.screens))):
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected a screen of this task, got another number")
        content = shown.screens[int(number)].read_bytes()
        kind = picture_kind(content)
        if kind is None:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected a picture, got a file that is none")
        return PageResponse(content=content, kind=f"image/{kind}")


def _rules(language: Language) -> str:
    """What models are told beside the task: the system message of one."""
    nothing = SuggestionInput(task_id="", profile=UserProfile(), time=None, scenario="", previous_intents=())
    first, *_ = suggestion_prompt.suggestion_messages(nothing, language)
    return first.text
