"""Speech to text: Whisper tiny.en through CTranslate2, with a mel as short as the speech."""

from __future__ import annotations

from pathlib import Path

import ctranslate2
import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from engine.audio.mel import log_mel
from engine.clock import SAMPLE_RATE_HZ
from engine.errors import ModelUnavailable

_LONGEST_S = 30.0  # the encoder has no positions beyond
_SHORTEST_CONTEXT_S = 10.0  # with less around it the model invents words
_TOKENS_PER_S = 6


class Transcriber:
    """Greedy transcription of short utterances. Raises `ModelUnavailable` when not loadable."""

    def __init__(self, folder: Path, threads: int = 1) -> None:
        try:
            self._model = ctranslate2.models.Whisper(
                str(folder), device="cpu", compute_type="int8", intra_threads=threads
            )
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as exc:
            raise ModelUnavailable(
                f"The speech recognition model in {folder} cannot be loaded ({exc})",
                remedy="fetch it again with `pads models fetch`",
            ) from exc
        names = ("<|startoftranscript|>", "<|notimestamps|>")
        self._prompt = [self._tokenizer.token_to_id(name) for name in names]

    def transcribe(self, audio: NDArray[np.float32]) -> str:
        """The words in mono 16 kHz `audio`, shape [n]; of more than 30 s the last 30."""
        audio = audio[-round(_LONGEST_S * SAMPLE_RATE_HZ) :]
        seconds = len(audio) / SAMPLE_RATE_HZ
        if not len(audio):
            return ""
        context_s = min(_LONGEST_S, max(_SHORTEST_CONTEXT_S, seconds + 0.5))
        padded = np.zeros(round(context_s * SAMPLE_RATE_HZ), np.float32)
        padded[: len(audio)] = audio
        features = ctranslate2.StorageView.from_array(log_mel(padded)[None])
        (result,) = self._model.generate(
            features,
            [self._prompt],
            beam_size=1,
            max_length=len(self._prompt) + 6 + int(_TOKENS_PER_S * seconds),
        )
        return str(self._tokenizer.decode(result.sequences_ids[0])).strip()
