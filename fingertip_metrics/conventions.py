"""Where the paper's formulas and the authors' script differ: one constant for each difference.

"Paper" is arXiv 2507.21071, section 5.1; "release" is the authors' script of the public release. The
published figures fit the release (Sim_2 of 0.93 to 1.42 is what its rounded ratio gives, true Levenshtein
gives more), so `release` is the default, and only its results are comparable with the paper's tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from fingertip_dataset.errors import UsageError

CITATION = """\
@misc{yang2025fingertip,
  title = {FingerTip 20K: A Benchmark for Proactive and Personalized Mobile LLM Agents},
  author = {Qinglong Yang and Haoming Li and Haotian Zhao and Xiaokai Yan and Jingtao Ding and Fengli Xu
            and Yong Li},
  year = {2025},
  eprint = {2507.21071},
  archivePrefix = {arXiv}
}
"""
"""The paper, in BibTeX."""

ProtocolName = Literal["release", "paper"]
"""How a score is computed: as by the authors' script, or by the paper's formulas."""

Spelling = Literal["written", "canonical"]
"""In which spelling the action strings of Sim_2 are compared."""

SPELLINGS: tuple[str, ...] = get_args(Spelling)

OFFICIAL_EMBEDDER = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
"""The sentence embeddings of Sim_1. Paper 5.1 and release agree."""

CosineRange = Literal["raw", "clipped"]
"""Where the cosine of Sim_1 lies: "raw" from -1 to 1, "clipped" from 0 to 1, a negative one being 0."""

RELEASE_COSINE: CosineRange = "raw"
"""Release: the cosine as it is, so that Sim_1 reaches from -0.5 to 1."""

PAPER_COSINE: CosineRange = "clipped"
"""Paper 5.1: both similarities lie in [0, 1], without saying how. We clip: (1 + cosine) / 2 would give
unrelated sentences 0.5, and the published Sim_1 of 0.12 could not be."""

ACTION_SEPARATOR = "\uff0c"
"""Release: U+FF0C joins the actions of a sequence into one string. The paper names no separator."""

RELEASE_AGENT_TERMINATOR = "\uff0c"
"""Release: each action of the agent is followed by the separator, the last one too; not so the person's."""

PAPER_AGENT_TERMINATOR = ""
"""Paper: both sequences are written alike."""

RELEASE_SIMILARITY = "release"
"""Release: `fuzzywuzzy.fuzz.ratio(a, b) / 100`, an Indel similarity that calls itself Levenshtein. Which
backend fuzzywuzzy had is not said; the published figures fit python-Levenshtein, which
`round(rapidfuzz.fuzz.ratio)` equals to the digit."""

PAPER_SIMILARITY = "levenshtein"
"""Paper 5.1: normalized Levenshtein similarity, 1 - distance / length of the longer one."""

RELEASE_SIM1_DECIMALS = 2
"""Release: Sim_1 of an episode is rounded to two decimals. The ratio in it is a whole percentage already, the
cosine is not rounded, and no mean is."""

PAPER_SIM1_DECIMALS = None
"""Paper: no rounding."""

RELEASE_S_II_OF_ZERO = 0.4
"""Release: an S_II of 0 is replaced by 0.4 before Sim_2 = S_I / S_II is taken."""

PAPER_S_II_OF_ZERO = None
"""Paper: says nothing; a quotient by 0 is undefined, and counted."""

RELEASE_NO_OTHER_TYPE = 0.4
"""Release: where a task has no sequence of another type, S_II is the similarity with an empty text: 0, and so
replaced by 0.4, too. Sim_2 is then S_I / 0.4. Such tasks are counted."""

PAPER_NO_OTHER_TYPE = None
"""Paper: says nothing; without anybody to compare with Sim_2 is undefined, and counted."""

RELEASE_SPELLING: Spelling = "written"
"""Release: action strings are compared as the agent and the release wrote them, so that a model that writes
`(336,1267)` without the space loses a character of each click."""

