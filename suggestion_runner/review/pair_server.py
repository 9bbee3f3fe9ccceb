"""The page on which predicted intents are judged; what it asks of its server."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

from fingertip_metrics.judges.verdicts import IntentPair
from fingertip_runs.line_log import validated
from fingertip_runs.page_server import FINISH, HttpRefusal, PageResponse, PageServer, json_found, no_place
from fingertip_runs.raters import expected_rater, rater_name
from suggestion_runner.review.pairs import PairAnnotation, PairAnnotationSession


class PairServer(PageServer):
    """Serves a sitting's page until the rater says that it is finished, or `stop` is called.

    Args:
        sitting: What is looked at.
        rater: Who looks; None lets the page ask.
        port: On 127.0.0.1; 0 for any that is free.

    Raises:
        UsageError: The port is taken, or the rater's name is none.
    """

    def __init__(self, sitting: PairAnnotationSession, *, rater: str | None = None, port: int = 0) -> None:
        owner = None if rater is None else rater_name(rater)
        super().__init__(_PairPage(sitting, owner), __package__, port=port)


class _PairPage:
    def __init__(self, sitting: PairAnnotationSession, owner: str | None) -> None:
        self._sitting = sitting
        self._owner = owner

    def get(self, place: str, rater: str) -> PageResponse:
        if place != "sitting":
            raise no_place()
        if not (rater or self._owner):
            return json_found({"rater": None, "pairs": []})
        name = self._named(rater or self._owner or "")
        return json_found(
            {"rater": name, "pairs": [self._shown_pair(key, name) for key in self._sitting.order(name)]}
        )

    def post(self, place: str, rater: str, body: bytes) -> PageResponse:
        name = self._named(rater)
        match place.split("/"):
            case ["label", key]:
                self._pair(key)
                self._sitting.say(key, name, validated(PairAnnotation, body, Path("label")))
                return json_found({"labelled": self._sitting.labelled(name)})
            case [end] if end == FINISH:
                return json_found({"finished": True})
        raise no_place()

    def _shown_pair(self, key: str, rater: str) -> dict[str, object]:
        predicted, intended = self._sitting[key]
        label = self._sitting.label(key, rater)
        annotation = label.model_dump(include={"same", "why", "seconds"}) if label else None
        return {"key": key, "predicted": predicted, "intended": intended, "label": annotation}

    def _named(self, name: str) -> str:
        """Who asks; errors are those of `expected_rater`."""
        return expected_rater(name, () if self._owner is None else (self._owner,))

    def _pair(self, key: str) -> IntentPair:
        try:
            return self._sitting[key]
        except KeyError as error:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, "expected a pair of this sitting, got another") from error
