"""The blind trial: a visitor hears each question answered twice, with PADS and without, and says
which answer felt quicker. Free of Qt.

A two-interval forced choice. Within a visitor's rounds PADS comes first as often as second, in an
order drawn by chance, and nothing that is shown differs between the two. Between the two the
decoder forgets the question: having computed it once would make the second answer quicker.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from engine import commands, events
from engine.events import Event

ROUNDS = 4
"""Questions of one trial: with answers of two seconds it takes two minutes."""

MICROPHONE = "microphone"
"""In place of a question's name: the visitor asked."""

_ATTEMPTS = 3


class Stage(StrEnum):
    """What a trial is at."""

    READY = "ready"
    """`listen` begins the next of the two intervals."""
    LISTENING = "listening"
    CHOOSING = "choosing"
    """`choose` tells which of the two felt quicker."""
    DONE = "done"
    BROKEN = "broken"
    """It cannot go on; `problem` says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One question to be answered twice: its name, its sound (None: spoken by the visitor), and
    in which interval, 1 or 2, PADS is on."""

    question: str
    sound: Path | None
    pads_in: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One round's result; times are from the end of speech to the first word, as measured.

    `early`: with PADS the reply was in fact started in the pause.
    """

    visitor: int
    round: int
    question: str
    pads_in: int
    chose: int
    with_ms: float
    without_ms: float
    early: bool
    evidence: str

    @property
    def for_pads(self) -> bool:
        """Did the answer with PADS feel quicker?"""
        return self.chose == self.pads_in


def plan(sounds: Sequence[tuple[str, Path | None]], rng: random.Random) -> list[Round]:
    """One round for each question, their order and PADS's interval by chance.

    PADS comes first as often as second; with an odd number, one time more at either place.
    """
    drawn = rng.sample(list(sounds), len(sounds))
    first = len(drawn) // 2 + (len(drawn) % 2) * rng.randrange(2)
    places = [1] * first + [2] * (len(drawn) - first)
    rng.shuffle(places)
    return [
        Round(question=name, sound=sound, pads_in=place)
        for (name, sound), place in zip(drawn, places, strict=True)
    ]


class Trial:
    """The course of one visitor's trial: tells the engine what to do, takes its events.

    `send` carries commands of `engine.commands`; `evidence` is the tag of what is measured here.
    """

    def __init__(
        self,
        visitor: int,
        rounds: Sequence[Round],
        send: Callable[[Any], None],
        *,
        evidence: str,
        microphone: str | None = None,
    ) -> None:
        self._visitor, self._rounds, self._send = visitor, list(rounds), send
        self._evidence, self._microphone = evidence, microphone
        self.stage, self.problem = Stage.READY, ""
        self.round, self.interval = 1, 1
        self.choices: list[Choice] = []
        self.heard, self.reply = "", ""
        """The words of the question as understood, and of the answer so far."""
        self._accounts: dict[int, events.TurnAccounted] = {}
        self._attempts = 0

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return len(self._rounds)

    @property
    def done(self) -> bool:
        """Has everything been chosen?"""
        return self.stage is Stage.DONE

    @property
    def spoken(self) -> bool:
        """Does the visitor ask this question?"""
        return self._now.sound is None

    @property
    def _now(self) -> Round:
        return self._rounds[min(self.round, len(self._rounds)) - 1]

    def listen(self) -> None:
        """Begin the next interval."""
        if self.stage is not Stage.READY:
            return
        self.stage, self.heard, self.reply = Stage.LISTENING, "", ""
        self._attempts += 1
        self._send(commands.ResetConversation())
        self._send(commands.SwitchPads(on=self._now.pads_in == self.interval))
        if self._now.sound is None:
            self._send(commands.OpenMicrophone(name=self._microphone))
        else:
            self._send(commands.OpenFile(path=str(self._now.sound), aloud=True))

    def take(self, event: Event) -> None:
        """Take the next event of the engine."""
        if self.stage is not Stage.LISTENING:
            return
        match event:
            case events.TurnCommitted(text=text):
                self.heard, self.reply = text, ""
            case events.ReplyServed(text=text):
                self.reply += text
            case events.TurnAccounted():
                self._accounts[self.interval] = event
                self._send(commands.CloseSource())
            case events.SourceEnded(reason=reason):
                self._ended(reason)
            case events.WorkerDied(name=name, reason=reason):
                self._break(f"The {name} stopped ({reason}): close the window and start again")

    def choose(self, interval: int) -> None:
        """The answer of interval 1 or 2 felt quicker."""
        if self.stage is not Stage.CHOOSING or interval not in (1, 2):
            return
        now, accounts = self._now, self._accounts
        on, off = accounts[now.pads_in], accounts[3 - now.pads_in]
        self.choices.append(
            Choice(
                visitor=self._visitor,
                round=self.round,
                question=now.question,
                pads_in=now.pads_in,
                chose=interval,
                with_ms=round(on.perceived_ttft_ms, 1),
                without_ms=round(off.perceived_ttft_ms, 1),
                early=on.from_branch,
                evidence=self._evidence,
            )
        )
        self._accounts = {}
        self._attempts = 0
        self.interval, self.round = 1, self.round + 1
        self.stage = Stage.READY if self.round <= len(self._rounds) else Stage.DONE

    def _ended(self, reason: str) -> None:
        if reason not in ("finished", "closed"):
            self._break(reason)
        elif self.interval not in self._accounts:
            if self._attempts >= _ATTEMPTS:
                self._break("No question was understood: see whether the demos work, and try again")
            else:
                self.stage = Stage.READY
        elif self.interval == 1:
            self.stage, self.interval, self._attempts = Stage.READY, 2, 0
        else:
            self.stage = Stage.CHOOSING

    def _break(self, problem: str) -> None:
        self.stage, self.problem = Stage.BROKEN, problem
