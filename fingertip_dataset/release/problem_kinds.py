"""Kinds of defects of a raw release, each with its name, its effect and its meaning.

No defect stops the reading. An unusable episode, row or table is left out ("rejected"), an unambiguous defect
is corrected ("mended"), and everything else stays unchanged ("noted").
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, auto


class Subject(StrEnum):
    """The thing that one problem of a kind counts."""

    EPISODE = "episode"
    STEP = "step"
    FILE = "file"
    TABLE = "table"
    ROW = "row"
    USER = "user"
    MOMENT = "moment"


class Effect(StrEnum):
    """Treatment of the subject of a problem by the reader."""

    REJECTED = "rejected"
    MENDED = "mended"
    NOTED = "noted"


class ProblemKind(StrEnum):
    """Kind of a defect; the value is its name in lower case. Reports count the kinds in this order."""

    NO_INTENT = auto()
    BAD_FOLDER_NAME = auto()
    EPISODE_OUTSIDE = auto()
    CONFLICTING_EPISODES = auto()
    DUPLICATE_EPISODE = auto()
    MISSING_SURVEY = auto()
    UNREADABLE_SURVEY = auto()
    SURVEY_AGAINST_FOLDER = auto()
    SURVEY_AGAINST_TABLE = auto()
    UNCLEAR_PROVENANCE = auto()
    UNKNOWN_LICENCE = auto()
    AMBIGUOUS_TIME = auto()
    MISSING_TIME = auto()
    IMPOSSIBLE_TIME = auto()
    FOLDER_SPELLING = auto()
    EMPTY_FIELD = auto()
    MISSING_ACTIONS = auto()
    LONG_ACTIONS = auto()
    STEPS_OUT_OF_ORDER = auto()
    NO_SCREENSHOT_FOLDER = auto()
    SEVERAL_SCREENSHOT_FOLDERS = auto()
    EPISODE_IN_NO_TABLE = auto()
    UNREADABLE_ACTION_LINE = auto()
    UNPARSABLE_ACTION = auto()
    ACTION_SPELLING = auto()
    BROKEN_TEXT = auto()
    REPEATED_STEP_NAME = auto()
    MISSING_SCREENSHOT = auto()
    SCREENSHOT_BY_POSITION = auto()
    CORRUPT_SCREENSHOT = auto()
    SCREENSHOT_FORMAT = auto()
    ROTATED_SCREENSHOT = auto()
    CMYK_SCREENSHOT = auto()
    GREY_SCREENSHOT = auto()
    SIXTEEN_BIT_SCREENSHOT = auto()
    PICTURE_METADATA = auto()
    MISSING_TREE = auto()
    BROKEN_TREE = auto()
    MENDED_TREE = auto()
    ACTION_OFF_SCREEN = auto()
    UNUSED_SCREENSHOT = auto()
    UNUSED_TREE = auto()
    LINK_OUTSIDE = auto()
    UNREADABLE_FILE = auto()
    UNEXPECTED_FILE = auto()
    UNREADABLE_TABLE = auto()
    MISSING_TABLE = auto()
    MISSING_COLUMN = auto()
    BAD_ROW = auto()
    CONFLICTING_ROWS = auto()
    TRAIN_AND_TEST = auto()
    TRAIN_AND_VALI = auto()
    VALI_AND_TEST = auto()
    DUPLICATE_ROW = auto()
    TABLES_DISAGREE = auto()
    ROW_WITHOUT_EPISODE = auto()
    BAD_AGE = auto()
    MISSING_PROFILE = auto()
    UNUSED_PROFILE = auto()
    UNREADABLE_MOMENTS = auto()
    BAD_MOMENT = auto()

    @property
    def subject(self) -> Subject:
        """The thing that one problem of this kind counts."""
        return _TRAITS[self][0]

    @property
    def effect(self) -> Effect:
        """Treatment of that thing by the reader."""
        return _TRAITS[self][1]

    @property
    def meaning(self) -> str:
        """Explanation in one line."""
        return _TRAITS[self][2]


_MEANINGS: Mapping[Subject, Mapping[Effect, Mapping[ProblemKind, str]]] = {
    Subject.EPISODE: {
        Effect.REJECTED: {
            ProblemKind.NO_INTENT: "neither a readable survey nor a table row states the intent",
            ProblemKind.BAD_FOLDER_NAME: "the episode's folder is not named YYYYMMDD_HHMMSS",
            ProblemKind.EPISODE_OUTSIDE: "the episode's folder is a link that leaves the release",
            ProblemKind.CONFLICTING_EPISODES: "two folders of one user and time contain different "
            "recordings: neither is used",
            ProblemKind.DUPLICATE_EPISODE: "a second folder contains the same recording: one of them is used",
        },
        Effect.MENDED: {
            ProblemKind.MISSING_SURVEY: "no survey_result.json: the intent is taken from the table",
            ProblemKind.UNREADABLE_SURVEY: "survey_result.json cannot be read or states no intent: it is "
            "taken from the table",
            ProblemKind.SURVEY_AGAINST_FOLDER: "the survey states another user or time than the folder: "
            "those of the folder are used",
            ProblemKind.SURVEY_AGAINST_TABLE: "the survey states another scenario, app or intent than the "
            "table: those of the table are used",
            ProblemKind.FOLDER_SPELLING: "the folder's user or time is spelled in an unusual but "
            "unambiguous way",
        },
        Effect.NOTED: {
            ProblemKind.UNCLEAR_PROVENANCE: "a provenance that is not understood, or against signs of "
            "simulation: never read as recorded",
            ProblemKind.UNKNOWN_LICENCE: "a licence that is none the Hub knows: it counts as not stated",
            ProblemKind.AMBIGUOUS_TIME: "a local time that the clocks showed twice: the one nearer to the "
            "first screen, else the first",
            ProblemKind.MISSING_TIME: "a local time that the clocks skipped: it is read with the offset "
            "before the change",
            ProblemKind.IMPOSSIBLE_TIME: "a time before Android's first phone, in 2008, or after "
            "next year: it is kept",
            ProblemKind.EMPTY_FIELD: "neither the survey nor the table states the scenario or the app",
            ProblemKind.MISSING_ACTIONS: "no readable action.jsonl: the steps are the screenshots alone",
            ProblemKind.LONG_ACTIONS: "action.jsonl is longer than any recording: the rest is not read",
            ProblemKind.STEPS_OUT_OF_ORDER: "the times in action.jsonl go backwards: its order is kept",
            ProblemKind.NO_SCREENSHOT_FOLDER: "no folder whose name begins with Screenshots",
            ProblemKind.SEVERAL_SCREENSHOT_FOLDERS: "more than one folder begins with Screenshots: all are "
            "read",
            ProblemKind.EPISODE_IN_NO_TABLE: "the episode is in none of the tables",
        },
    },
    Subject.STEP: {
        Effect.MENDED: {
            ProblemKind.SCREENSHOT_BY_POSITION: "no screenshot of the step's name: the one at its position "
            "is used",
            ProblemKind.ACTION_SPELLING: "coordinates in full-width digits: they are read as plain ones",
            ProblemKind.MENDED_TREE: "a tree with characters that XML refuses: halves are joined, others "
            "became U+FFFD",
        },
        Effect.NOTED: {
            ProblemKind.UNREADABLE_ACTION_LINE: "a line that is not one JSON pair of name and action: the "
            "step keeps its place and text",
            ProblemKind.UNPARSABLE_ACTION: "an action outside the grammar: the step keeps its place and text",
            ProblemKind.REPEATED_STEP_NAME: "two lines of action.jsonl have one name: both show the same "
            "screen",
            ProblemKind.MISSING_SCREENSHOT: "a step without screenshot: it keeps its place with a null",
            ProblemKind.CORRUPT_SCREENSHOT: "a screenshot that is truncated, too large, or no JPEG or PNG: "
            "null in its place",
            ProblemKind.SCREENSHOT_FORMAT: "a screenshot whose format differs from its file name: it is kept",
            ProblemKind.ROTATED_SCREENSHOT: "a screenshot stored turned or mirrored, with an orientation: "
            "kept, and read upright",
            ProblemKind.CMYK_SCREENSHOT: "a screenshot in the four colours of print: kept, and read as RGB",
            ProblemKind.GREY_SCREENSHOT: "a screenshot without colours: kept, and read as RGB",
            ProblemKind.SIXTEEN_BIT_SCREENSHOT: "a screenshot with 16 bits a colour: kept, and the upper "
            "eight are read",
            ProblemKind.PICTURE_METADATA: "EXIF data, a preview or texts in a screenshot's file: left out "
            "without --keep-metadata",
            ProblemKind.MISSING_TREE: "a step without accessibility tree: it keeps its place with a null",
            ProblemKind.BROKEN_TREE: "an accessibility tree that cannot be read: null in its place",
            ProblemKind.ACTION_OFF_SCREEN: "the action's point lies outside its screenshot",
        },
    },
    Subject.FILE: {
        Effect.MENDED: {
            ProblemKind.BROKEN_TEXT: "text that is not UTF-8: each bad character became U+FFFD",
        },
        Effect.NOTED: {
            ProblemKind.UNUSED_SCREENSHOT: "a screenshot that belongs to no step",
            ProblemKind.UNUSED_TREE: "an accessibility tree that belongs to no step",
            ProblemKind.LINK_OUTSIDE: "a link that leaves the release: it is not followed",
            ProblemKind.UNREADABLE_FILE: "a folder or file that cannot be opened, or is neither folder nor "
            "file: it is left out",
            ProblemKind.UNEXPECTED_FILE: "a file or folder that is not part of the release's layout: it is "
            "left out",
        },
    },
    Subject.TABLE: {
        Effect.REJECTED: {
            ProblemKind.UNREADABLE_TABLE: "a table that cannot be read, or lacks a required column",
        },
        Effect.NOTED: {
            ProblemKind.MISSING_TABLE: "an index table that is missing: its split is empty, or its facts are "
            "unknown",
            ProblemKind.MISSING_COLUMN: "a table without an optional column",
        },
    },
    Subject.ROW: {
        Effect.REJECTED: {
            ProblemKind.BAD_ROW: "a row without a user, a time or an intent, or with more or fewer cells "
            "than columns",
            ProblemKind.CONFLICTING_ROWS: "rows of one key with different content: none is used",
            ProblemKind.TRAIN_AND_TEST: "a row of the training table that a test table has too: it belongs "
            "to the test",
            ProblemKind.TRAIN_AND_VALI: "a row of the training table that vali.csv has too: it belongs to "
            "vali",
            ProblemKind.VALI_AND_TEST: "a row of vali.csv that a test table has too: it belongs to the test",
        },
        Effect.MENDED: {
            ProblemKind.DUPLICATE_ROW: "a row that repeats another: one is used",
            ProblemKind.TABLES_DISAGREE: "two tables contradict each other on an episode: the table of the "
            "narrower split is used",
        },
        Effect.NOTED: {
            ProblemKind.ROW_WITHOUT_EPISODE: "a table row of an episode that has no folder",
        },
    },
    Subject.USER: {
        Effect.NOTED: {
            ProblemKind.BAD_AGE: "an age that is not a number: it is left unknown",
            ProblemKind.MISSING_PROFILE: "a user without a row in user_profile.csv",
            ProblemKind.UNUSED_PROFILE: "a profile whose user has no episode",
        },
    },
    Subject.MOMENT: {
        Effect.REJECTED: {
            ProblemKind.UNREADABLE_MOMENTS: "a moments.jsonl that cannot be read, or lies among recordings: "
            "none of its moments is used",
            ProblemKind.BAD_MOMENT: "a line of moments.jsonl that is not valid, repeats a time or names no "
            "episode of the release",
        },
    },
}
"""Subject -> effect -> kind -> its explanation in one line."""

_TRAITS = {
    kind: (subject, effect, meaning)
    for subject, effects in _MEANINGS.items()
    for effect, meanings in effects.items()
    for kind, meaning in meanings.items()
}
