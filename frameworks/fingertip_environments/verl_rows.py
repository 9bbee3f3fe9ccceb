"""Rows of the training data of verl: each names a task, and the agent loop that carries it out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fingertip_environments.phone_task import PhoneTask

AGENT_NAME = "fingertip_phone"
"""Name of the agent loop, in its configuration and in the rows."""


def make_verl_rows(tasks: Sequence[PhoneTask], *, agent_name: str = AGENT_NAME) -> list[dict[str, Any]]:
    """Make rows as verl's RLHFDataset reads them from a Parquet file.

    Args:
        tasks: The tasks.
        agent_name: Name of the agent loop in its configuration file.
    """
    return [
        {
            # what the model sees is made by the loop, with the picture of the first screen
            "prompt": [{"role": "user", "content": task.intent}],
            "agent_name": agent_name,
            "data_source": AGENT_NAME,
            "reward_model": {"style": "rule", "ground_truth": ""},
            "extra_info": {"index": number, "task_id": task.task_id},
        }
        for number, task in enumerate(tasks)
    ]
