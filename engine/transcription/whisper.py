"""Speech to text: Whisper tiny.en through CTranslate2, with a mel as short as the speech."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import ctranslate2
import numpy as np
from numpy.typing import NDArray

from engine.audio.mel import log_mel
from engine.clock import SAMPLE_RATE_HZ
from engine.errors import ModelUnavailable

_LONGEST_S = 30.0  # the encoder has no positions beyond
_SHORTEST_CONTEXT_S = 10.0  # with less around it the model invents words
_MARGIN_S = 0.5
_TOKENS_PER_S = 6
_PROMPT = ("<|startoftranscript|>", "<|notimestamps|>")
_FIRST_SPECIAL = "<|endoftext|>"  # the tokens before it are words

# Silence, noise and hum score .91 to .99 here and would read "you" or "I'm"; of 159 single
# words cut out of meetings none scored above .89.
_NOTHING_SAID = 0.9

# Pieces of long speech are cut where it is quietest in this range.
_CUT_FROM_S, _CUT_TO_S, _CUT_WINDOW_S = 20.0, 29.5, 0.2
_REMEMBERED_PIECES = 8

# GPT-2's vocabularies write printable bytes of Latin-1 as themselves, the others as the letters
# from U+0100 on, in the bytes' order (Radford et al. 2019, `bytes_to_unicode`).
_SELF = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(0x100) if byte not in _SELF]
_BYTES = {chr(byte): byte for byte in _SELF}
_BYTES |= {chr(0x100 + place): byte for place, byte in enumerate(_OTHERS)}


class Transcriber:
    """Greedy transcription of an utterance: the same audio gives the same words.

    Calls leave the interpreter's lock while the model works; two at once are not allowed.
    """

    def __init__(self, folder: Path, threads: int = 1) -> None:
        """Load the model in `folder`. Raises `ModelUnavailable`."""
        try:
            self._model = ctranslate2.models.Whisper(
                str(folder), device="cpu", compute_type="int8", intra_threads=threads
            )
            tokens = (folder / "vocabulary.txt").read_text("utf-8").split("\n")
            self._prompt = [tokens.index(name) for name in _PROMPT]
            self._pieces_of_words = [_bytes(t) for t in tokens[: tokens.index(_FIRST_SPECIAL)]]
        except Exception as exc:
            raise _not_loadable(folder, str(exc)) from exc
        self._pieces: dict[bytes, str] = {}

    def transcribe(self, audio: NDArray[np.float32]) -> str:
        """The words in mono 16 kHz `audio`, shape [n], or "" where there are none.

        More than 29.5 s is cut at quiet places into pieces. The words of finished pieces are
        remembered, so that each pause of a long turn costs only its last piece.
        """
        *finished, last = _pieces(audio)
        words = [*(self._remembered(piece) for piece in finished), self._words(last)]
        return " ".join(filter(None, words))

    def close(self) -> None:
        """Free the model's memory; `transcribe` must not be called again."""
        self._model.unload_model()

    def _remembered(self, piece: NDArray[np.float32]) -> str:
        key = blake2b(piece.tobytes(), digest_size=16).digest()
        if key not in self._pieces:
            if len(self._pieces) == _REMEMBERED_PIECES:
                del self._pieces[next(iter(self._pieces))]
            self._pieces[key] = self._words(piece)
        return self._pieces[key]

    def _words(self, audio: NDArray[np.float32]) -> str:
        if not audio.any():
            return ""
        seconds = len(audio) / SAMPLE_RATE_HZ
        context_s = min(_LONGEST_S, max(_SHORTEST_CONTEXT_S, seconds + _MARGIN_S))
        features = log_mel(audio, round(context_s * SAMPLE_RATE_HZ))
        (result,) = self._model.generate(
            ctranslate2.StorageView.from_array(features[None]),
            [self._prompt],
            beam_size=1,
            max_length=len(self._prompt) + 6 + int(_TOKENS_PER_S * seconds),
            return_no_speech_prob=True,
        )
        if result.no_speech_prob > _NOTHING_SAID:
            return ""
        words = self._text(result.sequences_ids[0]).strip()
        return words if any(map(str.isalnum, words)) else ""

    def _text(self, tokens: Sequence[int]) -> str:
        """What token ids spell; those of no words, such as time stamps, spell nothing."""
        known = self._pieces_of_words
        return b"".join(known[t] for t in tokens if t < len(known)).decode("utf-8", "replace")


def _bytes(token: str) -> bytes:
    """The bytes that a token of a vocabulary stands for."""
    return bytes(_BYTES[letter] for letter in token)


def _pieces(audio: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """`audio` in pieces the encoder can take; where it is cut depends on earlier audio only."""
    pieces, window = [], round(_CUT_WINDOW_S * SAMPLE_RATE_HZ)
    first, end = round(_CUT_FROM_S * SAMPLE_RATE_HZ), round(_CUT_TO_S * SAMPLE_RATE_HZ)
    while len(audio) > end:
        power = np.cumsum(np.square(audio[first:end], dtype=np.float64))
        cut = first + int(np.argmin(power[window:] - power[:-window])) + window // 2
        pieces.append(audio[:cut])
        audio = audio[cut:]
    return [*pieces, audio]


def _not_loadable(folder: Path, why: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The speech recognition model in {folder} cannot be loaded ({why})",
        remedy="close other programs, or fetch it again with `pads models fetch`",
    )
