"""Annotation pages: a local web page on which people label the items of one or several folders.

A page consists of an `AnnotationPage` (its items as JSON, its annotation model), an `AnnotationSession`
(items, each rater's order, label files) and a folder with page.html.j2, page.css and page.js. The rest is
shared: server, rater names, label files, page frame, keyboard shortcuts, languages and timing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_runs.annotation.annotation_page import AnnotationPage, picture_response, read_picture
    from fingertip_runs.annotation.annotation_session import AnnotationSession, check_folders, shuffle_place
    from fingertip_runs.annotation.label_file import LabelFile, label_reader
    from fingertip_runs.annotation.page_server import HttpRefusal, PageResponse, PageServer, json_response
    from fingertip_runs.annotation.raters import RULE, rater_name

__all__ = [
    "RULE",
    "AnnotationPage",
    "AnnotationSession",
    "HttpRefusal",
    "LabelFile",
    "PageResponse",
    "PageServer",
    "check_folders",
    "json_response",
    "label_reader",
    "picture_response",
    "rater_name",
    "read_picture",
    "shuffle_place",
]

if not TYPE_CHECKING:  # a type checker would accept any name from a module-level __getattr__
    __getattr__, __dir__ = lazy_names(__name__)
