"""A thin, typed layer over llama.cpp: models, contexts, their KV caches and hidden states.

Only the decoder process (and jobs) load this module. Every return code is checked; what
llama.cpp logs is kept and quoted when something fails.
"""

from __future__ import annotations

import ctypes
import logging
import os
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import llama_cpp as ll
import numpy as np
from llama_cpp._ctypes_extensions import load_shared_library
from numpy.typing import NDArray

from engine.errors import DecoderFailed, ModelUnavailable

log = logging.getLogger(__name__)

Floats = NDArray[np.float32]

_LIBRARIES = Path(ll.__file__).parent / "lib"
_WARN = 2
_ABORTED = 2
_messages: deque[str] = deque(maxlen=8)


class Stopped(Exception):
    """A run was stopped by `Stop`; the positions of that run are not in the KV cache."""


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


_TYPES = {"f32": 0, "f16": 1, "q8_0": 8, "bf16": 30}


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
    base: ctypes.CDLL = load_shared_library("ggml-base", _LIBRARIES)
    base.ggml_get_name.restype, base.ggml_get_name.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
    base.ggml_nbytes.restype, base.ggml_nbytes.argtypes = ctypes.c_size_t, [ctypes.c_void_p]
    base.ggml_backend_tensor_get.restype = None
    base.ggml_backend_tensor_get.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_size_t] * 2
    registry = load_shared_library("ggml", _LIBRARIES)
    if registry.ggml_backend_reg_count() == 0:  # builds whose CPU variants are loaded at run time
        registry.ggml_backend_load_all_from_path(os.fsencode(_LIBRARIES))
    return base


def _strlen() -> Any:
    library = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    return ctypes.cast(library.strlen, ll.ggml_abort_callback)


_on_log: Any = None
_ggml = _load()
_abort_callback = _strlen()


def complaint() -> str:
    """What llama.cpp complained about first in the last call that can fail."""
    return _messages[0] if _messages else "llama.cpp gave no reason"


def forget_complaints() -> None:
    """Begin a call whose complaints may be quoted."""
    _messages.clear()


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


