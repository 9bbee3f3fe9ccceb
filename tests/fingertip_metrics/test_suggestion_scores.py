"""A row of table 3: the two scores as they are alone, and what the agent took."""

from __future__ import annotations

from typing import Any

import pytest

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics import get_embedder, sim1
from fingertip_metrics.judges import LexicalJudge
from fingertip_metrics.sr1_score import sr1
from fingertip_metrics.suggestion_scores import suggestion_scores

LEXICAL: dict[str, Any] = {"judge": LexicalJudge(), "embedder": get_embedder("lexical")}
TEXTS = (["听歌", "用美团点咖啡。", ""], ["打车", "用美团点咖啡", "听歌"])


def test_the_scores_are_those_of_the_two_metrics() -> None:
    scores = suggestion_scores(*TEXTS, **LEXICAL, protocol="paper")
    row = scores.to_dict(per_item=True)
    same = sr1(*TEXTS, judge=LEXICAL["judge"])
    near = sim1(*TEXTS, embedder=LEXICAL["embedder"], protocol="paper")
    for name in ("sr1", "worst", "best", "unscored", "unparsable", "judge", "remark", "n", "empty"):
        assert row[name] == getattr(same, name), name
    for name in ("sim1", "cosine", "levenshtein", "embedder", "protocol", "similarity", "n", "empty"):
        assert row[name] == getattr(near, name), name
    assert (scores.sr1, scores.sim1) == (same, near)
    assert row["why_not_comparable"] == f"{same.why_not_comparable}; {near.why_not_comparable}"
    assert not row["comparable"]
    items = [(item["state"], item["reason"], item["sim1"], item["empty"]) for item in row["per_item"]]
    assert items == [
        (one.state, one.reason, other.sim1, other.empty)
        for one, other in zip(same.per_item, near.per_item, strict=True)
    ]


@pytest.mark.parametrize(
    ("more", "output"),
    [
        ({"seconds": [1.0]}, r"expected as many seconds as predictions \(3\), got 1"),
        ({"seconds": [1.0, -1, 2]}, r"expected seconds\[1\] to be a number of 0 or more, got -1"),
        ({"seconds": [float("nan")] * 3}, r"expected seconds\[0\] to be a number of 0 or more, got nan"),
        (
            {"prompt_tokens": [1, 2, None]},
            r"expected prompt_tokens\[2\] to be a number .*, got None",
        ),
    ],
)
def test_invalid_usage_is_refused(more: dict[str, Any], output: str) -> None:
    with pytest.raises(MetricInputError, match=output):
        suggestion_scores(*TEXTS, judge=LEXICAL["judge"], embedder=LEXICAL["embedder"], **more)


def test_empty_input_and_unknown_protocols_are_refused() -> None:
    with pytest.raises(MetricInputError, match="expected at least one row in predictions, got none"):
        suggestion_scores((), (), **LEXICAL)
    with pytest.raises(UsageError, match="expected protocol release or paper"):
        suggestion_scores(*TEXTS, **LEXICAL, protocol="strict")
