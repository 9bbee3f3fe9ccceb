"""Attacks: violations of the schema, and contradictions in bundle.json."""

from __future__ import annotations

from functools import partial

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
)

# the same attack builders, from another bundle or with what cannot but follow
phone_line = partial(of_line, seed="phone")
missing_people_head = partial(of_head, seed="people", also=["missing_task"])
phone_head = partial(of_head, seed="phone")


DEEP = b"[" * 200 + b"]" * 200


SCHEMA = (
    phone_line(
        "a screen of ten thousand million pixels",
        "out_of_range",
        lambda line: line["steps"][0].update(size=[100_000, 100_000]),
        step=1,
    ),
    of_bytes("NaN", "not_finite", swapped(b'"time_s": 1', b'"time_s": NaN, "x": 1')),
    of_bytes("infinity by a long exponent", "not_finite", swapped(b'"time_s": ', b'"time_s": 1e999, "x": ')),
    of_bytes("a key twice", "duplicate_key", swapped(b'{"task_id"', b'{"task_id": "1", "task_id"')),
    of_bytes(
        "a bomb of levels", "json_bomb", swapped(b'{"task_id"', b'{"alternatives": ' + DEEP + b', "task_id"')
    ),
    of_bytes(
        "a number of a million digits", "json_bomb", swapped(b'"calls": 1', b'"calls": ' + b"1" * 1_000_000)
    ),
    of_bytes(
        "bytes that are no UTF-8", "encoding", swapped(b'{"task_id"', b'{"outcome": "\xff\xfe", "task_id"')
    ),
    of_bytes("a mark of UTF-8", "encoding", lambda content: b"\xef\xbb\xbf" + content),
    of_bytes(
        "half a surrogate pair", "encoding", swapped(b'{"task_id"', b'{"outcome": "\\ud800", "task_id"')
    ),
    of_bytes("a list instead of an object", "schema", lambda content: b"[]\n" + content),
    of_bytes("an empty line", "broken_json", lambda content: b"\n" + content),
    of_bytes("a line cut off", "broken_json", lambda content: content[:-1], line=None),
    of_bytes("words instead of JSON", "broken_json", lambda content: b"__import__('os')\n" + content),
    of_bytes("bundle.json is empty", "broken_json", lambda content: b"", file="bundle.json", line=None),
    of_head("a newer version", "newer_version", set_in_head("version", value=4)),
    of_head("an older version", "older_version", set_in_head("version", value=2)),
    of_head("no version", "schema", set_in_head("version", value="1")),
    of_head("an unknown field", "schema", set_in_head("rank", value=1)),
    of_head("an unknown field within the run", "schema", set_in_head("run", "secret", value="x")),
    of_head("an address without https", "schema", set_in_head("card", "links", value=["http://example.org"])),
    of_head("an address of a script", "schema", set_in_head("card", "links", value=["javascript:alert(1)"])),
    of_head("no contact", "schema", set_in_head("card", "contact", value="nobody")),
    of_head("an embedder of their own", "schema", set_in_head("scores", "embedder", value="evil/model")),
    of_head("a name of a thousand letters", "out_of_range", set_in_head("card", "name", value="x" * 1000)),
    of_head("a card without a name", "schema", lambda parts: parts.head["card"].pop("name")),
    of_line("negative seconds", "out_of_range", put(time_s=-1.0)),
    of_line("negative tokens", "out_of_range", put(prompt_tokens=-5)),
    of_line("tokens as text", "schema", put(prompt_tokens="700")),
    of_line("tokens beyond counting", "out_of_range", put(prompt_tokens=10**18)),
    of_line("a target in a field of its own", "schema", put(original_intent="x")),
    phone_line("an outcome that nobody knows", "schema", put(outcome="won")),
)


BOUNDS = (
    of_line("an intent of a book's length", "out_of_range", put(predicted_intent="x" * 20_001)),
    of_line("an outcome of a page", "out_of_range", put(outcome="x" * 61)),
    of_line("a probability above 1", "out_of_range", put(alternatives=[["x", 1.5]])),
    of_line("a million alternatives", "out_of_range", put(alternatives=[["x", 0.0]] * 1_001)),
    of_line("seconds of an age", "out_of_range", put(time_s=1e7)),
    of_line("seconds of an age to a first token", "out_of_range", put(first_token_s=1e7), seed="ours"),
    of_line("no id of a task", "out_of_range", put(task_id="")),
    phone_line("the attempt with number 0", "out_of_range", put(attempt=0), step=1),
    phone_line("the millionth attempt", "out_of_range", put(attempt=10**6), step=1),
    of_line("a gap below 0", "out_of_range", put(gaps=[-1]), seed="replayed"),
    phone_line("a moment of a page", "out_of_range", put(at="2" * 41)),
    of_step("an output of a library", "out_of_range", put_step(0, output="x" * 400_001), step=1),
    of_step("queries beyond counting", "out_of_range", put_step(0, queries=10**10), step=1),
    of_step("a text as a number", "schema", put_step(0, agent_s="1"), step=1),
    of_step("the name of an app", "schema", put_step(0, package="com.tencent.mm"), step=1),
    of_step("the gate's reason", "schema", put_step(0, reason="a payment"), step=1),
    of_step("problems of a screen", "out_of_range", put_step(0, seen_problems=["no tree"]), step=1),
    of_step("a golden action in a field", "schema", put_step(0, golden="wait()"), step=1),
    phone_line("the serial of a phone", "schema", put(device="R58M123")),
    phone_line("facts of a phone", "out_of_range", put(facts=[{"sent": "x"}])),
    of_step(
        "a reply of a page",
        "out_of_range",
        put_step(0, reply={"kind": "value", "text": "x" * 20_001}),
        step=1,
    ),
    of_step(
        "a reply where nobody answers",
        "wrong_reply",
        put_step(0, reply={"kind": "value", "text": "7:30"}),
        also=["wrong_score"],
    ),
    phone_line(
        "questions where nobody answers",
        "wrong_reply",
        put(dialogue={"questions": 1, "needless": 0, "not_understood": 0, "agreed": 1, "after_no": 0}),
    ),
    phone_line("golden actions in a field", "schema", put(golden_actions=[])),
)


