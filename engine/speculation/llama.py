"""A thin, typed layer over llama.cpp: the library, its models and their vocabulary.

Only the decoder process (and jobs) load this module. Every return code is checked; what
llama.cpp logs is kept and quoted when something fails.
"""

from __future__ import annotations

import ctypes
import logging
import os
import re
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llama_cpp as ll
import psutil
from llama_cpp._ctypes_extensions import load_shared_library

from engine.errors import DecoderFailed, ModelUnavailable

log = logging.getLogger(__name__)

_LIBRARIES = Path(ll.__file__).parent / "lib"
_KERNELS = re.compile(r"ggml-cpu-(\w+)\.(?:so|dll|dylib)$")
_WARN = 2
_messages: deque[str] = deque(maxlen=8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernels:
    """Numerical choices that every context of one decoder shares.

    The default is the one combination in which stock llama.cpp takes the same attention path
    for any batch width and context length on CPU: flash attention with different types for K
    and V, which rules out its tiled and split-KV variants. bfloat16 is what most models
    were trained in, and is accumulated in float32 (float16 V is not).
    """

    flash_attention: bool = True
    type_k: str = "f16"
    type_v: str = "bf16"
    repack: bool = True


class Stop:
    """A flag that llama.cpp reads before every node of a graph, at no cost.

    Its abort callback is C's own `strlen` over a two-byte buffer: an empty string is "go on",
    so no thread of ggml ever waits for Python.
    """

    def __init__(self) -> None:
        self._flag = ctypes.create_string_buffer(2)
        self.address = ctypes.addressof(self._flag)

    def set(self) -> None:
        """Stop the running pass at its next node, and every later one until `clear`."""
        self._flag[0] = b"\x01"

    def clear(self) -> None:
        """Let passes run again."""
        self._flag[0] = b"\x00"

    def is_set(self) -> bool:
        """Whether passes are being stopped."""
        return self._flag[0] != b"\x00"


def _load() -> ctypes.CDLL:
    @ll.llama_log_callback  # type: ignore[untyped-decorator]
    def on_log(level: int, text: bytes, _: Any) -> None:
        line = text.decode("utf-8", "replace").strip()
        if level >= _WARN and line.strip("."):
            _messages.append(line)
            log.debug("llama.cpp: %s", line)

    global _on_log  # noqa: PLW0603  # llama.cpp keeps only the bare pointer
    _on_log = on_log
    ll.llama_log_set(on_log, ctypes.c_void_p(0))
    ll.llama_backend_init()
    # A wheel may hold each library under several names: only through llama.cpp's own handle are
    # they the ones it uses, and not a second copy with a registry of its own.
    base = registry = ctypes.CDLL(ll.llama_cpp._lib._name)
    if sys.platform == "win32":  # which looks into no other library than the one it is asked for
        base = load_shared_library("ggml-base", _LIBRARIES)
        registry = load_shared_library("ggml", _LIBRARIES)
    base.ggml_get_name.restype, base.ggml_get_name.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
    base.ggml_nbytes.restype, base.ggml_nbytes.argtypes = ctypes.c_size_t, [ctypes.c_void_p]
    base.ggml_backend_tensor_get.restype = None
    base.ggml_backend_tensor_get.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_size_t] * 2
    if registry.ggml_backend_reg_count() == 0:  # builds whose CPU variants are loaded at run time
        registry.ggml_backend_load_all_from_path(os.fsencode(_LIBRARIES))
    return base


def _strlen() -> Any:
    library = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    return ctypes.cast(library.strlen, ll.ggml_abort_callback)


_on_log: Any = None
ggml = _load()
abort_callback = _strlen()


def complaint() -> str:
    """What llama.cpp complained about first in the last call that can fail."""
    return _messages[0] if _messages else "llama.cpp gave no reason"


def forget_complaints() -> None:
    """Begin a call whose complaints may be quoted."""
    _messages.clear()


def _on_unraisable(unraisable: Any) -> None:
    """Signal handlers run inside llama.cpp's callbacks too, which no exception can leave."""
    if not isinstance(unraisable.exc_value, Exception):  # what asks the program to end
        _interruptions.append(unraisable.exc_value)
    else:
        _others_unraisable(unraisable)


def raise_interruption() -> None:
    """Raise what a signal handler raised while llama.cpp computed."""
    if _interruptions:
        raise _interruptions.popleft()


_interruptions: deque[BaseException] = deque()
_others_unraisable, sys.unraisablehook = sys.unraisablehook, _on_unraisable


def kernels() -> tuple[str, int]:
    """Which build of ggml's processor part runs here, and out of how many.

    A portable llama.cpp brings one for each generation of processors, and the best that this
    processor has all instructions for is loaded; one that was compiled here is "native", of 1.
    """
    files = {name.group(1) for file in _LIBRARIES.iterdir() if (name := _KERNELS.search(file.name))}
    if not files:
        return "native", 1
    loaded = {m.group(1) for file in _mapped() if (m := _KERNELS.search(file))}
    return ", ".join(sorted(loaded)) or "unnamed", len(files)


