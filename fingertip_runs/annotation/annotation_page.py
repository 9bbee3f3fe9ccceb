"""Request handlers of every annotation page: a rater's items, one item, a screen, an annotation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel

from fingertip_dataset.plain_pictures import write_plain
from fingertip_pages.page_parts import find_picture_kind
from fingertip_runs.annotation.annotation_session import AnnotationSession
from fingertip_runs.annotation.page_server import (
    FINISH,
    HttpRefusal,
    PageResponse,
    json_response,
    unknown_address,
)
from fingertip_runs.annotation.raters import check_rater, rater_name
from fingertip_runs.line_log import validate_json

AnySession = TypeVar("AnySession", bound=AnnotationSession[Any, Any, Any])
Found = TypeVar("Found")


class AnnotationPage(ABC, Generic[AnySession]):
    """The server side of a page on which people label items; a subclass adds the content of the page.

    `GET session` returns the rater and their items, `GET task/KEY` one item, `GET screen/KEY/NUMBER` one of
    its pictures; `POST <annotation_path>/KEY` stores an annotation, `POST finish` ends the session.

    Args:
        session: The items and their labels.
        raters: Names of the people who may label; empty if anybody may, under the name that they enter.

    Attributes:
        session: The items and their labels.
        raters: The names in stored form.
        item_noun: Noun for an item in messages.
        annotation_path: First part of the address to which annotations are posted.
        annotation_model: Model of a posted annotation.
        label_fields: Fields of a label that its rater sees again.

    Raises:
        UsageError: A rater's name is not a person's name.
    """

    item_noun: ClassVar[str] = "task"
    annotation_path: ClassVar[str] = "label"
    annotation_model: ClassVar[type[BaseModel]]
    label_fields: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, session: AnySession, *, raters: Sequence[str] = ()) -> None:
        self.session = session
        self.raters = tuple(dict.fromkeys(map(rater_name, raters)))

    @abstractmethod
    def get_unnamed_state(self) -> Mapping[str, object]:
        """Fields of `GET session` before the rater is known."""

    @abstractmethod
    def state(self, rater: str) -> Mapping[str, object]:
        """Fields of `GET session` for a rater: the items in their order, each with a key and a label."""

    def dump_label(self, key: str, rater: str) -> dict[str, object] | None:
        """Return the rater's label on an item as the page shows it again; None without a label."""
        label = self.session.label(key, rater)
        return label.model_dump(include=set(self.label_fields)) if label else None

    def reply(self, rater: str) -> Mapping[str, object]:
        """The response to a stored annotation."""
        return {"labelled": self.session.labelled(rater)}

    def item(self, key: str, rater: str) -> Mapping[str, object]:
        """Details of an item; only for pages that do not send all of it in `state`.

        Args:
            key: Key of the item.
            rater: Name that the page sent; "" if it sent none.

        Raises:
            KeyError: There is no item of that key.
        """
        raise unknown_address()

    def screens(self, key: str) -> Sequence[Path | None]:
        """Picture files of an item; None for a missing one. Raises KeyError for an unknown key."""
        raise unknown_address()

    def get_other(self, parts: Sequence[str], rater: str) -> PageResponse:
        """Handles a GET address that only this page has."""
        raise unknown_address()

    def post_other(self, parts: Sequence[str], rater: str) -> PageResponse:
        """Handles a POST address that only this page has; `rater` is a checked name."""
        raise unknown_address()

    def get(self, place: str, rater: str) -> PageResponse:
        """Handles a GET below the page's address."""
        match place.split("/"):
            case ["session" | "sitting"]:  # "sitting" is the address of version 0.1
                return json_response(self._describe_session(rater))
            case ["task", key]:
                return json_response(self.find_known(self.item, key, rater))
            case ["screen", key, number]:
                return picture_response(self.find_known(self.screens, key), number, self.item_noun)
            case parts:
                return self.get_other(parts, rater)

    def post(self, place: str, rater: str, body: bytes) -> PageResponse:
        """Handles a POST below the page's address."""
        name = self.rater(rater)
        match place.split("/"):
            case [end] if end == FINISH:
                return json_response({"finished": True})
            case [path, key] if path == self.annotation_path:
                return json_response(self.find_known(self._add, key, name, body))
            case parts:
                return self.post_other(parts, name)

    def rater(self, given_name: str) -> str:
        """The rater of a request; errors are those of `check_rater`."""
        return check_rater(given_name, self.raters)

    def find_known(self, find: Callable[..., Found], key: str, *others: object) -> Found:
        """Calls `find(key, ...)`; an unknown key (KeyError) becomes a 404.

        Raises:
            HttpRefusal: There is no such item.
        """
        try:
            return find(key, *others)
        except KeyError as error:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, f"this session has no such {self.item_noun}") from error

    def _describe_session(self, given_name: str) -> dict[str, object]:
        only = self.raters[0] if len(self.raters) == 1 else ""
        if not (given_name or only):
            return {"rater": None, **self.get_unnamed_state()}
        name = self.rater(given_name or only)
        return {"rater": name, **self.state(name)}

    def _add(self, key: str, rater: str, body: bytes) -> Mapping[str, object]:
        self.session[key]  # before the body is parsed, so that an unknown item is a 404 for any body
        annotation = validate_json(self.annotation_model, body, Path(self.annotation_path))
        self.session.add(key, rater, annotation)
        return self.reply(rater)


def picture_response(files: Sequence[Path | None], number: str, item_noun: str = "task") -> PageResponse:
    """Response with a screen by its number, counted from 0.

    Raises:
        HttpRefusal: There is no such number, or no picture.
    """
    if not (number.isascii() and number.isdigit() and len(number) < 6 and int(number) < len(files)):
        raise HttpRefusal(HTTPStatus.NOT_FOUND, f"this {item_noun} has no screen of that number")
    content = read_picture(files[int(number)])
    if content is None:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, "there is no such picture")
    return PageResponse(content=content, kind=f"image/{find_picture_kind(content)}")


def read_picture(file: Path | None) -> bytes | None:
    """A picture file's content, upright and RGB; None without a file, or if the file is no PNG or JPEG."""
    try:
        content = file.read_bytes() if file is not None else b""
    except OSError:
        return None
    return write_plain(content) if find_picture_kind(content) else None
