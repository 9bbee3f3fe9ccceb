from __future__ import annotations

from fingertip_metrics import result_dict, sr2

RESULT = sr2([["a"], []], [["a"], ["b"]], [True, False])


def test_items_only_on_request() -> None:
    assert "per_item" not in result_dict(RESULT, per_item=False)
    assert result_dict(RESULT, per_item=True)["per_item"] == [
        {"success": True, "step_ratio": 1.0, "over_limit": False},
        {"success": False, "step_ratio": 0.0, "over_limit": False},
    ]
