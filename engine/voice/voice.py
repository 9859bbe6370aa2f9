"""The voice: speaks the served reply, falls silent at once, and knows what was heard of it."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.audio.playback import Playback
from engine.errors import AudioUnavailable, PadsError
from engine.events import Event, Problem, VoiceSpoke, VoiceStarted, VoiceStopped
from engine.settings import VoiceSettings
from engine.voice.speaker import Speaker
from engine.voice.utterance import Sentence, Utterance

log = logging.getLogger(__name__)

TAIL_S = 0.5
"""How long after its last sound the voice may still be heard: device, room, microphone."""

_BREATH_S = 0.15  # silence after a sentence
_IDLE_S = 20.0  # an output stays open so long unused; while it is, PortAudio sees no new device
_WAIT_S = 0.05


class Voice:
    """One reply at a time, spoken in a thread of its own; mute without `settings.enabled`.

    Public methods belong to the engine's thread and return at once, but for `close` and `apply`,
    which wait for the thread. `now_s` places events on the conversation's axis.
    """

    def __init__(self, post: Callable[[Event], None], now_s: Callable[[], float]) -> None:
        self._post, self._now_s = post, now_s
        self._settings = VoiceSettings()
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()
        # Under the condition's lock; what waits is bounded by the length of a reply.
        self._waiting: deque[tuple[Utterance, Sentence]] = deque()
        self._saying: Utterance | None = None
        self._busy = self._failed = self._closing = False
        self._problems: deque[str] = deque(maxlen=4)
        self._held = False
        self._wanted_until_s = self._began_s = float("-inf")
        self._told = 0
        # The thread's; others look at them once, since they may go at any moment.
        self._playback: Playback | None = None
        self._speaker: Speaker | None = None
        self._past_underruns = self._late_before = 0

    @property
    def speaking(self) -> bool:
        """Whether a reply is being spoken, or waits to be."""
        return self._saying is not None

    @property
    def underruns(self) -> int:
        """Blocks of sound that came too late for the loudspeaker."""
        playback = self._playback
        return self._past_underruns + (playback.underruns if playback is not None else 0)

    def audible(self, wall_s: float) -> bool:
        """Whether the voice, or its tail in the room, sounded at this monotonic time."""
        playback = self._playback
        return playback is not None and self._began_s <= wall_s < playback.sounded_s + TAIL_S

    def apply(self, settings: VoiceSettings) -> None:
        """Use other settings from now on; what is being said ends, if they change the voice."""
        if settings == replace(self._settings, listening=settings.listening):
            return
        self.close()
        self._settings = settings
        if settings.enabled:
            self._closing = False
            self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Fall silent, end the synthesiser and close the output; harmless when repeated."""
        self.cut()
        with self._changed:
            self._closing = True
            self._changed.notify()
            speaker = self._speaker
        if speaker is not None:
            speaker.stop()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def prepare(self) -> None:
        """A reply may come soon: have the output open by then."""
        with self._changed:
            self._wanted_until_s = time.monotonic() + _IDLE_S
            self._changed.notify()

    def say(self, turn: int, piece: str) -> None:
        """Speak more of the reply to `turn`."""
        if self._thread is None or not self._thread.is_alive():
            return
        with self._changed:
            if self._saying is None:
                self._saying = Utterance(turn)
                self._told, self._failed, self._began_s = 0, False, float("inf")
            self._add(self._saying, self._saying.add(piece))

    def end(self) -> None:
        """The reply has no more text."""
        with self._changed:
            if self._saying is not None:
                self._add(self._saying, self._saying.end())

    def _add(self, utterance: Utterance, sentences: list[Sentence]) -> None:
        self._waiting.extend((utterance, sentence) for sentence in sentences)
        self._changed.notify()

    def hold(self, held: bool) -> None:
        """Fall silent (`held`), or go on from there."""
        self._held, playback = held, self._playback
        if playback is not None:
            playback.held = held

    def cut(self) -> int:
        """End the reply; how many of the characters handed over have been heard."""
        return self._end("interrupted")

    def poll(self) -> None:
        """Post what has happened since."""
        while self._problems:
            self._post(Problem(heard_s=self._now_s(), message=self._problems.popleft()))
        saying = self._saying
        if saying is None:
            return
        with self._changed:
            heard, played = self._heard(saying), self._played()
            done = saying.ended and not self._waiting and not self._busy
        if self._began_s == float("inf") and saying.begun(played):
            self._began_s = time.monotonic()
            speaker = self._speaker
            name = speaker.name(saying) if speaker is not None else ""
            self._post(VoiceStarted(heard_s=self._now_s(), turn=saying.turn, engine=name))
        if heard > self._told:
            self._told, spoken = heard, saying.text[:heard]
            self._post(VoiceSpoke(heard_s=self._now_s(), turn=saying.turn, spoken=spoken))
        if self._failed or (self._thread is not None and not self._thread.is_alive()):
            self._end("failed")
        elif done and played >= saying.end_sample:
            self._end("finished")

    def _end(self, reason: str) -> int:
        with self._changed:
            saying, self._saying = self._saying, None
            if saying is None:
                return 0
            self._waiting.clear()
            heard, playback = self._heard(saying), self._playback
            if playback is not None:
                playback.clear()
        late, self._late_before = self.underruns - self._late_before, self.underruns
        self._post(
            VoiceStopped(
                heard_s=self._now_s(),
                turn=saying.turn,
                spoken=saying.text[:heard],
                reason=reason,
                late_blocks=late,
            )
        )
        return heard

    def _played(self) -> int:
        playback = self._playback
        return playback.played_samples if playback is not None else 0

    def _heard(self, saying: Utterance) -> int:
        return saying.heard(self._played())

    def _run(self) -> None:
        try:
            self._speaker = speaker = Speaker(self._settings, self._problems.append)
            while not self._closing and not speaker.mute:
                self._step(speaker)
        except PadsError as exc:
            if not self._closing:
                self._problems.append(str(exc))
        except Exception as exc:  # a thread's root: the reply stays written
            log.exception("the voice stopped")
            self._problems.append(f"The voice stopped ({exc}): switch it off and on again")
        finally:
            self._close_playback()
            if self._speaker is not None:
                self._speaker.close()
            self._speaker = None

    def _step(self, speaker: Speaker) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._closing or bool(self._waiting), _WAIT_S)
            wanted = self.speaking or time.monotonic() < self._wanted_until_s
            job = self._waiting.popleft() if self._waiting else None
            self._busy = job is not None
        try:
            if not wanted:
                self._close_playback()
            elif self._playback is not None and self._playback.stuck:
                self._close_playback()
                raise AudioUnavailable(
                    "The loudspeaker stopped taking sound",
                    remedy="check the output in the system's sound settings",
                )
            elif not self._closing and not self._failed:
                self._open_playback()
                if job is not None:
                    self._speak(speaker, *job)
        except PadsError as exc:
            self._failed = True
            self._wanted_until_s = float("-inf")
            if not self._closing:
                self._problems.append(str(exc))
        finally:
            self._busy = False

    def _open_playback(self) -> None:
        if self._playback is None:
            playback = Playback()
            playback.held = self._held
            self._playback = playback

    def _close_playback(self) -> None:
        playback, self._playback = self._playback, None
        if playback is not None:
            self._past_underruns += playback.underruns
            playback.close()

    def _speak(self, speaker: Speaker, utterance: Utterance, sentence: Sentence) -> None:
        assert self._playback is not None
        samples, rate_hz = speaker.speak(utterance, sentence.text)
        breath = np.zeros(round(_BREATH_S * self._playback.rate_hz), np.float32)
        left = np.concatenate((self._playback.at_own_rate(samples, rate_hz), breath))
        with self._changed:
            if self._saying is not utterance:
                return
            first = self._playback.written_samples
            utterance.sounds(sentence, first, first + len(left) - len(breath))
        self._write(utterance, left)

    def _write(self, utterance: Utterance, left: NDArray[np.float32]) -> None:
        assert self._playback is not None
        while len(left):
            with self._changed:
                if self._saying is not utterance or self._closing or self._playback.stuck:
                    return
                left = left[self._playback.write(left) :]
                if len(left):
                    self._changed.wait(_WAIT_S)
