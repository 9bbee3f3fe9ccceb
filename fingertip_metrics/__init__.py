"""The scores of FingerTip 20K: pure functions, and one `evaluate` module folder a metric around them."""

from fingertip_metrics.aggregate import GroupMean, Interval, bootstrap_mean, by_group
from fingertip_metrics.agreement import Kappa, cohen_kappa
from fingertip_metrics.conventions import Protocol, get_protocol
from fingertip_metrics.embedders import Embedder, get_embedder
from fingertip_metrics.execution import Sim2, Sim2Item, Sr2, Sr2Item, sim2, sr2
from fingertip_metrics.install import install_modules, path
from fingertip_metrics.published import (
    PublishedRow,
    PublishedTable,
    published_rows,
    published_table,
    published_tables,
)
from fingertip_metrics.result_dict import result_dict
from fingertip_metrics.sim1 import Sim1, Sim1Item, sim1
from fingertip_metrics.similarity import sequence_similarity, text_similarity
from fingertip_metrics.sr1 import Sr1, Sr1Item, sr1

__all__ = [
    "Embedder",
    "GroupMean",
    "Interval",
    "Kappa",
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
    "bootstrap_mean",
    "by_group",
    "cohen_kappa",
    "get_embedder",
    "get_protocol",
    "install_modules",
    "path",
    "published_rows",
    "published_table",
    "published_tables",
    "result_dict",
    "sequence_similarity",
    "sim1",
    "sim2",
    "sr1",
    "sr2",
    "text_similarity",
]
