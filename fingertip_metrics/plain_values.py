"""Columns of other libraries as Python's own lists: arrays, series, tensors, and columns of datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_MAKERS = ("tolist", "to_list", "to_pylist")
"""Methods that return a list: of NumPy, pandas and torch, of Polars, and of pyarrow."""


def make_plain(values: Any) -> Any:  # noqa: ANN401 - columns of any library, and whatever is refused later
    """Return a column, a row or a value as Python's own lists, strings, numbers and None.

    Args:
        values: An array of NumPy, a series of pandas or Polars, a tensor of torch, a column of `datasets` or
            pyarrow, or a sequence that may contain such. A value of another kind is returned as it is.

    >>> import numpy as np
    >>> make_plain(np.array([True, False])), make_plain((["a"], np.array(["b", "c"])))
    ([True, False], [['a'], ['b', 'c']])
    """
    if values is None or isinstance(values, str | bytes | bool | int | float):
        return values
    for name in _MAKERS:
        if callable(make := getattr(values, name, None)):
            return make_plain(make())
    if isinstance(values, Sequence):
        return [make_plain(one) for one in values]
    # pandas has a value of its own for what is missing
    return None if type(values).__name__ == "NAType" else values
