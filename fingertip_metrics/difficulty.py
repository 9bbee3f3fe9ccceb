"""Difficulty of a task of track 2: bins over the number of the person's actions, as in the paper's figure 6b.

Section 5.3 groups tasks by action length without giving bins; ours follow a public summary of the figure
("1-5" first, "11+" last). The paper does not say whether `finished()` counts; here it is a step.
"""

from __future__ import annotations

from fingertip_dataset.errors import MetricInputError

DIFFICULTIES = ("1-5", "6-10", "11+")
"""Bins of the number of golden steps, from easy to hard."""

_LAST = (5, 10)


def difficulty(golden_steps: int) -> str:
    """Difficulty bin of a task.

    Args:
        golden_steps: Number of the person's actions, `finished()` included.

    Raises:
        MetricInputError: Fewer than one step.

    >>> [difficulty(steps) for steps in (5, 6, 10, 11)]
    ['1-5', '6-10', '6-10', '11+']
    """
    if golden_steps < 1:
        raise MetricInputError(f"expected 1 golden step or more, got {golden_steps}")
    return DIFFICULTIES[sum(golden_steps > last for last in _LAST)]