PAPER_SPELLING: Spelling = "canonical"
"""Paper: says nothing; two spellings of one action are the same action: each is brought into the canonical
spelling (`fingertip_dataset.actions.canonical`) first, and what is no action is compared as written."""

STEP_LIMIT = 2.5
"""Paper 5.1 and release: an agent is stopped at 2.5 x the person's steps; a step is a line of action.jsonl,
`finished()` included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """One way to take the scores: the constants of this module that belong together.

    Attributes:
        name: "release" or "paper".
        similarity: Method of `text_similarity`.
        agent_terminator: What follows the last action of the agent's string.
        sim1_decimals: Decimals of Sim_1 of an episode; None for no rounding.
        s_ii_of_zero: Stands in for an S_II of 0; None where the quotient is then undefined.
        no_other_type: Stands in for S_II where there is no sequence of another type; None where the quotient
            is then undefined.
        spelling: One of `SPELLINGS`: whether action strings are compared as they are "written", or in the
            "canonical" spelling.
        cosine: Where the cosine of Sim_1 lies.
    """

    name: ProtocolName
    similarity: str
    agent_terminator: str
    sim1_decimals: int | None
    s_ii_of_zero: float | None
    no_other_type: float | None
    spelling: Spelling
    cosine: CosineRange


RELEASE = Protocol(
    name="release",
    similarity=RELEASE_SIMILARITY,
    agent_terminator=RELEASE_AGENT_TERMINATOR,
    sim1_decimals=RELEASE_SIM1_DECIMALS,
    s_ii_of_zero=RELEASE_S_II_OF_ZERO,
    no_other_type=RELEASE_NO_OTHER_TYPE,
    spelling=RELEASE_SPELLING,
    cosine=RELEASE_COSINE,
)
"""As the authors' script scores."""

PAPER = Protocol(
    name="paper",
    similarity=PAPER_SIMILARITY,
    agent_terminator=PAPER_AGENT_TERMINATOR,
    sim1_decimals=PAPER_SIM1_DECIMALS,
    s_ii_of_zero=PAPER_S_II_OF_ZERO,
    no_other_type=PAPER_NO_OTHER_TYPE,
    spelling=PAPER_SPELLING,
    cosine=PAPER_COSINE,
)
"""By the paper's formulas."""


def get_protocol(name: str) -> Protocol:
    """The protocol of that name.

    Raises:
        UsageError: There is none.

    >>> get_protocol("release").s_ii_of_zero, get_protocol("paper").s_ii_of_zero
    (0.4, None)
    """
    for protocol in (RELEASE, PAPER):
        if protocol.name == name:
            return protocol
    raise UsageError(f"expected protocol {' or '.join(get_args(ProtocolName))}, got {name!r}")


def cosine_in_range(cosine: float, where: CosineRange) -> float:
    """The cosine as a protocol takes it.

    Args:
        cosine: -1 to 1; rounding may have put it a last digit outside.
        where: "raw" leaves it, "clipped" brings it into 0-1.

    >>> cosine_in_range(-0.25, "clipped"), cosine_in_range(-0.25, "raw"), cosine_in_range(0.5, "clipped")
    (0.0, -0.25, 0.5)
    """
    return cosine if where == "raw" else min(1.0, max(0.0, cosine))


def why_not_comparable(protocol: Protocol, similarity: str, spelling: str | None = None) -> str | None:
    """Why scores taken so cannot stand next to the paper's tables; None where they can.

    Args:
        protocol: As used.
        similarity: Method of `text_similarity` or `sequence_similarity`, as used.
        spelling: Spelling of action strings, as used; None for the protocol's own.

    >>> why_not_comparable(RELEASE, "tokens")
    "similarity tokens: the published figures fit the release's own ratio"
    """
    if protocol.name != "release":
        return f"protocol {protocol.name}: the published figures fit the release's script"
    if similarity != RELEASE_SIMILARITY:
        return f"similarity {similarity}: the published figures fit the release's own ratio"
    if spelling not in (None, RELEASE_SPELLING):
        return f"spelling {spelling}: the release's script compares the action strings as they are written"
    return None
