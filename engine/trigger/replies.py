"""From gate and commit to a reply that is served exactly once.

Owns the conversation's history, the one live branch, and the decoder's reports. Until a turn
is committed nothing of its branch leaves this module.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.clock import SampleClock
from engine.events import (
    BranchDiscarded,
    BranchStarted,
    DecoderStatus,
    DecoderWorked,
    Event,
    Problem,
    ReplyFinished,
    ReplyServed,
    TokenDecoded,
    TurnAccounted,
    TurnCommitted,
)
from engine.settings import DecoderSettings, GateSettings
from engine.speculation import client
from engine.trigger.branches import Branch
from engine.trigger.history import History
from engine.trigger.ledger import Ledger
from engine.voice.voice import Voice

_READING_S_A_WORD = 60 / 238  # silent reading of English prose (Brysbaert 2019)
_ATTEMPTS = 3  # a decoder that dies of the same turn every time must not be asked for ever


class Replies:
    """Speculative branches and served replies over one decoder process.

    `post` receives events in order. All methods belong to the engine's worker thread.
    """

    def __init__(
        self,
        decoder: client.DecoderProcess,
        clock: SampleClock,
        post: Callable[[Event], None],
        decoding: DecoderSettings,
        gate: GateSettings,
        voice: Voice,
    ) -> None:
        self.ledger, self.voice = Ledger(), voice
        self._decoder, self._clock, self._post = decoder, clock, post
        self._decoding, self._gate = decoding, gate
        self._history = History()
        self._jobs = 0
        self._live: Branch | None = None
        self._serving: Branch | None = None
        self._turns: dict[int, int] = {}  # of every job, for work reported after its end
        self._read_by_s = 0.0
        self._last_words = ""

    @property
    def idle(self) -> bool:
        """No reply is under way."""
        return self._serving is None

    @property
    def quiet(self) -> bool:
        """No reply is under way, nor being spoken."""
        return self._serving is None and not self.voice.speaking

    @property
    def asked(self) -> bool:
        """Whether the last reply, as far as it was given, ends with a question."""
        return self._last_words.rstrip().endswith("?")

    def holds_floor(self, heard_s: float) -> bool:
        """Whether at `heard_s` a reply was still being written, spoken, or read."""
        return not self.quiet or heard_s < self._read_by_s

    def reset(self, clock: SampleClock) -> None:
        """Start a new conversation on `clock`: history and any work under way are dropped."""
        self.stop()
        self._history.clear()
        self._read_by_s, self._last_words = 0.0, ""
        self._clock, self.ledger = clock, Ledger()
        self._turns.clear()

    def forget(self, clock: SampleClock) -> None:
        """`reset`, and have the decoder keep no more of the conversation than its beginning."""
        self.reset(clock)
        self.prefill(0, "")

    def answer_with(self, decoder: client.DecoderProcess) -> None:
        """Begin a new conversation with another decoder."""
        self.reset(self._clock)
        self._decoder = decoder

    def stop(self) -> None:
        """Throw away what is speculative and end the reply under way with what was served."""
        self.discard("the conversation ended")
        self.interrupt()
        self._cut_off("interrupted")

    def prefill(self, turn: int, text: str) -> None:
        """Run the shallow layers over the conversation and the turn's text so far."""
        job = self._next_job(turn)
        self._decoder.prefill(job, self._history.asking(text))

    def speculate(self, turn: int, text: str, p_deep: float) -> None:
        """Start a branch before the turn is over."""
        self._live = self._begin(turn, text, p_deep, speculative=True)

    def discard(self, reason: str) -> None:
        """Throw the live branch away, if there is one: the person went on speaking."""
        branch, self._live = self._live, None
        if branch is None:
            return
        self._decoder.cancel(branch.number)
        self.ledger.discard(branch.number)
        self._post(
            BranchDiscarded(
                heard_s=self._now_s(), turn=branch.turn, branch=branch.number, reason=reason
            )
        )

    def interrupt(self) -> None:
        """The person takes the floor: a reply being spoken ends with the words that were heard."""
        if not self.voice.speaking:
            return
        heard = self.voice.cut()
        self._cut_off("interrupted")
        self._last_words, self._read_by_s = self._history.shorten(heard), 0.0

    def commit(
        self, turn: int, text: str, p_deep: float, *, onset_s: float, heard_s: float
    ) -> None:
        """The turn ended at `heard_s`, its speech at `onset_s`: serve the branch or decode now."""
        self.interrupt()
        self._cut_off("interrupted")
        if self._live is not None and (self._live.turn, self._live.text) != (turn, text):
            self.discard("other words were understood")
        branch, self._live = self._live, None
        from_branch = branch is not None
        self._post(TurnCommitted(heard_s=heard_s, turn=turn, text=text, from_branch=from_branch))
        if branch is None:
            branch = self._begin(turn, text, p_deep, speculative=False)
        branch.committed_heard_s = heard_s
        branch.committed_s = self._clock.wall_s(heard_s)
        branch.onset_wall_s = self._clock.wall_s(onset_s)
        self.ledger.commit(branch.number, branch.committed_s)
        self._serving, self._last_words = branch, ""
        self._serve()

    def poll(self) -> None:
        """Take the decoder's reports and serve what they bring; ends overdue branches."""
        self.voice.poll()
        for report in self._decoder.poll():
            self._take(report)
        limit_s = time.monotonic() - self._gate.branch_timeout_s
        if self._live is not None and self._live.started_s < limit_s:
            self.discard("the branch took too long")
        if self._serving is not None and self._serving.started_s < limit_s:
            sentence = "This turn could not be answered in time: say it again"
            self._post(Problem(heard_s=self._now_s(), message=sentence))
            self._cut_off("timeout")

    def _take(self, report: client.Report) -> None:
        match report:
            case client.Worked():
                self._book(report)
            case client.Token(job=job) if (branch := self._branch(job)) is not None:
                self._token(branch, report)
            case client.Done(job=job) if (branch := self._branch(job)) is not None:
                branch.done = report
                self._serve()
            case client.Failed(job=job) if (branch := self._branch(job)) is not None:
                self._failed(branch, report.message)
            case client.Died(reason=reason):
                self._status("died", reason)
            case client.Restarted():
                self._status("restarted", "the conversation is being rebuilt")
            case client.Ready():
                self._status("ready", "")

    def _book(self, report: client.Worked) -> None:
        if report.job not in self._turns:
            return  # of a conversation that was dropped
        if report.kind == "deep":
            self.ledger.worked(report.job, report.start_s, report.end_s)
        # The clock is read once: a block that comes late moves it, and would stretch the step.
        ended_s = self._clock.heard_s(report.end_s)
        self._post(
            DecoderWorked(
                heard_s=ended_s,
                turn=self._turns[report.job],
                branch=report.job,
                depth=report.kind,
                start_s=ended_s - (report.end_s - report.start_s),
                head_ms=report.head_ms,
                tail_ms=report.tail_ms,
                tokens=report.tokens,
            )
        )

    def _token(self, branch: Branch, report: client.Token) -> None:
        if report.index < len(branch.tokens):
            return  # a restarted decoder gives the same tokens again
        branch.tokens.append(report)
        if branch.first_token_s is None:
            branch.first_token_s = report.at_s
        self._post(
            TokenDecoded(
                heard_s=self._clock.heard_s(report.at_s),
                turn=branch.turn,
                branch=branch.number,
                index=report.index,
                token=report.token,
                text=report.text,
                outcome=report.outcome,
                layers_used=report.layers_used,
                layers_total=report.layers_total,
            )
        )
        self._serve()

    def _serve(self) -> None:
        branch = self._serving
        if branch is None:
            return
        fresh = branch.tokens[branch.served :]
        branch.served = len(branch.tokens)
        if text := "".join(token.text for token in fresh):
            self._last_words += text
            self._post(ReplyServed(heard_s=self._now_s(), turn=branch.turn, text=text))
            self.voice.say(branch.turn, text)
        if branch.done is not None:
            self._finish(branch.done.reason)

    def _cut_off(self, reason: str) -> None:
        """End the reply under way, if there is one, with what has been served of it."""
        if self._serving is not None:
            self._decoder.cancel(self._serving.number)
            self._finish(reason)

    def _finish(self, reason: str) -> None:
        branch, self._serving = self._serving, None
        assert branch is not None
        done = branch.done
        tokens = done.tokens if done else tuple(token.token for token in branch.tokens)
        text = done.text if done else "".join(token.text for token in branch.tokens)
        reading_s = len(text.split()) * _READING_S_A_WORD
        self._last_words, self._read_by_s = text, branch.committed_heard_s + reading_s
        self._history.add(branch.text, text, tokens, branch.tokens[: branch.served])
        self.voice.end()
        self._post(
            ReplyFinished(
                heard_s=self._now_s(),
                turn=branch.turn,
                text=text,
                tokens=tokens,
                reason=reason,
                drafted=done.drafted if done else 0,
                accepted=done.accepted if done else 0,
            )
        )
        self._account(branch)

    def _account(self, branch: Branch) -> None:
        account = self.ledger.turn(branch.turn)
        first_s = branch.first_token_s or time.monotonic()
        committed_s = branch.committed_s or first_s
        shown_s = max(first_s, committed_s)
        # A branch that began at the commit is what a turn without PADS does: nothing to derive.
        without_s = first_s - branch.started_s if branch.speculative else shown_s - committed_s
        self._post(
            TurnAccounted(
                heard_s=self._now_s(),
                turn=branch.turn,
                triggered=branch.triggered,
                from_branch=branch.speculative,
                extra_starts=account.extra_starts,
                hidden_ms=account.hidden_ms,
                visible_ms=account.visible_ms,
                wasted_ms=account.wasted_ms,
                post_confirmation_ttft_ms=(shown_s - committed_s) * 1000,
                without_pads_ttft_ms=without_s * 1000,
                perceived_ttft_ms=(shown_s - branch.onset_wall_s) * 1000,
            )
        )

    def _failed(self, branch: Branch, message: str) -> None:
        """A decoder that died loses its work, not the turn: the served branch starts again."""
        if branch is self._live:
            self.discard(message)
            return
        if branch.attempts == _ATTEMPTS:
            sentence = f"This turn could not be answered ({message}): say it again"
            self._post(Problem(heard_s=self._now_s(), message=sentence))
            self._finish("failed")
            return
        replacement = self._begin(branch.turn, branch.text, branch.p_deep, speculative=False)
        replacement.take_over(branch)
        self.ledger.discard(branch.number)
        if branch.committed_s is not None:
            self.ledger.commit(replacement.number, branch.committed_s)
        self._serving = replacement

    def _begin(self, turn: int, text: str, p_deep: float, *, speculative: bool) -> Branch:
        job = self._next_job(turn)
        branch = Branch(job, turn, text, p_deep, time.monotonic(), speculative, speculative)
        self.ledger.start(job, turn, speculative=speculative)
        self._post(
            BranchStarted(heard_s=self._now_s(), turn=turn, branch=job, speculative=speculative)
        )
        self._decoder.decode(
            job, self._history.asking(text), self._decoding.reply_tokens, p_deep=p_deep
        )
        return branch

    def _branch(self, job: int) -> Branch | None:
        for branch in (self._live, self._serving):
            if branch is not None and branch.number == job:
                return branch
        return None

    def _status(self, state: str, note: str) -> None:
        self._post(DecoderStatus(heard_s=self._now_s(), state=state, note=note))

    def _next_job(self, turn: int) -> int:
        self._jobs += 1
        self._turns[self._jobs] = turn
        return self._jobs

    def _now_s(self) -> float:
        return self._clock.heard_s(time.monotonic())
