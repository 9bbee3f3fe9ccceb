"""Processes that train one model together, started by torchrun or `accelerate launch`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import timedelta

HOURS_TO_WAIT = 8
"""Hours that processes wait for each other: the first may export a whole dataset meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Processes:
    """The processes of this training.

    Attributes:
        count: Number of processes.
        rank: Number of this process, from 0; the first writes all files.
    """

    count: int = 1
    rank: int = 0

    @classmethod
    def current(cls) -> Processes:
        """The processes of which this one is part, by the launcher's environment variables."""
        return cls(count=int(os.environ.get("WORLD_SIZE", "1")), rank=int(os.environ.get("RANK", "0")))

    @property
    def is_first(self) -> bool:
        """Whether this process writes the files."""
        return self.rank == 0

    def wait(self) -> None:
        """Wait until all processes are here."""
        if self.count == 1:
            return
        import torch
        from accelerate import PartialState

        gpu = torch.cuda.is_available()
        backend = "nccl" if gpu else "gloo"
        state = PartialState(cpu=not gpu, backend=backend, timeout=timedelta(hours=HOURS_TO_WAIT))
        state.wait_for_everyone()

    def end(self) -> None:
        """Leave the group: what follows is done by the first process alone."""
        if self.count == 1:
            return
        import torch.distributed as group

        if group.is_initialized():
            group.barrier()
            group.destroy_process_group()
