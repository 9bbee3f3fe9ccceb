"""Leaderboard: submission bundles, their verification, the ranking, the Hub and the Space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_leaderboard.bundle.make import make_bundle
    from fingertip_leaderboard.bundle.refusal import Refusal, RefusalKind
    from fingertip_leaderboard.bundle.schema import AgentCard, Bundle
    from fingertip_leaderboard.hub.eval_results import benchmark_yaml
    from fingertip_leaderboard.verify.verify_bundle import verify_bundle, verify_bundles
    from fingertip_leaderboard.verify.verify_report import VerifyReport

__all__ = [
    "AgentCard",
    "Bundle",
    "Refusal",
    "RefusalKind",
    "VerifyReport",
    "benchmark_yaml",
    "make_bundle",
    "verify_bundle",
    "verify_bundles",
]

_ALIASES = {"Kind": "RefusalKind"}
"""Names of earlier versions."""

if not TYPE_CHECKING:  # a type checker would accept any name from a module-level __getattr__
    __getattr__, __dir__ = lazy_names(__name__, aliases=_ALIASES)
