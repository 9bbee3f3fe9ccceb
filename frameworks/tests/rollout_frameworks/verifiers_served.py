"""Runs in verifiers' environment: its server of environments, as prime-rl uses it, makes rollouts of tasks.

Call: `verifiers_served.py URL OUT`, the URL of a scripted model, which gets two tasks.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import sys
from pathlib import Path
from typing import Any

import verifiers.v1 as vf
from verifiers.v1.serve.client import EnvClient
from verifiers.v1.serve.pool import env_config_data, serve_env

TASKSET = {"id": "fingertip-phone-tasks", "task": {"people": 1, "episodes": 2}}


async def roll_out(address: str, url: str, config: vf.EnvConfig) -> list[dict[str, Any]]:
    """Rollouts of both tasks, and of one that there is not, by the server at an address."""
    client = EnvClient(address)
    await client.wait_for_server_startup(timeout=300)
    model = vf.EvalClientConfig(base_url=url, api_key_var="NO_KEY")
    rows = [task.data.model_dump() for task in vf.load_taskset(config.taskset)]
    rows.append({**rows[0], "id": "nobody"})
    episodes = await asyncio.gather(
        *(client.run(model, "scripted", vf.SamplingConfig(), row) for row in rows)
    )
    await client.close()
    return [
        {
            "key": episode.traces[0].task.key,
            "ok": episode.ok,
            "rewards": {name: one.score for name, one in episode.traces[0].rewards.items()},
            "errors": [error.message for error in episode.traces[0].errors],
        }
        for episode in episodes
    ]


def main() -> None:
    """Serve two processes, and make the rollouts."""
    config = vf.env_config_type("fingertip-phone-tasks").model_validate({"taskset": TASKSET})
    context = multiprocessing.get_context("spawn")
    addresses = context.Queue()
    settings = {"max_workers": 2, "elastic": False, "config_data": env_config_data(config)}
    server = context.Process(
        target=serve_env, kwargs={**settings, "address": "tcp://127.0.0.1:0", "address_queue": addresses}
    )
    server.start()
    try:
        found = asyncio.run(roll_out(addresses.get(timeout=300), sys.argv[1], config))
    finally:
        server.terminate()
        server.join()
    Path(sys.argv[2]).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
