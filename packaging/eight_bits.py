"""Whisper's weights in eight bits, as the product computes with them: half the file.

CTranslate2 rounds sixteen-bit weights to eight every time it loads them (`compute_type="int8"`).
Here the same is done once. Only matrices and embeddings are rounded, row by row with one scale
each; convolutions, norms and biases stay as they are.

    python eight_bits.py SOURCE TARGET      (needs numpy)
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from progress import Stopped

_VERSION = 6
_FLOAT32, _INT8, _FLOAT16 = 0, 1, 4
_LARGEST = 127
_SCALE = "_scale"  # after a weight's name


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    shape: tuple[int, ...]
    kind: int
    content: bytes


def convert(source: Path, target: Path) -> None:
    """Write the model of `source` (CTranslate2's model.bin) to `target`; raises `Stopped`."""
    data = source.read_bytes()
    (version,) = struct.unpack_from("<I", data)
    if version != _VERSION:
        raise Stopped(f"{source} has version {version} of CTranslate2's format, not {_VERSION}")
    specification, at = _text(data, 4)
    revision, count = struct.unpack_from("<II", data, at)
    at += 8
    variables: list[_Variable] = []
    for _ in range(count):
        variable, at = _variable(data, at)
        variables += _rounded(variable)
    rounded = {v.name.removesuffix(_SCALE) for v in variables if v.name.endswith(_SCALE)}
    aliases = list(_aliases(data, at))
    aliases += [(name + _SCALE, of + _SCALE) for name, of in aliases if of in rounded]
    parts = [struct.pack("<I", version), _string(specification)]
    parts += [struct.pack("<II", revision, len(variables))]
    for variable in variables:
        dimensions = struct.pack(f"<B{len(variable.shape)}I", len(variable.shape), *variable.shape)
        parts += [_string(variable.name), dimensions]
        parts += [struct.pack("<BI", variable.kind, len(variable.content)), variable.content]
    parts.append(struct.pack("<I", len(aliases)))
    parts += [_string(name) for pair in aliases for name in pair]
    target.write_bytes(b"".join(parts))


def _rounded(variable: _Variable) -> list[_Variable]:
    """A matrix in eight bits and its scales [rows], anything else as it is."""
    matrix = variable.name.endswith("/weight") and len(variable.shape) == 2
    if not matrix or variable.kind != _FLOAT16:
        return [variable]
    weights = np.frombuffer(variable.content, np.float16).reshape(variable.shape)
    wide = weights.astype(np.float32)
    largest = np.abs(wide).max(axis=1)
    scale = np.float32(_LARGEST) / np.where(largest == 0, np.float32(_LARGEST), largest)
    whole = np.rint(wide * scale[:, None]).astype(np.int8)
    return [
        replace(variable, kind=_INT8, content=whole.tobytes()),
        _Variable(variable.name + _SCALE, scale.shape, _FLOAT32, scale.tobytes()),
    ]


def _variable(data: bytes, at: int) -> tuple[_Variable, int]:
    name, at = _text(data, at)
    rank = data[at]
    shape = struct.unpack_from(f"<{rank}I", data, at + 1)
    kind, size = struct.unpack_from("<BI", data, at + 1 + 4 * rank)
    at += 6 + 4 * rank
    return _Variable(name, shape, kind, data[at : at + size]), at + size


def _aliases(data: bytes, at: int) -> Iterator[tuple[str, str]]:
    (count,) = struct.unpack_from("<I", data, at)
    at += 4
    for _ in range(count):
        name, at = _text(data, at)
        of, at = _text(data, at)
        yield name, of


def _text(data: bytes, at: int) -> tuple[str, int]:
    (length,) = struct.unpack_from("<H", data, at)
    return data[at + 2 : at + 1 + length].decode(), at + 2 + length


def _string(text: str) -> bytes:
    content = text.encode() + b"\0"
    return struct.pack("<H", len(content)) + content


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
