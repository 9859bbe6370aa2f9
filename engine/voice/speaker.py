"""Who speaks: the synthesiser that was chosen, or what takes its place when it fails."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.errors import VoiceUnavailable
from engine.settings import VoiceSettings
from engine.voice.piper import TRIES, Piper
from engine.voice.synthesis import Espeak, Synthesiser, find
from engine.voice.utterance import Utterance


class Speaker:
    """The synthesiser of `settings`. A reply for which Piper fails is spoken by espeak-ng, if
    either may speak, else stays written; the next one is Piper's again, until it is given up.

    `tell` gets a sentence when another speaks. Raises `VoiceUnavailable` when none is here.
    """

    def __init__(self, settings: VoiceSettings, tell: Callable[[str], None]) -> None:
        self._either = settings.engine == "auto"
        self._tell = tell
        self._chosen = find(settings)
        self._substitute: tuple[Utterance, Espeak] | None = None
        self._stopped = False

    @property
    def mute(self) -> bool:
        """Whether nothing will be spoken any more."""
        return isinstance(self._chosen, Piper) and self._chosen.given_up

    def name(self, reply: Utterance) -> str:
        """Who speaks this reply."""
        return self._speaking(reply).name

    def speak(self, reply: Utterance, text: str) -> tuple[NDArray[np.float32], int]:
        """Speech of `text`, as a synthesiser gives it; raises `VoiceUnavailable`."""
        speaking = self._speaking(reply)
        try:
            return speaking.speak(text)
        except VoiceUnavailable as exc:
            if self._stopped or not isinstance(speaking, Piper):
                raise
            return self._instead(speaking, exc, reply).speak(text)

    def _speaking(self, reply: Utterance) -> Synthesiser:
        substitute = self._substitute
        return substitute[1] if substitute is not None and substitute[0] is reply else self._chosen

    def _instead(self, piper: Piper, exc: VoiceUnavailable, reply: Utterance) -> Espeak:
        """Who speaks the reply in its place; `VoiceUnavailable` says that nobody does."""
        thing = f"{exc.thing}, {TRIES} times in a row," if piper.given_up else f"{exc.thing},"
        try:
            espeak = Espeak() if self._either else None
        except VoiceUnavailable:
            espeak = None
        if espeak is None and piper.given_up:
            raise VoiceUnavailable(
                f"{thing} so replies stay written",
                remedy=f"{exc.remedy}, then switch the voice off and on",
            ) from exc
        if espeak is None:
            raise VoiceUnavailable(
                f"{thing} so this reply stays written, and the next is spoken again",
                remedy=f"{exc.remedy}, if that goes on",
            ) from exc
        if piper.given_up:
            piper.close()
            self._chosen = espeak
            self._tell(f"{thing} so espeak-ng speaks from now on: {exc.remedy}")
        else:
            self._substitute = (reply, espeak)
            self._tell(f"{thing} so espeak-ng speaks this reply: {exc.remedy}, if that goes on")
        return espeak

    def stop(self) -> None:
        """Have a sentence under way fail, and no other begin; may be called from any thread."""
        self._stopped = True
        self._chosen.stop()

    def close(self) -> None:
        """End what is running."""
        self._chosen.close()