class Context:
    """One model's KV cache and buffers, for a single sequence from position 0.

    Runs take token ids, or hidden states in their place. With `capture_layer`, the states that
    layer puts out are kept in `states`, shape [positions, width] float32; a run without logits
    then ends at that layer. `batch` bounds the positions of one run.
    """

    def __init__(
        self,
        model: Model,
        *,
        size: int,
        batch: int,
        threads: int,
        kernels: Kernels,
        stop: Stop,
        capture_layer: int | None = None,
    ) -> None:
        self._model, self.batch = model, batch
        self.states: Floats = np.empty((0, model.width), np.float32)
        self._capture = f"l_out-{capture_layer}".encode() if capture_layer is not None else None
        self._asked, self._node, self._captured, self._go_on = 0, 0, False, False
        params = self._params(size, threads, kernels)
        params.abort_callback, params.abort_callback_data = _abort_callback, stop.address
        if self._capture:
            self._callback = ll.ggml_backend_sched_eval_callback(self._on_node)
            params.cb_eval = self._callback
        self._stop = stop  # owns the memory the abort callback reads
        forget_complaints()
        self.handle = ll.llama_init_from_model(model.handle, params)
        if not self.handle:
            raise DecoderFailed(
                f"llama.cpp could not make a context ({complaint()})",
                remedy="lower the context length in Settings or free memory",
            )
        self._memory = ll.llama_get_memory(self.handle)
        self._tokens = ll.llama_batch_init(batch, 0, 1)
        self._embds = ll.llama_batch_init(batch, model.width, 1)

    def _params(self, size: int, threads: int, kernels: Kernels) -> Any:
        params = ll.llama_context_default_params()
        params.n_ctx, params.n_seq_max = size, 1
        params.n_batch = params.n_ubatch = self.batch
        params.n_threads = params.n_threads_batch = threads
        params.flash_attn_type = int(kernels.flash_attention)
        params.type_k, params.type_v = _TYPES[kernels.type_k], _TYPES[kernels.type_v]
        params.no_perf = True
        return params

    def close(self) -> None:
        """Free the context; safe to call twice."""
        handle, self.handle = self.handle, None
        if handle:
            ll.llama_free(handle)
            ll.llama_batch_free(self._tokens)
            ll.llama_batch_free(self._embds)

    @property
    def length(self) -> int:
        """Positions in the KV cache."""
        return int(ll.llama_memory_seq_pos_max(self._memory, 0)) + 1

    def trim(self, length: int) -> None:
        """Drop every position from `length` on."""
        if not ll.llama_memory_seq_rm(self._memory, 0, length, -1):
            raise DecoderFailed(
                "The KV cache could not be rolled back", remedy="choose another model in Settings"
            )

    def run_tokens(
        self, position: int, tokens: Sequence[int], logits: Literal["all", "none"]
    ) -> None:
        """Compute `tokens` from `position` on; `Stopped` leaves the cache as it was."""
        batch = self._tokens
        for i, token in enumerate(tokens):
            batch.token[i] = token
        self._run(batch, position, len(tokens), first_output=0, with_logits=logits != "none")

    def run_states(self, position: int, states: Floats, outputs: int) -> None:
        """Compute from hidden states of shape [n, width]; the last `outputs` rows give logits."""
        batch, count = self._embds, len(states)
        rows = np.ascontiguousarray(states, np.float32)
        ctypes.memmove(batch.embd, rows.ctypes.data, rows.nbytes)
        self._run(batch, position, count, first_output=count - outputs, with_logits=True)

    def logits(self, rows: int) -> Floats:
        """The last run's logits, shape [rows, n_vocab]; a view that the next run overwrites."""
        pointer = ll.llama_get_logits(self.handle)
        return np.ctypeslib.as_array(pointer, (rows, self._model.n_vocab))

    def sequence_state(self) -> bytes:
        """The KV cache's content as llama.cpp serialises it; equal bytes mean equal state."""
        size = ll.llama_state_seq_get_size(self.handle, 0)
        buffer = (ctypes.c_uint8 * size)()
        written = ll.llama_state_seq_get_data(self.handle, buffer, size, 0)
        return bytes(buffer[:written])

    def _run(
        self, batch: Any, position: int, count: int, *, first_output: int, with_logits: bool
    ) -> None:
        for i in range(count):
            batch.pos[i], batch.n_seq_id[i], batch.seq_id[i][0] = position + i, 1, 0
            batch.logits[i] = i >= first_output
        batch.n_tokens = count
        self._go_on = with_logits
        self._decode(batch)
        if self._capture and not self._captured:
            self._node = 0  # the graph has changed: look the layer's node up by name
            self.trim(position)
            self._decode(batch)
            if not self._captured:
                raise DecoderFailed(
                    f"The states of layer {self._capture.decode()} cannot be read",
                    remedy="update llama-cpp-python",
                )

    def _decode(self, batch: Any) -> None:
        if self._stop.is_set():
            raise Stopped
        self._asked, self._captured = 0, False
        code = ll.llama_decode(self.handle, batch)
        if code == _ABORTED:
            raise Stopped
        if code != 0:
            raise DecoderFailed(
                f"llama.cpp could not compute a step (code {code}: {complaint()})",
                remedy="restart the engine; lower the context length if it happens again",
            )

    def _on_node(self, tensor: int, asking: bool, _: Any) -> bool:
        """Asked before each node whether its result is wanted, told after a wanted one.

        The wanted node has the same number in every graph of one model, so its name is compared
        only until that number is known: this runs hundreds of times per step.
        """
        if asking:
            self._asked += 1
            if self._node and self._asked != self._node:
                return False
            if _ggml.ggml_get_name(tensor) != self._capture:
                return False
            self._node = self._asked
            return True
        size = _ggml.ggml_nbytes(tensor)
        states = np.empty(size // 4, np.float32)
        _ggml.ggml_backend_tensor_get(tensor, states.ctypes.data, 0, size)
        self.states = states.reshape(-1, self._model.width)
        self._captured = True
        return self._go_on
