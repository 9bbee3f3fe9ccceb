"""Public functions take a path as a text, as everything in Python does."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path

import pytest

import fingertip_20k
from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.path_arguments import accept_path_texts

FUNCTIONS = {
    name: function
    for name in fingertip_20k.__all__
    if inspect.isfunction(function := getattr(fingertip_20k, name))
    and any(
        "Path" in str(part.annotation) and "str" not in str(part.annotation)
        for part in inspect.signature(function).parameters.values()
    )
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_public_function_with_a_path_takes_a_text(name: str) -> None:
    function = FUNCTIONS[name]
    assert function.__code__ is accept_path_texts(function).__code__, "decorate it with accept_path_texts"


@pytest.mark.parametrize("name", ["score_execution", "read_predictions", "check_release"])
def test_a_text_that_leads_nowhere_is_refused_as_a_path_is(name: str, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(FingerTipError) as of_path:
        FUNCTIONS[name](gone)
    with pytest.raises(FingerTipError) as of_text:
        FUNCTIONS[name](str(gone))
    assert str(of_text.value) == str(of_path.value)


def test_several_paths_and_keywords_are_converted() -> None:
    assert _list_types("a", ["b", Path("c")], third="d") == [Path, Path, Path, Path]
    assert _list_types(Path("a"), []) == [Path]
    with pytest.raises(TypeError, match="missing 1 required"):
        _list_types("a")  # type: ignore[call-arg]


@accept_path_texts
def _list_types(first: Path, more: Sequence[Path], third: Path | None = None) -> list[type]:
    given = (first, *more, *([third] if third else ()))
    return [Path if isinstance(one, Path) else type(one) for one in given]
