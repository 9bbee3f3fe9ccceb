"""Differences between the paper's formulas and the authors' script, one constant each.

"Paper" is arXiv 2507.21071, section 5.1; "release" is the authors' script of the public release. The
published figures fit the release (Sim_2 of 0.93 to 1.42 is what its rounded ratio gives; true Levenshtein
similarity gives higher values), so `release` is the default, and only its results are comparable with the
paper's tables.
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
"""BibTeX entry of the paper."""

ProtocolName = Literal["release", "paper"]
"""Scoring protocol: the authors' script ("release") or the paper's formulas ("paper")."""

Spelling = Literal["written", "canonical"]
"""Spelling in which the action strings of Sim_2 are compared."""

SPELLINGS: tuple[str, ...] = get_args(Spelling)

Outputs = Literal["all", "performed"]
"""Outputs of the agent that Sim_2 of a run counts: all, or those that were carried out as actions."""

OFFICIAL_EMBEDDER = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
"""Sentence-embedding model of Sim_1; paper 5.1 and release agree."""

CosineRange = Literal["raw", "clipped"]
"""Range of the cosine of Sim_1: "raw" is -1 to 1; "clipped" is 0 to 1, with negative values set to 0."""

RELEASE_COSINE: CosineRange = "raw"
"""Release: the raw cosine, so Sim_1 ranges from -0.5 to 1."""

PAPER_COSINE: CosineRange = "clipped"
"""Paper 5.1: both similarities lie in [0, 1]; the mapping is not given. We clip, because (1 + cosine) / 2
would give unrelated sentences 0.5 and rule out the published Sim_1 of 0.12."""

ACTION_SEPARATOR = "\uff0c"
"""Release: U+FF0C joins the actions of a sequence into one string. The paper names no separator."""

RELEASE_AGENT_TERMINATOR = "\uff0c"
"""Release: the separator follows every action of the agent, the last one included; the person's sequence has
no trailing separator."""

PAPER_AGENT_TERMINATOR = ""
"""Paper: both sequences are joined in the same form, without a trailing separator."""

RELEASE_SIMILARITY = "release"
"""Release: `fuzzywuzzy.fuzz.ratio(a, b) / 100`, an Indel similarity that the script names Levenshtein. The
backend of fuzzywuzzy is not documented; the published figures fit python-Levenshtein, which
`round(rapidfuzz.fuzz.ratio)` equals to the digit."""

PAPER_SIMILARITY = "levenshtein"
"""Paper 5.1: normalized Levenshtein similarity, 1 - distance / length of the longer one."""

RELEASE_SIM1_DECIMALS = 2
"""Release: Sim_1 of an episode is rounded to two decimals. Its text ratio is a whole percentage already; the
cosine and all means are not rounded."""

PAPER_SIM1_DECIMALS = None
"""Paper: no rounding."""

RELEASE_S_II_OF_ZERO = 0.4
"""Release: an S_II of 0 is replaced by 0.4 before Sim_2 = S_I / S_II is computed."""

PAPER_S_II_OF_ZERO = None
"""Paper: not specified, and there is no quotient for an S_II of 0. Sim_2 of such an episode is 0, and these
episodes are counted: an agent decides by its own output whether S_II is 0, and must not be able to take an
episode out of the mean. Only an empty sequence or text that is no action gets there, because any two actions
share their brackets."""

RELEASE_NO_OTHER_TYPE = 0.4
"""Release: for a task without a sequence of another user type, S_II is the similarity with an empty text, 0,
which is replaced by 0.4, so Sim_2 is S_I / 0.4. Such tasks are counted."""

PAPER_NO_OTHER_TYPE = None
"""Paper: not specified; without a sequence of another user type Sim_2 is undefined, and such tasks are
counted."""

RELEASE_SPELLING: Spelling = "written"
"""Release: action strings are compared as the agent and the release wrote them, so a model that writes
`(336,1267)` without the space loses one character per click."""

PAPER_SPELLING: Spelling = "canonical"
"""Paper: not specified; we treat two spellings of an action as equal. Each is converted to the canonical
spelling first (`fingertip_dataset.actions.canonical`); a string that is no action is compared as written. The
answer of a `finished(content='...')`, which is no action of the paper's, is left out."""

