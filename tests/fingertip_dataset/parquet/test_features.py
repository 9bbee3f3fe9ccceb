from __future__ import annotations

import subprocess
import sys

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.features import (
    CONFIGS,
    SCREENS,
    Config,
    arrow_schema,
    columns,
    features,
    yaml_features,
)
from tests.vectors import read_vectors


@pytest.mark.parametrize("config", CONFIGS)
def test_the_three_schemas_agree(config: Config) -> None:
    import datasets

    ours = features(config)
    assert list(ours) == list(columns(config))
    assert arrow_schema(config).equals(ours.arrow_schema, check_metadata=True)
    assert datasets.Features.from_arrow_schema(arrow_schema(config)) == ours
    assert yaml_features(config) == ours._to_yaml_list()
    assert datasets.Features._from_yaml_list(yaml_features(config)) == ours


def test_text_is_default_without_the_screens() -> None:
    assert [name for name in columns("default") if name not in SCREENS] == list(columns("text"))


def test_columns_in_the_order_of_the_contract() -> None:
    assert list(columns("default")) == read_vectors(__file__)["columns"]


def test_another_config_is_refused() -> None:
    with pytest.raises(UsageError, match="expected config default, text or moments, got 'images'"):
        columns("images")  # type: ignore[arg-type]


def test_the_schema_does_not_import_datasets() -> None:
    code = (
        "import sys, fingertip_dataset.parquet.features as f\n"
        "f.arrow_schema(); print('datasets' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
