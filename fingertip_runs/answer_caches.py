"""Files of models' answers in a run's folder, each kept under its request: any run may use them."""

from __future__ import annotations

ANSWERS = "answers.jsonl"
"""Requests and answers of the agent's model."""

HISTORY_ANSWERS = "history_answers.jsonl"
"""Requests and answers of the model that picks earlier intents."""

JUDGE_CACHE = "judge.jsonl"
"""Requests and answers of a judge."""

EMBEDDINGS = "embeddings.jsonl"
"""Texts and vectors of an embedder on a server."""

ANSWER_CACHES = frozenset({ANSWERS, HISTORY_ANSWERS, JUDGE_CACHE, EMBEDDINGS})
