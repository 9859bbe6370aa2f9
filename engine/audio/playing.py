"""A sound file through the loudspeaker, in a thread of its own: opening takes up to a second."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import soundfile

from engine.audio.playback import Playback
from engine.errors import AudioUnavailable

_AHEAD_S = 0.5
_WAIT_S = 0.05


class Player:
    """Plays `file` from `from_s` on; `problem` is the sentence of an error once it `ended`."""

    def __init__(self, file: Path, from_s: float = 0.0) -> None:
        self._file, self._from_s = file, from_s
        self._played_s = 0.0
        self.problem = ""
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="player", daemon=True)
        self._thread.start()

    @property
    def at_s(self) -> float:
        """Which moment of the file sounds now."""
        return self._from_s + self._played_s

    @property
    def ended(self) -> bool:
        """Has it fallen silent?"""
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Fall silent."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            playback = Playback()
        except AudioUnavailable as exc:
            self.problem = str(exc)
            return
        try:
            self._feed(playback)
        except (OSError, soundfile.LibsndfileError) as exc:
            self.problem = f"{self._file.name} cannot be played ({exc}): it may have been deleted"
        finally:
            playback.close()

    def _feed(self, playback: Playback) -> None:
        """Keep half a second of sound ahead of the loudspeaker until all of it has sounded."""
        with soundfile.SoundFile(self._file) as sound:
            sound.seek(min(round(self._from_s * sound.samplerate), sound.frames))
            more = True
            while not self._stopping.wait(_WAIT_S) and not playback.stuck:
                self._played_s = playback.played_samples / playback.rate_hz
                ahead_s = playback.written_samples / playback.rate_hz - self._played_s
                if more and ahead_s < _AHEAD_S:
                    block = sound.read(sound.samplerate, dtype="float32", always_2d=True)
                    more = len(block) > 0
                    mono = np.ascontiguousarray(block.mean(axis=1, dtype=np.float32))
                    if more:
                        playback.write(playback.at_own_rate(mono, sound.samplerate))
                elif not more and ahead_s <= 0:
                    return
