"""Conversations that lost a defence. Products are imported where a break is made."""

from __future__ import annotations

import math
from typing import Any

from tests.faults.breaking import HERE, Patches, Red

HOST = "engine.speculation.host"


def a_dead_decoder_is_not_started_again(_: str) -> Patches:
    from engine.errors import ModelUnavailable
    from engine.speculation.client import DecoderProcess

    bury = DecoderProcess._bury

    def give_up(self: DecoderProcess, reason: str) -> None:
        bury(self, reason)
        self._refused = ModelUnavailable(reason, remedy="")

    return [(DecoderProcess, "_bury", give_up)]


def a_hanging_decoder_is_not_noticed(_: str) -> Patches:
    from engine.speculation.client import DecoderProcess

    begin = DecoderProcess.__init__

    def wait_for_ever(self: DecoderProcess, *arguments: Any, **named: Any) -> None:
        begin(self, *arguments, **named, hang_s=math.inf)

    return [(DecoderProcess, "__init__", wait_for_ever)]


def an_error_ends_the_engine(_: str) -> Patches:
    from engine.session import Session

    def without_a_net(self: Session, post: Any, running: Any) -> bool:
        self._work(self._start_engine(post, running), post)
        return True

    return [(Session, "_work_with_one", without_a_net)]


def a_replay_that_breaks_off_seems_to_end(_: str) -> Patches:
    from engine.audio.replay import Replay

    break_off = Replay._break_off

    def end(self: Replay, why: Any) -> None:
        break_off(self, why)
        self.problem = None

    return [(Replay, "_break_off", end)]


def an_error_ends_the_keeper(_: str) -> Patches:
    from engine.speculation.client import DecoderProcess

    live = DecoderProcess._live

    def end(self: DecoderProcess, errors: Any) -> str:
        try:
            return live(self, errors)
        except RuntimeError:
            self._closing.set()
            self._let_go()
            return ""

    return [(DecoderProcess, "_live", end)]


def sound_is_expected_to_be_finite(_: str) -> Patches:
    import numpy as np

    from engine.audio import decoding, sources

    def mono(frames: Any) -> Any:
        if not np.isfinite(frames).all():
            raise ValueError("it is not finite")
        return frames[:, 0]

    return [(module, "mono", mono) for module in (sources, decoding)]


def zeros_are_taken_for_the_end(_: str) -> Patches:
    from engine.audio.decoding import Decoding

    read = Decoding.read

    def stop_at_zeros(self: Decoding, count: int) -> Any:
        samples = read(self, count)
        return samples if samples.any() else samples[:0]

    return [(Decoding, "read", stop_at_zeros)]


def loud_sound_mutes_what_follows(_: str) -> Patches:
    from engine.audio.decoding import Decoding

    read = Decoding.read

    def mute(self: Any, count: int) -> Any:
        samples = read(self, count)
        if samples.any() and abs(samples).max() > 0.99:
            self.overloaded = True
        return samples * (not getattr(self, "overloaded", False))

    return [(Decoding, "read", mute)]


def recordings_are_not_resampled(_: str) -> Patches:
    from engine.audio.replay import Replay

    return [(Replay, "_resampled", lambda self: self._frames())]


def a_microphone_never_returns(_: str) -> Patches:
    from engine.audio.returning import ReturningMicrophone

    return [(ReturningMicrophone, "_returned", lambda self: False)]


def a_voice_does_not_speak_again(_: str) -> Patches:
    from engine.voice.voice import Voice

    say = Voice.say

    def keep_silent(self: Voice, turn: int, piece: str) -> None:
        if not self._failed:
            say(self, turn, piece)

    return [(Voice, "say", keep_silent)]


def a_dead_piper_is_not_started_again(_: str) -> Patches:
    from engine.voice.piper import Piper

    return [(Piper, "_begin_again", lambda self: None)]


def a_decoder_takes_a_gigabyte_and_is_not_started_again(place: str) -> Patches:
    if place == HERE:
        return a_dead_decoder_is_not_started_again(place)
    from engine.speculation.decoder import Decoder

    decode = Decoder.decode

    def greedily(self: Decoder, *arguments: Any) -> Any:
        for step in decode(self, *arguments):
            bytearray(2**30)
            yield step

    return [(Decoder, "decode", greedily)]


def a_turn_that_failed_seems_answered(_: str) -> Patches:
    from engine.trigger.replies import Replies

    def end(self: Replies, branch: Any, message: str) -> None:
        if branch is self._live:
            self.discard(message)
        else:
            self._finish("eos")

    return [(Replies, "_failed", end)]


_STATES = ("listening", "speaking", "pausing", "replying")

RED: tuple[Red, ...] = (
    *(
        Red(f"decoder-{name}-{state}", a_dead_decoder_is_not_started_again, "heard and answered")
        for name in ("sigkill", "sigsegv", "sigabrt")
        for state in _STATES
    ),
    *(
        Red(f"decoder-sigstop-{state}", a_hanging_decoder_is_not_noticed, "nobody noticed")
        for state in _STATES
    ),
    *(
        Red(
            f"thread-{where}",
            an_error_ends_the_engine,
            "ended as if nothing had happened",
            quick=where == "engine-listening",
        )
        for where in ("engine-listening", "engine-pausing", "turn-ends-helper-speaking")
    ),
    Red(
        "thread-replay-speaking",
        a_replay_that_breaks_off_seems_to_end,
        "ended as if nothing had happened",
    ),
    Red(
        "thread-decoders-keeper-listening",
        an_error_ends_the_keeper,
        "ended as if nothing had happened",
    ),
    Red(
        "sound-nan",
        sound_is_expected_to_be_finite,
        "cannot be played",
        places=(HERE, "engine.audio.decoding"),
    ),
    Red("sound-zeros", zeros_are_taken_for_the_end, "not understood", quick=True),
    Red("sound-noise", loud_sound_mutes_what_follows, "not understood"),
    *(
        Red(f"sound-{rate}-hz", recordings_are_not_resampled, "not understood")
        for rate in (8000, 44100)
    ),
    *(
        Red(case, a_microphone_never_returns, "it was lost, and never heard again")
        for case in (
            "microphone-returns",
            "microphone-returns-changed",
            "microphone-hangs",
            "microphone-thread-fails",
            "microphone-callback-fails",
        )
    ),
    Red("voice-killed", a_voice_does_not_speak_again, "it never spoke"),
    Red("voice-kept-killed", a_dead_piper_is_not_started_again, "of the next reply it spoke ''"),
    Red(
        "memory-none-decoder",
        a_decoder_takes_a_gigabyte_and_is_not_started_again,
        "instead of",
        places=(HERE, HOST),
    ),
    Red("decoder-always-dies", a_turn_that_failed_seems_answered, "1 turns got 1 replies; said ["),
)
