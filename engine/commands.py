"""What a session can be asked to do: frozen commands for `Session.send`.

`engine.events` tells what came of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFile:
    """Replay an audio file at real-time pace; `aloud`: people hear it from the loudspeaker too."""

    path: str
    aloud: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMicrophone:
    """Listen to an input device by its name; None follows the system's default."""

    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckMicrophone:
    """Open an input for its level alone: what is said there starts no turn."""

    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SaySomething:
    """Judge the next three seconds of the open source; no turn comes of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListInputs:
    """Post `InputsListed`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseSource:
    """Stop listening; the session stays ready."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchPads:
    """Speculate inside pauses (`on`) or start decoding at the commit (off)."""

    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchVoice:
    """Speak replies aloud (`on`) or not; `listening` is "speaker" or "headphones"."""

    on: bool
    listening: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSound:
    """Keep what is heard in the session's folder (`on`) or not; off at every start."""

    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetConversation:
    """Forget the conversation's history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchModel:
    """Answer with another language model, cut before `exit_layer`; `ModelSwitched` follows."""

    model: str
    exit_layer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """Try again to start an engine that failed to start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplySettings:
    """Use other thresholds from now on; the switches, models and decoder stay as they are."""

    settings: Settings
