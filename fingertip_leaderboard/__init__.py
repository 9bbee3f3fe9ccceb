"""Submissions: bundles, their checks, the ranking, the Hub, the Space's page."""

from __future__ import annotations

from fingertip_leaderboard.bundle.make import make_bundle
from fingertip_leaderboard.bundle.refusal import Refusal, RefusalKind
from fingertip_leaderboard.bundle.schema import AgentCard, Bundle
from fingertip_leaderboard.verify.verify_bundle import VerifyReport, verify_bundle, verify_bundles

__all__ = [
    "AgentCard",
    "Bundle",
    "Refusal",
    "RefusalKind",
    "VerifyReport",
    "make_bundle",
    "verify_bundle",
    "verify_bundles",
]
