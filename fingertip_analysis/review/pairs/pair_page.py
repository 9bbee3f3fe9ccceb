"""The server side of the page of intent pairs."""

from __future__ import annotations

from collections.abc import Mapping

from fingertip_analysis.review.pairs.pair_session import PairAnnotation, PairAnnotationSession
from fingertip_runs.annotation import AnnotationPage


class PairPage(AnnotationPage[PairAnnotationSession]):
    """Page with each predicted intent next to the person's own."""

    item_noun = "pair"
    annotation_model = PairAnnotation
    label_fields = frozenset({"same", "why", "seconds"})

    def get_unnamed_state(self) -> Mapping[str, object]:
        """No pairs: their order is the rater's."""
        return {"pairs": []}

    def state(self, rater: str) -> Mapping[str, object]:
        """The pairs in the rater's order, whole, each with this rater's label."""
        return {"pairs": [self._describe_pair(key, rater) for key in self.session.order(rater)]}

    def _describe_pair(self, key: str, rater: str) -> dict[str, object]:
        predicted, intended = self.session[key]
        shown = {"key": key, "predicted": predicted, "intended": intended}
        return {**shown, "label": self.dump_label(key, rater)}
