"""Server-sent events, held against a slow reader of the standard's own steps."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fingertip_models.chat.events import Events


def read(content: bytes, places: list[int]) -> tuple[list[str], str]:
    """The data of each event, and of the one without an end, from a stream cut at the places."""
    events, found = Events(), []
    cuts = [0, *sorted(min(place, len(content)) for place in places), len(content)]
    for start, end in pairwise(cuts):
        found += events.feed(content[start:end])
    return ["\n".join(data) for data in found], "\n".join(events.rest())


def slowly(content: bytes) -> list[str]:
    """The steps of the standard's "interpreting an event stream", one after the other, on the whole text."""
    text = content.decode("utf-8-sig", "replace")
    *lines, _ = re.split("\r\n|\n|\r", text)
    found, buffer = [], ""
    for line in lines:
        if line == "":
            if buffer != "":
                found.append(buffer[:-1])
            buffer = ""
        elif line.startswith(":"):
            continue
        else:
            field, value = line.split(":", 1) if ":" in line else (line, "")
            if value.startswith(" "):
                value = value[1:]
            if field == "data":
                buffer += value + "\n"
    return found


ENDS = ("\r", "\n", "\r\n", "\n\n")
TEXTS = ("data", "data:", "data: ", ":", " ", "event: x", "id", "好", "\u2028", "\x85", "{")
PIECES = st.sampled_from([*ENDS, *TEXTS]).map(str.encode) | st.binary(max_size=3)


@given(st.lists(PIECES, max_size=30).map(b"".join), st.lists(st.integers(0, 60), max_size=6))
@example(b"\xef\xbb\xbfdata: 1\r\n\r\n", [1, 9, 11, 12])
@example(b"data: 1\r\rdata: 2\r\n\n", [8])
@example(b"data\n\ndata:\n\ndata: a\ndata:  b\n\n", [])
def test_any_split_of_a_stream_gives_the_standards_events(content: bytes, places: list[int]) -> None:
    assert read(content, places)[0] == slowly(content)


@pytest.mark.parametrize("end", ["", "\n", "\r", "\r\n"])
def test_an_unfinished_event_is_returned_separately(end: str) -> None:
    assert read(f"data: 1\n\n: x\ndata: 2\ndata: 3{end}".encode(), [3, 12]) == (["1"], "2\n3")


def test_a_stream_without_data_never_begins() -> None:
    events = Events()
    assert events.feed(b': waiting\n\n{"data": 1}\n') == []
    assert (events.rest(), events.begun) == ((), False)
