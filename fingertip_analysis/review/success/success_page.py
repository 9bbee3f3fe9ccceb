"""The server side of the page of success labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path

from fingertip_analysis.review.success.success_session import SuccessAnnotation, SuccessSession
from fingertip_analysis.review.trajectories import both_words, draw_action, in_both
from fingertip_runs.annotation import AnnotationPage, HttpRefusal, PageResponse, json_response


class SuccessPage(AnnotationPage[SuccessSession]):
    """Page with each attempt and, once its success is labelled, the user's own trajectory next to it."""

    annotation_model = SuccessAnnotation
    label_fields = frozenset({"success", "rating", "why", "seconds"})

    def get_unnamed_state(self) -> Mapping[str, object]:
        """No tasks: their order is the rater's."""
        return {"tasks": []}

    def state(self, rater: str) -> Mapping[str, object]:
        """The tasks in the rater's order, each with this rater's label."""
        keys = self.session.order(rater)
        return {"tasks": [{"key": key, "label": self.dump_label(key, rater)} for key in keys]}

    def item(self, key: str, rater: str) -> Mapping[str, object]:
        """The intent, the app and the steps; nothing that tells the agent, the run or other labels."""
        attempt = self.session[key]
        steps = [
            {
                "screen": step.screen is not None,
                "size": step.size,
                "note": in_both(step.note),
                **draw_action(step.action, step.size),
                "words": both_words(step.action),
            }
            for step in attempt.steps
        ]
        return {
            "intent": attempt.target.intent,
            "app": attempt.target.app,
            "steps": steps,
            "final": attempt.final is not None,
            "end": in_both(attempt.end),
        }

    def screens(self, key: str) -> Sequence[Path | None]:
        """The picture of each step, then the one at the end."""
        attempt = self.session[key]
        return [*(step.screen for step in attempt.steps), attempt.final]

    def get_other(self, parts: Sequence[str], rater: str) -> PageResponse:
        """`way/KEY`: the user's own trajectory, only for a rater who has labelled the success without it."""
        match parts:
            case ["way", key]:
                name = self.rater(rater)
                attempt = self.find_known(self.session.__getitem__, key)
                if self.session.label(key, name) is None:
                    raise HttpRefusal(HTTPStatus.CONFLICT, "label the success first")
                return json_response({"way": [both_words(action) for action in attempt.target.user_actions]})
        return super().get_other(parts, rater)
