"""Kinds of defects of a raw release, each with its name, its effect and its meaning.

No defect stops the reading. An unusable episode, row or table is left out ("rejected"), an unambiguous defect
is corrected ("mended"), and everything else stays unchanged ("noted").
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Subject(StrEnum):
    """The thing that one problem of a kind counts."""

    EPISODE = "episode"
    STEP = "step"
    FILE = "file"
    TABLE = "table"
    ROW = "row"
    USER = "user"


class Effect(StrEnum):
    """What the reader does with the subject of a problem."""

    REJECTED = "rejected"
    MENDED = "mended"
    NOTED = "noted"


class ProblemKind(StrEnum):
    """Kind of a defect; the value is its name.

    Attributes:
        subject: The thing that one problem of this kind counts.
        effect: "rejected", "mended" or "noted".
        meaning: Explanation in one line.
    """

    subject: Subject
    effect: Effect
    meaning: str

    def __new__(cls, value: str, subject: Subject, effect: Effect, meaning: str) -> Self:
        """Make a string with three attributes."""
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.subject, kind.effect, kind.meaning = subject, effect, meaning
        return kind

    NO_INTENT = (
        "no_intent",
        Subject.EPISODE,
        Effect.REJECTED,
        "neither a readable survey nor a table row states the intent",
    )
    BAD_FOLDER_NAME = (
        "bad_folder_name",
        Subject.EPISODE,
        Effect.REJECTED,
        "the episode's folder is not named YYYYMMDD_HHMMSS",
    )
    EPISODE_OUTSIDE = (
        "episode_outside",
        Subject.EPISODE,
        Effect.REJECTED,
        "the episode's folder is a link that leaves the release",
    )
    CONFLICTING_EPISODES = (
        "conflicting_episodes",
        Subject.EPISODE,
        Effect.REJECTED,
        "two folders of one user and time contain different recordings: neither is used",
    )
    DUPLICATE_EPISODE = (
        "duplicate_episode",
        Subject.EPISODE,
        Effect.REJECTED,
        "a second folder contains the same recording: one of them is used",
    )
    MISSING_SURVEY = (
        "missing_survey",
        Subject.EPISODE,
        Effect.MENDED,
        "no survey_result.json: the intent is taken from the table",
    )
    UNREADABLE_SURVEY = (
        "unreadable_survey",
        Subject.EPISODE,
        Effect.MENDED,
        "survey_result.json cannot be read or states no intent: it is taken from the table",
    )
    SURVEY_AGAINST_FOLDER = (
        "survey_against_folder",
        Subject.EPISODE,
        Effect.MENDED,
        "the survey states another user or time than the folder: those of the folder are used",
    )
    SURVEY_AGAINST_TABLE = (
        "survey_against_table",
        Subject.EPISODE,
        Effect.MENDED,
        "the survey states another scenario, app or intent than the table: those of the table are used",
    )
    AMBIGUOUS_TIME = (
        "ambiguous_time",
        Subject.EPISODE,
        Effect.NOTED,
        "a local time that the clocks showed twice: the one nearer to the first screen, else the first",
    )
    MISSING_TIME = (
        "missing_time",
        Subject.EPISODE,
        Effect.NOTED,
        "a local time that the clocks skipped: it is read with the offset before the change",
    )
    FOLDER_SPELLING = (
        "folder_spelling",
        Subject.EPISODE,
        Effect.MENDED,
        "the folder's user or time is spelled in an unusual but unambiguous way",
    )
    EMPTY_FIELD = (
        "empty_field",
        Subject.EPISODE,
        Effect.NOTED,
        "neither the survey nor the table states the scenario or the app",
    )
    MISSING_ACTIONS = (
        "missing_actions",
        Subject.EPISODE,
        Effect.NOTED,
        "no readable action.jsonl: the steps are the screenshots alone",
    )
    LONG_ACTIONS = (
        "long_actions",
        Subject.EPISODE,
        Effect.NOTED,
        "action.jsonl is longer than any recording: the rest is not read",
    )
    STEPS_OUT_OF_ORDER = (
        "steps_out_of_order",
        Subject.EPISODE,
        Effect.NOTED,
        "the times in action.jsonl go backwards: its order is kept",
    )
    NO_SCREENSHOT_FOLDER = (
        "no_screenshot_folder",
        Subject.EPISODE,
        Effect.NOTED,
        "no folder whose name begins with Screenshots",
    )
    SEVERAL_SCREENSHOT_FOLDERS = (
        "several_screenshot_folders",
        Subject.EPISODE,
        Effect.NOTED,
        "more than one folder begins with Screenshots: all are read",
    )
    EPISODE_IN_NO_TABLE = (
        "episode_in_no_table",
        Subject.EPISODE,
        Effect.NOTED,
        "the episode is in none of the tables",
    )
    UNREADABLE_ACTION_LINE = (
        "unreadable_action_line",
        Subject.STEP,
        Effect.NOTED,
        "a line that is not one JSON pair of name and action: the step keeps its place and text",
    )
    UNPARSABLE_ACTION = (
        "unparsable_action",
        Subject.STEP,
        Effect.NOTED,
        "an action outside the grammar: the step keeps its place and text",
    )
    BROKEN_TEXT = (
        "broken_text",
        Subject.FILE,
        Effect.MENDED,
        "text that is not UTF-8: each bad character became U+FFFD",
    )
    REPEATED_STEP_NAME = (
        "repeated_step_name",
        Subject.STEP,
        Effect.NOTED,
        "two lines of action.jsonl have one name: both show the same screen",
    )
    MISSING_SCREENSHOT = (
        "missing_screenshot",
        Subject.STEP,
        Effect.NOTED,
        "a step without screenshot: it keeps its place with a null",
    )
    SCREENSHOT_BY_POSITION = (
        "screenshot_by_position",
        Subject.STEP,
        Effect.MENDED,
        "no screenshot of the step's name: the one at its position is used",
    )
    CORRUPT_SCREENSHOT = (
        "corrupt_screenshot",
        Subject.STEP,
        Effect.NOTED,
        "a screenshot that is truncated, too large, or no JPEG or PNG: null in its place",
    )
    SCREENSHOT_FORMAT = (
        "screenshot_format",
        Subject.STEP,
        Effect.NOTED,
        "a screenshot whose format differs from its file name: it is kept",
    )
    MISSING_TREE = (
        "missing_tree",
        Subject.STEP,
        Effect.NOTED,
        "a step without accessibility tree: it keeps its place with a null",
    )
    BROKEN_TREE = (
        "broken_tree",
        Subject.STEP,
        Effect.NOTED,
        "an accessibility tree that cannot be read: null in its place",
    )
    ACTION_OFF_SCREEN = (
        "action_off_screen",
        Subject.STEP,
        Effect.NOTED,
        "the action's point lies outside its screenshot",
    )
    UNUSED_SCREENSHOT = (
        "unused_screenshot",
        Subject.FILE,
        Effect.NOTED,
        "a screenshot that belongs to no step",
    )
    UNUSED_TREE = ("unused_tree", Subject.FILE, Effect.NOTED, "an accessibility tree that belongs to no step")
    LINK_OUTSIDE = (
        "link_outside",
        Subject.FILE,
        Effect.NOTED,
        "a link that leaves the release: it is not followed",
    )
    UNREADABLE_FILE = (
        "unreadable_file",
        Subject.FILE,
        Effect.NOTED,
        "a folder or file that cannot be opened, or is neither folder nor file: it is left out",
    )
    UNEXPECTED_FILE = (
        "unexpected_file",
        Subject.FILE,
        Effect.NOTED,
        "a file or folder that is not part of the release's layout: it is left out",
    )
    UNREADABLE_TABLE = (
        "unreadable_table",
        Subject.TABLE,
        Effect.REJECTED,
        "a table that cannot be read, or lacks a required column",
    )
    MISSING_COLUMN = (
        "missing_column",
        Subject.TABLE,
        Effect.NOTED,
        "a table without an optional column",
    )
    BAD_ROW = (
        "bad_row",
        Subject.ROW,
        Effect.REJECTED,
        "a row without a user, a time or an intent, or with more or fewer cells than columns",
    )
    CONFLICTING_ROWS = (
        "conflicting_rows",
        Subject.ROW,
        Effect.REJECTED,
        "rows of one key with different content: none is used",
    )
    TRAIN_AND_TEST = (
        "train_and_test",
        Subject.ROW,
        Effect.REJECTED,
        "a row of the training table that a test table has too: it belongs to the test",
    )
    DUPLICATE_ROW = ("duplicate_row", Subject.ROW, Effect.MENDED, "a row that repeats another: one is used")
    TABLES_DISAGREE = (
        "tables_disagree",
        Subject.ROW,
        Effect.MENDED,
        "two tables contradict each other on an episode: the table of the narrower split is used",
    )
    ROW_WITHOUT_EPISODE = (
        "row_without_episode",
        Subject.ROW,
        Effect.NOTED,
        "a table row of an episode that has no folder",
    )
    BAD_AGE = ("bad_age", Subject.USER, Effect.NOTED, "an age that is not a number: it is left unknown")
    MISSING_PROFILE = (
        "missing_profile",
        Subject.USER,
        Effect.NOTED,
        "a user without a row in user_profile.csv",
    )
    UNUSED_PROFILE = ("unused_profile", Subject.USER, Effect.NOTED, "a profile whose user has no episode")
