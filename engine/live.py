"""What the engine's worker thread works with: models, decoder, source, conversation.

One chunk of audio goes: source → ring → `Turns.hear` (turn end, transcript, dialogue act,
gate) → `Replies` (branch, commit) → decoder process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import commands, events, paths
from engine.audio.devices import list_inputs
from engine.audio.keeping import SoundKeeper
from engine.audio.levels import LevelMeter
from engine.audio.replay import Replay
from engine.audio.returning import ReturningMicrophone
from engine.audio.ring import Ring
from engine.audio.sources import Source
from engine.clock import SAMPLE_RATE_HZ, SampleClock
from engine.errors import PadsError
from engine.records import provenance
from engine.records.recorder import Recorder
from engine.settings import DecoderSettings, Settings
from engine.speculation import client, starting
from engine.store.fetching import locate
from engine.telemetry import target
from engine.trigger.judging import Judge, ModelFiles
from engine.trigger.replies import Replies
from engine.trigger.sound_check import SoundCheck
from engine.trigger.turn_audio import CHUNK
from engine.trigger.turns import Turns
from engine.voice.voice import Voice

_IDLE_S = 0.01  # how long a waiting worker may be late for a command or a token


class Ended(Exception):
    """The session stops while its engine still loads."""


class Engine:
    """Models, decoder, source and conversation; lives in the worker thread."""

    def __init__(
        self, settings: Settings, post: Recorder, stack: ExitStack, stopping: threading.Event
    ) -> None:
        began_s = time.monotonic()
        self._settings, self._post = settings, post
        self._clock, self._ring = SampleClock(), Ring()
        self._source: Source | None = None
        self._warning: str | None = None
        self._meter, self._lost_blocks = LevelMeter(), 0
        self._check: SoundCheck | None = None
        self._conversing = True
        self._sound = SoundKeeper(post.folder, post)
        stack.callback(self._close_source, "closed")
        self._stopping = stopping
        self._start_decoder(settings.decoder)  # loads beside the listening models
        stack.callback(self._end_decoder)
        post.describe(_circumstances(settings))
        self._judge = Judge(ModelFiles.installed(), settings.speech, self._progress)
        stack.callback(self._judge.close)
        self._progress("Loading the language model", 0.7)
        details = {"decoder": starting.ready(self._decoder, stopping, self._decoder_progress)}
        self._voice = Voice(post, self._now_s)
        stack.callback(self._voice.close)
        self._voice.apply(settings.voice)
        self._replies = Replies(
            self._decoder, self._clock, post, settings.decoder, settings.gate, self._voice
        )
        self._turns = self._conversation()
        self._tell_ready(began_s, details)

    def obey(self, command: Any) -> None:
        """Carry out one command."""
        match command:
            case commands.OpenFile(path=path, aloud=aloud):
                self._open(lambda: Replay(Path(path), self._ring, self._clock, aloud=aloud))
            case commands.OpenMicrophone(name=name):
                self._open(lambda: ReturningMicrophone(name, self._ring, self._clock))
            case commands.CheckMicrophone(name=name):
                self._open(lambda: ReturningMicrophone(name, self._ring, self._clock), check=True)
            case commands.SaySomething():
                self._begin_test()
            case commands.ListInputs():
                self._post(list_inputs(self._now_s()))
            case commands.CloseSource():
                self._close_source("closed")
            case commands.SwitchPads(on=on):
                self._apply(replace(self._settings, pads=on))
            case commands.SwitchVoice(on=on, listening=listening):
                voice = replace(self._settings.voice, enabled=on, listening=listening)
                self._apply(replace(self._settings, voice=voice))
            case commands.SwitchModel():
                self._switch_model(command)
            case commands.RecordSound(on=on):
                self._sound.switch(on)
            case commands.ResetConversation():
                self._replies.forget(self._clock)
            case commands.ApplySettings(settings=settings):
                now = self._settings
                voice = replace(
                    settings.voice, enabled=now.voice.enabled, listening=now.voice.listening
                )
                self._apply(replace(settings, pads=now.pads, voice=voice))

    def step(self) -> None:
        """Hear what has arrived, or wait a moment for it; take the decoder's reports."""
        if self._ring.wait(CHUNK, _IDLE_S):
            chunk = self._ring.read(CHUNK)
            if chunk is not None:
                self._hear(chunk)
        self._replies.poll()
        self._feel()
        if self._source is not None:
            self._watch(self._source)

    def _hear(self, chunk: NDArray[np.float32]) -> None:
        level = self._meter.update(chunk)
        self._post.show(
            events.LevelRead(
                rms_dbfs=level.rms_dbfs,
                peak_dbfs=level.peak_dbfs,
                held_dbfs=level.held_dbfs,
                clipping=level.clipping,
            )
        )
        if self._check is None:
            self._sound.hear(chunk, self._ring.read_samples / SAMPLE_RATE_HZ)
            self._turns.hear(chunk)
            return
        self._check.hear(chunk, self._ring.read_samples)
        if self._conversing and not self._check.testing:
            self._check = None
            self._turns.resume(self._ring.read_samples)

    def _feel(self) -> None:
        """Look now and then whether the processor is hot, and tell when that changes."""
        heat = self._judge.heat
        if heat.look():
            heard_s = 0.0 if self._source is None else self._now_s()
            self._post(
                events.SpeculationRested(heard_s=heard_s, resting=heat.hot, reason=heat.reason)
            )

    def _begin_test(self) -> None:
        """Let the say-something test hear instead of the conversation, for its three seconds."""
        if self._source is None:
            return
        if self._check is None:
            self._sound.end()
            self._turns.close()
            self._check = SoundCheck(self._judge.predictor, self._post)
        self._check.begin_test()

    def _watch(self, source: Source) -> None:
        """Say once what is the matter with a source, and that it is over; close an ended one."""
        lost_blocks = self._ring.dropped_blocks + source.overflows
        if lost_blocks > self._lost_blocks:
            fresh, self._lost_blocks = lost_blocks - self._lost_blocks, lost_blocks
            self._post(events.BlocksDropped(heard_s=self._now_s(), blocks=fresh))
        if source.warning != self._warning:
            self._warning = source.warning
            if self._warning is not None:
                self._post(events.Problem(heard_s=self._now_s(), message=self._warning))
            else:
                self._post(events.SourceRecovered(heard_s=self._now_s(), name=source.name))
        if source.ended and self._turns.quiet and self._ring.unread < CHUNK:
            self._close_source(source.problem or "finished")

    def _open(self, make: Callable[[], Source], *, check: bool = False) -> None:
        self._close_source("closed")
        self._clock, self._ring, self._lost_blocks = SampleClock(), Ring(), 0
        self._meter = LevelMeter()
        try:
            source = make()
            self._replies.reset(self._clock)
            self._turns = self._conversation(by_microphone=source.kind == "microphone")
            self._conversing = not check
            self._check = SoundCheck(self._judge.predictor, self._post) if check else None
            source.start()
        except PadsError as exc:
            self._post(events.SourceEnded(heard_s=0.0, reason=str(exc)))
            return
        self._source, self._warning = source, None
        kind = events.CHECK if check else source.kind
        self._post(
            events.SourceOpened(heard_s=0.0, name=source.name, kind=kind, seconds=source.seconds)
        )

    def _close_source(self, reason: str) -> None:
        source, self._source = self._source, None
        if source is None:
            return
        source.close()
        self._ring = Ring()  # what it brought and nobody heard yet belongs to no conversation
        self._turns.close()
        self._sound.end()
        self._post(events.SourceEnded(heard_s=self._now_s(), reason=reason))

    def break_off(self, sentence: str) -> None:
        """End the conversation because of an error; what it knew of the turn is not trusted."""
        source, self._source = self._source, None
        if source is None:
            self._post(events.Problem(heard_s=0.0, message=sentence))
            return
        source.close()
        self._sound.end()
        self._post(events.SourceEnded(heard_s=self._now_s(), reason=sentence))

    def _conversation(self, *, by_microphone: bool = False) -> Turns:
        return Turns(
            self._judge,
            self._replies,
            self._clock,
            self._post,
            self._settings,
            by_microphone=by_microphone,
        )

    def _apply(self, settings: Settings) -> None:
        self._settings = self._turns.settings = settings
        self._judge.predictor.settings = settings.speech
        self._voice.apply(settings.voice)
        heard_s = 0.0 if self._source is None else self._now_s()
        self._post(events.SettingsApplied(heard_s=heard_s, settings=asdict(settings)))

    def tell_model(self, problem: str = "") -> None:
        """Say which language model answers, and perhaps why it is not another."""
        model, exit_layer = self._decoding.model, self._decoding.exit_layer
        self._post(
            events.ModelSwitched(heard_s=0.0, model=model, exit_layer=exit_layer, problem=problem)
        )

    def _tell_ready(self, began_s: float, details: dict[str, Any]) -> None:
        self._post.describe(details)
        elapsed_ms = (time.monotonic() - began_s) * 1000
        self._post(events.EngineReady(heard_s=0.0, elapsed_ms=elapsed_ms, details=details))

    def _switch_model(self, wanted: commands.SwitchModel) -> None:
        """End the conversation and start another model, or again the one that ran before.

        Raises `PadsError` when neither can be started.
        """
        began_s, before, problem = time.monotonic(), self._decoding, ""
        self._close_source("closed")
        settings = with_model(self._settings, wanted)
        try:
            details = self._restarted(settings.decoder)
            self._settings = self._turns.settings = settings
        except PadsError as exc:
            problem = str(exc)
            details = self._restarted(before)
        self._replies.answer_with(self._decoder)
        self.tell_model(problem)
        self._tell_ready(began_s, {"decoder": details})

    def _restarted(self, chosen: DecoderSettings) -> dict[str, Any]:
        self._end_decoder()  # first: two models may not fit into the memory
        self._start_decoder(chosen)
        return starting.ready(self._decoder, self._stopping, self._decoder_progress)

    def _end_decoder(self) -> None:
        self._decoder.close()

    def _start_decoder(self, chosen: DecoderSettings) -> None:
        cache = paths.cache() / "halves"
        self._decoder = client.DecoderProcess(chosen, locate(chosen.model), cache)
        self._decoding = chosen
        self._decoder.start()

    def _decoder_progress(self, step: str, fraction: float) -> None:
        self._progress(step, 0.7 + 0.3 * fraction)

    def _progress(self, step: str, fraction: float) -> None:
        if self._stopping.is_set():
            raise Ended
        self._post(events.EngineProgress(heard_s=0.0, step=step, fraction=fraction))

    def _now_s(self) -> float:
        return self._clock.heard_s(time.monotonic())


def with_model(settings: Settings, wanted: commands.SwitchModel) -> Settings:
    """The settings with the language model that is asked for."""
    decoder = replace(settings.decoder, model=wanted.model, exit_layer=wanted.exit_layer)
    return replace(settings, decoder=decoder)


def _circumstances(settings: Settings) -> dict[str, Any]:
    """What a session's record tells besides its events."""
    return {
        "machine": target.describe().record(),
        "code": provenance.code(),
        "environment": provenance.environment(),
        "settings": asdict(settings),
    }
