"""The paper's facts about its data: table 7, and the participants of A.3. The public release is smaller.

`fingertip_metrics.published` has every table of the paper, and a test compares the two. These facts are
repeated here because a dataset's card shows them and this package may not import `fingertip_metrics`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fingertip_dataset.split_names import TEST_EXECUTION, TEST_SUGGESTION, TRAIN, VALI

EPISODES, USERS, APPS = 21_437, 95, 506
"""Counts of the whole dataset (section 1)."""

TABLE_7: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        TRAIN: {"episodes": 16_000, "screens": 177_674, "apps": 460, "categories": 40},
        VALI: {"episodes": 4_411, "screens": 32_859, "apps": 41, "categories": 27},
        TEST_SUGGESTION: {"episodes": 1_000, "screens": 10_412, "apps": 155, "categories": 38},
        TEST_EXECUTION: {"episodes": 200, "screens": 2_074, "apps": 68, "categories": 31},
    }
)
"""Split -> counts of table 7 (A.5)."""

SEXES: Mapping[str, int] = MappingProxyType({"male": 54, "female": 41})
YOUNGEST, OLDEST, MEAN_AGE = 18, 60, 25.9
"""Participants by sex, and their ages in years (A.3)."""

OCCUPATIONS = ("undergraduate", "postgraduate", "employed")
"""Occupations of the participants, a third each (A.3)."""

VALI_NOTE = (
    "In the paper's table 7, vali has 7.45 screens an episode and 41 apps, train 11.10 and 460: this does "
    "not look like a random remainder. The paper does not say how its vali was drawn."
)
"""Note on why the paper's `vali` does not look like the remainder of the other splits."""
