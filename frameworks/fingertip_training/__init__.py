"""Fine-tuning: samples of both tracks as rows for training frameworks, and the training itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_training.export_check import ExportCheck, check_export, token_counter
    from fingertip_training.export_order import ExportOrder
    from fingertip_training.export_record import ExportedSplit, ExportRecord
    from fingertip_training.sample_export import export_samples

__all__ = [
    "ExportCheck",
    "ExportOrder",
    "ExportRecord",
    "ExportedSplit",
    "check_export",
    "export_samples",
    "token_counter",
]


if not TYPE_CHECKING:  # with a module `__getattr__`, a type checker would accept any name
    __getattr__, __dir__ = lazy_names(__name__)
