"""Time and memory of every parser of foreign text grow no faster than n log n."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.growth.measure import (
    MOST_MEMORY,
    MOST_RATIO,
    SLACK,
    STEP,
    Shape,
    memory_problem,
    peak,
    seconds,
    time_problem,
)
from tests.growth.parsers import Parser, parsers
from tests.growth.release_parsers import KINDS, whole_release, written_release

SOAK = bool(os.environ.get("FINGERTIP_SOAK"))
PARSERS = parsers(Path(mkdtemp(prefix="growth-")))
INPUTS = 100_000 if SOAK else 300
"""Number of inputs of all parsers together."""

SMALL = 4_096
"""Characters of a random input."""

SLOW = 0.008
"""Seconds from which on a random input is measured at several sizes; a square takes longer than that."""


def shapes(parser: Parser) -> Iterator[Shape]:
    """Each piece repeated, in each beginning and end; then pairs of pieces."""
    befores, afters = ("", *parser.before), ("", *parser.after)
    for before, piece, after in product(befores, parser.pieces, afters):
        yield Shape(before, piece, after)
    for first, second in product(parser.pieces, repeat=2):
        if first != second:
            yield Shape(first, second, "")
            yield Shape("", first + second, "")


def random_shape(parser: Parser, dice: random.Random) -> Shape:
    """Up to two pieces, up to four repeated, and one."""

    def some(most: int) -> str:
        return "".join(dice.choice(parser.pieces) for _ in range(dice.randint(0, most)))

    return Shape(dice.choice(("", *parser.before)) + some(2), some(3) + dice.choice(parser.pieces), some(1))


def test_a_square_is_found_and_linear_work_is_not() -> None:
    """The pattern of earlier versions, on 50 brackets and backslashes; and counting."""
    square = re.compile(r'"(?:[^"\\]|\\.)*"')
    brackets = Shape("[" * 50, '"\\', "")
    assert time_problem(square.findall, brackets, first=SMALL, last=1 << 18) is not None
    assert time_problem(str.splitlines, Shape("", "\n", ""), first=SMALL, last=1 << 18) is None
    pairs = Shape("", "ab", "")
    assert memory_problem(lambda text: [text[place:] for place in range(len(text))], pairs, size=SMALL)
    assert memory_problem(list, pairs, size=SMALL * 8) is None


def most_measured(parser: Parser) -> int:
    """How many slow inputs of a parser are measured."""
    if parser.least:
        return 200 if SOAK else 2
    return INPUTS if SOAK else 12


@pytest.mark.soak
@pytest.mark.parametrize("name", PARSERS)
def test_random_inputs_take_no_more_than_n_log_n(name: str) -> None:
    parser, dice = PARSERS[name], random.Random(name)  # noqa: S311 - no secret
    first = max(SMALL // 4, parser.least)
    problems: list[str | None] = []
    for _ in range(INPUTS // len(PARSERS)):
        shape = random_shape(parser, dice)
        slow = seconds(parser.parse, shape.of_size(SMALL), times=1) > SLOW
        # a parser with limits is slow below them on many inputs that take no longer above
        if slow and len(problems) < most_measured(parser):
            problems.append(time_problem(parser.parse, shape, first=first, last=parser.most))
    assert [problem for problem in problems if problem] == []


@pytest.mark.parametrize("name", PARSERS)
def test_long_repetitions_take_no_more_than_n_log_n(name: str) -> None:
    parser, dice = PARSERS[name], random.Random(name)  # noqa: S311 - no secret
    every = list(shapes(parser))
    # every input of a parser with limits is a long one
    chosen = dice.sample(every, min(len(every), 100 if SOAK else 2))
    first, size = max(SMALL, parser.least), max(SMALL * 8, parser.least)
    last = parser.most if SOAK else parser.most // 4
    problems = [time_problem(parser.parse, shape, first=first, last=last) for shape in chosen]
    problems += [memory_problem(parser.parse, shape, size=size) for shape in chosen[:: 10 if SOAK else 4]]
    assert [problem for problem in problems if problem] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_larger_release_takes_no_more_than_n_log_n(kind: str, tmp_path: Path) -> None:
    small = 200 if SOAK else 24
    places = [str(written_release(tmp_path / str(number), kind, number)) for number in (small, STEP * small)]
    for _ in range(3):
        first, last = (seconds(whole_release, place, times=2) for place in places)
        if last <= MOST_RATIO * first:
            break
    assert last <= MOST_RATIO * first
    assert peak(whole_release, places[1]) <= SLACK + MOST_MEMORY * peak(whole_release, places[0])
