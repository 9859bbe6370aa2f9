"""ONNX files of a Voice Activity Projection's signature, written byte by byte.

The network answers for each frame with the sigmoid of how loud its samples are, weighted, over
all channels: enough to see which sound reached which frame.
"""

from __future__ import annotations

import struct
from pathlib import Path

FLOAT = 1


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    content = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _ints(name: str, *values: int) -> bytes:
    return _bytes(1, name) + b"".join(_number(8, value) for value in values) + _number(20, 7)


def _int(name: str, value: int) -> bytes:
    return _bytes(1, name) + _number(3, value) + _number(20, 2)


def _node(kind: str, inputs: list[str], output: str, *attributes: bytes) -> bytes:
    return (
        b"".join(_bytes(1, name) for name in inputs)
        + _bytes(2, output)
        + _bytes(4, kind)
        + b"".join(_bytes(5, attribute) for attribute in attributes)
    )


def _tensor(name: str, value: float) -> bytes:
    return _number(2, FLOAT) + _bytes(8, name) + _bytes(9, struct.pack("<f", value))


def _info(name: str, shape: tuple[int | str, ...]) -> bytes:
    dimensions = b"".join(
        _bytes(1, _number(1, size) if isinstance(size, int) else _bytes(2, size)) for size in shape
    )
    tensor = _number(1, FLOAT) + _bytes(2, dimensions)
    return _bytes(1, name) + _bytes(2, _bytes(1, tensor))


def write(
    path: Path,
    *,
    channels: int,
    samples: int,
    stride: int,
    now: float,
    future: float,
    squash: bool = True,
    unused: str = "",
) -> Path:
    """[1, channels, samples] → p_now, p_future [1, samples / stride], σ(weight x loudness).

    `now` and `future` are the weights; without `squash` the outputs are no probabilities;
    `unused` names a second input.
    """
    last = "Sigmoid" if squash else "Identity"
    nodes = [
        _node("Abs", ["audio"], "level"),
        _node(
            "AveragePool",
            ["level"],
            "pooled",
            _ints("kernel_shape", stride),
            _ints("strides", stride),
        ),
        _node("ReduceMean", ["pooled"], "loud", _ints("axes", 1), _int("keepdims", 0)),
    ]
    for output, weight in (("p_now", "w_now"), ("p_future", "w_future")):
        nodes.append(_node("Mul", ["loud", weight], f"{output}_logit"))
        nodes.append(_node(last, [f"{output}_logit"], output))
    frames = samples // stride
    inputs = ("audio", unused) if unused else ("audio",)
    graph = (
        b"".join(_bytes(1, node) for node in nodes)
        + _bytes(2, "vap")
        + _bytes(5, _tensor("w_now", now))
        + _bytes(5, _tensor("w_future", future))
        + b"".join(_bytes(11, _info(name, (1, channels, samples))) for name in inputs)
        + b"".join(_bytes(12, _info(name, (1, frames))) for name in ("p_now", "p_future"))
    )
    opset = _bytes(1, "") + _number(2, 13)
    path.write_bytes(_number(1, 8) + _bytes(7, graph) + _bytes(8, opset))
    return path
