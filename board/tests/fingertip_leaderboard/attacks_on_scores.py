"""Attacks: verdicts, labels, scores, files."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from board.tests.fingertip_leaderboard.forging import (
    FAR,
    Attack,
    of_head,
    of_line,
    put,
    set_in_head,
    together,
)
from board.tests.fingertip_leaderboard.parts import Parts
from fingertip_leaderboard import RefusalKind


def _flip(verdict: dict[str, Any]) -> None:
    state = "different" if verdict["state"] == "same" else "same"
    verdict.update(state=state, votes=[state] if verdict["votes"] else [])


def _verdict(name: str, forge: Callable[[dict[str, Any]], Any], *, seed: str = "judged") -> Attack:
    also = frozenset({RefusalKind.WRONG_SCORE})
    return Attack(
        name=name,
        seed=seed,
        kind=RefusalKind.WRONG_VERDICT,
        forge=lambda parts: forge(parts.verdicts[1]),
        file="verdicts.jsonl",
        line=2,
        also=also,
    )


def _labels(name: str, kind: RefusalKind, forge: Callable[[dict[str, Any]], Any], *, line: int = 2) -> Attack:
    return Attack(
        name=name,
        seed="phone",
        kind=kind,
        forge=lambda parts: forge(parts.labels[1]),
        file="labels.jsonl",
        line=line,
        also=frozenset({RefusalKind.WRONG_SCORE}),
    )


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


JUDGES = together(
    [
        of_head(
            "a lexical judge that finds everything equal",
            RefusalKind.WRONG_VERDICT,
            _all_same(kind="lexical", threshold=0.0, similarity="release"),
        ),
        of_head(
            "a judge of simulated people on data of others",
            RefusalKind.WRONG_VERDICT,
            _all_same(kind="simulated", criterion="goal", threshold=99.0, version=1, data_sha256="0" * 64),
        ),
        of_head(
            "a lenient judge of simulated people",
            RefusalKind.WRONG_VERDICT,
            _all_same(kind="simulated", criterion="goal", threshold=0.0, version=1, data_sha256="0" * 64),
            seed="person's habit",
        ),
        of_head(
            "the lexical judge under the name of another",
            RefusalKind.WRONG_VERDICT,
            set_in_head("judge", "name", value="DeepSeek-V3 (prompt zh-1)"),
        ),
        of_head(
            "a rule that says it is the paper's judge",
            RefusalKind.WRONG_VERDICT,
            set_in_head("judge", "why_not_comparable", value=None),
        ),
        of_head(
            "people without labels",
            RefusalKind.WRONG_VERDICT,
            _all_same(kind="human"),
            seed="judged",
        ),
        of_head(
            "a rater in disguise as a judge",
            RefusalKind.WRONG_VERDICT,
            _all_same(kind="human", raters=["Lisа"]),
            seed="judged",
        ),
        Attack(
            name="people without votes",
            seed="judged",
            kind=RefusalKind.WRONG_VERDICT,
            forge=_people_without_votes,
            file="verdicts.jsonl",
            line=2,
        ),
        Attack(
            name="a person who votes twice",
            seed="judged",
            kind=RefusalKind.WRONG_VERDICT,
            forge=_people_with_too_many_votes,
            file="verdicts.jsonl",
            line=2,
        ),
        of_head(
            "a foreign prompt that is as good as the paper's",
            RefusalKind.WRONG_VERDICT,
            set_in_head("judge", "why_not_comparable", value=None),
            seed="judged",
        ),
    ]
)

RATERS = together(
    [
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
        _labels("a label of no task", RefusalKind.WRONG_LABEL, put(task_id="9__20250101_000000")),
        _labels("a label of another attempt", RefusalKind.WRONG_LABEL, put(attempt=2)),
        _labels("a rater twice", RefusalKind.WRONG_LABEL, put(rater="王芳"), line=10),
        _labels("a rater in disguise", RefusalKind.CONFUSABLE, put(rater="Lisа")),
        _labels("a label of tomorrow", RefusalKind.FUTURE_TIME, put(at=FAR)),
        _labels("a rating beyond the scale", RefusalKind.OUT_OF_RANGE, put(rating=6)),
    ]
)


def _score(name: str, value: float | None, *, seed: str = "model") -> Attack:
    return of_head(
        f"a better {name}", RefusalKind.WRONG_SCORE, set_in_head("scores", name, value=value), seed=seed
    )


SCORES = together(
    [
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
            RefusalKind.WRONG_SCORE,
            lambda parts: parts.head["scores"].update(sim1=parts.head["scores"]["sim1"] + 1e-6),
        ),
    ]
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


FILES = together(
    [
        Attack(
            name="another content than the hash",
            seed="model",
            kind=RefusalKind.HASH_MISMATCH,
            file="predictions.jsonl",
            forge=lambda parts: _listed(parts, "predictions.jsonl", put(sha256="0" * 64)),
        ),
        Attack(
            name="another size than is said",
            seed="model",
            kind=RefusalKind.HASH_MISMATCH,
            file="predictions.jsonl",
            forge=lambda parts: _listed(parts, "predictions.jsonl", put(bytes=1)),
        ),
        Attack(
            name="a file that is not listed",
            seed="model",
            kind=RefusalKind.UNLISTED_FILE,
            forge=_unlisted,
            file="verdicts.jsonl",
            also=frozenset({RefusalKind.MISSING_FILE}),
        ),
        Attack(
            name="a file that is not there",
            seed="trouble",
            kind=RefusalKind.MISSING_FILE,
            forge=_gone,
            file="labels.jsonl",
        ),
        Attack(
            name="the log of the other track",
            seed="model",
            kind=RefusalKind.CONTRADICTION,
            forge=_other_log,
            file="bundle.json",
        ),
        Attack(
            name="screens on track 1",
            seed="model",
            kind=RefusalKind.CONTRADICTION,
            forge=lambda parts: parts.screens.update({"screens/1/1/001.png": b"\x89PNG\r\n\x1a\n"}),
            file="bundle.json",
        ),
        of_line(
            "a screen that is not there",
            RefusalKind.MISSING_FILE,
            lambda line: line.update(final_screenshot=f"screens/{line['task_id']}/1/final.jpg"),
            seed="replayed",
        ),
        of_line(
            "a path as a screen",
            RefusalKind.CONTRADICTION,
            lambda line: line.update(final_screenshot="/etc/passwd"),
            seed="replayed",
        ),
        of_line(
            "a tree as a screenshot",
            RefusalKind.CONTRADICTION,
            lambda line: line["steps"][0].update(screenshot=line["steps"][0]["screenshot"][:-3] + "xml"),
            seed="replayed screens",
            also=[RefusalKind.UNKNOWN_FILE],
        ),
        of_line(
            "the screen of another step",
            RefusalKind.CONTRADICTION,
            lambda line: line["steps"][1].update(screenshot=line["steps"][0]["screenshot"]),
            seed="replayed screens",
            also=[RefusalKind.UNKNOWN_FILE],
        ),
        Attack(
            name="a screen that no step names",
            seed="replayed screens",
            kind=RefusalKind.UNKNOWN_FILE,
            forge=_unnamed,
            file="screens/",
        ),
        Attack(
            name="a script as a picture",
            seed="replayed screens",
            kind=RefusalKind.NO_PICTURE,
            forge=_no_picture,
            file="screens/",
        ),
        Attack(
            name="an archive as a picture",
            seed="replayed screens",
            kind=RefusalKind.NESTED_ARCHIVE,
            forge=_nested,
            file="screens/",
        ),
    ]
)
