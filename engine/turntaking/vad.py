"""Speech detection: Silero VAD through onnxruntime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ
from engine.errors import ModelUnavailable

CHUNK = 512
"""Samples the model takes at once: 32 ms."""
_CONTEXT = 64

# Noise, hum or music leave the recurrent state hard of hearing: the speech that follows is
# noticed up to half a second late. So a long quiet is forgotten; it is longer than a turn's
# longest pause, because the first chunks after forgetting are judged less surely.
_QUIET = 0.1
_QUIET_CHUNKS = 32


def open_model(path: Path) -> Any:
    """An onnxruntime session on one thread that sleeps between runs instead of spinning.

    Spinning threads would take the decoder's cores while nothing is said. Raises
    `ModelUnavailable`.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(
            str(path), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as exc:
        raise ModelUnavailable(
            f"The model {path.name} cannot be loaded ({_first_line(exc)})",
            remedy="close other programs, or fetch it again with `pads models fetch`",
        ) from exc


class SpeechDetector:
    """P(speech) of consecutive 32 ms chunks. Raises `ModelUnavailable` when not loadable."""

    def __init__(self, model: Path) -> None:
        self._session = open_model(model)
        self._rate = np.array(SAMPLE_RATE_HZ, np.int64)
        self.reset()

    def reset(self) -> None:
        """Forget what was heard."""
        self._state = np.zeros((2, 1, 128), np.float32)
        self._context = np.zeros(_CONTEXT, np.float32)
        self._quiet_chunks = 0

    def update(self, chunk: NDArray[np.float32]) -> float:
        """P(speech) in the next chunk, shape [512], mono 16 kHz."""
        window = np.concatenate((self._context, chunk))[None, :]
        inputs = {"input": window, "state": self._state, "sr": self._rate}
        output, self._state = self._session.run(None, inputs)
        self._context = chunk[-_CONTEXT:].copy()
        probability = float(output[0, 0])
        self._quiet_chunks = self._quiet_chunks + 1 if probability < _QUIET else 0
        if self._quiet_chunks == _QUIET_CHUNKS:
            self.reset()
        return probability


def _first_line(exc: Exception) -> str:
    return (str(exc).splitlines() or [type(exc).__name__])[0][:160]
