"""Attacks: violations of the schema, and contradictions in bundle.json."""

from __future__ import annotations

from board.tests.fingertip_leaderboard.forging import (
    FAR,
    of_bytes,
    of_head,
    of_line,
    of_step,
    put,
    put_step,
    set_in_head,
    swapped,
    together,
)
from fingertip_leaderboard import RefusalKind

DEEP = b"[" * 200 + b"]" * 200


SCHEMA = together(
    [
        of_line(
            "a screen of ten thousand million pixels",
            RefusalKind.OUT_OF_RANGE,
            lambda line: line["steps"][0].update(size=[100_000, 100_000]),
            seed="phone",
            step=1,
        ),
        of_bytes("NaN", RefusalKind.NOT_FINITE, swapped(b'"time_s": 1', b'"time_s": NaN, "x": 1')),
        of_bytes(
            "infinity by a long exponent",
            RefusalKind.NOT_FINITE,
            swapped(b'"time_s": ', b'"time_s": 1e999, "x": '),
        ),
        of_bytes(
            "a key twice", RefusalKind.DUPLICATE_KEY, swapped(b'{"task_id"', b'{"task_id": "1", "task_id"')
        ),
        of_bytes(
            "a bomb of levels",
            RefusalKind.JSON_BOMB,
            swapped(b'{"task_id"', b'{"alternatives": ' + DEEP + b', "task_id"'),
        ),
        of_bytes(
            "a number of a million digits",
            RefusalKind.JSON_BOMB,
            swapped(b'"calls": 1', b'"calls": ' + b"1" * 1_000_000),
        ),
        of_bytes(
            "bytes that are no UTF-8",
            RefusalKind.ENCODING,
            swapped(b'{"task_id"', b'{"outcome": "\xff\xfe", "task_id"'),
        ),
        of_bytes("a mark of UTF-8", RefusalKind.ENCODING, lambda content: b"\xef\xbb\xbf" + content),
        of_bytes(
            "half a surrogate pair",
            RefusalKind.ENCODING,
            swapped(b'{"task_id"', b'{"outcome": "\\ud800", "task_id"'),
        ),
        of_bytes("a list instead of an object", RefusalKind.SCHEMA, lambda content: b"[]\n" + content),
        of_bytes("an empty line", RefusalKind.BROKEN_JSON, lambda content: b"\n" + content),
        of_bytes("a line cut off", RefusalKind.BROKEN_JSON, lambda content: content[:-1], line=None),
        of_bytes(
            "words instead of JSON", RefusalKind.BROKEN_JSON, lambda content: b"__import__('os')\n" + content
        ),
        of_bytes(
            "bundle.json is empty",
            RefusalKind.BROKEN_JSON,
            lambda content: b"",
            file="bundle.json",
            line=None,
        ),
        of_head("a newer version", RefusalKind.NEWER_VERSION, set_in_head("version", value=4)),
        of_head("an older version", RefusalKind.OLDER_VERSION, set_in_head("version", value=2)),
        of_head("no version", RefusalKind.SCHEMA, set_in_head("version", value="1")),
        of_head("an unknown field", RefusalKind.SCHEMA, set_in_head("rank", value=1)),
        of_head(
            "an unknown field within the run", RefusalKind.SCHEMA, set_in_head("run", "secret", value="x")
        ),
        of_head(
            "an address without https",
            RefusalKind.SCHEMA,
            set_in_head("card", "links", value=["http://example.org"]),
        ),
        of_head(
            "an address of a script",
            RefusalKind.SCHEMA,
            set_in_head("card", "links", value=["javascript:alert(1)"]),
        ),
        of_head("no contact", RefusalKind.SCHEMA, set_in_head("card", "contact", value="nobody")),
        of_head(
            "an embedder of their own",
            RefusalKind.SCHEMA,
            set_in_head("scores", "embedder", value="evil/model"),
        ),
        of_head(
            "a name of a thousand letters",
            RefusalKind.OUT_OF_RANGE,
            set_in_head("card", "name", value="x" * 1000),
        ),
        of_head("a card without a name", RefusalKind.SCHEMA, lambda parts: parts.head["card"].pop("name")),
        of_line("negative seconds", RefusalKind.OUT_OF_RANGE, put(time_s=-1.0)),
        of_line("negative tokens", RefusalKind.OUT_OF_RANGE, put(prompt_tokens=-5)),
        of_line("tokens as text", RefusalKind.SCHEMA, put(prompt_tokens="700")),
        of_line("tokens beyond counting", RefusalKind.OUT_OF_RANGE, put(prompt_tokens=10**18)),
        of_line("a target in a field of its own", RefusalKind.SCHEMA, put(original_intent="x")),
        of_line("an outcome that nobody knows", RefusalKind.SCHEMA, put(outcome="won"), seed="phone"),
    ]
)


