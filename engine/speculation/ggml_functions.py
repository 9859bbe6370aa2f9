"""ggml's own functions for GGUF files, with the types of their arguments and results."""

from __future__ import annotations

import ctypes
from typing import Any

from engine.speculation.llama import ggml

__all__ = ["Opening", "Pointer", "Room", "ggml"]

Pointer, _Text, _Size, _Key = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int64


class Opening(ctypes.Structure):
    _fields_ = (("no_alloc", ctypes.c_bool), ("context", ctypes.POINTER(Pointer)))


class Room(ctypes.Structure):
    _fields_ = (("size", _Size), ("buffer", Pointer), ("no_alloc", ctypes.c_bool))


class _Type(ctypes.Structure):
    """ggml_type_traits, as far as it is needed."""

    _fields_ = (
        ("name", _Text),
        ("block", ctypes.c_int64),
        ("block_interleave", ctypes.c_int64),
        ("bytes", _Size),
        ("quantised", ctypes.c_bool),
        ("to_float", ctypes.CFUNCTYPE(None, Pointer, Pointer, ctypes.c_int64)),
    )


_PROTOTYPES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "gguf_init_from_file": (Pointer, (_Text, Opening)),
    "gguf_free": (None, (Pointer,)),
    "gguf_get_n_kv": (_Key, (Pointer,)),
    "gguf_get_key": (_Text, (Pointer, _Key)),
    "gguf_find_key": (_Key, (Pointer, _Text)),
    "gguf_remove_key": (_Key, (Pointer, _Text)),
    "gguf_set_val_u32": (None, (Pointer, _Text, ctypes.c_uint32)),
    "gguf_set_val_f32": (None, (Pointer, _Text, ctypes.c_float)),
    "gguf_set_val_str": (None, (Pointer, _Text, _Text)),
    "gguf_set_arr_data": (None, (Pointer, _Text, ctypes.c_int, Pointer, _Size)),
    "gguf_get_kv_type": (ctypes.c_int, (Pointer, _Key)),
    "gguf_get_val_u32": (ctypes.c_uint32, (Pointer, _Key)),
    "gguf_get_val_str": (_Text, (Pointer, _Key)),
    "gguf_get_arr_n": (_Size, (Pointer, _Key)),
    "gguf_get_arr_type": (ctypes.c_int, (Pointer, _Key)),
    "gguf_get_arr_data": (Pointer, (Pointer, _Key)),
    "gguf_get_arr_str": (_Text, (Pointer, _Key, _Size)),
    "gguf_get_data_offset": (_Size, (Pointer,)),
    "gguf_find_tensor": (ctypes.c_int64, (Pointer, _Text)),
    "gguf_get_tensor_offset": (_Size, (Pointer, ctypes.c_int64)),
    "gguf_get_tensor_size": (_Size, (Pointer, ctypes.c_int64)),
    "gguf_get_n_tensors": (ctypes.c_int64, (Pointer,)),
    "gguf_get_tensor_name": (_Text, (Pointer, ctypes.c_int64)),
    "gguf_init_empty": (Pointer, ()),
    "gguf_set_kv": (None, (Pointer, Pointer)),
    "gguf_add_tensor": (None, (Pointer, Pointer)),
    "gguf_set_tensor_data": (None, (Pointer, _Text, Pointer)),
    "gguf_write_to_file": (ctypes.c_bool, (Pointer, _Text, ctypes.c_bool)),
    "gguf_get_tensor_type": (ctypes.c_int, (Pointer, ctypes.c_int64)),
    "gguf_get_tensor_ne": (ctypes.POINTER(ctypes.c_int64), (Pointer, ctypes.c_int64)),
    "ggml_init": (Pointer, (Room,)),
    "ggml_free": (None, (Pointer,)),
    "ggml_get_tensor": (Pointer, (Pointer, _Text)),
    "ggml_new_tensor": (
        Pointer,
        (Pointer, ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_int64)),
    ),
    "ggml_set_name": (Pointer, (Pointer, _Text)),
    "ggml_row_size": (_Size, (ctypes.c_int, ctypes.c_int64)),
    "ggml_quantize_chunk": (
        _Size,
        (ctypes.c_int, Pointer, Pointer, *[ctypes.c_int64] * 3, Pointer),
    ),
    "ggml_get_type_traits": (ctypes.POINTER(_Type), (ctypes.c_int,)),
}
for _name, (_result, _arguments) in _PROTOTYPES.items():
    _function = getattr(ggml, _name)
    _function.restype, _function.argtypes = _result, _arguments
