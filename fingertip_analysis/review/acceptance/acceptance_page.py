"""The server side of the page on which people accept or reject suggestions.

Nothing of a task's target leaves this process: neither the intent nor the app, nor the episode id.
"""

from __future__ import annotations

from collections.abc import Mapping

from fingertip_analysis.review.acceptance.acceptance_session import AcceptanceAnnotation, AcceptanceSession
from fingertip_runs.annotation import AnnotationPage


class AcceptancePage(AnnotationPage[AcceptanceSession]):
    """Shows the situation of a task and one suggestion, in random order over all runs."""

    item_noun = "suggestion"
    annotation_model = AcceptanceAnnotation
    label_fields = frozenset({"accepted", "score", "why", "seconds"})

    def get_unnamed_state(self) -> Mapping[str, object]:
        """Whether the raters are the user; no suggestions, as their order is the rater's."""
        return {"own": self.session.user_id is not None, "suggestions": []}

    def state(self, rater: str) -> Mapping[str, object]:
        """The suggestions in the rater's order, each with this rater's judgement."""
        keys = self.session.order(rater)
        suggestions = [{"key": key, "label": self.dump_label(key, rater)} for key in keys]
        return {"own": self.session.user_id is not None, "suggestions": suggestions}

    def item(self, key: str, rater: str) -> Mapping[str, object]:
        """The suggestion, and the situation in both languages."""
        shown = self.session[key]
        return {"suggestion": shown.text, "known": self.session.situation(shown.task_id)}