BOUNDS = together(
    [
        of_line("an intent of a book's length", RefusalKind.OUT_OF_RANGE, put(predicted_intent="x" * 20_001)),
        of_line("an outcome of a page", RefusalKind.OUT_OF_RANGE, put(outcome="x" * 61)),
        of_line("a probability above 1", RefusalKind.OUT_OF_RANGE, put(alternatives=[["x", 1.5]])),
        of_line("a million alternatives", RefusalKind.OUT_OF_RANGE, put(alternatives=[["x", 0.0]] * 1_001)),
        of_line("seconds of an age", RefusalKind.OUT_OF_RANGE, put(time_s=1e7)),
        of_line(
            "seconds of an age to a first token",
            RefusalKind.OUT_OF_RANGE,
            put(first_token_s=1e7),
            seed="ours",
        ),
        of_line("no id of a task", RefusalKind.OUT_OF_RANGE, put(task_id="")),
        of_line("the attempt with number 0", RefusalKind.OUT_OF_RANGE, put(attempt=0), seed="phone", step=1),
        of_line("the millionth attempt", RefusalKind.OUT_OF_RANGE, put(attempt=10**6), seed="phone", step=1),
        of_line("a gap below 0", RefusalKind.OUT_OF_RANGE, put(gaps=[-1]), seed="replayed"),
        of_line("a moment of a page", RefusalKind.OUT_OF_RANGE, put(at="2" * 41), seed="phone"),
        of_step(
            "an output of a library", RefusalKind.OUT_OF_RANGE, put_step(0, output="x" * 400_001), step=1
        ),
        of_step("queries beyond counting", RefusalKind.OUT_OF_RANGE, put_step(0, queries=10**10), step=1),
        of_step("a text as a number", RefusalKind.SCHEMA, put_step(0, agent_s="1"), step=1),
        of_step("the name of an app", RefusalKind.SCHEMA, put_step(0, package="com.tencent.mm"), step=1),
        of_step("the gate's reason", RefusalKind.SCHEMA, put_step(0, reason="a payment"), step=1),
        of_step(
            "problems of a screen", RefusalKind.OUT_OF_RANGE, put_step(0, seen_problems=["no tree"]), step=1
        ),
        of_step("a golden action in a field", RefusalKind.SCHEMA, put_step(0, golden="wait()"), step=1),
        of_line("the serial of a phone", RefusalKind.SCHEMA, put(device="R58M123"), seed="phone"),
        of_line("facts of a phone", RefusalKind.OUT_OF_RANGE, put(facts=[{"sent": "x"}]), seed="phone"),
        of_line("golden actions in a field", RefusalKind.SCHEMA, put(golden_actions=[]), seed="phone"),
    ]
)


