"""How hard a task of track 2 is: by the length of the person's way, in the bins of the paper's figure 6b.

Section 5.3 groups tasks by action length and prints no bins; these follow what a public summary says of the
figure ("1-5" first, "11+" last). Whether the authors count `finished()` is not said; here it is a step.
"""

from __future__ import annotations

from fingertip_dataset.errors import MetricInputError

DIFFICULTIES = ("1-5", "6-10", "11+")
"""Golden steps, from easy to hard."""

_LAST = (5, 10)


def difficulty(golden_steps: int) -> str:
    """The bin of a task.

    Args:
        golden_steps: Number of the person's actions, `finished()` included.

    Raises:
        MetricInputError: Fewer than one.

    >>> [difficulty(steps) for steps in (5, 6, 10, 11)]
    ['1-5', '6-10', '6-10', '11+']
    """
    if golden_steps < 1:
        raise MetricInputError(f"expected 1 golden step or more, got {golden_steps}")
    return DIFFICULTIES[sum(golden_steps > last for last in _LAST)]
