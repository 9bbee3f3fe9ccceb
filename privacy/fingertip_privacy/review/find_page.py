"""The server side of the page on which people review finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

from fingertip_dataset.plain_pictures import write_plain
from fingertip_pages.page_parts import find_picture_kind
from fingertip_pages.sentences import translate
from fingertip_privacy.finds import Find, FindKind
from fingertip_privacy.review.find_session import AddedBox, FindAnnotation, FindSession
from fingertip_privacy.review.unfound_screens import is_unfound
from fingertip_runs.annotation import AnnotationPage, HttpRefusal, PageResponse, json_response
from fingertip_runs.line_log import validate_json

AROUND = 400
"""Characters of a field's text that are shown on either side of a find."""


class FindPage(AnnotationPage[FindSession]):
    """Shows a find on its screenshot among its neighbours, and the text of its field."""

    item_noun = "find"
    annotation_model = FindAnnotation

    def get_unnamed_state(self) -> Mapping[str, object]:
        """No finds: their order is the rater's."""
        return {"finds": [], "kinds": list(FindKind)}

    def state(self, rater: str) -> Mapping[str, object]:
        """The finds in the rater's order, each with this rater's decision."""
        return {
            "finds": [{"key": key, "label": self._label(key, rater)} for key in self.session.order(rater)],
            "kinds": list(FindKind),
        }

    def item(self, key: str, rater: str) -> Mapping[str, object]:
        """A find with its context, its neighbours, and what the rater has added on its screen."""
        name, session = self.rater(rater), self.session
        find = session[key]
        return {
            **_shown(find),
            "place": find.place,
            "why": {"en": find.why, "zh": translate(find.why) or find.why},
            "confidence": find.confidence,
            "where": [find.episode or find.file, find.step, find.field],
            "context": _context(find, session.field_text(key)),
            "picture": session.picture(key) is not None,
            "alike": len(session.alike(key)) - 1,
            "unfound": is_unfound(key),
            "neighbours": [
                {**_shown(one), "label": self._label(one.id, name)} for one in session.neighbours(key)
            ],
            "added": [_shown(one) for one in session.added(key, name)],
        }

    def screens(self, key: str) -> Sequence[Path | None]:
        """No files: a built dataset has the pictures within its shards."""
        raise KeyError(key)

    def get(self, place: str, rater: str) -> PageResponse:
        """Handles a GET below the page's address; a find has one picture, number 0."""
        match place.split("/"):
            case ["screen", key, "0"]:
                picture = self.find_known(self.session.picture, key)
                kind = find_picture_kind(picture.content) if picture else None
                if picture is None or kind is None:
                    raise HttpRefusal(HTTPStatus.NOT_FOUND, "there is no such picture")
                content = write_plain(picture.content)
                return PageResponse(content=content, kind=f"image/{find_picture_kind(content)}")
        return super().get(place, rater)

    def post(self, place: str, rater: str, body: bytes) -> PageResponse:
        """Handles a POST below the page's address; `box` adds a find, `remove` takes it back."""
        match place.split("/"):
            case ["box", key]:
                name = self.rater(rater)
                drawn = validate_json(AddedBox, body, Path("box"))
                return json_response(_shown(self.find_known(self.session.add_box, key, name, drawn)))
            case ["label", key]:
                name = self.rater(rater)
                alike = self.find_known(self.session.alike, key)
                annotation = validate_json(FindAnnotation, body, Path("label"))
                self.session.add(key, name, annotation)
                return json_response({"decided": alike if annotation.alike else [key]})
        return super().post(place, rater, body)

    def post_other(self, parts: Sequence[str], rater: str) -> PageResponse:
        """`remove/FIND` takes back a box that the rater has added."""
        match parts:
            case ["remove", find]:
                self.find_known(self.session.take_back, find, rater)
                return json_response({"removed": find})
        return super().post_other(parts, rater)

    def _label(self, key: str, rater: str) -> str | None:
        label = self.session.label(key, rater)
        return None if label is None or isinstance(label, Find) else label.decision


def _shown(find: Find) -> dict[str, Any]:
    return {"key": find.id, "kind": find.kind, "box": find.box, "text": find.text}


def _context(find: Find, text: str | None) -> list[str] | None:
    """The field's text before, within and behind the find; only the find if the field cannot be read."""
    if find.start is None or find.end is None:
        return None
    if text is None:
        return ["", find.text, ""]
    before, after = text[: find.start], text[find.end :]
    return [
        f"…{before[-AROUND:]}" if len(before) > AROUND else before,
        find.text,
        f"{after[:AROUND]}…" if len(after) > AROUND else after,
    ]
