"""The step limit of track 2, as a multiple of the person's steps."""

STEP_LIMIT_FACTOR = 2.5
"""An agent is stopped beyond this multiple of the lines of action.jsonl (paper 5.1 and the authors' script).

`finished()` is a line as well. `TaskTarget.over_limit` applies it.
"""