HEAD = (
    of_head("the other track", "contradiction", set_in_head("track", value="execution")),
    of_head(
        "a path of somebody's machine",
        "contradiction",
        set_in_head("run", "dataset", "path", value="/home/x"),
    ),
    of_head("other data", "other_data", set_in_head("run", "dataset", "data_sha256", value="0" * 64)),
    of_head(
        "another provenance", "other_data", set_in_head("run", "dataset", "provenance", value="recorded")
    ),
    of_head(
        "a secret by the name of its field",
        "secret",
        set_in_head("run", "agent", "settings", "metadata", value={"auth_token": "abcd1234"}),
    ),
    of_head("the training part", "not_a_test", set_in_head("run", "split", value="train")),
    of_head("an unknown split", "not_a_test", set_in_head("run", "split", value="nonsense")),
    of_head(
        "a sample of the test",
        "not_a_test",
        set_in_head("run", "selection", value={"kind": "sample", "of": 12, "seed": 0}),
    ),
    missing_people_head(
        "people's answers to a sample of their choice",
        "not_a_test",
        set_in_head("run", "selection", "seed", value=7),
    ),
    missing_people_head(
        "people's answers to the tasks of some users",
        "not_a_test",
        set_in_head("run", "selection", "users", value=["1001"]),
    ),
    missing_people_head(
        "people's answers to the first tasks",
        "not_a_test",
        set_in_head("run", "selection", value={"kind": "first", "of": 12, "seed": None}),
    ),
    missing_people_head(
        "a model's sample as people's", "not_a_test", set_in_head("run", "agent", "name", value="a model")
    ),
    of_head(
        "inferred earlier intents",
        "contradiction",
        set_in_head(
            "run",
            "inferred",
            value={
                **{"file": "/etc/hostname", "sha256": "0" * 64, "method": "rule@1"},
                **{"episodes": 9, "without": 0},
            },
        ),
    ),
    of_head("another number of tasks", "contradiction", set_in_head("run", "tasks", value=3)),
    of_head("no start of the run", "contradiction", set_in_head("run", "sessions", value=[])),
    of_head("weights without a model", "contradiction", set_in_head("card", "model", value=None)),
    phone_head("a dry run", "contradiction", set_in_head("run", "dry_run", value=True)),
    phone_head(
        "tasks that say less than people wrote",
        "not_a_test",
        set_in_head("run", "instructions", value="goal_alone"),
    ),
    phone_head("an agent that is answered", "not_a_test", set_in_head("run", "answered_by", value="model")),
    phone_head("the run of an attached agent", "contradiction", set_in_head("run", "attached", value=True)),
    phone_head("no safety gate on a phone", "contradiction", set_in_head("run", "safety", value="off")),
    phone_head(
        "stopped later than others", "contradiction", set_in_head("run", "step_limit_factor", value=5.0)
    ),
    phone_head(
        "references by another protocol", "contradiction", set_in_head("run", "history", value="strict")
    ),
    of_head("another start", "contradiction", set_in_head("run", "start", value="home"), seed="person"),
    of_head(
        "verdicts without a judge", "contradiction", set_in_head("judge", value=None), also=["wrong_score"]
    ),
    of_head("made in the future", "future_time", set_in_head("made", value=FAR)),
    of_head("a moment without a zone", "bad_time", set_in_head("made", value="2026-11-20T10:00:00")),
    of_head("no moment at all", "bad_time", set_in_head("made", value="yesterday")),
    of_head("made before the run", "bad_time", set_in_head("made", value="2020-01-01T00:00:00+08:00")),
    of_head("a Cyrillic letter in a name", "confusable", set_in_head("card", "name", value="Hаbit")),
    of_head("a name that runs backwards", "confusable", set_in_head("card", "name", value="agent \u202e7B")),
    of_head("a name with nothing in it", "confusable", set_in_head("card", "name", value="agent\u200b")),
    of_head("a terminal's command in a name", "confusable", set_in_head("card", "name", value="a\x1b[2Jb")),
    of_head(
        "a key among the settings",
        "secret",
        set_in_head("run", "agent", "settings", "key", value="sk-" + "a1B2" * 8),
    ),
    of_head(
        "a token in the description", "secret", set_in_head("card", "description", value="hf_" + "aB3d" * 8)
    ),
)
