"""The server of the environment: `uvicorn server.app:app`. Its splits are yours to change."""

from __future__ import annotations

import os

from fingertip_20k import live_tasks, phone_app

PHONES = 16
"""Largest number of sessions at a time."""
# strangers are in the test: the first of them is person 1000
SPLITS = {
    "train": live_tasks(people=8, episodes=8),
    "test": live_tasks(people=2, episodes=8, first=1000),
    "train_en": live_tasks(people=4, episodes=8, locale="en"),
    "test_en": live_tasks(people=2, episodes=8, first=1000, locale="en"),
}
# a Space is asked under this name, which Hugging Face sets
HOSTS = [host for host in os.environ.get("SPACE_HOST", "").split(",") if host]

app = phone_app(SPLITS, phones=PHONES, allowed_hosts=HOSTS)


def main() -> None:
    """Serve on port 8000."""
    import uvicorn

    uvicorn.run(app, host="0.0.0.0", port=8000)  # noqa: S104 - a container has no other way out


if __name__ == "__main__":
    main()
