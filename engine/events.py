"""The vocabulary of the live engine: frozen facts, units in their names.

Events tell what happened and keep their order; gauges tell how something stands now, and only
the newest matters. What the session is asked to do is said in `engine.commands`. All times named
`heard_s` are seconds of audio heard (`engine.clock`); durations are milliseconds.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from typing import Any

CHECK = "check"
"""Kind of a source that is open for its level alone."""


class TurnState(StrEnum):
    """State of the conversation; speech during PAUSING leads back to SPEAKING."""

    LISTENING = "listening"
    SPEAKING = "speaking"
    PAUSING = "pausing"
    REPLYING = "replying"


class TokenOutcome(StrEnum):
    """How a served token came about."""

    KEPT = "kept"
    """Drafted by the shallow exit and confirmed by the deep layers."""
    CORRECTED = "corrected"
    """The deep layers replaced the draft's token here."""
    DEEP = "deep"
    """Produced at full depth without a draft to compare with."""
    SHALLOW = "shallow"
    """Served from the exit layer unverified (lossy policies only)."""


class Evidence(StrEnum):
    """Where a number comes from; every number a user sees carries one of these."""

    MEASURED = "measured"
    TARGET = "target"
    DERIVED = "derived"
    EXTRAPOLATED = "extrapolated"
    PUBLISHED = "published"
    SCRIPTED = "scripted"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened at `heard_s` seconds of audio heard."""

    heard_s: float


# Start-up, sources and faults ---------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineProgress(Event):
    """A step of start-up: `fraction` of it all done (0..1), `step` in words a user reads."""

    step: str
    fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineReady(Event):
    """The engine can listen; `details` describes models and machine for the record."""

    elapsed_ms: float
    details: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOpened(Event):
    """Audio flows from `name`; `seconds` is the length of a file, None for a microphone.

    `kind` is "microphone", "file", or `CHECK` for a microphone that starts no turns.
    """

    name: str
    kind: str
    seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceEnded(Event):
    """No more audio comes: `reason` is "finished", "closed", or the sentence of an error."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecovered(Event):
    """The source `name`, of which a `Problem` told, delivers good sound again."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InputsListed(Event):
    """The inputs by their names, as plugged in now; `default` is one of them, or None.

    `problem` is the sentence of an error when they cannot be listed.
    """

    names: tuple[str, ...]
    default: str | None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundTested(Event):
    """What the say-something test found: its verdict, one sentence of advice, measured levels.

    `speech_dbfs` is None when too little was spoken.
    """

    verdict: str
    advice: str
    speech_dbfs: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsApplied(Event):
    """Other settings are in force from now on: `settings` is all of them, by group."""

    settings: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundRecorded(Event):
    """What is heard is kept from now on (`on`), or no more.

    `file` is the name of a sound file in the session's folder, which began at `heard_s` when `on`;
    it is empty when none can be written and the wish is given up.
    """

    file: str
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeculationRested(Event):
    """The machine is hot (`resting`), so PADS behaves as off; or it has cooled down.

    `reason` says why in a few words, with the temperature where there is a sensor.
    """

    resting: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksDropped(Event):
    """`blocks` blocks of audio were lost, at the device or later, since the last report."""

    blocks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem(Event):
    """Something the user should know: one sentence with its remedy."""

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFailed(Problem):
    """The engine could not start; `Retry` tries again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerDied(Event):
    """A thread ended by an unexpected error."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderStatus(Event):
    """The decoder process: `state` is starting, ready, died, restarted or stopped."""

    state: str
    note: str


# Hearing ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSwitched(Event):
    """This language model answers from now on, in a new conversation.

    `problem` is empty, or a sentence: why it is still the one before.
    """

    model: str
    exit_layer: int
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AudioHeard(Event):
    """One 32 ms chunk ending at `heard_s`: waveform extremes (-1..1), speech probability."""

    low: float
    high: float
    p_speech: float
    speech: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEndEstimated(Event):
    """P(the turn ends within about 300 ms) as of `heard_s`."""

    p_end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChanged(Event):
    """The turn's state machine moved."""

    turn: int
    state: TurnState


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcribed(Event):
    """Text of the turn so far; `final` when taken at a silence onset, False for a partial."""

    turn: int
    text: str
    final: bool
    elapsed_ms: float


# Judging ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueActJudged(Event):
    """Most probable act, its probability, and P(deep) = P(question) + P(directive)."""

    turn: int
    act: str
    p_act: float
    p_deep: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDecided(Event):
    """The AND-gate at a pause whose silence began at `onset_s`.

    `gate_ms` is wall time from the arrival of the last speech sample to the decision.
    """

    turn: int
    onset_s: float
    p_end: float
    p_deep: float
    theta_end: float
    theta_deep: float
    triggered: bool
    reason: str
    gate_ms: float


