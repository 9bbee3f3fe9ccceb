"""Attacks: verdicts, labels, scores, files."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from board.tests.fingertip_leaderboard.forging import (
    FAR,
    Attack,
    of_file,
    of_head,
    of_line,
    put,
    set_in_head,
)
from board.tests.fingertip_leaderboard.parts import Parts


def _flip(verdict: dict[str, Any]) -> None:
    state = "different" if verdict["state"] == "same" else "same"
    verdict.update(state=state, votes=[state] if verdict["votes"] else [])


def _verdict(name: str, forge: Callable[[dict[str, Any]], Any], *, seed: str = "judged") -> Attack:
    """Attack on the second verdict."""
    return of_file(
        name, "wrong_verdict", lambda parts: forge(parts.verdicts[1]), "verdicts.jsonl",
        seed=seed, line=2, also=["wrong_score"],
    )  # fmt: skip


def _labels(name: str, kind: str, forge: Callable[[dict[str, Any]], Any], *, line: int = 2) -> Attack:
    """Attack on the second label."""
    return of_file(
        name, kind, lambda parts: forge(parts.labels[1]), "labels.jsonl",
        seed="phone", line=line, also=["wrong_score"],
    )  # fmt: skip


def _all_same(**settings: Any) -> Callable[[Parts], None]:  # noqa: ANN401 - of any kind
    """A judge with these settings that says of every answer that it is the intent, and SR_1 = 1."""

    def forge(parts: Parts) -> None:
        parts.head["judge"]["settings"] = settings
        for verdict in parts.verdicts:
            verdict.update(state="same", problem="", votes=[])
        parts.head["scores"].update(sr1=1.0, unscored=0)

    return forge


def _people_without_votes(parts: Parts) -> None:
    _all_same(kind="human", raters=["李雷"], labels_sha256="0" * 64)(parts)
    parts.verdicts[0]["votes"] = ["same"]


def _people_with_too_many_votes(parts: Parts) -> None:
    _all_same(kind="human", raters=["李雷"], labels_sha256="0" * 64)(parts)
    for verdict in parts.verdicts:
        verdict.update(votes=["same"])
    parts.verdicts[1]["votes"] = ["same", "same"]


# the same attack builders, from another bundle or with what cannot but follow
judged_head = partial(of_head, seed="judged")


JUDGES = (
    of_head(
        "a lexical judge that finds everything equal",
        "wrong_verdict",
        _all_same(kind="lexical", threshold=0.0, similarity="release"),
    ),
    of_head(
        "a judge of simulated people on data of others",
        "wrong_verdict",
        _all_same(kind="simulated", criterion="goal", threshold=99.0, version=1, data_sha256="0" * 64),
    ),
    of_head(
        "a lenient judge of simulated people",
        "wrong_verdict",
        _all_same(kind="simulated", criterion="goal", threshold=0.0, version=1, data_sha256="0" * 64),
        seed="person's habit",
    ),
    of_head(
        "the lexical judge under the name of another",
        "wrong_verdict",
        set_in_head("judge", "name", value="DeepSeek-V3 (prompt zh-1)"),
    ),
    of_head(
        "a rule that says it is the paper's judge",
        "wrong_verdict",
        set_in_head("judge", "why_not_comparable", value=None),
    ),
    judged_head("people without labels", "wrong_verdict", _all_same(kind="human")),
    judged_head("a rater in disguise as a judge", "wrong_verdict", _all_same(kind="human", raters=["Lisа"])),
    of_file(
        "people without votes",
        "wrong_verdict",
        _people_without_votes,
        "verdicts.jsonl",
        seed="judged",
        line=2,
    ),
    of_file(
        "a person who votes twice",
        "wrong_verdict",
        _people_with_too_many_votes,
        "verdicts.jsonl",
        seed="judged",
        line=2,
    ),
    judged_head(
        "a foreign prompt that is as good as the paper's",
        "wrong_verdict",
        set_in_head("judge", "why_not_comparable", value=None),
    ),
)

RATERS = (
    _verdict("a verdict turned", _flip),
    _verdict(
        "a verdict of another question",
        lambda verdict: verdict.update(output=verdict["output"].replace('"code": "', '"code": "0')),
    ),
    _verdict("a verdict without its output", put(output="")),
    _verdict("votes that say otherwise", lambda verdict: verdict.update(votes=["same", "different"])),
    _verdict("a verdict that a rule does not give", _flip, seed="model"),
    _verdict("a verdict that the rule for simulated people does not give", _flip, seed="person's habit"),
    _verdict("unscored without a problem", lambda verdict: verdict.update(state="unscored", votes=[])),
    _labels("a label of no task", "wrong_label", put(task_id="9__20250101_000000")),
    _labels("a label of another attempt", "wrong_label", put(attempt=2)),
    _labels("a rater twice", "wrong_label", put(rater="王芳"), line=10),
    _labels("a rater in disguise", "confusable", put(rater="Lisа")),
    _labels("a label of tomorrow", "future_time", put(at=FAR)),
    _labels("a rating beyond the scale", "out_of_range", put(rating=6)),
)


def _score(name: str, value: float | None, *, seed: str = "model") -> Attack:
    return of_head(f"a better {name}", "wrong_score", set_in_head("scores", name, value=value), seed=seed)


SCORES = (
    _score("sim1", 0.99),
    _score("sr1", 1.0),
    _score("unscored", 5),
    _score("cosine", 0.5),
    _score("sim2", 2.5, seed="phone"),
    _score("sr2", 1.0, seed="points"),
    _score("sr2", 0.5, seed="trouble"),
    _score("step_ratio", 0.1, seed="phone"),
    _score("successes", 4, seed="points"),
    _score("progress", 0.5, seed="person"),
    _score("side_effects", 0.5, seed="person"),
    _score("false_completion", 0.1, seed="phone"),
    of_head(
        "a score a little better",
        "wrong_score",
        lambda parts: parts.head["scores"].update(sim1=parts.head["scores"]["sim1"] + 1e-6),
    ),
)


def _unlisted(parts: Parts) -> None:
    files = parts.files()
    parts.raw["bundle.json"] = json.dumps(
        {**parts.head, "files": {"predictions.jsonl": parts.head["files"]["predictions.jsonl"]}}
    ).encode()
    parts.raw["verdicts.jsonl"] = files["verdicts.jsonl"]


def _listed(parts: Parts, name: str, change: Callable[[dict[str, Any]], Any]) -> None:
    parts.files()
    change(parts.head["files"][name])
    parts.raw["bundle.json"] = json.dumps(parts.head).encode()


def _gone(parts: Parts) -> None:
    parts.files()
    parts.head["files"]["labels.jsonl"] = {"sha256": "0" * 64, "bytes": 1}
    parts.raw["bundle.json"] = json.dumps(parts.head).encode()


def _other_log(parts: Parts) -> None:
    parts.raw["steps.jsonl"] = b"{}\n"


def _screenshots(parts: Parts) -> list[dict[str, Any]]:
    return [step for step in parts.tasks[1]["steps"] if step["screenshot"]]


def _unnamed(parts: Parts) -> None:
    for step in _screenshots(parts)[:1]:
        step["screenshot"] = None


def _no_picture(parts: Parts) -> None:
    name = next(name for name in parts.screens if name.endswith((".png", ".jpg")))
    parts.screens[name] = b"<svg onload=alert(1)>"


def _nested(parts: Parts) -> None:
    name = next(name for name in parts.screens if name.endswith((".png", ".jpg")))
    parts.screens[name] = b"PK\x03\x04" + bytes(30)


FILES = (
    of_file(
        "another content than the hash",
        "hash_mismatch",
        lambda parts: _listed(parts, "predictions.jsonl", put(sha256="0" * 64)),
        "predictions.jsonl",
    ),
    of_file(
        "another size than is said",
        "hash_mismatch",
        lambda parts: _listed(parts, "predictions.jsonl", put(bytes=1)),
        "predictions.jsonl",
    ),
    of_file("a file that is not listed", "unlisted_file", _unlisted, "verdicts.jsonl", also=["missing_file"]),
    of_file("a file that is not there", "missing_file", _gone, "labels.jsonl", seed="trouble"),
    of_file("the log of the other track", "contradiction", _other_log, "bundle.json"),
    of_file(
        "screens on track 1",
        "contradiction",
        lambda parts: parts.screens.update({"screens/1/1/001.png": b"\x89PNG\r\n\x1a\n"}),
        "bundle.json",
    ),
    of_line(
        "a screen that is not there",
        "missing_file",
        lambda line: line.update(final_screenshot=f"screens/{line['task_id']}/1/final.jpg"),
        seed="replayed",
    ),
    of_line(
        "a path as a screen",
        "contradiction",
        lambda line: line.update(final_screenshot="/etc/passwd"),
        seed="replayed",
    ),
    of_line(
        "a tree as a screenshot",
        "contradiction",
        lambda line: line["steps"][0].update(screenshot=line["steps"][0]["screenshot"][:-3] + "xml"),
        seed="replayed screens",
        also=["unknown_file"],
    ),
    of_line(
        "the screen of another step",
        "contradiction",
        lambda line: line["steps"][1].update(screenshot=line["steps"][0]["screenshot"]),
        seed="replayed screens",
        also=["unknown_file"],
    ),
    of_file("a screen that no step names", "unknown_file", _unnamed, "screens/", seed="replayed screens"),
    of_file("a script as a picture", "no_picture", _no_picture, "screens/", seed="replayed screens"),
    of_file("an archive as a picture", "nested_archive", _nested, "screens/", seed="replayed screens"),
)
