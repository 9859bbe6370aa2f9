"""One conversation's turns: chunk by chunk from hearing to gate to commit."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ, SampleClock
from engine.events import (
    AudioHeard,
    DialogueActJudged,
    Event,
    GateDecided,
    StateChanged,
    Transcribed,
    TurnDropped,
    TurnEndEstimated,
    TurnState,
)
from engine.settings import Settings
from engine.trigger import backchannel, gate
from engine.trigger.commit import RULES
from engine.trigger.endpointing import Boundary, Endpointer
from engine.trigger.judging import Judge, Judgement
from engine.trigger.partials import stable_prefix
from engine.trigger.replies import Replies
from engine.trigger.turn_audio import CHUNK, TurnAudio


class Turns:
    """The turn's state machine. Lives in the engine's worker thread."""

    def __init__(
        self,
        judge: Judge,
        replies: Replies,
        clock: SampleClock,
        post: Callable[[Event], None],
        settings: Settings,
        *,
        by_microphone: bool,
    ) -> None:
        """`by_microphone`: what is heard may hold what the loudspeaker plays."""
        self._judge, self._replies, self._clock, self._post = judge, replies, clock, post
        self.settings, self.by_microphone = settings, by_microphone
        self._endpointer = Endpointer(settings.speech, RULES[settings.gate.patience].longest_ms)
        self._audio = TurnAudio()
        self._chunks = 0
        self._turn = 0
        self._text, self._p_deep, self._backchannel = "", 0.0, False
        self._so_far, self._sure = "", ""  # the newest transcript, and its stable part
        self._read: str | None = None  # what the decoder's shallow layers know of it
        self._state = TurnState.LISTENING
        judge.predictor.reset()

    @property
    def quiet(self) -> bool:
        """No turn is open and no reply under way or being spoken."""
        return not self._endpointer.in_turn and self._replies.quiet

    def hear(self, chunk: NDArray[np.float32]) -> None:
        """Take the next 512 samples."""
        start_s = self._chunks * CHUNK / SAMPLE_RATE_HZ
        self._chunks += 1
        end_s = self._chunks * CHUNK / SAMPLE_RATE_HZ
        predictor = self._judge.predictor
        heard = np.zeros_like(chunk) if self._overheard(end_s) else chunk
        p_end = predictor.update(heard)
        self._judge.keep_up()
        self._audio.keep(heard, in_turn=self._endpointer.in_turn)
        self._post(
            AudioHeard(
                heard_s=end_s,
                low=float(chunk.min()),
                high=float(chunk.max()),
                p_speech=predictor.p_speech,
                speech=predictor.speech,
            )
        )
        self._post(TurnEndEstimated(heard_s=end_s, p_end=p_end))
        match self._endpointer.update(start_s, end_s, predictor.speech):
            case Boundary.TURN_STARTED:
                self._replies.voice.prepare()
                self._turn += 1
                self._text, self._backchannel = "", False
                self._so_far, self._sure, self._read = "", "", None
                self._enter(TurnState.SPEAKING, end_s)
            case Boundary.SPEECH_RESUMED:
                self._replies.discard("speech went on")
                self._enter(TurnState.SPEAKING, end_s)
            case Boundary.PAUSE_STARTED:
                self._pause(end_s)
            case Boundary.COMMIT_DUE:
                self._commit(end_s)
        self._listen_ahead(end_s)
        # A voice that is spoken to falls silent before it is sure that this will be a turn.
        self._replies.voice.hold(predictor.speech or self._state is TurnState.SPEAKING)
        if self._state is TurnState.REPLYING and self._replies.quiet:
            self._enter(TurnState.LISTENING, end_s)

    @property
    def _pads(self) -> bool:
        """Whether work may be done ahead: the user's switch, and a processor that is not hot."""
        return self.settings.pads and not self._judge.heat.hot

    def _overheard(self, end_s: float) -> bool:
        """Whether the chunk up to `end_s` holds the application's own voice, from a loudspeaker."""
        if not (self.by_microphone and self.settings.voice.listening == "speaker"):
            return False
        return self._replies.voice.audible(self._clock.wall_s(end_s))

    def resume(self, heard_samples: int) -> None:
        """Go on after `heard_samples` of the source, some of which were heard elsewhere."""
        self._chunks = heard_samples // CHUNK
        self._audio.clear()
        self._judge.predictor.reset()

    def close(self) -> None:
        """The source ended: an open turn can no longer be finished, nor a reply under way."""
        self._replies.stop()
        if self._endpointer.in_turn:
            self._endpointer.reset()
            self._drop("the sound ended before the turn did")

    def _listen_ahead(self, end_s: float) -> None:
        """While someone speaks: tell the words so far, and let the decoder read the sure ones."""
        partial = self._judge.partial()
        if self._state is not TurnState.SPEAKING or not self.settings.speech.partials:
            return
        late_s = time.monotonic() - self._clock.wall_s(end_s)
        self._judge.listen_ahead(self._turn, self._audio, late_s)
        if partial is not None and partial.turn == self._turn:
            self._tell_words(partial.text, partial.elapsed_ms, end_s, final=False)
            self._sure = stable_prefix(self._so_far, partial.text)
            self._so_far = partial.text
        unread = self._read is None or not self._read.startswith(self._sure)
        if unread and self._pads and self._replies.idle:
            self._replies.prefill(self._turn, self._sure)
            self._read = self._sure

    def _pause(self, end_s: float) -> None:
        onset_s = self._endpointer.onset_s
        self._enter(TurnState.PAUSING, end_s)
        judgement = self._judge.judge(self._audio.speech(end_s - onset_s))
        p_deep = judgement.verdict.p_deep if judgement.verdict else 0.0
        self._text = self._so_far = judgement.text
        self._p_deep = p_deep
        self._backchannel = self._gives_no_floor(judgement.text)
        if judgement.text and not self._backchannel:
            self._replies.interrupt()
        rule = RULES[self.settings.gate.patience]
        self._endpointer.commit_ms = rule.commit_ms(self._judge.predictor.p_end_after)
        self._tell(judgement, end_s)
        decision = gate.decide(
            judgement.p_end,
            p_deep,
            self.settings.gate,
            pads=self.settings.pads,
            free=self._replies.idle,
            words=bool(judgement.text),
            backchannel=self._backchannel,
            hot=self._judge.heat.hot,
        )
        self._post(
            GateDecided(
                heard_s=end_s,
                turn=self._turn,
                onset_s=onset_s,
                p_end=judgement.p_end,
                p_deep=p_deep,
                theta_end=self.settings.gate.theta_end,
                theta_deep=self.settings.gate.theta_deep,
                triggered=decision.triggered,
                reason=decision.reason,
                gate_ms=(time.monotonic() - self._clock.wall_s(onset_s)) * 1000,
            )
        )
        if decision.triggered:
            self._replies.speculate(self._turn, judgement.text, p_deep)
        elif self._pads and judgement.text and self._replies.idle:
            self._replies.prefill(self._turn, judgement.text)
            self._read = judgement.text

    def _gives_no_floor(self, text: str) -> bool:
        began_s = self._endpointer.started_s
        return backchannel.gives_no_floor(
            text,
            self._endpointer.onset_s - began_s,
            replying=self._replies.holds_floor(began_s),
            asked=self._replies.asked,
        )

    def _tell(self, judgement: Judgement, end_s: float) -> None:
        self._post(TurnEndEstimated(heard_s=end_s, p_end=judgement.p_end))
        self._tell_words(judgement.text, judgement.transcription_ms, end_s, final=True)
        if (verdict := judgement.verdict) is not None:
            self._post(
                DialogueActJudged(
                    heard_s=end_s,
                    turn=self._turn,
                    act=verdict.act,
                    p_act=verdict.p_act,
                    p_deep=verdict.p_deep,
                )
            )

    def _tell_words(self, text: str, elapsed_ms: float, end_s: float, *, final: bool) -> None:
        self._post(
            Transcribed(
                heard_s=end_s, turn=self._turn, text=text, final=final, elapsed_ms=elapsed_ms
            )
        )

    def _commit(self, end_s: float) -> None:
        if not self._text:
            self._drop("nothing was understood")
            return
        if self._backchannel:
            self._drop("only a back-channel")
            return
        self._enter(TurnState.REPLYING, end_s)
        self._replies.commit(
            self._turn,
            self._text,
            self._p_deep,
            onset_s=self._endpointer.onset_s,
            heard_s=end_s,
        )

    def _drop(self, reason: str) -> None:
        heard_s = self._chunks * CHUNK / SAMPLE_RATE_HZ
        wasted_ms = self._replies.ledger.turn(self._turn).wasted_ms
        self._post(
            TurnDropped(heard_s=heard_s, turn=self._turn, wasted_ms=wasted_ms, reason=reason)
        )
        self._enter(TurnState.LISTENING if self._replies.quiet else TurnState.REPLYING, heard_s)

    def _enter(self, state: TurnState, heard_s: float) -> None:
        self._state = state
        self._post(StateChanged(heard_s=heard_s, turn=self._turn, state=state))