# Decoding -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchStarted(Event):
    """Decoding of a reply began; `speculative` when the turn was not yet committed."""

    turn: int
    branch: int
    speculative: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchDiscarded(Event):
    """A branch was thrown away: its work is wasted, and nothing of it is served."""

    turn: int
    branch: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderWorked(Event):
    """One step of decoder work from `start_s` to `heard_s` on the conversation's axis.

    `depth` is "shallow" (head layers only) or "deep" (a branch's step: head and tail).
    `head_ms` and `tail_ms` are the decoder's own clock, `tokens` the positions computed.
    """

    turn: int
    branch: int
    depth: str
    start_s: float
    head_ms: float
    tail_ms: float
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenDecoded(Event):
    """A token of a branch, with the layers it needed (`layers_used` of `layers_total`)."""

    turn: int
    branch: int
    index: int
    token: int
    text: str
    outcome: TokenOutcome
    layers_used: int
    layers_total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCommitted(Event):
    """The turn is over; `from_branch` when a live branch's transcript still stood."""

    turn: int
    text: str
    from_branch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDropped(Event):
    """A turn ended without words to answer; `wasted_ms` of deep work was thrown away for it."""

    turn: int
    wasted_ms: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyServed(Event):
    """More of the reply became visible: `text` is the new piece."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyFinished(Event):
    """The whole reply, once per turn; `reason` is eos, length, interrupted, timeout or failed."""

    turn: int
    text: str
    tokens: tuple[int, ...]
    reason: str
    drafted: int
    accepted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAccounted(Event):
    """The ledger's account of one turn, posted when its reply is finished.

    `post_confirmation_ttft_ms` is max(0, first token - commit), `without_pads_ttft_ms` the
    time the same first token would have taken from the commit (derived: first token - start
    of its branch), `perceived_ttft_ms` counts from the end of speech.
    """

    turn: int
    triggered: bool
    from_branch: bool
    extra_starts: int
    hidden_ms: float
    visible_ms: float
    wasted_ms: float
    post_confirmation_ttft_ms: float
    without_pads_ttft_ms: float
    perceived_ttft_ms: float


# Speaking -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceStarted(Event):
    """The reply of `turn` began to sound, spoken by `engine`."""

    turn: int
    engine: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceSpoke(Event):
    """The reply of `turn` has sounded as far as `spoken`, whole words (derived from its time)."""

    turn: int
    spoken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceStopped(Event):
    """The reply of `turn` sounds no more; `spoken` is the part that did, whole words.

    `reason` is finished, interrupted or failed; `late_blocks` of its sound came too late for the
    loudspeaker and were heard as gaps.
    """

    turn: int
    spoken: str
    reason: str
    late_blocks: int


# Gauges -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One vital sign: a value with its unit, or None with the reason it is unavailable."""

    value: float | None
    unit: str
    evidence: Evidence
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VitalsRead:
    """The machine now; `wall_s` is monotonic, loads are percent of one core."""

    wall_s: float
    core_loads: tuple[float, ...]
    own_load: Reading
    clock: Reading
    temperature: Reading
    core_temperature: Reading
    """Of the hottest core; `temperature` is the package's."""
    throttles: Reading
    memory_used: Reading
    memory_total: Reading
    own_memory: Reading
    energy: Reading
    core_clocks_mhz: tuple[float, ...] = ()
    """Of each core, where the system tells."""
    slowed_by: str = ""
    """What slows the processor down, in a few words; empty when nothing is known to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRead:
    """The level meter now, in dBFS: RMS and peak of the newest chunk, the held peak, the lamp."""

    rms_dbfs: float
    peak_dbfs: float
    held_dbfs: float
    clipping: bool


def type_name(fact: object) -> str:
    """The fact's type as it appears in records: `TurnCommitted` → `turn_committed`."""
    return _snake(type(fact).__name__)


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def to_record(fact: Any) -> dict[str, Any]:
    """A fact as a JSON-ready dictionary, `type` first, floats rounded to microseconds.

    What JSON has no number for (nan, infinity) is null.
    """
    record: dict[str, Any] = {"type": type_name(fact)}
    for field in fields(fact):
        record[field.name] = _plain(getattr(fact, field.name))
    return record


def from_record(record: dict[str, Any]) -> Event | None:
    """The event that `to_record` made this of; None when no event of its type is known here.

    A float that was null is nan. Raises `KeyError` when a value is missing.
    """
    kind = _event_types().get(str(record["type"]))
    if kind is None:
        return None
    return kind(**{f.name: _restored(str(f.type), record[f.name]) for f in fields(kind)})


@cache
def _event_types() -> dict[str, type[Event]]:
    known = [k for k in globals().values() if isinstance(k, type) and issubclass(k, Event)]
    return {_snake(kind.__name__): kind for kind in known}


def _restored(annotation: str, value: Any) -> Any:
    match annotation:
        case "float" if value is None:
            return math.nan
        case "TurnState":
            return TurnState(value)
        case "TokenOutcome":
            return TokenOutcome(value)
        case _:
            return tuple(value) if annotation.startswith("tuple") else value


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    if isinstance(value, Reading):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