HEAD = together(
    [
        of_head("the other track", RefusalKind.CONTRADICTION, set_in_head("track", value="execution")),
        of_head(
            "a path of somebody's machine",
            RefusalKind.CONTRADICTION,
            set_in_head("run", "dataset", "path", value="/home/x"),
        ),
        of_head(
            "other data", RefusalKind.OTHER_DATA, set_in_head("run", "dataset", "data_sha256", value="0" * 64)
        ),
        of_head(
            "another provenance",
            RefusalKind.OTHER_DATA,
            set_in_head("run", "dataset", "provenance", value="recorded"),
        ),
        of_head("the training part", RefusalKind.NOT_A_TEST, set_in_head("run", "split", value="train")),
        of_head("an unknown split", RefusalKind.NOT_A_TEST, set_in_head("run", "split", value="nonsense")),
        of_head(
            "a sample of the test",
            RefusalKind.NOT_A_TEST,
            set_in_head("run", "selection", value={"kind": "sample", "of": 12, "seed": 0}),
        ),
        of_head(
            "people's answers to a sample of their choice",
            RefusalKind.NOT_A_TEST,
            set_in_head("run", "selection", "seed", value=7),
            seed="people",
            also=[RefusalKind.MISSING_TASK],
        ),
        of_head(
            "people's answers to the tasks of some users",
            RefusalKind.NOT_A_TEST,
            set_in_head("run", "selection", "users", value=["1001"]),
            seed="people",
            also=[RefusalKind.MISSING_TASK],
        ),
        of_head(
            "people's answers to the first tasks",
            RefusalKind.NOT_A_TEST,
            set_in_head("run", "selection", value={"kind": "first", "of": 12, "seed": None}),
            seed="people",
            also=[RefusalKind.MISSING_TASK],
        ),
        of_head(
            "a model's sample as people's",
            RefusalKind.NOT_A_TEST,
            set_in_head("run", "agent", "name", value="a model"),
            seed="people",
            also=[RefusalKind.MISSING_TASK],
        ),
        of_head(
            "inferred earlier intents",
            RefusalKind.CONTRADICTION,
            # the verifier reads no file that a bundle names
            set_in_head(
                "run",
                "inferred",
                value={
                    **{"file": "/etc/hostname", "sha256": "0" * 64, "method": "rule@1"},
                    **{"episodes": 9, "without": 0},
                },
            ),
        ),
        of_head("another number of tasks", RefusalKind.CONTRADICTION, set_in_head("run", "tasks", value=3)),
        of_head("no start of the run", RefusalKind.CONTRADICTION, set_in_head("run", "sessions", value=[])),
        of_head(
            "weights without a model", RefusalKind.CONTRADICTION, set_in_head("card", "model", value=None)
        ),
        of_head(
            "a dry run", RefusalKind.CONTRADICTION, set_in_head("run", "dry_run", value=True), seed="phone"
        ),
        of_head(
            "the run of an attached agent",
            RefusalKind.CONTRADICTION,
            set_in_head("run", "attached", value=True),
            seed="phone",
        ),
        of_head(
            "no safety gate on a phone",
            RefusalKind.CONTRADICTION,
            set_in_head("run", "safety", value="off"),
            seed="phone",
        ),
        of_head(
            "stopped later than others",
            RefusalKind.CONTRADICTION,
            set_in_head("run", "step_limit_factor", value=5.0),
            seed="phone",
        ),
        of_head(
            "references by another protocol",
            RefusalKind.CONTRADICTION,
            set_in_head("run", "history", value="strict"),
            seed="phone",
        ),
        of_head(
            "verdicts without a judge",
            RefusalKind.CONTRADICTION,
            set_in_head("judge", value=None),
            also=[RefusalKind.WRONG_SCORE],
        ),
        of_head("made in the future", RefusalKind.FUTURE_TIME, set_in_head("made", value=FAR)),
        of_head(
            "a moment without a zone", RefusalKind.BAD_TIME, set_in_head("made", value="2026-11-20T10:00:00")
        ),
        of_head("no moment at all", RefusalKind.BAD_TIME, set_in_head("made", value="yesterday")),
        of_head(
            "made before the run",
            RefusalKind.BAD_TIME,
            set_in_head("made", value="2020-01-01T00:00:00+08:00"),
        ),
        of_head(
            "a Cyrillic letter in a name", RefusalKind.CONFUSABLE, set_in_head("card", "name", value="Hаbit")
        ),
        of_head(
            "a name that runs backwards",
            RefusalKind.CONFUSABLE,
            set_in_head("card", "name", value="agent \u202e7B"),
        ),
        of_head(
            "a name with nothing in it",
            RefusalKind.CONFUSABLE,
            set_in_head("card", "name", value="agent\u200b"),
        ),
        of_head(
            "a terminal's command in a name",
            RefusalKind.CONFUSABLE,
            set_in_head("card", "name", value="a\x1b[2Jb"),
        ),
        of_head(
            "a key among the settings",
            RefusalKind.SECRET,
            set_in_head("run", "agent", "settings", "key", value="sk-" + "a1B2" * 8),
        ),
        of_head(
            "a token in the description",
            RefusalKind.SECRET,
            set_in_head("card", "description", value="hf_" + "aB3d" * 8),
        ),
    ]
)
