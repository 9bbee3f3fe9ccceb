"""Secrets by the name of their field: refused in requests, masked in records."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import UsageError
from fingertip_models.options import ModelOptions
from fingertip_models.secret_fields import MASK, is_secret_name, list_secret_fields, mask_secret_fields
from fingertip_runs.run_record import AgentRecord

NAMES = (
    "api_key", "API-Key", "apiKey", "x-goog-api-key", "openai_api_key", "access_token", "authToken",
    "hf_token",
    "token", "client_secret", "SECRET", "password", "db.passwd", "Authorization", "proxy-authorization",
    "private_key", "secretAccessKey", "Set-Cookie", "credentials", "ａｐｉ＿ｋｅｙ", "密钥",
    "subscription-key",
)  # fmt: skip
PLAIN = (
    "max_tokens", "stop_token_ids", "eos_token", "pad_token", "think_end_token", "key", "keyboard",
    "tokenizer",
    "monkey", "secretary", "prompt_tokens", "api_version", "api_key_env", "passwordless", "first_token_s",
    "skip_special_tokens", "reasoning_effort", "author",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_secret_is_refused_in_a_request_and_masked_in_a_record(name: str) -> None:
    for fields in ({name: "abcd1234"}, {"metadata": {name: "abcd1234"}}, {"list": [{name: ["abcd1234"]}]}):
        with pytest.raises(UsageError, match="named as a secret") as caught:
            ModelOptions(model="m", base_url="http://127.0.0.1:1/v1", extra_body=fields)
        assert "abcd1234" not in str(caught.value)
        record = AgentRecord.of("mine", fields)
        assert "abcd1234" not in record.model_dump_json()
        assert MASK in record.model_dump_json()


@pytest.mark.parametrize("name", PLAIN)
def test_other_fields_stay(name: str) -> None:
    assert not is_secret_name(name)
    fields = {"outer": {name: "abcd1234"}}
    assert mask_secret_fields(fields) == fields
    assert ModelOptions(model="m", base_url="http://127.0.0.1:1/v1", extra_body=fields).extra_body == fields


@given(st.dictionaries(st.sampled_from([*NAMES, *PLAIN]), st.text() | st.integers() | st.booleans()))
def test_nothing_is_left_to_mask(fields: dict[str, object]) -> None:
    masked = mask_secret_fields(fields)
    assert list(list_secret_fields(masked)) == []
    assert mask_secret_fields(masked) == masked
    assert masked.keys() == fields.keys()