RELEASE_OUTPUTS: Outputs = "all"
"""Release: every output of the agent counts in Sim_2 as it was written, as in the step ratio, whatever the
phone did with it."""

PAPER_OUTPUTS: Outputs = "performed"
"""Paper: Sim_2 is of the agent's action sequence; text that no field took, or an action that the safety gate
denied, was not made and is left out. The step ratio counts it all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """Scoring protocol: one choice for each constant of this module.

    Attributes:
        name: "release" or "paper".
        similarity: Method of `text_similarity`.
        agent_terminator: Text appended after the last action of the agent's string.
        sim1_decimals: Decimals of Sim_1 of an episode; None for no rounding.
        s_ii_of_zero: Replacement for an S_II of 0; None if Sim_2 is then 0.
        no_other_type: Replacement for S_II without a sequence of another user type; None if the quotient is
            then undefined.
        spelling: Spelling in which action strings are compared: "written" (unchanged) or "canonical".
        cosine: Range of the cosine of Sim_1.
        outputs: Outputs of a run that Sim_2 counts: "all", or those that were "performed".
    """

    name: ProtocolName
    similarity: str
    agent_terminator: str
    sim1_decimals: int | None
    s_ii_of_zero: float | None
    no_other_type: float | None
    spelling: Spelling
    cosine: CosineRange
    outputs: Outputs


RELEASE = Protocol(
    name="release",
    similarity=RELEASE_SIMILARITY,
    agent_terminator=RELEASE_AGENT_TERMINATOR,
    sim1_decimals=RELEASE_SIM1_DECIMALS,
    s_ii_of_zero=RELEASE_S_II_OF_ZERO,
    no_other_type=RELEASE_NO_OTHER_TYPE,
    spelling=RELEASE_SPELLING,
    cosine=RELEASE_COSINE,
    outputs=RELEASE_OUTPUTS,
)
"""Protocol of the authors' script."""

PAPER = Protocol(
    name="paper",
    similarity=PAPER_SIMILARITY,
    agent_terminator=PAPER_AGENT_TERMINATOR,
    sim1_decimals=PAPER_SIM1_DECIMALS,
    s_ii_of_zero=PAPER_S_II_OF_ZERO,
    no_other_type=PAPER_NO_OTHER_TYPE,
    spelling=PAPER_SPELLING,
    cosine=PAPER_COSINE,
    outputs=PAPER_OUTPUTS,
)
"""Protocol of the paper's formulas."""


def get_protocol(name: str) -> Protocol:
    """Return the protocol with this name.

    Raises:
        UsageError: Unknown name.

    >>> get_protocol("release").s_ii_of_zero, get_protocol("paper").s_ii_of_zero
    (0.4, None)
    """
    for protocol in (RELEASE, PAPER):
        if protocol.name == name:
            return protocol
    raise UsageError(f"expected protocol {' or '.join(get_args(ProtocolName))}, got {name!r}")


def cosine_in_range(cosine: float, where: CosineRange) -> float:
    """Bring a cosine into a protocol's range.

    Args:
        cosine: Cosine, -1 to 1 up to rounding.
        where: "raw" returns it unchanged, "clipped" limits it to 0-1.

    >>> cosine_in_range(-0.25, "clipped"), cosine_in_range(-0.25, "raw"), cosine_in_range(0.5, "clipped")
    (0.0, -0.25, 0.5)
    """
    return cosine if where == "raw" else min(1.0, max(0.0, cosine))


def why_not_comparable(protocol: Protocol, similarity: str, spelling: str | None = None) -> str | None:
    """Reason why scores with these settings are not comparable with the paper's tables; None if they are.

    Args:
        protocol: Protocol of the scores.
        similarity: Method of `text_similarity` or `sequence_similarity`.
        spelling: Spelling of the action strings; None for the protocol's own.

    >>> why_not_comparable(RELEASE, "tokens")
    "similarity tokens: the paper's numbers fit the one of the authors' script"
    """
    if protocol.name != "release":
        return f"protocol {protocol.name}: the paper's numbers fit protocol release, the authors' script"
    if similarity != RELEASE_SIMILARITY:
        return f"similarity {similarity}: the paper's numbers fit the one of the authors' script"
    if spelling not in (None, RELEASE_SPELLING):
        return f"spelling {spelling}: the authors' script compares actions as they are written"
    return None
