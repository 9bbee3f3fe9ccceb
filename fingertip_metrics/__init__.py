"""Metrics of FingerTip 20K: pure functions, and a folder with an `evaluate` module for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_metrics.aggregate import GroupMean, Interval, bootstrap_mean, by_group, paired_difference
    from fingertip_metrics.agreement import Kappa, cohen_kappa
    from fingertip_metrics.conventions import Protocol, get_protocol
    from fingertip_metrics.embedders import Embedder, get_embedder
    from fingertip_metrics.execution import Sim2, Sim2Item, Sr2, Sr2Item, sim2, sr2
    from fingertip_metrics.identification import Identification, IdentificationItem, score_identification
    from fingertip_metrics.install import install_modules, path
    from fingertip_metrics.judges import Judge, Verdict, open_judge
    from fingertip_metrics.moment_ceiling import MomentCeiling, moment_ceiling
    from fingertip_metrics.moment_scores import MomentScores, moment_scores
    from fingertip_metrics.published import (
        PublishedRow,
        PublishedTable,
        published_rows,
        published_table,
        published_tables,
    )
    from fingertip_metrics.result_dicts import result_dict
    from fingertip_metrics.several_tries import PassRates, average_tries, pass_at_k, pass_hat_k, pass_rates
    from fingertip_metrics.sim1_score import Sim1, Sim1Item, sim1
    from fingertip_metrics.similarity import sequence_similarity, text_similarity
    from fingertip_metrics.sr1_score import Sr1, Sr1Item, sr1

__all__ = [
    "Embedder",
    "GroupMean",
    "Identification",
    "IdentificationItem",
    "Interval",
    "Judge",
    "Kappa",
    "MomentCeiling",
    "MomentScores",
    "PassRates",
    "Protocol",
    "PublishedRow",
    "PublishedTable",
    "Sim1",
    "Sim1Item",
    "Sim2",
    "Sim2Item",
    "Sr1",
    "Sr1Item",
    "Sr2",
    "Sr2Item",
    "Verdict",
    "average_tries",
    "bootstrap_mean",
    "by_group",
    "cohen_kappa",
    "get_embedder",
    "get_protocol",
    "install_modules",
    "moment_ceiling",
    "moment_scores",
    "open_judge",
    "paired_difference",
    "pass_at_k",
    "pass_hat_k",
    "pass_rates",
    "path",
    "published_rows",
    "published_table",
    "published_tables",
    "result_dict",
    "score_identification",
    "sequence_similarity",
    "sim1",
    "sim2",
    "sr1",
    "sr2",
    "text_similarity",
]

_NAMES: Mapping[str, tuple[str, ...]] = {
    "aggregate": ("GroupMean", "Interval", "bootstrap_mean", "by_group", "paired_difference"),
    "agreement": ("Kappa", "cohen_kappa"),
    "conventions": ("Protocol", "get_protocol"),
    "embedders": ("Embedder", "get_embedder"),
    "execution": ("Sim2", "Sim2Item", "Sr2", "Sr2Item", "sim2", "sr2"),
    "identification": ("Identification", "IdentificationItem", "score_identification"),
    "install": ("install_modules", "path"),
    "judges": ("Judge", "Verdict", "open_judge"),
    "moment_ceiling": ("MomentCeiling", "moment_ceiling"),
    "moment_scores": ("MomentScores", "moment_scores"),
    "published": ("PublishedRow", "PublishedTable", "published_rows", "published_table", "published_tables"),
    "result_dicts": ("result_dict",),
    "several_tries": ("PassRates", "average_tries", "pass_at_k", "pass_hat_k", "pass_rates"),
    "sim1_score": ("Sim1", "Sim1Item", "sim1"),
    "similarity": ("sequence_similarity", "text_similarity"),
    "sr1_score": ("Sr1", "Sr1Item", "sr1"),
}
"""Module -> its public names."""


if not TYPE_CHECKING:  # with a module `__getattr__`, a type checker would accept any name
    __getattr__, __dir__ = lazy_names(__name__)
