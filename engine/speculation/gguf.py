"""GGUF files through ggml's own reader and writer: metadata, tensors, rows as numbers.

Nothing of the format is known here; llama.cpp's library reads and writes it.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import ModelUnavailable
from engine.speculation.ggml_functions import Opening, Pointer, Room, ggml

_F32, Q8_0, F16, BF16 = 0, 8, 1, 30  # ggml_type
_UINT32, _INT32, _STRING, _ARRAY = 4, 5, 8, 9  # gguf_type
_TENSOR_BYTES = 512  # room for one tensor's description in a ggml context

FLOATS = frozenset((_F32, F16, BF16))
"""Types whose values are not quantised."""


class Matrix:
    """A tensor of rows, shape [rows, width], as its file stores it."""

    def __init__(self, name: str, kind: int, width: int, rows: NDArray[np.uint8]) -> None:
        """`rows` has shape [rows, bytes of a row]; `kind` is its ggml_type."""
        self.name, self.kind, self.width, self.rows = name, kind, width, rows
        self._to_float = ggml.ggml_get_type_traits(kind).contents.to_float

    def floats(self, numbers: Sequence[int]) -> NDArray[np.float32]:
        """The rows of these numbers, shape [n, width], by the function llama.cpp itself uses."""
        result = np.empty((len(numbers), self.width), np.float32)
        for target, number in zip(result, numbers, strict=True):
            row = self.rows[number]
            if self.kind == _F32:
                target[:] = row.view(np.float32)
            else:
                self._to_float(row.ctypes.data, target.ctypes.data, self.width)
        return result


def stored(name: str, values: NDArray[np.floating[Any]], matrices: int = Q8_0) -> Matrix:
    """Values as a file stores them: float32 for a vector [n], else a matrix [rows, width].

    `matrices` is the ggml_type of the latter.
    """
    floats = np.ascontiguousarray(np.atleast_2d(values), np.float32)
    count, width = floats.shape
    kind = _F32 if values.ndim == 1 else matrices
    rows = np.empty((count, ggml.ggml_row_size(kind, width)), np.uint8)
    ggml.ggml_quantize_chunk(kind, floats.ctypes.data, rows.ctypes.data, 0, count, width, None)
    return Matrix(name, kind, width, rows)


class File:
    """A GGUF's metadata, and its tensors when opened with them; `close` when done."""

    def __init__(self, path: Path, *, copying: bool = False) -> None:
        """Open `path`; only one opened for `copying` has its tensors in memory, for `write`.

        `ModelUnavailable` when ggml cannot read it.
        """
        self.path = path
        self._tensors = Pointer()
        opening = Opening(not copying, ctypes.pointer(self._tensors) if copying else None)
        self._handle = ggml.gguf_init_from_file(os.fsencode(path), opening)
        if not self._handle:
            raise ModelUnavailable(
                f"The model file {path.name} cannot be read", remedy="fetch or write it again"
            )

    def close(self) -> None:
        """Free what was read; safe to call twice."""
        handle, self._handle = self._handle, None
        if handle:
            ggml.gguf_free(handle)
            ggml.ggml_free(self._tensors)

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __contains__(self, tensor: str) -> bool:
        return bool(ggml.gguf_find_tensor(self._handle, tensor.encode()) >= 0)

    def metadata(self) -> list[str]:
        """Names of all metadata."""
        count = ggml.gguf_get_n_kv(self._handle)
        return [ggml.gguf_get_key(self._handle, i).decode() for i in range(count)]

    def tensors(self) -> list[str]:
        """Names of all tensors."""
        count = ggml.gguf_get_n_tensors(self._handle)
        return [ggml.gguf_get_tensor_name(self._handle, i).decode() for i in range(count)]

    def bytes_by_kind(self) -> dict[str, int]:
        """Bytes of all tensors by number format, as `q4_1`."""
        result: dict[str, int] = {}
        for i in range(ggml.gguf_get_n_tensors(self._handle)):
            kind = ggml.ggml_get_type_traits(ggml.gguf_get_tensor_type(self._handle, i))
            name = kind.contents.name.decode()
            result[name] = result.get(name, 0) + ggml.gguf_get_tensor_size(self._handle, i)
        return result

    def whole_bytes(self) -> int:
        """Size in bytes that the file must have for its last tensor to be in it."""
        ends = [
            ggml.gguf_get_tensor_offset(self._handle, i)
            + ggml.gguf_get_tensor_size(self._handle, i)
            for i in range(ggml.gguf_get_n_tensors(self._handle))
        ]
        return int(ggml.gguf_get_data_offset(self._handle)) + max(ends, default=0)

    def has(self, key: str) -> bool:
        """Whether the metadata have this key."""
        return bool(ggml.gguf_find_key(self._handle, key.encode()) >= 0)

    def word(self, key: str) -> str:
        """A text from the metadata; `ModelUnavailable` without it."""
        text: bytes = ggml.gguf_get_val_str(self._handle, self._key(key, _STRING))
        return text.decode("utf-8", "replace")

    def number(self, key: str) -> int:
        """A whole number from the metadata; `ModelUnavailable` without it."""
        return int(ggml.gguf_get_val_u32(self._handle, self._key(key, _UINT32)))

    def _key(self, key: str, kind: int) -> int:
        number: int = ggml.gguf_find_key(self._handle, key.encode())
        if number < 0 or ggml.gguf_get_kv_type(self._handle, number) != kind:
            raise ModelUnavailable(
                f"The model file {self.path.name} has no {key}", remedy="write it again"
            )
        return number

    def integers(self, key: str) -> NDArray[np.int32]:
        """An array of integers from the metadata, shape [n]; `ModelUnavailable` without it."""
        number = self._key(key, _ARRAY)
        if ggml.gguf_get_arr_type(self._handle, number) != _INT32:
            raise ModelUnavailable(
                f"{key} in {self.path.name} holds no integers", remedy="write it again"
            )
        count = ggml.gguf_get_arr_n(self._handle, number)
        data = ggml.gguf_get_arr_data(self._handle, number)
        return np.ctypeslib.as_array((ctypes.c_int32 * count).from_address(data)).copy()

    def texts(self, key: str) -> list[str]:
        """An array of texts from the metadata; `ModelUnavailable` without it."""
        number = self._key(key, _ARRAY)
        if ggml.gguf_get_arr_type(self._handle, number) != _STRING:
            raise ModelUnavailable(
                f"{key} in {self.path.name} holds no texts", remedy="write it again"
            )
        count = ggml.gguf_get_arr_n(self._handle, number)
        return [
            ggml.gguf_get_arr_str(self._handle, number, i).decode("utf-8", "replace")
            for i in range(count)
        ]

    def matrix(self, name: str) -> Matrix:
        """A tensor's rows, mapped from the file: they stay readable after `close`."""
        number = ggml.gguf_find_tensor(self._handle, name.encode())
        if number < 0:
            raise ModelUnavailable(
                f"The model file {self.path.name} has no tensor {name}",
                remedy="choose another model in Settings",
            )
        kind = ggml.gguf_get_tensor_type(self._handle, number)
        width, count = ggml.gguf_get_tensor_ne(self._handle, number)[:2]
        bytes_each = ggml.ggml_row_size(kind, width)
        begin = ggml.gguf_get_data_offset(self._handle)
        begin += ggml.gguf_get_tensor_offset(self._handle, number)
        try:
            rows = np.memmap(self.path, np.uint8, "r", begin, (count, bytes_each))
        except ValueError as exc:
            raise ModelUnavailable(
                f"The model file {self.path.name} ends before its tensor {name} does",
                remedy="fetch or write it again",
            ) from exc
        return Matrix(name, kind, width, rows)

    def write(
        self,
        target: Path,
        *,
        without: Sequence[str] = (),
        matrices: Sequence[Matrix] = (),
        forget: tuple[str, ...] = (),
        numbers: dict[str, int | float] | None = None,
        words: dict[str, str] | None = None,
        integers: dict[str, NDArray[np.int32]] | None = None,
    ) -> None:
        """Write a copy: tensors left out or replaced by `matrices`, metadata changed.

        Keys that begin with one of `forget` are dropped first. OSError when it cannot be written.
        """
        copy = ggml.gguf_init_empty()
        room = ggml.ggml_init(Room(_TENSOR_BYTES * (len(matrices) + 1), None, True))
        try:
            ggml.gguf_set_kv(copy, self._handle)
            for key in self.metadata():
                if key.startswith(forget):
                    ggml.gguf_remove_key(copy, key.encode())
            for key, number in (numbers or {}).items():
                whole = isinstance(number, int)
                store = ggml.gguf_set_val_u32 if whole else ggml.gguf_set_val_f32
                store(copy, key.encode(), number)
            for key, word in (words or {}).items():
                ggml.gguf_set_val_str(copy, key.encode(), word.encode())
            kept = {key: np.ascontiguousarray(v, np.int32) for key, v in (integers or {}).items()}
            for key, values in kept.items():
                ggml.gguf_set_arr_data(copy, key.encode(), _INT32, values.ctypes.data, len(values))
            dropped = {*without, *(matrix.name for matrix in matrices)}
            for name in self.tensors():
                if name not in dropped:
                    ggml.gguf_add_tensor(copy, ggml.ggml_get_tensor(self._tensors, name.encode()))
            contents = list(_described(copy, room, matrices))
            if not ggml.gguf_write_to_file(copy, os.fsencode(target), False):
                raise OSError(f"{target.name} could not be written")
            del contents
        finally:
            ggml.ggml_free(room)
            ggml.gguf_free(copy)


def _described(copy: Any, room: Any, matrices: Sequence[Matrix]) -> Iterator[NDArray[np.uint8]]:
    """Add the matrices to a file to be written; their bytes must live until it is."""
    for matrix in matrices:
        shape = (ctypes.c_int64 * 2)(matrix.width, len(matrix.rows))
        tensor = ggml.ggml_new_tensor(room, matrix.kind, 2, shape)
        ggml.ggml_set_name(tensor, matrix.name.encode())
        ggml.gguf_add_tensor(copy, tensor)
        content = np.ascontiguousarray(matrix.rows)
        ggml.gguf_set_tensor_data(copy, matrix.name.encode(), content.ctypes.data)
        yield content
