"""Contexts of llama.cpp: one KV cache each, fed with hidden states, which are read out as well."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import llama_cpp as ll
import numpy as np
from numpy.typing import NDArray

from engine.errors import DecoderFailed
from engine.speculation import llama
from engine.speculation.llama import Kernels, Model, Stop

Floats = NDArray[np.float32]

_TYPES = {"f32": 0, "f16": 1, "q8_0": 8, "bf16": 30}  # ggml_type
_ABORTED = 2


class Stopped(Exception):
    """A run was stopped by `Stop`; the positions of that run are not in the KV cache."""


class Context:
    """One model's KV cache and buffers, for a single sequence from position 0.

    Runs take the states that enter the model's first layer (token embeddings, or what other
    layers put out). With `capture_layer`, the states that layer puts out are kept in `states`,
    shape [positions, width] float32; a run without outputs then ends at `last_layer`, which is
    the captured one unless told. `batch` bounds the positions of one run.
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
        last_layer: int | None = None,
    ) -> None:
        self._model, self.batch = model, batch
        self.states: Floats = np.empty((0, model.width), np.float32)
        self._capture = f"l_out-{capture_layer}".encode() if capture_layer is not None else None
        self._captured, self._ended, self._go_on = False, False, False
        # Where the nodes of the captured and of the last layer lie.
        self._wanted: int | None = None
        self._end: int | None = None
        # Nothing is allocated while llama.cpp computes: an exception could not leave a callback.
        self._kept = np.empty((batch if self._capture else 0, model.width), np.float32)
        params = self._params(size, threads, kernels)
        params.abort_callback, params.abort_callback_data = llama.abort_callback, stop.address
        if self._capture:
            end = self._capture if last_layer is None else f"l_out-{last_layer}".encode()
            watch = self._watcher(self._capture, end)
            self._callback = ll.ggml_backend_sched_eval_callback(watch)
            params.cb_eval = self._callback
        self._stop = stop  # owns the memory the abort callback reads
        llama.forget_complaints()
        self.handle = ll.llama_init_from_model(model.handle, params)
        if not self.handle:
            raise DecoderFailed(
                f"llama.cpp could not make a context ({llama.complaint()})",
                remedy="lower the context length in Settings or free memory",
            )
        self._memory = ll.llama_get_memory(self.handle)
        self._batch = ll.llama_batch_init(batch, model.width, 1)

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
            ll.llama_batch_free(self._batch)

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

    def run(self, position: int, rows: Floats, outputs: int) -> None:
        """Compute from `position` on; `rows` has shape [n, width], its last `outputs` give logits.

        `Stopped` leaves the cache as it was.
        """
        batch, count = self._batch, len(rows)
        rows = np.ascontiguousarray(rows, np.float32)
        ctypes.memmove(batch.embd, rows.ctypes.data, rows.nbytes)
        # The last layer keeps only rows that are outputs, so a captured one needs them all.
        first = 0 if self._capture else count - outputs
        for i in range(count):
            batch.pos[i], batch.n_seq_id[i], batch.seq_id[i][0] = position + i, 1, 0
            batch.logits[i] = i >= first
        batch.n_tokens = count
        self._go_on = outputs > 0
        self._decode()
        if not self._capture:
            return
        moved = not self._captured or (not self._go_on and not self._ended)
        if moved:  # the graph has changed: look the layers' nodes up by name
            self._wanted = self._end = None
        if not self._captured:
            self.trim(position)
            self._decode()
            if not self._captured:
                raise DecoderFailed(
                    f"The states of layer {self._capture.decode()} cannot be read",
                    remedy="update llama-cpp-python",
                )

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

    def _decode(self) -> None:
        if self._stop.is_set():
            raise Stopped
        self._captured = self._ended = False
        code = ll.llama_decode(self.handle, self._batch)
        llama.raise_interruption()
        if code == _ABORTED:
            raise Stopped
        if code != 0:
            raise DecoderFailed(
                f"llama.cpp could not compute a step (code {code}: {llama.complaint()})",
                remedy="restart the engine; lower the context length if it happens again",
            )

    def _watcher(self, layer: bytes, end: bytes) -> Callable[[int, bool, Any], bool]:
        """llama.cpp's callback: asked before each node if it is wanted, told after a wanted one.

        It is asked hundreds of times per step. Graphs of one shape lie at the same place, so
        that addresses tell the wanted nodes; names are compared until those are known.
        """
        name_of = llama.ggml.ggml_get_name

        def on_node(tensor: int, asking: bool, _: Any) -> bool:
            if not asking:
                return self._take(tensor)
            if self._end is None:
                name = name_of(tensor)
                if name == layer:
                    self._wanted = tensor
                if name == end:
                    self._end = tensor
            return tensor == self._wanted or (tensor == self._end and not self._go_on)

        return on_node

    def _take(self, tensor: int) -> bool:
        """Keep the captured layer's states; whether the graph is to be computed further."""
        if tensor == self._wanted:
            size = llama.ggml.ggml_nbytes(tensor)
            llama.ggml.ggml_backend_tensor_get(tensor, self._kept.ctypes.data, 0, size)
            self.states = self._kept[: size // (4 * self._model.width)]
            self._captured = True
        self._ended = tensor == self._end
        return self._go_on or not self._ended
