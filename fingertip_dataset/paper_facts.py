"""What the paper says of its data: table 7, and the participants of A.3. The public release is smaller.

`fingertip_metrics.published` has every table of the paper; a test holds the two to each other. These stand
here because a dataset's card shows them, and this package imports no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fingertip_dataset.split_names import TEST_EXECUTION, TEST_SUGGESTION, TRAIN, VALI

EPISODES, USERS, APPS = 21_437, 95, 506
"""Of the whole dataset (section 1)."""

TABLE_7: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        TRAIN: {"episodes": 16_000, "screens": 177_674, "apps": 460, "categories": 40},
        VALI: {"episodes": 4_411, "screens": 32_859, "apps": 41, "categories": 27},
        TEST_SUGGESTION: {"episodes": 1_000, "screens": 10_412, "apps": 155, "categories": 38},
        TEST_EXECUTION: {"episodes": 200, "screens": 2_074, "apps": 68, "categories": 31},
    }
)
"""Split -> what table 7 (A.5) counts of it."""

SEXES: Mapping[str, int] = MappingProxyType({"male": 54, "female": 41})
YOUNGEST, OLDEST, MEAN_AGE = 18, 60, 25.9
"""Participants by sex, and their ages in years (A.3)."""

OCCUPATIONS = ("undergraduate", "postgraduate", "employed")
"""A third of the participants each (A.3)."""

VALI_NOTE = (
    "In the paper's table 7, vali has 7.45 screens an episode and 41 apps, train 11.10 and 460: this does "
    "not look like a random remainder. The paper does not say how its vali was drawn."
)
"""Why `vali` of the paper does not look like what the other splits leave over."""