def _mapped() -> list[str]:
    """Files that are part of this process; nothing where the system does not tell."""
    if sys.platform == "win32":
        return [part.path for part in psutil.Process().memory_maps()]
    maps = Path("/proc/self/maps")
    if not maps.exists():
        return []
    return [line.split()[-1] for line in maps.read_text("utf-8", "replace").splitlines()]


def system_info() -> str:
    """CPU features and build flags llama.cpp reports."""
    return str(ll.llama_print_system_info().decode()).strip(" |")


class Model:
    """A GGUF file opened for CPU use. `close` after its contexts."""

    def __init__(self, path: Path, *, vocab_only: bool = False, repack: bool = True) -> None:
        """Open `path`; `ModelUnavailable` when llama.cpp cannot read it."""
        params = ll.llama_model_default_params()
        params.n_gpu_layers = 0
        params.vocab_only = vocab_only
        params.use_extra_bufts = repack
        forget_complaints()
        self.handle = ll.llama_model_load_from_file(os.fsencode(path), params)
        if not self.handle:
            raise ModelUnavailable(
                f"The language model {path.name} cannot be read ({complaint()})",
                remedy="fetch it again with `pads models fetch`",
            )
        self.path = path
        self.vocab = ll.llama_model_get_vocab(self.handle)
        self.layers = int(ll.llama_model_n_layer(self.handle))
        self.width = int(ll.llama_model_n_embd(self.handle))
        self.n_vocab = int(ll.llama_vocab_n_tokens(self.vocab))

    def close(self) -> None:
        """Free the model; safe to call twice."""
        handle, self.handle = self.handle, None
        if handle:
            ll.llama_model_free(handle)

    def metadata(self, key: str) -> str | None:
        """A metadata value as text, or None when the file has none."""
        size = ll.llama_model_meta_val_str(self.handle, key.encode(), None, 0)
        if size < 0:
            return None
        buffer = ctypes.create_string_buffer(size + 1)
        ll.llama_model_meta_val_str(self.handle, key.encode(), buffer, size + 1)
        return buffer.value.decode("utf-8", "replace")

    @property
    def has_tokeniser(self) -> bool:
        """Whether the file can turn text into tokens; heads and generated models cannot."""
        return bool(ll.llama_vocab_type(self.vocab) != ll.LLAMA_VOCAB_TYPE_NONE)

    def tokenize(self, text: str, *, special: bool = False) -> list[int]:
        """Token ids of `text`; control tokens are recognised only when `special`."""
        data = text.encode()
        room = len(data) + 8
        buffer = (ll.llama_token * room)()
        count = ll.llama_tokenize(self.vocab, data, len(data), buffer, room, False, special)
        if count < 0:
            raise DecoderFailed("The text cannot be tokenised", remedy="try other words")
        return list(buffer[:count])

    def piece(self, token: int) -> bytes:
        """The bytes of one token; a character may span several tokens."""
        buffer = ctypes.create_string_buffer(256)
        size = ll.llama_token_to_piece(self.vocab, token, buffer, 256, 0, False)
        return buffer.raw[: max(size, 0)]

    def ends(self, token: int) -> bool:
        """Whether this token ends a reply."""
        return bool(ll.llama_vocab_is_eog(self.vocab, token))

    def begin_token(self) -> int | None:
        """The token every sequence begins with, if this vocabulary wants one."""
        wanted = ll.llama_vocab_get_add_bos(self.vocab)
        return int(ll.llama_vocab_bos(self.vocab)) if wanted else None

    def render(self, roles: Sequence[str], texts: Sequence[str], *, answer: bool) -> str:
        """The chat template applied to messages; `answer` opens an assistant message.

        Files without a template get ChatML; `ModelUnavailable` for one llama.cpp doesn't know.
        """
        template = (self.metadata("tokenizer.chat_template") or "chatml").encode()
        chat = (ll.llama_chat_message * len(roles))()
        for item, role, text in zip(chat, roles, texts, strict=True):
            item.role, item.content = role.encode(), text.encode()
        room = 2 * sum(len(text.encode()) for text in texts) + 256 * len(roles) + 256
        while True:
            buffer = ctypes.create_string_buffer(room)
            size = ll.llama_chat_apply_template(template, chat, len(roles), answer, buffer, room)
            if size < 0:
                raise ModelUnavailable(
                    f"The chat template of {self.path.name} is not supported",
                    remedy="choose another model in Settings",
                )
            if size <= room:
                return buffer.raw[:size].decode("utf-8", "replace")
            room = size
