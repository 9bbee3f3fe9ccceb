"""Provenance: a closed list, of which nothing that is not understood becomes "recorded"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.parquet.build import build
from fingertip_dataset.release.problems import ProblemKind
from fingertip_dataset.release.provenance import KINDS, RECORDED, check_provenance, read_provenance

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda values: st.lists(values, max_size=2) | st.dictionaries(st.text(max_size=8), values, max_size=2),
    max_leaves=4,
)


@pytest.mark.parametrize(
    ("stated", "kind"),
    [
        ("recorded", "recorded"), (" Recorded ", "recorded"), ("ＳＡＭＰＬＥ", "sample"),
        ("simulated", "simulated"), (["simulated"], "simulated"), ({"kind": "simulated"}, "simulated"),
        ("simulation of a phone", "simulated"), ("模拟数据", "simulated"), ("synthetic", "simulated"),
        (True, "unclear"), (None, "unclear"), (-1.5, "unclear"), (" ", "unclear"), ("my study", "unclear"),
        ([], "unclear"), ("x" * 100_000, "unclear"), ("recorded+simulated", "simulated"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_never_recorded(stated: object, kind: str) -> None:
    found = read_provenance({"provenance": stated})
    assert found.kind == kind
    plain = isinstance(stated, str) and stated.strip().lower() == kind
    assert plain or stated == "ＳＡＭＰＬＥ" or found.fault is not None
    assert len(found.fault or "") < 200


@given(JSON)
def test_only_the_word_itself_is_recorded(stated: Any) -> None:  # noqa: ANN401
    kind = read_provenance({"provenance": stated}).kind
    assert kind in {*KINDS, ""}
    assert kind != RECORDED or stated.strip().casefold() == RECORDED
    assert kind or stated == ""


@pytest.mark.parametrize(
    "sign",
    [
        {"simulation": {"seed": 1}},
        {"origin": "simulated people"},
        {"origin": "仿真手机"},
        {"simulation": [1]},
    ],
)
@pytest.mark.parametrize("stated", [{}, {"provenance": "recorded"}, {"provenance": ""}])
def test_a_sign_of_simulation_outweighs_what_is_stated(
    sign: dict[str, object], stated: dict[str, object]
) -> None:
    found = read_provenance(stated | sign)
    assert found.kind == "simulated"
    assert found.fault is not None


def test_a_file_states_known_kinds_alone() -> None:
    assert check_provenance("recorded") == "recorded"
    assert check_provenance("simulated+recorded") == "recorded+simulated"
    assert check_provenance("x" * 100_000) == "unclear"
    assert check_provenance("recorded+my study") == "recorded+unclear"
    assert "recorded" not in check_provenance("").split("+")


@pytest.mark.parametrize("provenance", [["simulated"], {"a": 1}, True, None, -1.5, " "])
def test_a_build_warns_of_it(maker: Any, tmp_path: Path, provenance: object) -> None:  # noqa: ANN401
    maker.episode("3", survey=maker.survey("3", provenance=provenance, licence="mine alone"))
    manifest = build(maker.raw, tmp_path / "out")
    assert manifest is not None
    assert manifest.provenance in {"simulated", "unclear"}
    assert manifest.problems[ProblemKind.UNCLEAR_PROVENANCE] == 1
    assert manifest.problems[ProblemKind.UNKNOWN_LICENCE] == 1
    assert manifest.licences == ("unknown",)
