"""What the engine and the decoder process say to each other, and its form on the pipe.

One message is one line of JSON. Nothing here is executed on arrival, so a damaged line can
only be refused. Times are `time.monotonic()` seconds, which all processes of a machine share.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from engine.errors import PadsError
from engine.events import TokenOutcome

Kind = Literal["shallow", "deep"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation; `role` is system, user or assistant.

    Assistant messages carry the token ids that were served: they are fed back as they are,
    because tokenising the text again may give other ids.
    """

    role: str
    text: str
    tokens: tuple[int, ...] | None = None


# Requests -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Open:
    """First request: the model file, the folder of its halves, and the decoder's settings."""

    model: str
    cache: str
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Prefill:
    """Run the shallow layers over the conversation so far."""

    job: int
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Decode:
    """Answer the conversation with at most `max_tokens` tokens; `p_deep` is for exit policies."""

    job: int
    messages: tuple[Message, ...]
    max_tokens: int
    p_deep: float = 1.0


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop `job` and put both KV caches back to where they stood before it."""

    job: int


Request = Open | Prefill | Decode | Cancel


# Reports ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Starting:
    """A step of the decoder's start-up; `fraction` of it all is done (0..1)."""

    step: str
    fraction: float


@dataclass(frozen=True, slots=True)
class Ready:
    """The decoder takes jobs; `details` describes model, kernels and exactness."""

    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Worked:
    """One step of a job: `tokens` positions took `head_ms` + `tail_ms` of computing."""

    job: int
    kind: Kind
    start_s: float
    end_s: float
    head_ms: float
    tail_ms: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Token:
    """Token number `index` of a reply; `text` may be empty within a multi-token character."""

    job: int
    index: int
    token: int
    text: str
    outcome: TokenOutcome
    layers_used: int
    layers_total: int
    at_s: float


@dataclass(frozen=True, slots=True)
class Done:
    """A job is finished. A reply's `tokens` hold neither the end token nor anything cut off."""

    job: int
    kind: Kind
    tokens: tuple[int, ...]
    text: str
    reason: str
    drafted: int
    accepted: int


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The job was cancelled and left nothing behind."""

    job: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The job could not be done; the decoder goes on."""

    job: int
    message: str


@dataclass(frozen=True, slots=True)
class Died:
    """The decoder process ended by itself; `reason` is a sentence.

    `refusal` is why no other is started.
    """

    reason: str
    refusal: PadsError | None = None


@dataclass(frozen=True, slots=True)
class Restarted:
    """A new decoder process was started after one died; `Ready` follows."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The decoder cannot start with this model or these settings; starting again won't help."""

    thing: str
    remedy: str


Report = Starting | Ready | Worked | Token | Done | Cancelled | Failed | Died | Restarted


_KINDS: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        *(Open, Prefill, Decode, Cancel),
        *(Starting, Ready, Worked, Token, Done, Cancelled, Failed, Refused),
    )
}


def encode(message: Any) -> bytes:
    """The message as one line of UTF-8 JSON, newline included."""
    record = {"is": type(message).__name__, **asdict(message)}
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> Any:
    """The message in a line written by `encode`; ValueError when it is none."""
    record = json.loads(line)
    kind = _KINDS.get(record.pop("is", "")) if isinstance(record, dict) else None
    if kind is None:
        raise ValueError(f"not a decoder message: {line[:80]!r}")
    if "messages" in record:
        record["messages"] = tuple(_message(item) for item in record["messages"])
    if kind is Done:
        record["tokens"] = tuple(record["tokens"])
    if kind is Token:
        record["outcome"] = TokenOutcome(record["outcome"])
    try:
        return kind(**record)
    except TypeError as exc:
        raise ValueError(f"not a {kind.__name__} message: {exc}") from exc


def _message(item: dict[str, Any]) -> Message:
    tokens = item["tokens"]
    return Message(item["role"], item["text"], None if tokens is None else tuple(tokens))
